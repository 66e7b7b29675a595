// What the files of the CPU backend share. docs/cpu-backend.md tells how they work together.
#ifndef CUDACPU_RUNTIME_H
#define CUDACPU_RUNTIME_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "context.h"
#include "cuda_runtime_api.h"

enum
{
    WARP_SIZE = 32,
    MAX_BLOCK_THREADS = 1024,
    MAX_WARPS = MAX_BLOCK_THREADS / WARP_SIZE,
    NO_THREAD = MAX_BLOCK_THREADS,
    TRACE_DEPTH = 8,

    STACK_BYTES = 256 * 1024, // of address space; memory only where it is touched
    STACK_GUARD = 64 * 1024,  // below it, a multiple of every page size
    STATIC_SHARED_LIMIT = 48 * 1024,
    DYNAMIC_SHARED_LIMIT = 227 * 1024
};

// One kernel launch, from <<< >>> until its last block is done.
typedef struct Launch
{
    const char *name;
    void (*run)(const void *closure); // the kernel's body for the current thread
    void *closure;                    // the body and its arguments
    void (*destroy)(void *closure);
    dim3 grid, block;
    size_t shared_bytes;
    uint64_t num_blocks;
    atomic_uint_fast64_t next_block;
    atomic_int error;  // the first fault's cudaError_t
    atomic_int warned; // one warning a launch is enough
    atomic_int called; // the helpers, to join in
} Launch;

typedef struct Fiber
{
    Context context;
    void *stack;
} Fiber;

// The states in which the watch has found a worker's block, and how many of them were new lately.
enum
{
    STATES_KEPT = 1 << 15
};
typedef struct Repeats
{
    uint64_t states[STATES_KEPT]; // a hash table; 0 is a free place
    unsigned count;
    uint64_t block;     // num_blocks_run at that time
    double since;       // since then ...
    unsigned seen, new; // ... so many
} Repeats;

// What one OS thread needs to run the blocks of a grid, one after the other.
typedef struct Worker
{
    Context main;
    Fiber *running;
    Fiber fibers[MAX_BLOCK_THREADS];       // all there are ...
    Fiber *idle_fibers[MAX_BLOCK_THREADS]; // ... and those without a thread
    int num_fibers, num_idle;

    Launch *launch; // the block being run
    uint64_t block, num_blocks_run;
    unsigned num_threads, num_warps, num_live;
    unsigned current;                       // the thread being run
    bool in_kernel;                         // faults are the kernel's
    volatile bool preemptible;              // it is in the kernel's own code, not in ours
    unsigned num_spins;                     // attempts of its threads that came to nothing
    Repeats repeats;                        // of what the watch has seen of it
    uint32_t live[MAX_WARPS];               // threads that have not returned
    uint32_t ready[MAX_WARPS];              // threads that waited and can go on
    unsigned num_waiting;                   // threads that have suspended and not gone on
    unsigned fresh;                         // the first thread that has not started
    Fiber *fiber_of[MAX_BLOCK_THREADS + 1]; // one more, so that every thread has a next
    uint3 index_of[MAX_BLOCK_THREADS];      // threadIdx, for blocks of index_dim
    dim3 index_dim;

    unsigned num_arrived; // threads at __syncthreads
    int count_true;       // and those whose condition held, for _count, _and, _or
    int last_count;
    uint32_t at_barrier[MAX_WARPS];
    const char *barrier_file;
    int barrier_line;
    const char *file[MAX_BLOCK_THREADS]; // where each thread waits
    int line[MAX_BLOCK_THREADS];

    uint32_t at_warp[MAX_WARPS];           // threads at a warp-level operation, ...
    uint32_t warp_mask[MAX_BLOCK_THREADS]; // ... the lanes each of them waits for,
    uint64_t brought[MAX_BLOCK_THREADS];   // ... and what each brought there

    // Once all have come, what they brought is copied into a record, which each of them holds until
    // it comes to its next exchange. As a lane holds one at most, 32 for a warp are enough.
    uint64_t record[MAX_WARPS][WARP_SIZE][WARP_SIZE];
    uint32_t ballot[MAX_WARPS][WARP_SIZE];  // a bit for each value not zero
    uint32_t holders[MAX_WARPS][WARP_SIZE]; // the lanes that hold a record
    uint32_t free_records[MAX_WARPS];
    unsigned char record_of[MAX_BLOCK_THREADS];

    uint32_t printing[MAX_WARPS]; // threads whose line waits for the rest of the warp
    char *print_text[MAX_BLOCK_THREADS];
    int print_position[MAX_BLOCK_THREADS];

    int fault_error; // what the block ended with, and the signal that ended it
    int fault_signal;
    void *fault_trace[TRACE_DEPTH]; // where, and who called, as far as that is known
    void *fault_address;
    const char *fault_access;
} Worker;

// Whether the watch may take the turn from the thread that runs. The compiler must move nothing
// across: what it had read before, other threads may have changed.
static inline void set_preemptible(Worker *worker, bool preemptible)
{
    atomic_signal_fence(memory_order_seq_cst);
    worker->preemptible = preemptible;
    atomic_signal_fence(memory_order_seq_cst);
}

// block.c
Worker *worker_self(void);
Worker *worker_if_any(void);
void block_run(Worker *worker, Launch *launch, uint64_t block);
void block_preempt(Worker *worker);
_Noreturn void block_abandon(Worker *worker, int error);

// grid.c
typedef enum
{
    OP_LAUNCH,
    OP_COPY,
    OP_SET,
    OP_EVENT,
    OP_HOST
} OpKind;

typedef struct Op
{
    OpKind kind;
    uint64_t sequence;
    struct Op *next;
    Launch *launch;
    void *destination;
    const void *source;
    size_t pitch_to, pitch_from, width, height; // rows of bytes, for copies and sets
    int value;
    cudaEvent_t event;
    double seconds; // when the event was reached; 0: it still has work before it
    void (*function)(void *);
    void *data;
} Op;

void grid_call_helpers(Launch *launch);
uint64_t queue_add(Op *op);
void queue_wait(uint64_t sequence);
uint64_t queue_last(void);
uint64_t queue_completed(void);
int number_of_workers(void);
void print_add(const char *text, size_t length);
void print_flush(void);

// memory.c
bool memory_open(const void *address);
void memory_after_kernel(Launch *launch);
void memory_close_all(void);
bool memory_describe(const void *address, char *text, size_t size);
void memory_reset(void);

// Marks what kernels call: in a section of its own, so that the watch can tell it from their code.
#define CALLED_BY_KERNELS __attribute__((section("cudacpu_text")))

// variable.c
void variable_reset(void);

// watch.c
#define WATCH_SIGNAL SIGURG // which programs ignore unless they ask for it
void watch_start(void);
void watch_add(Worker *worker);

// fault.c
void fault_prepare_thread(void);
void fault_report_signal(Worker *worker);
_Noreturn void fault_hang(Worker *worker, const void *context);
void fault_report(const Launch *launch, uint64_t block, unsigned thread, const char *file, int line,
                  const char *what);
void fault_warn(Worker *worker, unsigned thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void fault_exhausted(const char *what, int error);
const char *base_name(const char *path);
bool source_position(void *pc, char *text, size_t size);

// api.c
cudaError_t api_error(cudaError_t error);
bool api_ready(void);
cudaError_t api_status(void);
void api_forbid(bool forbidden);
cudaError_t sticky_error(void);
void set_sticky_error(cudaError_t error);
double seconds_now(void);

// stream.c
bool stream_exists(cudaStream_t stream);
void stream_used(cudaStream_t stream, uint64_t sequence);
uint64_t stream_add(cudaStream_t stream, Op *op);
void stream_reset(void);
void event_reached(cudaEvent_t event, double seconds);

// device.c
bool device_is_visible(void);
void device_reset(void);

// kernel.c
bool kernel_probed(const char *name, void (*run)(const void *),
                   void (*call)(const void *, void **));
size_t kernel_shared_limit(void (*run)(const void *));
void kernel_reset(void);

#endif
