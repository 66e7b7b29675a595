// gather: reading and writing through an index array, when the indices are in order and when not
//
// From:    S2 Table 6.2, testGather.cu and its Examples 6.17 to 6.20
// Compile: nvcc -O3 gather.cu
// Run:     ./a.out -n 1e8
// Checks:  35
//
// A gather is y[n] = x[index[n]], a scatter y[index[n]] = x[n]. Memory comes in sectors of 32
// bytes. Neighbours among the threads that ask for neighbours in memory share them; random ones
// need a sector each and throw most of it away. The table has five sizes, N and its tenth parts,
// and four orders of the indices:
//   sequential  index[n] = n
//   sorted      random draws with repeats, as in S2, then sorted; for a gather only
//   nearby      a permutation that moves no element out of its group of 1024
//   random      a permutation of all elements
// A scatter is through a permutation, so that no two threads write to the same place.

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/data.cuh"
#include "../common/versions.cuh" // for show_progress, and it brings args, ceiling, timing, ...

const size_t GROUP = 1024; // of the order `nearby`: 4 KiB of floats
const size_t BYTES = sizeof(unsigned int) + 2 * sizeof(real); // that an element needs moved

// Element n of x is a function of n, and so the references never look anything up in x.
double value_of(const Args *args, size_t n)
{
    return random_unit(args->seed, n);
}

void gather_reference(const Args *args, const unsigned int *index, double *y, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        y[n] = value_of(args, index[n]);
    }
}

void scatter_reference(const Args *args, const unsigned int *index, double *y, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        y[n] = NAN; // equals nothing, should the indices leave a place out
    }
    for (size_t n = 0; n < N; ++n)
    {
        y[index[n]] = value_of(args, n);
    }
}

// The index array is read in order, y is written in order; x is read wherever the indices say.
__global__ void gather(const real *x, const unsigned int *index, real *y, unsigned int N)
{
    const unsigned int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[index[n]];
    }
}

// Now x is read in order, and the writes jump.
__global__ void scatter(const real *x, const unsigned int *index, real *y, unsigned int N)
{
    const unsigned int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[index[n]] = x[n];
    }
}

// ---- The orders of the indices ----

void make_sequential(unsigned int *index, size_t N, size_t)
{
    for (size_t n = 0; n < N; ++n)
    {
        index[n] = n;
    }
}

// Sorted by counting, which takes no more time for many numbers than N for each.
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

// Fisher and Yates: each place, from the last on, gets one of those not yet given away, each with
// the same chance. The places to swap come from a hash, hence the same everywhere.
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

// ---- The table ----

struct Arrays
{
    real *h_x, *h_y, *d_x, *d_y;
    double *reference;
    unsigned int *h_index, *d_index;
};

typedef void Kernel(const real *, const unsigned int *, real *, unsigned int);

// Poison, launch, compare, then time: the median in ms.
double run(const Args *args, const char *name, const char *order, Kernel *kernel, Arrays *a,
           size_t N)
{
    char what[64];
    snprintf(what, sizeof(what), "%s, %s, N = %zu", name, order, N);
    const unsigned int block_size = args->block_x, grid_size = (N + block_size - 1) / block_size;
    const auto launch = [&]
    {
        kernel<<<grid_size, block_size>>>(a->d_x, a->d_index, a->d_y, N);
    };
    poison(a->h_y, N * sizeof(real));
    CHECK(cudaMemset(a->d_y, POISON_BYTE, N * sizeof(real)));
    launch();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(a->h_y, a->d_y, N * sizeof(real), cudaMemcpyDeviceToHost));
    check_elements(what, a->h_y, a->reference, N);
    return time_kernel(launch, args->repeats).median;
}

void print_cells(double ms, double sequential, size_t N)
{
    printf("  %9.4f %7.1f %6.2f", ms, N * BYTES / ms * 1e-6, ms / sequential);
}

// One size: four rows, and how fast the same bytes can be copied.
void run_size(const Args *args, Arrays *a, size_t N, double l2_bytes)
{
    printf("N = %zu: %.3g MB, %s L2; copy ceiling %.1f GB/s\n", N, N * BYTES * 1e-6,
           N * BYTES <= l2_bytes ? "within" : "beyond", copy_ceiling(N * BYTES));
    double gather_sequential = NAN, scatter_sequential = NAN;
    for (const Order &order : ORDERS)
    {
        show_progress("making indices:", order.name);
        order.make(a->h_index, N, args->seed + 1);
        CHECK(cudaMemcpy(a->d_index, a->h_index, N * sizeof(unsigned int), cudaMemcpyHostToDevice));
        gather_reference(args, a->h_index, a->reference, N);
        const double gather_ms = run(args, "gather", order.name, gather, a, N);
        gather_sequential = isnan(gather_sequential) ? gather_ms : gather_sequential;
        double scatter_ms = NAN;
        if (order.is_permutation)
        {
            scatter_reference(args, a->h_index, a->reference, N);
            scatter_ms = run(args, "scatter", order.name, scatter, a, N);
            scatter_sequential = isnan(scatter_sequential) ? scatter_ms : scatter_sequential;
        }
        printf("  %-12s", order.name);
        print_cells(gather_ms, gather_sequential, N);
        order.is_permutation ? print_cells(scatter_ms, scatter_sequential, N) : (void)0;
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000);
    args.bytes_per_element = BYTES;
    args.bytes_on_host = BYTES + sizeof(double) + sizeof(unsigned int);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "gather: reading and writing through an index array, when the indices are in order "
               "and when not");
    if (args.N > INT_MAX)
    {
        usage_error(&args, "at most %d elements: a grid of one-thread blocks has no more", INT_MAX);
    }

    const size_t bytes = args.N * sizeof(real), index_bytes = args.N * sizeof(unsigned int);
    Arrays a;
    a.h_x = (real *)malloc(bytes);
    a.h_y = (real *)malloc(bytes);
    a.reference = (double *)malloc(args.N * sizeof(double));
    a.h_index = (unsigned int *)malloc(index_bytes);
    CHECK(cudaMalloc(&a.d_x, bytes));
    CHECK(cudaMalloc(&a.d_y, bytes));
    CHECK(cudaMalloc(&a.d_index, index_bytes));
    for (size_t n = 0; n < args.N; ++n)
    {
        a.h_x[n] = value_of(&args, n);
    }
    CHECK(cudaMemcpy(a.d_x, a.h_x, bytes, cudaMemcpyHostToDevice));

    int device;
    CHECK(cudaGetDevice(&device));
    const double l2_bytes = device_attribute(cudaDevAttrL2CacheSize, device);
    print_device();
    printf("L2 cache: %.1f MB; %s, %zu bytes an element, median of %zu repeats\n", l2_bytes * 1e-6,
           REAL_NAME, BYTES, args.repeats);
    printf("                gather %s    GB/s      x   scatter    GB/s      x\n", TIME_UNIT);
    for (size_t part = 10000; part > 0; part /= 10)
    {
        args.N >= part ? run_size(&args, &a, args.N / part, l2_bytes) : (void)0;
    }

    CHECK(cudaFree(a.d_x));
    CHECK(cudaFree(a.d_y));
    CHECK(cudaFree(a.d_index));
    free(a.h_x);
    free(a.h_y);
    free(a.reference);
    free(a.h_index);
    return verdict();
}
