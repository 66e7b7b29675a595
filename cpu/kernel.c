// Kernels as the host sees them: attributes, occupancy, launches by pointer.
//
// A kernel is a host function that brings its body to cudacpu_launch (cuda_runtime.h). What the
// queue knows it by is `run`, and what the program knows it by is the function's address. To find
// the one from the other the function is called with meaningless arguments while `probe` is set:
// cudacpu_launch then hands `run` over here, and `call`, which knows what the arguments are, and
// launches nothing.
#include "runtime.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

typedef struct Kernel
{
    const void *function; // NULL until the program has asked for it
    const char *name;
    void (*run)(const void *);
    void (*call)(const void *function, void **arguments);
    atomic_size_t shared_limit; // of dynamic shared memory
    int carveout;
    struct Kernel *_Atomic next;
} Kernel;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Kernel *_Atomic kernels; // never shrinks, so that launches may read it without the lock
static __thread Kernel *probe;

// Enough for all parameters a kernel can have. The registers hold pointers to zeros, since objects
// that cannot be copied bytewise are passed by address.
typedef struct Parameters
{
    const void *words[512];
} Parameters;
typedef void Function(const void *, const void *, const void *, const void *, const void *,
                      const void *, const void *, const void *, Parameters);

bool kernel_probed(const char *name, void (*run)(const void *), void (*call)(const void *, void **))
{
    if (probe == NULL)
    {
        return false;
    }
    probe->name = name;
    probe->run = run;
    probe->call = call;
    return true;
}

static Kernel *find_function(const void *function)
{
    Kernel *k = kernels;
    while (k != NULL && k->function != function)
    {
        k = k->next;
    }
    return k;
}

// The kernel that a function is, or NULL.
static Kernel *kernel_of(const void *function)
{
    static const char zeros[4096] __attribute__((aligned(4096)));
    if (function == NULL)
    {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    Kernel *k = find_function(function);
    if (k == NULL && (k = calloc(1, sizeof(*k))) != NULL)
    {
        Parameters rest;
        for (size_t i = 0; i < sizeof(rest.words) / sizeof(*rest.words); ++i)
        {
            rest.words[i] = zeros;
        }
        probe = k;
        ((Function *)function)(zeros, zeros, zeros, zeros, zeros, zeros, zeros, zeros, rest);
        probe = NULL;
        k->function = function;
        k->shared_limit = STATIC_SHARED_LIMIT;
        k->carveout = -1;
        k->next = kernels;
        kernels = k;
    }
    pthread_mutex_unlock(&lock);
    return k != NULL && k->run != NULL ? k : NULL;
}

size_t kernel_shared_limit(void (*run)(const void *))
{
    for (Kernel *k = kernels; k != NULL; k = k->next)
    {
        if (k->run == run)
        {
            return k->shared_limit;
        }
    }
    return STATIC_SHARED_LIMIT;
}

void kernel_reset(void)
{
    for (Kernel *k = kernels; k != NULL; k = k->next)
    {
        k->shared_limit = STATIC_SHARED_LIMIT;
        k->carveout = -1;
    }
}

// --- attributes ------------------------------------------------------------------------------------

static int device_attribute(cudaDeviceAttr which)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

// A kernel here is a function like any other: it has no registers of its own to count.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function)
{
    if (attributes == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    const Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return api_error(cudaErrorInvalidDeviceFunction);
    }
    memset(attributes, 0, sizeof(*attributes));
    attributes->maxThreadsPerBlock = MAX_BLOCK_THREADS;
    attributes->binaryVersion = attributes->ptxVersion =
        10 * device_attribute(cudaDevAttrComputeCapabilityMajor) +
        device_attribute(cudaDevAttrComputeCapabilityMinor);
    attributes->maxDynamicSharedSizeBytes = (int)k->shared_limit;
    attributes->preferredShmemCarveout = k->carveout;
    return api_status();
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute which, int value)
{
    Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return api_error(cudaErrorInvalidDeviceFunction);
    }
    if (which == cudaFuncAttributeMaxDynamicSharedMemorySize && value >= 0 &&
        value <= DYNAMIC_SHARED_LIMIT)
    {
        k->shared_limit = value;
        return api_status();
    }
    if (which == cudaFuncAttributePreferredSharedMemoryCarveout && value >= -1 && value <= 100)
    {
        k->carveout = value;
        return api_status();
    }
    return api_error(cudaErrorInvalidValue);
}

// A CPU's caches cannot be told.
cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache config)
{
    return kernel_of(function) == NULL                   ? api_error(cudaErrorInvalidDeviceFunction)
           : (unsigned)config > cudaFuncCachePreferEqual ? api_error(cudaErrorInvalidValue)
                                                         : api_status();
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, cudaSharedMemConfig config)
{
    return kernel_of(function) == NULL ? api_error(cudaErrorInvalidDeviceFunction)
           : (unsigned)config > cudaSharedMemBankSizeEightByte ? api_error(cudaErrorInvalidValue)
                                                               : api_status();
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    const Kernel *k = kernel_of(function);
    if (name == NULL || k == NULL)
    {
        return api_error(name == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDeviceFunction);
    }
    *name = k->name;
    return api_status();
}

// --- occupancy, of the multiprocessor that cudaGetDeviceProperties describes -----------------------

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *num_blocks, const void *function, int block_size, size_t shared_bytes, unsigned int flags)
{
    if (num_blocks == NULL || block_size <= 0 || flags > cudaOccupancyDisableCachingOverride)
    {
        return api_error(cudaErrorInvalidValue);
    }
    const Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return api_error(cudaErrorInvalidDeviceFunction);
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
    return api_status();
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
        return api_error(cudaErrorInvalidValue);
    }
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, function, block_size, 0);
    if (error != cudaSuccess || num_blocks > most)
    {
        return error != cudaSuccess ? error : api_error(cudaErrorInvalidValue);
    }
    const int share = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / num_blocks -
                      device_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    const int limit = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    *shared_bytes = (share < limit ? share : limit) / 128 * 128;
    return api_status();
}

// --- launches by pointer -------------------------------------------------------------------------

// What <<< >>> would only note as an error, is returned as well.
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
    const Kernel *k = kernel_of(function);
    if (k == NULL)
    {
        return api_error(cudaErrorInvalidDeviceFunction);
    }
    const cudaError_t before = cudacpu_exchange_error(cudaSuccess);
    cudacpu_configure(grid, block, shared_bytes, stream);
    k->call(function, arguments);
    return api_error(cudacpu_exchange_error(before));
}

static cudaError_t needs_gpu(const Kernel *k, const char *what)
{
    fprintf(stderr, "CPU backend: launch of kernel %s: %s needs a GPU\n", k->name, what);
    return api_error(cudaErrorNotSupported);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes, cudaStream_t stream)
{
    (void)grid, (void)block, (void)arguments, (void)shared_bytes, (void)stream;
    const Kernel *k = kernel_of(function);
    return k == NULL ? api_error(cudaErrorInvalidDeviceFunction)
                     : needs_gpu(k, "grid-wide synchronization");
}

// Whether a launch with these attributes is possible here.
cudaError_t cudacpu_check_launch(const cudaLaunchConfig_t *config, const void *function)
{
    const Kernel *k = kernel_of(function);
    if (config == NULL || (config->attrs == NULL && config->numAttrs > 0))
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (k == NULL)
    {
        return api_error(cudaErrorInvalidDeviceFunction);
    }
    for (unsigned i = 0; i < config->numAttrs; ++i)
    {
        const cudaLaunchAttribute *a = &config->attrs[i];
        if (a->id == cudaLaunchAttributeCooperative && a->val.cooperative)
        {
            return needs_gpu(k, "grid-wide synchronization");
        }
        if (a->id == cudaLaunchAttributeClusterDimension &&
            (a->val.clusterDim.x > 1 || a->val.clusterDim.y > 1 || a->val.clusterDim.z > 1))
        {
            return needs_gpu(k, "a cluster of blocks");
        }
    }
    return api_status();
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    const cudaError_t error = cudacpu_check_launch(config, function);
    return error != cudaSuccess
               ? error
               : cudaLaunchKernel(function, config->gridDim, config->blockDim, arguments,
                                  config->dynamicSmemBytes, config->stream);
}
