// What the programs of this chapter share: which devices they use, and whether their arrays fit.
#pragma once
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/require_memory.cuh"

const int MOST_DEVICES = 16;

// All devices, or the first ones. It is asked after the arguments: a wrong one, or --help, starts
// none.
static inline int count_devices(void)
{
    int count;
    CHECK(cudaGetDeviceCount(&count));
    if (count > MOST_DEVICES)
    {
        print_note("there are %d devices; the first %d are used\n", count, MOST_DEVICES);
    }
    return count < MOST_DEVICES ? count : MOST_DEVICES;
}

// A default size, halved until what each device has of it fits there.
static inline size_t fit_devices(size_t N, double bytes_on_each, int num_devices)
{
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        while (1.25 * N * bytes_on_each > free_device_memory())
        {
            N /= 2;
        }
    }
    CHECK(cudaSetDevice(0));
    return N;
}

// Ends the program with status 2 if so many bytes do not fit on the host, or on one of the devices.
static inline void require_memory_on_each(double on_host, double on_each, int num_devices)
{
    for (int device = 0; device < num_devices; ++device)
    {
        CHECK(cudaSetDevice(device));
        require_memory(ON_GPU ? on_host : on_host + on_each * (num_devices - 1), on_each);
    }
    CHECK(cudaSetDevice(0));
}
