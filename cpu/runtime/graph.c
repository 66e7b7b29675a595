// Graphs of work. The memory of a destroyed graph or node is kept for the next one and never
// freed, as that of streams: a program that still uses the handle gets an error.
#include "graph.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Handles graphs; // all there have been
static cudaGraph_t free_graphs;
static cudaGraphNode_t free_nodes;
static unsigned long long next_id = 1;

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for a graph", errno);
    }
    return memory;
}

// --- lists of nodes ------------------------------------------------------------------------------

void nodes_add(Nodes *nodes, cudaGraphNode_t node)
{
    if (nodes->count == nodes->capacity)
    {
        nodes->capacity = 2 * nodes->capacity + 4;
        nodes->all = need(realloc(nodes->all, nodes->capacity * sizeof(*nodes->all)));
    }
    nodes->all[nodes->count++] = node;
}

bool nodes_contain(const Nodes *nodes, cudaGraphNode_t node)
{
    for (size_t i = 0; i < nodes->count; ++i)
    {
        if (nodes->all[i] == node)
        {
            return true;
        }
    }
    return false;
}

void nodes_remove(Nodes *nodes, cudaGraphNode_t node)
{
    size_t left = 0;
    for (size_t i = 0; i < nodes->count; ++i)
    {
        if (nodes->all[i] != node)
        {
            nodes->all[left++] = nodes->all[i];
        }
    }
    nodes->count = left;
}

void nodes_clear(Nodes *nodes)
{
    free(nodes->all);
    *nodes = (Nodes){0};
}

// --- work ----------------------------------------------------------------------------------------

Closure *closure_new(void *body, void (*destroy)(void *))
{
    Closure *closure = need(malloc(sizeof(*closure)));
    *closure = (Closure){.users = 1, .body = body, .destroy = destroy};
    return closure;
}

static bool is_of_memory(const Work *work)
{
    return work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree;
}

// A second holder of the work. Of a child graph only the handle is copied.
Work work_share(const Work *work)
{
    if (work->type == cudaGraphNodeTypeKernel)
    {
        atomic_fetch_add(&work->kernel.closure->users, 1);
    }
    if (is_of_memory(work))
    {
        atomic_fetch_add(&work->memory->users, 1);
    }
    return *work;
}

void work_drop(Work *work)
{
    if (is_of_memory(work))
    {
        graph_memory_drop(work->memory);
    }
    Closure *closure = work->type == cudaGraphNodeTypeKernel ? work->kernel.closure : NULL;
    if (closure != NULL && atomic_fetch_sub(&closure->users, 1) == 1)
    {
        closure->destroy(closure->body);
        free(closure->arguments);
        free(closure);
    }
    work->type = cudaGraphNodeTypeEmpty;
}

// --- graphs --------------------------------------------------------------------------------------

bool graph_exists(cudaGraph_t graph)
{
    return graph != NULL && handle_is_known(&graphs, graph) && graph->alive;
}

bool graph_node_exists(cudaGraphNode_t node)
{
    return node != NULL && node->alive;
}

cudaGraph_t graph_create(void)
{
    pthread_mutex_lock(&lock);
    cudaGraph_t graph = free_graphs;
    if (graph != NULL)
    {
        free_graphs = graph->next;
    }
    pthread_mutex_unlock(&lock);
    if (graph == NULL)
    {
        graph = need(malloc(sizeof(*graph)));
        handle_add(&graphs, &graph->handle);
    }
    *graph = (struct CUgraph_st){.handle = graph->handle, .alive = true};
    return graph;
}

// The node is out of its graph already, or its graph ends.
static void end_node(cudaGraphNode_t node)
{
    if (node->work.type == cudaGraphNodeTypeGraph)
    {
        graph_destroy(node->work.child);
    }
    work_drop(&node->work);
    nodes_clear(&node->before);
    nodes_clear(&node->after);
    node->alive = false;
    pthread_mutex_lock(&lock);
    node->next = free_nodes;
    free_nodes = node;
    pthread_mutex_unlock(&lock);
}

void graph_destroy(cudaGraph_t graph)
{
    for (size_t i = 0; i < graph->nodes.count; ++i)
    {
        end_node(graph->nodes.all[i]);
    }
    nodes_clear(&graph->nodes);
    graph->alive = false;
    pthread_mutex_lock(&lock);
    graph->next = free_graphs;
    free_graphs = graph;
    pthread_mutex_unlock(&lock);
}

// --- nodes and edges -----------------------------------------------------------------------------

void graph_connect(cudaGraphNode_t from, cudaGraphNode_t to)
{
    nodes_add(&from->after, to);
    nodes_add(&to->before, from);
}

void graph_disconnect(cudaGraphNode_t from, cudaGraphNode_t to)
{
    nodes_remove(&from->after, to);
    nodes_remove(&to->before, from);
}

// Whether the edges are plain ones; NULL: all are. If not, a line says so.
bool graph_has_edges(const cudaGraphEdgeData *edges, size_t count)
{
    for (size_t i = 0; edges != NULL && i < count; ++i)
    {
        if (edges[i].from_port != 0 || edges[i].to_port != 0 || edges[i].type != 0)
        {
            fprintf(stderr, "CPU backend: a programmatic edge of a graph needs a GPU\n");
            return false;
        }
    }
    return true;
}

// A new node after those of `before`, which may be NULL. The work becomes the node's.
cudaGraphNode_t graph_add(cudaGraph_t graph, const Nodes *before, const Work *work)
{
    pthread_mutex_lock(&lock);
    const unsigned long long id = next_id++;
    cudaGraphNode_t node = free_nodes;
    if (node != NULL)
    {
        free_nodes = node->next;
    }
    pthread_mutex_unlock(&lock);
    node = node != NULL ? node : need(malloc(sizeof(*node)));
    *node = (struct CUgraphNode_st){
        .alive = true, .id = id, .graph = graph, .place = graph->nodes.count, .work = *work};
    nodes_add(&graph->nodes, node);
    for (size_t i = 0; before != NULL && i < before->count; ++i)
    {
        graph_connect(before->all[i], node);
    }
    return node;
}

void graph_remove(cudaGraphNode_t node)
{
    Nodes *nodes = &node->graph->nodes;
    for (size_t i = 0; i < node->before.count; ++i)
    {
        nodes_remove(&node->before.all[i]->after, node);
    }
    for (size_t i = 0; i < node->after.count; ++i)
    {
        nodes_remove(&node->after.all[i]->before, node);
    }
    nodes_remove(nodes, node);
    for (size_t i = 0; i < nodes->count; ++i)
    {
        nodes->all[i]->place = i;
    }
    end_node(node);
}

// The nodes keep their order, and each its edges theirs.
cudaGraph_t graph_clone(cudaGraph_t graph)
{
    cudaGraph_t clone = graph_create();
    for (size_t i = 0; i < graph->nodes.count; ++i)
    {
        cudaGraphNode_t node = graph->nodes.all[i];
        Work work = work_share(&node->work);
        if (work.type == cudaGraphNodeTypeGraph)
        {
            work.child = graph_clone(work.child);
            work.child->owned = true;
        }
        node->partner = graph_add(clone, NULL, &work);
        node->partner->original = node;
        node->partner->original_id = node->id;
    }
    for (size_t i = 0; i < graph->nodes.count; ++i)
    {
        const cudaGraphNode_t node = graph->nodes.all[i];
        for (size_t k = 0; k < node->before.count; ++k)
        {
            nodes_add(&node->partner->before, node->before.all[k]->partner);
        }
        for (size_t k = 0; k < node->after.count; ++k)
        {
            nodes_add(&node->partner->after, node->after.all[k]->partner);
        }
    }
    return clone;
}

// The node that was made from `original`, in the clone or in a child graph of it. NULL: none.
cudaGraphNode_t graph_find_clone(cudaGraph_t clone, cudaGraphNode_t original)
{
    const Nodes *nodes = &clone->nodes;
    // Mostly it has the same place.
    if (original->place < nodes->count && nodes->all[original->place]->original == original &&
        nodes->all[original->place]->original_id == original->id)
    {
        return nodes->all[original->place];
    }
    for (size_t i = 0; i < nodes->count; ++i)
    {
        cudaGraphNode_t node = nodes->all[i];
        if (node->original == original && node->original_id == original->id)
        {
            return node;
        }
        node = node->work.type == cudaGraphNodeTypeGraph
                   ? graph_find_clone(node->work.child, original)
                   : NULL;
        if (node != NULL)
        {
            return node;
        }
    }
    return NULL;
}

// The nodes in an order that the edges allow: as they were added, where that is one. False if the
// edges go in a circle.
bool graph_order(cudaGraph_t graph, Nodes *order)
{
    const Nodes *nodes = &graph->nodes;
    size_t *waits_for = need(calloc(nodes->count + 1, sizeof(*waits_for)));
    *order = (Nodes){0};
    for (size_t i = 0; i < nodes->count; ++i)
    {
        waits_for[i] = nodes->all[i]->before.count;
    }
    enum
    {
        DONE = -1
    };
    for (size_t last = DONE; last != order->count;) // until a round adds none
    {
        last = order->count;
        for (size_t i = 0; i < nodes->count; ++i)
        {
            if (waits_for[i] != 0)
            {
                continue;
            }
            const cudaGraphNode_t node = nodes->all[i];
            nodes_add(order, node);
            waits_for[i] = DONE;
            for (size_t k = 0; k < node->after.count; ++k)
            {
                --waits_for[node->after.all[k]->place];
            }
        }
    }
    free(waits_for);
    return order->count == nodes->count;
}
