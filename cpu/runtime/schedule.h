// The turns of a block's threads. These functions are inline, because each barrier and each shuffle
// runs through them.
#ifndef CUDACPU_SCHEDULE_H
#define CUDACPU_SCHEDULE_H
#include "count.h"
#include "deadlock.h"
#include <string.h>
#include "worker.h"

unsigned schedule_pick_from(Worker *worker, unsigned first);
void schedule_preempt(Worker *worker, bool spins);
void schedule_give_turn(void);

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
    if (CUDACPU_COUNTS)
    {
        return count_pick(worker, worker->current / WARP_SIZE);
    }
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
    return schedule_pick_from(worker, first);
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

// The same for any thread: it may have to start, or be the current one.
static inline void resume(Worker *worker, unsigned thread)
{
    if (thread == worker->fresh)
    {
        worker->fresh++;
        worker->fiber_of[thread] = fiber_take(&worker->fibers);
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

// As long as no thread waits, `live` and `num_live` are not kept up to date, because every thread
// before the current one has returned. The first thread that waits brings them up to date.
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

// The current thread waits, and no lane above it can go on. Another thread does, if there is one.
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

// The current thread waits, and another one goes on. Returns when the current thread can go on.
// Mostly the next one is a lane above that has waited, too, so the number of waiting threads stays
// the same.
static inline __attribute__((always_inline)) void suspend(Worker *worker)
{
    count_stop(worker);
    const unsigned thread = worker->current, warp = thread / WARP_SIZE, lane = thread % WARP_SIZE;
    const uint32_t ready = worker->ready[warp], above = ready & ~1u << lane;
    if (CUDACPU_COUNTS || above == 0)
    {
        suspend_to_any(worker);
        return;
    }
    worker->ready[warp] = ready ^ (above & -above); // less the lowest of them
    switch_to(worker, thread - lane + __builtin_ctz(above));
}

// The last thread has come, and all can go on: in order, from the first ready one of this warp or a
// later one.
static inline void start_over(Worker *worker, unsigned warp)
{
    count_stop(worker);
    worker->num_waiting++;
    resume(worker, CUDACPU_COUNTS ? count_pick(worker, warp) : schedule_pick_from(worker, warp));
}

#endif
