// Memory that a graph allocates and frees.
#ifndef CUDACPU_GRAPH_MEMORY_H
#define CUDACPU_GRAPH_MEMORY_H
#include "base.h"

typedef struct GraphMemory
{
    atomic_int users; // the nodes that allocate or free it, and their copies
    void *pointer;
    size_t bytes;
    bool taken; // a launch has allocated it, and nothing has freed it since
    struct GraphMemory *next;
} GraphMemory;

GraphMemory *graph_memory_new(void *pointer, size_t bytes);
GraphMemory *graph_memory_of(const void *pointer);
void graph_memory_drop(GraphMemory *memory);
void graph_memory_reset(void);
bool graph_memory_free(const void *pointer, bool *right);

#endif
