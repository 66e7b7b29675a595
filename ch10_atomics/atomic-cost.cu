// atomic-cost: what additions to few and to many numbers cost, by atomicAdd and by compare-and-swap
//
// From:    section 10.2, Listing 10.2
// Compile: nvcc -O3 atomic-cost.cu
// Run:     ./a.out -n 4194304
//
// The threads add to 1, 32, 1024 or N sums. Up to 1024 threads share a sum. All additions to one
// sum are done one after the other, so the rate grows with the number of sums.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

typedef unsigned long long uint64;

const unsigned ADDS = 16;    // of each thread
const unsigned CROWD = 1024; // the most threads that add to one address

static unsigned N, addresses; // threads, and sums that they add to
static unsigned grid_size, block_size;
static void *d_sums, *h_sums; // of the type that is timed
static double *expected;      // what they should be

// Listing 10.2. Every other function can be made from compare-and-swap. If the word is no longer
// what the sum was made from, another thread has changed it, and the loop makes the sum again.
// Integers are compared: a NaN is not equal to itself, so comparing doubles could loop for ever.
__device__ double add_by_cas(double *address, double val)
{
    uint64 *address_as_ull = (uint64 *)address;
    uint64 old = *address_as_ull, assumed;
    do
    {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed,
                        __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

// Thread n adds to sum n % addresses. With one address, all lanes of a warp add to the same sum.
// With 32, each lane has its own sum, but every warp adds to the same 32.
template <typename T>
__global__ void add_many(T *sums, unsigned addresses, unsigned N)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    for (unsigned i = 0; n < N && i < ADDS; ++i)
    {
        atomicAdd(&sums[n % addresses], (T)(1 + n % 3));
    }
}

__global__ void add_many_by_cas(double *sums, unsigned addresses, unsigned N)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    for (unsigned i = 0; n < N && i < ADDS; ++i)
    {
        add_by_cas(&sums[n % addresses], (double)(1 + n % 3));
    }
}

void run_int(void) { add_many<<<grid_size, block_size>>>((int *)d_sums, addresses, N); }
void run_uint64(void) { add_many<<<grid_size, block_size>>>((uint64 *)d_sums, addresses, N); }
void run_float(void) { add_many<<<grid_size, block_size>>>((float *)d_sums, addresses, N); }
void run_double(void) { add_many<<<grid_size, block_size>>>((double *)d_sums, addresses, N); }
void run_by_cas(void)
{
    add_many_by_cas<<<grid_size, block_size>>>((double *)d_sums, addresses, N);
}

double int_at(unsigned i) { return ((const int *)h_sums)[i]; }
double uint64_at(unsigned i) { return ((const uint64 *)h_sums)[i]; }
double float_at(unsigned i) { return ((const float *)h_sums)[i]; }
double double_at(unsigned i) { return ((const double *)h_sums)[i]; }

// The rows of the table: a type, and what adds to sums of this type.
const struct
{
    const char *name;
    size_t bytes; // of a sum
    void (*run)(void);
    double (*sum_at)(unsigned i);
} ROWS[] = {
    {"int", sizeof(int), run_int, int_at},
    {"uint64", sizeof(uint64), run_uint64, uint64_at},
    {"float", sizeof(float), run_float, float_at},
    {"double", sizeof(double), run_double, double_at},
    {"double by CAS", sizeof(double), run_by_cas, double_at},
};
const int NUM_ROWS = sizeof(ROWS) / sizeof(ROWS[0]);

// As many threads as may add to so many sums, and what the sums should be.
void prepare(size_t most_addresses)
{
    addresses = args.N < most_addresses ? args.N : most_addresses;
    N = args.N < (size_t)CROWD * addresses ? args.N : (size_t)CROWD * addresses;
    block_size = args.block_x;
    grid_size = (N - 1) / block_size + 1;
    for (unsigned i = 0; i < addresses; ++i)
    {
        expected[i] = 0.0;
    }
    for (unsigned n = 0; n < N; ++n)
    {
        expected[n % addresses] += ADDS * (1 + n % 3); // small integers: exact in any order
    }
}

// Returns how many adds happen in a second, in 10^9, and notes in *right if a sum is wrong. Without
// a GPU it returns how many turns 32 adds of a warp take: lanes that add to one sum go one after
// the other.
double measure_adds(int row, bool *right)
{
    const size_t bytes = addresses * ROWS[row].bytes;
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        CHECK(cudaMemset(d_sums, 0, bytes));
        begin_timing(&timer);
        ROWS[row].run();
    }
    CHECK(cudaMemcpy(h_sums, d_sums, bytes, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < addresses; ++i)
    {
        *right = *right && ROWS[row].sum_at(i) == expected[i];
    }
    const double adds = (double)N * ADDS;
    const double turns = timer.counts.is_known ? 32.0 * timer.counts.sums.together / adds : NAN;
    return ON_GPU ? rate_of(adds, timer.median) : turns;
}

// A row of the table.
void show_adds(int row)
{
    const size_t most_addresses[] = {1, 32, 1024, args.N};
    bool right = true;
    put_text(ROWS[row].name);
    for (int i = 0; i < 4; ++i)
    {
        prepare(most_addresses[i]);
        put(measure_adds(row, &right));
    }
    end_row();
    check_true(ROWS[row].name, right);
}

// The last row, without a GPU: the turns of different warps at one sum are not counted.
void show_queue(void)
{
    const size_t most_addresses[] = {1, 32, 1024, args.N};
    put_text("adds to a sum");
    for (int i = 0; i < 4; ++i)
    {
        prepare(most_addresses[i]);
        put((double)N * ADDS / addresses);
    }
    end_row();
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 22, 1 << 15);
    args.size_is = "most threads and most sums";
    args.repeats = 5;
    args.bytes_per_element = sizeof(uint64);
    args.bytes_on_host = 2 * sizeof(uint64);
    args.columns = "  1, 32, 1024, N  10^9 additions in a second, to so many sums\n"
                   "                  (without a GPU: turns that a warp's 32 additions take)\n";
    parse_args(argc, argv, "-n N -b B -r R --csv",
               "atomic-cost: what additions to few and to many numbers cost, by atomicAdd and by "
               "compare-and-swap");
    if (args.N > 1u << 30)
    {
        usage_error("-n takes at most %u threads", 1u << 30);
    }
    h_sums = malloc(args.N * sizeof(uint64));
    expected = (double *)malloc(args.N * sizeof(double));
    CHECK(cudaMalloc(&d_sums, args.N * sizeof(uint64)));
    print_device();
    if (ON_GPU)
    {
        print_note("10^9 adds a second, N = %zu, median of %zu repeats; up to %u threads share an "
                   "address\n",
                   args.N, args.repeats, CROWD);
    }
    else
    {
        print_note("turns that 32 adds of a warp take (least 1), N = %zu: counted on the CPU, not "
                   "timed\n",
                   args.N);
        print_note("up to %u threads share an address\n", CROWD);
    }
    const Column COLUMNS[] = {{"addresses", "%-14s"},
                              {"1", "%10.4g"},
                              {"32", "%10.4g"},
                              {"1024", "%10.4g"},
                              {"N", "%10.4g"}};
    const Column COUNTS[] = {{"addresses", "%-14s"},
                             {"1", "%10.0f"},
                             {"32", "%10.0f"},
                             {"1024", "%10.0f"},
                             {"N", "%10.0f"}};
    begin_table(ON_GPU ? COLUMNS : COUNTS, 5);
    for (int row = 0; row < NUM_ROWS; ++row)
    {
        show_adds(row);
    }
    if (!ON_GPU)
    {
        show_queue();
        print_note("to many addresses a card adds numbers of 8 bytes more slowly: turns do not "
                   "tell that\n");
        print_card_run();
    }
    CHECK(cudaFree(d_sums));
    free(h_sums);
    free(expected);
    return verdict();
}
