// __syncthreads: the threads of a block wait until all that have not returned are there.
#include "barrier.h"
#include "check.h"
#include "count.h"
#include "deadlock.h"
#include "mistake.h"
#include "report.h"
#include "schedule.h"
#include "turns.h"

static void warn_early_exit(Worker *worker)
{
    if (worker->num_live < worker->num_threads)
    {
        deadlock_note_sites(worker);
        report_warning(worker, first_of(worker->barrier.at, worker->num_warps),
                       "%u of the block's %u threads returned without reaching this __syncthreads",
                       worker->num_threads - worker->num_live, worker->num_threads);
    }
}

// All threads that have not returned are here, and can run again.
void barrier_release(Worker *worker)
{
    warn_early_exit(worker);
    check_barrier(worker);
    count_barrier(worker);
    worker->barrier.num_releases++;
    worker->barrier.num_arrived = 0;
    worker->barrier.last_count = worker->barrier.count_true;
    worker->barrier.count_true = 0;
    for (unsigned warp = 0; warp < worker->num_warps; ++warp)
    {
        worker->ready[warp] = worker->barrier.at[warp];
        worker->barrier.at[warp] = 0;
    }
}

static __attribute__((noinline)) void warn_divergence(Worker *worker, const char *file, int line)
{
    const unsigned thread = worker->current;
    worker->file[thread] = file;
    worker->line[thread] = line;
    mistake_report(
        worker, thread, CHECK_BARRIER,
        "barrier divergence: at this __syncthreads while thread %u of the block is at another "
        "one, %s:%d",
        turns_thread(first_of(worker->barrier.at, worker->num_warps), worker->num_threads),
        base_name(worker->barrier.file), worker->barrier.line);
}

CALLED_BY_KERNELS int cudacpu_syncthreads(int condition, const char *file, int line)
{
    Worker *worker = this_worker;
    set_preemptible(worker, false);
    count_the_living(worker);
    if (condition)
    {
        worker->barrier.count_true++;
    }
    const unsigned arrived = worker->barrier.num_arrived;
    if (arrived == 0)
    {
        worker->barrier.file = file;
        worker->barrier.line = line;
    }
    else if (worker->barrier.line != line)
    {
        warn_divergence(worker, file, line);
    }
    insert(worker->barrier.at, worker->current);
    worker->barrier.num_arrived = arrived + 1;
    if (arrived + 1 == worker->num_live)
    {
        barrier_release(worker);
        start_over(worker, 0);
    }
    else
    {
        suspend(worker);
    }
    set_preemptible(worker, true);
    return worker->barrier.last_count;
}
