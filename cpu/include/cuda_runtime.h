// What nvcc gives a .cu file without being asked, for the CPU backend. cpucc includes it first.
#ifndef CUDACPU_CUDA_RUNTIME_H
#define CUDACPU_CUDA_RUNTIME_H
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "cudacpu_math.h"

#ifndef __CUDACC__
#    define __CUDACC__ 1
#endif
#define ON_GPU 0

// Where a function runs makes no difference here; where a variable lies, neither. __global__ and
// __shared__ are words that the rewriter understands.
#define __host__
#define __device__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

#ifdef __cplusplus
#    include <utility>

// --- launches -------------------------------------------------------------------------------

namespace cudacpu
{
// The rewriter wraps a kernel's body into a lambda that holds the parameters; calling the kernel
// hands it to the queue. Each thread runs its own copy, as it has its own parameters on a GPU.
template <class Body>
void run_body(const void *closure)
{
    Body body(*static_cast<const Body *>(closure));
    body();
}

template <class Body>
void destroy_body(void *closure)
{
    delete static_cast<Body *>(closure);
}

template <class Body>
inline void kernel(const char *name, const Body &body)
{
    cudacpu_launch(name, run_body<Body>, new Body(body), destroy_body<Body>);
}

inline void configure(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = NULL)
{
    cudacpu_configure(grid, block, shared_bytes, stream);
}
} // namespace cudacpu

// --- inside a kernel --------------------------------------------------------------------------

extern "C"
{
    extern __thread uint3 threadIdx, blockIdx;
    extern __thread dim3 blockDim, gridDim;
    int cudacpu_syncthreads(int condition, const char *file, int line);
    unsigned int cudacpu_warp_exchange(unsigned int mask, unsigned long value, const char *file,
                                       int line);
    unsigned long cudacpu_lane_value(unsigned int lane);
    int cudacpu_printf(int position, const char *format, ...) __attribute__((format(printf, 2, 3)));
}

const int warpSize = 32;

inline void __syncthreads(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    cudacpu_syncthreads(0, file, line);
}

inline int __syncthreads_count(int condition, const char *file = __builtin_FILE(),
                               int line = __builtin_LINE())
{
    return cudacpu_syncthreads(condition != 0, file, line);
}

inline int __syncthreads_or(int condition, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE())
{
    return cudacpu_syncthreads(condition != 0, file, line) > 0;
}

inline int __syncthreads_and(int condition, const char *file = __builtin_FILE(),
                             int line = __builtin_LINE())
{
    return cudacpu_syncthreads(condition == 0, file, line) == 0;
}

inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __threadfence_block()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __threadfence_system()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class T>
inline T __ldg(const T *address)
{
    return *address;
}

#    include "cudacpu_warp.h"
#    include "cudacpu_atomics.h"

// --- the runtime API's C++ half -----------------------------------------------------------------

template <class T>
inline cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)pointer, bytes);
}

template <class T>
inline cudaError_t cudaMallocHost(T **pointer, size_t bytes)
{
    return cudaMallocHost((void **)pointer, bytes);
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

template <class Kernel>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}

// Symbols: a device variable is a variable.
template <class T>
inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
    cudacpu_remember_symbol(&symbol, sizeof(T));
    *address = (void *)&symbol;
    return cudaSuccess;
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
    return cudaSuccess;
}

template <class T>
inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = NULL)
{
    cudacpu_remember_symbol(&symbol, sizeof(T));
    return cudaMemcpyAsync((char *)&symbol + offset, from, bytes, kind, stream);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                      size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    cudacpu_remember_symbol(&symbol, sizeof(T));
    return cudaMemcpy((char *)&symbol + offset, from, bytes, kind);
}

template <class T>
inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = NULL)
{
    cudacpu_remember_symbol(&symbol, sizeof(T));
    return cudaMemcpyAsync(to, (const char *)&symbol + offset, bytes, kind, stream);
}

template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    cudacpu_remember_symbol(&symbol, sizeof(T));
    return cudaMemcpy(to, (const char *)&symbol + offset, bytes, kind);
}

// Default arguments that the C header cannot have.
inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, NULL);
}

inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}

inline cudaError_t cudaEventRecord(cudaEvent_t event)
{
    return cudaEventRecord(event, NULL);
}

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return cudaEventCreateWithFlags(event, flags);
}

inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event)
{
    return cudaStreamWaitEvent(stream, event, 0);
}

#endif
#endif
