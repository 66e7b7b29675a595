// The stacks that the threads of a block run on.
#ifndef CUDACPU_FIBER_H
#define CUDACPU_FIBER_H
#include "base.h"
#include "context.h"

enum
{
    STACK_BYTES = 256 * 1024, // of address space; memory only where it is touched
    STACK_GUARD = 64 * 1024   // below it, a multiple of every page size
};

typedef struct Fiber
{
    Context context;
    void *stack;
} Fiber;

// A part of Worker.
typedef struct Fibers
{
    void (*entry)(void); // where each of them starts; a hook: block's
    int num, num_idle;
    _Alignas(CACHE_LINE) Fiber all[MAX_BLOCK_THREADS];
    Fiber *idle[MAX_BLOCK_THREADS]; // those without a thread
} Fibers;

Fiber *fiber_take(Fibers *fibers);
void fiber_reset_all(Fibers *fibers);

#endif
