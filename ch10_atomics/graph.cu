// graph: breadth-first search, shortest paths, a maximal independent set and closeness by atomics
//
// From:    S2, graph algorithms and Example 6.21 (its 10 x 10 grid)
// Compile: nvcc -O3 graph.cu
// Run:     ./a.out -n 1000000 --degree 8
// Options: -n N -b B -r R -s S --degree N --source N
// Chinese: 用原子函数做图算法：广度优先搜索、最短路径、极大独立集和接近中心性
// Also:    -n 1000 -r 2 --degree 3 --source 999; -n 33 -r 1 --degree 0; -n 33 -r 1 --degree 1000
// Checks:  12
// Sizes:   1 33 1003 64 99329
//
// The algorithms run in rounds. A round works on the frontier: the vertices that were found or
// changed in the round before. The frontier is a queue in an array. Any number of threads append to
// the next one at the same time: atomicAdd on its size returns a place that no other thread gets.

#include <algorithm>
#include <limits.h>
#include <numeric>
#include <stdio.h>
#include <utility>
#include <vector>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"

const unsigned UNREACHED = UINT_MAX;
const unsigned MAX_WEIGHT = 15;         // of an edge; the least is 1
const unsigned MAX_VERTICES = 1u << 28; // times MAX_WEIGHT is still an unsigned int
const unsigned SIDE = 10;               // of the grid

enum State // of a vertex, for the independent set
{
    UNDECIDED,
    IN,
    OUT
};

// The neighbours of vertex v are targets[offsets[v]] to targets[offsets[v + 1] - 1] (compressed
// sparse rows). An edge is stored in the rows of both its ends.
struct Graph
{
    unsigned N;
    std::vector<size_t> offsets;   // N + 1 of them
    std::vector<unsigned> targets; // offsets[N] of them
    std::vector<unsigned> weights; // of the same edges
};

// ---- The references ----

void search_reference(const Graph &g, unsigned source, unsigned *level)
{
    std::vector<unsigned> queue = {source};
    std::fill(level, level + g.N, UNREACHED);
    level[source] = 0;
    for (size_t i = 0; i < queue.size(); ++i)
    {
        const unsigned v = queue[i];
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
        {
            const unsigned w = g.targets[e];
            if (level[w] == UNREACHED)
            {
                level[w] = level[v] + 1;
                queue.push_back(w);
            }
        }
    }
}

// Dijkstra's algorithm: the next vertex is always the nearest one that is left. The weights are
// small integers. So the vertices of each distance are kept in a bucket, and MAX_WEIGHT + 1 buckets
// are enough, used in turn.
void paths_reference(const Graph &g, unsigned source, unsigned *distance)
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
        for (const unsigned v : bucket)
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

// The order of the vertices is that of a hash. If two hashes are equal, the numbers decide.
__host__ __device__ bool goes_before(unsigned v, unsigned w, uint64_t seed)
{
    const uint64_t first = hash_bits(seed, v), second = hash_bits(seed, w);
    return first < second || (first == second && v < w);
}

// Takes the vertices in that order. A vertex is in the set unless a neighbour already is.
void independent_reference(const Graph &g, uint64_t seed, unsigned *state)
{
    std::vector<unsigned> order(g.N);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [=](unsigned v, unsigned w) { return goes_before(v, w, seed); });
    std::fill(state, state + g.N, (unsigned)UNDECIDED);
    for (const unsigned v : order)
    {
        if (state[v] == UNDECIDED)
        {
            state[v] = IN;
            for (size_t e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
            {
                state[g.targets[e]] = OUT;
            }
        }
    }
}

// ---- The kernels: a thread for each vertex of the frontier ----

// Breadth-first search. Several threads may find w at the same time. Each calls atomicCAS, but only
// one of them gets UNREACHED back: this thread appends w. The plain read before atomicCAS only
// saves most of the atomics.
// next_size counts every vertex that is appended, also where there is no room for it.
__global__ void search_level(const size_t *offsets, const unsigned *targets,
                             const unsigned *frontier, unsigned size, unsigned *next,
                             unsigned *next_size, unsigned capacity, unsigned *level,
                             unsigned depth)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size)
    {
        const unsigned v = frontier[i];
        for (size_t e = offsets[v]; e < offsets[v + 1]; ++e)
        {
            const unsigned w = targets[e];
            if (level[w] == UNREACHED && atomicCAS(&level[w], UNREACHED, depth) == UNREACHED)
            {
                const unsigned place = atomicAdd(next_size, 1);
                if (place < capacity)
                {
                    next[place] = w;
                }
            }
        }
    }
}

// Shortest paths, by Bellman and Ford. A thread that finds a shorter way to w lowers its distance
// by atomicMin. Then w has to be looked at again. Several threads may lower it in one round: by
// atomicExch only the first of them appends w.
// distance[v] may fall after it is read here. Then v is in the next frontier too, so nothing is
// lost.
__global__ void relax_round(const size_t *offsets, const unsigned *targets, const unsigned *weights,
                            const unsigned *frontier, unsigned size, unsigned *next,
                            unsigned *next_size, unsigned capacity, unsigned *distance,
                            unsigned *queued, unsigned round)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size)
    {
        const unsigned v = frontier[i], to_v = distance[v];
        for (size_t e = offsets[v]; e < offsets[v + 1]; ++e)
        {
            const unsigned w = targets[e], through_v = to_v + weights[e];
            if (through_v < distance[w] && through_v < atomicMin(&distance[w], through_v) &&
                atomicExch(&queued[w], round) != round)
            {
                const unsigned place = atomicAdd(next_size, 1);
                if (place < capacity)
                {
                    next[place] = w;
                }
            }
        }
    }
}

// Luby's independent set, first half of a round. A vertex is in the set if it goes before all its
// neighbours that are not out. Other threads set vertices to IN meanwhile. That changes no answer:
// of two neighbours, only one can go before the other.
__global__ void choose_vertices(const size_t *offsets, const unsigned *targets,
                                const unsigned *frontier, unsigned size, unsigned *state,
                                uint64_t seed)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size)
    {
        const unsigned v = frontier[i];
        bool first = true;
        for (size_t e = offsets[v]; e < offsets[v + 1] && first; ++e)
        {
            const unsigned w = targets[e];
            first = state[w] == OUT || goes_before(v, w, seed);
        }
        if (first)
        {
            state[v] = IN;
        }
    }
}

// Second half: the neighbours of the chosen vertices are out. All other vertices go on to the next
// round.
__global__ void drop_neighbours(const size_t *offsets, const unsigned *targets,
                                const unsigned *frontier, unsigned size, unsigned *next,
                                unsigned *next_size, unsigned capacity, unsigned *state)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size && state[frontier[i]] == UNDECIDED)
    {
        const unsigned v = frontier[i];
        bool out = false;
        for (size_t e = offsets[v]; e < offsets[v + 1] && !out; ++e)
        {
            out = state[targets[e]] == IN;
        }
        if (out)
        {
            state[v] = OUT;
        }
        else
        {
            const unsigned place = atomicAdd(next_size, 1);
            if (place < capacity)
            {
                next[place] = v;
            }
        }
    }
}

// total[0]: how many vertices are reached, total[1]: the sum of their distances. A block first adds
// in shared memory, where atomics are cheap, and then once to each total in global memory.
__global__ void sum_distances(const unsigned *distance, unsigned N, unsigned long long *total)
{
    __shared__ unsigned long long s_reached, s_sum;
    if (threadIdx.x == 0)
    {
        s_reached = 0;
        s_sum = 0;
    }
    __syncthreads();
    const unsigned v = blockDim.x * blockIdx.x + threadIdx.x;
    if (v < N && distance[v] != UNREACHED)
    {
        atomicAdd(&s_reached, 1ull);
        atomicAdd(&s_sum, distance[v]);
    }
    __syncthreads();
    if (threadIdx.x == 0)
    {
        atomicAdd(&total[0], s_reached);
        atomicAdd(&total[1], s_sum);
    }
}

// ---- Graphs ----

struct Edge
{
    unsigned v, w, weight;
};

// Counts the neighbours of each vertex, adds up the counts, and fills the rows. edge_of(k) is
// called twice for each edge, so the edges take no memory of their own. An edge from a vertex to
// itself is left out.
template <typename EdgeOf>
Graph make_graph(unsigned N, size_t num_edges, EdgeOf edge_of)
{
    Graph g = {N, std::vector<size_t>((size_t)N + 2, 0), {}, {}};
    for (size_t k = 0; k < num_edges; ++k)
    {
        const Edge edge = edge_of(k);
        g.offsets[edge.v + 2] += edge.v != edge.w;
        g.offsets[edge.w + 2] += edge.v != edge.w;
    }
    for (unsigned v = 0; v < N; ++v)
    {
        g.offsets[v + 2] += g.offsets[v + 1];
    }
    // offsets[v + 1] is now where the row of v begins. Filling the row moves it to the row's end.
    g.targets.resize(g.offsets[N + 1]);
    g.weights.resize(g.offsets[N + 1]);
    for (size_t k = 0; k < num_edges; ++k)
    {
        const Edge edge = edge_of(k);
        for (const unsigned end : {edge.v, edge.w})
        {
            if (edge.v != edge.w)
            {
                const size_t e = g.offsets[end + 1]++;
                g.targets[e] = edge.v + edge.w - end;
                g.weights[e] = edge.weight;
            }
        }
    }
    return g;
}

// First the edges to the right, then those to the vertex below.
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

// ---- All algorithms on one graph ----

struct Reach
{
    unsigned long long reached, sum; // vertices, and the sum of their distances
    unsigned farthest;
    size_t edges; // between vertices that are reached
};

Reach measure_reach(const Graph &g, const unsigned *distance)
{
    Reach reach = {};
    for (unsigned v = 0; v < g.N; ++v)
    {
        if (distance[v] != UNREACHED)
        {
            ++reach.reached;
            reach.sum += distance[v];
            reach.farthest = std::max(reach.farthest, distance[v]);
            reach.edges += g.offsets[v + 1] - g.offsets[v];
        }
    }
    reach.edges /= 2;
    return reach;
}

template <typename T>
T *to_device(const T *host, size_t count)
{
    T *device;
    CHECK(cudaMalloc(&device, std::max<size_t>(count, 1) * sizeof(T))); // there may be no edges
    CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

// Returns the state of each vertex: in the independent set or out of it.
std::vector<unsigned> solve(const Args *args, const char *title, const Graph &g, unsigned source)
{
    const unsigned N = g.N, block_size = args->block_x;
    const uint64_t seed = args->seed;
    const size_t bytes = N * sizeof(unsigned);
    std::vector<unsigned> found(N), expected(N);

    size_t *d_offsets = to_device(g.offsets.data(), (size_t)N + 1);
    unsigned *d_targets = to_device(g.targets.data(), g.offsets[N]);
    unsigned *d_weights = to_device(g.weights.data(), g.offsets[N]);
    std::iota(found.begin(), found.end(), 0);
    unsigned *d_all = to_device(found.data(), N); // all vertices
    unsigned *d_frontier, *d_next, *d_next_size, *d_queued;
    unsigned *d_result; // levels, distances or states
    unsigned long long *d_total;
    for (unsigned **array : {&d_frontier, &d_next, &d_queued, &d_result})
    {
        CHECK(cudaMalloc(array, bytes));
    }
    CHECK(cudaMalloc(&d_next_size, sizeof(unsigned)));
    CHECK(cudaMalloc(&d_total, 2 * sizeof(*d_total)));

    // Before a round, and after it. After it, the next frontier becomes the frontier.
    unsigned size = 0, rounds = 0; // of the frontier; of the last algorithm
    const auto grid_size = [&](unsigned threads)
    {
        return (threads + block_size - 1) / block_size;
    };
    const auto begin_round = [&]
    {
        ++rounds;
        CHECK(cudaMemset(d_next_size, 0, sizeof(unsigned)));
    };
    const auto end_round = [&]
    {
        CHECK_LAUNCH();
        CHECK(cudaMemcpy(&size, d_next_size, sizeof(unsigned), cudaMemcpyDeviceToHost));
        if (size > N)
        {
            check_true("a queue is too short", false);
            fprintf(stderr, "it holds %u vertices, and %u were appended\n", N, size);
            size = 0;
        }
        std::swap(d_frontier, d_next);
    };
    const auto start_at_source = [&]
    {
        CHECK(cudaMemset(d_result, 0xff, bytes)); // UNREACHED
        CHECK(cudaMemset(d_result + source, 0, sizeof(unsigned)));
        CHECK(cudaMemcpy(d_frontier, &source, sizeof(unsigned), cudaMemcpyHostToDevice));
        size = 1;
        rounds = 0;
    };

    const auto search = [&]
    {
        start_at_source();
        while (size > 0)
        {
            begin_round();
            search_level<<<grid_size(size), block_size>>>(d_offsets, d_targets, d_frontier, size,
                                                          d_next, d_next_size, N, d_result, rounds);
            end_round();
        }
    };
    const auto find_paths = [&]
    {
        start_at_source();
        CHECK(cudaMemset(d_queued, 0, bytes));
        while (size > 0)
        {
            begin_round();
            relax_round<<<grid_size(size), block_size>>>(d_offsets, d_targets, d_weights,
                                                         d_frontier, size, d_next, d_next_size, N,
                                                         d_result, d_queued, rounds);
            end_round();
        }
    };
    const auto find_independent = [&]
    {
        CHECK(cudaMemset(d_result, 0, bytes)); // UNDECIDED
        CHECK(cudaMemcpy(d_frontier, d_all, bytes, cudaMemcpyDeviceToDevice));
        size = N;
        rounds = 0;
        while (size > 0)
        {
            begin_round();
            choose_vertices<<<grid_size(size), block_size>>>(d_offsets, d_targets, d_frontier, size,
                                                             d_result, seed);
            drop_neighbours<<<grid_size(size), block_size>>>(d_offsets, d_targets, d_frontier, size,
                                                             d_next, d_next_size, N, d_result);
            end_round();
        }
    };

    // Times an algorithm and its reference, checks what the last run left, and prints a row up to
    // what was found.
    const auto measure = [&](const char *name, auto algorithm, auto reference)
    {
        const double start = host_clock();
        reference();
        const double host_ms = host_clock() - start;
        const double ms = time_host(algorithm, args->repeats).median;
        poison(found.data(), bytes);
        CHECK(cudaMemcpy(found.data(), d_result, bytes, cudaMemcpyDeviceToHost));
        check_elements(name, found.data(), expected.data(), N);
        const size_t edges = measure_reach(g, found.data()).edges; // of a set: all edges
        printf("%-16s %6u %10.4g %12.1f %10.4g %7.2f  ", name, rounds, ms, edges / ms * 1e-3,
               host_ms, host_ms / ms);
    };

    printf("%s: %u vertices, %zu edges, median of %zu repeats\n"
           "                 rounds %10s 10^6 edges/s    host ms  x host  found\n",
           title, N, g.offsets[N] / 2, args->repeats, TIME_UNIT);

    measure("search", search, [&] { search_reference(g, source, expected.data()); });
    const Reach reach = measure_reach(g, found.data());
    // Closeness: 1 / the mean distance. The levels of the search are still on the device.
    unsigned long long total[2] = {};
    CHECK(cudaMemset(d_total, 0, sizeof(total)));
    sum_distances<<<grid_size(N), block_size>>>(d_result, N, d_total);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(total, d_total, sizeof(total), cudaMemcpyDeviceToHost));
    check_true("closeness", total[0] == reach.reached && total[1] == reach.sum);
    printf("%llu reached, the farthest %u away; closeness of vertex %u: %.6g\n", reach.reached,
           reach.farthest, source, total[1] > 0 ? (total[0] - 1.0) / total[1] : 0.0);

    measure("shortest paths", find_paths, [&] { paths_reference(g, source, expected.data()); });
    printf("the farthest %u away\n", measure_reach(g, found.data()).farthest);

    measure("independent set", find_independent,
            [&] { independent_reference(g, seed, expected.data()); });
    bool independent = true, maximal = true;
    for (unsigned v = 0; v < N; ++v)
    {
        size_t in = 0; // neighbours in the set
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
        {
            in += found[g.targets[e]] == IN;
        }
        independent = independent && !(found[v] == IN && in > 0);
        maximal = maximal && (found[v] == IN || in > 0);
    }
    check_true("no two vertices of the set are neighbours", independent);
    check_true("each vertex outside the set has a neighbour in it", maximal);
    printf("%zu vertices in it\n", (size_t)std::count(found.begin(), found.end(), (unsigned)IN));

    for (unsigned *array :
         {d_targets, d_weights, d_all, d_frontier, d_next, d_next_size, d_queued, d_result})
    {
        CHECK(cudaFree(array));
    }
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_total));
    return found;
}

int main(int argc, char **argv)
{
    size_t degree = 8, source = 0;
    Args args;
    args.N = default_size(1000000, 50000);
    args.repeats = default_size(10, 2);
    add_number(&args, "degree", &degree, 0, 1000, "edges that end at a vertex, on average");
    add_number(&args, "source", &source, 0, MAX_VERTICES - 1, "vertex to start from");
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "graph: breadth-first search, shortest paths, a maximal independent set and "
               "closeness by atomics");
    require_memory(&args, args.N * (32.0 + 8.0 * degree), args.N * (28.0 + 8.0 * degree));
    if (args.N > MAX_VERTICES || source >= args.N)
    {
        usage_error(&args, "-n takes at most %u vertices, --source one of them", MAX_VERTICES);
    }
    const unsigned N = args.N;
    print_device();

    const Graph grid = make_graph(SIDE * SIDE, 2 * SIDE * (SIDE - 1),
                                  [&](size_t k) { return grid_edge(k, args.seed); });
    const std::vector<unsigned> state = solve(&args, "grid", grid, 0);
    printf("its maximal independent set (X: in it)\n");
    for (unsigned row = 0; row < SIDE; ++row)
    {
        printf("  ");
        for (unsigned column = 0; column < SIDE; ++column)
        {
            printf("%c", state[row * SIDE + column] == IN ? 'X' : '0');
        }
        printf("\n");
    }
    printf("\n");

    const Graph random =
        make_graph(N, N * degree / 2, [&](size_t k) { return random_edge(k, N, args.seed); });
    solve(&args, "random graph", random, source);
    return verdict();
}
