// thrust::cuda::par and its kin, with thrust::device. Whatever the stream, an algorithm waits for
// all earlier work of the device and runs on the host.
#ifndef CUDACPU_THRUST_POLICIES_H
#define CUDACPU_THRUST_POLICIES_H
#pragma GCC system_header
#include_next <thrust/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cuda
{
namespace detail
{
struct par_t : thrust::system::cpp::detail::par_t
{
    constexpr par_t()
    {
    }
    par_t on(cudaStream_t) const
    {
        return par_t();
    }
    // An allocator for temporary memory: its algorithms do without.
    template <typename Allocator>
    par_t operator()(Allocator &&) const
    {
        return par_t();
    }
};
} // namespace detail

static const detail::par_t par;
static const detail::par_t par_nosync;
} // namespace cuda
} // namespace system

namespace cuda
{
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
} // namespace cuda
THRUST_NAMESPACE_END

#endif
