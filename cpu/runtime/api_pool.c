// The calls that allocate and free in the order of a stream, and the pools they take from.
//
// Memory is allocated at once, and freed when the device comes to cudaFreeAsync. A pool keeps no
// memory for later: it holds only the attributes that a program can set and get.
#include "api_pool.h"
#include <stdlib.h>
#include "api_device.h"
#include "api_memory.h"
#include "capture.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "queue.h"
#include "report.h"
#include "stream.h"

struct CUmemPoolHandle_st
{
    uint64_t threshold, reuse[3];
    int device;
};

// --- as nodes of a graph -------------------------------------------------------------------------

cudaError_t api_allocation_work(void **pointer, size_t bytes, Work *work)
{
    if (pointer == NULL || bytes == 0)
    {
        return cudaErrorInvalidValue;
    }
    const cudaError_t error = api_allocate(this_device, pointer, bytes, DEVICE, 0);
    if (error == cudaSuccess)
    {
        *work =
            (Work){.type = cudaGraphNodeTypeMemAlloc, .memory = graph_memory_new(*pointer, bytes)};
    }
    return error;
}

// False if the memory is no graph's.
bool api_freeing_work(void *pointer, Work *work)
{
    const Work freeing = {.type = cudaGraphNodeTypeMemFree, .memory = graph_memory_of(pointer)};
    if (freeing.memory != NULL)
    {
        *work = work_share(&freeing);
    }
    return freeing.memory != NULL;
}

// --- in a stream ---------------------------------------------------------------------------------

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

// *captured: launches of a graph allocate the memory.
static cudaError_t capture_allocation(void **pointer, size_t bytes, cudaStream_t stream,
                                      bool *captured)
{
    *captured = false;
    if (stream_of(stream)->capturing == NULL)
    {
        return capture_allows_stream(stream);
    }
    Work work;
    const cudaError_t error = api_allocation_work(pointer, bytes, &work);
    if (error != cudaSuccess)
    {
        return error;
    }
    const cudaError_t refused = capture_work(stream, &work, captured);
    if (!*captured)
    {
        work_drop(&work);
    }
    return refused;
}

typedef struct AllocationOp
{
    Op op;
    char *start;
    size_t bytes;
} AllocationOp;

static void run_allocation(Op *op)
{
    const AllocationOp *allocation = (AllocationOp *)op;
    check_allocated(allocation->start, allocation->bytes);
}

// The memory is there at once. For the checker it is the stream's from here on.
static void note_allocation(char *start, size_t bytes, cudaStream_t stream)
{
    AllocationOp *op = queue_allocate(sizeof(*op));
    *op = (AllocationOp){.op.run = run_allocation, .start = start, .bytes = bytes};
    stream_add(stream, &op->op);
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
    bool captured = false;
    cudaError_t error =
        capture_any() ? capture_allocation(pointer, bytes, stream, &captured) : cudaSuccess;
    if (error != cudaSuccess || captured)
    {
        return error_note(error);
    }
    error = api_allocate(pool->device, pointer, bytes, DEVICE, 0);
    if (CUDACPU_CHECKS && error == cudaSuccess && *pointer != NULL)
    {
        note_allocation(*pointer, bytes, stream);
    }
    return error;
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

// *captured: launches of a graph free the memory.
static cudaError_t capture_freeing(void *pointer, cudaStream_t stream, bool *captured)
{
    *captured = false;
    if (stream_of(stream)->capturing == NULL)
    {
        return capture_allows_stream(stream);
    }
    Work work;
    if (!api_freeing_work(pointer, &work))
    {
        return cudaErrorInvalidValue; // a graph cannot free what no graph has allocated
    }
    const cudaError_t error = capture_work(stream, &work, captured);
    if (!*captured)
    {
        work_drop(&work);
    }
    return error;
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
    bool captured = false, right = true;
    const cudaError_t error =
        capture_any() ? capture_freeing(pointer, stream, &captured) : cudaSuccess;
    if (error != cudaSuccess || captured)
    {
        return error_note(error);
    }
    if (graph_memory_free(pointer, &right))
    {
        return error_note(right ? cudaSuccess : cudaErrorInvalidValue);
    }
    if (!memory_end(pointer))
    {
        char why[200];
        memory_describe_free(pointer, false, why, sizeof(why));
        return report_call(cudaErrorInvalidValue, "%s", why);
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
    GIVE(pool, &default_pools[error == cudaErrorInvalidDevice ? 0 : device]);
    return error;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    if (pool == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error = check_device(device);
    GIVE(pool, pool_of(error == cudaErrorInvalidDevice ? 0 : device));
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
    GIVE(pool, malloc(sizeof(**pool)));
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
        GIVE((int *)value, (int)pool->reuse[which - cudaMemPoolReuseFollowEventDependencies]);
        return error_status();
    }
    GIVE((uint64_t *)value,
         which == cudaMemPoolAttrReleaseThreshold ? pool->threshold : memory_used(pool->device));
    return error_status();
}
