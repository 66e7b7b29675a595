// The calls that allocate and free in the order of a stream, and the pools they take from.
//
// Memory is allocated at once, and freed when the device comes to cudaFreeAsync. A pool keeps no
// memory for later: it holds only the attributes that a program can set and get.
#include <stdlib.h>
#include "api_device.h"
#include "api_memory.h"
#include "device.h"
#include "error.h"
#include "queue.h"
#include "stream.h"

struct CUmemPoolHandle_st
{
    uint64_t threshold, reuse[3];
    int device;
};

#define POOL(device_)                         \
    {                                         \
        .reuse = {1, 1, 1}, .device = device_ \
    }
_Static_assert(MAX_DEVICES == 8, "a default pool for each device");
static struct CUmemPoolHandle_st default_pools[MAX_DEVICES] = {POOL(0), POOL(1), POOL(2), POOL(3),
                                                               POOL(4), POOL(5), POOL(6), POOL(7)};
static _Atomic(cudaMemPool_t) current_pools[MAX_DEVICES]; // NULL: the default one

static bool is_default(cudaMemPool_t pool)
{
    return pool >= default_pools && pool < default_pools + MAX_DEVICES;
}

static cudaMemPool_t pool_of(int device)
{
    const cudaMemPool_t pool = atomic_load(&current_pools[device]);
    return pool != NULL ? pool : &default_pools[device];
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (pool == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    return api_allocate(pool->device, pointer, bytes, DEVICE, 0);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    return cudaMallocFromPoolAsync(pointer, bytes, pool_of(stream_of(stream)->device), stream);
}

typedef struct FreeOp
{
    Op op;
    void *pointer;
} FreeOp;

static void run_free(Op *op)
{
    memory_free_ended(((FreeOp *)op)->pointer);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    if (!error_none())
    {
        return error_status();
    }
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (pointer == NULL)
    {
        return cudaSuccess;
    }
    if (!memory_end(pointer))
    {
        return error_note(cudaErrorInvalidValue);
    }
    FreeOp *op = queue_allocate(sizeof(*op));
    *op = (FreeOp){.op.run = run_free, .pointer = pointer};
    stream_add(stream, &op->op);
    return error_status();
}

static cudaError_t check_device(int device)
{
    const bool exists = device == 0 || (device > 0 && device < number_of_devices());
    return exists ? error_status() : error_note(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    if (pool == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error = check_device(device);
    *pool = &default_pools[error == cudaErrorInvalidDevice ? 0 : device];
    return error;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    if (pool == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error = check_device(device);
    *pool = pool_of(error == cudaErrorInvalidDevice ? 0 : device);
    return error;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    if (pool == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error = check_device(device);
    if (error != cudaErrorInvalidDevice)
    {
        atomic_store(&current_pools[device], pool);
    }
    return error;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties)
{
    if (pool == NULL || properties == NULL || properties->allocType != cudaMemAllocationTypePinned)
    {
        return error_note(cudaErrorInvalidValue);
    }
    *pool = malloc(sizeof(**pool));
    if (*pool == NULL)
    {
        return error_note(cudaErrorMemoryAllocation);
    }
    **pool = (struct CUmemPoolHandle_st){.reuse = {1, 1, 1}, .device = properties->location.id};
    const cudaError_t error = check_device(properties->location.id);
    if (error == cudaErrorInvalidDevice)
    {
        free(*pool);
        *pool = NULL;
    }
    return error;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (pool == NULL || is_default(pool))
    {
        return error_note(cudaErrorInvalidValue);
    }
    for (int device = 0; device < MAX_DEVICES; ++device)
    {
        cudaMemPool_t mine = pool;
        atomic_compare_exchange_strong(&current_pools[device], &mine, NULL);
    }
    free(pool);
    return error_status();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep)
{
    (void)bytes_to_keep;
    return pool != NULL ? error_status() : error_note(cudaErrorInvalidValue);
}

// The three kinds of reuse are ints; the other attributes are 64 bits wide.
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value)
{
    if (pool == NULL || value == NULL || which < cudaMemPoolReuseFollowEventDependencies)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (which <= cudaMemPoolReuseAllowInternalDependencies)
    {
        pool->reuse[which - cudaMemPoolReuseFollowEventDependencies] = *(const int *)value;
        return error_status();
    }
    if (which == cudaMemPoolAttrReleaseThreshold)
    {
        pool->threshold = *(const uint64_t *)value;
        return error_status();
    }
    // A high-water mark can be set, but only to 0.
    const bool mark =
        which == cudaMemPoolAttrReservedMemHigh || which == cudaMemPoolAttrUsedMemHigh;
    return mark && *(const uint64_t *)value == 0 ? error_status()
                                                 : error_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void *value)
{
    if (pool == NULL || value == NULL || which < cudaMemPoolReuseFollowEventDependencies ||
        which > cudaMemPoolAttrUsedMemHigh)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (which <= cudaMemPoolReuseAllowInternalDependencies)
    {
        *(int *)value = (int)pool->reuse[which - cudaMemPoolReuseFollowEventDependencies];
        return error_status();
    }
    *(uint64_t *)value =
        which == cudaMemPoolAttrReleaseThreshold ? pool->threshold : memory_used(pool->device);
    return error_status();
}
