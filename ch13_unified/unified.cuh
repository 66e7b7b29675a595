// What the programs of this chapter share: what a device can do with managed memory, prefetch and
// advice on every CUDA version, the time of a single call, and the host's access to pages.
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
        print_note("Host and device share one memory here: these times show no migration.\n");
    }
    else if (!has_page_faults())
    {
        print_note(
            "No concurrentManagedAccess: a launch moves all managed memory to the device.\n");
    }
}

// ---- Prefetch and advice ----

// CUDA 13 names a place by a structure, CUDA 12 by a device's number, or cudaCpuDeviceId.
#if CUDART_VERSION >= 13000
typedef cudaMemLocation MemoryPlace;

static inline MemoryPlace memory_place(int device)
{
    MemoryPlace place = {};
    place.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    place.id = device == cudaCpuDeviceId ? 0 : device;
    return place;
}

static inline cudaError_t prefetch_to(const void *managed, size_t bytes, int device,
                                      cudaStream_t stream)
{
    return cudaMemPrefetchAsync(managed, bytes, memory_place(device), 0, stream);
}
#else
typedef int MemoryPlace;

static inline MemoryPlace memory_place(int device) { return device; }

static inline cudaError_t prefetch_to(const void *managed, size_t bytes, int device,
                                      cudaStream_t stream)
{
    return cudaMemPrefetchAsync(managed, bytes, memory_place(device), stream);
}
#endif

// Moves managed memory to the place of its next use, before the first access there.
static inline cudaError_t prefetch_to_device(const void *managed, size_t bytes, int device,
                                             cudaStream_t stream = 0)
{
    return prefetch_to(managed, bytes, device, stream);
}

static inline cudaError_t prefetch_to_host(const void *managed, size_t bytes,
                                           cudaStream_t stream = 0)
{
    return prefetch_to(managed, bytes, cudaCpuDeviceId, stream);
}

// Says how managed memory will be used; `device` may be cudaCpuDeviceId.
static inline cudaError_t advise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                                 int device)
{
    return cudaMemAdvise(managed, bytes, advice, memory_place(device));
}

// ---- Times ----

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

// The time of a kernel with memory of cudaMalloc instead: the median of the passes. `launch` takes
// the three pointers. Frees x, y and z on the way, because the arrays are large.
template <typename Arrays, typename Launch>
double time_device_memory(Arrays *a, size_t repeats, size_t num_passes, Launch launch)
{
    real *d_x, *d_y, *d_z;
    CHECK(cudaMalloc(&d_x, a->bytes));
    CHECK(cudaMemcpy(d_x, a->x, a->bytes, cudaMemcpyDefault));
    CHECK(cudaFree(a->x));
    CHECK(cudaMalloc(&d_y, a->bytes));
    CHECK(cudaMemcpy(d_y, a->y, a->bytes, cudaMemcpyDefault));
    CHECK(cudaFree(a->y));
    CHECK(cudaFree(a->z));
    CHECK(cudaMalloc(&d_z, a->bytes));
    CHECK(cudaMemset(d_z, POISON_BYTE, a->bytes));
    double *samples = (double *)malloc(num_passes * sizeof(double));
    for (size_t pass = 0; pass < num_passes; ++pass)
    {
        samples[pass] = time_kernel([=] { launch(d_x, d_y, d_z); }, repeats).median;
    }
    const double ms = summarize(samples, num_passes).median;
    free(samples);

    real *h_z = (real *)malloc(a->bytes);
    poison(h_z, a->bytes);
    CHECK(cudaMemcpy(h_z, d_z, a->bytes, cudaMemcpyDeviceToHost));
    check_elements("z, memory of cudaMalloc", h_z, a->reference, a->N);
    free(h_z);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    return ms;
}
