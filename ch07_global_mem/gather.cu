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
//
// Without a GPU the sectors are counted that a warp reads of x in a gather, or writes of y in a
// scatter. Caches are not counted.

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/versions.cuh" // for show_progress; brings args, ceiling, timing, ...

const size_t SECTOR_BYTES = 32;
const size_t GROUP = 1024; // elements within which `nearby` permutes: 4 KiB of floats
const size_t BYTES = sizeof(unsigned int) + 2 * sizeof(real); // that an element needs moved

static size_t N; // of the size that is measured; the arrays have room for the largest
static unsigned int grid_size, block_size;
static real *h_x, *h_y, *d_x, *d_y;
static unsigned int *h_index, *d_index;
static double *reference; // what y should be

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

void run_gather(void) { gather<<<grid_size, block_size>>>(d_x, d_index, d_y, N); }

// Example 6.18. Now x is read in order, and the writes to y jump.
__global__ void scatter(const real *x, const unsigned int *index, real *y, unsigned int N)
{
    const unsigned int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[index[n]] = x[n];
    }
}

void run_scatter(void) { scatter<<<grid_size, block_size>>>(d_x, d_index, d_y, N); }

// ---- The orders of the indices ----

void make_sequential(unsigned int *index, size_t N, size_t seed)
{
    (void)seed; // nothing is random
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
const int NUM_ORDERS = sizeof(ORDERS) / sizeof(ORDERS[0]);

// Poisons y, launches, compares y with the reference, then times.
Timer measure(const char *what, const char *order, void (*run)(void))
{
    char text[64];
    snprintf(text, sizeof(text), "%s, %s, N = %zu", what, order, N);
    poison(h_y, N * sizeof(real));
    CHECK(cudaMemset(d_y, POISON_BYTE, N * sizeof(real)));
    run();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_y, d_y, N * sizeof(real), cudaMemcpyDeviceToHost));
    check_elements(text, h_y, reference, N);

    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        run();
    }
    return timer;
}

// The sectors that a warp reads of x. It also reads the index array, which has whole sectors of
// indices, but for the last one.
double sectors_of_x(const CountSums *counts)
{
    const size_t indices = SECTOR_BYTES / sizeof(unsigned int);
    const double sectors = counts->loads.units - (N + indices - 1) / indices;
    return counts->warps > 0 ? sectors / counts->warps : NAN; // NAN: nothing has counted
}

double sectors_of_y(const CountSums *counts) { return counts->stores.units / counts->warps; }

// Three cells of a row; they are left out where `ms` is NAN.
void put_times(double ms, double sequential_ms)
{
    put(ms);
    put(rate_of(N * BYTES, ms));
    put(times_as_fast(ms, sequential_ms));
}

// The rows of one size: an order of the indices each.
void show_orders(void)
{
    double sequential_gather = NAN, sequential_scatter = NAN; // ms, of the first row
    for (int i = 0; i < NUM_ORDERS; ++i)
    {
        const Order *order = &ORDERS[i];
        show_progress("making indices:", order->name);
        order->make(h_index, N, args.seed + 1);
        CHECK(cudaMemcpy(d_index, h_index, N * sizeof(unsigned int), cudaMemcpyHostToDevice));

        gather_reference(h_index, reference, N);
        const Timer gather_time = measure("gather", order->name, run_gather);
        Timer scatter_time = {};
        scatter_time.median = NAN;
        if (order->is_permutation)
        {
            scatter_reference(h_index, reference, N);
            scatter_time = measure("scatter", order->name, run_scatter);
        }
        sequential_gather = i == 0 ? gather_time.median : sequential_gather;
        sequential_scatter = i == 0 ? scatter_time.median : sequential_scatter;
        put_text(order->name);
        if (ON_GPU)
        {
            put_times(gather_time.median, sequential_gather);
            put_times(scatter_time.median, sequential_scatter);
        }
        else
        {
            put(sectors_of_x(&gather_time.counts.sums));
            put(sectors_of_y(&scatter_time.counts.sums));
            put_text(order->make == make_nearby ? said("gather: the L1 cache keeps its sectors")
                                                : "");
        }
        end_row();
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 1 << 18);
    args.bytes_per_element = BYTES;
    args.bytes_on_host = BYTES + sizeof(double) + sizeof(unsigned int);
    args.columns = "  ms       the median time\n"
                   "  GB/s     bytes that have to be read and written, over the time\n"
                   "  x        this row's time over that of the sequential indices\n"
                   "  sectors  without a GPU: pieces of 32 bytes that a warp asks for\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "gather: reading and writing through an index array, when the indices are in order "
               "and when not");
    if (args.N > INT_MAX)
    {
        usage_error("at most %d elements: a grid of one-thread blocks has no more", INT_MAX);
    }

    block_size = args.block_x;
    const size_t bytes = args.N * sizeof(real), index_bytes = args.N * sizeof(unsigned int);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(args.N * sizeof(double));
    h_index = (unsigned int *)malloc(index_bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_index, index_bytes));
    for (size_t n = 0; n < args.N; ++n)
    {
        h_x[n] = value_of(n);
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    int device;
    CHECK(cudaGetDevice(&device));
    const double l2_bytes = device_attribute(cudaDevAttrL2CacheSize, device);
    print_device();
    print_timed_note("L2 cache: %.1f MB; %s, %zu bytes an element, median of %zu repeats\n",
                     l2_bytes * 1e-6, REAL_NAME, BYTES, args.repeats);
    const Column COLUMNS[] = {{"indices", "%-14s"},
                              {ON_GPU ? "gather ms" : "gather CPU ms", "%15.4f"},
                              {"gather GB/s", "%7.1f", "GB/s"},
                              {"gather x", "%6.2f", "x"},
                              {ON_GPU ? "scatter ms" : "scatter CPU ms", "%15.4f"},
                              {"scatter GB/s", "%7.1f", "GB/s"},
                              {"scatter x", "%6.2f", "x"}};
    const Column COUNTED[] = {{"indices", "%-14s"},
                              {"gather: sectors of x", "%20.2f"},
                              {"scatter: sectors of y", "%22.2f"},
                              {"not counted", " %s"}};
    if (!ON_GPU)
    {
        print_note("%s: sectors that a warp asks for, counted on the CPU, not timed; the least is "
                   "%zu\n",
                   REAL_NAME, sizeof(real));
    }
    ON_GPU ? begin_table(COLUMNS, 7) : begin_table(COUNTED, 4);
    for (size_t part = ON_GPU ? 10000 : 1; part > 0; part /= 10) // counts hardly depend on N
    {
        N = args.N / part;
        if (N > 0)
        {
            if (ON_GPU)
            {
                print_note("N = %zu: %.3g MB, %s L2; copy ceiling %.1f GB/s\n", N, N * BYTES * 1e-6,
                           N * BYTES <= l2_bytes ? said("within") : said("beyond"),
                           copy_ceiling(N * BYTES));
            }
            else
            {
                print_note("N = %zu\n", N);
            }
            grid_size = (N + block_size - 1) / block_size;
            show_orders();
        }
    }
    if (!ON_GPU)
    {
        printf("%s", args.csv ? "" : "\n");
        print_card_run();
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_index));
    free(h_x);
    free(h_y);
    free(reference);
    free(h_index);
    return verdict();
}
