// The last accesses of a word, and whether a new one races with them.
#ifndef CUDACPU_WORD_H
#define CUDACPU_WORD_H
#include "order.h"
#include "shadow.h"
#include "threads.h"

// Who accesses.
typedef struct Who
{
    uint32_t sequence, when;
    unsigned thread;
    bool in_kernel;
    const void *address;
    size_t bytes;
} Who;

// Whether nothing can be learnt from another access: the word has the same one, or two like it that race
// with all that it would race with. (All by value: through memory it takes half as
// long again.)
static inline __attribute__((always_inline)) bool word_knows(const Word *word, uint32_t sequence,
                                                             uint32_t when, uint32_t what)
{
    uint32_t like = UINT32_MAX; // the last one of this block, since its last barrier
    bool has_lane = false;      // one of this warp, since its lanes last came together
    for (int i = 0; i < RECORDS_IN_PLACE; ++i)
    {
        const Record *r = &word->records[i];
        if (r->what != what || r->sequence != sequence)
        {
            continue;
        }
        if (r->when == when)
        {
            return true;
        }
        if ((what & IS_WRITE) != 0 || threads_now.acquired ||
            r->when >> THREAD_BITS < threads_now.barrier)
        {
            continue;
        }
        // Of two lanes that have read, or two warps, one is another than the thread that writes later.
        // (Where threads know by fences what others have done, each knows something else.)
        const bool is_lane = (r->when ^ when) / WARP_SIZE == 0;
        if ((is_lane && has_lane) ||
            (like != UINT32_MAX && (r->when ^ like) % MAX_BLOCK_THREADS / WARP_SIZE != 0))
        {
            return true;
        }
        has_lane |= is_lane;
        like = r->when;
    }
    return false;
}

// (The record in its parts: as a structure it would be put together in memory, and read from there at
// once, which takes longer than all the rest.)
void word_note(Word *word, uint32_t sequence, uint32_t when, uint32_t what, const Who *who,
               const void *address);

extern int word_num_unsettled;
void word_settle_all(void);

// Says of stores of one instruction whether their values were the same.
static inline void word_settle(void)
{
    if (__builtin_expect(word_num_unsettled > 0, 0))
    {
        word_settle_all();
    }
}

#endif
