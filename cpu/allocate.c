// The calls that allocate, at once or in the order of a stream, and those that ask about memory.
#include "memory.h"
#include <stdlib.h>

enum
{
    PITCH = 512
};

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return memory_allocate(pointer, bytes, DEVICE, 0);
}

// Each row starts at a multiple of 512 bytes, as on today's GPUs.
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    if (pointer == NULL || pitch == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    size_t rows, bytes;
    if (__builtin_add_overflow(width, PITCH - 1, &rows) ||
        __builtin_mul_overflow(rows / PITCH * PITCH, height, &bytes))
    {
        return api_error(cudaErrorMemoryAllocation);
    }
    *pitch = rows / PITCH * PITCH;
    return cudaMalloc(pointer, bytes);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent)
{
    size_t height;
    if (pointer == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (__builtin_mul_overflow(extent.height, extent.depth, &height))
    {
        return api_error(cudaErrorMemoryAllocation);
    }
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, height);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    const unsigned int known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    return flags & ~known ? api_error(cudaErrorInvalidValue)
                          : memory_allocate(pointer, bytes, PINNED, flags);
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
    {
        return api_error(cudaErrorInvalidValue);
    }
    return memory_allocate(pointer, bytes, MANAGED, flags);
}

// --- in the order of a stream ----------------------------------------------------------------------

// Memory from a pool is there at once, and goes when the device comes to cudaFreeAsync. Nothing is
// kept for later, so that a pool is little more than the numbers that are asked for.
struct CUmemPoolHandle_st
{
    uint64_t threshold, reuse[3];
};

static struct CUmemPoolHandle_st default_pool = {.reuse = {1, 1, 1}};
static _Atomic(cudaMemPool_t) current_pool = &default_pool;

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    if (!stream_exists(stream))
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    if (pool == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    return memory_allocate(pointer, bytes, DEVICE, 0);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(pointer, bytes, atomic_load(&current_pool), stream);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    if (!api_ready())
    {
        return api_status();
    }
    if (!stream_exists(stream))
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    if (pointer == NULL)
    {
        return cudaSuccess;
    }
    if (!memory_end(pointer))
    {
        return cudaErrorInvalidValue;
    }
    stream_add(stream, &(Op){.kind = OP_HOST, .function = memory_free_ended, .data = pointer});
    return api_status();
}

static cudaError_t check_device(int device)
{
    return device == 0 ? api_status() : api_error(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    if (pool == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *pool = &default_pool;
    return check_device(device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    if (pool == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *pool = atomic_load(&current_pool);
    return check_device(device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    if (pool == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (device == 0)
    {
        atomic_store(&current_pool, pool);
    }
    return check_device(device);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties)
{
    if (pool == NULL || properties == NULL || properties->allocType != cudaMemAllocationTypePinned)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *pool = malloc(sizeof(**pool));
    if (*pool == NULL)
    {
        return api_error(cudaErrorMemoryAllocation);
    }
    **pool = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1}};
    return check_device(properties->location.id);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (pool == NULL || pool == &default_pool)
    {
        return api_error(cudaErrorInvalidValue);
    }
    cudaMemPool_t mine = pool;
    atomic_compare_exchange_strong(&current_pool, &mine, &default_pool);
    free(pool);
    return api_status();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep)
{
    (void)bytes_to_keep;
    return pool != NULL ? api_status() : api_error(cudaErrorInvalidValue);
}

// The three kinds of reuse are ints, all else 64 bits wide.
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value)
{
    if (pool == NULL || value == NULL || which < cudaMemPoolReuseFollowEventDependencies)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (which <= cudaMemPoolReuseAllowInternalDependencies)
    {
        pool->reuse[which - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value;
        return api_status();
    }
    if (which == cudaMemPoolAttrReleaseThreshold)
    {
        pool->threshold = *(const uint64_t *)value;
        return api_status();
    }
    // A high-water mark can be set, but only to 0.
    const bool mark =
        which == cudaMemPoolAttrReservedMemHigh || which == cudaMemPoolAttrUsedMemHigh;
    return mark && *(const uint64_t *)value == 0 ? api_status() : api_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value)
{
    if (pool == NULL || value == NULL || which < cudaMemPoolReuseFollowEventDependencies ||
        which > cudaMemPoolAttrUsedMemHigh)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (which <= cudaMemPoolReuseAllowInternalDependencies)
    {
        *(int *)value = (int)pool->reuse[which - cudaMemPoolReuseFollowEventDependencies];
        return api_status();
    }
    *(uint64_t *)value =
        which == cudaMemPoolAttrReleaseThreshold ? pool->threshold : memory_device_used();
    return api_status();
}

// --- asking ----------------------------------------------------------------------------------------

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    if (device == NULL || flags != 0 || host == NULL || place_of(host, 0) != ON_HOST)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *device = host;
    return api_status();
}

// With one address space for host and device all pinned memory is mapped.
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    Allocation a;
    if (flags == NULL || place_of(host, 0) != ON_HOST || !memory_copy_of(host, &a))
    {
        return api_error(cudaErrorInvalidValue);
    }
    *flags = a.flags | cudaHostAllocMapped;
    return api_status();
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer)
{
    static const cudaMemoryType TYPES[] = {
        [DEVICE] = cudaMemoryTypeDevice,   [PINNED] = cudaMemoryTypeHost,
        [MANAGED] = cudaMemoryTypeManaged, [REGISTERED] = cudaMemoryTypeHost,
        [SYMBOL] = cudaMemoryTypeDevice,   [VARIABLE] = cudaMemoryTypeManaged};
    if (attributes == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    Allocation a;
    void *address = (void *)pointer;
    const Place place = place_of(pointer, 0);
    const bool known = place != PAGEABLE && place != INVALID && memory_copy_of(pointer, &a);
    const cudaMemoryType type = known ? TYPES[a.kind] : cudaMemoryTypeUnregistered;
    attributes->type = type;
    attributes->device = known ? 0 : cudaInvalidDeviceId;
    attributes->devicePointer = known ? address : NULL;
    attributes->hostPointer = type == cudaMemoryTypeDevice ? NULL : address;
    return api_status();
}
