// Which thread runs next: the lanes of a warp in order, then the warps in order.
#include "schedule.h"

// The first thread that can run, looking through the warps from `first` on, around to it again.
// Threads that have not started yet are the last ones, fresh ... num_threads - 1.
unsigned schedule_pick_from(Worker *worker, unsigned first)
{
    for (unsigned i = 0; i < worker->num_warps; ++i)
    {
        unsigned warp = first + i;
        warp -= warp >= worker->num_warps ? worker->num_warps : 0;
        if (worker->ready[warp] == 0 && worker->print.waiting[warp] != 0)
        {
            worker->ready[warp] |= print_warp(&worker->print, warp);
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

// Takes the turn from the current thread, which could go on, and gives it to the next one. If it
// spins, lanes that wait for it at a printf or at volatile shared memory wait no longer: it may
// spin for one of them. (A lane that still computes they must wait for.) On a fiber; so the tick's
// handler may call it, which runs on the fiber's stack.
void schedule_preempt(Worker *worker, bool spins)
{
    count_the_living(worker);
    count_spin(worker);
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    if (spins && worker->print.waiting[warp] != 0)
    {
        worker->ready[warp] |= print_warp(&worker->print, warp);
    }
    worker->num_waiting++;
    insert(worker->ready, thread); // at once: it is the next one if there is no other
    resume(worker, pick(worker, warp + 1 < worker->num_warps ? warp + 1 : 0));
}

// The checker calls this before an access, on a fiber.
CALLED_BY_KERNELS void schedule_give_turn(void)
{
    Worker *worker = this_worker;
    if (worker->preemptible)
    {
        set_preemptible(worker, false);
        schedule_preempt(worker, true);
        set_preemptible(worker, true);
    }
}

// A thread calls this when it tries something again. After 16 times another thread has a turn. (The
// count starts again, because the watch would take a growing number in a register for progress.)
// While the watch tries to prove that the thread goes round in a circle, it keeps its turn until
// the watch has found it.
CALLED_BY_KERNELS void cudacpu_spin(void)
{
    Worker *worker = this_worker;
    if (CUDACPU_COUNTS)
    {
        count_try(worker);
    }
    else if (worker != NULL && worker->preemptible)
    {
        set_preemptible(worker, false);
        worker->num_spins = (worker->num_spins + 1) % 16;
        if (worker->num_spins == 0 && atomic_load(&worker->repeats.attempt) == 0)
        {
            schedule_preempt(worker, true);
        }
        set_preemptible(worker, true);
    }
}
