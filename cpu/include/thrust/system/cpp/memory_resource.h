// The memory of thrust::device_vector is device memory: cudaMemcpy takes its addresses for such,
// kernels that leave it are caught, and so is a host that follows a pointer into it. This file
// stands in place of Thrust's own.
#ifndef CUDACPU_THRUST_MEMORY_RESOURCE_H
#define CUDACPU_THRUST_MEMORY_RESOURCE_H
#pragma GCC system_header
#include <new>
#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cpp
{
namespace detail
{
struct device_resource final : thrust::mr::memory_resource<>
{
    void *do_allocate(std::size_t bytes, std::size_t) override
    {
        void *memory = NULL;
        if (cudaMalloc(&memory, bytes) != cudaSuccess)
        {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        return memory;
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override
    {
        cudaFree(memory);
    }
};

struct managed_resource final : thrust::mr::memory_resource<>
{
    void *do_allocate(std::size_t bytes, std::size_t) override
    {
        void *memory = NULL;
        if (cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) != cudaSuccess)
        {
            cudaGetLastError();
            throw std::bad_alloc();
        }
        return memory;
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override
    {
        cudaFree(memory);
    }
};

using native_resource =
    thrust::mr::fancy_pointer_resource<device_resource, thrust::cpp::pointer<void>>;
using universal_native_resource =
    thrust::mr::fancy_pointer_resource<managed_resource, thrust::cpp::universal_pointer<void>>;
} // namespace detail

using memory_resource = detail::native_resource;
using universal_memory_resource = detail::universal_native_resource;
using universal_host_pinned_memory_resource = universal_memory_resource;
} // namespace cpp
} // namespace system

namespace cpp
{
using thrust::system::cpp::memory_resource;
using thrust::system::cpp::universal_host_pinned_memory_resource;
using thrust::system::cpp::universal_memory_resource;
} // namespace cpp
THRUST_NAMESPACE_END

#endif
