// Graphs that can be launched.
#ifndef CUDACPU_GRAPH_EXEC_H
#define CUDACPU_GRAPH_EXEC_H
#include "graph.h"

struct CUgraphExec_st
{
    Handle handle;
    bool alive;
    struct CUgraphExec_st *next; // of the destroyed ones
    cudaGraph_t graph;           // its own, a clone
    struct Program *program;     // what a launch runs; NULL: to be made from the graph
    unsigned long long flags;
};

bool exec_exists(cudaGraphExec_t exec);
cudaGraphExec_t exec_create(cudaGraph_t graph, unsigned long long flags);
void exec_destroy(cudaGraphExec_t exec);
void exec_set(cudaGraphExec_t exec, cudaGraphNode_t node, const Work *work);
cudaError_t exec_check_launch(cudaGraphExec_t exec, int device);
void exec_launch(cudaGraphExec_t exec, cudaStream_t stream);
void exec_forget_program(cudaGraphExec_t exec);

#endif
