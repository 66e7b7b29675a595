// peer-copy-pairs: how fast each device copies to each other device, in six ways
//
// From:    Chapter 14, and beyond the book, where that chapter is empty
// Order:   after peer-copy
// Compile: nvcc -O3 peer-copy-pairs.cu
// Run:     ./a.out -n 268435456
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
// Then all devices copy at once, each to the next one, and each to each other one.
//
// The words of each device are different. Before a copy is checked, its target is filled with
// poison, and the check must see all of it. Without a GPU, CUDACPU_DEVICES=4 shows four devices.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/is_idle.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "devices.cuh"

const int BLOCK_SIZE = 256;
const size_t COPIES = 4; // where several devices copy at once, so that the start weighs less

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

// Of the words from `first` to `end` - 1.
__global__ void count_wrong(const uint32_t *x, size_t first, size_t end, uint64_t seed,
                            unsigned long long *wrong)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n >= first && n < end && x[n] != word_of(seed, n))
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

// A device: its words, and where it gets the words of another device. Each device owns its memory,
// its stream and its event.
struct Device
{
    uint64_t seed; // of its words
    uint32_t *d_source, *d_target;
    unsigned long long *d_wrong;
    cudaStream_t stream;
    cudaEvent_t event; // without a time: another stream waits for it
};

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

static int num_devices;
static size_t N, bytes;        // words of a copy, and their bytes
static unsigned int grid_size; // a thread for each word
static Device devices[MOST_DEVICES];
static uint32_t *h_x;                                     // pinned memory of the host
static double rate[NUM_WAYS][MOST_DEVICES][MOST_DEVICES]; // GB/s; 0: not measured

void print_devices(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        char bus_id[32];
        cudaDeviceProp properties;
        CHECK(cudaGetDeviceProperties(&properties, device));
        CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), device));
        print_note("device %d: %s, PCI %s\n", device, properties.name, bus_id);
    }
    print_timed_note("%zu bytes a copy, the median of %zu\n", bytes, args.repeats);
}

// Each device gets its words, in its own memory.
void allocate(void)
{
    for (int i = 0; i < num_devices; ++i)
    {
        Device *device = &devices[i];
        device->seed = args.seed + i;
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&device->d_source, bytes));
        CHECK(cudaMalloc(&device->d_target, bytes));
        CHECK(cudaMalloc(&device->d_wrong, sizeof(unsigned long long)));
        CHECK(cudaStreamCreate(&device->stream));
        CHECK(cudaEventCreateWithFlags(&device->event, cudaEventDisableTiming));
        fill_words<<<grid_size, BLOCK_SIZE>>>(device->d_source, N, device->seed);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMallocHost(&h_x, bytes));
}

void release(void)
{
    for (int i = 0; i < num_devices; ++i)
    {
        Device *device = &devices[i];
        CHECK(cudaSetDevice(i));
        CHECK(cudaEventDestroy(device->event));
        CHECK(cudaStreamDestroy(device->stream));
        CHECK(cudaFree(device->d_source));
        CHECK(cudaFree(device->d_target));
        CHECK(cudaFree(device->d_wrong));
    }
    CHECK(cudaFreeHost(h_x));
}

// ---- The checks ----

// How many words of a device's array, from `first` to `end` - 1, are not those of `seed`.
unsigned long long wrong_words_in(int device, const uint32_t *d_x, size_t first, size_t end,
                                  uint64_t seed)
{
    unsigned long long *d_wrong = devices[device].d_wrong, wrong;
    CHECK(cudaSetDevice(device));
    CHECK(cudaMemset(d_wrong, 0, sizeof(wrong)));
    count_wrong<<<grid_size, BLOCK_SIZE>>>(d_x, first, end, seed, d_wrong);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&wrong, d_wrong, sizeof(wrong), cudaMemcpyDeviceToHost));
    return wrong;
}

unsigned long long wrong_words(int device, const uint32_t *d_x, uint64_t seed)
{
    return wrong_words_in(device, d_x, 0, N, seed);
}

// The host computes a part of the words itself. Else the kernel that fills and the kernel that
// counts could agree on wrong words.
void check_sources(void)
{
    const size_t part = N < 10000 ? N : 10000;
    uint32_t *expected = (uint32_t *)malloc(part * sizeof(uint32_t));
    for (int i = 0; i < num_devices; ++i)
    {
        const Device *device = &devices[i];
        const size_t firsts[2] = {0, N - part}; // where a part begins
        for (int k = 0; k < 2; ++k)
        {
            const size_t first = firsts[k];
            poison(h_x, part * sizeof(uint32_t));
            CHECK(cudaSetDevice(i));
            CHECK(cudaMemcpy(h_x, device->d_source + first, part * sizeof(uint32_t),
                             cudaMemcpyDeviceToHost));
            for (size_t n = 0; n < part; ++n)
            {
                expected[n] = word_of(device->seed, first + n);
            }
            check_elements("the words of a device", h_x, expected, part);
        }
        check_true("the check finds no wrong word",
                   wrong_words(i, device->d_source, device->seed) == 0);
    }
    free(expected);
}

// Fills the target of `to` with poison, and waits until it is there.
void poison_target(int from, int to)
{
    uint32_t *d_target = devices[to].d_target;
    CHECK(cudaSetDevice(to));
    CHECK(cudaMemset(d_target, POISON_BYTE, bytes));
    CHECK(cudaDeviceSynchronize());
    check_true("the check sees the poison", wrong_words(to, d_target, devices[from].seed) == N);
}

// When both devices are done, the target of `to` must have the words of `from`. The host waits for
// `to` first: if `to` has not waited for `from`, its words are wrong.
void check_target(int from, int to, Way way)
{
    char text[100];
    snprintf(text, sizeof(text), "%d to %d, %s", from, to, WAY_NAMES[way]);
    CHECK(cudaSetDevice(to));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(from));
    CHECK(cudaDeviceSynchronize());
    check_true(text, wrong_words(to, devices[to].d_target, devices[from].seed) == 0);
}

// ---- The ways ----

// Two copies, one after the other: `to` waits for the event of `from`. Then `from` waits for the
// event of `to`, so that its stream ends with the later copy.
void copy_by_host(int from, int to)
{
    const Device *source = &devices[from], *target = &devices[to];
    CHECK(cudaMemcpyAsync(h_x, source->d_source, bytes, cudaMemcpyDeviceToHost, source->stream));
    CHECK(cudaEventRecord(source->event, source->stream));
    CHECK(cudaStreamWaitEvent(target->stream, source->event, 0));
    CHECK(cudaMemcpyAsync(target->d_target, h_x, bytes, cudaMemcpyHostToDevice, target->stream));
    CHECK(cudaEventRecord(target->event, target->stream));
    CHECK(cudaStreamWaitEvent(source->stream, target->event, 0));
}

// With and without peer access.
void copy_to_peer(int from, int to)
{
    CHECK(cudaMemcpyPeerAsync(devices[to].d_target, to, devices[from].d_source, from, bytes,
                              devices[from].stream));
}

// Both streams begin at an event of `from`, and `from` waits for the other's end. So the time is
// from the common start to the later end.
void copy_both_ways(int from, int to)
{
    const Device *here = &devices[from], *there = &devices[to];
    CHECK(cudaEventRecord(here->event, here->stream));
    CHECK(cudaStreamWaitEvent(there->stream, here->event, 0));
    for (size_t i = 0; i < COPIES; ++i)
    {
        copy_to_peer(from, to);
        copy_to_peer(to, from);
    }
    CHECK(cudaEventRecord(there->event, there->stream));
    CHECK(cudaStreamWaitEvent(here->stream, there->event, 0));
}

// The kernels run on `to` and read the memory of `from`.
void read_words(int from, int to)
{
    copy_words<<<grid_size, BLOCK_SIZE, 0, devices[to].stream>>>(devices[from].d_source,
                                                                 devices[to].d_target, N);
    CHECK_LAUNCH();
}

void read_vectors(int from, int to)
{
    const unsigned int few = (N / 4 + BLOCK_SIZE) / BLOCK_SIZE; // one vector a thread
    copy_vectors<<<few, BLOCK_SIZE, 0, devices[to].stream>>>(devices[from].d_source,
                                                             devices[to].d_target, N);
    CHECK_LAUNCH();
}

typedef void (*Run)(int from, int to);
const Run RUNS[NUM_WAYS] = {copy_by_host,   copy_to_peer, copy_to_peer,
                            copy_both_ways, read_words,   read_vectors};

// ---- A measurement ----

// The median time of a way in the stream of a device, between two events of that stream.
double time_in_stream(int device, Way way, int from, int to)
{
    const cudaStream_t stream = devices[device].stream;
    cudaEvent_t start, stop; // an event belongs to the device that is current here
    CHECK(cudaSetDevice(device));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    double *samples = (double *)malloc(args.repeats * sizeof(double));
    for (size_t i = 0; i <= args.repeats; ++i)
    {
        float ms;
        CHECK(cudaEventRecord(start, stream));
        RUNS[way](from, to);
        CHECK(cudaEventRecord(stop, stream));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        samples[i > 0 ? i - 1 : 0] = ms; // the first is written over
    }
    const double median = summarize(samples, args.repeats).median;
    free(samples);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return median;
}

// The pair of a device and itself is `in 0`.
void print_row(const char *way, int from, int to, double ms, double rate)
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
    snprintf(name, sizeof(name), "%s, %s", pair, way);
    put_text(name);
    put_timed(ms);
    put_timed(rate);
    end_row();
}

// Checks a way once, then times it.
void measure(Way way, int from, int to)
{
    poison_target(from, to);
    if (way == BOTH_WAYS)
    {
        poison_target(to, from);
    }
    if (way == BY_HOST)
    {
        poison(h_x, bytes);
    }
    CHECK(cudaSetDevice(to)); // where the kernels run; the copies name their stream
    RUNS[way](from, to);
    check_target(from, to, way);
    if (way == BOTH_WAYS)
    {
        check_target(to, from, way);
    }

    const bool is_kernel = way == WORDS || way == VECTORS;
    const double ms = time_in_stream(is_kernel ? to : from, way, from, to);
    if (from != to && (way == BY_HOST || way == BOTH_WAYS))
    {
        check_true("the time of two streams ends with the later one", is_idle(devices[to].stream));
    }
    const double moved = way == BOTH_WAYS ? 2.0 * COPIES * bytes : bytes;
    rate[way][from][to] = rate_of(moved, ms);
    print_row(from == to && way == ONE_WAY ? "copy" : WAY_NAMES[way], from, to, ms,
              rate[way][from][to]);
}

// ---- The pairs ----

bool reach_each_other(int from, int to)
{
    int can = 0, can_back = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, from, to));
    CHECK(cudaDeviceCanAccessPeer(&can_back, to, from));
    return can && can_back;
}

// Peer access goes one way, from the current device to the memory of its peer.
void enable_access(int from, int to)
{
    CHECK(cudaSetDevice(from));
    CHECK(cudaDeviceEnablePeerAccess(to, 0));
    CHECK(cudaSetDevice(to));
    CHECK(cudaDeviceEnablePeerAccess(from, 0));
}

void disable_access(int from, int to)
{
    CHECK(cudaSetDevice(from));
    CHECK(cudaDeviceDisablePeerAccess(to));
    CHECK(cudaSetDevice(to));
    CHECK(cudaDeviceDisablePeerAccess(from));
}

void measure_in_device(int device)
{
    measure(BY_HOST, device, device);
    measure(ONE_WAY, device, device);
    measure(WORDS, device, device);
    measure(VECTORS, device, device);
}

void measure_pair(int from, int to)
{
    measure(BY_HOST, from, to);
    measure(NOT_ENABLED, from, to);
    if (!reach_each_other(from, to))
    {
        print_note("%d to %d: skipped: one cannot reach the memory of the other\n", from, to);
        return;
    }
    enable_access(from, to);
    measure(ONE_WAY, from, to);
    measure(BOTH_WAYS, from, to);
    measure(WORDS, from, to);
    measure(VECTORS, from, to);
    disable_access(from, to);
}

// ---- All devices at once ----

// The words that go around by `distance` devices when each device copies to each other one: a part
// for each distance. In a ring the distance is 1, and the part is all.
size_t first_of_part(int distance, int num_parts)
{
    return N / num_parts / 32 * 32 * (distance - 1); // 128 bytes or a multiple of them
}

size_t end_of_part(int distance, int num_parts)
{
    return distance == num_parts ? N : first_of_part(distance + 1, num_parts);
}

// In each turn a device is to send to one other device and to receive from one. Nothing makes the
// devices keep in step. The stream of a device has what it sends. All streams begin at an event of
// device 0, and device 0 waits for all.
void copy_around(int num_parts, size_t num_copies)
{
    const Device *first = &devices[0];
    CHECK(cudaEventRecord(first->event, first->stream));
    for (int from = 1; from < num_devices; ++from)
    {
        CHECK(cudaStreamWaitEvent(devices[from].stream, first->event, 0));
    }
    for (size_t i = 0; i < num_copies; ++i)
    {
        for (int distance = 1; distance <= num_parts; ++distance)
        {
            const size_t begin = first_of_part(distance, num_parts);
            const size_t end = end_of_part(distance, num_parts);
            for (int from = 0; from < num_devices; ++from)
            {
                const int to = (from + distance) % num_devices;
                CHECK(cudaMemcpyPeerAsync(devices[to].d_target + begin, to,
                                          devices[from].d_source + begin, from,
                                          (end - begin) * sizeof(uint32_t), devices[from].stream));
            }
        }
    }
    for (int from = 1; from < num_devices; ++from)
    {
        CHECK(cudaEventRecord(devices[from].event, devices[from].stream));
        CHECK(cudaStreamWaitEvent(first->stream, devices[from].event, 0));
    }
}

// The next device gets all words of a device (num_parts is 1), or each other one gets a part.
void measure_around(const char *name, int num_parts)
{
    for (int to = 0; to < num_devices; ++to)
    {
        poison_target((to + num_devices - 1) % num_devices, to);
    }
    copy_around(num_parts, 1);
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamSynchronize(devices[0].stream)); // it waits for those of the others
    for (int to = 0; to < num_devices; ++to)
    {
        for (int distance = 1; distance <= num_parts; ++distance)
        {
            const int from = (to + num_devices - distance) % num_devices;
            char text[100];
            snprintf(text, sizeof(text), "%d to %d, %s", from, to, name);
            check_true(text,
                       wrong_words_in(to, devices[to].d_target, first_of_part(distance, num_parts),
                                      end_of_part(distance, num_parts), devices[from].seed) == 0);
        }
    }

    cudaEvent_t start, stop;
    CHECK(cudaSetDevice(0));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    double *samples = (double *)malloc(args.repeats * sizeof(double));
    for (size_t i = 0; i < args.repeats; ++i)
    {
        float ms;
        CHECK(cudaEventRecord(start, devices[0].stream));
        copy_around(num_parts, COPIES);
        CHECK(cudaEventRecord(stop, devices[0].stream));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        samples[i] = ms;
    }
    const double median = summarize(samples, args.repeats).median;
    free(samples);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    put_text(name);
    put_timed(median);
    put_timed(rate_of((double)COPIES * num_devices * bytes, median));
    end_row();
}

bool reach_all(void)
{
    bool all = true;
    for (int from = 0; from < num_devices; ++from)
    {
        for (int to = 0; to < from; ++to)
        {
            all = all && reach_each_other(from, to);
        }
    }
    return all;
}

// With one device there is no other one.
void measure_all_at_once(void)
{
    if (num_devices == 1)
    {
        return;
    }
    if (!reach_all())
    {
        print_note("all at once: skipped: a device cannot reach the memory of another one\n");
        return;
    }
    for (int from = 0; from < num_devices; ++from)
    {
        for (int to = 0; to < from; ++to)
        {
            enable_access(from, to);
        }
    }
    measure_around("each to the next", 1);
    if (num_devices > 2) // two devices have copied to each other already
    {
        measure_around("each to each", num_devices - 1);
    }
    for (int from = 0; from < num_devices; ++from)
    {
        for (int to = 0; to < from; ++to)
        {
            disable_access(from, to);
        }
    }
}

// A device copies in its own memory in four ways, and to another one in all six.
void check_complete(void)
{
    bool complete = true;
    for (int from = 0; from < num_devices; ++from)
    {
        for (int to = 0; to < num_devices; ++to)
        {
            const bool reaches = from != to && reach_each_other(from, to);
            for (int way = 0; way < NUM_WAYS; ++way)
            {
                const bool wanted = from == to ? way != NOT_ENABLED && way != BOTH_WAYS
                                               : reaches || way == BY_HOST || way == NOT_ENABLED;
                complete = complete && (rate[way][from][to] > 0.0) == wanted;
            }
        }
    }
    check_true("each pair was measured in each way that it has", complete);
}

void print_matrix(Way way)
{
    print_timed_note("\n");
    print_timed_note("GB/s, %s\n", WAY_NAMES[way]);
    if (way == BOTH_WAYS)
    {
        print_timed_note("(the sum of the two directions)\n");
    }
    char numbers[MOST_DEVICES][12];
    Column columns[1 + MOST_DEVICES] = {{"from \\ to", "%-10s"}};
    for (int device = 0; device < num_devices; ++device)
    {
        snprintf(numbers[device], sizeof(numbers[device]), "%d", device);
        columns[1 + device] = {numbers[device], "%8.1f"};
    }
    begin_timed_table(columns, 1 + num_devices);
    for (int from = 0; from < num_devices; ++from)
    {
        put_text(numbers[from]);
        for (int to = 0; to < num_devices; ++to)
        {
            put_timed(rate[way][from][to] > 0.0 ? rate[way][from][to] : NAN);
        }
        end_row();
    }
}

int main(int argc, char **argv)
{
    // The default is 1 GiB a copy on a GPU, or less where less memory is free.
    args.N = default_size((size_t)1 << 28, (size_t)1 << 18);
    args.repeats = 10;
    args.bytes_per_element = 2 * sizeof(uint32_t);
    args.bytes_on_host = sizeof(uint32_t);
    args.size_is = "number of words of 4 bytes in a copy";
    args.columns =
        "  from to     the devices, and the way\n"
        "  ms          the median time; of both ways and of all at once, the time of all\n"
        "              copies\n"
        "  GB/s        10^9 bytes moved in a second; of both ways, the sum of the\n"
        "              directions; of all at once, the sum of all devices\n";
    parse_args(argc, argv, "-n N -r R -s S --csv",
               "peer-copy-pairs: how fast each device copies to each other device, in six ways");
    num_devices = count_devices();
    N = is_given("n") ? args.N : fit_devices(args.N, 2.0 * sizeof(uint32_t), num_devices);
    bytes = N * sizeof(uint32_t);
    grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    require_memory_on_each(bytes, 2.0 * bytes, num_devices);
    print_devices();
    allocate();
    check_sources();

    const Column COLUMNS[] = {{"from to", "%-24s"}, {TIME_UNIT, "%10.4g"}, {"GB/s", "%8.1f"}};
    begin_timed_table(COLUMNS, 3);
    for (int from = 0; from < num_devices; ++from)
    {
        for (int to = 0; to < num_devices; ++to)
        {
            if (from == to)
            {
                measure_in_device(from);
            }
            else
            {
                measure_pair(from, to);
            }
        }
    }
    measure_all_at_once();
    check_complete();
    for (int way = 0; way < NUM_WAYS && num_devices > 1; ++way)
    {
        print_matrix((Way)way);
    }

    release();
    return verdict();
}
