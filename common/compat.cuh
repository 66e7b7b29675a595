// What differs between the CUDA versions we compile with (12.0 to 13.x), and ON_GPU.
#pragma once

// 0 where kernels run on the CPU. The features and libraries of a real GPU are then missing.
#ifndef ON_GPU
#define ON_GPU 1
#endif

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

static inline MemoryPlace memory_place(int device)
{
    return device;
}

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

// Clock rates, compute mode and some others left cudaDeviceProp in CUDA 13. As attributes
// (cudaDevAttrClockRate in kHz, cudaDevAttrMemoryClockRate, ...) every version has them.
// 0 where the device does not say.
static inline int device_attribute(cudaDeviceAttr attribute, int device)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess ? value : 0;
}

// A function of the driver, so that a program need not be linked with libcuda. NULL if the driver
// does not have it. It behaves as in the version asked for: 12000 for 12.0.
#if ON_GPU
static inline void *driver_function(const char *name, unsigned int version)
{
    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found);
#else
    (void)version;
    const cudaError_t status = cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found);
#endif
    return status == cudaSuccess && found == cudaDriverEntryPointSuccess ? function : NULL;
}
#endif
