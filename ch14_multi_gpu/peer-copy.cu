// peer-copy: how fast each device copies to each other device, directly and through the host
//
// From:    Chapter 14, and beyond the book, where that chapter is empty
// Compile: nvcc -O3 peer-copy.cu
// Run:     ./a.out -n 268435456
// Options: -n N -r R -s S
// Chinese: 任意两个设备之间复制数据有多快：直接复制，或经过主机
// Checks:  8 or more
//
// The program takes all devices. For each ordered pair of them it moves N words of 4 bytes from the
// first device to the second, in these ways:
//   by the host   a copy to pinned memory of the host, then a copy from there
//   not enabled   cudaMemcpyPeerAsync without peer access; the driver goes through the host
//   one way       the same call with peer access; the data go directly
//   both ways     two such copies at once, in opposite directions, each in a stream of its device
//   4 bytes       a kernel of the second device reads the memory of the first; 4 bytes a thread
//   16 bytes      the same, 16 bytes a thread
// If one device of a pair cannot reach the other's memory, the last four are left out. The pair of
// a device and itself has the first, a plain copy and the two kernels. So one device is enough.
//
// The words of each device are different. Before a copy is checked, its target is filled with
// poison, and the check must see all of it. Without a GPU, CUDACPU_DEVICES=4 shows four devices.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"

const int MOST_DEVICES = 16;
const int BLOCK_SIZE = 256;
const size_t COPIES = 4; // in each direction of `both ways`, so that the start weighs less

// Word n of a device's data. The first bit is 1, so no word is like poison.
__host__ __device__ uint32_t word_of(uint64_t seed, size_t n)
{
    return (uint32_t)hash_bits(seed, n) | 0x80000000u;
}

__global__ void fill_words(uint32_t *x, size_t N, uint64_t seed)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] = word_of(seed, n);
    }
}

__global__ void count_wrong(const uint32_t *x, size_t N, uint64_t seed, unsigned long long *wrong)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && x[n] != word_of(seed, n))
    {
        atomicAdd(wrong, 1ull);
    }
}

// x may be in the memory of another device. The kernel is an ordinary one: with unified addressing
// a pointer says by itself in which memory it lies.
__global__ void copy_words(const uint32_t *x, uint32_t *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = x[n];
    }
}

// Each thread loads and stores 16 bytes. The first threads also copy the last words, which fill no
// vector.
__global__ void copy_vectors(const uint32_t *x, uint32_t *y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t num_vectors = N / 4, rest = N % 4;
    if (n < num_vectors)
    {
        ((uint4 *)y)[n] = ((const uint4 *)x)[n];
    }
    if (n < rest)
    {
        y[4 * num_vectors + n] = x[4 * num_vectors + n];
    }
}

enum Way
{
    BY_HOST,
    NOT_ENABLED,
    ONE_WAY,
    BOTH_WAYS,
    WORDS,
    VECTORS,
    NUM_WAYS
};
const char *const WAY_NAMES[NUM_WAYS] = {"by the host", "not enabled", "one way",
                                         "both ways",   "4 bytes",     "16 bytes"};

int main(int argc, char **argv)
{
    // The default is 1 GiB a copy on a GPU, or less: both arrays must fit on each device.
    Args args;
    args.N = default_size((size_t)1 << 28, (size_t)1 << 18);
    args.repeats = 10;
    args.bytes_per_element = 2 * sizeof(uint32_t);
    args.bytes_on_host = sizeof(uint32_t);
    parse_args(&args, argc, argv, "-n N -r R -s S",
               "peer-copy: how fast each device copies to each other device, directly and through "
               "the host");
    int count;
    CHECK(cudaGetDeviceCount(&count));
    const int num_devices = count < MOST_DEVICES ? count : MOST_DEVICES;
    for (int device = 0; device < num_devices && !is_given(&args, "n"); ++device)
    {
        CHECK(cudaSetDevice(device));
        while (2.5 * args.N * sizeof(uint32_t) > free_device_memory())
        {
            args.N /= 2;
        }
    }
    const size_t N = args.N, num_bytes = N * sizeof(uint32_t);
    const unsigned int grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        require_memory(&args, num_bytes + (ON_GPU ? 0 : 2.0 * num_bytes * (num_devices - 1)),
                       2.0 * num_bytes);
    }
    if (num_devices < count)
    {
        print_note("there are %d devices; the first %d are used\n", count, num_devices);
    }
    for (int device = 0; device < num_devices; ++device)
    {
        char bus_id[32];
        cudaDeviceProp properties;
        CHECK(cudaGetDeviceProperties(&properties, device));
        CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), device));
        print_note("device %d: %s, PCI %s\n", device, properties.name, bus_id);
    }
    print_note("%s%zu bytes a copy, the median of %zu\n",
               ON_GPU ? "" : "times are a CPU's: copies take turns and do not overlap; ", num_bytes,
               args.repeats);

    // ---- Each device gets its words, in its own memory ----

    uint64_t seeds[MOST_DEVICES];     // of the words of each device
    uint32_t *d_source[MOST_DEVICES]; // its words
    uint32_t *d_target[MOST_DEVICES]; // where it gets the words of another device
    unsigned long long *d_wrong[MOST_DEVICES];
    cudaStream_t streams[MOST_DEVICES];
    for (int device = 0; device < num_devices; ++device)
    {
        seeds[device] = args.seed + device;
        CHECK(cudaSetDevice(device));
        CHECK(cudaMalloc(&d_source[device], num_bytes));
        CHECK(cudaMalloc(&d_target[device], num_bytes));
        CHECK(cudaMalloc(&d_wrong[device], sizeof(unsigned long long)));
        CHECK(cudaStreamCreate(&streams[device]));
        fill_words<<<grid_size, BLOCK_SIZE>>>(d_source[device], N, seeds[device]);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    }
    uint32_t *h_x;
    CHECK(cudaMallocHost(&h_x, num_bytes));

    // How many words of a device's array are not those of `seed`.
    const auto wrong_words = [&](int device, const uint32_t *d_x, uint64_t seed)
    {
        unsigned long long wrong;
        CHECK(cudaSetDevice(device));
        CHECK(cudaMemset(d_wrong[device], 0, sizeof(wrong)));
        count_wrong<<<grid_size, BLOCK_SIZE>>>(d_x, N, seed, d_wrong[device]);
        CHECK_LAUNCH();
        CHECK(cudaMemcpy(&wrong, d_wrong[device], sizeof(wrong), cudaMemcpyDeviceToHost));
        return wrong;
    };

    // The host computes a part of the words itself. Else the kernel that fills and the kernel that
    // counts could agree on wrong words.
    const size_t part = N < 10000 ? N : 10000;
    uint32_t *expected = (uint32_t *)malloc(part * sizeof(uint32_t));
    for (int device = 0; device < num_devices; ++device)
    {
        for (size_t first : {(size_t)0, N - part})
        {
            poison(h_x, part * sizeof(uint32_t));
            CHECK(cudaSetDevice(device));
            CHECK(cudaMemcpy(h_x, d_source[device] + first, part * sizeof(uint32_t),
                             cudaMemcpyDeviceToHost));
            for (size_t n = 0; n < part; ++n)
            {
                expected[n] = word_of(seeds[device], first + n);
            }
            check_elements("the words of a device", h_x, expected, part);
        }
        check_true("the check finds no wrong word",
                   wrong_words(device, d_source[device], seeds[device]) == 0);
    }
    free(expected);

    // ---- Steps of each pair ----

    // Fills the target of `to` with poison, and waits until it is there.
    const auto poison_target = [&](int from, int to)
    {
        CHECK(cudaSetDevice(to));
        CHECK(cudaMemset(d_target[to], POISON_BYTE, num_bytes));
        CHECK(cudaDeviceSynchronize());
        check_true("the check sees the poison", wrong_words(to, d_target[to], seeds[from]) == N);
    };
    // When both devices are done, the target of `to` must have the words of `from`.
    const auto check_target = [&](int from, int to, const char *way)
    {
        char text[100];
        snprintf(text, sizeof(text), "%d to %d, %s", from, to, way);
        for (int device : {from, to})
        {
            CHECK(cudaSetDevice(device));
            CHECK(cudaDeviceSynchronize());
        }
        check_true(text, wrong_words(to, d_target[to], seeds[from]) == 0);
    };
    // The median time of some work in the stream of a device, between two events of that stream.
    const auto time_in_stream = [&](int device, const auto &work)
    {
        cudaEvent_t start, stop; // an event belongs to the device that is current here
        CHECK(cudaSetDevice(device));
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&stop));
        const auto sample = [&]
        {
            float ms;
            CHECK(cudaEventRecord(start, streams[device]));
            work();
            CHECK(cudaEventRecord(stop, streams[device]));
            CHECK(cudaEventSynchronize(stop));
            CHECK(cudaEventElapsedTime(&ms, start, stop));
            return (double)ms;
        };
        const double ms = time_repeats(sample, args.repeats, nothing).median;
        CHECK(cudaEventDestroy(start));
        CHECK(cudaEventDestroy(stop));
        return ms;
    };

    // ---- The pairs ----

    static double rate[NUM_WAYS][MOST_DEVICES][MOST_DEVICES]; // GB/s; 0: not measured
    bool reaches[MOST_DEVICES][MOST_DEVICES] = {};            // the other's memory, both of them
    printf("%-24s %10s %8s\n", "from to", TIME_UNIT, "GB/s");
    for (int from = 0; from < num_devices; ++from)
    {
        for (int to = 0; to < num_devices; ++to)
        {
            const auto print_row = [&](Way way, double ms, double bytes)
            {
                char pair[32], name[64];
                if (from == to)
                {
                    snprintf(pair, sizeof(pair), "in %d", from);
                }
                else
                {
                    snprintf(pair, sizeof(pair), "%d to %d", from, to);
                }
                snprintf(name, sizeof(name), "%s, %s", pair,
                         from == to && way == ONE_WAY ? "copy" : WAY_NAMES[way]);
                rate[way][from][to] = bytes / ms * 1e-6;
                printf("%-24s %10.4g %8.1f\n", name, ms, rate[way][from][to]);
            };

            // Two copies, one after the other: `to` waits for the event of `from`.
            poison_target(from, to);
            cudaEvent_t on_host, on_target;
            CHECK(cudaSetDevice(from));
            CHECK(cudaEventCreateWithFlags(&on_host, cudaEventDisableTiming));
            CHECK(cudaSetDevice(to));
            CHECK(cudaEventCreateWithFlags(&on_target, cudaEventDisableTiming));
            const auto copy_by_host = [&]
            {
                CHECK(cudaMemcpyAsync(h_x, d_source[from], num_bytes, cudaMemcpyDeviceToHost,
                                      streams[from]));
                CHECK(cudaEventRecord(on_host, streams[from]));
                CHECK(cudaStreamWaitEvent(streams[to], on_host, 0));
                CHECK(cudaMemcpyAsync(d_target[to], h_x, num_bytes, cudaMemcpyHostToDevice,
                                      streams[to]));
                CHECK(cudaEventRecord(on_target, streams[to]));
                CHECK(cudaStreamWaitEvent(streams[from], on_target, 0));
            };
            poison(h_x, num_bytes);
            copy_by_host();
            check_target(from, to, "by the host");
            print_row(BY_HOST, time_in_stream(from, copy_by_host), num_bytes);
            CHECK(cudaEventDestroy(on_host));
            CHECK(cudaEventDestroy(on_target));

            const auto copy = [&]
            {
                CHECK(cudaMemcpyPeerAsync(d_target[to], to, d_source[from], from, num_bytes,
                                          streams[from]));
            };
            if (from != to)
            {
                poison_target(from, to);
                copy();
                check_target(from, to, "not enabled");
                print_row(NOT_ENABLED, time_in_stream(from, copy), num_bytes);

                int can = 0, can_back = 0;
                CHECK(cudaDeviceCanAccessPeer(&can, from, to));
                CHECK(cudaDeviceCanAccessPeer(&can_back, to, from));
                reaches[from][to] = can && can_back;
                if (!reaches[from][to])
                {
                    printf("%d to %d: skipped: one cannot reach the memory of the other\n", from,
                           to);
                    continue;
                }
                // Peer access goes one way, from the current device to the memory of its peer.
                CHECK(cudaSetDevice(from));
                CHECK(cudaDeviceEnablePeerAccess(to, 0));
                CHECK(cudaSetDevice(to));
                CHECK(cudaDeviceEnablePeerAccess(from, 0));
            }

            poison_target(from, to);
            copy();
            check_target(from, to, "one way");
            print_row(ONE_WAY, time_in_stream(from, copy), num_bytes);

            if (from != to)
            {
                // Both streams begin at an event of `from`, and `from` waits for the other's end.
                // So the time is from the common start to the later end.
                cudaEvent_t begin, end_back;
                CHECK(cudaSetDevice(from));
                CHECK(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
                CHECK(cudaSetDevice(to));
                CHECK(cudaEventCreateWithFlags(&end_back, cudaEventDisableTiming));
                const auto copy_both_ways = [&]
                {
                    CHECK(cudaEventRecord(begin, streams[from]));
                    CHECK(cudaStreamWaitEvent(streams[to], begin, 0));
                    for (size_t i = 0; i < COPIES; ++i)
                    {
                        copy();
                        CHECK(cudaMemcpyPeerAsync(d_target[from], from, d_source[to], to, num_bytes,
                                                  streams[to]));
                    }
                    CHECK(cudaEventRecord(end_back, streams[to]));
                    CHECK(cudaStreamWaitEvent(streams[from], end_back, 0));
                };
                poison_target(from, to);
                poison_target(to, from);
                copy_both_ways();
                check_target(from, to, "both ways");
                check_target(to, from, "both ways");
                print_row(BOTH_WAYS, time_in_stream(from, copy_both_ways),
                          2.0 * COPIES * num_bytes);
                check_true("the time of both ways ends with the later one", is_idle(streams[to]));
                CHECK(cudaEventDestroy(begin));
                CHECK(cudaEventDestroy(end_back));
            }

            // The kernels run on `to` and read the memory of `from`.
            const auto read_words = [&]
            {
                copy_words<<<grid_size, BLOCK_SIZE, 0, streams[to]>>>(d_source[from], d_target[to],
                                                                      N);
                CHECK_LAUNCH();
            };
            poison_target(from, to);
            read_words();
            check_target(from, to, "4 bytes");
            print_row(WORDS, time_in_stream(to, read_words), num_bytes);

            const auto read_vectors = [&]
            {
                const unsigned int few = (N / 4 + BLOCK_SIZE) / BLOCK_SIZE; // one vector a thread
                copy_vectors<<<few, BLOCK_SIZE, 0, streams[to]>>>(d_source[from], d_target[to], N);
                CHECK_LAUNCH();
            };
            poison_target(from, to);
            read_vectors();
            check_target(from, to, "16 bytes");
            print_row(VECTORS, time_in_stream(to, read_vectors), num_bytes);

            if (from != to)
            {
                CHECK(cudaSetDevice(from));
                CHECK(cudaDeviceDisablePeerAccess(to));
                CHECK(cudaSetDevice(to));
                CHECK(cudaDeviceDisablePeerAccess(from));
            }
        }
    }

    // A device copies in its own memory in four ways, and to another one in all six.
    bool complete = true;
    for (int way = 0; way < NUM_WAYS; ++way)
    {
        for (int from = 0; from < num_devices; ++from)
        {
            for (int to = 0; to < num_devices; ++to)
            {
                const bool wanted = from == to          ? way != NOT_ENABLED && way != BOTH_WAYS
                                    : reaches[from][to] ? true
                                                        : way == BY_HOST || way == NOT_ENABLED;
                complete = complete && (rate[way][from][to] > 0.0) == wanted;
            }
        }
    }
    check_true("each pair was measured in each way that it has", complete);

    // ---- The same as matrices ----

    for (int way = 0; way < NUM_WAYS && num_devices > 1; ++way)
    {
        printf("\nGB/s, %s%s\n%-10s", WAY_NAMES[way],
               way == BOTH_WAYS ? " (the sum of the two directions)" : "", "from \\ to");
        for (int to = 0; to < num_devices; ++to)
        {
            printf(" %8d", to);
        }
        printf("\n");
        for (int from = 0; from < num_devices; ++from)
        {
            printf("%-10d", from);
            for (int to = 0; to < num_devices; ++to)
            {
                if (rate[way][from][to] > 0.0)
                {
                    printf(" %8.1f", rate[way][from][to]);
                }
                else
                {
                    printf(" %8s", "-");
                }
            }
            printf("\n");
        }
    }

    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamDestroy(streams[device]));
        CHECK(cudaFree(d_source[device]));
        CHECK(cudaFree(d_target[device]));
        CHECK(cudaFree(d_wrong[device]));
    }
    CHECK(cudaFreeHost(h_x));
    return verdict();
}
