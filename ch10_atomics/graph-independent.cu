// graph-independent: a maximal independent set of a graph: vertices of which no two are
// neighbours
//
// From:    S2, graph algorithms and Example 6.21 (its 10 x 10 grid)
// Compile: nvcc -O3 graph-independent.cu
// Run:     ./a.out -n 1000000 --degree 8
//
// Luby's method looks at all vertices at the same time. The frontier has the vertices that are not
// decided yet.

#include <algorithm>
#include <numeric>
#include <vector>
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

// What the program works on.
struct Data
{
    size_t *d_offsets;
    unsigned *d_targets, *d_all, *d_state; // d_all: the numbers of all vertices
    Frontier frontier;
    unsigned block_size;
    uint64_t seed;
};

// Rounds until all vertices are decided.
void find_independent(Data *data)
{
    Frontier *frontier = &data->frontier;
    const size_t bytes = frontier->capacity * sizeof(unsigned);
    CHECK(cudaMemset(data->d_state, 0, bytes)); // UNDECIDED
    CHECK(cudaMemcpy(frontier->d_now, data->d_all, bytes, cudaMemcpyDeviceToDevice));
    frontier->size = frontier->capacity;
    frontier->rounds = 0;
    while (frontier->size > 0)
    {
        const unsigned grid_size = blocks_for(frontier->size, data->block_size);
        begin_round(frontier);
        choose_vertices<<<grid_size, data->block_size>>>(data->d_offsets, data->d_targets,
                                                         frontier->d_now, frontier->size,
                                                         data->d_state, data->seed);
        drop_neighbours<<<grid_size, data->block_size>>>(
            data->d_offsets, data->d_targets, frontier->d_now, frontier->size, frontier->d_next,
            frontier->d_next_size, frontier->capacity, data->d_state);
        end_round(frontier);
    }
}

// What makes a set independent, and an independent set maximal.
void check_set(const Graph &g, const std::vector<unsigned> &state)
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

// A row of the table. Returns the state of each vertex.
std::vector<unsigned> show_set(const char *name, const Graph &g)
{
    std::vector<unsigned> found(g.N), expected(g.N);
    Data data;
    data.block_size = args.block_x;
    data.seed = args.seed;
    data.d_offsets = to_device(g.offsets.data(), (size_t)g.N + 1);
    data.d_targets = to_device(g.targets.data(), g.offsets[g.N]);
    std::iota(found.begin(), found.end(), 0);
    data.d_all = to_device(found.data(), g.N);
    CHECK(cudaMalloc(&data.d_state, g.N * sizeof(unsigned)));
    data.frontier = create_frontier(g.N);

    measure(
        name, g, &data.frontier, data.d_state, [&] { find_independent(&data); },
        [&] { independent_reference(g, args.seed, expected.data()); }, &found, &expected);
    check_set(g, found);
    printf("%zu vertices in it\n", (size_t)std::count(found.begin(), found.end(), (unsigned)IN));

    free_frontier(&data.frontier);
    CHECK(cudaFree(data.d_offsets));
    CHECK(cudaFree(data.d_targets));
    CHECK(cudaFree(data.d_all));
    CHECK(cudaFree(data.d_state));
    return found;
}

// As Example 6.21 of S2 prints it.
void print_grid(const std::vector<unsigned> &state)
{
    printf("the grid's maximal independent set (X: in it)\n");
    for (unsigned row = 0; row < SIDE; ++row)
    {
        printf("  ");
        for (unsigned column = 0; column < SIDE; ++column)
        {
            printf("%c", state[row * SIDE + column] == IN ? 'X' : '0');
        }
        printf("\n");
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
    parse_args(argc, argv, "-n N -b B -r R -s S",
               "graph-independent: a maximal independent set of a graph: vertices of which no two "
               "are neighbours");
    require_memory(args.N * (32.0 + 8.0 * degree), args.N * (24.0 + 4.0 * degree));
    if (args.N > MAX_VERTICES)
    {
        usage_error("-n takes at most %u vertices", MAX_VERTICES);
    }
    print_device();
    print_titles();
    const std::vector<unsigned> state = show_set("grid", make_grid(args.seed));
    show_set("random", make_random_graph(args.N, degree, args.seed));
    print_grid(state);
    return verdict();
}
