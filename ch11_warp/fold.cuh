// The three levels of a reduction: what a thread, a block and the grid put together. They work for
// any type of 4 or 8 bytes and for any operator whose operands may come in any order. None of them
// needs a neutral element, as 0 is for a sum.
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

// ---- A thread's part --------------------------------------------------------------------------

// 16 bytes, the most that one instruction loads up to compute capability 9.0.
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

// Starts to bring what lies at `place` into the L2 cache, and does not wait for it.
__device__ inline void prefetch_l2(const void *place)
{
#if ON_GPU
    asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
#else
    (void)place;
#endif
}

// Returns y op map(x[n]) op map(x[n']) ... for this thread's share of x. Each element of x belongs
// to the share of one thread of the grid. Consecutive threads load consecutive packs of 16 bytes.
//
// A thread starts COUNT loads before it uses the first. With one load at a time too few bytes would
// be on their way to keep the memory busy. __ldcs tells the caches that no element is read again.
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
    for (; n < num_packs; n += stride) // the last packs, which are less than COUNT for a thread
    {
        Pack<T> pack;
        pack.bits = packs[n];
        y = op(y, fold_pack<R>(pack, op, map));
    }
    return first < N % width ? op(y, (R)map(x[num_packs * width + first])) : y;
}

// ---- A block's part ---------------------------------------------------------------------------

// The first `active` lanes of the warp have a y each. Lane 0 returns the result of all of them.
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

// The first `active` threads of the block have a y each. Thread 0 returns the result of all of
// them. Each warp folds its own numbers by shuffles. After a barrier warp 0 folds the results of
// the warps. The block consists of whole warps. Before it calls this again, it needs a
// __syncthreads().
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

// ---- The grid's part --------------------------------------------------------------------------

// A slot takes the result of one block to the last block. Each word of a slot has 32 bits of the
// result and a flag beside them. A word is stored and loaded as a whole: a thread that sees the
// flag has the bits, too. So no fence is needed, which would wait for the L2 cache. All words of a
// slot are zero before the first use.
template <typename T>
struct Slot
{
    unsigned long long words[sizeof(T) / 4];
};

template <typename T>
union Words
{
    T value;
    uint32_t words[sizeof(T) / 4];
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

// Thread 0 of each block has a y. Thread 0 of the last block returns the result of all of them. The
// order of the operands is always the same.
//
// The last block waits for the other blocks. They wait for no block, so each of them runs to its
// end as long as the device has room for a second block.
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

// A slot that is not empty after a launch would give its old value to the next launch.
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
