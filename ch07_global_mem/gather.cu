// gather: reading and writing through an index array, when the indices are in order and when not
//
// From:    S2 Table 6.2, file testGather.cu and its Examples 6.17 to 6.20
// Compile: nvcc -O3 gather.cu
// Run:     ./a.out -n 1e8
//
// A gather is y[n] = x[index[n]]. A scatter is y[index[n]] = x[n]. Memory is transferred in sectors
// of 32 bytes. Threads of a warp that want neighbours in memory share sectors. Random elements lie
// in a sector each, and most of every sector is transferred for nothing.
//
// The table has five sizes (N and its tenth parts) and four orders of the indices:
//   sequential  index[n] = n
//   sorted      random draws with repeats, as in S2, then sorted; for a gather only
//   nearby      a permutation that moves no element out of its group of 1024
//   random      a permutation of all elements
// A scatter is only done through a permutation, so no two threads write to the same place.

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/versions_data.cuh" // for show_progress; brings args, ceiling, timing, ...

const size_t GROUP = 1024; // elements within which `nearby` permutes: 4 KiB of floats
const size_t BYTES = sizeof(unsigned int) + 2 * sizeof(real); // that an element needs moved

// Element n of x. The references call this function, so they need no x to look it up in.
double value_of(size_t n) { return random_unit(args.seed, n); }

void gather_reference(const unsigned int *index, double *y, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        y[n] = value_of(index[n]);
    }
}

void scatter_reference(const unsigned int *index, double *y, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        y[n] = NAN; // equals nothing: if the indices leave this place out, the check fails
    }
    for (size_t n = 0; n < N; ++n)
    {
        y[index[n]] = value_of(n);
    }
}

// Example 6.17. The index array is read in order and y is written in order. The reads of x jump.
__global__ void gather(const real *x, const unsigned int *index, real *y, unsigned int N)
{
    const unsigned int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[index[n]];
    }
}

// Example 6.18. Now x is read in order, and the writes to y jump.
__global__ void scatter(const real *x, const unsigned int *index, real *y, unsigned int N)
{
    const unsigned int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[index[n]] = x[n];
    }
}

// ---- The orders of the indices ----

void make_sequential(unsigned int *index, size_t N, size_t /* seed */)
{
    for (size_t n = 0; n < N; ++n)
    {
        index[n] = n;
    }
}

// Draws N numbers and counts how often each number is drawn. The counts give the sorted order.
void make_sorted(unsigned int *index, size_t N, size_t seed)
{
    unsigned int *count = (unsigned int *)calloc(N, sizeof(unsigned int));
    for (size_t n = 0; n < N; ++n)
    {
        ++count[random_below(seed, n, N)];
    }
    for (size_t value = 0, n = 0; value < N; ++value)
    {
        for (unsigned int i = 0; i < count[value]; ++i)
        {
            index[n++] = value;
        }
    }
    free(count);
}

// Fisher and Yates: from the last place to the second, the content of each place is exchanged with
// that of a random place before it, or stays. All permutations have the same chance. random_below
// is a hash, so the permutation is the same on every machine.
void shuffle(unsigned int *index, size_t begin, size_t end, size_t seed)
{
    for (size_t n = end - 1; n > begin; --n)
    {
        const size_t other = begin + random_below(seed, n, n - begin + 1);
        const unsigned int taken = index[other];
        index[other] = index[n];
        index[n] = taken;
    }
}

void make_nearby(unsigned int *index, size_t N, size_t seed)
{
    make_sequential(index, N, seed);
    for (size_t begin = 0; begin < N; begin += GROUP)
    {
        shuffle(index, begin, begin + GROUP < N ? begin + GROUP : N, seed);
    }
}

void make_random(unsigned int *index, size_t N, size_t seed)
{
    make_sequential(index, N, seed);
    shuffle(index, 0, N, seed);
}

const struct Order
{
    const char *name;
    void (*make)(unsigned int *index, size_t N, size_t seed);
    bool is_permutation;
} ORDERS[] = {
    {"sequential", make_sequential, true},
    {"sorted", make_sorted, false},
    {"nearby", make_nearby, true},
    {"random", make_random, true},
};

// What the kernels work on.
struct Arrays
{
    real *h_y, *d_x, *d_y;
    double *reference;
    unsigned int *h_index, *d_index;
};

// Poisons y, launches, compares y with the reference, then times: the median in ms.
template <typename Launch>
double measure(const Arrays *a, size_t N, const char *what, Launch launch)
{
    poison(a->h_y, N * sizeof(real));
    CHECK(cudaMemset(a->d_y, POISON_BYTE, N * sizeof(real)));
    launch();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(a->h_y, a->d_y, N * sizeof(real), cudaMemcpyDeviceToHost));
    check_elements(what, a->h_y, a->reference, N);
    return time_kernel(launch, args.repeats).median;
}

unsigned int blocks_for(size_t N, unsigned int block_size)
{
    return (N + block_size - 1) / block_size;
}

double measure_gather(const Arrays *a, size_t N, const char *order)
{
    const unsigned int block_size = args.block_x, grid_size = blocks_for(N, block_size);
    char what[64];
    snprintf(what, sizeof(what), "gather, %s, N = %zu", order, N);
    gather_reference(a->h_index, a->reference, N);
    return measure(a, N, what,
                   [=] { gather<<<grid_size, block_size>>>(a->d_x, a->d_index, a->d_y, N); });
}

double measure_scatter(const Arrays *a, size_t N, const char *order)
{
    const unsigned int block_size = args.block_x, grid_size = blocks_for(N, block_size);
    char what[64];
    snprintf(what, sizeof(what), "scatter, %s, N = %zu", order, N);
    scatter_reference(a->h_index, a->reference, N);
    return measure(a, N, what,
                   [=] { scatter<<<grid_size, block_size>>>(a->d_x, a->d_index, a->d_y, N); });
}

void print_cells(size_t N, double ms, double sequential_ms)
{
    printf("  %14.4f %7.1f %6.2f", ms, N * BYTES / ms * 1e-6, ms / sequential_ms);
}

// The rows of one size: an order of the indices each.
void show_orders(const Arrays *a, size_t N)
{
    double sequential_gather = NAN, sequential_scatter = NAN; // ms, of the first row
    for (const Order &order : ORDERS)
    {
        show_progress("making indices:", order.name);
        order.make(a->h_index, N, args.seed + 1);
        CHECK(cudaMemcpy(a->d_index, a->h_index, N * sizeof(unsigned int), cudaMemcpyHostToDevice));

        const double gather_ms = measure_gather(a, N, order.name);
        sequential_gather = isnan(sequential_gather) ? gather_ms : sequential_gather;
        printf("  %-12s", order.name);
        print_cells(N, gather_ms, sequential_gather);
        if (order.is_permutation)
        {
            const double scatter_ms = measure_scatter(a, N, order.name);
            sequential_scatter = isnan(sequential_scatter) ? scatter_ms : sequential_scatter;
            print_cells(N, scatter_ms, sequential_scatter);
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000);
    args.bytes_per_element = BYTES;
    args.bytes_on_host = BYTES + sizeof(double) + sizeof(unsigned int);
    args.columns = "  ms    the median time (on the CPU backend: CPU ms)\n"
                   "  GB/s  bytes that have to be read and written, over the time\n"
                   "  x     this row's time over that of the sequential indices\n";
    parse_args(argc, argv, "-n N -b B -r R -s S",
               "gather: reading and writing through an index array, when the indices are in order "
               "and when not");
    if (args.N > INT_MAX)
    {
        usage_error("at most %d elements: a grid of one-thread blocks has no more", INT_MAX);
    }

    const size_t bytes = args.N * sizeof(real), index_bytes = args.N * sizeof(unsigned int);
    Arrays arrays;
    real *h_x = (real *)malloc(bytes);
    arrays.h_y = (real *)malloc(bytes);
    arrays.reference = (double *)malloc(args.N * sizeof(double));
    arrays.h_index = (unsigned int *)malloc(index_bytes);
    CHECK(cudaMalloc(&arrays.d_x, bytes));
    CHECK(cudaMalloc(&arrays.d_y, bytes));
    CHECK(cudaMalloc(&arrays.d_index, index_bytes));
    for (size_t n = 0; n < args.N; ++n)
    {
        h_x[n] = value_of(n);
    }
    CHECK(cudaMemcpy(arrays.d_x, h_x, bytes, cudaMemcpyHostToDevice));

    int device;
    CHECK(cudaGetDevice(&device));
    const double l2_bytes = device_attribute(cudaDevAttrL2CacheSize, device);
    print_device();
    printf("L2 cache: %.1f MB; %s, %zu bytes an element, median of %zu repeats\n", l2_bytes * 1e-6,
           REAL_NAME, BYTES, args.repeats);
    const char *const of_gather = ON_GPU ? "gather ms" : "gather CPU ms";
    const char *const of_scatter = ON_GPU ? "scatter ms" : "scatter CPU ms";
    printf("  %-12s  %14s %7s %6s  %14s %7s %6s\n", "", of_gather, "GB/s", "x", of_scatter, "GB/s",
           "x");
    for (size_t part = 10000; part > 0; part /= 10)
    {
        const size_t N = args.N / part;
        if (N > 0)
        {
            printf("N = %zu: %.3g MB, %s L2; copy ceiling %.1f GB/s\n", N, N * BYTES * 1e-6,
                   N * BYTES <= l2_bytes ? "within" : "beyond", copy_ceiling(N * BYTES));
            show_orders(&arrays, N);
        }
    }

    CHECK(cudaFree(arrays.d_x));
    CHECK(cudaFree(arrays.d_y));
    CHECK(cudaFree(arrays.d_index));
    free(h_x);
    free(arrays.h_y);
    free(arrays.reference);
    free(arrays.h_index);
    return verdict();
}
