// histogram: how many keys are in each bin: what it takes when all threads add to the same few
// numbers
//
// From:    section 10.2, and beyond the book
// Compile: nvcc -O3 histogram.cu
// Run:     ./a.out -n 134217728 --bins 256
// Options: -n N -b B -r R -s S -k NAME --csv --bins N --data WORD
// Chinese: 直方图：统计各个区间中数的个数，所有线程都往少数几个数上累加时该怎么办
// Versions:
//   cpu      one loop
//   global   an atomicAdd in global memory for each key
//   shared   each block counts in shared memory and adds its counts up once, at its end
//   copies   the same, with counts of its own for each warp
//   runs     global memory, 16 bytes a load; one addition for keys that follow each other in a bin
//   vectors  copies, and four loads of 16 bytes under way in each thread
//   packed   runs in shared memory, with two counts in a word, so that 65536 bins have room there
//   cub      the library (needs a GPU)
// Also:    -n 1000 -r 2 --bins 7; -n 1000 -r 2 --bins 1048576
// Checks:  176 (208 on a GPU)
//
// There are tables for random, sorted, skewed and constant keys, with 256 and with 65536 bins.
// No version is the best in all of them. --data and --bins choose a table.

#include <algorithm>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/versions_old.cuh"
#include "histogram_fast.cuh"

const size_t MAX_BINS = 1 << 20;
const size_t SHARED_BYTES = 48 * 1024; // any block may have this much; for more a kernel must ask

// The bins are equal parts of the range of a key. This takes no division.
__host__ __device__ unsigned int bin_of(uint32_t key, unsigned int bins)
{
    return (uint64_t)key * bins >> 32;
}

// The reference computes the bin another way, in double. That is exact with up to 2^20 bins.
void count_reference(const uint32_t *h_keys, size_t N, unsigned int *counts, unsigned int bins)
{
    std::fill_n(counts, bins, 0u);
    for (size_t n = 0; n < N; ++n)
    {
        ++counts[(size_t)((double)h_keys[n] * bins / 4294967296.0)];
    }
}

void count_on_host(const uint32_t *h_keys, size_t N, unsigned int *h_counts, unsigned int bins)
{
    std::fill_n(h_counts, bins, 0u);
    for (size_t n = 0; n < N; ++n)
    {
        ++h_counts[bin_of(h_keys[n], bins)];
    }
}

// ---- The kernels ----

// The L2 cache does the atomics on global memory: many at the same time, but those on one address
// one after the other. The fewer bins there are, the more threads wait for the same address.
__global__ void count_global(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                             unsigned int bins)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        atomicAdd(&d_counts[bin_of(d_keys[n], bins)], 1);
    }
}

// Each block counts in shared memory, and at its end adds its counts to those of all blocks. So
// only the threads of one block wait for each other, and the multiprocessor does their atomics
// itself. If many lanes of a warp add to one address, it can combine them into one addition. It may
// do so because all of them add 1, and because the kernel does not use the value returned.
__global__ void count_shared(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                             unsigned int bins)
{
    extern __shared__ unsigned int s_counts[];
    for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    {
        s_counts[bin] = 0;
    }
    __syncthreads();

    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        atomicAdd(&s_counts[bin_of(d_keys[n], bins)], 1);
    }
    __syncthreads();

    for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    {
        if (s_counts[bin] > 0)
        {
            atomicAdd(&d_counts[bin], s_counts[bin]);
        }
    }
}

// Each warp of the block has a copy of the counts, or some warps share one if there is room for
// fewer. A copy has one word more than bins: otherwise, if the number of bins is a multiple of 32,
// the same bin of all copies would lie in the same bank.
__global__ void count_copies(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                             unsigned int bins, unsigned int copies)
{
    extern __shared__ unsigned int s_counts[];
    for (unsigned int i = threadIdx.x; i < copies * (bins + 1); i += blockDim.x)
    {
        s_counts[i] = 0;
    }
    __syncthreads();

    unsigned int *mine = s_counts + threadIdx.x / warpSize % copies * (bins + 1);
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
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

// ---- Keys: key n of N ----

uint32_t random_key(size_t n, size_t, uint64_t seed)
{
    return (uint32_t)(hash_bits(seed, n) >> 32);
}

// Rising, up to the largest key there is.
uint32_t sorted_key(size_t n, size_t N, uint64_t seed)
{
    const uint64_t key = (((uint64_t)n << 32) + random_key(n, N, seed)) / N;
    return n + 1 < N ? (uint32_t)key : UINT32_MAX;
}

// The sixth power of a number from 0 to 1. The first of 256 bins gets four of ten keys.
uint32_t skewed_key(size_t n, size_t, uint64_t seed)
{
    const double u = random_unit(seed, n), cube = u * u * u;
    return (uint32_t)(cube * cube * 4294967296.0);
}

// All keys in one bin: the last of 256, or the last but one of 65536.
uint32_t constant_key(size_t, size_t, uint64_t)
{
    return 0xfffe0000;
}

const struct
{
    const char *name;
    uint32_t (*key)(size_t n, size_t N, uint64_t seed);
} DISTRIBUTIONS[] = {
    {"random", random_key},
    {"sorted", sorted_key},
    {"skewed", skewed_key},
    {"constant", constant_key},
};

int main(int argc, char **argv)
{
    size_t N = 0, block_size = 0, counts_bytes = 0;
    unsigned int bins = 0, copies = 0;
    size_t room = 0; // shared memory that a block may ask for
    size_t multiprocessors = 0;
    uint32_t *h_keys = NULL, *d_keys = NULL;
    unsigned int *h_counts = NULL, *d_counts = NULL;

    // As many blocks as run at the same time, or fewer if there are few keys. A block that counts
    // in shared memory should have eight keys for each count that it sets to 0 and adds up.
    const auto grid_size = [&](auto kernel, size_t shared_bytes)
    {
        if (shared_bytes > SHARED_BYTES)
        {
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       shared_bytes));
        }
        int blocks;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size,
                                                            shared_bytes));
        const size_t keys = std::max(block_size, shared_bytes > 0 ? 8 * (size_t)bins : 0);
        return (unsigned int)std::min((N + keys - 1) / keys, blocks * multiprocessors);
    };
    const auto clear = [&]
    {
        CHECK(cudaMemsetAsync(d_counts, 0, counts_bytes));
    };
    const auto one_copy = [&]
    {
        return (bins + 1) * sizeof(unsigned int);
    };
    const auto packed = [&]
    {
        return (bins + 1) / 2 * sizeof(unsigned int);
    };
    const auto one_copy_fits = [&]
    {
        return one_copy() <= room;
    };
#if ON_GPU
    void *d_work = NULL; // CUB's
    size_t work_bytes = 0;
#endif
    const Version versions[] = {
        on_host("cpu", [&] { count_on_host(h_keys, N, h_counts, bins); }),
        on_device("global",
                  [&]
                  {
                      clear();
                      count_global<<<grid_size(count_global, 0), block_size>>>(d_keys, N, d_counts,
                                                                               bins);
                  }),
        on_device("shared",
                  [&]
                  {
                      clear();
                      const size_t bytes = bins * sizeof(unsigned int);
                      count_shared<<<grid_size(count_shared, bytes), block_size, bytes>>>(
                          d_keys, N, d_counts, bins);
                  })
            .only_if(one_copy_fits, "fewer bins"),
        on_device("copies",
                  [&]
                  {
                      clear();
                      const size_t bytes = copies * one_copy();
                      count_copies<<<grid_size(count_copies, bytes), block_size, bytes>>>(
                          d_keys, N, d_counts, bins, copies);
                  })
            .only_if(one_copy_fits, "fewer bins"),
        on_device("runs",
                  [&]
                  {
                      clear();
                      count_runs<<<grid_size(count_runs, 0), block_size>>>(d_keys, N, d_counts,
                                                                           bins);
                  }),
        on_device("vectors",
                  [&]
                  {
                      clear();
                      const size_t bytes = copies * one_copy();
                      count_vectors<<<grid_size(count_vectors, bytes), block_size, bytes>>>(
                          d_keys, N, d_counts, bins, copies);
                  })
            .only_if(one_copy_fits, "fewer bins"),
        on_device("packed",
                  [&]
                  {
                      clear();
                      count_packed<<<grid_size(count_packed, packed()), block_size, packed()>>>(
                          d_keys, N, d_counts, bins);
                  })
            .only_if([&] { return packed() <= room; }, "fewer bins"),
#if ON_GPU
        on_device("cub", [&] { count_cub(d_work, &work_bytes, d_keys, N, d_counts, bins); }),
#else
        skipped("cub", "CUB"),
#endif
    };

    size_t asked_bins = 0;
    const char *data = "all";
    Args args;
    args.N = default_size(1 << 25, 1 << 17);
    args.block_x = 1024;
    args.bytes_per_element = sizeof(uint32_t);
    args.versions = version_names(versions);
    add_number(&args, "bins", &asked_bins, 0, MAX_BINS, "into how many bins; 0: 256, then 65536");
    add_choice(&args, "data", &data, "random sorted skewed constant all",
               "random, sorted, skewed or constant keys, or all");
    parse_args(&args, argc, argv, "-n N -b B -r R -s S -k NAME --csv [--bins N] [--data WORD]",
               "histogram: how many keys are in each bin: what it takes when all threads add to "
               "the same few numbers");
    if (args.N > UINT32_MAX)
    {
        usage_error(&args, "-n: at most %u keys, as a count has 32 bits", UINT32_MAX);
    }
    N = args.N;
    block_size = args.block_x;
    room = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, 0);
    h_keys = (uint32_t *)malloc(N * sizeof(uint32_t));
    h_counts = (unsigned int *)malloc(MAX_BINS * sizeof(unsigned int));
    unsigned int *reference = (unsigned int *)malloc(MAX_BINS * sizeof(unsigned int));
    CHECK(cudaMalloc(&d_keys, N * sizeof(uint32_t)));
    CHECK(cudaMalloc(&d_counts, (MAX_BINS + 1) * sizeof(unsigned int)));

    Ladder ladder;
    // The counts are those of the reference, and no key is lost. The result is the largest count.
    ladder.check = [&]
    {
        check_elements(ladder.checking, h_counts, reference, bins);
        size_t sum = 0;
        for (unsigned int bin = 0; bin < bins; ++bin)
        {
            sum += h_counts[bin];
        }
        check_true("the counts add up to N", sum == N);
        ladder.result = (double)*std::max_element(h_counts, h_counts + bins);
    };
    ladder.bytes = (double)N * sizeof(uint32_t);
    ladder.ceiling = READ_CEILING;

    for (const auto &distribution : DISTRIBUTIONS)
    {
        if (strcmp(data, "all") != 0 && strcmp(data, distribution.name) != 0)
        {
            continue;
        }
        for (size_t n = 0; n < N; ++n)
        {
            h_keys[n] = distribution.key(n, N, args.seed);
        }
        CHECK(cudaMemcpy(d_keys, h_keys, N * sizeof(uint32_t), cudaMemcpyHostToDevice));
        for (const size_t usual_bins : {256, 65536})
        {
            if (asked_bins > 0 && usual_bins != 256) // one table is enough
            {
                continue;
            }
            bins = asked_bins > 0 ? asked_bins : usual_bins;
            counts_bytes = (bins + 1) * sizeof(unsigned int); // packed may touch one more
            // A copy for each warp, or as many as fit into the memory that any block may have.
            copies =
                std::max((size_t)1, std::min(SHARED_BYTES / one_copy(), (block_size + 31) / 32));
            count_reference(h_keys, N, reference, bins);
            if (!any_can_run(&args, versions))
            {
                continue;
            }
#if ON_GPU
            CHECK(cudaFree(d_work));
            d_work = NULL;
            count_cub(d_work, &work_bytes, d_keys, N, d_counts, bins);
            CHECK(cudaMalloc(&d_work, work_bytes));
#endif
            char text[64];
            snprintf(text, sizeof(text), "%s keys, %u bins", distribution.name, bins);
            ladder.what = text;
            ladder.outputs[0] = {h_counts, d_counts, bins * sizeof(unsigned int)};
            run_versions(&args, &ladder, versions);
        }
    }

#if ON_GPU
    CHECK(cudaFree(d_work));
#endif
    CHECK(cudaFree(d_keys));
    CHECK(cudaFree(d_counts));
    free(h_keys);
    free(h_counts);
    free(reference);
    if (g_checks_run == 0)
    {
        fprintf(stderr, "%s: version %s needs a GPU, or fewer bins\n", args.program, args.version);
        return 77;
    }
    return verdict();
}
