// peer-copy: how fast each device copies to each other device, directly and through the host
//
// From:    Chapter 14, and beyond the book, where that chapter is empty
// Compile: nvcc -O3 peer-copy.cu
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
#include "../common/require_memory.cuh"
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

struct Machine
{
    int num_devices;
    size_t N, bytes, repeats;
    unsigned int grid_size; // a thread for each word
    Device devices[MOST_DEVICES];
    uint32_t *h_x;                                     // pinned memory of the host
    double rate[NUM_WAYS][MOST_DEVICES][MOST_DEVICES]; // GB/s; 0: not measured
};

// Both arrays must fit on each device. Without -n, the size is halved until they do.
size_t choose_size(int num_devices)
{
    size_t N = args.N;
    for (int device = 0; device < num_devices && !is_given("n"); ++device)
    {
        CHECK(cudaSetDevice(device));
        while (2.5 * N * sizeof(uint32_t) > free_device_memory())
        {
            N /= 2;
        }
    }
    return N;
}

void require_room(int num_devices, double bytes)
{
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        require_memory(bytes + (ON_GPU ? 0 : 2.0 * bytes * (num_devices - 1)), 2.0 * bytes);
    }
}

void print_devices(const Machine *m, int count)
{
    if (m->num_devices < count)
    {
        print_note("there are %d devices; the first %d are used\n", count, m->num_devices);
    }
    for (int device = 0; device < m->num_devices; ++device)
    {
        char bus_id[32];
        cudaDeviceProp properties;
        CHECK(cudaGetDeviceProperties(&properties, device));
        CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), device));
        print_note("device %d: %s, PCI %s\n", device, properties.name, bus_id);
    }
    print_note("%s%zu bytes a copy, the median of %zu\n",
               ON_GPU ? "" : said("times are a CPU's: copies take turns and do not overlap; "),
               m->bytes, m->repeats);
}

// Each device gets its words, in its own memory.
void allocate(Machine *m, uint64_t seed)
{
    for (int i = 0; i < m->num_devices; ++i)
    {
        Device *device = &m->devices[i];
        device->seed = seed + i;
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc(&device->d_source, m->bytes));
        CHECK(cudaMalloc(&device->d_target, m->bytes));
        CHECK(cudaMalloc(&device->d_wrong, sizeof(unsigned long long)));
        CHECK(cudaStreamCreate(&device->stream));
        CHECK(cudaEventCreateWithFlags(&device->event, cudaEventDisableTiming));
        fill_words<<<m->grid_size, BLOCK_SIZE>>>(device->d_source, m->N, device->seed);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaMallocHost(&m->h_x, m->bytes));
}

void release(Machine *m)
{
    for (int i = 0; i < m->num_devices; ++i)
    {
        Device *device = &m->devices[i];
        CHECK(cudaSetDevice(i));
        CHECK(cudaEventDestroy(device->event));
        CHECK(cudaStreamDestroy(device->stream));
        CHECK(cudaFree(device->d_source));
        CHECK(cudaFree(device->d_target));
        CHECK(cudaFree(device->d_wrong));
    }
    CHECK(cudaFreeHost(m->h_x));
}

// ---- The checks ----

// How many words of a device's array are not those of `seed`.
unsigned long long wrong_words(const Machine *m, int device, const uint32_t *d_x, uint64_t seed)
{
    unsigned long long *d_wrong = m->devices[device].d_wrong, wrong;
    CHECK(cudaSetDevice(device));
    CHECK(cudaMemset(d_wrong, 0, sizeof(wrong)));
    count_wrong<<<m->grid_size, BLOCK_SIZE>>>(d_x, m->N, seed, d_wrong);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&wrong, d_wrong, sizeof(wrong), cudaMemcpyDeviceToHost));
    return wrong;
}

// The host computes a part of the words itself. Else the kernel that fills and the kernel that
// counts could agree on wrong words.
void check_sources(const Machine *m)
{
    const size_t part = m->N < 10000 ? m->N : 10000;
    uint32_t *expected = (uint32_t *)malloc(part * sizeof(uint32_t));
    for (int i = 0; i < m->num_devices; ++i)
    {
        const Device *device = &m->devices[i];
        for (size_t first : {(size_t)0, m->N - part})
        {
            poison(m->h_x, part * sizeof(uint32_t));
            CHECK(cudaSetDevice(i));
            CHECK(cudaMemcpy(m->h_x, device->d_source + first, part * sizeof(uint32_t),
                             cudaMemcpyDeviceToHost));
            for (size_t n = 0; n < part; ++n)
            {
                expected[n] = word_of(device->seed, first + n);
            }
            check_elements("the words of a device", m->h_x, expected, part);
        }
        check_true("the check finds no wrong word",
                   wrong_words(m, i, device->d_source, device->seed) == 0);
    }
    free(expected);
}

// Fills the target of `to` with poison, and waits until it is there.
void poison_target(const Machine *m, int from, int to)
{
    uint32_t *d_target = m->devices[to].d_target;
    CHECK(cudaSetDevice(to));
    CHECK(cudaMemset(d_target, POISON_BYTE, m->bytes));
    CHECK(cudaDeviceSynchronize());
    check_true("the check sees the poison",
               wrong_words(m, to, d_target, m->devices[from].seed) == m->N);
}

// When both devices are done, the target of `to` must have the words of `from`. The host waits for
// `to` first: if `to` has not waited for `from`, its words are wrong.
void check_target(const Machine *m, int from, int to, Way way)
{
    char text[100];
    snprintf(text, sizeof(text), "%d to %d, %s", from, to, WAY_NAMES[way]);
    for (int device : {to, from})
    {
        CHECK(cudaSetDevice(device));
        CHECK(cudaDeviceSynchronize());
    }
    check_true(text, wrong_words(m, to, m->devices[to].d_target, m->devices[from].seed) == 0);
}

// ---- The ways ----

// Two copies, one after the other: `to` waits for the event of `from`. Then `from` waits for the
// event of `to`, so that its stream ends with the later copy.
void copy_by_host(const Machine *m, int from, int to)
{
    const Device *source = &m->devices[from], *target = &m->devices[to];
    CHECK(cudaMemcpyAsync(m->h_x, source->d_source, m->bytes, cudaMemcpyDeviceToHost,
                          source->stream));
    CHECK(cudaEventRecord(source->event, source->stream));
    CHECK(cudaStreamWaitEvent(target->stream, source->event, 0));
    CHECK(cudaMemcpyAsync(target->d_target, m->h_x, m->bytes, cudaMemcpyHostToDevice,
                          target->stream));
    CHECK(cudaEventRecord(target->event, target->stream));
    CHECK(cudaStreamWaitEvent(source->stream, target->event, 0));
}

// With and without peer access.
void copy_to_peer(const Machine *m, int from, int to)
{
    CHECK(cudaMemcpyPeerAsync(m->devices[to].d_target, to, m->devices[from].d_source, from,
                              m->bytes, m->devices[from].stream));
}

// Both streams begin at an event of `from`, and `from` waits for the other's end. So the time is
// from the common start to the later end.
void copy_both_ways(const Machine *m, int from, int to)
{
    const Device *here = &m->devices[from], *there = &m->devices[to];
    CHECK(cudaEventRecord(here->event, here->stream));
    CHECK(cudaStreamWaitEvent(there->stream, here->event, 0));
    for (size_t i = 0; i < COPIES; ++i)
    {
        copy_to_peer(m, from, to);
        copy_to_peer(m, to, from);
    }
    CHECK(cudaEventRecord(there->event, there->stream));
    CHECK(cudaStreamWaitEvent(here->stream, there->event, 0));
}

// The kernels run on `to` and read the memory of `from`.
void read_words(const Machine *m, int from, int to)
{
    copy_words<<<m->grid_size, BLOCK_SIZE, 0, m->devices[to].stream>>>(
        m->devices[from].d_source, m->devices[to].d_target, m->N);
    CHECK_LAUNCH();
}

void read_vectors(const Machine *m, int from, int to)
{
    const unsigned int few = (m->N / 4 + BLOCK_SIZE) / BLOCK_SIZE; // one vector a thread
    copy_vectors<<<few, BLOCK_SIZE, 0, m->devices[to].stream>>>(m->devices[from].d_source,
                                                                m->devices[to].d_target, m->N);
    CHECK_LAUNCH();
}

typedef void (*Run)(const Machine *m, int from, int to);
const Run RUNS[NUM_WAYS] = {copy_by_host,   copy_to_peer, copy_to_peer,
                            copy_both_ways, read_words,   read_vectors};

// ---- A measurement ----

// The median time of a way in the stream of a device, between two events of that stream.
double time_in_stream(const Machine *m, int device, Way way, int from, int to)
{
    const cudaStream_t stream = m->devices[device].stream;
    cudaEvent_t start, stop; // an event belongs to the device that is current here
    CHECK(cudaSetDevice(device));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    const auto sample = [&]
    {
        float ms;
        CHECK(cudaEventRecord(start, stream));
        RUNS[way](m, from, to);
        CHECK(cudaEventRecord(stop, stream));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        return (double)ms;
    };
    const double ms = time_repeats(sample, m->repeats, nothing).median;
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return ms;
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
    printf("%-24s %10.4g %8.1f\n", name, ms, rate);
}

// Checks a way once, then times it.
void measure(Machine *m, Way way, int from, int to)
{
    poison_target(m, from, to);
    if (way == BOTH_WAYS)
    {
        poison_target(m, to, from);
    }
    if (way == BY_HOST)
    {
        poison(m->h_x, m->bytes);
    }
    CHECK(cudaSetDevice(to)); // where the kernels run; the copies name their stream
    RUNS[way](m, from, to);
    check_target(m, from, to, way);
    if (way == BOTH_WAYS)
    {
        check_target(m, to, from, way);
    }

    const bool is_kernel = way == WORDS || way == VECTORS;
    const double ms = time_in_stream(m, is_kernel ? to : from, way, from, to);
    if (from != to && (way == BY_HOST || way == BOTH_WAYS))
    {
        check_true("the time of two streams ends with the later one",
                   is_idle(m->devices[to].stream));
    }
    const double bytes = way == BOTH_WAYS ? 2.0 * COPIES * m->bytes : m->bytes;
    m->rate[way][from][to] = bytes / ms * 1e-6;
    print_row(from == to && way == ONE_WAY ? "copy" : WAY_NAMES[way], from, to, ms,
              m->rate[way][from][to]);
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

void measure_in_device(Machine *m, int device)
{
    for (Way way : {BY_HOST, ONE_WAY, WORDS, VECTORS})
    {
        measure(m, way, device, device);
    }
}

void measure_pair(Machine *m, int from, int to)
{
    measure(m, BY_HOST, from, to);
    measure(m, NOT_ENABLED, from, to);
    if (!reach_each_other(from, to))
    {
        printf("%d to %d: skipped: one cannot reach the memory of the other\n", from, to);
        return;
    }
    enable_access(from, to);
    for (Way way : {ONE_WAY, BOTH_WAYS, WORDS, VECTORS})
    {
        measure(m, way, from, to);
    }
    disable_access(from, to);
}

// A device copies in its own memory in four ways, and to another one in all six.
void check_complete(const Machine *m)
{
    bool complete = true;
    for (int from = 0; from < m->num_devices; ++from)
    {
        for (int to = 0; to < m->num_devices; ++to)
        {
            const bool reaches = from != to && reach_each_other(from, to);
            for (int way = 0; way < NUM_WAYS; ++way)
            {
                const bool wanted = from == to ? way != NOT_ENABLED && way != BOTH_WAYS
                                               : reaches || way == BY_HOST || way == NOT_ENABLED;
                complete = complete && (m->rate[way][from][to] > 0.0) == wanted;
            }
        }
    }
    check_true("each pair was measured in each way that it has", complete);
}

void print_matrix(const Machine *m, Way way)
{
    printf("\nGB/s, %s%s\n%-10s", WAY_NAMES[way],
           way == BOTH_WAYS ? " (the sum of the two directions)" : "", "from \\ to");
    for (int to = 0; to < m->num_devices; ++to)
    {
        printf(" %8d", to);
    }
    printf("\n");
    for (int from = 0; from < m->num_devices; ++from)
    {
        printf("%-10d", from);
        for (int to = 0; to < m->num_devices; ++to)
        {
            if (m->rate[way][from][to] > 0.0)
            {
                printf(" %8.1f", m->rate[way][from][to]);
            }
            else
            {
                printf(" %8s", "-");
            }
        }
        printf("\n");
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
        "  ms          the median time (on the CPU backend: CPU ms); of both ways, the time of all "
        "copies\n"
        "  GB/s        10^9 bytes moved in a second; of both ways, the sum of the directions\n";
    parse_args(argc, argv, "-n N -r R -s S",
               "peer-copy: how fast each device copies to each other device, directly and through "
               "the host");
    int count;
    CHECK(cudaGetDeviceCount(&count));
    Machine machine = {};
    machine.num_devices = count < MOST_DEVICES ? count : MOST_DEVICES;
    machine.N = args.N = choose_size(machine.num_devices);
    machine.bytes = machine.N * sizeof(uint32_t);
    machine.repeats = args.repeats;
    machine.grid_size = (machine.N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    require_room(machine.num_devices, machine.bytes);
    print_devices(&machine, count);
    allocate(&machine, args.seed);
    check_sources(&machine);

    printf("%-24s %10s %8s\n", "from to", TIME_UNIT, "GB/s");
    for (int from = 0; from < machine.num_devices; ++from)
    {
        for (int to = 0; to < machine.num_devices; ++to)
        {
            if (from == to)
            {
                measure_in_device(&machine, from);
            }
            else
            {
                measure_pair(&machine, from, to);
            }
        }
    }
    check_complete(&machine);
    for (int way = 0; way < NUM_WAYS && machine.num_devices > 1; ++way)
    {
        print_matrix(&machine, (Way)way);
    }

    release(&machine);
    return verdict();
}
