// Lockstep. A GPU executes an instruction for the lanes of a warp that are there together. Compiled code
// calls us where a basic block begins, so a thread waits there until it is the turn of its place. All lanes
// that wait at one place then go through this block, one after the other: the n-th access of each of them
// is one request.
//
// Of the places in a warp the deepest goes first: a function that was called comes to its end. Of these the
// lowest address goes first, so lanes that took different branches meet behind them.
#include "steps.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../runtime/print.h"
#include "../runtime/schedule.h"
#include "tally.h"

enum
{
    MOST_TRIES = 64,      // in vain: what the lane tries for, another one of its warp may have
    MOST_IN_TURN = 100000 // steps of a warp: it may wait for another warp
};

static Steps *steps_of(Worker *worker)
{
    if (worker->steps == NULL)
    {
        worker->steps = calloc(1, sizeof(*worker->steps));
        if (worker->steps == NULL)
        {
            exhausted("memory for the counter", errno);
        }
    }
    return worker->steps;
}

void count_block_begin(Worker *worker)
{
    Steps *steps = steps_of(worker);
    steps->kernel = tally_kernel(worker->launch);
    steps->members = steps->left = steps->num_requests = steps->next = steps->in_turn = 0;
    memset(steps->spins, 0, worker->num_threads * sizeof(*steps->spins));
    memset(steps->failed, 0, worker->num_threads * sizeof(*steps->failed));
    memset(steps->tries, 0, worker->num_threads * sizeof(*steps->tries));
    memset(steps->last_pc, 0, worker->num_threads * sizeof(*steps->last_pc));
    memset(steps->repeats, 0, worker->num_threads * sizeof(*steps->repeats));
    memset(steps->once, 0, worker->num_threads * sizeof(*steps->once));
    memset(steps->place, 0, worker->num_threads * sizeof(*steps->place));
    tally_block(steps->kernel, worker->num_threads);
}

// ---- A step -------------------------------------------------------------------------------------

static bool is_same(const Spot *a, const Spot *b)
{
    return a->pc == b->pc && a->depth == b->depth && a->stops == b->stops;
}

// Whether lanes that were together are not any more. A lane that has returned is nowhere.
static bool have_parted(const Steps *steps)
{
    const unsigned first = steps->warp * WARP_SIZE;
    const Spot *where = &steps->place[first + __builtin_ctz(steps->members)];
    for (uint32_t rest = steps->members; rest != 0; rest &= rest - 1)
    {
        const unsigned thread = first + __builtin_ctz(rest);
        if (!is_same(&steps->place[thread], where))
        {
            return true;
        }
    }
    return false;
}

static void end_step(Steps *steps)
{
    if (steps->members != 0)
    {
        tally_step(steps->kernel, steps->members, have_parted(steps), steps->requests,
                   steps->num_requests);
    }
    steps->members = steps->num_requests = steps->next = 0;
}

void count_block_end(Worker *worker)
{
    end_step(steps_of(worker));
}

// The lanes of a warp that go next: of those that can.
static void choose(Worker *worker, Steps *steps, unsigned warp)
{
    const unsigned first = warp * WARP_SIZE;
    const Spot *best = NULL;
    bool best_spins = true;
    for (uint32_t rest = worker->ready[warp]; rest != 0; rest &= rest - 1)
    {
        const unsigned thread = first + __builtin_ctz(rest);
        const Spot *place = &steps->place[thread];
        const bool spins = steps->spins[thread];
        const bool is_first =
            best == NULL || (spins != best_spins           ? best_spins
                             : place->depth != best->depth ? place->depth > best->depth
                             : place->pc != best->pc       ? place->pc < best->pc
                                                           : place->stops < best->stops);
        if (is_first)
        {
            best = place;
            best_spins = spins;
        }
    }
    steps->at = *best;
    uint32_t members = 0;
    for (uint32_t rest = worker->ready[warp]; rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest);
        if (is_same(&steps->place[first + lane], &steps->at))
        {
            members |= 1u << lane;
            steps->spins[first + lane] = false;
        }
    }
    steps->warp = warp;
    steps->members = steps->left = members;
}

// The next lane of the step.
static unsigned next_lane(Steps *steps)
{
    const unsigned lane = __builtin_ctz(steps->left);
    steps->left &= steps->left - 1;
    steps->next = 0;
    return steps->warp * WARP_SIZE + lane;
}

static bool can_go(Worker *worker, const Steps *steps, unsigned warp, bool also_spinning)
{
    if (worker->ready[warp] == 0 && worker->print.waiting[warp] != 0)
    {
        worker->ready[warp] |= print_warp(&worker->print, warp);
    }
    uint32_t can = worker->ready[warp];
    for (uint32_t rest = can; !also_spinning && rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest);
        can ^= (uint32_t)steps->spins[warp * WARP_SIZE + lane] << lane;
    }
    return can != 0;
}

// The thread that goes on. All lanes of a warp start before one of them goes further.
unsigned count_pick(Worker *worker, unsigned warp)
{
    Steps *steps = steps_of(worker);
    if (steps->left != 0)
    {
        return next_lane(steps);
    }
    end_step(steps);
    const unsigned fresh = worker->fresh, num_warps = worker->num_warps;
    if (fresh < worker->num_threads && fresh % WARP_SIZE != 0)
    {
        return fresh;
    }
    unsigned first = warp;
    if (++steps->in_turn > MOST_IN_TURN)
    {
        steps->in_turn = 0;
        ++first;
    }
    for (unsigned pass = 0; pass < 2; ++pass)
    {
        for (unsigned i = 0; i < num_warps; ++i)
        {
            const unsigned other = (first + i) % num_warps;
            if (can_go(worker, steps, other, pass == 1))
            {
                steps->in_turn = other == steps->warp ? steps->in_turn : 0;
                choose(worker, steps, other);
                return next_lane(steps);
            }
            if (fresh < worker->num_threads && fresh / WARP_SIZE == other)
            {
                return fresh;
            }
        }
    }
    return NO_THREAD;
}

// ---- The current thread -------------------------------------------------------------------------

// From now on it is within its basic block.
void count_stop(Worker *worker)
{
    worker->steps->place[worker->current].stops++;
}

void count_return(Worker *worker)
{
    worker->steps->place[worker->current] = (Spot){.pc = NULL};
}

void count_spin(Worker *worker)
{
    count_stop(worker);
    worker->steps->spins[worker->current] = true;
}

// Lanes that try in vain may try for what another lane of their warp has.
void count_try(Worker *worker)
{
    if (worker != NULL && worker->in_kernel)
    {
        Steps *steps = worker->steps;
        const unsigned thread = worker->current;
        steps->failed[thread] = true;
        if (++steps->tries[thread] == MOST_TRIES)
        {
            steps->tries[thread] = 0;
            steps->spins[thread] = true;
        }
    }
}

static void wait_for_turn(Worker *worker)
{
    set_preemptible(worker, false);
    count_the_living(worker);
    worker->num_waiting++;
    insert(worker->ready, worker->current);
    resume(worker, count_pick(worker, worker->current / WARP_SIZE));
    set_preemptible(worker, true);
}

// The current thread has come to a basic block.
void steps_begin_block(const void *pc, const void *frame)
{
    Worker *worker = this_worker;
    if (worker == NULL || !worker->in_kernel || !worker->preemptible ||
        worker->steps->once[worker->current] != 0)
    {
        return;
    }
    worker->steps->place[worker->current] =
        (Spot){fiber_depth(&worker->fibers, worker->running, frame), 0, pc};
    wait_for_turn(worker);
}

// A lane that reads one place again and again, and does nothing else, waits for what another lane of its warp may
// have to store.
static void note_repeats(Steps *steps, unsigned thread, const void *address, Access access,
                         const void *pc)
{
    const bool is_repeated =
        access == LOAD && steps->last_pc[thread] == pc && steps->last_address[thread] == address;
    steps->last_pc[thread] = pc;
    steps->last_address[thread] = address;
    steps->repeats[thread] = is_repeated ? steps->repeats[thread] + 1 : 0;
    if (steps->repeats[thread] == MOST_TRIES)
    {
        steps->repeats[thread] = 0;
        steps->spins[thread] = true;
    }
}

// The current thread is about to access memory.
static void note_access(const void *address, uint32_t bytes, Access access, bool is_part,
                        const void *pc)
{
    Worker *worker = this_worker;
    Steps *steps = worker->steps;
    if (steps->next == MAX_ACCESSES)
    {
        count_stop(worker);
        wait_for_turn(worker);
    }
    note_repeats(steps, worker->current, address, access, pc);
    const unsigned lane = worker->current % WARP_SIZE;
    Request *request = &steps->requests[steps->next];
    // (Lanes of one block make the same accesses, but where a function that is not compiled so takes
    // its own ways.)
    while (steps->next < steps->num_requests && (request->pc != pc || (request->lanes >> lane & 1)))
    {
        ++request;
        ++steps->next;
    }
    if (steps->next == MAX_ACCESSES)
    {
        return;
    }
    if (steps->next == steps->num_requests)
    {
        ++steps->num_requests;
        request->pc = pc;
        request->access = access;
        request->bytes = bytes;
        request->is_part = is_part;
        request->lanes = 0;
    }
    ++steps->next;
    request->lanes |= 1u << lane;
    request->address[lane] = address;
}

static bool is_counted(void)
{
    const Worker *worker = this_worker;
    return worker != NULL && worker->in_kernel && worker->steps->once[worker->current] == 0;
}

void steps_note(const void *address, uint32_t bytes, Access access, bool is_part, const void *pc)
{
    if (is_counted())
    {
        note_access(address, bytes, access, is_part, pc);
    }
}

// A function of our headers begins that is one instruction. What it is made of does not count, and no other
// lane comes between but where it waits for them.
void steps_begin_once(void)
{
    const Worker *worker = this_worker;
    if (worker != NULL && worker->in_kernel)
    {
        worker->steps->once[worker->current]++;
    }
}

void steps_begin_atomic(const void *address, uint32_t bytes, const void *pc)
{
    if (is_counted())
    {
        note_access(address, bytes, ATOMIC, false, pc);
        Steps *steps = this_worker->steps;
        const unsigned thread = this_worker->current;
        steps->tries[thread] = steps->failed[thread] ? steps->tries[thread] : 0;
        steps->failed[thread] = false;
    }
    steps_begin_once();
}

void steps_end_once(void)
{
    const Worker *worker = this_worker;
    if (worker != NULL && worker->in_kernel)
    {
        worker->steps->once[worker->current]--;
    }
}
