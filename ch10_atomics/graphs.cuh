// What the graph programs share on the host: graphs, and how they are made.
#pragma once
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/data.cuh"

const unsigned UNREACHED = UINT_MAX;
const unsigned MAX_WEIGHT = 15;         // of an edge; the least is 1
const unsigned MAX_VERTICES = 1u << 28; // times MAX_WEIGHT is still an unsigned int
const unsigned SIDE = 10;               // of the grid
const unsigned SIX = 6;                 // vertices of the small graph, A to F
const size_t MAX_DEGREE = 1000;

// ---- Graphs ----

// The neighbours of vertex v are targets[offsets[v]] to targets[offsets[v + 1] - 1] (compressed
// sparse rows). An edge is stored in the rows of both its ends.
struct Graph
{
    unsigned N;
    size_t *offsets;   // N + 1 of them
    unsigned *targets; // offsets[N] of them
    unsigned *weights; // of the same edges
};

struct Edge
{
    unsigned v, w, weight;
};

// Edge k of a graph with N vertices.
typedef Edge (*EdgeOf)(size_t k, unsigned N, uint64_t seed);

// Counts the neighbours of each vertex, adds up the counts, and fills the rows. edge_of is called
// twice for each edge, so the edges take no memory of their own. An edge from a vertex to itself is
// left out.
inline Graph make_graph(unsigned N, size_t num_edges, EdgeOf edge_of, uint64_t seed)
{
    Graph g = {N, (size_t *)calloc((size_t)N + 2, sizeof(size_t)), NULL, NULL};
    for (size_t k = 0; k < num_edges; ++k)
    {
        const Edge edge = edge_of(k, N, seed);
        g.offsets[edge.v + 2] += edge.v != edge.w;
        g.offsets[edge.w + 2] += edge.v != edge.w;
    }
    for (unsigned v = 0; v < N; ++v)
    {
        g.offsets[v + 2] += g.offsets[v + 1];
    }
    // offsets[v + 1] is now where the row of v begins. Filling the row moves it to the row's end.
    g.targets = (unsigned *)malloc(g.offsets[N + 1] * sizeof(unsigned));
    g.weights = (unsigned *)malloc(g.offsets[N + 1] * sizeof(unsigned));
    for (size_t k = 0; k < num_edges; ++k)
    {
        const Edge edge = edge_of(k, N, seed);
        if (edge.v != edge.w)
        {
            const size_t from_v = g.offsets[edge.v + 1]++, from_w = g.offsets[edge.w + 1]++;
            g.targets[from_v] = edge.w;
            g.targets[from_w] = edge.v;
            g.weights[from_v] = g.weights[from_w] = edge.weight;
        }
    }
    return g;
}

inline void free_graph(Graph *g)
{
    free(g->offsets);
    free(g->targets);
    free(g->weights);
}

// First the edges to the right, then those to the vertex below.
inline Edge grid_edge(size_t k, unsigned, uint64_t seed)
{
    const unsigned across = SIDE * (SIDE - 1);
    const unsigned v = k < across ? k / (SIDE - 1) * SIDE + k % (SIDE - 1) : k - across;
    const unsigned w = v + (k < across ? 1 : SIDE);
    return {v, w, 1 + random_below(seed + 1, k, MAX_WEIGHT)};
}

inline Edge random_edge(size_t k, unsigned N, uint64_t seed)
{
    return {random_below(seed, 2 * k, N), random_below(seed, 2 * k + 1, N),
            1 + random_below(seed + 1, k, MAX_WEIGHT)};
}

inline Graph make_grid(uint64_t seed)
{
    return make_graph(SIDE * SIDE, 2 * SIDE * (SIDE - 1), grid_edge, seed);
}

// On average, `degree` edges end at a vertex.
inline Graph make_random_graph(unsigned N, size_t degree, uint64_t seed)
{
    return make_graph(N, N * degree / 2, random_edge, seed);
}

inline Edge small_edge(size_t k, unsigned, uint64_t)
{
    static const char ENDS[][3] = {"AB", "AC", "BD", "CD", "DE", "EF"};
    return {(unsigned)(ENDS[k][0] - 'A'), (unsigned)(ENDS[k][1] - 'A'), 1};
}

// A and D are joined by two shortest paths. All ways to E and F go through D.
inline Graph make_small_graph(uint64_t seed) { return make_graph(SIX, SIX, small_edge, seed); }

inline void print_small_graph(void)
{
    static const char *const DRAWING[] = {"A--B", "|  |", "C--D--E--F"};
    for (size_t line = 0; line < sizeof(DRAWING) / sizeof(DRAWING[0]); ++line)
    {
        print_note("  %s\n", DRAWING[line]);
    }
}

inline bool has_edge(const Graph *g, unsigned v, unsigned w)
{
    size_t e = g->offsets[v];
    while (e < g->offsets[v + 1] && g->targets[e] != w)
    {
        ++e;
    }
    return e < g->offsets[v + 1];
}
