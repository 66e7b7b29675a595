// The device: one queue of work in the order it was issued, and the OS threads that run it.
//
// A launch only appends to the queue. The device thread works it off; a host thread that waits
// for the device takes over that work rather than sleep, which spares two wake-ups. The order of
// issue satisfies every stream, so streams are numbers here, not queues of their own.
#include "runtime.h"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER; // the list of operations
static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;  // the right to work them off
static Op *queue_first, *queue_end;
static uint64_t last_issued;
static atomic_uint_fast64_t last_completed;
static atomic_int waiting_hosts, completions; // a futex: counts up with each operation done
static atomic_int doorbell;                   // a futex: counts up with each operation issued
static pthread_once_t started = PTHREAD_ONCE_INIT;
static atomic_int device_asleep;

static atomic_int grid_calls; // a futex: counts up when helpers are wanted
static Launch *_Atomic grid_now;
static atomic_int helpers_inside;
static int num_workers = 1;

static const double ALONE_SECONDS = 20e-6; // work shorter than this is not worth waking anybody

static void futex_wait(atomic_int *word, int value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void futex_wake(atomic_int *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

// --- device printf ---------------------------------------------------------------------------

// What kernels print collects here and comes out when the host synchronizes, and only then.
static pthread_mutex_t print_lock = PTHREAD_MUTEX_INITIALIZER;
static char *print_buffer;
static size_t print_length, print_capacity;

void print_add(const char *text, size_t length)
{
    if (length == 0)
    {
        return;
    }
    pthread_mutex_lock(&print_lock);
    if (print_length + length > print_capacity)
    {
        const size_t capacity = 2 * (print_length + length) + 4096;
        char *larger = realloc(print_buffer, capacity);
        if (larger == NULL) // as on a GPU whose buffer is full: the rest is lost
        {
            pthread_mutex_unlock(&print_lock);
            return;
        }
        print_buffer = larger;
        print_capacity = capacity;
    }
    memcpy(print_buffer + print_length, text, length);
    print_length += length;
    pthread_mutex_unlock(&print_lock);
}

void print_flush(void)
{
    pthread_mutex_lock(&print_lock);
    if (print_length > 0)
    {
        fwrite(print_buffer, 1, print_length, stdout);
        print_length = 0;
    }
    pthread_mutex_unlock(&print_lock);
}

// --- a grid over the workers -------------------------------------------------------------------

static void run_blocks(Launch *launch)
{
    Worker *worker = worker_self();
    while (atomic_load_explicit(&launch->error, memory_order_relaxed) == 0)
    {
        const uint64_t block = atomic_fetch_add(&launch->next_block, 1);
        if (block >= launch->num_blocks)
        {
            return;
        }
        block_run(worker, launch, block);
    }
}

static void *helper_main(void *unused)
{
    (void)unused;
    int seen = 0;
    for (;;)
    {
        const int calls = atomic_load(&grid_calls);
        if (calls == seen)
        {
            futex_wait(&grid_calls, calls);
            continue;
        }
        seen = calls;
        atomic_fetch_add(&helpers_inside, 1);
        Launch *launch = atomic_load(&grid_now);
        if (launch != NULL)
        {
            run_blocks(launch);
        }
        atomic_fetch_sub(&helpers_inside, 1);
    }
    return NULL;
}

// Called once it is clear that a grid is worth it, by its first worker or by the watch.
void grid_call_helpers(Launch *launch)
{
    if (num_workers > 1 && atomic_exchange(&launch->called, 1) == 0)
    {
        atomic_store(&grid_now, launch);
        atomic_fetch_add(&grid_calls, 1);
        futex_wake(&grid_calls, num_workers - 1);
    }
}

// Runs blocks here, and calls the others if it takes longer.
static void run_grid(Launch *launch)
{
    Worker *worker = worker_self();
    const double start = num_workers > 1 ? seconds_now() : 0.0;
    while (atomic_load_explicit(&launch->error, memory_order_relaxed) == 0)
    {
        const uint64_t block = atomic_fetch_add(&launch->next_block, 1);
        if (block >= launch->num_blocks)
        {
            break;
        }
        block_run(worker, launch, block);
        if (num_workers > 1 && !launch->called && seconds_now() - start > ALONE_SECONDS)
        {
            grid_call_helpers(launch);
        }
    }
    if (launch->called)
    {
        atomic_store(&grid_now, NULL); // a helper that wakes up now finds nothing to do
        while (atomic_load(&helpers_inside) > 0)
        {
            sched_yield();
        }
    }
}

static void run_launch(Launch *launch)
{
    if (sticky_error() == cudaSuccess)
    {
        run_grid(launch);
        memory_after_kernel(launch);
        const int error = atomic_load(&launch->error);
        if (error != 0)
        {
            set_sticky_error((cudaError_t)error);
        }
    }
    launch->destroy(launch->closure);
    free(launch);
}

// --- the queue ---------------------------------------------------------------------------------

static void run_op(Op *op)
{
    char *to = op->destination;
    const char *from = op->source;
    if ((op->kind == OP_COPY || op->kind == OP_SET) && sticky_error() != cudaSuccess)
    {
        return; // after a kernel's fault a device moves no more data
    }
    switch (op->kind)
    {
    case OP_LAUNCH:
        run_launch(op->launch);
        break;
    case OP_COPY:
        memory_open(to);
        memory_open(from);
        for (size_t y = 0; y < op->height; ++y)
        {
            memmove(to + y * op->pitch_to, from + y * op->pitch_from, op->width);
        }
        break;
    case OP_SET:
        memory_open(to);
        for (size_t y = 0; y < op->height; ++y)
        {
            memset(to + y * op->pitch_to, op->value, op->width);
        }
        break;
    case OP_EVENT:
        event_reached(op->event, op->seconds > 0.0 ? op->seconds : seconds_now());
        break;
    case OP_HOST:
        op->function(op->data);
        break;
    }
}

static Op *queue_take(void)
{
    pthread_mutex_lock(&queue_lock);
    Op *op = queue_first;
    if (op != NULL)
    {
        queue_first = op->next;
    }
    pthread_mutex_unlock(&queue_lock);
    return op;
}

// Works off the queue up to `sequence`; the caller holds work_lock.
static void work_until(uint64_t sequence)
{
    Op *op;
    while (atomic_load(&last_completed) < sequence && (op = queue_take()) != NULL)
    {
        const uint64_t done = op->sequence;
        run_op(op);
        free(op);
        pthread_mutex_lock(&queue_lock);
        const bool idle = queue_first == NULL;
        pthread_mutex_unlock(&queue_lock);
        if (idle)
        {
            memory_close_all(); // from here on, host code that touches device memory faults
        }
        atomic_store(&last_completed, done);
        atomic_fetch_add(&completions, 1);
        if (atomic_load(&waiting_hosts) > 0)
        {
            futex_wake(&completions, 1 << 30);
        }
    }
}

static void *device_main(void *unused)
{
    (void)unused;
    for (;;)
    {
        const int rung = atomic_load(&doorbell);
        pthread_mutex_lock(&work_lock);
        work_until(UINT64_MAX);
        pthread_mutex_unlock(&work_lock);
        atomic_store(&device_asleep, 1);
        if (atomic_load(&doorbell) == rung)
        {
            futex_wait(&doorbell, rung);
        }
        atomic_store(&device_asleep, 0);
    }
    return NULL;
}

static void start_thread(void *(*main)(void *))
{
    pthread_t thread;
    const int error = pthread_create(&thread, NULL, main, NULL);
    if (error != 0)
    {
        fault_exhausted("a thread", error);
    }
    pthread_detach(thread);
}

// CUDACPU_THREADS says how many cores to use; else as many as this process may run on.
static void set_number_of_workers(void)
{
    cpu_set_t cpus;
    const char *wish = getenv("CUDACPU_THREADS");
    num_workers = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
    if (wish != NULL && atoi(wish) > 0 && atoi(wish) <= 1024)
    {
        num_workers = atoi(wish);
    }
}

int number_of_workers(void)
{
    if (num_workers == 1)
    {
        set_number_of_workers();
    }
    return num_workers;
}

static void start_device(void)
{
    set_number_of_workers();
    watch_start();
    start_thread(device_main);
    for (int i = 1; i < num_workers; ++i)
    {
        start_thread(helper_main);
    }
}

// Appends an operation, of which *op is a draft. Returns its number.
uint64_t queue_add(Op *draft)
{
    pthread_once(&started, start_device);
    Op *op = malloc(sizeof(*op));
    if (op == NULL)
    {
        fault_exhausted("memory for an operation", errno);
    }
    *op = *draft;
    op->next = NULL;
    pthread_mutex_lock(&queue_lock);
    const uint64_t sequence = op->sequence = ++last_issued;
    if (queue_first == NULL)
    {
        queue_first = op;
    }
    else
    {
        queue_end->next = op;
    }
    queue_end = op;
    pthread_mutex_unlock(&queue_lock);
    atomic_fetch_add(&doorbell, 1);
    if (atomic_load(&device_asleep))
    {
        futex_wake(&doorbell, 1);
    }
    return sequence;
}

uint64_t queue_last(void)
{
    pthread_mutex_lock(&queue_lock);
    const uint64_t last = last_issued;
    pthread_mutex_unlock(&queue_lock);
    return last;
}

uint64_t queue_completed(void)
{
    return atomic_load(&last_completed);
}

// Waits until operation `sequence` is done, doing the work itself where nobody else is at it.
void queue_wait(uint64_t sequence)
{
    while (atomic_load(&last_completed) < sequence)
    {
        if (pthread_mutex_trylock(&work_lock) == 0)
        {
            work_until(sequence);
            pthread_mutex_unlock(&work_lock);
            continue;
        }
        const int seen = atomic_load(&completions);
        atomic_fetch_add(&waiting_hosts, 1);
        if (atomic_load(&last_completed) < sequence)
        {
            futex_wait(&completions, seen);
        }
        atomic_fetch_sub(&waiting_hosts, 1);
    }
    print_flush();
}

// --- launches ------------------------------------------------------------------------------------

// A kernel's <<< >>> is noted here, and the call that follows picks it up. A stack, because the
// arguments of a launch may launch something themselves.
typedef struct Configuration
{
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
} Configuration;

enum
{
    MAX_CONFIGURATIONS = 64
};
static __thread Configuration configurations[MAX_CONFIGURATIONS];
static __thread int num_configurations;

void cudacpu_configure(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream)
{
    if (num_configurations == MAX_CONFIGURATIONS)
    {
        fprintf(stderr, "CPU backend: launches nested too deeply\n");
        abort();
    }
    configurations[num_configurations++] = (Configuration){grid, block, shared_bytes, stream};
}

static cudaError_t check_configuration(const Configuration *c, void (*run)(const void *))
{
    const dim3 g = c->grid, b = c->block;
    const uint64_t threads = (uint64_t)b.x * b.y * b.z;
    if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535 ||
        b.x > 1024 || b.y > 1024 || b.z > 64 || threads == 0 || threads > MAX_BLOCK_THREADS)
    {
        return cudaErrorInvalidConfiguration;
    }
    if (c->shared_bytes > STATIC_SHARED_LIMIT && c->shared_bytes > kernel_shared_limit(run))
    {
        return cudaErrorInvalidValue;
    }
    return stream_exists(c->stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static bool launches_block(void)
{
    static int blocking = -1;
    if (blocking < 0)
    {
        const char *wish = getenv("CUDA_LAUNCH_BLOCKING");
        blocking = wish != NULL && strcmp(wish, "1") == 0;
    }
    return blocking;
}

void cudacpu_launch(const char *name, void (*run)(const void *),
                    void (*call)(const void *, void **), void *closure, void (*destroy)(void *))
{
    if (kernel_probed(name, run, call))
    {
        destroy(closure);
        return;
    }
    if (num_configurations == 0 || worker_self()->in_kernel)
    {
        fprintf(stderr, "CPU backend: kernel %s %s\n", name,
                num_configurations == 0 ? "called without <<< >>>"
                                        : "launched from a kernel: that needs a GPU");
        abort();
    }
    const Configuration c = configurations[--num_configurations];
    cudaError_t error = api_ready() ? cudaSuccess : api_status();
    error = error != cudaSuccess ? error : check_configuration(&c, run);
    if (error != cudaSuccess)
    {
        api_error(error);
        destroy(closure);
        return;
    }
    Launch *launch = calloc(1, sizeof(*launch));
    if (launch == NULL)
    {
        fault_exhausted("memory for a launch", errno);
    }
    launch->name = name;
    launch->run = run;
    launch->closure = closure;
    launch->destroy = destroy;
    launch->grid = c.grid;
    launch->block = c.block;
    launch->shared_bytes = c.shared_bytes;
    launch->num_blocks = (uint64_t)c.grid.x * c.grid.y * c.grid.z;
    const uint64_t sequence = queue_add(&(Op){.kind = OP_LAUNCH, .launch = launch});
    stream_used(c.stream, sequence);
    if (launches_block())
    {
        queue_wait(sequence);
    }
}
