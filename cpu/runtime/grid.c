// The workers of a device, one for each core, and the grids that they run.
//
// The OS thread that works off the queue runs a grid's blocks. If that takes longer than
// ALONE_SECONDS, the helpers of the device join in.
#include "grid.h"
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "block.h"
#include "check.h"
#include "cooperative.h"
#include "device.h"
#include "error.h"
#include "fiber.h"
#include "heap.h"
#include "launch_log.h"
#include "machine.h"
#include "memory.h"
#include "queue.h"
#include "report.h"
#include "device_lock.h"
#include "turns.h"
#include "watch.h"

typedef struct Helpers
{
    atomic_int calls; // a futex: counts up when they are wanted
    Launch *_Atomic now;
    atomic_int inside;
    atomic_bool started;
} Helpers;
static Helpers helpers[MAX_DEVICES];
static int num_workers = 1; // of each device
static atomic_bool runs_grid[MAX_DEVICES];

enum
{
    MOST_WORKERS = 1024 // of a device
};
static const double ALONE_SECONDS = 20e-6; // to wake the helpers would take as long

// --- the blocks of a grid ------------------------------------------------------------------------

static void run_blocks(Launch *launch)
{
    if (launch->cooperative)
    {
        cooperative_run(launch, num_workers);
        return;
    }
    Worker *worker = block_worker();
    block_begin(worker, launch);
    while (atomic_load_explicit(&launch->error, memory_order_relaxed) == 0)
    {
        const uint64_t turn = atomic_fetch_add(&launch->next_block, 1);
        if (turn >= launch->num_blocks)
        {
            return;
        }
        block_run(worker, launch, turns_block(turn, launch->num_blocks));
    }
}

static void *helper_main(void *data)
{
    Helpers *mine = data;
    int seen = 0;
    for (;;)
    {
        const int calls = atomic_load(&mine->calls);
        if (calls == seen)
        {
            syscall(SYS_futex, &mine->calls, FUTEX_WAIT_PRIVATE, calls, NULL, NULL, 0);
            continue;
        }
        seen = calls;
        atomic_fetch_add(&mine->inside, 1);
        Launch *launch = atomic_load(&mine->now);
        if (launch != NULL)
        {
            run_blocks(launch);
        }
        atomic_fetch_sub(&mine->inside, 1);
    }
    return NULL;
}

// Wakes the helpers, once for a launch. The grid's first worker calls it, or the tick's handler,
// which may take no lock.
static void call_helpers(Launch *launch)
{
    if (num_workers > 1 && atomic_exchange(&launch->called, 1) == 0)
    {
        Helpers *its = &helpers[launch->device];
        atomic_store(&its->now, launch);
        atomic_fetch_add(&its->calls, 1);
        syscall(SYS_futex, &its->calls, FUTEX_WAKE_PRIVATE, num_workers - 1, NULL, NULL, 0);
    }
}

// Waits until the helpers are done with the launch.
static void end_grid(Launch *launch)
{
    if (launch->called)
    {
        Helpers *its = &helpers[launch->device];
        atomic_store(&its->now, NULL); // a helper that wakes up now finds nothing to do
        while (atomic_load(&its->inside) > 0)
        {
            sched_yield();
        }
    }
}

// Runs blocks on this OS thread, and calls the helpers if it takes longer.
static void run_grid(Launch *launch)
{
    if (launch->cooperative)
    {
        cooperative_begin(launch);
        call_helpers(launch);
        cooperative_run(launch, launch->called ? num_workers : 1);
        end_grid(launch);
        return;
    }
    Worker *worker = block_worker();
    block_begin(worker, launch);
    const double start = num_workers > 1 ? seconds_now() : 0.0;
    while (atomic_load_explicit(&launch->error, memory_order_relaxed) == 0)
    {
        const uint64_t turn = atomic_fetch_add(&launch->next_block, 1);
        if (turn >= launch->num_blocks)
        {
            break;
        }
        block_run(worker, launch, turns_block(turn, launch->num_blocks));
        if (num_workers > 1 && !launch->called && seconds_now() - start > ALONE_SECONDS)
        {
            call_helpers(launch);
        }
    }
    end_grid(launch);
}

// --- a launch in the queue -----------------------------------------------------------------------

typedef struct LaunchOp
{
    Op op;
    Launch launch;
} LaunchOp;
_Static_assert(CUDACPU_CHECKS || sizeof(LaunchOp) <= 120,
               "glibc's malloc has a short way only up to 120 bytes");

// The checker has named the access itself, and lets the program go on.
static void check_borders(Launch *launch)
{
    char where[200];
    if (!CUDACPU_CHECKS && memory_overwritten(launch->device, where, sizeof(where)) &&
        launch_fail(launch, cudaErrorIllegalAddress)) // else it has been reported
    {
        char name[512];
        report_kernel_name(launch, name, sizeof(name));
        fprintf(stderr, "CPU backend: %s wrote %s, less than a page away from it%s\n", name, where,
                memory_is_exact() ? "" : ": CUDACPU_EXACT=1 finds the line");
    }
}

static __attribute__((noinline)) void check_heap(Launch *launch)
{
    char what[300];
    if (heap_overwritten(launch->device, what, sizeof(what)) &&
        launch_fail(launch, cudaErrorIllegalAddress))
    {
        char name[512];
        report_kernel_name(launch, name, sizeof(name));
        fprintf(stderr, "CPU backend: %s wrote past the end of %s\n", name, what);
    }
}

// Runs a launch now, on the thread that works off the queue.
void grid_run(Launch *launch)
{
    if (error_of_device(launch->device) == cudaSuccess)
    {
        launch_log_note(launch);
        device_lock_take(launch->device, KERNEL_USE);
        atomic_store_explicit(&runs_grid[launch->device], true, memory_order_relaxed);
        check_launch_begin(launch);
        count_launch(launch);
        run_grid(launch);
        check_launch_end(launch);
        atomic_store_explicit(&runs_grid[launch->device], false, memory_order_relaxed);
        check_borders(launch);
        if (heap_is_used)
        {
            check_heap(launch);
        }
        device_lock_give(launch->device);
        const int error = atomic_load(&launch->error);
        if (error != 0)
        {
            error_set_device(launch->device, (cudaError_t)error);
        }
    }
}

static void run_launch(Op *op)
{
    Launch *launch = &((LaunchOp *)op)->launch;
    grid_run(launch);
    launch->destroy(launch->closure);
}

// Where `ulimit -v` counts address space: so many that the stacks of all take a quarter of it.
static int workers_with_room(int num_devices)
{
    const size_t room = machine_address_space() / 4 / num_devices / fiber_least_room();
    return room < 1 ? 1 : room < MOST_WORKERS ? (int)room : MOST_WORKERS;
}

// CUDACPU_THREADS says how many cores a device uses. Else the devices share those that this process
// may run on. Each device has one at least, and none has more than there is room for.
int number_of_workers(void)
{
    static bool known;
    if (!known)
    {
        const int num_devices = number_of_devices() > 0 ? number_of_devices() : 1;
        const int share = machine_cores() / num_devices, most = workers_with_room(num_devices);
        num_workers = wished_count("CUDACPU_THREADS", MOST_WORKERS, share > 0 ? share : 1);
        num_workers = CUDACPU_IN_TURN ? 1 : num_workers < most ? num_workers : most;
        known = true;
    }
    return num_workers;
}

// True if no OS thread of the program is left that could change memory but by running a kernel.
static bool only_kernels_run(void)
{
    for (int device = 0; device < number_of_devices(); ++device)
    {
        if (queue_is_busy(device) != atomic_load(&runs_grid[device]))
        {
            return false;
        }
    }
    return queue_hosts_wait();
}

static void start(int device)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&helpers[device].started))
    {
        const int wanted = number_of_workers() - 1;
        watch_start(call_helpers, only_kernels_run);
        int number = 0;
        while (number < wanted && queue_start_thread(helper_main, &helpers[device]))
        {
            ++number;
        }
        atomic_store(&helpers[device].started, true);
    }
    pthread_mutex_unlock(&lock);
}

// Starts the workers of a device, if they have not been.
void grid_prepare(int device)
{
    if (!atomic_load_explicit(&helpers[device].started, memory_order_acquire))
    {
        start(device);
    }
}

// The operation of a launch, of which *draft is copied.
Op *grid_operation(const Launch *draft)
{
    grid_prepare(draft->device);
    LaunchOp *op = queue_allocate(sizeof(*op));
    op->op.run = run_launch;
    op->launch = *draft;
    return &op->op;
}
