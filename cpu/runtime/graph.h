// Graphs: nodes of work, and edges that say what comes before what.
#ifndef CUDACPU_GRAPH_NODES_H
#define CUDACPU_GRAPH_NODES_H
#include "base.h"
#include "graph_memory.h"
#include "handle.h"
#include "launch_state.h"

// A kernel's body with its arguments. The graphs that hold it share it, for a launch only reads it.
typedef struct Closure
{
    atomic_int users;
    void *body;
    void (*destroy)(void *body);
    void **arguments; // copies of a node's, in one piece of memory; NULL: it was captured
} Closure;

// What a node does.
typedef struct Work
{
    cudaGraphNodeType type;
    union
    {
        struct
        {
            Launch launch;
            Closure *closure;
            const void *function;
            unsigned int shared_bytes;
        } kernel;
        cudaMemcpy3DParms copy;
        cudaMemsetParams set;
        cudaHostNodeParams host;
        cudaGraph_t child;
        cudaEvent_t event;
        GraphMemory *memory;
    };
} Work;

typedef struct Nodes
{
    cudaGraphNode_t *all;
    size_t count, capacity;
} Nodes;

struct CUgraphNode_st
{
    bool alive;
    struct CUgraphNode_st *next; // of the destroyed ones
    unsigned long long id;
    cudaGraph_t graph;
    size_t place; // in its graph
    Work work;
    Nodes before, after;             // its edges
    struct CUgraphNode_st *original; // of which it is a clone
    unsigned long long original_id;  // which tells whether that is still the same node
    bool disabled;                   // in a graph that can be launched
    struct CUgraphNode_st *partner;  // scratch: for clones and updates
};

struct CUgraph_st
{
    Handle handle;
    bool alive;
    struct CUgraph_st *next;
    Nodes nodes;
    bool owned; // by a node, by a graph that can be launched, or by a capture
};

void nodes_add(Nodes *nodes, cudaGraphNode_t node);
bool nodes_contain(const Nodes *nodes, cudaGraphNode_t node);
void nodes_remove(Nodes *nodes, cudaGraphNode_t node);
void nodes_clear(Nodes *nodes);

Closure *closure_new(void *body, void (*destroy)(void *));
Work work_share(const Work *work);
void work_drop(Work *work);

bool graph_exists(cudaGraph_t graph);
bool graph_node_exists(cudaGraphNode_t node);
cudaGraph_t graph_create(void);
void graph_destroy(cudaGraph_t graph);
cudaGraph_t graph_clone(cudaGraph_t graph);
cudaGraphNode_t graph_add(cudaGraph_t graph, const Nodes *before, const Work *work);
void graph_remove(cudaGraphNode_t node);
void graph_connect(cudaGraphNode_t from, cudaGraphNode_t to);
void graph_disconnect(cudaGraphNode_t from, cudaGraphNode_t to);
cudaGraphNode_t graph_find_clone(cudaGraph_t clone, cudaGraphNode_t original);
bool graph_has_edges(const cudaGraphEdgeData *edges, size_t count);
bool graph_order(cudaGraph_t graph, Nodes *order);

#endif
