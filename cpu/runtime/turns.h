// Which block, and which warp of a block, has the next turn. CUDACPU_ORDER names another order than the
// usual one. A GPU promises none.
#ifndef CUDACPU_TURNS_H
#define CUDACPU_TURNS_H
#include "base.h"

extern bool turns_differ; // from the usual order
extern bool turns_mix_blocks;

uint64_t turns_other_block(uint64_t turn, uint64_t num_blocks);
unsigned turns_other_thread(unsigned turn, unsigned num_threads);

// The block that runs at a turn, of a grid of so many.
static inline uint64_t turns_block(uint64_t turn, uint64_t num_blocks)
{
    return __builtin_expect(turns_differ, 0) ? turns_other_block(turn, num_blocks) : turn;
}

// The thread of a block, counted as threadIdx counts, that the runtime knows by this number. It
// numbers the warps as they take turns.
static inline unsigned turns_thread(unsigned turn, unsigned num_threads)
{
    return __builtin_expect(turns_differ, 0) ? turns_other_thread(turn, num_threads) : turn;
}

#endif
