// coalescing: five ways for a warp to access memory, and what share of each transfer it uses
//
// From:    section 7.1
// Compile: nvcc -O3 coalescing.cu
// Run:     ./a.out -n 67108864
// Checks:  12
// Sizes:   1 33 1000 5000 1048579
//
// Memory moves in sectors: 32 bytes that begin at a multiple of 32. The degree of coalescing is
// the number of bytes that a warp wants over the number of bytes that come. Here the host counts
// both from the addresses of the warp's 32 threads, by the very functions that the kernel indexes
// with, and the device shows what it costs.
//
// In `strided`, eight blocks (in double four) share each sector. They run at about the same time,
// so the sector comes from memory once, but from the L2 cache to a multiprocessor eight times.
// `apart` is the same with these blocks far from each other in time. Then L2 cannot help either.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const size_t WARP_SIZE = 32;
const size_t SECTOR_BYTES = 32;
const size_t WARPS_COUNTED = 10000; // at most, evenly from all over the grid

struct Thread
{
    unsigned int tid, bid, block_size, grid_size;
};

// Which element a thread takes. All but `broadcast` give each element to one.
typedef size_t (*Index)(Thread);

// Neighbours in the warp are neighbours in memory, and the first begins a sector.
__host__ __device__ size_t sequential(Thread t)
{
    return (size_t)t.bid * t.block_size + t.tid;
}

// Threads 0 and 1 change places, 2 and 3, ...: other lanes, the same sectors.
__host__ __device__ size_t permuted(Thread t)
{
    return (size_t)t.bid * t.block_size + (t.tid ^ 1);
}

// Shifted by one element, a warp's stretch reaches into one sector more.
__host__ __device__ size_t unaligned(Thread t)
{
    return (size_t)t.bid * t.block_size + t.tid + 1;
}

// Neighbours in the warp are a whole grid apart: a sector for each of them.
__host__ __device__ size_t strided(Thread t)
{
    return t.bid + (size_t)t.tid * t.grid_size;
}

// All threads want the same element: one sector, of which they use one number.
__host__ __device__ size_t broadcast(Thread)
{
    return 0;
}

// `strided`, but the blocks run in the order 0, 8, 16, ..., then 1, 9, 17, ...
__host__ __device__ size_t apart(Thread t)
{
    const unsigned int eighth = t.grid_size / 8;
    t.bid = t.bid < 8 * eighth ? t.bid % eighth * 8 + t.bid / eighth : t.bid;
    return strided(t);
}

// The one kernel: the patterns differ in where x is read, and where y is read and z written.
template <Index index_x, Index index>
__global__ void add(const real *x, const real *y, real *z, size_t end)
{
    const Thread t = {threadIdx.x, blockIdx.x, blockDim.x, gridDim.x};
    const size_t n = index(t);
    if (n < end)
    {
        z[n] = x[index_x(t)] + y[n];
    }
}

const size_t FULL = WARP_SIZE * sizeof(real) / SECTOR_BYTES; // sectors that a warp fills

const struct Pattern
{
    const char *name;
    void (*kernel)(const real *, const real *, real *, size_t);
    Index index_x, index;
    size_t first;     // element that is written; N of them are
    size_t transfers; // of x, to a full warp: what 7.1 derives, for the count to be checked by
    size_t arrays;    // that have to be moved
} PATTERNS[] = {
    {"sequential", add<sequential, sequential>, sequential, sequential, 0, FULL, 3},
    {"permuted", add<permuted, permuted>, permuted, permuted, 0, FULL, 3},
    {"unaligned", add<unaligned, unaligned>, unaligned, unaligned, 1, FULL + 1, 3},
    {"strided", add<strided, strided>, strided, strided, 0, WARP_SIZE, 3},
    {"broadcast", add<broadcast, sequential>, broadcast, sequential, 0, 1, 2},
    {"apart", add<apart, apart>, apart, apart, 0, WARP_SIZE, 3},
};

// x, y and z have N + 1 elements, of which a pattern writes N.
struct Problem
{
    size_t N, bytes;
    unsigned int block_size, grid_size;
    real *h_x, *h_y, *h_z, *reference;
    real *d_x, *d_y, *d_z;
};

void add_reference(const Problem &p, const Pattern &pattern)
{
    for (size_t n = pattern.first; n < pattern.first + p.N; ++n)
    {
        p.reference[n] = (double)p.h_x[pattern.index_x == broadcast ? 0 : n] + (double)p.h_y[n];
    }
}

size_t count_distinct(uintptr_t *numbers, size_t count)
{
    std::sort(numbers, numbers + count);
    return std::unique(numbers, numbers + count) - numbers;
}

// What warps want of an array, and the sectors that they get.
struct Traffic
{
    size_t warps = 0, wanted = 0, sectors = 0;

    double per_warp() const
    {
        return (double)sectors / warps;
    }

    double degree() const
    {
        return 100.0 * wanted / (sectors * SECTOR_BYTES);
    }
};

// Adds what warp number `warp` of the grid does with an array, x or another.
void count_warp(Traffic *traffic, const Problem &p, const Pattern &pattern, const real *array,
                size_t warp)
{
    const Index index = array == p.d_x ? pattern.index_x : pattern.index;
    uintptr_t addresses[WARP_SIZE], sectors[WARP_SIZE];
    size_t count = 0;
    for (size_t thread = warp * WARP_SIZE; thread < (warp + 1) * WARP_SIZE; ++thread)
    {
        const Thread t = {(unsigned int)(thread % p.block_size),
                          (unsigned int)(thread / p.block_size), p.block_size, p.grid_size};
        if (pattern.index(t) < pattern.first + p.N)
        {
            addresses[count] = (uintptr_t)(array + index(t));
            sectors[count] = addresses[count] / SECTOR_BYTES;
            ++count;
        }
    }
    traffic->warps += count > 0;
    traffic->wanted += count_distinct(addresses, count) * sizeof(real);
    traffic->sectors += count_distinct(sectors, count);
}

Traffic count_traffic(const Problem &p, const Pattern &pattern, const real *array)
{
    const size_t warps = (size_t)p.grid_size * p.block_size / WARP_SIZE;
    Traffic traffic;
    for (size_t warp = 0; warp < warps; warp += 1 + warps / WARPS_COUNTED)
    {
        count_warp(&traffic, p, pattern, array, warp);
    }
    return traffic;
}

void launch(const Problem &p, const Pattern &pattern)
{
    pattern.kernel<<<p.grid_size, p.block_size>>>(p.d_x, p.d_y, p.d_z, pattern.first + p.N);
}

// Every sum, and that the one element more is as it was.
void check_sums(const Problem &p, const Pattern &pattern)
{
    poison(p.reference, p.bytes);
    add_reference(p, pattern);
    CHECK(cudaMemset(p.d_z, POISON_BYTE, p.bytes));
    launch(p, pattern);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p.h_z, p.d_z, p.bytes, cudaMemcpyDeviceToHost));
    check_elements(pattern.name, p.h_z, p.reference, p.N + 1);
}

// What the model counts for the first warp against what 7.1 derives, if no thread of it is idle
// and the grid is so wide that a stride leaves no two of them in one sector.
void check_model(const Problem &p, const Pattern &pattern)
{
    if (p.N < WARP_SIZE * p.block_size)
    {
        return;
    }
    Traffic first;
    count_warp(&first, p, pattern, p.d_x, 0);
    const size_t elements = pattern.index_x == broadcast ? 1 : WARP_SIZE;
    check_true("the first warp wants and gets what 7.1 derives",
               first.wanted == elements * sizeof(real) && first.sectors == pattern.transfers);
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(1 << 26, 1 << 19);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "coalescing: five ways for a warp to access memory, and what share of each transfer "
               "it uses");
    if (args.block_x % WARP_SIZE != 0)
    {
        usage_error(&args, "-b takes whole warps here, multiples of %zu, not %zu", WARP_SIZE,
                    args.block_x);
    }
    const size_t N = args.N;
    Problem p;
    p.N = N;
    p.bytes = (N + 1) * sizeof(real);
    p.block_size = args.block_x;
    p.grid_size = (N - 1) / p.block_size + 1;
    for (real **array : {&p.h_x, &p.h_y, &p.h_z, &p.reference})
    {
        *array = (real *)malloc(p.bytes);
    }
    for (real **array : {&p.d_x, &p.d_y, &p.d_z})
    {
        CHECK(cudaMalloc(array, p.bytes));
    }
    fill_random(p.h_x, N + 1, args.seed);
    fill_random(p.h_y, N + 1, args.seed + 1);
    CHECK(cudaMemcpy(p.d_x, p.h_x, p.bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(p.d_y, p.h_y, p.bytes, cudaMemcpyHostToDevice));

    print_device();
    const double ceiling = copy_ceiling(3 * p.bytes);
    printf("%s, N = %zu, median of %zu repeats, copy ceiling %.1f GB/s\n", REAL_NAME, N,
           args.repeats, ceiling);
    printf("            sectors a warp   degree, %%\n"
           "pattern          x    y, z      x   y, z %10s     GB/s  %% of copy  x time\n",
           TIME_UNIT);
    double sequential_ms = 0.0;
    for (const Pattern &pattern : PATTERNS)
    {
        check_sums(p, pattern);
        check_model(p, pattern);
        const Timing time = time_kernel([&] { launch(p, pattern); }, args.repeats);

        const Traffic x = count_traffic(p, pattern, p.d_x);
        const Traffic y = count_traffic(p, pattern, p.d_y);
        const double rate = pattern.arrays * N * sizeof(real) / time.median * 1e-6;
        sequential_ms = sequential_ms > 0.0 ? sequential_ms : time.median;
        printf("%-12s %5.2f %7.2f %6.1f %6.1f %10.4g %8.1f %10.1f %7.2f\n", pattern.name,
               x.per_warp(), y.per_warp(), x.degree(), y.degree(), time.median, rate,
               100.0 * rate / ceiling, time.median / sequential_ms);
    }

    for (real *array : {p.h_x, p.h_y, p.h_z, p.reference})
    {
        free(array);
    }
    for (real *array : {p.d_x, p.d_y, p.d_z})
    {
        CHECK(cudaFree(array));
    }
    return verdict();
}
