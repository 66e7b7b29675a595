// graph-bfs: breadth-first search: how many edges away each vertex is, and the closeness of the
// source
//
// From:    S2, graph algorithms
// Compile: nvcc -O3 graph-bfs.cu
// Run:     ./a.out -n 1000000 --degree 8
//
// A round works on the frontier: the vertices that were found in the round before. Their neighbours
// that are new are the next frontier. Several threads may find the same vertex at the same time.
// atomicCAS lets one of them append it.

#include <algorithm>
#include <vector>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "graph.cuh"

// The level of a vertex is how many edges it is away from the source.
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

// total[0]: how many vertices are reached, total[1]: the sum of their levels. A block first adds
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

// What the program works on.
struct Data
{
    size_t *d_offsets;
    unsigned *d_targets, *d_level;
    Frontier frontier;
    unsigned block_size;
};

// A round for each level.
void search(Data *data, unsigned source)
{
    Frontier *frontier = &data->frontier;
    start_at(frontier, source, data->d_level);
    while (frontier->size > 0)
    {
        begin_round(frontier);
        search_level<<<blocks_for(frontier->size, data->block_size), data->block_size>>>(
            data->d_offsets, data->d_targets, frontier->d_now, frontier->size, frontier->d_next,
            frontier->d_next_size, frontier->capacity, data->d_level, frontier->rounds);
        end_round(frontier);
    }
}

// 1 / the mean distance of the other vertices that are reached.
double closeness(const Data *data, unsigned N, const Reach *reach)
{
    unsigned long long total[2], *d_total;
    CHECK(cudaMalloc(&d_total, sizeof(total)));
    CHECK(cudaMemset(d_total, 0, sizeof(total)));
    sum_distances<<<blocks_for(N, data->block_size), data->block_size>>>(data->d_level, N, d_total);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(total, d_total, sizeof(total), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_total));
    check_true("closeness", total[0] == reach->reached && total[1] == reach->sum);
    return total[1] > 0 ? (total[0] - 1.0) / total[1] : 0.0;
}

// A row of the table.
void show_search(const char *name, const Graph &g, unsigned source)
{
    std::vector<unsigned> found(g.N), expected(g.N);
    Data data;
    data.block_size = args.block_x;
    data.d_offsets = to_device(g.offsets.data(), (size_t)g.N + 1);
    data.d_targets = to_device(g.targets.data(), g.offsets[g.N]);
    CHECK(cudaMalloc(&data.d_level, g.N * sizeof(unsigned)));
    data.frontier = create_frontier(g.N);

    measure(
        name, g, &data.frontier, data.d_level, [&] { search(&data, source); },
        [&] { search_reference(g, source, expected.data()); }, &found, &expected);
    const Reach reach = measure_reach(g, found.data());
    printf("%llu reached, the farthest %u away; closeness of vertex %u: %.6g\n", reach.reached,
           reach.farthest, source, closeness(&data, g.N, &reach));

    free_frontier(&data.frontier);
    CHECK(cudaFree(data.d_offsets));
    CHECK(cudaFree(data.d_targets));
    CHECK(cudaFree(data.d_level));
}

int main(int argc, char **argv)
{
    size_t degree = 8, source = 0;
    args.N = default_size(1000000, 50000);
    args.size_is = "number of vertices";
    args.repeats = default_size(10, 2);
    args.columns = GRAPH_COLUMNS;
    add_number("degree", &degree, 0, MAX_DEGREE, "edges that end at a vertex, on average");
    add_number("source", &source, 0, MAX_VERTICES - 1, "vertex to start from");
    parse_args(argc, argv, "-n N -b B -r R -s S",
               "graph-bfs: breadth-first search: how many edges away each vertex is, and the "
               "closeness of the source");
    require_memory(args.N * (32.0 + 8.0 * degree), args.N * (20.0 + 4.0 * degree));
    if (args.N > MAX_VERTICES || source >= args.N)
    {
        usage_error("-n takes at most %u vertices, --source one of them", MAX_VERTICES);
    }
    print_device();
    print_titles();
    show_search("grid", make_grid(args.seed), 0);
    show_search("random", make_random_graph(args.N, degree, args.seed), source);
    return verdict();
}
