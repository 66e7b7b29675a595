// graph-paths: the shortest paths from one vertex to all others, with atomicMin
//
// From:    S2, graph algorithms
// Compile: nvcc -O3 graph-paths.cu
// Run:     ./a.out -n 1000000 --degree 8
//
// An edge has a length, its weight. So a way over more edges may be shorter, and a vertex may get a
// smaller distance more than once. The frontier has the vertices whose distance became smaller in
// the round before.

#include <algorithm>
#include <vector>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "graph.cuh"

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

// What the program works on.
struct Data
{
    size_t *d_offsets;
    unsigned *d_targets, *d_weights, *d_queued, *d_distance;
    Frontier frontier;
    unsigned block_size;
};

// Rounds until no distance becomes smaller.
void find_paths(Data *data, unsigned source)
{
    Frontier *frontier = &data->frontier;
    start_at(frontier, source, data->d_distance);
    CHECK(cudaMemset(data->d_queued, 0, frontier->capacity * sizeof(unsigned)));
    while (frontier->size > 0)
    {
        begin_round(frontier);
        relax_round<<<blocks_for(frontier->size, data->block_size), data->block_size>>>(
            data->d_offsets, data->d_targets, data->d_weights, frontier->d_now, frontier->size,
            frontier->d_next, frontier->d_next_size, frontier->capacity, data->d_distance,
            data->d_queued, frontier->rounds);
        end_round(frontier);
    }
}

// A row of the table.
void show_paths(const char *name, const Graph &g, unsigned source)
{
    std::vector<unsigned> found(g.N), expected(g.N);
    Data data;
    data.block_size = args.block_x;
    data.d_offsets = to_device(g.offsets.data(), (size_t)g.N + 1);
    data.d_targets = to_device(g.targets.data(), g.offsets[g.N]);
    data.d_weights = to_device(g.weights.data(), g.offsets[g.N]);
    CHECK(cudaMalloc(&data.d_queued, g.N * sizeof(unsigned)));
    CHECK(cudaMalloc(&data.d_distance, g.N * sizeof(unsigned)));
    data.frontier = create_frontier(g.N);

    measure(
        name, g, &data.frontier, data.d_distance, [&] { find_paths(&data, source); },
        [&] { paths_reference(g, source, expected.data()); }, &found, &expected);
    printf("the farthest %u away\n", measure_reach(g, found.data()).farthest);

    free_frontier(&data.frontier);
    CHECK(cudaFree(data.d_offsets));
    CHECK(cudaFree(data.d_targets));
    CHECK(cudaFree(data.d_weights));
    CHECK(cudaFree(data.d_queued));
    CHECK(cudaFree(data.d_distance));
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
               "graph-paths: the shortest paths from one vertex to all others, with atomicMin");
    require_memory(args.N * (32.0 + 8.0 * degree), args.N * (24.0 + 8.0 * degree));
    if (args.N > MAX_VERTICES || source >= args.N)
    {
        usage_error("-n takes at most %u vertices, --source one of them", MAX_VERTICES);
    }
    print_device();
    print_titles();
    show_paths("grid", make_grid(args.seed), 0);
    show_paths("random", make_random_graph(args.N, degree, args.seed), source);
    return verdict();
}
