// Memory that a graph allocates and frees. It has its address from the start, as on a GPU, and its
// pages as long as a graph may use them; a launch only says from when to when it may be used.
#include "graph_memory.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include "memory.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static GraphMemory *all;

// An allocation becomes a graph's, of one node.
GraphMemory *graph_memory_new(void *pointer, size_t bytes)
{
    GraphMemory *memory = malloc(sizeof(*memory));
    if (memory == NULL)
    {
        exhausted("memory for a graph", errno);
    }
    *memory = (GraphMemory){.users = 1, .pointer = pointer, .bytes = bytes};
    pthread_mutex_lock(&lock);
    memory->next = all;
    all = memory;
    pthread_mutex_unlock(&lock);
    return memory;
}

// NULL: no graph's.
GraphMemory *graph_memory_of(const void *pointer)
{
    pthread_mutex_lock(&lock);
    GraphMemory *memory = all;
    while (memory != NULL && memory->pointer != pointer)
    {
        memory = memory->next;
    }
    pthread_mutex_unlock(&lock);
    return memory;
}

// One node less uses it. What no graph uses any more is freed, or, if a launch has left it to the
// program, is from now on an allocation as any other.
void graph_memory_drop(GraphMemory *memory)
{
    if (atomic_fetch_sub(&memory->users, 1) != 1)
    {
        return;
    }
    pthread_mutex_lock(&lock);
    GraphMemory **link = &all;
    while (*link != memory)
    {
        link = &(*link)->next;
    }
    *link = memory->next;
    pthread_mutex_unlock(&lock);
    if (!memory->taken)
    {
        memory_free(memory->pointer, false);
    }
    free(memory);
}

// The program frees what a launch has left to it. True if the memory is a graph's; *right: and if
// it could be freed.
bool graph_memory_free(const void *pointer, bool *right)
{
    GraphMemory *memory = graph_memory_of(pointer);
    if (memory != NULL)
    {
        *right = memory->taken;
        memory->taken = false;
    }
    return memory != NULL;
}

// cudaDeviceReset has freed it all.
void graph_memory_reset(void)
{
    pthread_mutex_lock(&lock);
    for (GraphMemory *memory = all; memory != NULL; memory = memory->next)
    {
        memory->taken = true; // so nothing frees it again
    }
    pthread_mutex_unlock(&lock);
}
