// graph: breadth-first search, shortest paths, a maximal independent set and closeness by atomics
//
// From:    S2, graph algorithms and Example 6.21 (its 10 x 10 grid)
// Compile: nvcc -O3 graph.cu
// Run:     ./a.out -n 1000000 --degree 8
// Checks:  12
// Sizes:   1 33 1000 100003
//
// The neighbours of vertex v are targets[offsets[v]] to targets[offsets[v + 1] - 1] (compressed
// sparse rows); an edge stands in the rows of both its ends. Each step works on a frontier, the
// vertices that changed in the step before, which lie in a queue: any number of threads append to
// it, each in the place that its atomicAdd returns.

#include <stdio.h>
#include <numeric>
#include "../common/args.cuh"
#include "graph.cuh" // brings compare, data, timing

// Vertices waiting for their turn. `size` counts all that were appended, also without room.
struct Queue
{
    unsigned *vertices, *size, capacity;
};

// ---- The kernels: a thread for each vertex of the frontier ----

// What atomicAdd returns nobody else gets: a place of one's own. Without room nothing is written;
// the count goes on, so that the host sees how much room was needed.
__device__ void append(Queue queue, unsigned v)
{
    const unsigned place = atomicAdd(queue.size, 1);
    if (place < queue.capacity)
    {
        queue.vertices[place] = v;
    }
}

// Many may find w at once, but only one compare-and-swap finds it unreached: that thread appends
// it. The plain read before it is only to save most of the atomics.
__global__ void search_level(Graph g, const unsigned *frontier, unsigned size, Queue next,
                             unsigned *level, unsigned depth)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size)
    {
        const unsigned v = frontier[i];
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
        {
            const unsigned w = g.targets[e];
            if (level[w] == UNREACHED && atomicCAS(&level[w], UNREACHED, depth) == UNREACHED)
            {
                append(next, w);
            }
        }
    }
}

// Bellman and Ford: whoever finds a shorter way to w lowers its distance, and w has to be looked
// at again. Several may do so in one round; by the exchange only the first of them appends it.
// distance[v] may fall while we read it: then v is in the next frontier too, and nothing is lost.
__global__ void relax_round(Graph g, const unsigned *frontier, unsigned size, Queue next,
                            unsigned *distance, unsigned *queued, unsigned round)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size)
    {
        const unsigned v = frontier[i], to_v = distance[v];
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1]; ++e)
        {
            const unsigned w = g.targets[e], through_v = to_v + g.weights[e];
            if (through_v < distance[w] && through_v < atomicMin(&distance[w], through_v) &&
                atomicExch(&queued[w], round) != round)
            {
                append(next, w);
            }
        }
    }
}

// Luby: a vertex that goes before all its neighbours still there is in the set. Meanwhile others
// become IN, which changes no answer: of two neighbours only one can go before the other.
__global__ void choose_vertices(Graph g, const unsigned *frontier, unsigned size, unsigned *state,
                                uint64_t seed)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size)
    {
        const unsigned v = frontier[i];
        bool first = true;
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1] && first; ++e)
        {
            const unsigned w = g.targets[e];
            first = state[w] == OUT || goes_before(v, w, seed);
        }
        if (first)
        {
            state[v] = IN;
        }
    }
}

// The neighbours of those chosen are out; the rest goes on to the next round.
__global__ void drop_neighbours(Graph g, const unsigned *frontier, unsigned size, Queue next,
                                unsigned *state)
{
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < size && state[frontier[i]] == UNDECIDED)
    {
        const unsigned v = frontier[i];
        bool out = false;
        for (size_t e = g.offsets[v]; e < g.offsets[v + 1] && !out; ++e)
        {
            out = state[g.targets[e]] == IN;
        }
        out ? (void)(state[v] = OUT) : append(next, v);
    }
}

// How many vertices are reached, and the sum of their distances: first in the block's shared
// memory, where atomics are near, and then one for each block.
__global__ void sum_distances(const unsigned *distance, unsigned N, unsigned long long *total)
{
    __shared__ unsigned long long s_reached, s_sum;
    if (threadIdx.x == 0)
    {
        s_reached = s_sum = 0;
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

// ---- The host's part: one launch after the other, until the frontier is empty ----

// step(frontier, size, next, round) is launched until it appends no more.
template <typename Step>
void run_rounds(Problem *p, unsigned size, Step step)
{
    for (p->rounds = 0; size > 0; ++p->rounds)
    {
        const Queue next = {p->d_vertices[1], p->d_size, p->h.N};
        CHECK(cudaMemset(p->d_size, 0, sizeof(unsigned)));
        step(p->d_vertices[0], size, next, p->rounds + 1);
        CHECK_LAUNCH();
        CHECK(cudaMemcpy(&size, p->d_size, sizeof(unsigned), cudaMemcpyDeviceToHost));
        if (size > next.capacity)
        {
            check_true("a queue is too short", false);
            fprintf(stderr, "it holds %u vertices, and %u were appended\n", next.capacity, size);
            size = 0;
        }
        std::swap(p->d_vertices[0], p->d_vertices[1]);
    }
}

// The source alone in the frontier, at distance 0.
void start_at_source(Problem *p)
{
    CHECK(cudaMemset(p->d_result, 0xff, p->h.N * sizeof(unsigned))); // UNREACHED
    CHECK(cudaMemset(p->d_result + p->source, 0, sizeof(unsigned)));
    CHECK(cudaMemcpy(p->d_vertices[0], &p->source, sizeof(unsigned), cudaMemcpyHostToDevice));
}

void search(Problem *p)
{
    start_at_source(p);
    run_rounds(p, 1,
               [=](const unsigned *frontier, unsigned size, Queue next, unsigned round)
               {
                   search_level<<<blocks(p, size), p->block_size>>>(p->d, frontier, size, next,
                                                                    p->d_result, round);
               });
}

void find_paths(Problem *p)
{
    start_at_source(p);
    CHECK(cudaMemset(p->d_queued, 0, p->h.N * sizeof(unsigned)));
    run_rounds(p, 1,
               [=](const unsigned *frontier, unsigned size, Queue next, unsigned round)
               {
                   relax_round<<<blocks(p, size), p->block_size>>>(p->d, frontier, size, next,
                                                                   p->d_result, p->d_queued, round);
               });
}

void find_independent(Problem *p)
{
    CHECK(cudaMemset(p->d_result, 0, p->h.N * sizeof(unsigned))); // UNDECIDED
    CHECK(cudaMemcpy(p->d_vertices[0], p->d_all, p->h.N * sizeof(unsigned),
                     cudaMemcpyDeviceToDevice));
    run_rounds(p, p->h.N,
               [=](const unsigned *frontier, unsigned size, Queue next, unsigned)
               {
                   choose_vertices<<<blocks(p, size), p->block_size>>>(p->d, frontier, size,
                                                                       p->d_result, p->seed);
                   drop_neighbours<<<blocks(p, size), p->block_size>>>(p->d, frontier, size, next,
                                                                       p->d_result);
               });
}

// The levels that `search` has left, added up on the device: 1 / their mean.
double find_closeness(Problem *p, const Reach *reach)
{
    unsigned long long total[2] = {};
    CHECK(cudaMemset(p->d_total, 0, sizeof(total)));
    sum_distances<<<blocks(p, p->h.N), p->block_size>>>(p->d_result, p->h.N, p->d_total);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(total, p->d_total, sizeof(total), cudaMemcpyDeviceToHost));
    check_true("closeness", total[0] == reach->reached && total[1] == reach->sum);
    return total[1] > 0 ? (total[0] - 1.0) / total[1] : 0.0;
}

// All on one graph; the states of the vertices, in or out of the set, stay in `found`.
void solve(const Args *args, const char *title, const Graph &h, unsigned source, unsigned *found)
{
    Problem p = {};
    p.h = h;
    p.source = source;
    p.block_size = args->block_x;
    p.seed = args->seed;
    p.d = copy_to_device(h);
    for (unsigned **array : {&p.d_vertices[0], &p.d_vertices[1], &p.d_result, &p.d_queued})
    {
        CHECK(cudaMalloc(array, h.N * sizeof(unsigned)));
    }
    std::iota(found, found + h.N, 0);
    p.d_all = to_device(found, h.N);
    CHECK(cudaMalloc(&p.d_size, sizeof(unsigned)));
    CHECK(cudaMalloc(&p.d_total, 2 * sizeof(*p.d_total)));

    printf("%s: %u vertices, %zu edges, median of %zu repeats\n"
           "                 rounds %10s 10^6 edges/s    host ms  x host  found\n",
           title, h.N, h.offsets[h.N] / 2, args->repeats, TIME_UNIT);
    measure("search", &p, args->repeats, search, search_reference, source, found);
    const Reach near = measure_reach(h, found);
    printf("%llu reached, the farthest %u away; closeness of vertex %u: %.6g\n", near.reached,
           near.farthest, source, find_closeness(&p, &near));
    measure("shortest paths", &p, args->repeats, find_paths, paths_reference, source, found);
    printf("the farthest %u away\n", measure_reach(h, found).farthest);
    measure("independent set", &p, args->repeats, find_independent, independent_reference,
            args->seed, found);
    check_set(h, found);
    printf("%zu vertices in it\n", (size_t)std::count(found, found + h.N, (unsigned)IN));

    for (unsigned *array :
         {p.d_vertices[0], p.d_vertices[1], p.d_result, p.d_queued, p.d_all, p.d_size})
    {
        CHECK(cudaFree(array));
    }
    free_on_device(p.d);
    CHECK(cudaFree(p.d_total));
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
    args.bytes_per_element = 28 + 8 * degree;
    args.bytes_on_host = 32 + 8 * degree;
    check_memory(&args, true);
    if (args.N > MAX_VERTICES || source >= args.N)
    {
        usage_error(&args, "-n takes at most %u vertices, --source one of them", MAX_VERTICES);
    }
    const unsigned N = args.N;
    print_device();

    unsigned state[SIDE * SIDE];
    const Graph grid = make_graph(SIDE * SIDE, 2 * SIDE * (SIDE - 1),
                                  [&](size_t k) { return grid_edge(k, args.seed); });
    solve(&args, "grid", grid, 0, state);
    print_grid(state);
    free_graph(grid);

    const Graph random =
        make_graph(N, N * degree / 2, [&](size_t k) { return random_edge(k, N, args.seed); });
    unsigned *states = host_array<unsigned>(N);
    solve(&args, "random graph", random, source, states);
    free(states);
    free_graph(random);
    return verdict();
}
