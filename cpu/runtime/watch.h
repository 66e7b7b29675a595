// The watch over the workers.
#ifndef CUDACPU_WATCH_H
#define CUDACPU_WATCH_H
#include "base.h"

#define WATCH_SIGNAL SIGURG // which programs ignore unless they ask for it

// A part of Worker: the states in which the watch has found its block. The worker writes it, and
// the watch reads it.
enum
{
    STATES_KEPT = 1 << 15
};
typedef struct Repeats
{
    uint64_t states[STATES_KEPT]; // a hash table; 0 is a free place
    unsigned count;
    uint64_t block;               // num_blocks_run at that time
    double started;               // when the block was first seen
    double since;                 // since then ...
    unsigned seen, new;           // ... so many states, and so many new ones
    atomic_bool spins;            // a state came back lately
    atomic_bool suspicious;       // nearly all of them have come back
    atomic_bool never_ends;       // this has been proved
    bool noticed;                 // the block has been spoken of
    atomic_uint attempt;          // the watch's attempt at a proof that these belong to:
    uint32_t circling[MAX_WARPS]; // threads found twice in exactly the same state,
    unsigned num_held, num_spins; // ticks for which the thread has kept its turn; see watch.c
    bool is_still;                // found in one state only meanwhile
    double cpu_seconds;           // of the OS thread when that began
    double cpu_started;           // and when the block was first seen
    uint64_t last_state[MAX_BLOCK_THREADS]; // 0: none in this attempt
    uint64_t waits_as[MAX_BLOCK_THREADS];   // and what those stand on that have not moved
    unsigned num_clock_reads;               // when the attempt began
    void *pc[MAX_BLOCK_THREADS];            // where each thread was found last
} Repeats;

struct Worker;
struct Launch;
void watch_add(struct Worker *worker);
void watch_start(void (*call_helpers)(struct Launch *launch), bool (*only_kernels_run)(void));

#endif
