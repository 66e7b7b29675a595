// grid_group::sync(): the blocks of a cooperative launch wait for each other.
//
// When all threads of a block have come that have not returned, the block is parked: it leaves its OS
// thread, which runs another block (cooperative.c). It goes on when all blocks have come.
#include "grid_barrier.h"
#include "barrier.h"
#include "deadlock.h"
#include "report.h"
#include "schedule.h"

// All threads of the block that have not returned are here. Comes back when all blocks are.
void grid_barrier_wait(Worker *worker)
{
    GridWait *wait = &worker->grid_wait;
    wait->parked = true;
    context_switch(&worker->running->context, &worker->main);
    wait->parked = false;
    wait->num_arrived = 0;
    for (unsigned warp = 0; warp < worker->num_warps; ++warp)
    {
        worker->ready[warp] |= wait->at[warp];
        wait->at[warp] = 0;
    }
}

CALLED_BY_KERNELS bool cudacpu_is_cooperative(void)
{
    return this_worker->launch->cooperative;
}

CALLED_BY_KERNELS void cudacpu_grid_sync(const char *file, int line)
{
    Worker *worker = this_worker;
    const unsigned thread = worker->current;
    if (worker->launch->cooperative && worker->launch->num_blocks == 1)
    {
        cudacpu_syncthreads(0, file, line);
        return;
    }
    set_preemptible(worker, false);
    count_the_living(worker);
    worker->file[thread] = file;
    worker->line[thread] = line;
    if (!worker->launch->cooperative)
    {
        if (launch_fail(worker->launch, cudaErrorLaunchFailure))
        {
            report_counted(worker, thread, file, line,
                           "a barrier of the grid in a kernel that is not launched by "
                           "cudaLaunchCooperativeKernel");
        }
        worker_abandon(worker, cudaErrorLaunchFailure);
    }
    insert(worker->grid_wait.at, thread);
    if (++worker->grid_wait.num_arrived == worker->num_live)
    {
        grid_barrier_wait(worker);
        start_over(worker, 0);
    }
    else
    {
        suspend(worker);
    }
    set_preemptible(worker, true);
}
