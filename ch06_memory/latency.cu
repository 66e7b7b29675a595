// latency: many warps hide the latency of memory, and Little's law says how many are needed
//
// From:    S4 3.7; sections 5.2.3 and 6.3.2
// Order:   after occupancy-speed
// Compile: nvcc -O3 latency.cu
// Run:     ./a.out --csv > latency.csv
//
// While one warp of a multiprocessor waits for memory, others run. Little's law says how many are
// needed: the bytes under way are the bandwidth times the latency. The program measures both. Then
// it measures the rate with more and more warps, and prints beside it the rate that the law
// predicts. Each block gets shared memory that it does not use, so that exactly as many blocks are
// resident as are wanted.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "resident.cuh"

const int WARP = 32;
const size_t LATENCY_LOADS = 10000; // that one warp makes, one after the other
const int FLUSH_GRID = 1024, FLUSH_BLOCK = 256;

static size_t N; // words: a multiple of 4
static unsigned *h_x, *d_x;
static unsigned *h_sums, *d_sums; // a sum for each thread
static unsigned total;            // of all words
static int device, num_sms, most_warps;

// Each thread adds words, and each of its loads waits for the one before: the place of the next
// word depends on the word. In fact all words are so small that `word >> 31` is 0, but the compiler
// does not know that. So each warp has one load of 32 x 4 bytes under way, never two.
__global__ void sum_words(const unsigned *x, size_t N, unsigned *sums)
{
    const size_t tid = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (size_t n = tid; n < N;)
    {
        const unsigned word = x[n];
        sum += word;
        n += stride + (word >> 31);
    }
    sums[tid] = sum;
}

// The same with four words in a load: each warp has 32 x 16 bytes under way.
__global__ void sum_vectors(const uint4 *x, size_t N, unsigned *sums)
{
    const size_t tid = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (size_t n = tid; n < N;)
    {
        const uint4 v = x[n];
        const unsigned words = v.x + v.y + v.z + v.w;
        sum += words;
        n += stride + (words >> 31);
    }
    sums[tid] = sum;
}

// The time in ns that one warp waits for one load.
double measure_latency(void)
{
    const size_t most_loads = (N + WARP - 1) / WARP;
    const size_t loads = LATENCY_LOADS < most_loads ? LATENCY_LOADS : most_loads;
    const size_t num_words = loads * WARP < N ? loads * WARP : N;
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        // reads the whole array, so that the caches hold its end
        sum_vectors<<<FLUSH_GRID, FLUSH_BLOCK>>>((const uint4 *)d_x, N / 4, d_sums);
        begin_timing(&timer);
        sum_words<<<1, WARP>>>(d_x, num_words, d_sums);
    }
    return timer.median * 1e6 / loads;
}

// The time in which so many warps of each multiprocessor add all words. A load takes `width` bytes:
// 4 or 16. The sum is checked.
double time_warps(int width, int warps)
{
    const int blocks = warps * WARP > 1024 ? 2 : 1; // on each multiprocessor
    const int block_size = warps / blocks * WARP, grid_size = blocks * num_sms;
    const int threads = grid_size * block_size;
    const void *kernel = width == 4 ? (const void *)sum_words : (const void *)sum_vectors;
    const int shared = reserve_shared(device, kernel, block_size, blocks);
    CHECK(cudaMemset(d_sums, POISON_BYTE, threads * sizeof(unsigned)));
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        if (width == 4)
        {
            sum_words<<<grid_size, block_size, shared>>>(d_x, N, d_sums);
        }
        else
        {
            sum_vectors<<<grid_size, block_size, shared>>>((const uint4 *)d_x, N / 4, d_sums);
        }
    }
    CHECK(cudaMemcpy(h_sums, d_sums, threads * sizeof(unsigned), cudaMemcpyDeviceToHost));
    unsigned sum = 0;
    for (int i = 0; i < threads; ++i)
    {
        sum += h_sums[i];
    }
    check_true("the sum of all words", sum == total);
    return timer.median;
}

// A table: the rate against the resident warps, if each load of a thread takes `width` bytes.
void show_warps(int width, double ceiling, double latency)
{
    const double needed = ceiling * latency / num_sms / (WARP * width);
    const int most = most_warps;
    const int WARPS[] = {1, 2, 4, 8, 16, most / 2, most * 3 / 4, most};
    const int num_rows = sizeof(WARPS) / sizeof(WARPS[0]);
    printf("%s", args.csv || !ON_GPU ? "" : "\n");
    print_timed_note(
        "%d bytes a thread, %d a warp: %.1f warps on each multiprocessor are needed, %d can "
        "be\n",
        width, WARP * width, needed, most);
    const Column COLUMNS[] = {{"warps", "%5.0f"},
                              {"occupancy %", "%10.1f", "occupancy"},
                              {"predicted GB/s", "%10.1f", "predicted"},
                              {"GB/s", "%9.1f"},
                              {"%", "%5.1f"},
                              {"bar", " %s"}};
    begin_timed_table(COLUMNS, 6);
    for (int i = 0; i < num_rows; ++i)
    {
        const int warps = WARPS[i];
        const double rate = rate_of(N * sizeof(unsigned), time_warps(width, warps));
        put(warps);
        put(percent_of(warps, most));
        put(ON_GPU ? ceiling * fmin(warps / needed, 1.0) : NAN);
        put(rate);
        put(percent_of(rate, ceiling));
        put_text(bar_of(MOST_BAR * rate / ceiling));
        end_row();
    }
}

// Words of 29 bits. Those behind the first `used` are zeros. Returns the sum.
unsigned fill_words(unsigned *x, size_t N, size_t used, uint64_t seed)
{
    unsigned total = 0;
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = n < used ? (unsigned)(hash_bits(seed, n) >> 35) : 0;
        total += x[n];
    }
    return total;
}

int main(int argc, char **argv)
{
    args.N = default_size((size_t)1 << 27, 1 << 18);
    args.bytes_per_element = 2 * sizeof(unsigned); // the ceiling takes as much again
    args.bytes_on_host = sizeof(unsigned);
    args.columns = "  warps      warps resident on each multiprocessor\n"
                   "  occupancy  this number in per cent of the most\n"
                   "  predicted  the rate in GB/s by Little's law\n"
                   "  GB/s       the rate that was measured\n"
                   "  %          this rate in per cent of the fastest read; so long is the bar\n";
    parse_args(argc, argv, "-n N -r R -s S --csv",
               "latency: many warps hide the latency of memory, and Little's law says how many are "
               "needed");
    CHECK(cudaGetDevice(&device));
    num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    most_warps = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / WARP;
    print_device();

    N = (args.N + 3) / 4 * 4; // whole vectors
    const size_t bytes = N * sizeof(unsigned);
    const size_t resident = num_sms * most_warps * WARP, flushing = FLUSH_GRID * FLUSH_BLOCK;
    const size_t most_threads = resident > flushing ? resident : flushing;
    h_x = (unsigned *)malloc(bytes);
    h_sums = (unsigned *)malloc(most_threads * sizeof(unsigned));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_sums, most_threads * sizeof(unsigned)));
    total = fill_words(h_x, N, args.N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    const double ceiling = read_ceiling(bytes), latency = measure_latency();
    print_timed_note("latency %.0f ns x ceiling %.0f GB/s = %.0f KB must be on their way to %d "
                     "multiprocessors\n",
                     latency, ceiling, latency * ceiling / 1024, num_sms);
    show_warps(4, ceiling, latency);
    show_warps(16, ceiling, latency);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sums));
    free(h_x);
    free(h_sums);
    return verdict();
}
