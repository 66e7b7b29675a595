// A worker is an OS thread that runs the blocks of grids, one after the other.
#ifndef CUDACPU_WORKER_H
#define CUDACPU_WORKER_H
#include "base.h"
#include <stdlib.h>
#include "barrier.h"
#include "context.h"
#include "fault.h"
#include "fiber.h"
#include "launch.h"
#include "print.h"
#include "warp.h"
#include "watch.h"

typedef struct Worker
{
    // The turns of the block's threads. What each switch needs comes first.
    unsigned current;          // the thread being run
    unsigned fresh;            // the first thread that has not started
    unsigned num_waiting;      // threads that have suspended and not gone on
    bool in_kernel;            // faults are the kernel's
    volatile bool preemptible; // it is in the kernel's own code, not in ours
    unsigned num_threads, num_warps, num_live;
    unsigned num_spins; // attempts of its threads that came to nothing
    Fiber *running;
    uint32_t live[MAX_WARPS];               // threads that have not returned
    uint32_t ready[MAX_WARPS];              // threads that waited and can go on
    Fiber *fiber_of[MAX_BLOCK_THREADS + 1]; // one more, so that every thread has a next
    uint3 index_of[MAX_BLOCK_THREADS];      // threadIdx, for blocks of index_dim
    dim3 index_dim;
    Context main; // the worker's own stack, where it chooses the next block

    Launch *launch; // the block being run
    uint64_t block, num_blocks_run;
    const char *file[MAX_BLOCK_THREADS]; // where each thread waits
    int line[MAX_BLOCK_THREADS];

    Barrier barrier;
    Exchange warp;
    Print print;
    Fibers fibers;
    Fault fault;
    Repeats repeats;
} Worker;

extern THREAD_LOCAL uint3 threadIdx, blockIdx;
extern THREAD_LOCAL dim3 blockDim, gridDim;
extern THREAD_LOCAL Worker *this_worker; // NULL: this OS thread has run no block
Worker *worker_if_any(void);

// Marks what kernels call: in a section of its own, so that the watch can tell it from their code.
#define CALLED_BY_KERNELS __attribute__((section("cudacpu_text")))

// Whether the watch may take the turn from the thread that runs. The compiler must move nothing
// across: what it had read before, other threads may have changed.
static inline void set_preemptible(Worker *worker, bool preemptible)
{
    atomic_signal_fence(memory_order_seq_cst);
    worker->preemptible = preemptible;
    atomic_signal_fence(memory_order_seq_cst);
}

// The block ends here, with an error. Its fibers stop wherever they are.
static inline _Noreturn void worker_abandon(Worker *worker, cudaError_t error)
{
    set_preemptible(worker, false);
    worker->fault.error = error;
    context_switch(&worker->running->context, &worker->main);
    abort(); // an abandoned block is never resumed
}

// --- sets of threads: a word for each warp -------------------------------------------------------

static inline bool is_in(const uint32_t *set, unsigned thread)
{
    return set[thread / WARP_SIZE] >> thread % WARP_SIZE & 1;
}

static inline void insert(uint32_t *set, unsigned thread)
{
    set[thread / WARP_SIZE] |= 1u << thread % WARP_SIZE;
}

static inline void erase(uint32_t *set, unsigned thread)
{
    set[thread / WARP_SIZE] &= ~(1u << thread % WARP_SIZE);
}

static inline unsigned first_of(const uint32_t *set, unsigned num_warps)
{
    for (unsigned warp = 0; warp < num_warps; ++warp)
    {
        if (set[warp] != 0)
        {
            return warp * WARP_SIZE + __builtin_ctz(set[warp]);
        }
    }
    return NO_THREAD;
}

#endif
