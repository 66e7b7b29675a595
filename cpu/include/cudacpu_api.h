// The half of the runtime API that is C++: typed pointers, symbols, kernels with their types.
#ifndef CUDACPU_API_H
#define CUDACPU_API_H
#include <type_traits>
#include <utility>

// --- memory ---------------------------------------------------------------------------------------

template <class T>
inline cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)pointer, bytes);
}

template <class T>
inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)pointer, pitch, width, height);
}

template <class T>
inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0)
{
    return cudaHostAlloc((void **)pointer, bytes, flags);
}

template <class T>
inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags)
{
    return cudaHostAlloc((void **)pointer, bytes, flags);
}

template <class T>
inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)pointer, bytes, flags);
}

template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}

template <class T>
inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)pointer, bytes, stream);
}

template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}

template <class T>
inline cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaMemPool_t pool,
                                   cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)pointer, bytes, pool, stream);
}

// Until CUDA 12 a place for managed memory was a device's number.
namespace cudacpu
{
inline cudaMemLocation location_of(int device)
{
    return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
            device};
}
} // namespace cudacpu

inline cudaError_t cudaMemPrefetchAsync(const void *managed, size_t bytes, int device,
                                        cudaStream_t stream = NULL)
{
    return cudaMemPrefetchAsync(managed, bytes, cudacpu::location_of(device), 0, stream);
}

inline cudaError_t cudaMemAdvise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                                 int device)
{
    return cudaMemAdvise(managed, bytes, advice, cudacpu::location_of(device));
}

inline cudaError_t cudaMemPrefetchAsync_v2(const void *managed, size_t bytes,
                                           cudaMemLocation location, unsigned int flags,
                                           cudaStream_t stream = NULL)
{
    return cudaMemPrefetchAsync(managed, bytes, location, flags, stream);
}

inline cudaError_t cudaMemAdvise_v2(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                                    cudaMemLocation location)
{
    return cudaMemAdvise(managed, bytes, advice, location);
}

// --- symbols: a device variable is a variable ------------------------------------------------------

namespace cudacpu
{
// One follows each device variable's declaration. What is const keeps its value without us.
struct Variable
{
    template <class T>
    Variable(T &variable, const char *name, cudacpu_variable_kind kind, void *guard)
    {
        cudacpu_add_variable((void *)__builtin_addressof(variable), sizeof(T), name, kind, guard);
    }
    template <class T>
    Variable(const T &variable, const char *, cudacpu_variable_kind, void *)
    {
        cudacpu_remember_symbol(__builtin_addressof(variable), sizeof(T));
    }
};

// Follows device variables of templates, and inline ones of classes: their addresses are not known.
struct UnknownVariables
{
    UnknownVariables()
    {
        cudacpu_remember_symbol(NULL, 0);
    }
};
} // namespace cudacpu

template <class T>
inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    if (address == NULL)
    {
        return cudacpu_error(cudaErrorInvalidValue);
    }
    *address = (void *)&symbol;
    return cudacpu_find_symbol(&symbol, sizeof(T));
}

template <class P, class T>
inline cudaError_t cudaGetSymbolAddress(P **address, const T &symbol)
{
    return cudaGetSymbolAddress((void **)address, symbol);
}

template <class T>
inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    *bytes = sizeof(symbol);
    return cudacpu_find_symbol(&symbol, sizeof(symbol));
}

template <class T>
inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = NULL)
{
    return cudacpu_copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, stream, true);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudacpu_copy_to_symbol(&symbol, sizeof(T), from, bytes, offset, kind, NULL, false);
}

template <class T>
inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = NULL)
{
    return cudacpu_copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, stream, true);
}

template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudacpu_copy_from_symbol(to, &symbol, sizeof(T), bytes, offset, kind, NULL, false);
}

// --- kernels ----------------------------------------------------------------------------------------

template <class Kernel>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

template <class Kernel>
inline cudaError_t cudaFuncSetAttribute(Kernel *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}

template <class Kernel>
inline cudaError_t cudaFuncSetCacheConfig(Kernel *kernel, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}

template <class Kernel>
inline cudaError_t cudaFuncSetSharedMemConfig(Kernel *kernel, cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}

template <class Kernel>
inline cudaError_t cudaFuncGetName(const char **name, Kernel *kernel)
{
    return cudaFuncGetName(name, (const void *)kernel);
}

template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *num_blocks, Kernel *kernel,
                                                                 int block_size,
                                                                 size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(num_blocks, (const void *)kernel,
                                                         block_size, shared_bytes);
}

template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *num_blocks, Kernel *kernel, int block_size, size_t shared_bytes, unsigned int flags)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(num_blocks, (const void *)kernel,
                                                                  block_size, shared_bytes, flags);
}

template <class Kernel>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, Kernel *kernel,
                                                             int num_blocks, int block_size)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, (const void *)kernel, num_blocks,
                                                     block_size);
}

// The largest block size of those with which a multiprocessor runs the most threads.
template <class SharedBytes, class Kernel>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *min_grid_size, int *block_size,
                                                        Kernel *kernel, SharedBytes shared_bytes,
                                                        int limit = 0, unsigned int flags = 0)
{
    cudaFuncAttributes attributes;
    int num_processors = 0, most = 0;
    if (min_grid_size == NULL || block_size == NULL)
    {
        return cudacpu_error(cudaErrorInvalidValue);
    }
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess)
    {
        error = cudaDeviceGetAttribute(&num_processors, cudaDevAttrMultiProcessorCount, 0);
    }
    const int largest = attributes.maxThreadsPerBlock;
    const int start = limit <= 0 || limit > largest ? largest : limit;
    for (int size = start; error == cudaSuccess && size > 0;
         size = (size - 1) / 32 * 32) // whole warps
    {
        int blocks = 0;
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, size,
                                                                       shared_bytes(size), flags);
        if (blocks * size > most)
        {
            most = blocks * size;
            *block_size = size;
            *min_grid_size = blocks * num_processors;
        }
    }
    return error;
}

template <class SharedBytes, class Kernel>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid_size, int *block_size, Kernel *kernel,
                                               SharedBytes shared_bytes, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(min_grid_size, block_size,
                                                                   kernel, shared_bytes, limit);
}

template <class Kernel>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid_size, int *block_size, Kernel *kernel,
                                            size_t shared_bytes = 0, int limit = 0,
                                            unsigned int flags = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        min_grid_size, block_size, kernel, [=](int) { return shared_bytes; }, limit, flags);
}

template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid_size, int *block_size,
                                                      Kernel *kernel, size_t shared_bytes = 0,
                                                      int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, kernel,
                                                       shared_bytes, limit);
}

// --- launches that are functions --------------------------------------------------------------------

namespace cudacpu
{
// What `call` notes as an error, it returns.
template <class Call>
inline cudaError_t launch(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream,
                          Call call)
{
    const cudaError_t before = cudacpu_exchange_error(cudaSuccess);
    cudacpu_configure(grid, block, shared_bytes, stream);
    call();
    const cudaError_t error = cudacpu_exchange_error(before);
    return error == cudaSuccess ? error : cudacpu_error(error);
}
} // namespace cudacpu

template <class Kernel>
inline cudaError_t cudaLaunchKernel(Kernel *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = NULL)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared_bytes, stream);
}

template <class Kernel>
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, Kernel *kernel,
                                       void **arguments)
{
    return cudaLaunchKernelExC(config, (const void *)kernel, arguments);
}

template <class... P, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                      Arguments &&...arguments)
{
    const cudaError_t error = cudacpu_check_launch(config, (const void *)kernel);
    return error != cudaSuccess
               ? error
               : cudacpu::launch(config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                 config->stream, [&] { kernel(arguments...); });
}

template <class Kernel>
inline cudaError_t cudaLaunchCooperativeKernel(Kernel *kernel, dim3 grid, dim3 block,
                                               void **arguments, size_t shared_bytes = 0,
                                               cudaStream_t stream = NULL)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, arguments, shared_bytes,
                                       stream);
}

// --- other names ------------------------------------------------------------------------------------

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

// Of the first CUDA, and of many a textbook.
inline cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}

inline cudaError_t cudaThreadExit()
{
    return cudaDeviceReset();
}

#endif
