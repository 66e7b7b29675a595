// What the programs of this chapter share: what a device can do with managed memory, prefetch and
// advice on every CUDA version, the time of a single launch, and the host's access to pages.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/error.cuh"
#include "../common/on_gpu.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

static inline bool current_device_has(cudaDeviceAttr attribute)
{
    int device = -1;
    CHECK(cudaGetDevice(&device));
    return device_attribute(attribute, device) != 0;
}

// Ends the program with status 77 if the device has no managed memory at all.
static inline void require_managed_memory(void)
{
    if (!current_device_has(cudaDevAttrManagedMemory))
    {
        fprintf(stderr, "%s: needs a device with managed memory\n", args.program);
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
        print_note("Host and device share one memory here: no page moves.\n");
    }
    else if (!has_page_faults())
    {
        print_note(
            "No concurrentManagedAccess: a launch moves all managed memory to the device.\n");
    }
}

// ---- Prefetch and advice ----

// The programs call cudaMemPrefetchAsync and cudaMemAdvise as the book does: a place is a device's
// number, or cudaCpuDeviceId. CUDA 13 names a place by a structure. There these two functions take
// the number. The CPU backend takes both by itself.
#if ON_GPU && CUDART_VERSION >= 13000
static inline cudaMemLocation memory_place(int device)
{
    cudaMemLocation place = {};
    place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    place.id = device == cudaCpuDeviceId ? 0 : device;
    return place;
}

static inline cudaError_t cudaMemPrefetchAsync(const void *managed, size_t bytes, int device,
                                               cudaStream_t stream)
{
    return cudaMemPrefetchAsync(managed, bytes, memory_place(device), 0, stream);
}

static inline cudaError_t cudaMemAdvise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                                        int device)
{
    return cudaMemAdvise(managed, bytes, advice, memory_place(device));
}
#endif

// ---- Times ----

static cudaEvent_t g_start, g_stop; // from start_events to stop_events

// The time of one launch: start_events() before it, stop_events() after it. After the launch the
// data have moved, so a second launch is another measurement.
static inline void start_events(void)
{
    CHECK(cudaEventCreate(&g_start));
    CHECK(cudaEventCreate(&g_stop));
    CHECK(cudaEventRecord(g_start));
}

// Milliseconds since start_events.
static inline double stop_events(void)
{
    float ms = 0.0f;
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(g_stop));
    CHECK(cudaDeviceSynchronize()); // from here on the host may touch managed memory again
    CHECK(cudaEventElapsedTime(&ms, g_start, g_stop));
    CHECK(cudaEventDestroy(g_start));
    CHECK(cudaEventDestroy(g_stop));
    return ms;
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

// The same numbers in memory of cudaMalloc. Frees the managed array, because the arrays are large.
static inline real *move_to_device_memory(real *managed, size_t bytes)
{
    real *d_array;
    CHECK(cudaMalloc(&d_array, bytes));
    CHECK(cudaMemcpy(d_array, managed, bytes, cudaMemcpyDefault));
    CHECK(cudaFree(managed));
    return d_array;
}
