// Exchanges between the lanes of a warp.
#include "warp.h"
#include "check.h"
#include "count.h"
#include "mistake.h"
#include "schedule.h"

// True if every live lane of `mask` waits in its warp for just these lanes.
static bool lanes_complete(const Worker *worker, unsigned warp, uint32_t mask)
{
    const uint32_t wanted = mask & worker->live[warp];
    if ((worker->warp.at[warp] & wanted) != wanted)
    {
        return false;
    }
    for (uint32_t rest = wanted; rest != 0; rest &= rest - 1)
    {
        if (worker->warp.mask[warp * WARP_SIZE + __builtin_ctz(rest)] != mask)
        {
            return false;
        }
    }
    return true;
}

// All have come that have not returned: notes what every lane has brought, and lets them go on.
static void release_lanes(Worker *worker, unsigned warp, uint32_t mask)
{
    const uint32_t wanted = mask & worker->live[warp];
    const unsigned first = warp * WARP_SIZE;
    const unsigned number = __builtin_ctz(worker->warp.free_records[warp]);
    uint64_t *record = worker->warp.record[warp][number];
    uint32_t ballot = 0;
    check_lanes(worker, warp, wanted);
    count_exchange(worker, warp, wanted);
    for (uint32_t rest = wanted; rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest);
        record[lane] = worker->warp.brought[first + lane];
        ballot |= (uint32_t)(record[lane] != 0) << lane;
        worker->warp.record_of[first + lane] = number;
    }
    worker->warp.outcome[warp][number] = (uint64_t)wanted << 32 | ballot;
    worker->warp.holders[warp][number] = wanted;
    worker->warp.free_records[warp] ^= 1u << number;
    worker->warp.num_releases[warp]++;
    worker->warp.at[warp] &= ~wanted;
    worker->ready[warp] |= wanted;
}

// A lane has returned, and may be the last that others waited for.
void warp_release_rest(Worker *worker, unsigned warp)
{
    for (uint32_t rest = worker->warp.at[warp]; rest != 0; rest &= rest - 1)
    {
        const uint32_t mask = worker->warp.mask[warp * WARP_SIZE + __builtin_ctz(rest)];
        if (lanes_complete(worker, warp, mask))
        {
            release_lanes(worker, warp, mask);
            break;
        }
    }
}

// The thread has read what it came for. (In a block's first exchange it may let go of a record
// that it does not hold: that changes nothing.)
static inline void let_go_of_record(Worker *worker, unsigned warp, unsigned thread)
{
    const unsigned number = worker->warp.record_of[thread];
    const uint32_t holders = worker->warp.holders[warp][number] &= ~(1u << thread % WARP_SIZE);
    worker->warp.free_records[warp] |= (uint32_t)(holders == 0) << number;
}

// Waits until all lanes of `mask` have come, each with a value, but for those that have returned.
// Returns which have come, and in the lower half which of them brought a value that is not zero.
// cudacpu_lane_value() then tells what a lane has brought.
CALLED_BY_KERNELS uint64_t cudacpu_warp_exchange(uint32_t mask, uint64_t value, const char *file,
                                                 int line)
{
    Worker *worker = this_worker;
    const unsigned thread = worker->current, warp = thread / WARP_SIZE;
    set_preemptible(worker, false);
    count_the_living(worker);
    worker->file[thread] = file;
    worker->line[thread] = line;
    if ((mask >> thread % WARP_SIZE & 1) == 0)
    {
        mistake_report(worker, thread, CHECK_MASK,
                       "the mask 0x%08x does not name the lane that calls, %u", mask,
                       thread % WARP_SIZE);
        mask = 0; // it gets what it brought
    }
    check_mask(worker, thread, mask);
    if ((mask & worker->live[warp] & ~(1u << thread % WARP_SIZE)) != 0)
    {
        let_go_of_record(worker, warp, thread);
        worker->warp.brought[thread] = value;
    }
    else // alone: no other lane reads the value, and the lanes may still read their record
    {
        set_preemptible(worker, true);
        const uint32_t own = 1u << thread % WARP_SIZE;
        return (uint64_t)own << 32 | (value != 0 ? own : 0);
    }
    worker->warp.mask[thread] = mask;
    insert(worker->warp.at, thread);
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
    return worker->warp.outcome[warp][worker->warp.record_of[thread]];
}

// CUDA does not say what such a shuffle does.
CALLED_BY_KERNELS void cudacpu_wrong_width(int width, const char *file, int line)
{
    Worker *worker = this_worker;
    const unsigned thread = worker->current;
    set_preemptible(worker, false);
    worker->file[thread] = file;
    worker->line[thread] = line;
    mistake_report(worker, thread, CHECK_MASK,
                   "the width of the shuffle, %d, is no power of 2 from 1 to 32", width);
    set_preemptible(worker, true);
}

// The value of such a lane is undefined.
CALLED_BY_KERNELS void cudacpu_absent_lane(uint32_t mask, unsigned lane, const char *file, int line)
{
    Worker *worker = this_worker;
    const unsigned thread = worker->current;
    set_preemptible(worker, false);
    worker->file[thread] = file;
    worker->line[thread] = line;
    if ((mask >> lane & 1) == 0)
    {
        mistake_report(worker, thread, CHECK_MASK,
                       "the shuffle reads lane %u, which the mask 0x%08x does not name: its value "
                       "is undefined",
                       lane, mask);
    }
    else
    {
        mistake_report(worker, thread, CHECK_MASK,
                       "the shuffle reads lane %u, which %s: its value is undefined", lane,
                       thread / WARP_SIZE * WARP_SIZE + lane < worker->num_threads
                           ? "has returned"
                           : "the block does not have");
    }
    set_preemptible(worker, true);
}

// What `lane` of this thread's warp brought to the exchange this thread comes from.
CALLED_BY_KERNELS uint64_t cudacpu_lane_value(unsigned lane)
{
    const Worker *worker = this_worker;
    const unsigned thread = worker->current;
    return worker->warp.record[thread / WARP_SIZE][worker->warp.record_of[thread]][lane];
}
