// The half of the runtime API that is C++: typed pointers, symbols, default arguments.
#ifndef CUDACPU_API_H
#define CUDACPU_API_H

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
