// graph-centrality: the centralities of a graph's vertices: degree, closeness and betweenness
//
// From:    S2, graph algorithms
// Compile: nvcc -O3 graph-centrality.cu
// Run:     ./a.out -n 10000 --degree 8 --sources 100
//
// A centrality says how important a vertex is. Its degree is the number of its edges. Its closeness
// is 1 / the mean distance of the others. Its betweenness tells how many shortest paths between two
// others go through it. Of several shortest paths between the same two, each counts as its share.
//
// Brandes' method takes one source after another. It goes forward level by level, counts the
// shortest paths from the source, and then goes back from the last level to the first.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "graph.cuh"

typedef unsigned long long Count; // of paths

const unsigned MOST_BY_PAIRS = 500;   // vertices for which all pairs are looked at
const unsigned DEFAULT_SOURCES = 100; // of a larger graph

// What is found, on the host. The closeness of a source follows from two integers: how many
// vertices it reaches, and the sum of their distances.
struct Centralities
{
    Count *reached, *sum;
    double *betweenness;
    unsigned *level; // from the last source
    Count *paths;    // from the last source
};

static Graph graph;
static unsigned num_sources; // vertices 0 to num_sources - 1
static size_t *d_offsets;    // the graph on the device
static unsigned *d_targets;
static unsigned *d_order;      // the vertices in the order in which a search finds them
static unsigned *d_order_size; // how many it has found
static unsigned *d_level;      // of each vertex
static Count *d_paths;         // shortest paths from the source to each vertex
static double *d_dependency;   // of the source on each vertex
static double *d_betweenness;  // the sum of the dependencies
static unsigned *level_begin;  // where in d_order a level begins
static Centralities found, expected;
static unsigned rounds; // forward, of all sources
static unsigned block_size;

// ---- References ----

// The distance of each pair, and how many shortest paths there are, by Floyd and Warshall: after
// step k, the paths may go through vertices 0 to k.
void find_pairs(const Graph *g, unsigned *distance, Count *paths)
{
    const size_t N = g->N;
    memset(distance, 0xff, N * N * sizeof(unsigned)); // UNREACHED
    memset(paths, 0, N * N * sizeof(Count));
    for (size_t v = 0; v < N; ++v)
    {
        for (size_t e = g->offsets[v]; e < g->offsets[v + 1]; ++e)
        {
            distance[v * N + g->targets[e]] = 1;
            ++paths[v * N + g->targets[e]]; // two vertices may have several edges
        }
        distance[v * N + v] = 0;
        paths[v * N + v] = 1;
    }
    for (size_t k = 0; k < N; ++k)
    {
        for (size_t s = 0; s < N; ++s)
        {
            for (size_t t = 0; t < N && s != k && distance[s * N + k] != UNREACHED; ++t)
            {
                if (t == k || t == s || distance[k * N + t] == UNREACHED)
                {
                    continue;
                }
                const unsigned through_k = distance[s * N + k] + distance[k * N + t];
                if (through_k < distance[s * N + t])
                {
                    distance[s * N + t] = through_k;
                    paths[s * N + t] = 0;
                }
                if (through_k == distance[s * N + t])
                {
                    paths[s * N + t] += paths[s * N + k] * paths[k * N + t];
                }
            }
        }
    }
}

// By the definition: of all shortest paths from s to t, the share that goes through v.
void pairs_reference(const Graph *g, Centralities *c)
{
    const size_t N = g->N;
    unsigned *distance = (unsigned *)malloc(N * N * sizeof(unsigned));
    Count *paths = (Count *)malloc(N * N * sizeof(Count));
    find_pairs(g, distance, paths);
    memset(c->betweenness, 0, N * sizeof(double));
    for (size_t s = 0; s < num_sources; ++s)
    {
        const Reach reach = measure_reach(g, &distance[s * N]);
        c->reached[s] = reach.reached;
        c->sum[s] = reach.sum;
        for (size_t t = 0; t < N; ++t)
        {
            for (size_t v = 0; v < N && distance[s * N + t] != UNREACHED; ++v)
            {
                const bool on_a_path =
                    distance[s * N + v] != UNREACHED &&
                    distance[s * N + v] + distance[v * N + t] == distance[s * N + t];
                if (v != s && v != t && on_a_path)
                {
                    c->betweenness[v] +=
                        (double)paths[s * N + v] * paths[v * N + t] / paths[s * N + t];
                }
            }
        }
    }
    memcpy(c->level, &distance[(num_sources - 1) * N], N * sizeof(unsigned));
    memcpy(c->paths, &paths[(num_sources - 1) * N], N * sizeof(Count));
    free(distance);
    free(paths);
}

// Brandes' method with a queue. Returns the edges that all searches have passed.
double brandes_reference(const Graph *g, Centralities *c)
{
    unsigned *queue = (unsigned *)malloc(g->N * sizeof(unsigned));
    double *dependency = (double *)malloc(g->N * sizeof(double)), edges = 0.0;
    memset(c->betweenness, 0, g->N * sizeof(double));
    for (unsigned s = 0; s < num_sources; ++s)
    {
        unsigned size = 0;
        memset(c->level, 0xff, g->N * sizeof(unsigned)); // UNREACHED
        memset(c->paths, 0, g->N * sizeof(Count));
        memset(dependency, 0, g->N * sizeof(double));
        c->level[s] = 0;
        c->paths[s] = 1;
        queue[size++] = s;
        for (unsigned i = 0; i < size; ++i)
        {
            const unsigned v = queue[i];
            for (size_t e = g->offsets[v]; e < g->offsets[v + 1]; ++e)
            {
                const unsigned w = g->targets[e];
                if (c->level[w] == UNREACHED)
                {
                    c->level[w] = c->level[v] + 1;
                    queue[size++] = w;
                }
                c->paths[w] += c->level[w] == c->level[v] + 1 ? c->paths[v] : 0;
            }
        }
        // Back through the queue: w passes its dependency on to the vertices before it.
        for (unsigned i = size - 1; i > 0; --i)
        {
            const unsigned w = queue[i];
            for (size_t e = g->offsets[w]; e < g->offsets[w + 1]; ++e)
            {
                const unsigned v = g->targets[e];
                if (c->level[v] + 1 == c->level[w])
                {
                    dependency[v] += (double)c->paths[v] / c->paths[w] * (1.0 + dependency[w]);
                }
            }
            c->betweenness[w] += dependency[w];
        }
        const Reach reach = measure_reach(g, c->level);
        c->reached[s] = reach.reached;
        c->sum[s] = reach.sum;
        edges += reach.edges;
    }
    free(queue);
    free(dependency);
    return edges;
}

// ---- The device ----

// Forward. The level before has the vertices order[begin] to order[end - 1], and the new ones are
// appended behind them. One of the threads that find w appends it, by atomicCAS, as in graph-bfs.
// But all of them add their paths to those of w, by atomicAdd.
__global__ void count_paths(const size_t *offsets, const unsigned *targets, unsigned *order,
                            unsigned begin, unsigned end, unsigned *order_size, unsigned N,
                            unsigned *level, Count *paths, unsigned depth)
{
    const unsigned i = begin + blockDim.x * blockIdx.x + threadIdx.x;
    if (i < end)
    {
        const unsigned v = order[i];
        for (size_t e = offsets[v]; e < offsets[v + 1]; ++e)
        {
            const unsigned w = targets[e];
            unsigned old = level[w];
            if (old == UNREACHED)
            {
                old = atomicCAS(&level[w], UNREACHED, depth);
            }
            if (old == UNREACHED)
            {
                const unsigned place = atomicAdd(order_size, 1);
                if (place < N)
                {
                    order[place] = w;
                }
            }
            if (old == UNREACHED || old == depth)
            {
                atomicAdd(&paths[w], paths[v]);
            }
        }
    }
}

// Backward. The source depends on v for its paths to each w of the next level, and for what lies
// behind w. Of the paths to w, paths[v] go through v. Each thread only writes to its own v, so no
// atomic function is needed.
__global__ void add_dependencies(const size_t *offsets, const unsigned *targets,
                                 const unsigned *order, unsigned begin, unsigned end,
                                 const unsigned *level, const Count *paths, double *dependency,
                                 double *betweenness)
{
    const unsigned i = begin + blockDim.x * blockIdx.x + threadIdx.x;
    if (i < end)
    {
        const unsigned v = order[i];
        double sum = 0.0;
        for (size_t e = offsets[v]; e < offsets[v + 1]; ++e)
        {
            const unsigned w = targets[e];
            if (level[w] == level[v] + 1)
            {
                sum += (double)paths[v] / paths[w] * (1.0 + dependency[w]);
            }
        }
        dependency[v] = sum;
        betweenness[v] += sum;
    }
}

// Level `depth` begins at level_begin[depth]. Returns the number of levels.
unsigned go_forward(unsigned source)
{
    const unsigned one_vertex = 1;
    const Count one_path = 1;
    CHECK(cudaMemset(d_level, 0xff, graph.N * sizeof(unsigned))); // UNREACHED
    CHECK(cudaMemset(d_level + source, 0, sizeof(unsigned)));
    CHECK(cudaMemset(d_paths, 0, graph.N * sizeof(Count)));
    CHECK(cudaMemcpy(d_paths + source, &one_path, sizeof(Count), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_order, &source, sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_order_size, &one_vertex, sizeof(unsigned), cudaMemcpyHostToDevice));
    unsigned depth = 0, begin = 0, end = 1;
    while (begin < end)
    {
        level_begin[depth++] = begin;
        count_paths<<<blocks_for(end - begin, block_size), block_size>>>(
            d_offsets, d_targets, d_order, begin, end, d_order_size, graph.N, d_level, d_paths,
            depth);
        CHECK_LAUNCH();
        begin = end;
        CHECK(cudaMemcpy(&end, d_order_size, sizeof(unsigned), cudaMemcpyDeviceToHost));
        if (end > graph.N)
        {
            check_true("no vertex is found twice", false);
            end = begin;
        }
    }
    level_begin[depth] = end;
    rounds += depth;
    return depth;
}

// The source itself, level 0, is left out: its paths do not go through it.
void go_back(unsigned levels)
{
    for (unsigned depth = levels - 1; depth > 0; --depth)
    {
        const unsigned begin = level_begin[depth], end = level_begin[depth + 1];
        add_dependencies<<<blocks_for(end - begin, block_size), block_size>>>(
            d_offsets, d_targets, d_order, begin, end, d_level, d_paths, d_dependency,
            d_betweenness);
        CHECK_LAUNCH();
    }
}

// The sizes of the levels give the closeness of the source.
void run_centralities(void)
{
    rounds = 0;
    CHECK(cudaMemset(d_betweenness, 0, graph.N * sizeof(double)));
    for (unsigned s = 0; s < num_sources; ++s)
    {
        const unsigned levels = go_forward(s);
        go_back(levels);
        found.reached[s] = level_begin[levels];
        found.sum[s] = 0;
        for (unsigned depth = 0; depth < levels; ++depth)
        {
            found.sum[s] += (Count)depth * (level_begin[depth + 1] - level_begin[depth]);
        }
    }
}

// ---- The tables ----

Centralities create_centralities(void)
{
    Centralities c;
    c.reached = (Count *)malloc(num_sources * sizeof(Count));
    c.sum = (Count *)malloc(num_sources * sizeof(Count));
    c.betweenness = (double *)malloc(graph.N * sizeof(double));
    c.level = (unsigned *)malloc(graph.N * sizeof(unsigned));
    c.paths = (Count *)malloc(graph.N * sizeof(Count));
    return c;
}

void free_centralities(Centralities *c)
{
    free(c->reached);
    free(c->sum);
    free(c->betweenness);
    free(c->level);
    free(c->paths);
}

// Memory for the graph's arrays.
void create_arrays(void)
{
    const size_t N = graph.N;
    found = create_centralities();
    expected = create_centralities();
    level_begin = (unsigned *)malloc((N + 1) * sizeof(unsigned));
    d_offsets = (size_t *)to_device(graph.offsets, (N + 1) * sizeof(size_t));
    d_targets = (unsigned *)to_device(graph.targets, graph.offsets[N] * sizeof(unsigned));
    CHECK(cudaMalloc(&d_order, N * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_order_size, sizeof(unsigned)));
    CHECK(cudaMalloc(&d_level, N * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_paths, N * sizeof(Count)));
    CHECK(cudaMalloc(&d_dependency, N * sizeof(double)));
    CHECK(cudaMalloc(&d_betweenness, N * sizeof(double)));
}

void free_arrays(void)
{
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_targets));
    CHECK(cudaFree(d_order));
    CHECK(cudaFree(d_order_size));
    CHECK(cudaFree(d_level));
    CHECK(cudaFree(d_paths));
    CHECK(cudaFree(d_dependency));
    CHECK(cudaFree(d_betweenness));
    free(level_begin);
    free_centralities(&found);
    free_centralities(&expected);
    free_graph(&graph);
}

double closeness(unsigned source)
{
    const double sum = found.sum[source];
    return sum > 0.0 ? (found.reached[source] - 1.0) / sum : 0.0;
}

// Each pair of vertices was counted from both its ends. Where not all vertices were sources, this
// is an estimate.
double betweenness(unsigned v) { return found.betweenness[v] * graph.N / (2.0 * num_sources); }

// Integers are equal. All terms of a betweenness are positive, so its relative error is at most as
// many roundings as there are additions. A path over d edges has d - 1 vertices between its ends.
// So the distances alone say what the betweenness of all vertices adds up to.
void check_centralities(void)
{
    const size_t N = graph.N;
    const double bound = 4.0 * DBL_EPSILON * (N + num_sources + graph.offsets[N]);
    check_elements("vertices reached", found.reached, expected.reached, num_sources);
    check_elements("sums of distances", found.sum, expected.sum, num_sources);
    check_elements("levels", found.level, expected.level, N);
    check_elements("numbers of paths", found.paths, expected.paths, N);
    check_elements("betweenness", found.betweenness, expected.betweenness, N, bound);
    double total = 0.0, inner = 0.0;
    for (size_t v = 0; v < N; ++v)
    {
        total += betweenness(v);
    }
    for (unsigned s = 0; s < num_sources; ++s)
    {
        inner += expected.sum[s] - (expected.reached[s] - 1);
    }
    inner = inner / num_sources * N / 2.0;
    check_true("sum of the betweenness", fabs(total - inner) <= bound * inner);
}

void copy_to_host(void *host, const void *device, size_t bytes)
{
    poison(host, bytes);
    CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

size_t degree_of(unsigned v) { return graph.offsets[v + 1] - graph.offsets[v]; }

// Runs the device and the host. If the graph is small, there are two references. Returns how many
// edges all searches together have passed.
double measure_centralities(Timer *timer, double *host_ms)
{
    const size_t N = graph.N;
    const double start = host_clock(), edges = brandes_reference(&graph, &expected);
    *host_ms = host_clock() - start;
    while (next_run(timer))
    {
        run_centralities();
    }
    copy_to_host(found.betweenness, d_betweenness, N * sizeof(double));
    copy_to_host(found.level, d_level, N * sizeof(unsigned));
    copy_to_host(found.paths, d_paths, N * sizeof(Count));
    check_centralities();
    if (N <= MOST_BY_PAIRS)
    {
        pairs_reference(&graph, &expected);
        check_centralities();
    }
    return edges;
}

// A row of the table.
void show_graph(const char *name)
{
    Timer timer = new_search_timer();
    double host_ms;
    const double edges = measure_centralities(&timer, &host_ms);
    unsigned most = 0;
    for (unsigned v = 0; v < graph.N; ++v)
    {
        most = found.betweenness[v] > found.betweenness[most] ? v : most;
    }
    put_text(name);
    put(graph.N);
    put(graph.offsets[graph.N] / 2);
    put(rounds);
    ON_GPU ? put_times(edges, timer.median, host_ms) : put_counts(&timer.counts);
    char text[128];
    snprintf(text, sizeof(text), "%u sources; the largest betweenness: %.6g, vertex %u, degree %zu",
             num_sources, betweenness(most), most, degree_of(most));
    put_text(text);
    end_row();
}

// The small graph.
void show_vertices(void)
{
    static const Column COLUMNS[] = {
        {"vertex", "%-6s"}, {"degree", "%6.0f"}, {"closeness", "%9.4f"}, {"betweenness", "%11.2f"}};
    Timer timer = new_timer(1);
    double host_ms;
    measure_centralities(&timer, &host_ms);
    print_small_graph();
    begin_table(COLUMNS, 4);
    for (unsigned v = 0; v < SIX; ++v)
    {
        const char label[2] = {(char)('A' + v), '\0'};
        size_t neighbours = 0;
        for (unsigned w = 0; w < SIX; ++w)
        {
            neighbours += has_edge(&graph, w, v);
        }
        check_true("degree", degree_of(v) == neighbours);
        check_true("closeness", fabs(closeness(v) * expected.sum[v] - (SIX - 1)) <= 1e-9);
        put_text(label);
        put(degree_of(v));
        put(closeness(v));
        put(betweenness(v));
        end_row();
    }
}

int main(int argc, char **argv)
{
    size_t degree = 8, sources = 0;
    args.N = default_size(10000, 300);
    args.size_is = "number of vertices";
    args.repeats = default_size(10, 2);
    args.columns = GRAPH_COLUMNS;
    add_number("degree", &degree, 0, MAX_DEGREE, "edges that end at a vertex, on average");
    add_number("sources", &sources, 0, MAX_VERTICES,
               "vertices to start from; 0: all of up to 500, and 100 of more");
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "graph-centrality: the centralities of a graph's vertices: degree, closeness and "
               "betweenness");
    require_memory(args.N * (100.0 + 8.0 * degree), args.N * (48.0 + 4.0 * degree));
    if (args.N > MAX_VERTICES || sources > args.N)
    {
        usage_error("-n takes at most %u vertices, --sources at most as many as -n", MAX_VERTICES);
    }
    block_size = args.block_x;
    print_device();
    graph = make_small_graph(args.seed);
    num_sources = SIX;
    create_arrays();
    show_vertices();
    free_arrays();
    print_titles();
    graph = make_random_graph(args.N, degree, args.seed);
    num_sources = sources > 0 ? sources : args.N <= MOST_BY_PAIRS ? args.N : DEFAULT_SOURCES;
    create_arrays();
    show_graph("random");
    free_arrays();
    if (!ON_GPU)
    {
        print_card_run();
    }
    return verdict();
}
