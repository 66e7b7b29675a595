// graph-paths: the shortest paths from one vertex to all others, with atomicMin
//
// From:    S2, graph algorithms
// Compile: nvcc -O3 graph-paths.cu
// Run:     ./a.out -n 1000000 --degree 8
//
// An edge has a length, its weight. So a way over more edges may be shorter, and a vertex may get a
// smaller distance more than once. The frontier has the vertices whose distance became smaller in
// the round before.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "graph.cuh"

static Graph graph;
static unsigned source;   // the vertex to start from
static size_t *d_offsets; // the graph on the device
static unsigned *d_targets, *d_weights;
static unsigned *d_distance;       // of each vertex
static unsigned *d_queued;         // the round in which a vertex was last appended
static unsigned *found, *expected; // distances on the host: the device's, the reference's
static Frontier frontier;
static unsigned block_size;

// Vertices, to which more are added.
struct Bucket
{
    unsigned *vertices;
    size_t count, room; // `room` vertices fit into the memory that is there
};

void add_to_bucket(Bucket *bucket, unsigned v)
{
    if (bucket->count == bucket->room)
    {
        bucket->room = bucket->room == 0 ? 16 : 2 * bucket->room;
        bucket->vertices = (unsigned *)realloc(bucket->vertices, bucket->room * sizeof(unsigned));
    }
    bucket->vertices[bucket->count++] = v;
}

// Dijkstra's algorithm: the next vertex is always the nearest one that is left. The weights are
// small integers. So the vertices of each distance are kept in a bucket, and MAX_WEIGHT + 1 buckets
// are enough, used in turn.
void paths_reference(const Graph *g, unsigned source, unsigned *distance)
{
    Bucket buckets[MAX_WEIGHT + 1] = {};
    size_t waiting = 1;
    memset(distance, 0xff, g->N * sizeof(unsigned)); // UNREACHED
    distance[source] = 0;
    add_to_bucket(&buckets[0], source);
    for (unsigned nearest = 0; waiting > 0; ++nearest)
    {
        Bucket *bucket = &buckets[nearest % (MAX_WEIGHT + 1)];
        for (size_t i = 0; i < bucket->count; ++i)
        {
            const unsigned v = bucket->vertices[i];
            for (size_t e = g->offsets[v]; e < g->offsets[v + 1] && distance[v] == nearest; ++e)
            {
                const unsigned w = g->targets[e], through_v = nearest + g->weights[e];
                if (through_v < distance[w])
                {
                    distance[w] = through_v;
                    add_to_bucket(&buckets[through_v % (MAX_WEIGHT + 1)], w);
                    ++waiting;
                }
            }
        }
        waiting -= bucket->count;
        free(bucket->vertices);
        *bucket = {};
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

// Rounds until no distance becomes smaller.
void run_paths(void)
{
    start_at(&frontier, source, d_distance);
    CHECK(cudaMemset(d_queued, 0, graph.N * sizeof(unsigned)));
    while (frontier.size > 0)
    {
        begin_round(&frontier);
        relax_round<<<blocks_for(frontier.size, block_size), block_size>>>(
            d_offsets, d_targets, d_weights, frontier.d_now, frontier.size, frontier.d_next,
            frontier.d_next_size, frontier.capacity, d_distance, d_queued, frontier.rounds);
        end_round(&frontier);
    }
}

// Memory for the graph's arrays.
void create_arrays(void)
{
    const size_t bytes = graph.N * sizeof(unsigned);
    const size_t edge_bytes = graph.offsets[graph.N] * sizeof(unsigned);
    found = (unsigned *)malloc(bytes);
    expected = (unsigned *)malloc(bytes);
    d_offsets = (size_t *)to_device(graph.offsets, ((size_t)graph.N + 1) * sizeof(size_t));
    d_targets = (unsigned *)to_device(graph.targets, edge_bytes);
    d_weights = (unsigned *)to_device(graph.weights, edge_bytes);
    CHECK(cudaMalloc(&d_queued, bytes));
    CHECK(cudaMalloc(&d_distance, bytes));
    frontier = create_frontier(graph.N);
}

void free_arrays(void)
{
    free_frontier(&frontier);
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_targets));
    CHECK(cudaFree(d_weights));
    CHECK(cudaFree(d_queued));
    CHECK(cudaFree(d_distance));
    free(found);
    free(expected);
    free_graph(&graph);
}

// A row of the table.
void show_paths(const char *name)
{
    const double start = host_clock();
    paths_reference(&graph, source, expected);
    const double host_ms = host_clock() - start;
    Timer timer = new_search_timer();
    while (next_run(&timer))
    {
        run_paths();
    }
    check_result(name, &graph, d_distance, found, expected);
    char text[64];
    snprintf(text, sizeof(text), "the farthest %u away", measure_reach(&graph, found).farthest);
    print_row(name, &graph, frontier.rounds, found, timer.median, &timer.counts, host_ms, text);
}

int main(int argc, char **argv)
{
    size_t degree = 8, wanted_source = 0;
    args.N = default_size(1000000, 50000);
    args.size_is = "number of vertices";
    args.repeats = default_size(10, 2);
    args.columns = GRAPH_COLUMNS;
    add_number("degree", &degree, 0, MAX_DEGREE, "edges that end at a vertex, on average");
    add_number("source", &wanted_source, 0, MAX_VERTICES - 1, "vertex to start from");
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "graph-paths: the shortest paths from one vertex to all others, with atomicMin");
    require_memory(args.N * (32.0 + 8.0 * degree), args.N * (24.0 + 8.0 * degree));
    if (args.N > MAX_VERTICES || wanted_source >= args.N)
    {
        usage_error("-n takes at most %u vertices, --source one of them", MAX_VERTICES);
    }
    block_size = args.block_x;
    print_device();
    print_titles();
    graph = make_grid(args.seed);
    source = 0;
    create_arrays();
    show_paths("grid");
    free_arrays();
    graph = make_random_graph(args.N, degree, args.seed);
    source = wanted_source;
    create_arrays();
    show_paths("random");
    free_arrays();
    if (!ON_GPU)
    {
        print_card_run();
    }
    return verdict();
}
