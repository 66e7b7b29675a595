// registers: 64 numbers sorted by each thread in registers, with spills, and in local memory
//
// From:    sections 6.2.4 to 6.2.7 and 6.3.2
// Compile: nvcc -O3 registers.cu
// Run:     ./a.out -n 1e8
//
// Three kernels with the same loops. In the first the loops are unrolled, so every index of the
// array is a constant, and the array can lie in registers. The second promises by
// __launch_bounds__(1024) that blocks of 1024 threads can run. Then a thread has at most 64
// registers, and the compiler spills the numbers that do not fit: it stores them in local memory.
// In the third the loops are not unrolled, and the index is known only at run time. Registers have
// no index, so the array lies in local memory. Local memory is a part of the device's memory, and
// the L1 cache holds some of it. The last table shows how much. The compiler says how many
// registers and bytes a kernel takes, and can be told to use fewer registers:
//
//     nvcc -O3 -arch=sm_90 -Xptxas -v registers.cu
//     nvcc -O3 -arch=sm_90 -Xptxas -v --maxrregcount=32 registers.cu

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

const int W = 64; // numbers that a thread sorts
const int BLOCK = 128;
const int TILE = W * BLOCK; // numbers that a block sorts

static real *h_x, *h_y, *d_x, *d_y; // the numbers, and the sorted ones
static real *reference;             // what y should be
static cudaDeviceProp properties;   // of this device

int compare_numbers(const void *a, const void *b)
{
    const real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

// The numbers come in tiles of W rows and BLOCK columns. Each column is sorted. What the last tile
// lacks is filled up by infinities, which end up behind the numbers. The reference uses the sort of
// the C library.
void sort_reference(const real *x, real *y, size_t N, size_t num_tiles)
{
    for (size_t n = 0; n < num_tiles * BLOCK; ++n)
    {
        const size_t first = n / BLOCK * TILE + n % BLOCK;
        real column[W];
        for (int i = 0; i < W; ++i)
        {
            column[i] = first + i * BLOCK < N ? x[first + i * BLOCK] : (real)INFINITY;
        }
        qsort(column, W, sizeof(real), compare_numbers);
        for (int i = 0; i < W; ++i)
        {
            y[first + i * BLOCK] = column[i];
        }
    }
}

// Puts two numbers in order.
__device__ inline void order(real *a, real *b)
{
    const real low = *b < *a ? *b : *a;
    const real high = *b < *a ? *a : *b;
    *a = low;
    *b = high;
}

// A block sorts a tile and a thread sorts one column of it, so that neighbouring threads read
// neighbouring numbers. A round puts the pairs (0, 1), (2, 3), ... in order, and then the pairs
// (1, 2), (3, 4), ... After W / 2 rounds the column is sorted (odd-even transposition sort). Which
// numbers are compared does not depend on the data. All loops are unrolled, so every index is a
// constant. The kernel may use as many registers as it needs.
__global__ void sort_registers(const real *x, real *y, size_t N)
{
    const size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    real column[W];
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        column[i] = first + i * BLOCK < N ? x[first + i * BLOCK] : (real)INFINITY;
    }
#pragma unroll
    for (int round = 0; round < W / 2; ++round)
    {
#pragma unroll
        for (int i = 0; i < W; i += 2)
        {
            order(&column[i], &column[i + 1]);
        }
#pragma unroll
        for (int i = 1; i + 1 < W; i += 2)
        {
            order(&column[i], &column[i + 1]);
        }
    }
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        y[first + i * BLOCK] = column[i];
    }
}

// The same, but with the promise that blocks of 1024 threads can run. A multiprocessor has 65536
// registers, so each thread has at most 65536 / 1024 = 64. The others are spilled.
__global__ void __launch_bounds__(1024) sort_spilled(const real *x, real *y, size_t N)
{
    const size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    real column[W];
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        column[i] = first + i * BLOCK < N ? x[first + i * BLOCK] : (real)INFINITY;
    }
#pragma unroll
    for (int round = 0; round < W / 2; ++round)
    {
#pragma unroll
        for (int i = 0; i < W; i += 2)
        {
            order(&column[i], &column[i + 1]);
        }
#pragma unroll
        for (int i = 1; i + 1 < W; i += 2)
        {
            order(&column[i], &column[i + 1]);
        }
    }
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        y[first + i * BLOCK] = column[i];
    }
}

// The same without the promise, but the loops that sort are not unrolled (`unroll 1`). The index i
// is not known before run time, so the whole column lies in local memory.
__global__ void sort_local(const real *x, real *y, size_t N)
{
    const size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    real column[W];
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        column[i] = first + i * BLOCK < N ? x[first + i * BLOCK] : (real)INFINITY;
    }
#pragma unroll 1
    for (int round = 0; round < W / 2; ++round)
    {
#pragma unroll 1
        for (int i = 0; i < W; i += 2)
        {
            order(&column[i], &column[i + 1]);
        }
#pragma unroll 1
        for (int i = 1; i + 1 < W; i += 2)
        {
            order(&column[i], &column[i + 1]);
        }
    }
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        y[first + i * BLOCK] = column[i];
    }
}

typedef void Sort(const real *, real *, size_t);

// The median time of a kernel that sorts N numbers in tiles. Its result is checked.
double time_sort(const char *name, Sort *sort, size_t N)
{
    const size_t num_tiles = (N + TILE - 1) / TILE;
    const size_t bytes = num_tiles * TILE * sizeof(real);
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    poison(h_y, bytes);
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        sort<<<num_tiles, BLOCK>>>(d_x, d_y, N);
    }
    CHECK(cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost));
    check_elements(name, h_y, reference, num_tiles * TILE);
    return timer.median;
}

// What the kernel promised, or what its loops cause.
void check_attributes(Sort *sort, const cudaFuncAttributes *attributes)
{
    if (sort == sort_spilled)
    {
        check_true("1024 threads find room, as promised",
                   attributes->maxThreadsPerBlock == 1024 &&
                       1024 * attributes->numRegs <= properties.regsPerBlock);
    }
    if (sort == sort_local)
    {
        check_true("the column lies in local memory",
                   !ON_GPU || attributes->localSizeBytes >= W * sizeof(real));
    }
}

// The first table: what a thread takes, and so what the threads take that are resident together.
void show_kernels(void)
{
    const struct
    {
        const char *name;
        Sort *sort;
    } KERNELS[] = {{"registers", sort_registers}, {"spilled", sort_spilled}, {"local", sort_local}};
    printf("%s", args.csv || !ON_GPU ? ""
                                     : "                 of a thread       largest       of a "
                                       "multiprocessor\n");
    const Column COLUMNS[] = {{"kernel", "%-9s"},
                              {"registers of a thread", "%10.0f", "registers"},
                              {"local bytes of a thread", "%11.0f", "local bytes"},
                              {"largest block", "%7.0f", "block"},
                              {"resident threads", "%10.0f", "threads"},
                              {"registers of these", "%10.0f", "registers"},
                              {"local KB of these", "%8.0f", "local KB"},
                              {TIME_UNIT, "%9.4g"},
                              {"x first", "%8.2f"}};
    begin_timed_table(COLUMNS, 9);
    double first = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        const char *name = KERNELS[i].name;
        Sort *sort = KERNELS[i].sort;
        cudaFuncAttributes attributes;
        int blocks = 0;
        CHECK(cudaFuncGetAttributes(&attributes, sort));
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sort, BLOCK, 0));
        const int threads = blocks * BLOCK;
        const double ms = time_sort(name, sort, args.N);
        first = first > 0.0 ? first : ms;
        put_text(name);
        put(ON_GPU ? attributes.numRegs : NAN); // a CPU backend counts none
        put(ON_GPU ? attributes.localSizeBytes : NAN);
        put(attributes.maxThreadsPerBlock);
        put(threads);
        put(ON_GPU ? threads * attributes.numRegs : NAN);
        put(ON_GPU ? threads * attributes.localSizeBytes / 1024 : NAN);
        put(ms);
        put(times_as_fast(ms, first));
        end_row();
        check_attributes(sort, &attributes);
    }
}

// The second table: how large the L1 cache is. L1 cache and shared memory are one piece of memory.
// A kernel can ask for a part of it as shared memory, in per cent of the most there can be. This
// part is lost to the L1, and so to local memory.
void show_cache(size_t N)
{
    const size_t shared_kb = properties.sharedMemPerMultiprocessor / 1024;
    double first = 0.0;
    const Column COLUMNS[] = {
        {"preferred shared memory", "%23s"}, {TIME_UNIT, "%10.4g"}, {"x first", "%8.2f"}};
    begin_timed_table(COLUMNS, 3);
    for (int percent = 0; percent <= 100; percent += 25)
    {
        cudaFuncAttributes attributes;
        CHECK(cudaFuncSetAttribute(sort_local, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   percent));
        CHECK(cudaFuncGetAttributes(&attributes, sort_local));
        check_true("the preference is noted", attributes.preferredShmemCarveout == percent);
        const double ms = time_sort("local", sort_local, N);
        first = first > 0.0 ? first : ms;
        char preferred[32];
        snprintf(preferred, sizeof(preferred), "%d%% of %zu KB", percent, shared_kb);
        put_text(preferred);
        put(ms);
        put(times_as_fast(ms, first));
        end_row();
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(20000000, 50000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    args.columns =
        "  registers, local bytes  what the compiler gave to a thread\n"
        "  largest block           the most threads that a block of this kernel can have\n"
        "  threads                 how many are resident on a multiprocessor\n"
        "  registers, local KB     what these threads take together\n"
        "  x first                 the time over that of the table's first row\n";
    parse_args(
        argc, argv, "-n N -r R -s S --csv",
        "registers: 64 numbers sorted by each thread in registers, with spills, and in local "
        "memory");
    int device;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    const int num_sms = properties.multiProcessorCount;
    const size_t shared_kb = properties.sharedMemPerMultiprocessor / 1024;
    print_device();
    print_timed_note(
        "each of %d multiprocessors: %d registers, %d threads, %zu KB of shared memory\n", num_sms,
        properties.regsPerMultiprocessor, properties.maxThreadsPerMultiProcessor, shared_kb);
    printf("%s", args.csv || !ON_GPU ? "" : "\n");

    const size_t N = args.N, num_tiles = (N + TILE - 1) / TILE;
    const size_t padded_bytes = num_tiles * TILE * sizeof(real);
    h_x = (real *)malloc(N * sizeof(real));
    h_y = (real *)malloc(padded_bytes);
    reference = (real *)malloc(padded_bytes);
    CHECK(cudaMalloc(&d_x, N * sizeof(real)));
    CHECK(cudaMalloc(&d_y, padded_bytes));
    fill_random(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, N * sizeof(real), cudaMemcpyHostToDevice));
    sort_reference(h_x, reference, N, num_tiles);

    show_kernels();
    print_timed_note(
        "%d registers / 1024 threads = %d for each of them, if they are to be resident "
        "together;\n",
        properties.regsPerMultiprocessor, properties.regsPerMultiprocessor / 1024);
    print_timed_note(
        "the L1 can hold about %zu KB of the local memory, if there is no shared memory\n",
        shared_kb);

    // Only as many blocks as a large L1 has room for: 64 KB of columns on each multiprocessor. Each
    // tile is sorted alone, so the reference still holds.
    const size_t room = 65536 / (TILE * sizeof(real)) * num_sms; // tiles
    const size_t some_tiles = num_tiles < room ? num_tiles : room;
    const size_t some = N < some_tiles * TILE ? N : some_tiles * TILE;
    printf("%s", args.csv || !ON_GPU ? "" : "\n");
    print_timed_note("local, in %zu blocks: %.0f KB of columns on a multiprocessor\n", some_tiles,
                     (double)some_tiles * TILE * sizeof(real) / num_sms / 1024);
    show_cache(some);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(reference);
    return verdict();
}
