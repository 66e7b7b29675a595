// Lanes that keep in step at volatile shared memory.
#ifndef CUDACPU_LOCKSTEP_H
#define CUDACPU_LOCKSTEP_H
#include "base.h"

// What a lane has written last, and which synchronization it was before that.
typedef struct LaneStore
{
    const volatile void *address;
    const char *file;
    int line;
    unsigned num_barriers, num_exchanges;
    uint64_t block;
} LaneStore;

// A part of Worker.
typedef struct Lockstep
{
    LaneStore stores[MAX_BLOCK_THREADS];
    const volatile void *last_read[MAX_BLOCK_THREADS]; // NULL: it has written since
    unsigned char num_reads[MAX_BLOCK_THREADS];        // one after the other, without a write
    uint64_t block;                                    // in which these were
} Lockstep;

#endif
