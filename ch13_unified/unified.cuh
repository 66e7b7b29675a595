// What the programs of this chapter share: what a device can do with managed memory, the time of a
// single call, and the host's access to pages.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/error.cuh"
#include "../common/timing.cuh"

static inline bool current_device_has(cudaDeviceAttr attribute)
{
    int device = -1;
    CHECK(cudaGetDevice(&device));
    return device_attribute(attribute, device) != 0;
}

// Ends the program with status 77 if the device has no managed memory at all.
static inline void require_managed_memory(const Args *args)
{
    if (!current_device_has(cudaDevAttrManagedMemory))
    {
        fprintf(stderr, "%s: needs a device with managed memory\n", args->program);
        exit(77);
    }
}

// Whether host and device may use managed memory at the same time: the book's second generation.
// Only then do page faults of the device move data, and only then can data be prefetched. GPUs
// before Pascal cannot do it, and no GPU can under Windows or WSL.
static inline bool has_page_faults(void)
{
    return current_device_has(cudaDevAttrConcurrentManagedAccess);
}

// A line above the times where they do not show what they show on other machines.
static inline void print_what_moves(void)
{
    if (!ON_GPU)
    {
        print_note("Host and device share one memory here: these times show no migration.\n");
    }
    else if (!has_page_faults())
    {
        print_note(
            "No concurrentManagedAccess: a launch moves all managed memory to the device.\n");
    }
}

// Milliseconds of one call. After it the data have moved, so a second call is another measurement.
template <typename Work>
double time_once(Work work)
{
    cudaEvent_t start, stop;
    float elapsed = 0.0f;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    work();
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(stop));
    CHECK(cudaDeviceSynchronize()); // from here on the host may touch managed memory again
    CHECK(cudaEventElapsedTime(&elapsed, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return elapsed;
}

// The host reads one byte of each page. A page that lies on the device has to come to the host.
static inline void read_pages(const void *memory, size_t bytes)
{
    const volatile char *p = (const volatile char *)memory;
    const size_t page = sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < bytes; i += page)
    {
        const char byte = p[i];
        (void)byte;
    }
}
