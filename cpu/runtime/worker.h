// A worker is an OS thread that runs the blocks of grids, one after the other.
#ifndef CUDACPU_WORKER_H
#define CUDACPU_WORKER_H
#include "base.h"
#include <stdlib.h>
#include "barrier.h"
#include "context.h"
#include "count.h"
#include "fault.h"
#include "fiber.h"
#include "grid_barrier.h"
#include "launch_state.h"
#include "lockstep.h"
#include "print.h"
#include "shared.h"
#include "warp.h"
#include "watch.h"

typedef struct Worker
{
    // Each array begins with a cache line, so that no word of it lies in two.
    _Alignas(CACHE_LINE) uint32_t live[MAX_WARPS];  // threads that have not returned
    _Alignas(CACHE_LINE) uint32_t ready[MAX_WARPS]; // threads that waited and can go on
    _Alignas(CACHE_LINE) Fiber *fiber_of[MAX_BLOCK_THREADS + 1]; // so that every thread has a next
    _Alignas(CACHE_LINE) uint3 index_of[MAX_BLOCK_THREADS];      // threadIdx, in index_dim
    dim3 index_dim;

    // The turns of the block's threads: what each switch needs, in one cache line. It is not the
    // first one: in a struct's first 128 bytes an AMD Zen 3 took up to a quarter longer for it.
    _Alignas(CACHE_LINE) unsigned current; // the thread being run
    OFTEN_SET unsigned fresh;              // the first thread that has not started
    OFTEN_SET unsigned num_waiting;        // threads that have suspended and not gone on
    OFTEN_SET Fiber *running;
    OFTEN_SET volatile bool preemptible; // it is in the kernel's own code, not in ours
    bool in_kernel;                      // faults are the kernel's
    OFTEN_SET unsigned num_live;
    unsigned num_threads, num_warps;
    unsigned num_spins;       // attempts of its threads that came to nothing
    unsigned num_clock_reads; // of clock() and its kin

    uint3 *thread_index; // where this OS thread has its threadIdx
    void *os_thread;     // and where the C library describes it

    Context main; // the worker's own stack, where it chooses the next block

    Launch *launch; // the block being run
    uint64_t block, num_blocks_run;
    const char *file[MAX_BLOCK_THREADS]; // where each thread waits
    int line[MAX_BLOCK_THREADS];

    _Alignas(CACHE_LINE) Barrier barrier;
    _Alignas(CACHE_LINE) Exchange warp;
    Print print;
    Lockstep lockstep;
    _Alignas(CACHE_LINE) Fibers fibers;
    Fault fault;
    Shared shared;
    GridWait grid_wait;
    Repeats repeats;

    int os_number;      // the system's number of the OS thread, for signals,
    void *signal_stack; // and where it handles them
    struct Worker *next_unused;
    struct Steps *steps; // of the counter (../counter)
} Worker;

extern THREAD_LOCAL uint3 threadIdx, blockIdx;
extern THREAD_LOCAL dim3 blockDim, gridDim;
extern THREAD_LOCAL Worker *this_worker; // NULL: this OS thread has run no block
extern THREAD_LOCAL uintptr_t cudacpu_shared_start;
extern THREAD_LOCAL size_t cudacpu_shared_bytes;
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
