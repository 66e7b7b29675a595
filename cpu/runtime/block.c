// One block on one OS thread: its CUDA threads take turns, warp by warp.
//
// A fiber is a stack to run on. A fiber calls the kernel for one thread after the other, so
// threads that never wait cost no more than a function call. A thread that has to wait, at a
// barrier or for the lanes of its warp, keeps the fiber it is on; the next thread gets another.
#include "block.h"
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include "barrier.h"
#include "fault.h"
#include "schedule.h"
#include "warp.h"
#include "watch.h"

THREAD_LOCAL char cudacpu_dynamic_shared[DYNAMIC_SHARED_LIMIT] __attribute__((aligned(1024)));

static void fiber_main(void);

// Shared memory is thread-local: it lies among what this OS thread has of the program's variables.
static int note_shared(struct dl_phdr_info *program, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < program->dlpi_phnum; ++i)
    {
        if (program->dlpi_phdr[i].p_type == PT_TLS && program->dlpi_tls_data != NULL)
        {
            cudacpu_shared_start = (uintptr_t)program->dlpi_tls_data;
            cudacpu_shared_bytes = program->dlpi_phdr[i].p_memsz;
        }
    }
    return 1; // the first is the program itself
}

// The worker that the calling OS thread is from now on.
Worker *block_worker(void)
{
    if (this_worker == NULL)
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
        worker->thread_index = &threadIdx;
        worker->os_thread = (void *)pthread_self();
        this_worker = worker;
        dl_iterate_phdr(note_shared, NULL);
        fault_prepare_thread();
        watch_add(worker);
    }
    return this_worker;
}

// --- a thread's end ----------------------------------------------------------------------------

static void thread_returns(Worker *worker)
{
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
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
}

static void start_fresh(Worker *worker)
{
    const unsigned thread = worker->fresh++;
    worker->fiber_of[thread] = worker->running;
    make_current(worker, thread);
}

// Runs the current thread, and after it every thread that can start on the same stack.
static void run_threads(Worker *worker)
{
    Launch *launch = worker->launch;
    unsigned next;
    for (;;)
    {
        set_preemptible(worker, true);
        launch->run(launch->closure);
        set_preemptible(worker, false);
        next = worker->fresh;
        if (worker->num_waiting > 0)
        {
            thread_returns(worker);
            next = pick(worker, worker->current / WARP_SIZE);
        }
        if (next != worker->fresh || next == worker->num_threads)
        {
            break;
        }
        start_fresh(worker);
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
}

// A fiber that was idle goes on here, when a thread starts that has not run yet.
static void fiber_main(void)
{
    for (;;)
    {
        run_threads(this_worker);
    }
}

// --- a block -------------------------------------------------------------------------------------

static void clean_up_abandoned(Worker *worker)
{
    fiber_reset_all(&worker->fibers);
    print_drop(&worker->print, worker->num_warps);
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
}

void block_run(Worker *worker, Launch *launch, uint64_t block)
{
    const dim3 grid = launch->grid, dim = launch->block;
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
    gridDim = grid;
    blockDim = dim;
    blockIdx.x = block % grid.x;
    blockIdx.y = block / grid.x % grid.y;
    blockIdx.z = block / grid.x / grid.y;

    worker->running = fiber_take(&worker->fibers);
    worker->fiber_of[0] = worker->running;
    worker->fresh = 1;
    worker->num_waiting = 0;
    make_current(worker, 0);
    worker->in_kernel = true;
    context_switch(&worker->main, &worker->running->context);
    worker->in_kernel = false;
    if (worker->fault.error != 0)
    {
        fault_report_signal(worker);
        clean_up_abandoned(worker);
        launch_fail(launch, (cudaError_t)worker->fault.error);
    }
}
