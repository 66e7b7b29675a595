// peer-copy: an array goes from one device to another, through the host and directly
//
// From:    Chapter 14, and beyond the book, where that chapter is empty
// Compile: nvcc -O3 peer-copy.cu
// Run:     ./a.out -n 100000000
//
// Each device has numbers of its own. They are copied to the next device, and those of the last one
// to device 0, in two ways:
//   through the host   a copy to pinned memory of the host, then a copy from there
//   directly           cudaMemcpyPeer, with peer access between the two devices
// If one device of a pair cannot reach the other's memory, cudaMemcpyPeer works as well: the driver
// then goes through the host by itself. A device that is alone copies to itself. peer-copy-pairs
// times more ways, for every pair of devices.
//
// Before a copy its target is filled with poison. The numbers of each device are different, so the
// check sees from which device they come. Without a GPU, CUDACPU_DEVICES=4 shows four devices.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "devices.cuh"

// Each device owns its memory.
struct Device
{
    real *d_x, *d_y; // its own numbers, and where those of another device come
};

static int num_devices;
static size_t N, bytes; // of elements; of an array
static Device devices[MOST_DEVICES];
static real *h_x;       // pinned memory of the host
static real *reference; // the numbers of a device

// Memory belongs to the device that is current when it is allocated.
void allocate(void)
{
    CHECK(cudaMallocHost(&h_x, bytes));
    reference = (real *)malloc(bytes);
    for (int device = 0; device < num_devices; ++device)
    {
        Device *d = &devices[device];
        CHECK(cudaSetDevice(device));
        CHECK(cudaMalloc(&d->d_x, bytes));
        CHECK(cudaMalloc(&d->d_y, bytes));
        fill_random(h_x, N, args.seed + device);
        CHECK(cudaMemcpy(d->d_x, h_x, bytes, cudaMemcpyHostToDevice));
    }
}

void release(void)
{
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaFree(devices[device].d_x));
        CHECK(cudaFree(devices[device].d_y));
    }
    CHECK(cudaFreeHost(h_x));
    free(reference);
}

// ---- The two ways ----

// An address says by itself in which memory it lies. cudaMemcpy waits until the copy has ended.
void copy_by_host(int from, int to)
{
    CHECK(cudaMemcpy(h_x, devices[from].d_x, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(devices[to].d_y, h_x, bytes, cudaMemcpyHostToDevice));
}

// The call may return before the copy has ended, so the host waits.
void copy_directly(int from, int to)
{
    CHECK(cudaMemcpyPeer(devices[to].d_y, to, devices[from].d_x, from, bytes));
    CHECK(cudaDeviceSynchronize());
}

// ---- Peer access ----

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

// ---- A pair of devices ----

// Checks a way, then times it.
void measure(const char *name, void (*copy)(int from, int to), int from, int to)
{
    real *const d_y = devices[to].d_y;
    CHECK(cudaSetDevice(to));
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    poison(h_x, bytes);
    copy(from, to);
    poison(h_x, bytes);
    CHECK(cudaMemcpy(h_x, d_y, bytes, cudaMemcpyDeviceToHost));
    check_elements(name, h_x, reference, N);

    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        copy(from, to);
    }
    print_timed_note("%d to %d, %s: %.4g ms, %.1f GB/s\n", from, to, name, timer.median,
                     rate_of((double)bytes, timer.median));
}

void measure_pair(int from, int to)
{
    const bool can_reach = from != to && reach_each_other(from, to);
    const char *const access = from == to  ? said("in the same memory")
                               : can_reach ? said("with peer access")
                                           : said("without peer access");
    print_note("%d to %d: %s\n", from, to, access);
    fill_random(reference, N, args.seed + from);
    measure(said("through the host"), copy_by_host, from, to);
    if (can_reach)
    {
        enable_access(from, to);
    }
    measure(said("directly"), copy_directly, from, to);
    if (can_reach)
    {
        disable_access(from, to);
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000);
    args.bytes_per_element = 2 * sizeof(real);
    parse_args(
        argc, argv, "-n N -r R -s S",
        "peer-copy: an array goes from one device to another, through the host and directly");
    N = args.N;
    bytes = N * sizeof(real);
    num_devices = count_devices();
    require_memory_on_each(2.0 * bytes, 2.0 * bytes, num_devices);
    for (int device = 0; device < num_devices; ++device)
    {
        cudaDeviceProp properties;
        CHECK(cudaGetDeviceProperties(&properties, device));
        print_note("device %d: %s\n", device, properties.name);
    }

    allocate();
    for (int device = 0; device < num_devices; ++device)
    {
        measure_pair(device, (device + 1) % num_devices);
    }
    release();
    return verdict();
}
