// The calls about kernels: their attributes, and how many blocks a multiprocessor would hold.
#include <string.h>
#include "check.h"
#include "device.h"
#include "error.h"
#include "kernel.h"

static int device_attribute(cudaDeviceAttr which)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, which, this_device);
    return value;
}

// A kernel here is an ordinary function: numRegs is 0.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function)
{
    if (attributes == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return error_note(cudaErrorInvalidDeviceFunction);
    }
    memset(attributes, 0, sizeof(*attributes));
    attributes->maxThreadsPerBlock =
        k->bounds > 0 && k->bounds < MAX_BLOCK_THREADS ? (int)k->bounds : MAX_BLOCK_THREADS;
    attributes->binaryVersion = attributes->ptxVersion =
        10 * device_attribute(cudaDevAttrComputeCapabilityMajor) +
        device_attribute(cudaDevAttrComputeCapabilityMinor);
    attributes->maxDynamicSharedSizeBytes = (int)k->shared_limit;
    attributes->preferredShmemCarveout = k->carveout;
    check_given(attributes, sizeof(*attributes));
    return error_status();
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute which, int value)
{
    Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return error_note(cudaErrorInvalidDeviceFunction);
    }
    if (which == cudaFuncAttributeMaxDynamicSharedMemorySize && value >= 0 &&
        value <= DYNAMIC_SHARED_LIMIT)
    {
        k->shared_limit = value;
        return error_status();
    }
    if (which == cudaFuncAttributePreferredSharedMemoryCarveout && value >= -1 && value <= 100)
    {
        k->carveout = value;
        return error_status();
    }
    return error_note(cudaErrorInvalidValue);
}

// A program cannot divide a CPU's cache: the wish is checked, and has no effect.
cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache config)
{
    return kernel_of(function) == NULL ? error_note(cudaErrorInvalidDeviceFunction)
           : (unsigned)config > cudaFuncCachePreferEqual ? error_note(cudaErrorInvalidValue)
                                                         : error_status();
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, cudaSharedMemConfig config)
{
    return kernel_of(function) == NULL ? error_note(cudaErrorInvalidDeviceFunction)
           : (unsigned)config > cudaSharedMemBankSizeEightByte ? error_note(cudaErrorInvalidValue)
                                                               : error_status();
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    const Kernel *k = kernel_of(function);
    if (name == NULL || k == NULL)
    {
        return error_note(name == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    }
    GIVE(name, k->name);
    return error_status();
}

// --- occupancy, of the multiprocessor that cudaGetDeviceProperties describes ---------------------

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *num_blocks, const void *function, int block_size, size_t shared_bytes, unsigned int flags)
{
    if (num_blocks == NULL || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return error_note(cudaErrorInvalidDeviceFunction);
    }
    *num_blocks = 0;
    if (block_size <= MAX_BLOCK_THREADS && shared_bytes <= k->shared_limit)
    {
        const int threads = (block_size + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
        const int by_threads = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / threads;
        const int shared = // given out in units of 128 bytes
            ((int)shared_bytes + device_attribute(cudaDevAttrReservedSharedMemoryPerBlock) + 127) /
            128 * 128;
        const int by_shared =
            device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / shared;
        const int by_blocks = device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
        *num_blocks = by_threads < by_shared ? by_threads : by_shared;
        *num_blocks = *num_blocks < by_blocks ? *num_blocks : by_blocks;
    }
    check_given(num_blocks, sizeof(*num_blocks));
    return error_status();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *num_blocks, const void *function,
                                                          int block_size, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        num_blocks, function, block_size, shared_bytes, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, const void *function,
                                                      int num_blocks, int block_size)
{
    int most = 0;
    if (shared_bytes == NULL || num_blocks <= 0)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, function, block_size, 0);
    if (error != cudaSuccess || num_blocks > most)
    {
        return error != cudaSuccess ? error : error_note(cudaErrorInvalidValue);
    }
    const int share = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / num_blocks -
                      device_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    const int limit = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    GIVE(shared_bytes, (share < limit ? share : limit) / 128 * 128);
    return error_status();
}
