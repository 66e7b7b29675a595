// What the threads of the block that runs know of each other, and of other blocks.
//
// A block has a time, which grows by one whenever threads of it come together. The accesses of a
// thread between two such moments have the time of the first. So "before" is a comparison: a thread
// knows each lane of its warp, and its whole block, up to a time.
#ifndef CUDACPU_THREADS_H
#define CUDACPU_THREADS_H
#include "../runtime/base.h"
#include "shadow.h"

enum
{
    THREAD_BITS = 10,
    MAX_TIME = (1 << 22) - 1
};

struct Worker;

typedef struct BlockTime
{
    uint32_t sequence;                 // the block's
    uint32_t launch;                   // the first sequence number of its launch
    uint32_t time;                     // the next moment
    uint32_t barrier;                  // all threads know what is older
    uint32_t since[MAX_BLOCK_THREADS]; // of each thread: its latest moment
    bool met[MAX_WARPS];               // lanes of the warp have come together: `knows` is valid
    bool acquired;                     // a thread has knowledge of other threads' releases
    uint32_t knows[MAX_BLOCK_THREADS][WARP_SIZE];
} BlockTime;
extern BlockTime threads_now;

// Whether an access of another thread of this block is before what `thread` does now.
static inline bool threads_before(unsigned thread, uint32_t when)
{
    const unsigned other = when & (MAX_BLOCK_THREADS - 1);
    const uint32_t time = when >> THREAD_BITS;
    return time < threads_now.barrier ||
           (other / WARP_SIZE == thread / WARP_SIZE && threads_now.met[other / WARP_SIZE] &&
            time < threads_now.knows[thread][other % WARP_SIZE]);
}

static inline uint32_t threads_when(unsigned thread)
{
    return threads_now.since[thread] << THREAD_BITS | thread;
}

void threads_begin(uint32_t sequence, uint32_t launch, unsigned num_threads);
void threads_end_launch(void);

void threads_fence(unsigned thread, Scope scope);
void threads_release(unsigned thread, const void *address, bool also_reads, Scope scope,
                     uint32_t site);
bool threads_tells_host(unsigned thread); // its latest fence is of the system
void threads_acquire(unsigned thread, const void *address, bool also_writes, Scope scope);
void threads_note_volatile(unsigned thread, const void *address, uint32_t site);
bool threads_acquired(unsigned thread, uint32_t sequence, uint32_t when, const void *word);
bool threads_heard_of(unsigned thread, uint32_t sequence, uint32_t when, const void *word);
bool threads_may_release(void);

#endif
