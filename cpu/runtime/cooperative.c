// A cooperative launch: all its blocks are there at once, so that they can wait for each other.
//
// Each block has a worker of its own, with stacks and shared memory. It begins on one of the device's
// OS threads and stays there. When it is parked at a barrier of the grid, the OS thread goes on with
// its next block. The last block to come releases all.
#include "cooperative.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include "block.h"
#include "device.h"
#include "report.h"

// One for each device, which runs one launch at a time.
typedef struct Meeting
{
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t num_live;    // blocks that have not ended
    uint64_t num_arrived; // and those of them that are parked
    uint64_t num_releases;
} Meeting;

static Meeting meetings[MAX_DEVICES] = {
    [0 ... MAX_DEVICES - 1] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0}};

static const double PATIENCE_SECONDS = 2e-3;

void cooperative_begin(Launch *launch)
{
    Meeting *meeting = &meetings[launch->device];
    pthread_mutex_lock(&meeting->lock);
    meeting->num_live = launch->num_blocks;
    meeting->num_arrived = 0;
    pthread_mutex_unlock(&meeting->lock);
}

static bool has_failed(const Launch *launch)
{
    return atomic_load(&launch->error) != 0;
}

// --- one block -----------------------------------------------------------------------------------

// Some blocks have ended, and all others wait for them at the barrier. The caller holds the lock.
static void report_absent(Launch *launch, const Meeting *meeting, Worker *waiting)
{
    if (launch_fail(launch, cudaErrorLaunchTimeout))
    {
        unsigned thread = first_of(waiting->grid_wait.at, waiting->num_warps);
        thread = thread == NO_THREAD ? 0 : thread;
        char what[200];
        snprintf(
            what, sizeof(what),
            "deadlock: this thread waits at the barrier of the grid, and %zu of the %zu blocks "
            "have ended without it",
            (size_t)(launch->num_blocks - meeting->num_live), (size_t)launch->num_blocks);
        report_counted(waiting, thread, waiting->file[thread], waiting->line[thread], what);
    }
}

// The block has come to the barrier, or it has ended. `waiting`: one that is parked, or NULL.
static void note(Launch *launch, bool ended, Worker *waiting)
{
    Meeting *meeting = &meetings[launch->device];
    pthread_mutex_lock(&meeting->lock);
    meeting->num_live -= ended;
    meeting->num_arrived += !ended;
    if (meeting->num_live > 0 && meeting->num_arrived == meeting->num_live)
    {
        if (meeting->num_live == launch->num_blocks)
        {
            meeting->num_arrived = 0;
            meeting->num_releases++;
        }
        else if (waiting != NULL)
        {
            report_absent(launch, meeting, waiting);
        }
    }
    if (meeting->num_arrived == 0 || meeting->num_arrived == meeting->num_live ||
        has_failed(launch))
    {
        pthread_cond_broadcast(&meeting->changed);
    }
    pthread_mutex_unlock(&meeting->lock);
}

// --- the blocks of one OS thread -----------------------------------------------------------------

typedef struct Residents
{
    Worker **all; // parked blocks
    size_t num, capacity;
    uint64_t num_releases; // of the meeting when they were parked
} Residents;

static void keep(Residents *mine, Worker *worker)
{
    if (mine->num == mine->capacity)
    {
        mine->capacity = 2 * mine->capacity + 8;
        mine->all = realloc(mine->all, mine->capacity * sizeof(*mine->all));
        if (mine->all == NULL)
        {
            exhausted("memory for a cooperative launch", errno);
        }
    }
    mine->all[mine->num++] = worker;
}

// After a turn of a block: it is parked, or done with.
static void settle(Launch *launch, Residents *mine, Worker *worker, bool ended)
{
    block_leave(worker);
    if (ended)
    {
        block_give_back(worker);
    }
    else
    {
        keep(mine, worker);
    }
    note(launch, ended, mine->num > 0 ? mine->all[0] : NULL);
}

// Takes blocks that have not begun. An OS thread leaves the others their share for a while.
static void begin_blocks(Launch *launch, Residents *mine, int num_os_threads)
{
    const uint64_t share = (launch->num_blocks + num_os_threads - 1) / num_os_threads;
    uint64_t num_begun = 0;
    const double start = seconds_now();
    while (!has_failed(launch) && atomic_load(&launch->next_block) < launch->num_blocks)
    {
        if (num_begun >= share && seconds_now() - start < PATIENCE_SECONDS)
        {
            sched_yield();
            continue;
        }
        const uint64_t block = atomic_fetch_add(&launch->next_block, 1);
        if (block < launch->num_blocks)
        {
            Worker *worker = block_take_resident();
            ++num_begun;
            block_enter(worker);
            block_begin(worker, launch);
            settle(launch, mine, worker, block_run(worker, launch, block));
        }
    }
}

// Waits until the barrier at which these blocks are parked is released, or the launch has failed.
static void wait_for_release(Launch *launch, Residents *mine)
{
    Meeting *meeting = &meetings[launch->device];
    pthread_mutex_lock(&meeting->lock);
    while (meeting->num_releases == mine->num_releases && !has_failed(launch))
    {
        if (meeting->num_live < launch->num_blocks && meeting->num_arrived == meeting->num_live)
        {
            report_absent(launch, meeting, mine->all[0]);
            pthread_cond_broadcast(&meeting->changed);
            break;
        }
        pthread_cond_wait(&meeting->changed, &meeting->lock);
    }
    mine->num_releases = meeting->num_releases;
    pthread_mutex_unlock(&meeting->lock);
}

static void go_on(Launch *launch, Residents *mine)
{
    const size_t num = mine->num;
    Worker **parked = mine->all;
    *mine = (Residents){.num_releases = mine->num_releases};
    for (size_t i = 0; i < num; ++i)
    {
        block_enter(parked[i]);
        if (has_failed(launch))
        {
            block_abandon_parked(parked[i]);
            block_leave(parked[i]);
            block_give_back(parked[i]);
        }
        else
        {
            settle(launch, mine, parked[i], block_go_on(parked[i]));
        }
    }
    free(parked);
}

// Runs blocks of a launch, together with the other OS threads that have been called.
void cooperative_run(Launch *launch, int num_os_threads)
{
    Worker *home = block_worker();
    Meeting *meeting = &meetings[launch->device];
    pthread_mutex_lock(&meeting->lock);
    Residents mine = {.num_releases = meeting->num_releases};
    pthread_mutex_unlock(&meeting->lock);
    begin_blocks(launch, &mine, num_os_threads);
    while (mine.num > 0)
    {
        wait_for_release(launch, &mine);
        go_on(launch, &mine);
    }
    free(mine.all);
    block_enter(home);
}
