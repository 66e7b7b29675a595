// Exchanges between the lanes of a warp: shuffles, votes, matches, __syncwarp.
#ifndef CUDACPU_WARP_H
#define CUDACPU_WARP_H
#include "base.h"

// A part of Worker. When all lanes have come, their values are copied into a record. Each lane
// holds the record until it comes to its next exchange. A lane holds at most one, so 32 records for
// a warp are enough.
typedef struct Exchange
{
    uint32_t at[MAX_WARPS];              // threads at a warp-level operation, ...
    uint32_t mask[MAX_BLOCK_THREADS];    // ... the lanes each of them waits for,
    uint64_t brought[MAX_BLOCK_THREADS]; // ... and what each brought there

    uint64_t record[MAX_WARPS][WARP_SIZE][WARP_SIZE];
    uint64_t outcome[MAX_WARPS]
                    [WARP_SIZE]; // the lanes that came, and a bit for each value not zero
    uint32_t holders[MAX_WARPS][WARP_SIZE]; // the lanes that hold a record
    uint32_t free_records[MAX_WARPS];
    unsigned char record_of[MAX_BLOCK_THREADS];
    unsigned num_releases[MAX_WARPS]; // so often have lanes come together
} Exchange;

struct Worker;
void warp_release_rest(struct Worker *worker, unsigned warp);

#endif
