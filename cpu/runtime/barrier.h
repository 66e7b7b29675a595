// __syncthreads and its kin.
#ifndef CUDACPU_BARRIER_H
#define CUDACPU_BARRIER_H
#include "base.h"

// A part of Worker.
typedef struct Barrier
{
    OFTEN_SET unsigned num_arrived; // threads at __syncthreads
    OFTEN_SET int count_true;       // and those of them whose condition held, for _count, _and, _or
    OFTEN_SET int last_count;
    int line;
    const char *file;
    unsigned num_releases; // so often have all come
    uint32_t at[MAX_WARPS];
} Barrier;

struct Worker;
void barrier_release(struct Worker *worker);
int cudacpu_syncthreads(int condition, const char *file, int line);

#endif
