// What histogram counts, and what it takes to let a kernel do it: keys of four distributions, the
// reference, launches, the check.
#pragma once
#include <algorithm>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/versions.cuh"
#if ON_GPU
#include <cub/device/device_histogram.cuh>
#endif

const size_t MAX_BINS = 1 << 20;
const size_t SHARED_BYTES = 48 * 1024; // what any block may have; for more it must ask

struct Problem
{
    size_t N, bins, multiprocessors;
    unsigned int block_size;
    uint32_t *h_keys, *d_keys;
    unsigned int *h_counts, *d_counts, *reference; // as many as MAX_BINS; on the device one more
    void *d_work;                                  // CUB's
    size_t work_bytes;
};

// The range of a key is cut into equal bins, of any number: no division, no modulo.
__host__ __device__ inline unsigned int bin_of(uint32_t key, unsigned int bins)
{
    return (uint64_t)key * bins >> 32;
}

// ---- Keys ----

inline uint32_t random_key(size_t n, size_t, uint64_t seed)
{
    return (uint32_t)(hash_bits(seed, n) >> 32);
}

// Up to the largest there is.
inline uint32_t sorted_key(size_t n, size_t N, uint64_t seed)
{
    const uint64_t key = (((uint64_t)n << 32) + random_key(n, N, seed)) / N;
    return n + 1 < N ? (uint32_t)key : UINT32_MAX;
}

// The sixth power of a number from 0 to 1: of 256 bins the first gets four keys in ten.
inline uint32_t skewed_key(size_t n, size_t, uint64_t seed)
{
    const double u = random_unit(seed, n), cube = u * u * u;
    return (uint32_t)(cube * cube * 4294967296.0);
}

// All in one bin: of 256 the last one, of 65536 the last but one.
inline uint32_t constant_key(size_t, size_t, uint64_t)
{
    return 0xfffe0000;
}

struct Distribution
{
    const char *name;
    uint32_t (*key)(size_t n, size_t N, uint64_t seed);
};

const Distribution distributions[] = {
    {"random", random_key},
    {"sorted", sorted_key},
    {"skewed", skewed_key},
    {"constant", constant_key},
};

inline bool is_known(const char *data)
{
    bool known = strcmp(data, "all") == 0;
    for (const Distribution &distribution : distributions)
    {
        known = known || strcmp(data, distribution.name) == 0;
    }
    return known;
}

// In double, exact with up to 2^20 bins.
inline void count_reference(Problem *p)
{
    std::fill_n(p->reference, p->bins, 0u);
    for (size_t n = 0; n < p->N; ++n)
    {
        ++p->reference[(size_t)((double)p->h_keys[n] * p->bins / 4294967296.0)];
    }
}

// ---- On the device ----

// The thread's share of the keys: first vectors of four, `COUNT` asked for before any is used, so
// that the memory has enough to do; then the N % 4 keys that make no vector.
template <int COUNT, typename Four, typename One>
__device__ void for_keys(const uint32_t *keys, size_t N, Four four, One one)
{
    const uint4 *vectors = (const uint4 *)keys;
    const unsigned int num_vectors = N / 4; // of at most 2^32 keys
    const unsigned int first = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int stride = gridDim.x * blockDim.x;
    unsigned int i = first;
    for (; i + (COUNT - 1) * stride < num_vectors; i += COUNT * stride)
    {
        uint4 v[COUNT];
#pragma unroll
        for (int c = 0; c < COUNT; ++c)
        {
            v[c] = vectors[i + c * stride];
        }
#pragma unroll
        for (int c = 0; c < COUNT; ++c)
        {
            four(v[c]);
        }
    }
    for (; i < num_vectors; i += stride)
    {
        four(vectors[i]);
    }
    for (size_t n = N - N % 4 + first; n < N; n += stride)
    {
        one(keys[n]);
    }
}

inline size_t shared_bytes(const Problem *p, size_t copies)
{
    return copies * (p->bins + 1) * sizeof(unsigned int);
}

inline size_t packed_bytes(const Problem *p)
{
    return (p->bins + 1) / 2 * sizeof(unsigned int);
}

// For each warp, or as many as there is room for.
inline unsigned int num_copies(const Problem *p)
{
    const size_t fit = SHARED_BYTES / shared_bytes(p, 1), warps = (p->block_size + 31) / 32;
    return (unsigned int)std::max((size_t)1, std::min(fit, warps));
}

// With as many blocks as run at once, or fewer: for each count that a block has to clear first and
// to add up in the end, it should have eight keys.
template <typename Kernel, typename... More>
void launch(Problem *p, Kernel kernel, size_t bytes, More... more)
{
    CHECK(cudaMemsetAsync(p->d_counts, 0, (p->bins + 1) * sizeof(unsigned int)));
    if (bytes > SHARED_BYTES)
    {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    }
    int blocks;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, p->block_size, bytes));
    const size_t keys = std::max((size_t)p->block_size, bytes > 0 ? 8 * p->bins : 0);
    const size_t needed = (p->N + keys - 1) / keys;
    const unsigned int grid_size = std::min(needed, blocks * p->multiprocessors);
    kernel<<<grid_size, p->block_size, bytes>>>(p->d_keys, p->N, p->d_counts, (unsigned int)p->bins,
                                                more...);
}

// Equal to the reference, and nothing lost; the result in the table is the fullest bin's count.
inline Outcome check(const Problem *p, const Version<Problem> *version)
{
    check_elements(version->name, p->h_counts, p->reference, p->bins);
    size_t sum = 0;
    for (size_t bin = 0; bin < p->bins; ++bin)
    {
        sum += p->h_counts[bin];
    }
    check_true("the counts add up to N", sum == p->N);
    return {(double)*std::max_element(p->h_counts, p->h_counts + p->bins), NAN};
}

#if ON_GPU
// Zeroes the counts by itself. The end of the last bin is 2^32, more than a uint32_t holds.
inline void library(Problem *p)
{
    CHECK(cub::DeviceHistogram::HistogramEven(p->d_work, p->work_bytes, p->d_keys, p->d_counts,
                                              (int)p->bins + 1, (uint64_t)0, (uint64_t)1 << 32,
                                              (int64_t)p->N));
}

// Called without a work area, it only says how large that must be.
inline void create_work(Problem *p)
{
    CHECK(cudaFree(p->d_work));
    p->d_work = NULL;
    library(p);
    CHECK(cudaMalloc(&p->d_work, p->work_bytes));
}
#endif

// ---- Setting up ----

inline Problem create_problem(const Args *args)
{
    if (args->N > UINT32_MAX)
    {
        usage_error(args, "-n: at most %u keys, as a count has 32 bits", UINT32_MAX);
    }
    Problem p = {};
    p.N = args->N;
    p.block_size = args->block_x;
    p.multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, 0);
    p.h_keys = (uint32_t *)malloc(p.N * sizeof(uint32_t));
    p.h_counts = (unsigned int *)malloc(MAX_BINS * sizeof(unsigned int));
    p.reference = (unsigned int *)malloc(MAX_BINS * sizeof(unsigned int));
    CHECK(cudaMalloc(&p.d_keys, p.N * sizeof(uint32_t)));
    CHECK(cudaMalloc(&p.d_counts, (MAX_BINS + 1) * sizeof(unsigned int)));
    return p;
}

inline void fill_keys(Problem *p, const Distribution *distribution, uint64_t seed)
{
    for (size_t n = 0; n < p->N; ++n)
    {
        p->h_keys[n] = distribution->key(n, p->N, seed);
    }
    CHECK(cudaMemcpy(p->d_keys, p->h_keys, p->N * sizeof(uint32_t), cudaMemcpyHostToDevice));
}

inline void free_problem(Problem *p)
{
    CHECK(cudaFree(p->d_keys));
    CHECK(cudaFree(p->d_counts));
    CHECK(cudaFree(p->d_work));
    free(p->h_keys);
    free(p->h_counts);
    free(p->reference);
}
