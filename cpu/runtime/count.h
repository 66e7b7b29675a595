// What the runtime tells the counter (../counter). In a plain build these calls are empty, so they cost
// nothing. The counter's runtime is the same files, compiled with -DCUDACPU_COUNTER.
#ifndef CUDACPU_COUNT_H
#define CUDACPU_COUNT_H
#include "base.h"

struct Launch;
struct Worker;

#ifdef CUDACPU_COUNTER
#define CUDACPU_COUNTS 1
#define COUNT_HOOK(name, parameters) void name parameters;
#else
#define CUDACPU_COUNTS 0
#define COUNT_HOOK(name, parameters)   \
    static inline void name parameters \
    {                                  \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

// One core runs block after block, and the watch takes no turn away.
#define CUDACPU_IN_TURN (CUDACPU_CHECKS || CUDACPU_COUNTS)

// From the worker's own stack: a launch, a block of it.
COUNT_HOOK(count_launch, (const struct Launch *launch))
COUNT_HOOK(count_block_begin, (struct Worker * worker))
COUNT_HOOK(count_block_end, (struct Worker * worker))

// From a thread that has tried something in vain; the worker may be NULL.
COUNT_HOOK(count_try, (struct Worker * worker))

// From a fiber, not to be preempted. The current thread stops within a basic block, at a barrier or at an
// exchange, and goes on there later; it has returned; it has come to nothing, and others go first.
COUNT_HOOK(count_stop, (struct Worker * worker))
COUNT_HOOK(count_return, (struct Worker * worker))
COUNT_HOOK(count_spin, (struct Worker * worker))

// All threads of a block have come to a barrier; lanes of a warp have exchanged something.
COUNT_HOOK(count_barrier, (struct Worker * worker))
COUNT_HOOK(count_exchange, (struct Worker * worker, unsigned warp, uint32_t lanes))

// Bytes that the program has copied between host and device.
COUNT_HOOK(count_copy, (size_t bytes, bool to_device, bool from_device))

// Which thread goes on: of a warp those lanes that are at one place.
#ifdef CUDACPU_COUNTER
unsigned count_pick(struct Worker *worker, unsigned first);
#else
static inline unsigned count_pick(struct Worker *worker, unsigned first)
{
    return 0;
}
#pragma GCC diagnostic pop
#endif
#undef COUNT_HOOK
#endif
