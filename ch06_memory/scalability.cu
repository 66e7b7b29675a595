// scalability: blocks run in waves, and many warps hide the latency of memory
//
// From:    S4 3.4, 3.5 and 3.7; S1 2; sections 5.2.3 and 6.3.2
// Chinese: 线程块一波一波地执行；足够多的线程束能隐藏内存延迟
// Compile: nvcc -O3 scalability.cu
// Run:     ./a.out --csv > scalability.csv
// Options: -n N -r R -s S --csv --steps N
// Checks:  93
//
// A grid runs on any number of multiprocessors. The blocks that run together are a wave. A wave
// that is not full takes as long as a full one, so the time against the number of blocks is a
// staircase. Within a multiprocessor, other warps run while one waits for memory. Little's law says
// how many are needed: the bytes under way are the bandwidth times the latency. Both curves stand
// beside the values that the numbers of this device predict. Each block gets shared memory that it
// does not use, so that exactly as many blocks are resident as are wanted.

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"

const int WARP = 32;
const int WAVES = 4;                 // of the staircase
const int RESIDENT = ON_GPU ? 2 : 1; // blocks of it on a multiprocessor, or on a core of a CPU
const int BLOCK = 64;                // threads of these blocks
const size_t LATENCY_LOADS = 10000;  // that one warp makes, one after the other
const unsigned MULTIPLIER = 1664525, INCREMENT = 1013904223;
const char BAR[] = "########################################";

// x -> a x + c, `steps` times. The kernel makes one step after the other. Here, two steps make one
// step of the same form with another a and c, two of these again, and so on.
unsigned chain_reference(unsigned x, size_t steps)
{
    unsigned a = MULTIPLIER, c = INCREMENT;
    for (; steps > 0; steps /= 2)
    {
        if (steps % 2 == 1)
        {
            x = a * x + c;
        }
        c = a * c + c;
        a = a * a;
    }
    return x;
}

// The number of the multiprocessor that the thread runs on. The CPU backend has no such register.
__device__ inline unsigned multiprocessor_id(void)
{
    unsigned id = 0;
#if ON_GPU
    asm("mov.u32 %0, %%smid;" : "=r"(id));
#endif
    return id;
}

// Every step waits for the one before. A multiprocessor has four schedulers, and two blocks of 64
// threads have four warps, so the blocks of a wave do not slow each other down. a and c are
// parameters. If the compiler knew them, it could make one step of two.
__global__ void step_chain(unsigned *results, unsigned *ids, size_t steps, unsigned a, unsigned c)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned x = n;
    for (size_t step = 0; step < steps; ++step)
    {
        x = a * x + c;
    }
    results[n] = x;
    if (threadIdx.x == 0)
    {
        ids[blockIdx.x] = multiprocessor_id();
    }
}

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

// The dynamic shared memory of a block with which exactly `blocks` blocks fit on a multiprocessor.
template <typename Kernel>
int reserve_shared(int device, Kernel *kernel, int block_size, int blocks)
{
    const int unit = 256;
    const int all = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    const int reserved = device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    const int most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const int shared = std::min((all / blocks - reserved) / unit * unit, most);
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    int resident = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, shared));
    check_true("as many are resident as wanted", resident == blocks);
    return shared;
}

// How many different multiprocessors have run a block. 0 if the ids cannot be right.
int count_multiprocessors(unsigned *ids, int blocks, int num_sms)
{
    std::sort(ids, ids + blocks);
    const int distinct = (int)(std::unique(ids, ids + blocks) - ids);
    return distinct <= num_sms && ids[distinct - 1] < 65536 ? distinct : 0;
}

int main(int argc, char **argv)
{
    size_t steps = default_size(100000, 1000);
    Args args;
    args.N = default_size((size_t)1 << 27, 1 << 18);
    args.bytes_per_element = 2 * sizeof(unsigned); // the ceiling takes as much again
    args.bytes_on_host = sizeof(unsigned);
    add_number(&args, "steps", &steps, 1, 100000000, "steps of each chain of the staircase");
    parse_args(&args, argc, argv, "-n N -r R -s S --csv [--steps N]",
               "scalability: blocks run in waves, and many warps hide the latency of memory");
    int device = -1;
    CHECK(cudaGetDevice(&device));
    const int num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    const int most_warps = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / WARP;
    print_device();

    // ---- The staircase: the time against the number of blocks ----

    const int wave = RESIDENT * num_sms, most_blocks = WAVES * wave;
    const int shared = reserve_shared(device, step_chain, BLOCK, RESIDENT);
    const size_t chains_bytes = most_blocks * BLOCK * sizeof(unsigned);
    const size_t ids_bytes = most_blocks * sizeof(unsigned);
    unsigned *chains = (unsigned *)malloc(chains_bytes);
    unsigned *reference = (unsigned *)malloc(chains_bytes);
    unsigned *ids = (unsigned *)malloc(ids_bytes);
    unsigned *d_chains, *d_ids;
    CHECK(cudaMalloc(&d_chains, chains_bytes));
    CHECK(cudaMalloc(&d_ids, ids_bytes));
    for (int n = 0; n < most_blocks * BLOCK; ++n)
    {
        reference[n] = chain_reference(n, steps);
    }
    if (args.csv)
    {
        printf("curve,x,predicted,measured,unit\n");
    }
    else
    {
        printf("\nchains of %zu steps in blocks of %d threads: a wave is %d on each of %d "
               "multiprocessors\nblocks  waves  used  predicted %9s\n",
               steps, BLOCK, RESIDENT, num_sms, TIME_UNIT);
    }
    double one_block = 0.0;             // ms
    for (int i = 0; i < 5 * WAVES; ++i) // of each wave: one block, and one to four quarters
    {
        const int quarters = i % 5, full_waves = i / 5;
        const int of_wave = quarters == 0 ? 1 : std::max(1, quarters * wave / 4);
        const int blocks = full_waves * wave + of_wave;
        const int waves = (blocks + wave - 1) / wave;
        check_true("a part of a wave is one more wave", waves == full_waves + 1);
        CHECK(cudaMemset(d_chains, POISON_BYTE, chains_bytes));
        CHECK(cudaMemset(d_ids, POISON_BYTE, ids_bytes));
        const auto launch = [&]
        {
            step_chain<<<blocks, BLOCK, shared>>>(d_chains, d_ids, steps, MULTIPLIER, INCREMENT);
        };
        const double time = time_kernel(launch, args.repeats).median;
        CHECK(cudaMemcpy(chains, d_chains, blocks * BLOCK * sizeof(unsigned),
                         cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(ids, d_ids, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost));
        check_elements("chains", chains, reference, blocks * BLOCK);
        const int used = count_multiprocessors(ids, blocks, num_sms);
        check_true("the multiprocessors used exist", used > 0);

        if (i == 0)
        {
            one_block = time;
        }
        if (args.csv)
        {
            printf("staircase,%d,%.6g,%.6g,%s\n", blocks, waves * one_block, time, TIME_UNIT);
        }
        else
        {
            const double length = std::min(32.0 * time / (WAVES * one_block), 40.0);
            printf("%6d %6d %5.0d %10.4g %9.4g  %.*s\n", blocks, waves, ON_GPU * used,
                   waves * one_block, time, (int)length, BAR);
        }
    }
    CHECK(cudaFree(d_chains));
    CHECK(cudaFree(d_ids));
    free(chains);
    free(reference);
    free(ids);

    // ---- The latency: what one warp waits for one load ----

    const size_t N = (args.N + 3) / 4 * 4; // whole vectors: the last words may be zeros
    const size_t bytes = N * sizeof(unsigned);
    unsigned *h_x = (unsigned *)calloc(N, sizeof(unsigned));
    unsigned total = 0;
    for (size_t n = 0; n < args.N; ++n)
    {
        h_x[n] = (unsigned)(hash_bits(args.seed, n) >> 35);
        total += h_x[n];
    }
    const int flush_grid = 1024, flush_block = 256;
    const size_t most_threads =
        std::max((size_t)flush_grid * flush_block, (size_t)num_sms * most_warps * WARP);
    unsigned *h_sums = (unsigned *)malloc(most_threads * sizeof(unsigned));
    unsigned *d_x, *d_sums;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_sums, most_threads * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    const uint4 *d_vectors = (const uint4 *)d_x;
    const double ceiling = read_ceiling(bytes);

    const size_t loads = std::min(LATENCY_LOADS, (N + WARP - 1) / WARP);
    const auto load = [&]
    {
        sum_words<<<1, WARP>>>(d_x, std::min(N, loads * WARP), d_sums);
    };
    const auto flush = [&] // reads the whole array, so that the caches hold its end
    {
        sum_vectors<<<flush_grid, flush_block>>>(d_vectors, N / 4, d_sums);
    };
    const double latency = time_kernel(load, args.repeats, flush).median * 1e6 / loads; // ns
    if (!args.csv)
    {
        printf("\n");
    }
    print_note("latency %.0f ns x ceiling %.0f GB/s = %.0f KB must be on their way\n", latency,
               ceiling, latency * ceiling / 1024);

    // ---- The rate against the resident warps, for loads of 4 bytes and of 16 ----

    const auto show_warps = [&](auto *kernel, const auto *d_words)
    {
        const size_t width = sizeof(*d_words);
        const double needed = ceiling * latency / num_sms / (WARP * width);
        if (!args.csv)
        {
            printf("\n%zu bytes a thread, %zu a warp: %.1f warps on each multiprocessor are "
                   "needed, %d can be\nwarps  occupancy  predicted      GB/s     %%\n",
                   width, WARP * width, needed, most_warps);
        }
        for (int warps : {1, 2, 4, 8, 16, most_warps / 2, most_warps * 3 / 4, most_warps})
        {
            const int blocks = warps * WARP > 1024 ? 2 : 1; // on each multiprocessor
            const int block_size = warps / blocks * WARP, grid_size = blocks * num_sms;
            const int threads = grid_size * block_size;
            const int shared = reserve_shared(device, kernel, block_size, blocks);
            CHECK(cudaMemset(d_sums, POISON_BYTE, threads * sizeof(unsigned)));
            const auto launch = [&]
            {
                kernel<<<grid_size, block_size, shared>>>(d_words, bytes / width, d_sums);
            };
            const double time = time_kernel(launch, args.repeats).median;
            CHECK(cudaMemcpy(h_sums, d_sums, threads * sizeof(unsigned), cudaMemcpyDeviceToHost));
            unsigned sum = 0;
            for (int i = 0; i < threads; ++i)
            {
                sum += h_sums[i];
            }
            check_true("the sum of all words", sum == total);

            const double rate = bytes / time * 1e-6, share = rate / ceiling;
            const double predicted = ceiling * std::min(warps / needed, 1.0);
            if (args.csv)
            {
                printf("warps of %zu bytes,%d,%.6g,%.6g,GB/s\n", width, warps, predicted, rate);
            }
            else
            {
                printf("%5d %9.1f%% %10.1f %9.1f %5.1f  %.*s\n", warps, 100.0 * warps / most_warps,
                       predicted, rate, 100.0 * share, (int)(40 * std::min(share, 1.0)), BAR);
            }
        }
    };
    show_warps(sum_words, d_x);
    show_warps(sum_vectors, d_vectors);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sums));
    free(h_x);
    free(h_sums);
    return verdict();
}
