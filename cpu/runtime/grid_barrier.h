// The barrier of a grid, as the threads of one block see it.
#ifndef CUDACPU_GRID_BARRIER_H
#define CUDACPU_GRID_BARRIER_H
#include "base.h"

// A part of Worker.
typedef struct GridWait
{
    uint32_t at[MAX_WARPS]; // the threads that wait there
    unsigned num_arrived;
    bool parked; // all of the block do: another block has the OS thread meanwhile
} GridWait;

struct Worker;
void grid_barrier_wait(struct Worker *worker);

#endif
