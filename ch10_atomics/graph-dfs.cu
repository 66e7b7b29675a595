// graph-dfs: depth-first search: the order in which it visits the vertices of a graph, and its path
// to one of them
//
// From:    S2, graph algorithms
// Compile: nvcc -O3 graph-dfs.cu
// Run:     ./a.out -n 1000000 --degree 8
//
// The path need not be a shortest one: graph-bfs finds the least number of edges to each vertex.
// Each step of this search needs the one before, so there is no work for many threads of a GPU.
// This program runs on the host.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "graphs.cuh"

const unsigned MOST_BY_RECURSION = 500; // vertices: each may be one call deeper than the last

static Graph graph;
static unsigned *order, *right_order; // of the vertices: the search's, and the reference's
static unsigned *path;                // from vertex 0 to the target
static unsigned size, path_size;      // how many vertices they have

// The order by recursion. `order` has `size` vertices already. Returns how many it has then.
unsigned visit_reference(const Graph *g, unsigned v, unsigned *order, unsigned size)
{
    order[size++] = v;
    for (size_t e = g->offsets[v]; e < g->offsets[v + 1]; ++e)
    {
        bool visited = false;
        for (unsigned i = 0; i < size; ++i)
        {
            visited = visited || order[i] == g->targets[e];
        }
        size = visited ? size : visit_reference(g, g->targets[e], order, size);
    }
    return size;
}

// Goes on along the first edge to a new vertex, and one step back where there is none. The stack is
// the path from the source to where the search is. Returns the number of vertices in `order`.
unsigned search_depth_first(const Graph *g, unsigned source, unsigned target, unsigned *order,
                            unsigned *path, unsigned *path_size)
{
    unsigned *stack = (unsigned *)malloc(g->N * sizeof(unsigned)), height = 0, size = 0;
    size_t *next = (size_t *)malloc(g->N * sizeof(size_t)); // edge to look at
    bool *visited = (bool *)calloc(g->N, sizeof(bool));
    stack[height++] = source;
    while (height > 0)
    {
        const unsigned v = stack[height - 1];
        if (!visited[v])
        {
            visited[v] = true;
            next[v] = g->offsets[v];
            order[size++] = v;
            if (v == target)
            {
                memcpy(path, stack, height * sizeof(unsigned));
                *path_size = height;
            }
        }
        if (next[v] == g->offsets[v + 1])
        {
            --height;
        }
        else if (!visited[g->targets[next[v]++]])
        {
            stack[height++] = g->targets[next[v] - 1];
        }
    }
    free(stack);
    free(next);
    free(visited);
    return size;
}

bool has_new_neighbour(const Graph *g, unsigned v, const bool *visited)
{
    size_t e = g->offsets[v];
    while (e < g->offsets[v + 1] && visited[g->targets[e]])
    {
        ++e;
    }
    return e < g->offsets[v + 1];
}

// What holds for every depth-first order, without a recursion. Before the next vertex the search
// goes back to the last one that has an edge to it. It may only go back from a vertex that has no
// new neighbour any more. At the target, `path` must be what it has not gone back from.
void check_order(const Graph *g, unsigned source, unsigned target, const unsigned *order,
                 unsigned size, const unsigned *path, unsigned path_size)
{
    unsigned *stack = (unsigned *)malloc(g->N * sizeof(unsigned)), height = 0;
    bool *visited = (bool *)calloc(g->N, sizeof(bool)), is_path = false;
    bool right = size > 0 && order[0] == source;
    for (unsigned i = 0; i < size && right; ++i)
    {
        const unsigned v = order[i];
        right = v < g->N && !visited[v];
        while (right && height > 0 && !has_edge(g, stack[height - 1], v))
        {
            right = !has_new_neighbour(g, stack[--height], visited);
        }
        right = right && (i == 0 || height > 0);
        if (right)
        {
            visited[v] = true;
            stack[height++] = v;
        }
        if (right && v == target)
        {
            is_path = path_size == height && memcmp(path, stack, height * sizeof(unsigned)) == 0;
        }
    }
    while (right && height > 0)
    {
        right = !has_new_neighbour(g, stack[--height], visited);
    }
    check_true("a depth-first order", right);
    check_true("a path to the target", is_path);
    free(stack);
    free(visited);
}

// From vertex 0. A recursion over all vertices of a large graph would overflow the stack of calls,
// so it is the reference of small graphs only.
void search(unsigned target)
{
    path_size = 0;
    poison(order, graph.N * sizeof(unsigned));
    poison(path, graph.N * sizeof(unsigned));
    size = search_depth_first(&graph, 0, target, order, path, &path_size);
    check_order(&graph, 0, target, order, size, path, path_size);
    if (graph.N <= MOST_BY_RECURSION)
    {
        const unsigned right_size = visit_reference(&graph, 0, right_order, 0);
        check_true("number of vertices visited", size == right_size);
        check_elements("depth-first search", order, right_order, right_size);
    }
}

// The labels, a blank before each.
void list_vertices(char *text, const unsigned *vertices, unsigned size)
{
    text[0] = '\0';
    for (unsigned i = 0; i < size; ++i)
    {
        text += sprintf(text, " %c", 'A' + vertices[i]);
    }
}

// From A to each vertex. A and C are neighbours, but the search goes to B first.
void show_small_graph(void)
{
    char text[2 * SIX + 1];
    print_small_graph();
    for (unsigned target = 0; target < SIX; ++target)
    {
        search(target);
        if (target == 0)
        {
            list_vertices(text, order, size);
            print_note("depth-first search from A visits%s\n", text);
        }
        else
        {
            list_vertices(text, path, path_size);
            print_note("  its path to %c:%s\n", 'A' + target, text);
        }
    }
}

// To the last neighbour of vertex 0, if there is one.
void show_random_graph(void)
{
    const size_t neighbours = graph.offsets[1];
    const unsigned target = neighbours > 0 ? graph.targets[neighbours - 1] : 0;
    search(target);
    print_note("random graph, vertices: %u, edges: %zu, visited from vertex 0: %u\n", graph.N,
               graph.offsets[graph.N] / 2, size);
    if (neighbours > 0)
    {
        print_note("  edges of its path to vertex %u, a neighbour of vertex 0: %u\n", target,
                   path_size - 1);
    }
}

void create_arrays(void)
{
    order = (unsigned *)malloc(graph.N * sizeof(unsigned));
    right_order = (unsigned *)malloc(graph.N * sizeof(unsigned));
    path = (unsigned *)malloc(graph.N * sizeof(unsigned));
}

void free_arrays(void)
{
    free(order);
    free(right_order);
    free(path);
    free_graph(&graph);
}

int main(int argc, char **argv)
{
    size_t degree = 8;
    args.N = 50000;
    args.size_is = "number of vertices";
    args.uses_device = false;
    add_number("degree", &degree, 0, MAX_DEGREE, "edges that end at a vertex, on average");
    parse_args(argc, argv, "-n N -s S",
               "graph-dfs: depth-first search: the order in which it visits the vertices of a "
               "graph, and its path to one of them");
    require_memory(args.N * (33.0 + 8.0 * degree), 0.0);
    if (args.N > MAX_VERTICES)
    {
        usage_error("-n takes at most %u vertices", MAX_VERTICES);
    }
    graph = make_small_graph(args.seed);
    create_arrays();
    show_small_graph();
    free_arrays();
    graph = make_random_graph(args.N, degree, args.seed);
    create_arrays();
    show_random_graph();
    free_arrays();
    return verdict();
}
