// histogram: how many keys are in each bin: what it takes when all threads add to the same few
// numbers
//
// From:    section 10.2, and beyond the book
// Compile: nvcc -O3 histogram.cu
// Run:     ./a.out -n 134217728 --data sorted --bins 65536
//
// --data chooses random, sorted, skewed or constant keys, and --bins the number of bins, as 65536.
// No version is the best for all kinds of keys and all numbers of bins.

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
#include "../common/versions.cuh"
#include "histogram_fast.cuh"

const size_t MAX_BINS = 1 << 20;
const size_t SHARED_BYTES = 48 * 1024; // any block may have this much; for more a kernel must ask
const size_t KEYS_PER_COUNT = 3;       // of a block in shared memory; found by trying, on an H100

static size_t N;                          // of keys
static uint32_t *h_keys, *d_keys;         // the keys
static unsigned int bins;                 // that they are counted in
static unsigned int *h_counts, *d_counts; // of each bin
static unsigned int *reference;           // what the counts should be
static unsigned int copies;               // of the counts, for count_copies and count_vectors
static size_t block_size, multiprocessors;
static size_t room;       // shared memory that a block may ask for
static void *d_work;      // CUB's
static size_t work_bytes; // of d_work

// The bins are equal parts of the range of a key. This takes no division.
__host__ __device__ unsigned int bin_of(uint32_t key, unsigned int bins)
{
    return (uint64_t)key * bins >> 32;
}

// The reference computes the bin another way, in double. That is exact with up to 2^20 bins.
void count_reference(const uint32_t *h_keys, size_t N, unsigned int *counts, unsigned int bins)
{
    memset(counts, 0, bins * sizeof(unsigned int));
    for (size_t n = 0; n < N; ++n)
    {
        ++counts[(size_t)((double)h_keys[n] * bins / 4294967296.0)];
    }
}

void count_on_host(const uint32_t *h_keys, size_t N, unsigned int *h_counts, unsigned int bins)
{
    memset(h_counts, 0, bins * sizeof(unsigned int));
    for (size_t n = 0; n < N; ++n)
    {
        ++h_counts[bin_of(h_keys[n], bins)];
    }
}

// ---- How a kernel is launched ----

// Of shared memory: for the counts as count_shared has them, for a copy of count_copies, and for
// the words of count_packed.
size_t bytes_of_counts(unsigned int bins) { return bins * sizeof(unsigned int); }
size_t bytes_of_copy(unsigned int bins) { return (bins + 1) * sizeof(unsigned int); }
size_t bytes_of_words(unsigned int bins) { return (bins + 1) / 2 * sizeof(unsigned int); }

// As many blocks as run at the same time, or fewer if there are few keys. A block that counts in
// shared memory should have some keys for each count that it sets to 0 and adds up: too many keys
// leave multiprocessors without a block, too few make more work at the end.
unsigned int grid_size_of(const void *kernel, size_t shared_bytes)
{
    if (shared_bytes > SHARED_BYTES)
    {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   shared_bytes));
    }
    int resident; // blocks of a multiprocessor
    CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, shared_bytes));
    const size_t most = resident * multiprocessors;
    const bool is_shared = shared_bytes > 0;
    const size_t least = KEYS_PER_COUNT * bins;
    const size_t keys = is_shared && least > block_size ? least : block_size; // of a block
    const size_t enough = (N + keys - 1) / keys;
    return enough < most ? enough : most;
}

// The same, which is asked once for all repeats of a version: the driver takes its time.
unsigned int known_grid_size(const void *kernel, size_t shared_bytes)
{
    static const void *known = NULL;
    static unsigned int grid_size;
    if (kernel != known)
    {
        grid_size = grid_size_of(kernel, shared_bytes);
        known = kernel;
    }
    return grid_size;
}

void clear_counts(void)
{
    // One count more than bins: count_packed may touch it.
    CHECK(cudaMemsetAsync(d_counts, 0, (bins + 1) * sizeof(unsigned int)));
}

typedef void (*Kernel)(const uint32_t *d_keys, size_t N, unsigned int *d_counts, unsigned int bins);

void run_kernel(Kernel kernel, size_t shared_bytes)
{
    const unsigned int grid_size = known_grid_size((const void *)kernel, shared_bytes);
    clear_counts();
    kernel<<<grid_size, block_size, shared_bytes>>>(d_keys, N, d_counts, bins);
}

typedef void (*CopiesKernel)(const uint32_t *d_keys, size_t N, unsigned int *d_counts,
                             unsigned int bins, unsigned int copies);

void run_with_copies(CopiesKernel kernel)
{
    const size_t shared_bytes = copies * bytes_of_copy(bins);
    const unsigned int grid_size = known_grid_size((const void *)kernel, shared_bytes);
    clear_counts();
    kernel<<<grid_size, block_size, shared_bytes>>>(d_keys, N, d_counts, bins, copies);
}

void run_cpu(void) { count_on_host(h_keys, N, h_counts, bins); }

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

void run_global(void) { run_kernel(count_global, 0); }

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

void run_shared(void) { run_kernel(count_shared, bytes_of_counts(bins)); }

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

void run_copies(void) { run_with_copies(count_copies); }

// The next ones are in histogram_fast.cuh.

void run_runs(void) { run_kernel(count_runs, 0); }
void run_vectors(void) { run_with_copies(count_vectors); }
void run_packed(void) { run_kernel(count_packed, bytes_of_words(bins)); }

#if ON_GPU
void run_cub(void) { count_cub(d_work, &work_bytes, d_keys, N, d_counts, bins); }
#else
void (*const run_cub)(void) = NULL;
#endif

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

// ---- The table ----

unsigned int largest_of(const unsigned int *counts)
{
    unsigned int largest = 0;
    for (unsigned int bin = 0; bin < bins; ++bin)
    {
        largest = counts[bin] > largest ? counts[bin] : largest;
    }
    return largest;
}

// The counts are those of the reference, and no key is lost. The result is the largest count.
void check_counts(void)
{
    check_elements(g_row, h_counts, reference, bins);
    size_t sum = 0;
    for (unsigned int bin = 0; bin < bins; ++bin)
    {
        sum += h_counts[bin];
    }
    check_true("the counts add up to N", sum == N);
    g_result = largest_of(h_counts);
}

bool copy_fits(void) { return bytes_of_copy(bins) <= room; }
bool words_fit(void) { return bytes_of_words(bins) <= room; }

const Version VERSIONS[] = {
    {"cpu", "a loop on the host", run_cpu, check_counts, ON_HOST},
    {"global", "an atomicAdd in global memory for each key", run_global, check_counts},
    {"shared", "each block counts in shared memory and adds its counts up once, at its end",
     run_shared, check_counts, ON_DEVICE, copy_fits, "fewer bins", false,
     "faster: atomics in shared memory are close by"},
    {"copies", "the same, with counts of its own for each warp", run_copies, check_counts,
     ON_DEVICE, copy_fits, "fewer bins"},
    {"runs",
     "global memory, 16 bytes a load; keys that follow each other in a bin are one addition",
     run_runs, check_counts},
    {"vectors", "copies, and four loads of 16 bytes under way in each thread", run_vectors,
     check_counts, ON_DEVICE, copy_fits, "fewer bins", false, "faster: more loads under way"},
    {"packed", "runs in shared memory, with two counts in a word, so that 65536 bins have room",
     run_packed, check_counts, ON_DEVICE, words_fit, "fewer bins"},
    {"cub", "cub::DeviceHistogram::HistogramEven", run_cub, check_counts, BY_LIBRARY, NULL,
     "a GPU"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// ---- main and its steps ----

void create_arrays(void)
{
    h_keys = (uint32_t *)malloc(N * sizeof(uint32_t));
    h_counts = (unsigned int *)malloc(bins * sizeof(unsigned int));
    reference = (unsigned int *)malloc(bins * sizeof(unsigned int));
    CHECK(cudaMalloc(&d_keys, N * sizeof(uint32_t)));
    CHECK(cudaMalloc(&d_counts, (bins + 1) * sizeof(unsigned int)));
    work_bytes = bytes_for_cub(d_keys, N, d_counts, bins);
    CHECK(cudaMalloc(&d_work, work_bytes));
}

void free_arrays(void)
{
    CHECK(cudaFree(d_keys));
    CHECK(cudaFree(d_counts));
    CHECK(cudaFree(d_work));
    free(h_keys);
    free(h_counts);
    free(reference);
}

void make_keys(const char *name)
{
    const Distribution *distribution = DISTRIBUTIONS;
    while (strcmp(distribution->name, name) != 0)
    {
        ++distribution;
    }
    for (size_t n = 0; n < N; ++n)
    {
        h_keys[n] = distribution->key(n, N, args.seed);
    }
    CHECK(cudaMemcpy(d_keys, h_keys, N * sizeof(uint32_t), cudaMemcpyHostToDevice));
}

int main(int argc, char **argv)
{
    size_t wanted_bins = 256;
    const char *keys = "random";
    args.N = default_size(1 << 25, 1 << 17);
    args.size_is = "number of keys";
    args.block_x = 1024;
    args.bytes_per_element = sizeof(uint32_t);
    add_versions(VERSIONS, NUM_VERSIONS);
    args.columns = "  (here, result is the largest count of a bin)\n";
    add_number("bins", &wanted_bins, 1, MAX_BINS, "into how many bins: 256, 65536, ...");
    add_choice("data", &keys, "random sorted skewed constant",
               "random, sorted, skewed or constant keys");
    parse_args(argc, argv, "-n N -b B -r R -s S -k NAME --csv [--bins N] [--data WORD]",
               "histogram: how many keys are in each bin: what it takes when all threads add to "
               "the same few numbers");
    if (args.N > UINT32_MAX)
    {
        usage_error("-n: at most %u keys, as a count has 32 bits", UINT32_MAX);
    }
    const double key_bytes = (double)args.N * sizeof(uint32_t);
    const double count_bytes = (wanted_bins + 1) * sizeof(unsigned int);
    require_memory(key_bytes + 2 * count_bytes, key_bytes + count_bytes);

    N = args.N;
    bins = wanted_bins;
    block_size = args.block_x;
    multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, 0);
    room = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    // A copy for each warp, or as many as fit into the memory that any block may have.
    const size_t fitting = SHARED_BYTES / bytes_of_copy(bins), warps = (block_size + 31) / 32;
    copies = fitting < 1 ? 1 : fitting < warps ? fitting : warps;

    create_arrays();
    make_keys(keys);
    count_reference(h_keys, N, reference, bins);

    char text[64];
    snprintf(text, sizeof(text), "%s keys, %u bins", keys, bins);
    Table table = {};
    table.what = text;
    table.element = sizeof(uint32_t);
    table.always = "together";
    table.told = "bins data";
    table.outputs[0] = {h_counts, d_counts, bins * sizeof(unsigned int)};
    table.bytes = (double)N * sizeof(uint32_t);
    table.ceiling = read_ceiling(N * sizeof(uint32_t));
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_note("the largest count of a bin: %u\n", largest_of(reference));

    free_arrays();
    return verdict();
}
