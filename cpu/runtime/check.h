// What the runtime tells the checker (../checker). In a plain build these calls are empty, so they
// cost nothing. The checker's runtime is the same files, compiled with -DCUDACPU_CHECKER.
#ifndef CUDACPU_CHECK_H
#define CUDACPU_CHECK_H
#include "base.h"

// No signal handler and no tick of the watch calls one of these. Where each is called from stands
// above it.

struct Launch;
struct Op;
struct Worker;

// A stream's place in the order of the work: those of queue.h.
typedef enum CheckStream
{
    CHECK_BLOCKING,
    CHECK_NONBLOCKING,
    CHECK_LEGACY
} CheckStream;

// What a thread does wrong that goes on as on a GPU.
typedef enum CheckMistake
{
    CHECK_MASK,   // of lanes that do not come, or without the lane that calls
    CHECK_BARRIER // another one than the barrier that others have come to
} CheckMistake;

#ifdef CUDACPU_CHECKER
#define CUDACPU_CHECKS 1
#define CHECK_HOOK(name, parameters) void name parameters;
#else
#define CUDACPU_CHECKS 0
#define CHECK_HOOK(name, parameters)   \
    static inline void name parameters \
    {                                  \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

// From any OS thread, also before main, some with the lock of the allocations.
// Memory: `bytes` from `start` on are the program's; the rest of the pages around is not.
CHECK_HOOK(check_memory_new, (char *start, size_t bytes, char *pages, size_t page_bytes, bool set))
CHECK_HOOK(check_allocated, (char *start, size_t bytes)) // by the operation of a stream that runs
CHECK_HOOK(check_memory_freed, (char *start, size_t bytes))
CHECK_HOOK(check_memory_gone, (char *start, size_t bytes)) // its addresses may be used for others

// check_shared_begin from the worker's own stack, check_shared_new from a fiber, too, not to be
// preempted. Shared memory: a launch begins with none, and places one variable after the other.
CHECK_HOOK(check_shared_begin, (char *start, size_t bytes))
CHECK_HOOK(check_shared_new, (char *start, size_t bytes))

// check_barrier and check_lanes from a fiber, not to be preempted; the others from the worker's own
// stack. Kernels. A launch runs block after block, on one OS thread.
CHECK_HOOK(check_launch_begin, (struct Launch * launch))
CHECK_HOOK(check_launch_end, (struct Launch * launch))
CHECK_HOOK(check_block_begin, (struct Worker * worker))
CHECK_HOOK(check_barrier, (struct Worker * worker))
CHECK_HOOK(check_lanes, (struct Worker * worker, unsigned warp, uint32_t lanes))

// From any OS thread that issues or waits; check_op_begin to check_copy from the one that does the
// operation. The work of streams: an operation is issued, gets its number, and is run.
CHECK_HOOK(check_issue, (struct Op * op, const void *stream, CheckStream kind, int device))
CHECK_HOOK(check_added, (const struct Op *op))
CHECK_HOOK(check_op_begin, (const struct Op *op))
CHECK_HOOK(check_op_end, (const struct Op *op))
CHECK_HOOK(check_hold, (const void *stream, CheckStream kind, int its, int device, uint64_t number))
CHECK_HOOK(check_waited, (int device, uint64_t number))
CHECK_HOOK(check_waited_all, (int device))
CHECK_HOOK(check_wait_begin, (bool orders_nothing)) // a wait that the host cannot rely on
CHECK_HOOK(check_wait_end, (void))

// The nodes of a graph, which are within one operation: all are told before it is issued. Then each runs,
// after those before it, whose numbers are counted from 0.
CHECK_HOOK(check_node_issue, (const void *node))
CHECK_HOOK(check_node_begin, (const void *node, size_t num_before, const size_t *before))
CHECK_HOOK(check_node_end, (void))
CHECK_HOOK(check_graph_end, (void))

CHECK_HOOK(check_copy, (char *to, const char *from, size_t bytes))

// What a call of the API gives to the program through a pointer, which may lead to managed memory. To
// give counts as a write by the host, at the line of the call.
CHECK_HOOK(check_given, (const void *to, size_t bytes))
#define GIVE(pointer, ...)                   \
    ({                                       \
        __typeof__(pointer) to_ = (pointer); \
        *to_ = (__VA_ARGS__);                \
        check_given(to_, sizeof(*to_));      \
    })

// An access that the runtime makes for a kernel which has called it at `pc`.
CHECK_HOOK(check_access, (const void *address, size_t bytes, bool writes, const void *pc))

// An error that the runtime has found and reported. From the worker's own stack, when the block has
// been left.
CHECK_HOOK(check_reported, (const char *where))

// A mistake of a thread at file:line, and the mask that it calls an exchange of its warp with.
CHECK_HOOK(check_mistake,
           (struct Worker * worker, unsigned thread, CheckMistake kind, const char *text))
CHECK_HOOK(check_mask, (struct Worker * worker, unsigned thread, uint32_t mask))

#ifndef CUDACPU_CHECKER
#pragma GCC diagnostic pop
#endif
#undef CHECK_HOOK
#endif
