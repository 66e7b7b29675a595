// One block on one OS thread: its CUDA threads take turns, warp by warp.
//
// A fiber is a stack to run on. A fiber calls the kernel for one thread after the other, so
// threads that never wait cost no more than a function call. A thread that has to wait, at a
// barrier or for the lanes of its warp, keeps the fiber it is on; the next thread gets another.
#include "block.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "barrier.h"
#include "check.h"
#include "count.h"
#include "fault.h"
#include "grid_barrier.h"
#include "report.h"
#include "schedule.h"
#include "turns.h"
#include "warp.h"
#include "watch.h"

static void fiber_main(void);

// --- workers -------------------------------------------------------------------------------------

// Those whose OS threads have ended. A program may start thousands, one after the other.
static Worker *unused;
static pthread_mutex_t unused_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_end;

// Called when an OS thread ends that was a worker. What the worker has of its own stays.
static void leave_worker(void *data)
{
    Worker *worker = data;
    this_worker = NULL;
    fault_leave_thread();
    worker->shared.num = 0; // the places of the variables go with the thread
    worker->thread_index = NULL;
    worker->os_thread = NULL;
    pthread_mutex_lock(&unused_lock);
    worker->next_unused = unused;
    unused = worker;
    pthread_mutex_unlock(&unused_lock);
}

// Before the program's own variables are made, which may call CUDA.
static __attribute__((constructor(101))) void prepare_thread_end(void)
{
    pthread_key_create(&thread_end, leave_worker);
}

static Worker *take_unused(void)
{
    pthread_mutex_lock(&unused_lock);
    Worker *worker = unused;
    unused = worker != NULL ? worker->next_unused : NULL;
    pthread_mutex_unlock(&unused_lock);
    return worker;
}

static Worker *make_worker(void)
{
    // Zeros, from the start of a page: a Worker begins with a cache line.
    Worker *worker =
        mmap(NULL, sizeof(*worker), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (worker == MAP_FAILED)
    {
        exhausted("memory for a worker", errno);
    }
    for (unsigned i = 0; i <= MAX_BLOCK_THREADS; ++i)
    {
        worker->fiber_of[i] = &worker->fibers.all[0];
    }
    worker->fibers.entry = fiber_main;
    watch_add(worker);
    return worker;
}

// The worker that the calling OS thread is from now on.
Worker *block_worker(void)
{
    if (this_worker == NULL)
    {
        Worker *worker = take_unused();
        worker = worker != NULL ? worker : make_worker();
        worker->thread_index = &threadIdx;
        worker->os_thread = (void *)pthread_self();
        worker->os_number = (int)syscall(SYS_gettid);
        fiber_reset_all(&worker->fibers); // where they stood is another OS thread's
        this_worker = worker;
        fault_prepare_thread(worker);
        pthread_setspecific(thread_end, worker);
    }
    return this_worker;
}

// --- a thread's end ----------------------------------------------------------------------------

static void thread_returns(Worker *worker)
{
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    count_return(worker);
    erase(worker->live, thread);
    --worker->num_live;
    if (worker->num_live > 0 && worker->barrier.num_arrived == worker->num_live)
    {
        barrier_release(worker);
    }
    if (worker->warp.at[warp] != 0)
    {
        warp_release_rest(worker, warp);
    }
    if (worker->num_live > 0 && worker->grid_wait.num_arrived == worker->num_live)
    {
        grid_barrier_wait(worker);
    }
}

static void start_fresh(Worker *worker)
{
    const unsigned thread = worker->fresh++;
    worker->fiber_of[thread] = worker->running;
    make_current(worker, thread);
}

// The current thread has ended. True if another one has started on the same stack; else the stack waits
// for one, and another stack goes on.
static inline __attribute__((always_inline)) bool start_next(Worker *worker)
{
    unsigned next = worker->fresh;
    if (CUDACPU_COUNTS || worker->num_waiting > 0)
    {
        thread_returns(worker);
        next = pick(worker, worker->current / WARP_SIZE);
    }
    if (next == worker->fresh && next != worker->num_threads)
    {
        start_fresh(worker);
        return true;
    }

    if (next == NO_THREAD && worker->num_waiting > 0)
    {
        deadlock(worker);
    }
    worker->fibers.idle[worker->fibers.num_idle++] = worker->running;
    if (worker->num_waiting > 0)
    {
        resume(worker, next);
    }
    else // the block is done
    {
        context_switch(&worker->running->context, &worker->main);
    }
    return false;
}

// Runs the current thread, and after it every thread that can start on the same stack.
static void run_threads(Worker *worker)
{
    const Launch *launch = worker->launch;
    do
    {
        set_preemptible(worker, true);
        launch->run(launch->closure);
        set_preemptible(worker, false);
    } while (start_next(worker));
}

// A fiber that was idle goes on here, when a thread starts that has not run yet.
static void fiber_main(void)
{
    for (;;)
    {
        run_threads(this_worker);
    }
}

// Where a fiber begins that a thread has left from within its functions.
static void fiber_left(void)
{
    start_next(this_worker);
    fiber_main();
}

// `exit` of PTX: the thread ends wherever it is, and its stack begins anew.
CALLED_BY_KERNELS _Noreturn void cudacpu_exit(void)
{
    Worker *worker = this_worker;
    set_preemptible(worker, false);
    Context left;
    fiber_restart(&worker->fibers, worker->running, fiber_left);
    context_switch(&left, &worker->running->context);
    abort(); // nobody comes back
}

// --- a block -------------------------------------------------------------------------------------

static void clean_up_abandoned(Worker *worker)
{
    fiber_reset_all(&worker->fibers);
    print_drop(&worker->print, worker->num_warps);
    worker->grid_wait = (GridWait){.parked = false};
}

// The runtime numbers the warps as they take turns.
static void reorder(uint3 *index, unsigned num_threads)
{
    uint3 usual[MAX_BLOCK_THREADS];
    memcpy(usual, index, num_threads * sizeof(*usual));
    for (unsigned turn = 0; turn < num_threads; ++turn)
    {
        index[turn] = usual[turns_thread(turn, num_threads)];
    }
}

// Sets threadIdx of every thread. x varies fastest.
static void set_indices(Worker *worker, dim3 dim)
{
    if (memcmp(&worker->index_dim, &dim, sizeof(dim)) == 0)
    {
        return;
    }
    worker->index_dim = dim;
    uint3 *index = worker->index_of;
    for (unsigned z = 0; z < dim.z; ++z)
    {
        for (unsigned y = 0; y < dim.y; ++y)
        {
            for (unsigned x = 0; x < dim.x; ++x)
            {
                *index++ = (uint3){x, y, z};
            }
        }
    }
    if (turns_differ)
    {
        reorder(worker->index_of, dim.x * dim.y * dim.z);
    }
}

// The worker is about to run blocks of a launch.
void block_begin(Worker *worker, const Launch *launch)
{
    shared_begin(worker, launch->shared_bytes);
}

static void check_shared(Worker *worker)
{
    char what[300];
    if (shared_overwritten(&worker->shared, what, sizeof(what)) &&
        launch_fail(worker->launch, cudaErrorIllegalAddress))
    {
        report_block(worker, what);
    }
}

static void set_position(const Launch *launch, uint64_t block)
{
    const dim3 grid = launch->grid;
    gridDim = grid;
    blockDim = launch->block;
    blockIdx.x = block % grid.x;
    blockIdx.y = block / grid.x % grid.y;
    blockIdx.z = block / grid.x / grid.y;
}

// Runs a block that has just been set up, or goes on with one that was parked. True: it has ended.
static inline __attribute__((always_inline)) bool go_on(Worker *worker)
{
    worker->in_kernel = true;
    context_switch(&worker->main, &worker->running->context);
    worker->in_kernel = false;
    if (worker->fault.error != 0)
    {
        fault_report_signal(worker);
        clean_up_abandoned(worker);
        launch_fail(worker->launch, (cudaError_t)worker->fault.error);
    }
    else if (worker->grid_wait.parked)
    {
        return false;
    }
    else if (!CUDACPU_CHECKS && (worker->shared.num | worker->shared.dynamic_bytes) != 0)
    {
        check_shared(worker);
    }
    count_block_end(worker);
    return true;
}

bool block_go_on(Worker *worker)
{
    return go_on(worker);
}

// The same for a block from its first thread on.
bool block_run(Worker *worker, Launch *launch, uint64_t block)
{
    const dim3 dim = launch->block;
    worker->launch = launch;
    worker->block = block;
    worker->num_blocks_run++;
    worker->num_threads = worker->num_live = dim.x * dim.y * dim.z;
    worker->num_warps = (worker->num_threads + WARP_SIZE - 1) / WARP_SIZE;
    worker->barrier.num_arrived = 0;
    worker->barrier.count_true = 0;
    worker->fault.error = 0;
    for (unsigned warp = 0; warp < worker->num_warps; ++warp)
    {
        const unsigned rest = worker->num_threads - warp * WARP_SIZE;
        worker->live[warp] = rest >= WARP_SIZE ? 0xffffffffu : (1u << rest) - 1;
        worker->ready[warp] = 0;
        worker->barrier.at[warp] = 0;
        worker->warp.at[warp] = 0;
        worker->warp.free_records[warp] = ~0u;
    }
    set_indices(worker, dim);
    set_position(launch, block);

    check_block_begin(worker);
    count_block_begin(worker);
    worker->running = fiber_take(&worker->fibers);
    worker->fiber_of[0] = worker->running;
    worker->fresh = 1;
    worker->num_waiting = 0;
    make_current(worker, 0);
    return go_on(worker);
}

// --- blocks that are parked ----------------------------------------------------------------------

// A worker that is no OS thread's own.
Worker *block_take_resident(void)
{
    Worker *worker = take_unused();
    worker = worker != NULL ? worker : make_worker();
    fiber_reset_all(&worker->fibers);
    return worker;
}

// The OS thread goes on as another worker.
void block_enter(Worker *worker)
{
    Worker *before = this_worker;
    if (before == worker)
    {
        return;
    }
    shared_leave(before);
    worker->thread_index = &threadIdx;
    worker->os_thread = before->os_thread;
    worker->os_number = before->os_number;
    this_worker = worker;
    shared_enter(worker);
    if (worker->grid_wait.parked)
    {
        set_position(worker->launch, worker->block);
        threadIdx = worker->index_of[worker->current];
    }
}

void block_leave(Worker *worker)
{
    shared_leave(worker);
}

// The launch has failed while the block was parked.
void block_abandon_parked(Worker *worker)
{
    clean_up_abandoned(worker);
}

void block_give_back(Worker *worker)
{
    worker->shared.num = 0;
    pthread_mutex_lock(&unused_lock);
    worker->next_unused = unused;
    unused = worker;
    pthread_mutex_unlock(&unused_lock);
}
