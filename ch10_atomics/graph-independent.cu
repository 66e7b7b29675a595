// graph-independent: a maximal independent set of a graph: vertices of which no two are
// neighbours
//
// From:    S2, graph algorithms and Example 6.21 (its 10 x 10 grid)
// Compile: nvcc -O3 graph-independent.cu
// Run:     ./a.out -n 1000000 --degree 8
//
// Luby's method looks at all vertices at the same time. The frontier has the vertices that are not
// decided yet.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "graph.cuh"

enum State // of a vertex
{
    UNDECIDED,
    IN,
    OUT
};

static Graph graph;
static size_t *d_offsets; // the graph on the device
static unsigned *d_targets;
static unsigned *d_all;            // the numbers of all vertices
static unsigned *d_state;          // of each vertex
static unsigned *found, *expected; // the states on the host: the device's, and the reference's
static Frontier frontier;
static unsigned block_size;

// The order of the vertices is that of a hash. If two hashes are equal, the numbers decide.
__host__ __device__ bool goes_before(unsigned v, unsigned w, uint64_t seed)
{
    const uint64_t first = hash_bits(seed, v), second = hash_bits(seed, w);
    return first < second || (first == second && v < w);
}

// qsort passes no seed.
int compare_vertices(const void *v, const void *w)
{
    return goes_before(*(const unsigned *)v, *(const unsigned *)w, args.seed) ? -1 : 1;
}

// Takes the vertices in that order. A vertex is in the set unless a neighbour already is.
void independent_reference(const Graph *g, unsigned *state)
{
    unsigned *order = (unsigned *)malloc(g->N * sizeof(unsigned));
    for (unsigned v = 0; v < g->N; ++v)
    {
        order[v] = v;
        state[v] = UNDECIDED;
    }
    qsort(order, g->N, sizeof(unsigned), compare_vertices);
    for (unsigned i = 0; i < g->N; ++i)
    {
        const unsigned v = order[i];
        if (state[v] == UNDECIDED)
        {
            state[v] = IN;
            for (size_t e = g->offsets[v]; e < g->offsets[v + 1]; ++e)
            {
                state[g->targets[e]] = OUT;
            }
        }
    }
    free(order);
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

// Rounds until all vertices are decided.
void run_independent(void)
{
    const size_t bytes = graph.N * sizeof(unsigned);
    CHECK(cudaMemset(d_state, 0, bytes)); // UNDECIDED
    CHECK(cudaMemcpy(frontier.d_now, d_all, bytes, cudaMemcpyDeviceToDevice));
    frontier.size = graph.N;
    frontier.rounds = 0;
    while (frontier.size > 0)
    {
        const unsigned grid_size = blocks_for(frontier.size, block_size);
        begin_round(&frontier);
        choose_vertices<<<grid_size, block_size>>>(d_offsets, d_targets, frontier.d_now,
                                                   frontier.size, d_state, args.seed);
        drop_neighbours<<<grid_size, block_size>>>(
            d_offsets, d_targets, frontier.d_now, frontier.size, frontier.d_next,
            frontier.d_next_size, frontier.capacity, d_state);
        end_round(&frontier);
    }
}

// What makes a set independent, and an independent set maximal.
void check_set(const Graph *g, const unsigned *state)
{
    bool independent = true, maximal = true;
    for (unsigned v = 0; v < g->N; ++v)
    {
        size_t in = 0; // neighbours in the set
        for (size_t e = g->offsets[v]; e < g->offsets[v + 1]; ++e)
        {
            in += state[g->targets[e]] == IN;
        }
        independent = independent && !(state[v] == IN && in > 0);
        maximal = maximal && (state[v] == IN || in > 0);
    }
    check_true("no two vertices of the set are neighbours", independent);
    check_true("each vertex outside the set has a neighbour in it", maximal);
}

// Memory for the graph's arrays.
void create_arrays(void)
{
    const size_t bytes = graph.N * sizeof(unsigned);
    found = (unsigned *)malloc(bytes);
    expected = (unsigned *)malloc(bytes);
    d_offsets = (size_t *)to_device(graph.offsets, ((size_t)graph.N + 1) * sizeof(size_t));
    d_targets = (unsigned *)to_device(graph.targets, graph.offsets[graph.N] * sizeof(unsigned));
    for (unsigned v = 0; v < graph.N; ++v)
    {
        found[v] = v;
    }
    d_all = (unsigned *)to_device(found, bytes);
    CHECK(cudaMalloc(&d_state, bytes));
    frontier = create_frontier(graph.N);
}

void free_arrays(void)
{
    free_frontier(&frontier);
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_targets));
    CHECK(cudaFree(d_all));
    CHECK(cudaFree(d_state));
    free(found);
    free(expected);
    free_graph(&graph);
}

// A row of the table.
void show_set(const char *name)
{
    const double start = host_clock();
    independent_reference(&graph, expected);
    const double host_ms = host_clock() - start;
    Timer timer = new_search_timer();
    while (next_run(&timer))
    {
        run_independent();
    }
    check_result(name, &graph, d_state, found, expected);
    check_set(&graph, found);
    size_t size = 0;
    for (unsigned v = 0; v < graph.N; ++v)
    {
        size += found[v] == IN;
    }
    char text[64];
    snprintf(text, sizeof(text), "%zu vertices in it", size);
    print_row(name, &graph, frontier.rounds, found, timer.median, &timer.counts, host_ms, text);
}

// As Example 6.21 of S2 prints it.
void print_grid(const unsigned *state)
{
    print_note("the grid's maximal independent set (X: in it)\n");
    for (unsigned row = 0; row < SIDE; ++row)
    {
        char text[SIDE + 1] = "";
        for (unsigned column = 0; column < SIDE; ++column)
        {
            text[column] = state[row * SIDE + column] == IN ? 'X' : '0';
        }
        print_note("  %s\n", text);
    }
}

int main(int argc, char **argv)
{
    size_t degree = 8;
    args.N = default_size(1000000, 50000);
    args.size_is = "number of vertices";
    args.repeats = default_size(10, 2);
    args.columns = GRAPH_COLUMNS;
    add_number("degree", &degree, 0, MAX_DEGREE, "edges that end at a vertex, on average");
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "graph-independent: a maximal independent set of a graph: vertices of which no two "
               "are neighbours");
    require_memory(args.N * (32.0 + 8.0 * degree), args.N * (24.0 + 4.0 * degree));
    if (args.N > MAX_VERTICES)
    {
        usage_error("-n takes at most %u vertices", MAX_VERTICES);
    }
    block_size = args.block_x;
    print_device();
    print_titles();
    unsigned grid_state[SIDE * SIDE];
    graph = make_grid(args.seed);
    create_arrays();
    show_set("grid");
    memcpy(grid_state, found, sizeof(grid_state));
    free_arrays();
    graph = make_random_graph(args.N, degree, args.seed);
    create_arrays();
    show_set("random");
    free_arrays();
    print_grid(grid_state);
    if (!ON_GPU)
    {
        print_card_run();
    }
    return verdict();
}
