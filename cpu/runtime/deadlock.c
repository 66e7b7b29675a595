// A block is deadlocked when no thread can go on and one still waits. The report says where.
#include "deadlock.h"
#include <stdio.h>
#include <string.h>
#include "report.h"

static const char *wait_kind(const Worker *worker, unsigned thread)
{
    return is_in(worker->barrier.at, thread)     ? "__syncthreads"
           : is_in(worker->grid_wait.at, thread) ? "the barrier of the grid"
                                                 : "a warp-level operation";
}

// The threads at a barrier are all at the same one; otherwise it has been reported. So a barrier
// notes its place once for the block. A report needs it for each thread.
void deadlock_note_sites(Worker *worker)
{
    for (unsigned thread = 0; thread < worker->num_threads; ++thread)
    {
        if (is_in(worker->barrier.at, thread))
        {
            worker->file[thread] = worker->barrier.file;
            worker->line[thread] = worker->barrier.line;
        }
    }
}

void deadlock(Worker *worker)
{
    deadlock_note_sites(worker);
    unsigned thread = first_of(worker->warp.at, worker->num_warps);
    thread = thread != NO_THREAD ? thread : first_of(worker->barrier.at, worker->num_warps);
    thread = thread != NO_THREAD ? thread : first_of(worker->grid_wait.at, worker->num_warps);
    char what[400];
    snprintf(what, sizeof(what), "deadlock: this thread waits at %s", wait_kind(worker, thread));
    if (is_in(worker->warp.at, thread))
    {
        const size_t used = strlen(what);
        snprintf(what + used, sizeof(what) - used,
                 " for the lanes 0x%08x, which never come together", worker->warp.mask[thread]);
    }
    unsigned other = first_of(worker->barrier.at, worker->num_warps);
    other = other != NO_THREAD && other != thread
                ? other
                : first_of(worker->grid_wait.at, worker->num_warps);
    if (other != NO_THREAD && other != thread)
    {
        const size_t used = strlen(what);
        snprintf(what + used, sizeof(what) - used, "; thread %u waits at %s, %s:%d", other,
                 wait_kind(worker, other), base_name(worker->file[other]), worker->line[other]);
    }
    report_counted(worker, thread, worker->file[thread], worker->line[thread], what);
    worker_abandon(worker, cudaErrorLaunchTimeout);
}
