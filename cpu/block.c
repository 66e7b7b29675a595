// One block on one OS thread: its CUDA threads take turns, warp by warp.
//
// A fiber is a stack to run on. A fiber calls the kernel for one thread after the other, so
// threads that never wait cost no more than a function call. A thread that has to wait, at a
// barrier or for the lanes of its warp, keeps the fiber it is on; the next thread gets another.
// When nobody can go on and somebody still waits, the block is deadlocked, and says where.
#include "runtime.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;
__thread char cudacpu_dynamic_shared[DYNAMIC_SHARED_LIMIT] __attribute__((aligned(1024)));

static __thread Worker *self;

static void fiber_main(void);

Worker *worker_self(void)
{
    if (self == NULL)
    {
        self = calloc(1, sizeof(*self));
        if (self == NULL)
        {
            fault_exhausted("memory for a worker", errno);
        }
        for (unsigned i = 0; i <= MAX_BLOCK_THREADS; ++i)
        {
            self->fiber_of[i] = &self->fibers[0];
        }
        fault_prepare_thread();
        watch_add(self);
    }
    return self;
}

CALLED_BY_KERNELS Worker *worker_if_any(void) // the watch's tick asks before all else
{
    return self;
}

// --- fibers --------------------------------------------------------------------------------

// Stacks of the same alignment would have their hot ends in the same few sets of every cache, so
// each fiber starts 13 lines further down than the one before it.
static void fiber_reset(Worker *worker, int i)
{
    Fiber *fiber = &worker->fibers[i];
    const size_t stagger = (size_t)i * 13 * 64 % (STACK_BYTES / 2);
    const size_t watched = 1024; // so much of every stack the watch may read (watch.c)
    context_make(&fiber->context, fiber->stack, STACK_BYTES - stagger - watched, fiber_main);
}

static Fiber *take_fiber(Worker *worker)
{
    if (worker->num_idle > 0)
    {
        return worker->idle_fibers[--worker->num_idle];
    }
    Fiber *fiber = &worker->fibers[worker->num_fibers];
    char *memory = mmap(NULL, STACK_GUARD + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
    {
        fault_exhausted("memory for a thread's stack", errno);
    }
    mprotect(memory, STACK_GUARD, PROT_NONE); // a stack that overflows is a fault, not a riddle
    fiber->stack = memory + STACK_GUARD;
    fiber_reset(worker, worker->num_fibers++);
    return fiber;
}

// --- who runs next -------------------------------------------------------------------------

static bool is_in(const uint32_t *set, unsigned thread)
{
    return set[thread / WARP_SIZE] >> thread % WARP_SIZE & 1;
}

static void insert(uint32_t *set, unsigned thread)
{
    set[thread / WARP_SIZE] |= 1u << thread % WARP_SIZE;
}

static void erase(uint32_t *set, unsigned thread)
{
    set[thread / WARP_SIZE] &= ~(1u << thread % WARP_SIZE);
}

// Prints what the lanes of a warp have ready for the printf that stands first in the source, in
// the order of the lanes, as a GPU's warp in lockstep would.
static void print_warp(Worker *worker, unsigned warp)
{
    int first = -1;
    for (uint32_t rest = worker->printing[warp]; rest != 0; rest &= rest - 1)
    {
        const unsigned thread = warp * WARP_SIZE + __builtin_ctz(rest);
        const int position = worker->print_position[thread];
        first = first < 0 || position < first ? position : first;
    }
    for (uint32_t rest = worker->printing[warp]; rest != 0; rest &= rest - 1)
    {
        const unsigned thread = warp * WARP_SIZE + __builtin_ctz(rest);
        if (worker->print_position[thread] == first)
        {
            print_add(worker->print_text[thread], strlen(worker->print_text[thread]));
            free(worker->print_text[thread]);
            worker->print_text[thread] = NULL;
            erase(worker->printing, thread);
            insert(worker->ready, thread);
        }
    }
}

// The first thread that can run, looking through the warps from `first` on, around to it again.
// Threads that have not started yet are the last ones, fresh ... num_threads - 1.
static __attribute__((noinline)) unsigned pick_from(Worker *worker, unsigned first)
{
    for (unsigned i = 0; i < worker->num_warps; ++i)
    {
        unsigned warp = first + i;
        warp -= warp >= worker->num_warps ? worker->num_warps : 0;
        if (worker->ready[warp] == 0 && worker->printing[warp] != 0)
        {
            print_warp(worker, warp);
        }
        if (worker->ready[warp] != 0)
        {
            return warp * WARP_SIZE + __builtin_ctz(worker->ready[warp]);
        }
        if (worker->fresh < worker->num_threads && worker->fresh / WARP_SIZE == warp)
        {
            return worker->fresh;
        }
    }
    return NO_THREAD;
}

// The lowest lane above the current one, in its warp, that can go on; NO_THREAD if there is none.
static inline unsigned pick_above(const Worker *worker, unsigned warp, unsigned lane)
{
    const uint32_t above = worker->ready[warp] & ~1u << lane;
    return above != 0 ? warp * WARP_SIZE + __builtin_ctz(above) : NO_THREAD;
}

// The next thread that can run: a lane above, else one that starts in this warp, else any, looking
// through the warps from `first` on.
static inline unsigned pick(Worker *worker, unsigned first)
{
    const unsigned warp = worker->current / WARP_SIZE;
    const unsigned next = pick_above(worker, warp, worker->current % WARP_SIZE);
    if (next != NO_THREAD)
    {
        return next;
    }
    const unsigned fresh = worker->fresh;
    if (fresh < worker->num_threads && fresh / WARP_SIZE == warp)
    {
        return fresh;
    }
    return pick_from(worker, first);
}

static inline void make_current(Worker *worker, unsigned thread)
{
    worker->current = thread;
    threadIdx = worker->index_of[thread];
}

// Makes `thread` the current one and goes on in its fiber, which is not the one that is running.
static inline void switch_to(Worker *worker, unsigned thread)
{
    make_current(worker, thread);
    Fiber *from = worker->running, *to = worker->fiber_of[thread];
    worker->running = to;
    context_expect(&worker->fiber_of[thread + 1]->context); // most likely the one after this
    context_switch(&from->context, &to->context);
}

// The same for a thread that may have to start, or be the one that asks.
static inline void resume(Worker *worker, unsigned thread)
{
    if (thread == worker->fresh)
    {
        worker->fresh++;
        worker->fiber_of[thread] = take_fiber(worker);
    }
    else
    {
        erase(worker->ready, thread);
        worker->num_waiting--;
    }
    if (worker->fiber_of[thread] != worker->running)
    {
        switch_to(worker, thread);
    }
    else
    {
        make_current(worker, thread);
    }
}

static const char *wait_kind(const Worker *worker, unsigned thread)
{
    return is_in(worker->at_barrier, thread) ? "__syncthreads" : "a warp-level operation";
}

static unsigned first_of(const uint32_t *set, unsigned num_warps)
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

static void note_barrier_site(Worker *worker);

static _Noreturn void deadlock(Worker *worker)
{
    note_barrier_site(worker);
    unsigned thread = first_of(worker->at_warp, worker->num_warps);
    thread = thread != NO_THREAD ? thread : first_of(worker->at_barrier, worker->num_warps);
    char what[400];
    snprintf(what, sizeof(what), "deadlock: this thread waits at %s", wait_kind(worker, thread));
    if (is_in(worker->at_warp, thread))
    {
        const size_t used = strlen(what);
        snprintf(what + used, sizeof(what) - used,
                 " for the lanes 0x%08x, which never come together", worker->warp_mask[thread]);
    }
    const unsigned other = first_of(worker->at_barrier, worker->num_warps);
    if (other != NO_THREAD && other != thread)
    {
        const size_t used = strlen(what);
        snprintf(what + used, sizeof(what) - used, "; thread %u waits at __syncthreads, %s:%d",
                 other, base_name(worker->file[other]), worker->line[other]);
    }
    fault_report(worker->launch, worker->block, thread, worker->file[thread], worker->line[thread],
                 what);
    block_abandon(worker, cudaErrorLaunchTimeout);
}

// As long as nobody waits, nobody keeps book of who has returned: it is every thread before the
// current one. The first that is about to wait brings the book up to date.
static inline void count_the_living(Worker *worker)
{
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    if (worker->num_waiting == 0 && thread + 1 == worker->fresh)
    {
        worker->num_live = worker->num_threads - thread;
        memset(worker->live, 0, warp * sizeof(*worker->live));
        worker->live[warp] &= ~0u << thread % WARP_SIZE;
    }
}

// Nobody above in the current thread's warp: somebody else, if there is anybody.
static inline void suspend_to_any(Worker *worker)
{
    worker->num_waiting++;
    const unsigned next = pick(worker, worker->current / WARP_SIZE);
    if (next == NO_THREAD)
    {
        deadlock(worker);
    }
    resume(worker, next);
}

// The current thread cannot go on; somebody else does. Returns when it can. Mostly the lane above
// has waited, too, and the number of those that wait remains.
static inline __attribute__((always_inline)) void suspend(Worker *worker)
{
    const unsigned thread = worker->current;
    const unsigned next = pick_above(worker, thread / WARP_SIZE, thread % WARP_SIZE);
    if (next == NO_THREAD)
    {
        suspend_to_any(worker);
        return;
    }
    erase(worker->ready, next);
    switch_to(worker, next);
}

// The last one has come, and all can go on: in order, from the first that can in this warp or after.
static inline void start_over(Worker *worker, unsigned warp)
{
    worker->num_waiting++;
    resume(worker, pick_from(worker, warp));
}

// The current thread could go on, but has had its turn (watch.c): the next one's, all around.
void block_preempt(Worker *worker)
{
    count_the_living(worker);
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    if (worker->printing[warp] != 0) // the lane that this one spins for may be there
    {
        print_warp(worker, warp);
    }
    const unsigned next = pick(worker, warp + 1 < worker->num_warps ? warp + 1 : 0);
    if (next != NO_THREAD)
    {
        worker->num_waiting++;
        insert(worker->ready, thread);
        resume(worker, next);
    }
}

// A thread that tries again what did not work: after a few times somebody else has a turn. (The
// count stays small, lest the watch find a new number in a register each time.)
CALLED_BY_KERNELS void cudacpu_spin(void)
{
    Worker *worker = self;
    if (worker != NULL && worker->preemptible)
    {
        set_preemptible(worker, false);
        worker->num_spins = (worker->num_spins + 1) % 16;
        if (worker->num_spins == 0)
        {
            block_preempt(worker);
        }
        set_preemptible(worker, true);
    }
}

// --- barriers ------------------------------------------------------------------------------

// Everybody is here: all that live can run again.
static void release_barrier(Worker *worker)
{
    worker->num_arrived = 0;
    worker->last_count = worker->count_true;
    worker->count_true = 0;
    for (unsigned warp = 0; warp < worker->num_warps; ++warp)
    {
        worker->ready[warp] = worker->at_barrier[warp];
        worker->at_barrier[warp] = 0;
    }
}

// All threads at a barrier are at the same one, or else it is reported: its place is noted once, and
// for each thread only when somebody wants to know.
static void note_barrier_site(Worker *worker)
{
    for (unsigned thread = 0; thread < worker->num_threads; ++thread)
    {
        if (is_in(worker->at_barrier, thread))
        {
            worker->file[thread] = worker->barrier_file;
            worker->line[thread] = worker->barrier_line;
        }
    }
}

static void warn_early_exit(Worker *worker)
{
    if (worker->num_live < worker->num_threads)
    {
        note_barrier_site(worker);
        fault_warn(worker, first_of(worker->at_barrier, worker->num_warps),
                   "%u of the block's %u threads returned without reaching this __syncthreads",
                   worker->num_threads - worker->num_live, worker->num_threads);
    }
}

static __attribute__((noinline)) void warn_divergence(Worker *worker, const char *file, int line)
{
    const unsigned thread = worker->current;
    worker->file[thread] = file;
    worker->line[thread] = line;
    fault_warn(
        worker, thread,
        "barrier divergence: at this __syncthreads while thread %u of the block is at another "
        "one, %s:%d",
        first_of(worker->at_barrier, worker->num_warps), base_name(worker->barrier_file),
        worker->barrier_line);
}

CALLED_BY_KERNELS int cudacpu_syncthreads(int condition, const char *file, int line)
{
    Worker *worker = self;
    set_preemptible(worker, false);
    count_the_living(worker);
    if (condition)
    {
        worker->count_true++;
    }
    const unsigned arrived = worker->num_arrived;
    if (arrived == 0)
    {
        worker->barrier_file = file;
        worker->barrier_line = line;
    }
    else if (worker->barrier_line != line)
    {
        warn_divergence(worker, file, line);
    }
    insert(worker->at_barrier, worker->current);
    worker->num_arrived = arrived + 1;
    if (arrived + 1 == worker->num_live)
    {
        warn_early_exit(worker);
        release_barrier(worker);
        start_over(worker, 0);
    }
    else
    {
        suspend(worker);
    }
    set_preemptible(worker, true);
    return worker->last_count;
}

// --- warps ---------------------------------------------------------------------------------

// True if every live lane of `mask` waits in its warp for just these lanes.
static bool lanes_complete(const Worker *worker, unsigned warp, uint32_t mask)
{
    const uint32_t wanted = mask & worker->live[warp];
    if ((worker->at_warp[warp] & wanted) != wanted)
    {
        return false;
    }
    for (uint32_t rest = wanted; rest != 0; rest &= rest - 1)
    {
        if (worker->warp_mask[warp * WARP_SIZE + __builtin_ctz(rest)] != mask)
        {
            return false;
        }
    }
    return true;
}

// All have come: notes what every lane has brought, and lets them go on.
static void release_lanes(Worker *worker, unsigned warp, uint32_t mask)
{
    const uint32_t wanted = mask & worker->live[warp];
    const unsigned first = warp * WARP_SIZE;
    const unsigned number = __builtin_ctz(worker->free_records[warp]);
    uint64_t *record = worker->record[warp][number];
    uint32_t ballot = 0;
    for (uint32_t rest = wanted; rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest);
        record[lane] = worker->brought[first + lane];
        ballot |= (uint32_t)(record[lane] != 0) << lane;
        worker->record_of[first + lane] = number;
    }
    worker->ballot[warp][number] = ballot;
    worker->holders[warp][number] = wanted;
    worker->free_records[warp] ^= 1u << number;
    worker->at_warp[warp] &= ~wanted;
    worker->ready[warp] |= wanted;
    if (wanted != mask)
    {
        fault_warn(worker, first + __builtin_ctz(wanted),
                   "the mask 0x%08x names lanes that returned or never existed: 0x%08x", mask,
                   mask & ~wanted);
    }
}

// The thread has read what it came for. (In a block's first exchange it may let go of a record
// that it does not hold: that changes nothing.)
static inline void let_go_of_record(Worker *worker, unsigned warp, unsigned thread)
{
    const unsigned number = worker->record_of[thread];
    const uint32_t holders = worker->holders[warp][number] &= ~(1u << thread % WARP_SIZE);
    worker->free_records[warp] |= (uint32_t)(holders == 0) << number;
}

// Waits until all lanes of `mask` have come, each with a value. Returns which brought one that is
// not zero. cudacpu_lane_value() then tells what a lane has brought.
CALLED_BY_KERNELS uint32_t cudacpu_warp_exchange(uint32_t mask, uint64_t value, const char *file,
                                                 int line)
{
    Worker *worker = self;
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    set_preemptible(worker, false);
    count_the_living(worker);
    worker->file[thread] = file;
    worker->line[thread] = line;
    if ((mask >> thread % WARP_SIZE & 1) == 0)
    {
        fault_warn(worker, thread, "the mask 0x%08x does not name the lane that calls, %u", mask,
                   thread % WARP_SIZE);
        mask = 0; // it gets what it brought
    }
    if ((mask & worker->live[warp] & ~(1u << thread % WARP_SIZE)) != 0)
    {
        let_go_of_record(worker, warp, thread);
        worker->brought[thread] = value;
    }
    else // alone: nobody else reads it, and what others may still read must stay
    {
        set_preemptible(worker, true);
        return (uint32_t)(value != 0) << thread % WARP_SIZE;
    }
    worker->warp_mask[thread] = mask;
    insert(worker->at_warp, thread);
    if (lanes_complete(worker, warp, mask))
    {
        release_lanes(worker, warp, mask);
        start_over(worker, warp);
    }
    else
    {
        suspend(worker);
    }
    set_preemptible(worker, true);
    return worker->ballot[warp][worker->record_of[thread]];
}

// What `lane` of this thread's warp brought to the exchange this thread comes from.
CALLED_BY_KERNELS uint64_t cudacpu_lane_value(unsigned lane)
{
    const Worker *worker = self;
    const unsigned thread = worker->current;
    return worker->record[thread / WARP_SIZE][worker->record_of[thread]][lane];
}

// --- device printf -------------------------------------------------------------------------

// CUDA's printf returns how many arguments it has printed.
static int count_arguments(const char *format)
{
    int count = 0;
    for (const char *p = strchr(format, '%'); p != NULL; p = strchr(p, '%'))
    {
        count += p[1] != '%';
        p += p[1] == '%' ? 2 : 1;
    }
    return count;
}

CALLED_BY_KERNELS int cudacpu_vprintf(int position, const char *format, va_list values)
{
    Worker *worker = self;
    if (worker == NULL || !worker->in_kernel)
    {
        return vprintf(format, values);
    }
    if (format == NULL)
    {
        return -1;
    }
    set_preemptible(worker, false);
    char *text = NULL;
    const bool printed = vasprintf(&text, format, values) >= 0;
    if (printed)
    {
        const unsigned thread = worker->current;
        count_the_living(worker);
        worker->print_text[thread] = text;
        worker->print_position[thread] = position;
        insert(worker->printing, thread);
        suspend(worker);
    }
    set_preemptible(worker, true);
    return printed ? count_arguments(format) : -2;
}

CALLED_BY_KERNELS int cudacpu_printf(int position, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int count = cudacpu_vprintf(position, format, values);
    va_end(values);
    return count;
}

// --- a thread's end, and a block's ------------------------------------------------------------

static void thread_returns(Worker *worker)
{
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    erase(worker->live, thread);
    --worker->num_live;
    if (worker->num_live > 0 && worker->num_arrived == worker->num_live)
    {
        warn_early_exit(worker);
        release_barrier(worker);
    }
    for (uint32_t rest = worker->at_warp[warp]; rest != 0; rest &= rest - 1)
    {
        const uint32_t mask = worker->warp_mask[warp * WARP_SIZE + __builtin_ctz(rest)];
        if (lanes_complete(worker, warp, mask))
        {
            release_lanes(worker, warp, mask);
            break;
        }
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
    worker->idle_fibers[worker->num_idle++] = worker->running;
    if (worker->num_waiting > 0)
    {
        resume(worker, next);
    }
    else // the block is done
    {
        context_switch(&worker->running->context, &worker->main);
    }
}

// What a fiber does. Whenever it has been idle, the current thread is a fresh one.
static void fiber_main(void)
{
    for (;;)
    {
        run_threads(self);
    }
}

// The block ends here, with an error. Its fibers stop wherever they are.
void block_abandon(Worker *worker, int error)
{
    set_preemptible(worker, false);
    worker->fault_error = error;
    context_switch(&worker->running->context, &worker->main);
    abort(); // nobody comes back to an abandoned block
}

static void clean_up_abandoned(Worker *worker)
{
    worker->num_idle = 0;
    for (int i = 0; i < worker->num_fibers; ++i)
    {
        fiber_reset(worker, i);
        worker->idle_fibers[worker->num_idle++] = &worker->fibers[i];
    }
    for (unsigned warp = 0; warp < worker->num_warps; ++warp)
    {
        for (uint32_t rest = worker->printing[warp]; rest != 0; rest &= rest - 1)
        {
            const unsigned thread = warp * WARP_SIZE + __builtin_ctz(rest);
            free(worker->print_text[thread]);
            worker->print_text[thread] = NULL;
        }
        worker->printing[warp] = 0;
    }
}

// threadIdx of every thread, x fastest.
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
    worker->num_arrived = 0;
    worker->count_true = 0;
    worker->fault_error = 0;
    for (unsigned warp = 0; warp < worker->num_warps; ++warp)
    {
        const unsigned rest = worker->num_threads - warp * WARP_SIZE;
        worker->live[warp] = rest >= WARP_SIZE ? 0xffffffffu : (1u << rest) - 1;
        worker->ready[warp] = 0;
        worker->at_barrier[warp] = 0;
        worker->at_warp[warp] = 0;
        worker->free_records[warp] = ~0u;
    }
    set_indices(worker, dim);
    gridDim = grid;
    blockDim = dim;
    blockIdx.x = block % grid.x;
    blockIdx.y = block / grid.x % grid.y;
    blockIdx.z = block / grid.x / grid.y;

    worker->running = take_fiber(worker);
    worker->fiber_of[0] = worker->running;
    worker->fresh = 1;
    worker->num_waiting = 0;
    make_current(worker, 0);
    worker->in_kernel = true;
    context_switch(&worker->main, &worker->running->context);
    worker->in_kernel = false;
    if (worker->fault_error != 0)
    {
        fault_report_signal(worker);
        clean_up_abandoned(worker);
        int none = 0;
        atomic_compare_exchange_strong(&launch->error, &none, worker->fault_error);
    }
}
