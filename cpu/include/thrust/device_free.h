// Frees what thrust::device_malloc has given. This file stands in place of Thrust's own.
#ifndef CUDACPU_THRUST_DEVICE_FREE_H
#define CUDACPU_THRUST_DEVICE_FREE_H
#pragma GCC system_header
#include <thrust/detail/config.h>
#include <thrust/device_ptr.h>

THRUST_NAMESPACE_BEGIN
inline void device_free(device_ptr<void> memory)
{
    cudaFree(memory.get());
}
THRUST_NAMESPACE_END

#endif
