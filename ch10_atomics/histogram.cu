// histogram: how many keys are in each bin: what it takes when all threads add to the same few
// numbers
//
// From:    section 10.2, and beyond the book
// Compile: nvcc -O3 histogram.cu
// Run:     ./a.out -n 134217728 --bins 256
//
// There are tables for random, sorted, skewed and constant keys, with 256 and with 65536 bins.
// No version is the best in all of them. --data and --bins choose a table.

#include <algorithm>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions_data.cuh"
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
uint32_t constant_key(size_t, size_t, uint64_t) { return 0xfffe0000; }

const struct Distribution
{
    const char *name;
    uint32_t (*key)(size_t n, size_t N, uint64_t seed);
} DISTRIBUTIONS[] = {
    {"random", random_key},
    {"sorted", sorted_key},
    {"skewed", skewed_key},
    {"constant", constant_key},
};

// ---- The launches ----

// What the versions work on.
struct Data
{
    size_t N;
    unsigned int bins, copies; // of the counts, for count_copies and count_vectors
    size_t block_size, multiprocessors;
    size_t room; // shared memory that a block may ask for
    uint32_t *h_keys, *d_keys;
    unsigned int *h_counts, *d_counts, *reference;
    void *d_work; // CUB's
    size_t work_bytes;
};

// Of shared memory: for the counts as count_shared has them, for a copy of count_copies, and for
// the words of count_packed.
size_t bytes_of_counts(const Data *data) { return data->bins * sizeof(unsigned int); }

size_t bytes_of_copy(const Data *data) { return (data->bins + 1) * sizeof(unsigned int); }

size_t bytes_of_words(const Data *data) { return (data->bins + 1) / 2 * sizeof(unsigned int); }

// As many blocks as run at the same time, or fewer if there are few keys. A block that counts in
// shared memory should have eight keys for each count that it sets to 0 and adds up.
template <typename Kernel>
unsigned int grid_size_of(Kernel kernel, size_t shared_bytes, const Data *data)
{
    if (shared_bytes > SHARED_BYTES)
    {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   shared_bytes));
    }
    int blocks;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, data->block_size,
                                                        shared_bytes));
    const size_t keys = std::max(data->block_size, shared_bytes > 0 ? 8 * (size_t)data->bins : 0);
    return (unsigned int)std::min((data->N + keys - 1) / keys, blocks * data->multiprocessors);
}

void clear_counts(const Data *data)
{
    // One count more than bins: count_packed may touch it.
    CHECK(cudaMemsetAsync(data->d_counts, 0, (data->bins + 1) * sizeof(unsigned int)));
}

typedef void (*Kernel)(const uint32_t *d_keys, size_t N, unsigned int *d_counts, unsigned int bins);

void launch(Kernel kernel, size_t shared_bytes, const Data *data)
{
    clear_counts(data);
    const unsigned int grid_size = grid_size_of(kernel, shared_bytes, data);
    kernel<<<grid_size, data->block_size, shared_bytes>>>(data->d_keys, data->N, data->d_counts,
                                                          data->bins);
}

typedef void (*CopiesKernel)(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                             unsigned int bins, unsigned int copies);

void launch_with_copies(CopiesKernel kernel, const Data *data)
{
    clear_counts(data);
    const size_t shared_bytes = data->copies * bytes_of_copy(data);
    const unsigned int grid_size = grid_size_of(kernel, shared_bytes, data);
    kernel<<<grid_size, data->block_size, shared_bytes>>>(data->d_keys, data->N, data->d_counts,
                                                          data->bins, data->copies);
}

#if ON_GPU
void launch_cub(Data *data)
{
    count_cub(data->d_work, &data->work_bytes, data->d_keys, data->N, data->d_counts, data->bins);
}
#else
void (*const launch_cub)(Data *) = NULL;
#endif

// ---- The table ----

// The counts are those of the reference, and no key is lost. The result is the largest count.
void check_counts(Table<Data> *table, const Data *data)
{
    check_elements(table->checking, data->h_counts, data->reference, data->bins);
    size_t sum = 0;
    for (unsigned int bin = 0; bin < data->bins; ++bin)
    {
        sum += data->h_counts[bin];
    }
    check_true("the counts add up to N", sum == data->N);
    table->result = *std::max_element(data->h_counts, data->h_counts + data->bins);
}

bool copy_fits(const Data *data) { return bytes_of_copy(data) <= data->room; }

bool words_fit(const Data *data) { return bytes_of_words(data) <= data->room; }

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "a loop on the host", ON_HOST,
     [](D d) { count_on_host(d->h_keys, d->N, d->h_counts, d->bins); }, check_counts},
    {"global", "an atomicAdd in global memory for each key", ON_DEVICE,
     [](D d) { launch(count_global, 0, d); }, check_counts},
    {"shared", "each block counts in shared memory and adds its counts up once, at its end",
     ON_DEVICE, [](D d) { launch(count_shared, bytes_of_counts(d), d); }, check_counts, copy_fits,
     "fewer bins"},
    {"copies", "the same, with counts of its own for each warp", ON_DEVICE,
     [](D d) { launch_with_copies(count_copies, d); }, check_counts, copy_fits, "fewer bins"},
    // The next three are in histogram_fast.cuh.
    {"runs",
     "global memory, 16 bytes a load; keys that follow each other in a bin are one addition",
     ON_DEVICE, [](D d) { launch(count_runs, 0, d); }, check_counts},
    {"vectors", "copies, and four loads of 16 bytes under way in each thread", ON_DEVICE,
     [](D d) { launch_with_copies(count_vectors, d); }, check_counts, copy_fits, "fewer bins"},
    {"packed", "runs in shared memory, with two counts in a word, so that 65536 bins have room",
     ON_DEVICE, [](D d) { launch(count_packed, bytes_of_words(d), d); }, check_counts, words_fit,
     "fewer bins"},
    {"cub", "cub::DeviceHistogram::HistogramEven", ON_DEVICE, launch_cub, check_counts, NULL,
     "a GPU"},
};

// ---- main and its steps ----

Data create_data(void)
{
    Data data;
    data.N = args.N;
    data.block_size = args.block_x;
    data.multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, 0);
    data.room = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    data.h_keys = (uint32_t *)malloc(data.N * sizeof(uint32_t));
    data.h_counts = (unsigned int *)malloc(MAX_BINS * sizeof(unsigned int));
    data.reference = (unsigned int *)malloc(MAX_BINS * sizeof(unsigned int));
    CHECK(cudaMalloc(&data.d_keys, data.N * sizeof(uint32_t)));
    CHECK(cudaMalloc(&data.d_counts, (MAX_BINS + 1) * sizeof(unsigned int)));
    return data;
}

void free_data(Data *data)
{
    CHECK(cudaFree(data->d_keys));
    CHECK(cudaFree(data->d_counts));
    free(data->h_keys);
    free(data->h_counts);
    free(data->reference);
}

void make_keys(const Data *data, const Distribution *distribution, uint64_t seed)
{
    for (size_t n = 0; n < data->N; ++n)
    {
        data->h_keys[n] = distribution->key(n, data->N, seed);
    }
    CHECK(
        cudaMemcpy(data->d_keys, data->h_keys, data->N * sizeof(uint32_t), cudaMemcpyHostToDevice));
}

// The keys that are in `data`, in so many bins.
void show_table(Data *data, const char *keys, unsigned int bins)
{
    data->bins = bins;
    // A copy for each warp, or as many as fit into the memory that any block may have.
    const size_t room = SHARED_BYTES / bytes_of_copy(data), warps = (data->block_size + 31) / 32;
    data->copies = std::max((size_t)1, std::min(room, warps));
    if (!any_can_run(data, VERSIONS))
    {
        return;
    }
    count_reference(data->h_keys, data->N, data->reference, bins);
    data->work_bytes = bytes_for_cub(data->d_keys, data->N, data->d_counts, bins);
    CHECK(cudaMalloc(&data->d_work, data->work_bytes));

    char text[64];
    snprintf(text, sizeof(text), "%s keys, %u bins", keys, bins);
    Table<Data> table;
    table.data = data;
    table.what = text;
    table.outputs[0] = {data->h_counts, data->d_counts, bins * sizeof(unsigned int)};
    table.bytes = (double)data->N * sizeof(uint32_t);
    table.ceiling = read_ceiling;
    run_versions(&table, VERSIONS);
    CHECK(cudaFree(data->d_work));
}

int main(int argc, char **argv)
{
    size_t bins = 0;
    const char *keys = "all";
    args.N = default_size(1 << 25, 1 << 17);
    args.size_is = "number of keys";
    args.block_x = 1024;
    args.bytes_per_element = sizeof(uint32_t);
    add_versions(VERSIONS);
    args.columns = "  (here, result is the largest count of a bin)\n";
    add_number("bins", &bins, 0, MAX_BINS, "into how many bins; 0: 256, then 65536");
    add_choice("data", &keys, "random sorted skewed constant all",
               "random, sorted, skewed or constant keys, or all");
    parse_args(argc, argv, "-n N -b B -r R -s S -k NAME --csv [--bins N] [--data WORD]",
               "histogram: how many keys are in each bin: what it takes when all threads add to "
               "the same few numbers");
    if (args.N > UINT32_MAX)
    {
        usage_error("-n: at most %u keys, as a count has 32 bits", UINT32_MAX);
    }
    const double key_bytes = (double)args.N * sizeof(uint32_t);
    const double count_bytes = (MAX_BINS + 1) * sizeof(unsigned int);
    require_memory(key_bytes + 2 * count_bytes, key_bytes + count_bytes);

    Data data = create_data();
    for (const Distribution &distribution : DISTRIBUTIONS)
    {
        if (strcmp(keys, "all") != 0 && strcmp(keys, distribution.name) != 0)
        {
            continue;
        }
        make_keys(&data, &distribution, args.seed);
        if (bins > 0)
        {
            show_table(&data, distribution.name, bins);
        }
        else
        {
            show_table(&data, distribution.name, 256);
            show_table(&data, distribution.name, 65536);
        }
    }
    free_data(&data);
    if (g_checks_run == 0)
    {
        fprintf(stderr, "%s: version %s needs a GPU, or fewer bins\n", args.program, args.version);
        return 77;
    }
    return verdict();
}
