// Beyond one addition a key: 16 bytes a load, equal bins that follow each other added at once, two
// counts in a word, and CUB.
#pragma once
#include <stdint.h>
#include "../common/error.cuh"
#if ON_GPU
#include <cub/device/device_histogram.cuh>
#endif

__host__ __device__ unsigned int bin_of(uint32_t key, unsigned int bins); // in histogram.cu

// Adds four keys. Keys that follow each other in one bin are one addition.
__device__ void add_runs(unsigned int *d_counts, uint4 keys, unsigned int bins)
{
    const unsigned int bin[4] = {bin_of(keys.x, bins), bin_of(keys.y, bins), bin_of(keys.z, bins),
                                 bin_of(keys.w, bins)};
    unsigned int times = 1;
#pragma unroll
    for (int i = 1; i < 4; ++i)
    {
        if (bin[i] != bin[i - 1])
        {
            atomicAdd(&d_counts[bin[i - 1]], times);
            times = 0;
        }
        ++times;
    }
    atomicAdd(&d_counts[bin[3]], times);
}

// Of sorted keys, most neighbours are in the same bin: four additions become one. Random keys gain
// next to nothing.
__global__ void count_runs(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                           unsigned int bins)
{
    const uint4 *vectors = (const uint4 *)d_keys;
    const unsigned int num_vectors = N / 4; // of at most 2^32 keys
    const unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int stride = gridDim.x * blockDim.x;
    for (unsigned int i = first; i < num_vectors; i += stride)
    {
        add_runs(d_counts, vectors[i], bins);
    }
    for (size_t n = N - N % 4 + first; n < N; n += stride) // the N % 4 keys that are left over
    {
        atomicAdd(&d_counts[bin_of(d_keys[n], bins)], 1);
    }
}

__device__ void add_four(unsigned int *s_counts, uint4 keys, unsigned int bins)
{
    atomicAdd(&s_counts[bin_of(keys.x, bins)], 1);
    atomicAdd(&s_counts[bin_of(keys.y, bins)], 1);
    atomicAdd(&s_counts[bin_of(keys.z, bins)], 1);
    atomicAdd(&s_counts[bin_of(keys.w, bins)], 1);
}

// count_copies with larger loads. Counting in shared memory is so fast that the loads have become
// the bottleneck. So a thread loads four vectors before it uses the first of them.
__global__ void count_vectors(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                              unsigned int bins, unsigned int copies)
{
    extern __shared__ unsigned int s_counts[];
    for (unsigned int i = threadIdx.x; i < copies * (bins + 1); i += blockDim.x)
    {
        s_counts[i] = 0;
    }
    __syncthreads();

    unsigned int *mine = s_counts + threadIdx.x / warpSize % copies * (bins + 1);
    const uint4 *vectors = (const uint4 *)d_keys;
    const unsigned int num_vectors = N / 4; // of at most 2^32 keys
    const unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int stride = gridDim.x * blockDim.x;
    unsigned int i = first;
    for (; i + 3 * stride < num_vectors; i += 4 * stride)
    {
        uint4 v[4];
#pragma unroll
        for (int c = 0; c < 4; ++c)
        {
            v[c] = vectors[i + c * stride];
        }
#pragma unroll
        for (int c = 0; c < 4; ++c)
        {
            add_four(mine, v[c], bins);
        }
    }
    for (; i < num_vectors; i += stride)
    {
        add_four(mine, vectors[i], bins);
    }
    for (size_t n = N - N % 4 + first; n < N; n += stride) // the N % 4 keys that are left over
    {
        atomicAdd(&mine[bin_of(d_keys[n], bins)], 1);
    }
    __syncthreads();

    for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    {
        unsigned int sum = 0;
        for (unsigned int copy = 0; copy < copies; ++copy)
        {
            sum += s_counts[copy * (bins + 1) + bin];
        }
        if (sum > 0)
        {
            atomicAdd(&d_counts[bin], sum);
        }
    }
}

// A word has two counts of 16 bits: of an even bin below, of an odd bin above.
__device__ unsigned int times_in_word(unsigned int bin, unsigned int times)
{
    return bin % 2 == 0 ? times : times << 16;
}

// A lower count that overflows carries 1 into the upper count. An upper count that overflows loses
// the carry. The value that atomicAdd returns tells exactly one thread of each overflow. That
// thread corrects d_counts, so no key is lost, however often counts overflow and in whatever order.
__device__ void correct_overflow(unsigned int *d_counts, unsigned int bin, unsigned int old,
                                 unsigned int times)
{
    if (bin % 2 == 0 && (old & 0xffff) + times > 0xffff)
    {
        atomicAdd(&d_counts[bin], 0x10000);
        atomicSub(&d_counts[bin + 1], 1);
    }
    if (old + times_in_word(bin, times) < old)
    {
        atomicAdd(&d_counts[bin | 1], 0x10000);
    }
}

__device__ void add_packed(unsigned int *s_counts, unsigned int *d_counts, unsigned int bin,
                           unsigned int times)
{
    const unsigned int old = atomicAdd(&s_counts[bin / 2], times_in_word(bin, times));
    correct_overflow(d_counts, bin, old, times);
}

// As add_runs, with two counts in a word. Where no lane has two equal bins side by side, the four
// additions of a lane do not depend on each other. Then all of them are under way before the first
// one's result is looked at. Asked are the lanes that happen to run together: both ways are right,
// so it does not matter which they are.
__device__ void add_packed_runs(unsigned int *s_counts, unsigned int *d_counts, uint4 keys,
                                unsigned int bins)
{
    const unsigned int bin[4] = {bin_of(keys.x, bins), bin_of(keys.y, bins), bin_of(keys.z, bins),
                                 bin_of(keys.w, bins)};
    const bool has_runs = bin[0] == bin[1] || bin[1] == bin[2] || bin[2] == bin[3];
    if (!__any_sync(__activemask(), has_runs))
    {
        unsigned int old[4];
#pragma unroll
        for (int i = 0; i < 4; ++i)
        {
            old[i] = atomicAdd(&s_counts[bin[i] / 2], times_in_word(bin[i], 1));
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
        {
            correct_overflow(d_counts, bin[i], old[i], 1);
        }
        return;
    }
    unsigned int times = 1;
#pragma unroll
    for (int i = 1; i < 4; ++i)
    {
        if (bin[i] != bin[i - 1])
        {
            add_packed(s_counts, d_counts, bin[i - 1], times);
            times = 0;
        }
        ++times;
    }
    add_packed(s_counts, d_counts, bin[3], times);
}

__global__ void count_packed(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                             unsigned int bins)
{
    extern __shared__ unsigned int s_counts[];
    const unsigned int words = (bins + 1) / 2;
    for (unsigned int i = threadIdx.x; i < words; i += blockDim.x)
    {
        s_counts[i] = 0;
    }
    __syncthreads();

    const uint4 *vectors = (const uint4 *)d_keys;
    const unsigned int num_vectors = N / 4; // of at most 2^32 keys
    const unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int stride = gridDim.x * blockDim.x;
    unsigned int i = first;
    for (; i + 3 * stride < num_vectors; i += 4 * stride)
    {
        uint4 v[4];
#pragma unroll
        for (int c = 0; c < 4; ++c)
        {
            v[c] = vectors[i + c * stride];
        }
#pragma unroll
        for (int c = 0; c < 4; ++c)
        {
            add_packed_runs(s_counts, d_counts, v[c], bins);
        }
    }
    for (; i < num_vectors; i += stride)
    {
        add_packed_runs(s_counts, d_counts, vectors[i], bins);
    }
    for (size_t n = N - N % 4 + first; n < N; n += stride) // the N % 4 keys that are left over
    {
        add_packed(s_counts, d_counts, bin_of(d_keys[n], bins), 1);
    }
    __syncthreads();

    for (unsigned int bin = threadIdx.x; bin < 2 * words; bin += blockDim.x)
    {
        const unsigned int count = s_counts[bin / 2] >> (bin % 2 * 16) & 0xffff;
        if (count > 0)
        {
            atomicAdd(&d_counts[bin], count);
        }
    }
}

#if ON_GPU
// Sets the counts to 0 by itself. If d_work is NULL, it only sets *work_bytes to what it needs. The
// end of the last bin is 2^32, more than a uint32_t holds.
inline void count_cub(void *d_work, size_t *work_bytes, const uint32_t *d_keys, size_t N,
                      unsigned int *d_counts, unsigned int bins)
{
    CHECK(cub::DeviceHistogram::HistogramEven(d_work, *work_bytes, d_keys, d_counts, (int)bins + 1,
                                              (uint64_t)0, (uint64_t)1 << 32, (int64_t)N));
}

inline size_t bytes_for_cub(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                            unsigned int bins)
{
    size_t bytes;
    count_cub(NULL, &bytes, d_keys, N, d_counts, bins);
    return bytes;
}
#else
inline size_t bytes_for_cub(const uint32_t *, size_t, unsigned int *, unsigned int) { return 0; }
#endif
