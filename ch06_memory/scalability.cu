// scalability: blocks run in waves, and many warps hide the latency of memory
//
// From:    S4 3.4, 3.5 and 3.7; S1 2; section 6.3.2
// Compile: nvcc -O3 scalability.cu
// Run:     ./a.out --csv > scalability.csv
// Checks:  73
//
// A grid runs on however many multiprocessors there are, as many blocks at a time as find room: a
// wave. A wave that is not full takes as long as a full one, so time against blocks is a staircase.
// Within a multiprocessor other warps run while one waits for memory. How many it takes is Little's
// law: bytes on their way = bandwidth x latency. Both curves stand beside what the numbers of this
// device predict. Shared memory that no thread uses decides how many blocks are resident together.

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"

const int WARP = 32;
const int BLOCK = 64; // of the staircase, ...
const int RESIDENT =
    ON_GPU ? 2 : 1;         // ... so many at once on a multiprocessor, or a CPU's core, ...
const int WAVES = 4;        // ... and so many waves in all
const size_t LOADS = 10000; // to measure the latency
const unsigned MULTIPLIER = 1664525, INCREMENT = 1013904223;
const char BAR[] = "########################################";

// x -> a x + c, `steps` times, by another way than the kernel: two steps are one of the same form,
// with other a and c, and so are two of these.
unsigned jump(unsigned x, size_t steps)
{
    unsigned a = MULTIPLIER, c = INCREMENT;
    for (; steps > 0; steps /= 2)
    {
        x = steps % 2 == 1 ? a * x + c : x;
        c = a * c + c;
        a = a * a;
    }
    return x;
}

// Where a thread runs. The CPU backend has no such register.
__device__ inline unsigned multiprocessor_id(void)
{
    unsigned id = 0;
#if ON_GPU
    asm("mov.u32 %0, %%smid;" : "=r"(id));
#endif
    return id;
}

// Every step waits for the one before, so that two blocks, a warp for each of a multiprocessor's
// four schedulers, do not slow each other down. a and c are parameters: were they known, the
// compiler could make one step of two.
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

__device__ inline unsigned add_words(unsigned words)
{
    return words;
}

__device__ inline unsigned add_words(uint4 words)
{
    return words.x + words.y + words.z + words.w;
}

// Where a thread reads next depends on what it has read: the words are so small that their sum has
// no bit 31, but only we know. So each warp has one load on its way, 32 threads wide, never two.
template <typename Words>
__global__ void sum_chain(const Words *x, size_t N, unsigned *sums)
{
    const size_t tid = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (size_t n = tid; n < N;)
    {
        const unsigned words = add_words(x[n]);
        sum += words;
        n += stride + (words >> 31);
    }
    sums[tid] = sum;
}

struct Device
{
    int num_sms, warps, shared, block_shared, reserved; // the last three in bytes
};

Device ask_device(void)
{
    int device;
    CHECK(cudaGetDevice(&device));
    return {device_attribute(cudaDevAttrMultiProcessorCount, device),
            device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / WARP,
            device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device),
            device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
            device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device)};
}

// The dynamic shared memory of a block with which just `blocks` of them fit into a multiprocessor.
template <typename Kernel>
int reserve_shared(const Device *device, Kernel *kernel, int block_size, int blocks)
{
    const int unit = 256, share = (device->shared / blocks - device->reserved) / unit * unit;
    const int shared = std::min(share, device->block_shared);
    int resident = 0;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block_size, shared));
    check_true("no more are resident", resident > 0 && resident <= blocks);
    return shared;
}

// How many multiprocessors have run a block; 0 if that cannot be.
int count_multiprocessors(unsigned *ids, int blocks, int num_sms)
{
    std::sort(ids, ids + blocks);
    const int distinct = (int)(std::unique(ids, ids + blocks) - ids);
    return distinct <= num_sms && ids[distinct - 1] < 65536 ? distinct : 0;
}

void show_staircase(const Args *args, const Device *device, size_t steps)
{
    const int wave = RESIDENT * device->num_sms, most = WAVES * wave;
    const int shared = reserve_shared(device, step_chain, BLOCK, RESIDENT);
    unsigned *results = (unsigned *)malloc(most * BLOCK * sizeof(unsigned));
    unsigned *reference = (unsigned *)malloc(most * BLOCK * sizeof(unsigned));
    unsigned *ids = (unsigned *)malloc(most * sizeof(unsigned)), *d_results, *d_ids;
    CHECK(cudaMalloc(&d_results, most * BLOCK * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_ids, most * sizeof(unsigned)));
    for (int n = 0; n < most * BLOCK; ++n)
    {
        reference[n] = jump(n, steps);
    }
    if (!args->csv)
    {
        printf("\nchains of %zu steps in blocks of %d threads: a wave is %d on each of %d "
               "multiprocessors\nblocks  waves  used  predicted %9s\n",
               steps, BLOCK, RESIDENT, device->num_sms, TIME_UNIT);
    }
    double one = 0.0;
    for (int i = 0; i < 5 * WAVES; ++i) // the first block of a wave, then its quarters
    {
        const int blocks = i / 5 * wave + (i % 5 == 0 ? 1 : std::max(1, i % 5 * wave / 4));
        CHECK(cudaMemset(d_results, POISON_BYTE, most * BLOCK * sizeof(unsigned)));
        CHECK(cudaMemset(d_ids, POISON_BYTE, most * sizeof(unsigned)));
        const auto launch = [&]
        {
            step_chain<<<blocks, BLOCK, shared>>>(d_results, d_ids, steps, MULTIPLIER, INCREMENT);
        };
        const double time = time_kernel(launch, args->repeats).median;
        one = i == 0 ? time : one;
        CHECK(cudaMemcpy(results, d_results, blocks * BLOCK * sizeof(unsigned),
                         cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(ids, d_ids, blocks * sizeof(unsigned), cudaMemcpyDeviceToHost));
        check_elements("chains", results, reference, blocks * BLOCK);
        const int used = count_multiprocessors(ids, blocks, device->num_sms);
        check_true("the multiprocessors used exist", used > 0);
        const int waves = (blocks + wave - 1) / wave;
        const double length = std::min(32.0 * time / (WAVES * one), 40.0);
        args->csv ? printf("staircase,%d,%.6g,%.6g,%s\n", blocks, waves * one, time, TIME_UNIT)
                  : printf("%6d %6d %5.0d %10.4g %9.4g  %.*s\n", blocks, waves, ON_GPU * used,
                           waves * one, time, (int)length, BAR);
    }
    CHECK(cudaFree(d_results));
    CHECK(cudaFree(d_ids));
    free(results);
    free(reference);
    free(ids);
}

struct Data
{
    size_t N, repeats; // N words
    unsigned *d_x, *d_sums, *h_sums, total;
    double ceiling, latency = 0.0; // GB/s, ns
};

// The median time of adding up all words, by `blocks` blocks on each of num_sms multiprocessors.
template <typename Words>
double time_sum(const Device *device, const Data *data, int blocks, int block_size)
{
    const int grid_size = blocks * device->num_sms, threads = grid_size * block_size;
    const int shared = reserve_shared(device, sum_chain<Words>, block_size, blocks);
    CHECK(cudaMemset(data->d_sums, POISON_BYTE, threads * sizeof(unsigned)));
    const auto launch = [&]
    {
        sum_chain<<<grid_size, block_size, shared>>>(
            (const Words *)data->d_x, data->N * sizeof(unsigned) / sizeof(Words), data->d_sums);
    };
    const Timing time = time_kernel(launch, data->repeats);
    CHECK(
        cudaMemcpy(data->h_sums, data->d_sums, threads * sizeof(unsigned), cudaMemcpyDeviceToHost));
    unsigned total = 0;
    for (int i = 0; i < threads; ++i)
    {
        total += data->h_sums[i];
    }
    check_true("the sum of all words", total == data->total);
    return time.median;
}

// What one warp waits for one load. Before each time the whole array goes through the caches.
double measure_latency(const Data *data)
{
    const size_t loads = std::min(LOADS, (data->N + WARP - 1) / WARP);
    const auto launch = [&]
    {
        sum_chain<<<1, WARP>>>(data->d_x, std::min(data->N, loads * WARP), data->d_sums);
    };
    const auto flush = [&]
    {
        sum_chain<<<1024, 256>>>((const uint4 *)data->d_x, data->N / 4, data->d_sums);
    };
    return time_kernel(launch, data->repeats, flush).median * 1e6 / loads;
}

// One width of a load: rate against resident warps, as predicted and as measured.
template <typename Words>
void show_warps(const Args *args, const Device *device, const Data *data)
{
    const int bytes = WARP * sizeof(Words), most = device->warps;
    const double needed = data->ceiling * data->latency / device->num_sms / bytes;
    if (!args->csv)
    {
        printf("\n%zu bytes a thread, %d a warp: %.1f warps on each multiprocessor are needed, %d "
               "can be\nwarps  occupancy  predicted      GB/s     %%\n",
               sizeof(Words), bytes, needed, most);
    }
    for (int warps : {1, 2, 4, 8, 16, most / 2, most * 3 / 4, most})
    {
        const int blocks = warps * WARP > 1024 ? 2 : 1;
        const double time = time_sum<Words>(device, data, blocks, warps / blocks * WARP);
        const double rate = data->N * sizeof(unsigned) / time * 1e-6;
        const double predicted = data->ceiling * std::min(warps / needed, 1.0);
        const double share = rate / data->ceiling;
        args->csv ? printf("warps of %zu bytes,%d,%.6g,%.6g,GB/s\n", sizeof(Words), warps,
                           predicted, rate)
                  : printf("%5d %9.1f%% %10.1f %9.1f %5.1f  %.*s\n", warps, 100.0 * warps / most,
                           predicted, rate, 100.0 * share, (int)(40 * std::min(share, 1.0)), BAR);
    }
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
    g_verdict_prefix = args.csv ? "# " : "";
    print_device(g_verdict_prefix);
    const Device device = ask_device();
    args.csv ? printf("curve,x,predicted,measured,unit\n") : 0;
    show_staircase(&args, &device, steps);
    const size_t N = (args.N + 3) / 4 * 4, bytes = N * sizeof(unsigned); // zeros at the end
    const size_t sums = std::max((size_t)1024 * 256, (size_t)device.num_sms * device.warps * WARP);
    unsigned *h_x = (unsigned *)calloc(N, sizeof(unsigned));
    Data data = {N, args.repeats, NULL, NULL, (unsigned *)malloc(sums * sizeof(unsigned)), 0, 0.0};
    for (size_t n = 0; n < args.N; ++n)
    {
        h_x[n] = (unsigned)(hash_bits(args.seed, n) >> 35);
        data.total += h_x[n];
    }
    CHECK(cudaMalloc(&data.d_x, bytes));
    CHECK(cudaMalloc(&data.d_sums, sums * sizeof(unsigned)));
    CHECK(cudaMemcpy(data.d_x, h_x, bytes, cudaMemcpyHostToDevice));
    data.ceiling = read_ceiling(bytes);
    data.latency = measure_latency(&data);
    printf("%s%slatency %.0f ns x ceiling %.0f GB/s = %.0f KB must be on their way\n",
           args.csv ? "" : "\n", g_verdict_prefix, data.latency, data.ceiling,
           data.latency * data.ceiling / 1024);
    show_warps<unsigned>(&args, &device, &data);
    show_warps<uint4>(&args, &device, &data);

    CHECK(cudaFree(data.d_x));
    CHECK(cudaFree(data.d_sums));
    free(data.h_sums);
    free(h_x);
    return verdict();
}
