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
static unsigned *d_targets;
static unsigned *d_level;          // of each vertex
static unsigned *found, *expected; // the levels on the host: the device's, and the reference's
static Frontier frontier;
static unsigned block_size;

// The level of a vertex is how many edges it is away from the source.
void search_reference(const Graph *g, unsigned source, unsigned *level)
{
    unsigned *queue = (unsigned *)malloc(g->N * sizeof(unsigned)), size = 0;
    memset(level, 0xff, g->N * sizeof(unsigned)); // UNREACHED
    level[source] = 0;
    queue[size++] = source;
    for (unsigned i = 0; i < size; ++i)
    {
        const unsigned v = queue[i];
        for (size_t e = g->offsets[v]; e < g->offsets[v + 1]; ++e)
        {
            const unsigned w = g->targets[e];
            if (level[w] == UNREACHED)
            {
                level[w] = level[v] + 1;
                queue[size++] = w;
            }
        }
    }
    free(queue);
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

// A round for each level.
void run_search(void)
{
    start_at(&frontier, source, d_level);
    while (frontier.size > 0)
    {
        begin_round(&frontier);
        search_level<<<blocks_for(frontier.size, block_size), block_size>>>(
            d_offsets, d_targets, frontier.d_now, frontier.size, frontier.d_next,
            frontier.d_next_size, frontier.capacity, d_level, frontier.rounds);
        end_round(&frontier);
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

// 1 / the mean distance of the other vertices that are reached.
double check_closeness(const Reach *reach)
{
    unsigned long long total[2], *d_total;
    CHECK(cudaMalloc(&d_total, sizeof(total)));
    CHECK(cudaMemset(d_total, 0, sizeof(total)));
    sum_distances<<<blocks_for(graph.N, block_size), block_size>>>(d_level, graph.N, d_total);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(total, d_total, sizeof(total), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_total));
    check_true("closeness", total[0] == reach->reached && total[1] == reach->sum);
    return total[1] > 0 ? (total[0] - 1.0) / total[1] : 0.0;
}

// Memory for the graph's arrays.
void create_arrays(void)
{
    const size_t bytes = graph.N * sizeof(unsigned);
    found = (unsigned *)malloc(bytes);
    expected = (unsigned *)malloc(bytes);
    d_offsets = (size_t *)to_device(graph.offsets, ((size_t)graph.N + 1) * sizeof(size_t));
    d_targets = (unsigned *)to_device(graph.targets, graph.offsets[graph.N] * sizeof(unsigned));
    CHECK(cudaMalloc(&d_level, bytes));
    frontier = create_frontier(graph.N);
}

void free_arrays(void)
{
    free_frontier(&frontier);
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_targets));
    CHECK(cudaFree(d_level));
    free(found);
    free(expected);
    free_graph(&graph);
}

// A row of the table.
void show_search(const char *name)
{
    const double start = host_clock();
    search_reference(&graph, source, expected);
    const double host_ms = host_clock() - start;
    Timer timer = new_search_timer();
    while (next_run(&timer))
    {
        run_search();
    }
    check_result(name, &graph, d_level, found, expected);
    const Reach reach = measure_reach(&graph, found);
    char text[128];
    snprintf(text, sizeof(text), "%llu reached, the farthest %u away; closeness of vertex %u: %.6g",
             reach.reached, reach.farthest, source, check_closeness(&reach));
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
               "graph-bfs: breadth-first search: how many edges away each vertex is, and the "
               "closeness of the source");
    require_memory(args.N * (32.0 + 8.0 * degree), args.N * (20.0 + 4.0 * degree));
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
    show_search("grid");
    free_arrays();
    graph = make_random_graph(args.N, degree, args.seed);
    source = wanted_source;
    create_arrays();
    show_search("random");
    free_arrays();
    if (!ON_GPU)
    {
        print_card_run();
    }
    return verdict();
}
