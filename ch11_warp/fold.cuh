// A reduction's three levels: a thread's part, a block's, the grid's; of any type of 4 or 8 bytes,
// by any operator that may take its operands in any order. No level needs a neutral element.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include "../common/compare.cuh"
#include "../common/error.cuh"

struct Plus
{
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

struct Min
{
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};

struct Max
{
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

struct Same
{
    template <typename T>
    __host__ __device__ T operator()(T x) const
    {
        return x;
    }
};

// 16 bytes, the most that one instruction loads.
template <typename T>
union Pack
{
    uint4 bits;
    T values[16 / sizeof(T)];
};

template <typename R, typename T, typename Op, typename Map>
__device__ R fold_pack(const Pack<T> &pack, Op op, Map map)
{
    R y = map(pack.values[0]);
#pragma unroll
    for (int i = 1; i < 16 / (int)sizeof(T); ++i)
    {
        y = op(y, (R)map(pack.values[i]));
    }
    return y;
}

// Asks for a place in memory to be brought into L2, and does not wait for it.
__device__ inline void prefetch_l2(const void *place)
{
#if ON_GPU
    asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
#else
    (void)place;
#endif
}

// y op map(x[n]) op map(...), with every element of x folded into some thread's y. The grid walks
// through x with COUNT loads of 16 bytes under way in each thread before the first is awaited: with
// one alone, too few bytes would be on their way to keep the memory busy. Consecutive threads load
// consecutive packs, and `cs` tells the caches that nothing will be read again.
template <int COUNT, bool PREFETCH = false, typename R, typename T, typename Op, typename Map>
__device__ R fold_vectors(R y, const T *x, size_t N, Op op, Map map)
{
    const size_t width = 16 / sizeof(T), num_packs = N / width;
    const size_t first = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t stride = (size_t)blockDim.x * gridDim.x;
    const uint4 *packs = (const uint4 *)x; // aligned to 16 bytes
    size_t n = first;
    for (; n + (COUNT - 1) * stride < num_packs; n += COUNT * stride)
    {
        Pack<T> pack[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i)
        {
            pack[i].bits = __ldcs(&packs[n + i * stride]);
            if (PREFETCH && n + (COUNT + i) * stride < num_packs)
            {
                prefetch_l2(&packs[n + (COUNT + i) * stride]);
            }
        }
#pragma unroll
        for (int i = 0; i < COUNT; ++i)
        {
            y = op(y, fold_pack<R>(pack[i], op, map));
        }
    }
    for (; n < num_packs; n += stride)
    {
        Pack<T> pack;
        pack.bits = packs[n];
        y = op(y, fold_pack<R>(pack, op, map));
    }
    return first < N % width ? op(y, (R)map(x[num_packs * width + first])) : y;
}

// The first `active` lanes of the warp have a y each. Lane 0 gets all of them.
template <typename R, typename Op>
__device__ R fold_warp(R y, int active, Op op)
{
    const int lane = threadIdx.x % 32;
    for (int offset = 16; offset > 0; offset >>= 1)
    {
        const R other = __shfl_down_sync(0xffffffff, y, offset);
        y = lane + offset < active ? op(y, other) : y;
    }
    return y;
}

// The first `active` threads of the block, of whole warps, have a y each. Thread 0 gets all of
// them: one round of shuffles in each warp, one barrier, and one round for what the warps found.
// Between two calls the block has to meet.
template <typename R, typename Op>
__device__ R fold_block(R y, int active, Op op)
{
    __shared__ R s_y[32];
    const int tid = threadIdx.x, warps = (active + 31) / 32;
    y = fold_warp(y, active - tid / 32 * 32, op);
    if (tid % 32 == 0)
    {
        s_y[tid / 32] = y;
    }
    __syncthreads();
    return tid < 32 ? fold_warp(tid < warps ? s_y[tid] : y, warps, op) : y;
}

// What a block has for the last one: words of 32 bits of it beside a flag, each written and read
// as a whole. Whoever sees the flag has the bits: no fence is needed, nor its wait for the L2
// cache. A slot is zero before its first use.
template <typename T>
union Words
{
    T value;
    uint32_t words[sizeof(T) / 4];
};

template <typename T>
struct Slot
{
    unsigned long long words[sizeof(T) / 4];
};

template <typename T>
__device__ void post(Slot<T> *slot, T value)
{
    Words<T> bits;
    bits.value = value;
    for (int i = 0; i < (int)sizeof(T) / 4; ++i)
    {
        *(volatile unsigned long long *)&slot->words[i] = 1ull << 32 | bits.words[i];
    }
}

// Waits for the value, and empties the slot for the next launch.
template <typename T>
__device__ T collect(Slot<T> *slot)
{
    Words<T> bits;
    for (int i = 0; i < (int)sizeof(T) / 4; ++i)
    {
        volatile unsigned long long *word = &slot->words[i];
        unsigned long long seen;
        while ((seen = *word) >> 32 == 0)
        {
        }
        bits.words[i] = (uint32_t)seen;
        *word = 0;
    }
    return bits.value;
}

// All slots have to be empty again, or the next launch takes this one's values for its own.
inline void check_emptied(const void *d_slots, size_t bytes)
{
    unsigned char *slots = (unsigned char *)malloc(bytes);
    CHECK(cudaMemcpy(slots, d_slots, bytes, cudaMemcpyDeviceToHost));
    size_t filled = 0;
    for (size_t i = 0; i < bytes; ++i)
    {
        filled += slots[i] != 0;
    }
    check_true("the slots are empty after the last launch", filled == 0);
    free(slots);
}

// Thread 0 of each block has a y. The last block's gets all of them, always in the same order. It
// may wait for the others, who wait for nobody: they come to their turn whatever it does, as long
// as the device has room for a second block.
template <typename R, typename Op>
__device__ R fold_grid(R y, Slot<R> *slots, Op op)
{
    const unsigned int tid = threadIdx.x, others = gridDim.x - 1;
    if (blockIdx.x < others)
    {
        if (tid == 0)
        {
            post(&slots[blockIdx.x], y);
        }
        return y;
    }
    for (unsigned int i = tid; i < others; i += blockDim.x)
    {
        const R other = collect(&slots[i]);
        y = i == tid && tid > 0 ? other : op(y, other);
    }
    __syncthreads();
    return others > 0 ? fold_block(y, others < blockDim.x ? others : blockDim.x, op) : y;
}
