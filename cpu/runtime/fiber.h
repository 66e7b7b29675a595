// The stacks that the threads of a block run on.
#ifndef CUDACPU_FIBER_H
#define CUDACPU_FIBER_H
#include "base.h"
#include "context.h"

typedef struct Fiber
{
    Context context;
    void *stack;
    uint32_t bytes, guard; // of the stack, and below and above it
} Fiber;

// A part of Worker.
typedef struct Fibers
{
    void (*entry)(void); // where each of them starts; a hook: block's
    int num, num_idle;
    bool sizes_differ; // of the stacks
    _Alignas(CACHE_LINE) Fiber all[MAX_BLOCK_THREADS];
    Fiber *idle[MAX_BLOCK_THREADS]; // those without a thread
} Fibers;

Fiber *fiber_take(Fibers *fibers);
size_t fiber_least_room(void);
void fiber_restart(Fibers *fibers, Fiber *fiber, void (*entry)(void));
size_t fiber_depth(const Fibers *fibers, const Fiber *fiber, const void *frame);
void fiber_reset_all(Fibers *fibers);

#endif
