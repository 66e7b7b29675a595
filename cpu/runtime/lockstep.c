// Volatile memory: warp-synchronous code, as it was written before Volta, counts on lanes that run in
// step.
//
//     volatile float *v = s;
//     v[t] += v[t + 32]; v[t] += v[t + 16]; ...
//
// Each lane waits before each read and each write until no other lane of its warp can go on. Then
// those go on that stand first in the source. So all lanes read before one of them writes, and
// lanes that took different branches come together behind them. printf waits in the same way, and
// the lanes that wait are kept in the same place (print.h).
#include "lockstep.h"
#include <stdio.h>
#include <limits.h>
#include <string.h>
#include "check.h"
#include "report.h"
#include "schedule.h"

enum
{
    READS_OF_A_SPINNER = 64,
    MAX_KERNELS = 256
};

// --- the warning ---------------------------------------------------------------------------------

// True the first time that it is called for a kernel. All instances of a template are one.
static bool is_first_of_kernel(const Launch *launch)
{
    static const char *_Atomic warned[MAX_KERNELS];
    for (int i = 0; i < MAX_KERNELS; ++i)
    {
        const char *known = NULL;
        if (atomic_compare_exchange_strong(&warned[i], &known, launch->name))
        {
            return true;
        }
        if (strcmp(known, launch->name) == 0)
        {
            return false;
        }
    }
    return false;
}

static void note_store(Worker *worker, const volatile void *address)
{
    const unsigned thread = worker->current;
    worker->lockstep.stores[thread] = (LaneStore){address,
                                                  worker->file[thread],
                                                  worker->line[thread],
                                                  worker->barrier.num_releases,
                                                  worker->warp.num_releases[thread / WARP_SIZE],
                                                  worker->num_blocks_run};
    worker->lockstep.last_read[thread] = NULL;
}

static void warn(Worker *worker, unsigned writer)
{
    const LaneStore *store = &worker->lockstep.stores[writer];
    if (is_first_of_kernel(worker->launch))
    {
        report_warning(
            worker, worker->current,
            "reads what lane %u of the warp has written at %s:%d. That lanes run in step "
            "is undefined since Volta: put __syncwarp() after line %d",
            writer % WARP_SIZE, base_name(store->file), store->line, store->line);
        char where[300];
        snprintf(where, sizeof(where), "%s:%d", base_name(worker->file[worker->current]),
                 worker->line[worker->current]);
        check_reported(where);
    }
}

// Whether the lane reads what another lane of its warp has written since they last synchronized. A
// lane that reads the same again waits for it, which is allowed.
static void check_read(Worker *worker, const volatile void *address)
{
    const unsigned thread = worker->current, warp = thread / WARP_SIZE, first = warp * WARP_SIZE;
    if (worker->lockstep.last_read[thread] == address)
    {
        return;
    }
    worker->lockstep.last_read[thread] = address;
    for (unsigned other = first; other < first + WARP_SIZE; ++other)
    {
        const LaneStore *store = &worker->lockstep.stores[other];
        if (store->address == address && other != thread &&
            store->num_barriers == worker->barrier.num_releases &&
            store->num_exchanges == worker->warp.num_releases[warp] &&
            store->block == worker->num_blocks_run)
        {
            warn(worker, other);
            return;
        }
    }
}

// --- waiting -------------------------------------------------------------------------------------

// A lane that only reads may be waiting for another lane, or for another warp: now and then it lets
// all others go first.
static bool spins(Worker *worker, bool stores)
{
    unsigned char *num_reads = &worker->lockstep.num_reads[worker->current];
    *num_reads = stores ? 0 : (*num_reads + 1) % READS_OF_A_SPINNER;
    return !stores && *num_reads == 0;
}

static void wait_for_lanes(Worker *worker, int position, bool last)
{
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    print_wait(&worker->print, thread, NULL, last ? INT_MAX : position);
    if (last)
    {
        count_spin(worker);
        worker->num_waiting++;
        resume(worker, pick(worker, warp + 1 < worker->num_warps ? warp + 1 : 0));
    }
    else
    {
        suspend(worker);
    }
}

static void forget_other_blocks(Worker *worker)
{
    Lockstep *lockstep = &worker->lockstep;
    if (lockstep->block != worker->num_blocks_run)
    {
        memset(lockstep->last_read, 0, sizeof(lockstep->last_read));
        lockstep->block = worker->num_blocks_run;
    }
}

// Called before a kernel reads or writes volatile memory that may be such.
CALLED_BY_KERNELS void cudacpu_in_step(const volatile void *address, int position, bool stores,
                                       const char *file, int line)
{
    Worker *worker = this_worker;
    if (CUDACPU_CHECKS || worker == NULL ||
        !worker->in_kernel) // the checker names what needs the step
    {
        return;
    }
    set_preemptible(worker, false);
    count_the_living(worker);
    forget_other_blocks(worker);
    const unsigned thread = worker->current;
    worker->file[thread] = file;
    worker->line[thread] = line;
    wait_for_lanes(worker, position, spins(worker, stores));
    if (stores)
    {
        note_store(worker, address);
    }
    else
    {
        check_read(worker, address);
    }
    set_preemptible(worker, true);
}
