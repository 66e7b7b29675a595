// Graphs, and what the host finds in them: the reference of graph.cu.
#pragma once
#include <limits.h>
#include <algorithm>
#include <vector>
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"

const unsigned UNREACHED = UINT_MAX;
const unsigned MAX_WEIGHT = 15;         // of an edge; the least is 1
const unsigned MAX_VERTICES = 1u << 28; // times MAX_WEIGHT is still an unsigned int
const unsigned SIDE = 10;               // of the grid

enum State
{
    UNDECIDED,
    IN,
    OUT
};

struct Graph
{
    unsigned N;
    const size_t *offsets;   // N + 1 of them
    const unsigned *targets; // offsets[N] of them
    const unsigned *weights; // of the same edges
};

// ---- Graphs ----

struct Edge
{
    unsigned v, w, weight;
};

template <typename T>
T *host_array(size_t count)
{
    T *array = (T *)malloc(count * sizeof(T) + 1); // a graph may have no edges
    if (array == NULL)
    {
        fprintf(stderr, "no memory for %zu numbers\n", count);
        exit(2);
    }
    return array;
}

// Counts the neighbours of each vertex, adds the counts up, and fills the rows. The edges come from
// edge_of(k) twice, and are never kept. Those from a vertex to itself are left out.
template <typename EdgeOf>
Graph make_graph(unsigned N, size_t num_edges, EdgeOf edge_of)
{
    size_t *offsets = host_array<size_t>(N + 2); // two more: filling moves each one row on
    std::fill(offsets, offsets + N + 2, 0);
    for (size_t k = 0; k < num_edges; ++k)
    {
        const Edge edge = edge_of(k);
        offsets[edge.v + 2] += edge.v != edge.w;
        offsets[edge.w + 2] += edge.v != edge.w;
    }
    for (unsigned v = 0; v < N; ++v)
    {
        offsets[v + 2] += offsets[v + 1];
    }
    unsigned *targets = host_array<unsigned>(offsets[N + 1]);
    unsigned *weights = host_array<unsigned>(offsets[N + 1]);
    for (size_t k = 0; k < num_edges; ++k)
    {
        const Edge edge = edge_of(k);
        for (unsigned end : {edge.v, edge.w})
        {
            if (edge.v != edge.w)
            {
                const size_t e = offsets[end + 1]++;
                targets[e] = edge.v + edge.w - end;
                weights[e] = edge.weight;
            }
        }
    }
    return {N, offsets, targets, weights};
}

void free_graph(const Graph &g)
{
    free((void *)g.offsets);
    free((void *)g.targets);
    free((void *)g.weights);
}

// Neighbours to the right, then neighbours below.
Edge grid_edge(size_t k, uint64_t seed)
{
    const unsigned across = SIDE * (SIDE - 1);
    const unsigned v = k < across ? k / (SIDE - 1) * SIDE + k % (SIDE - 1) : k - across;
    const unsigned w = v + (k < across ? 1 : SIDE);
    return {v, w, 1 + random_below(seed + 1, k, MAX_WEIGHT)};
}

Edge random_edge(size_t k, unsigned N, uint64_t seed)
{
    return {random_below(seed, 2 * k, N), random_below(seed, 2 * k + 1, N),
            1 + random_below(seed + 1, k, MAX_WEIGHT)};
}

// ---- Searches, one vertex at a time ----

void search_reference(const Graph &g, uint64_t source, unsigned *level)
{
    std::vector<unsigned> queue = {(unsigned)source};
    std::fill(level, level + g.N, UNREACHED);
    level[source] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
    {
        const unsigned v = queue[i];
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
        {
            if (level[g.targets[e]] == UNREACHED)
            {
                level[g.targets[e]] = level[v] + 1;
                queue.push_back(g.targets[e]);
            }
        }
    }
}

// Dijkstra: always on from the nearest vertex that is left. Weights are small integers, so the
// vertices at each distance lie in a bucket, and MAX_WEIGHT + 1 buckets in turn are enough.
void paths_reference(const Graph &g, uint64_t source, unsigned *distance)
{
    std::vector<unsigned> buckets[MAX_WEIGHT + 1];
    size_t waiting = 1;
    std::fill(distance, distance + g.N, UNREACHED);
    distance[source] = 0;
    buckets[0].push_back(source);
    for (unsigned nearest = 0; waiting > 0; ++nearest)
    {
        std::vector<unsigned> bucket;
        bucket.swap(buckets[nearest % (MAX_WEIGHT + 1)]);
        waiting -= bucket.size();
        for (unsigned v : bucket)
        {
            for (size_t e = g.offsets[v]; e < g.offsets[v + 1] && distance[v] == nearest; ++e)
            {
                const unsigned w = g.targets[e], through_v = nearest + g.weights[e];
                if (through_v < distance[w])
                {
                    distance[w] = through_v;
                    buckets[through_v % (MAX_WEIGHT + 1)].push_back(w);
                    ++waiting;
                }
            }
        }
    }
}

// Of two neighbours the one with the lower hash goes first; its number decides if they are equal.
__host__ __device__ bool goes_before(unsigned v, unsigned w, uint64_t seed)
{
    const uint64_t first = hash_bits(seed, v), second = hash_bits(seed, w);
    return first < second || (first == second && v < w);
}

// Greedy, in that order: a vertex is in the set unless a neighbour before it is.
void independent_reference(const Graph &g, uint64_t seed, unsigned *state)
{
    std::vector<unsigned> order(g.N);
    for (unsigned v = 0; v < g.N; ++v)
    {
        order[v] = v;
        state[v] = UNDECIDED;
    }
    std::sort(order.begin(), order.end(),
              [=](unsigned v, unsigned w) { return goes_before(v, w, seed); });
    for (unsigned v : order)
    {
        if (state[v] == UNDECIDED)
        {
            state[v] = IN;
            std::for_each(g.targets + g.offsets[v], g.targets + g.offsets[v + 1],
                          [=](unsigned w) { state[w] = OUT; });
        }
    }
}

template <typename T>
T *to_device(const T *host, size_t count)
{
    T *device;
    CHECK(cudaMalloc(&device, std::max<size_t>(count, 1) * sizeof(T)));
    CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

Graph copy_to_device(const Graph &g)
{
    return {g.N, to_device(g.offsets, g.N + 1), to_device(g.targets, g.offsets[g.N]),
            to_device(g.weights, g.offsets[g.N])};
}

void free_on_device(const Graph &g)
{
    CHECK(cudaFree((void *)g.offsets));
    CHECK(cudaFree((void *)g.targets));
    CHECK(cudaFree((void *)g.weights));
}

void print_grid(const unsigned *state)
{
    printf("its maximal independent set (X: in it)\n");
    for (unsigned v = 0; v < SIDE * SIDE; ++v)
    {
        printf("%s%c%s", v % SIDE == 0 ? "  " : "", state[v] == IN ? 'X' : '0',
               v % SIDE == SIDE - 1 ? "\n" : "");
    }
    printf("\n");
}

// ---- What is asked of a result ----

void check_set(const Graph &g, const unsigned *state)
{
    bool independent = true, maximal = true;
    for (unsigned v = 0; v < g.N; ++v)
    {
        size_t in = 0; // neighbours in the set
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
        {
            in += state[g.targets[e]] == IN;
        }
        independent = independent && !(state[v] == IN && in > 0);
        maximal = maximal && (state[v] == IN || in > 0);
    }
    check_true("no two vertices of the set are neighbours", independent);
    check_true("each vertex outside the set has a neighbour in it", maximal);
}

struct Reach
{
    unsigned long long reached, sum;
    unsigned farthest;
    size_t edges; // between vertices that are reached
};

Reach measure_reach(const Graph &g, const unsigned *distance)
{
    Reach r = {};
    for (unsigned v = 0; v < g.N; ++v)
    {
        if (distance[v] != UNREACHED)
        {
            ++r.reached;
            r.sum += distance[v];
            r.farthest = std::max(r.farthest, distance[v]);
            r.edges += g.offsets[v + 1] - g.offsets[v];
        }
    }
    r.edges /= 2;
    return r;
}

// ---- The host's part of a run ----

struct Problem
{
    Graph h, d; // the same graph, on the host and on the device
    unsigned source, block_size;
    uint64_t seed;
    unsigned *d_vertices[2], *d_size; // the two queues, which change places after each step
    unsigned *d_result, *d_queued, *d_all;
    unsigned long long *d_total;
    unsigned rounds; // of what ran last
};

unsigned blocks(const Problem *p, size_t threads)
{
    return (threads + p->block_size - 1) / p->block_size;
}

// Times an algorithm, checks what its last run left, and prints its row but for what it found,
// which is then in `found`. An algorithm begins anew each time, on the host and on the device.
void measure(const char *name, Problem *p, size_t repeats, void (*algorithm)(Problem *),
             void (*reference)(const Graph &, uint64_t, unsigned *), uint64_t source_or_seed,
             unsigned *found)
{
    unsigned *expected = host_array<unsigned>(p->h.N);
    const double start = host_clock();
    reference(p->h, source_or_seed, expected);
    const double host_ms = host_clock() - start;

    const double ms = time_host([=] { algorithm(p); }, repeats).median;
    poison(found, p->h.N * sizeof(unsigned));
    CHECK(cudaMemcpy(found, p->d_result, p->h.N * sizeof(unsigned), cudaMemcpyDeviceToHost));
    check_elements(name, found, expected, p->h.N);
    free(expected);
    const size_t num_edges = measure_reach(p->h, found).edges; // no state is UNREACHED: all of them
    printf("%-16s %6u %10.4g %12.1f %10.4g %7.2f  ", name, p->rounds, ms, num_edges / ms * 1e-3,
           host_ms, host_ms / ms);
}
