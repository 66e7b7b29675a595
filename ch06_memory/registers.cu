// registers: 64 numbers sorted by each thread in registers, with spills, and in local memory
//
// From:    sections 6.2.4 to 6.2.7 and 6.3.2
// Compile: nvcc -O3 registers.cu
// Run:     ./a.out -n 1e8
// Checks:  15
//
// Three kernels with the same loops. Unrolled, every index is a constant and the array can live in
// registers. __launch_bounds__(1024) promises that blocks of 1024 threads fit, each thread then has
// 64 registers, and what they do not hold is spilled. Not unrolled, the index is known at run time
// only; registers cannot be indexed, so the array lies in local memory: in device memory, that is,
// of which the L1 cache holds what it can. How large the L1 is, is tried at the end. Add
// `-Xptxas -v` to the compile line, and the compiler says how many registers and bytes it took.

#include <algorithm>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const int W = 64; // numbers that a thread sorts
const int BLOCK = 128;

// The numbers come in tiles of W rows of BLOCK numbers, of which each column is sorted. What the
// last tile lacks is filled up by infinities, which go to the end. By another way than the kernels:
// the library's sort.
void sort_cpu(const real *x, real *y, size_t N, size_t num_tiles)
{
    for (size_t n = 0; n < num_tiles * BLOCK; ++n)
    {
        const size_t first = n / BLOCK * W * BLOCK + n % BLOCK;
        real column[W];
        for (int i = 0; i < W; ++i)
        {
            column[i] = first + i * BLOCK < N ? x[first + i * BLOCK] : (real)INFINITY;
        }
        std::sort(column, column + W);
        for (int i = 0; i < W; ++i)
        {
            y[first + i * BLOCK] = column[i];
        }
    }
}

__device__ inline void order_pair(real *pair)
{
    const real low = pair[1] < pair[0] ? pair[1] : pair[0];
    const real high = pair[1] < pair[0] ? pair[0] : pair[1];
    pair[0] = low;
    pair[1] = high;
}

// A block sorts a tile, a thread a column of it, so that neighbouring threads read neighbours.
// Odd-even transposition puts the pairs (0, 1), (2, 3), ... in order, then (1, 2), (3, 4), ..., and
// all this W / 2 times. Which numbers meet depends on no data: UNROLL decides if indices are known.
template <int UNROLL>
__device__ void sort_column(const real *x, real *y, size_t N)
{
    const size_t first = (size_t)blockIdx.x * W * BLOCK + threadIdx.x;
    real column[W];
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        column[i] = first + i * BLOCK < N ? x[first + i * BLOCK] : (real)INFINITY;
    }
#pragma unroll UNROLL
    for (int round = 0; round < W / 2; ++round)
    {
#pragma unroll UNROLL
        for (int i = 0; i < W; i += 2)
        {
            order_pair(&column[i]);
        }
#pragma unroll UNROLL
        for (int i = 1; i + 1 < W; i += 2)
        {
            order_pair(&column[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < W; ++i)
    {
        y[first + i * BLOCK] = column[i];
    }
}

// As many registers as it takes.
__global__ void sort_registers(const real *x, real *y, size_t N)
{
    sort_column<W>(x, y, N);
}

// At most 65536 / 1024 registers, and the rest of the column goes back and forth.
__global__ void __launch_bounds__(1024) sort_spilled(const real *x, real *y, size_t N)
{
    sort_column<W>(x, y, N);
}

// The whole column in local memory.
__global__ void sort_local(const real *x, real *y, size_t N)
{
    sort_column<1>(x, y, N);
}

typedef void Sort(const real *, real *, size_t);

struct Problem
{
    size_t N, grid_size, repeats;
    real *h_x = NULL, *h_y = NULL, *reference = NULL, *d_x = NULL, *d_y = NULL;
};

// The median time of a kernel whose result is right.
double time_sort(const char *name, Sort *sort, const Problem *p)
{
    const size_t bytes = p->grid_size * BLOCK * W * sizeof(real);
    CHECK(cudaMemset(p->d_y, POISON_BYTE, bytes));
    poison(p->h_y, bytes);
    const auto launch = [&]
    {
        sort<<<p->grid_size, BLOCK>>>(p->d_x, p->d_y, p->N);
    };
    const Timing time = time_kernel(launch, p->repeats);
    CHECK(cudaMemcpy(p->h_y, p->d_y, bytes, cudaMemcpyDeviceToHost));
    check_elements(name, p->h_y, p->reference, p->grid_size * BLOCK * W);
    return time.median;
}

// What each kernel takes, how much of it the threads take that are resident together, and its time.
void show_kernels(const Problem *p, const cudaDeviceProp *properties)
{
    const struct
    {
        const char *name;
        Sort *sort;
    } kernels[] = {{"registers", sort_registers}, {"spilled", sort_spilled}, {"local", sort_local}};

    printf("                 of a thread       largest       of a multiprocessor\n"
           "           registers local bytes   block    threads  registers local KB %9s  x first\n",
           TIME_UNIT);
    double first = 0.0;
    for (const auto &kernel : kernels)
    {
        cudaFuncAttributes attributes;
        int blocks = 0;
        CHECK(cudaFuncGetAttributes(&attributes, kernel.sort));
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.sort, BLOCK, 0));
        const int threads = blocks * BLOCK;
        const double time = time_sort(kernel.name, kernel.sort, p);
        first = first > 0.0 ? first : time;
        printf("%-9s %10d %11zu %7d %10d %10d %8zu %9.4g %8.2f\n", kernel.name, attributes.numRegs,
               attributes.localSizeBytes, attributes.maxThreadsPerBlock, threads,
               threads * attributes.numRegs, threads * attributes.localSizeBytes / 1024, time,
               time / first);
        if (kernel.sort == sort_spilled)
        {
            check_true("1024 threads find room, as promised",
                       attributes.maxThreadsPerBlock == 1024 &&
                           1024 * attributes.numRegs <= properties->regsPerBlock);
        }
        if (kernel.sort == sort_local)
        {
            check_true("the column lies in local memory",
                       !ON_GPU || attributes.localSizeBytes >= W * sizeof(real));
        }
    }
    printf(
        "%d registers / 1024 threads = %d for each of them, if they are to be resident together;\n"
        "of the local memory, no more than a good %zu KB can be in the L1, which it shares with "
        "`shared`\n",
        properties->regsPerMultiprocessor, properties->regsPerMultiprocessor / 1024,
        properties->sharedMemPerMultiprocessor / 1024);
    printf("%s", ON_GPU ? "" : "(the CPU backend counts neither registers nor local memory)\n");
}

// L1 and shared memory are one piece of memory. What a kernel prefers as shared memory, in per cent
// of the most there can be, is lost to the L1, and so to local memory.
void show_carveout(const Problem *p, const cudaDeviceProp *properties)
{
    double first = 0.0;
    printf("\nlocal, in %zu blocks: %.0f KB of columns on a multiprocessor\n"
           "preferred shared memory %9s  x first\n",
           p->grid_size,
           (double)p->grid_size * BLOCK * W * sizeof(real) / properties->multiProcessorCount / 1024,
           TIME_UNIT);
    for (int percent : {0, 25, 50, 75, 100})
    {
        cudaFuncAttributes attributes;
        CHECK(cudaFuncSetAttribute(sort_local, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   percent));
        CHECK(cudaFuncGetAttributes(&attributes, sort_local));
        check_true("the preference is noted", attributes.preferredShmemCarveout == percent);
        const double time = time_sort("local", sort_local, p);
        first = first > 0.0 ? first : time;
        printf("%4d%% of %3zu KB %18.4g %8.2f\n", percent,
               properties->sharedMemPerMultiprocessor / 1024, time, time / first);
    }
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(20000000, 50000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    parse_args(
        &args, argc, argv, "-n N -r R -s S",
        "registers: 64 numbers sorted by each thread in registers, with spills, and in local "
        "memory");
    int device;
    cudaDeviceProp properties;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    print_device();
    printf("each of %d multiprocessors: %d registers, %d threads, %zu KB of shared memory\n\n",
           properties.multiProcessorCount, properties.regsPerMultiprocessor,
           properties.maxThreadsPerMultiProcessor, properties.sharedMemPerMultiprocessor / 1024);

    const size_t tile = (size_t)W * BLOCK;
    Problem p = {args.N, (args.N + tile - 1) / tile, args.repeats};
    const size_t padded_bytes = p.grid_size * tile * sizeof(real);
    p.h_x = (real *)malloc(args.N * sizeof(real));
    p.h_y = (real *)malloc(padded_bytes);
    p.reference = (real *)malloc(padded_bytes);
    CHECK(cudaMalloc(&p.d_x, args.N * sizeof(real)));
    CHECK(cudaMalloc(&p.d_y, padded_bytes));
    fill_random(p.h_x, args.N, args.seed);
    CHECK(cudaMemcpy(p.d_x, p.h_x, args.N * sizeof(real), cudaMemcpyHostToDevice));
    sort_cpu(p.h_x, p.reference, p.N, p.grid_size);
    show_kernels(&p, &properties);

    // Now only as many blocks as a large L1 has room for: 64 KB of columns a multiprocessor.
    const size_t few = 65536 / (tile * sizeof(real)) * properties.multiProcessorCount;
    p.grid_size = std::min(p.grid_size, few);
    p.N = std::min(p.N, few * tile);
    sort_cpu(p.h_x, p.reference, p.N, p.grid_size);
    show_carveout(&p, &properties);

    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_y));
    free(p.h_x);
    free(p.h_y);
    free(p.reference);
    return verdict();
}
