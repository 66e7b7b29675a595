// What sort and its fast kernels share: records, the digits of a key, and sums over a block.
#pragma once
#include <stddef.h>
#include <stdint.h>

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int MAX_WARPS = 32; // of a block

// Keys, and a value beside each. Where keys are sorted alone, `values` is NULL.
struct Records
{
    uint32_t *keys, *values;
};

// A key of 32 bits has four digits, each of them 0 ... 255. The lowest one has the number 0.
const int DIGIT_BITS = 8;
const int DIGITS = 1 << DIGIT_BITS; // different ones
const int PASSES = 32 / DIGIT_BITS;

__host__ __device__ inline int digit_of(uint32_t key, int number)
{
    return key >> number * DIGIT_BITS & (DIGITS - 1);
}

// Fills the end of the last tile. As its digits are all 255, and as it comes last, a stable sort
// leaves it behind all keys of the array. So it never moves another key, and is not stored.
const uint32_t LAST_KEY = 0xffffffff;

// The sum of `own` of the block's threads up to this one, as in the program scan. `total`, if it is
// not NULL, gets that of all threads. To be called by all threads of the block, which has whole
// warps.
__device__ inline uint32_t scan_block(uint32_t own, uint32_t *total)
{
    __shared__ uint32_t s_sums[MAX_WARPS];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const int num_warps = blockDim.x / WARP_SIZE;
    for (int offset = 1; offset < WARP_SIZE; offset *= 2)
    {
        const uint32_t left = __shfl_up_sync(FULL_MASK, own, offset);
        own += lane >= offset ? left : 0;
    }
    if (lane == WARP_SIZE - 1)
    {
        s_sums[warp] = own;
    }
    __syncthreads();
    uint32_t sum = 0; // of the warps before
    for (int i = 0; i < num_warps; ++i)
    {
        own += i == warp ? sum : 0;
        sum += s_sums[i];
    }
    if (total != NULL)
    {
        *total = sum;
    }
    __syncthreads(); // all have read s_sums before another call writes to it
    return own;
}
