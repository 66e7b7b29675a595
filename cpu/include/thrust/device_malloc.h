// What thrust::device_malloc gives is device memory, as that of thrust::device_vector. This file
// stands in place of Thrust's own.
#ifndef CUDACPU_THRUST_DEVICE_MALLOC_H
#define CUDACPU_THRUST_DEVICE_MALLOC_H
#pragma GCC system_header
#include <new>
#include <thrust/detail/config.h>
#include <thrust/device_ptr.h>

THRUST_NAMESPACE_BEGIN
inline device_ptr<void> device_malloc(const std::size_t n)
{
    void *memory = NULL;
    if (cudaMalloc(&memory, n) != cudaSuccess)
    {
        cudaGetLastError();
        throw std::bad_alloc();
    }
    return device_ptr<void>(memory);
}

template <typename T>
device_ptr<T> device_malloc(const std::size_t n)
{
    return device_ptr<T>(static_cast<T *>(thrust::device_malloc(n * sizeof(T)).get()));
}
THRUST_NAMESPACE_END

#endif
