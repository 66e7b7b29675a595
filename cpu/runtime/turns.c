// The order of blocks and warps: the usual one, the reverse, or a mixed one that a seed chooses.
#include "turns.h"

bool turns_differ, turns_mix_blocks;

enum
{
    USUAL,
    REVERSE, // each larger seed mixes
    MAX_SEED = 999999
};
static uint32_t seed;       // CUDACPU_ORDER
static bool reverses_warps; // CUDACPU_REVERSE

// Before the program's own variables are made, which may launch kernels.
static __attribute__((constructor(101))) void read_wishes(void)
{
    seed = (uint32_t)wished_number("CUDACPU_ORDER", 0, MAX_SEED, USUAL);
    reverses_warps = wished("CUDACPU_REVERSE");
    turns_mix_blocks = seed != USUAL;
    turns_differ = turns_mix_blocks || reverses_warps;
}

static uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// A permutation of the numbers below 4^half: in each round one half of the bits changes the other.
static uint64_t rounds(uint64_t x, unsigned half, uint32_t key)
{
    const uint32_t low_bits = half < 32 ? (1u << half) - 1 : UINT32_MAX;
    uint32_t low = (uint32_t)x & low_bits, high = (uint32_t)(x >> half) & low_bits;
    for (uint32_t round = 0; round < 4; ++round)
    {
        const uint32_t next = (high ^ mixed(low + mixed(key + round))) & low_bits;
        high = low;
        low = next;
    }
    return (uint64_t)high << half | low;
}

// A permutation of the numbers below `num`. What leaves them goes round again until it is back.
static uint64_t permuted(uint64_t x, uint64_t num, uint32_t key)
{
    unsigned half = 3; // with fewer bits most seeds would change little
    while (half < 32 && 1ull << 2 * half < num)
    {
        ++half;
    }
    do
    {
        x = rounds(x, half, key);
    } while (x >= num);
    return x;
}

uint64_t turns_other_block(uint64_t turn, uint64_t num_blocks)
{
    return seed == USUAL     ? turn
           : seed == REVERSE ? num_blocks - 1 - turn
                             : permuted(turn, num_blocks, seed);
}

// A warp that is not whole stays the last one.
unsigned turns_other_thread(unsigned turn, unsigned num_threads)
{
    const unsigned warp = turn / WARP_SIZE, num_whole = num_threads / WARP_SIZE;
    if (warp >= num_whole)
    {
        return turn;
    }
    const bool reverse = (seed == REVERSE) != reverses_warps;
    const unsigned mixed_warp = seed > REVERSE ? (unsigned)permuted(warp, num_whole, ~seed) : warp;
    const unsigned chosen = reverse ? num_whole - 1 - mixed_warp : mixed_warp;
    return chosen * WARP_SIZE + turn % WARP_SIZE;
}
