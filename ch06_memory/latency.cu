// latency: many warps hide the latency of memory, and Little's law says how many are needed
//
// From:    S4 3.7; sections 5.2.3 and 6.3.2
// Order:   after occupancy
// Compile: nvcc -O3 latency.cu
// Run:     ./a.out --csv > latency.csv
//
// While one warp of a multiprocessor waits for memory, others run. Little's law says how many are
// needed: the bytes under way are the bandwidth times the latency. The program measures both. Then
// it measures the rate with more and more warps, and prints beside it the rate that the law
// predicts. Each block gets shared memory that it does not use, so that exactly as many blocks are
// resident as are wanted.

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "resident.cuh"

const int WARP = 32;
const size_t LATENCY_LOADS = 10000; // that one warp makes, one after the other
const int FLUSH_GRID = 1024, FLUSH_BLOCK = 256;

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

// What the kernels work on, and what is known of the device.
struct Data
{
    size_t N; // words: a multiple of 4
    const unsigned *d_x;
    unsigned *d_sums, *h_sums; // a sum for each thread
    unsigned total;            // of all words
    int device, num_sms, most_warps;
    size_t repeats;
};

// The time in ns that one warp waits for one load.
double measure_latency(const Data *data)
{
    const size_t N = data->N, loads = std::min(LATENCY_LOADS, (N + WARP - 1) / WARP);
    const auto load = [&]
    {
        sum_words<<<1, WARP>>>(data->d_x, std::min(N, loads * WARP), data->d_sums);
    };
    const auto flush = [&] // reads the whole array, so that the caches hold its end
    {
        sum_vectors<<<FLUSH_GRID, FLUSH_BLOCK>>>((const uint4 *)data->d_x, N / 4, data->d_sums);
    };
    return time_kernel(load, data->repeats, flush).median * 1e6 / loads;
}

// The time in which so many warps of each multiprocessor add all words. The sum is checked.
template <typename Word>
double time_warps(const Data *data, void (*kernel)(const Word *, size_t, unsigned *), int warps)
{
    const int blocks = warps * WARP > 1024 ? 2 : 1; // on each multiprocessor
    const int block_size = warps / blocks * WARP, grid_size = blocks * data->num_sms;
    const int threads = grid_size * block_size;
    const int shared = reserve_shared(data->device, kernel, block_size, blocks);
    const size_t num_words = data->N * sizeof(unsigned) / sizeof(Word);
    CHECK(cudaMemset(data->d_sums, POISON_BYTE, threads * sizeof(unsigned)));
    const auto launch = [&]
    {
        kernel<<<grid_size, block_size, shared>>>((const Word *)data->d_x, num_words, data->d_sums);
    };
    const double time = time_kernel(launch, data->repeats).median;
    CHECK(
        cudaMemcpy(data->h_sums, data->d_sums, threads * sizeof(unsigned), cudaMemcpyDeviceToHost));
    unsigned sum = 0;
    for (int i = 0; i < threads; ++i)
    {
        sum += data->h_sums[i];
    }
    check_true("the sum of all words", sum == data->total);
    return time;
}

// A table: the rate against the resident warps, if each thread loads one Word after the other.
template <typename Word>
void show_warps(const Data *data, void (*kernel)(const Word *, size_t, unsigned *), double ceiling,
                double latency, bool csv)
{
    const size_t width = sizeof(Word);
    const double needed = ceiling * latency / data->num_sms / (WARP * width);
    const int most = data->most_warps;
    if (!csv)
    {
        printf("\n%zu bytes a thread, %zu a warp: %.1f warps on each multiprocessor are "
               "needed, %d can be\nwarps  occupancy  predicted      GB/s     %%\n",
               width, WARP * width, needed, most);
    }
    for (int warps : {1, 2, 4, 8, 16, most / 2, most * 3 / 4, most})
    {
        const double time = time_warps(data, kernel, warps);
        const double rate = data->N * sizeof(unsigned) / time * 1e-6, share = rate / ceiling;
        const double predicted = ceiling * std::min(warps / needed, 1.0);
        if (csv)
        {
            printf("warps of %zu bytes,%d,%.6g,%.6g,GB/s\n", width, warps, predicted, rate);
        }
        else
        {
            printf("%5d %9.1f%% %10.1f %9.1f %5.1f  %.*s\n", warps, 100.0 * warps / most, predicted,
                   rate, 100.0 * share, (int)(40 * std::min(share, 1.0)), BAR);
        }
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
    int device;
    CHECK(cudaGetDevice(&device));
    const int num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    const int most_warps = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / WARP;
    print_device();

    const size_t N = (args.N + 3) / 4 * 4; // whole vectors
    const size_t bytes = N * sizeof(unsigned);
    const size_t most_threads =
        std::max((size_t)FLUSH_GRID * FLUSH_BLOCK, (size_t)num_sms * most_warps * WARP);
    unsigned *h_x = (unsigned *)malloc(bytes);
    unsigned *h_sums = (unsigned *)malloc(most_threads * sizeof(unsigned));
    unsigned *d_x, *d_sums;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_sums, most_threads * sizeof(unsigned)));
    const unsigned total = fill_words(h_x, N, args.N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    const Data data = {N, d_x, d_sums, h_sums, total, device, num_sms, most_warps, args.repeats};
    const double ceiling = read_ceiling(bytes), latency = measure_latency(&data);
    print_note("latency %.0f ns x ceiling %.0f GB/s = %.0f KB must be on their way to %d "
               "multiprocessors\n",
               latency, ceiling, latency * ceiling / 1024, num_sms);
    if (args.csv)
    {
        printf("curve,x,predicted,measured,unit\n");
    }
    show_warps(&data, sum_words, ceiling, latency, args.csv);
    show_warps(&data, sum_vectors, ceiling, latency, args.csv);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sums));
    free(h_x);
    free(h_sums);
    return verdict();
}
