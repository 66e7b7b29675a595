// Every algorithm of Thrust, and every look at an element, casts its execution policy. For those
// that mean the device this is the moment to wait for the kernels before it.
// (The classes are incomplete here; they and their bases are empty.)
#ifndef CUDACPU_THRUST_EXECUTION_POLICY_H
#define CUDACPU_THRUST_EXECUTION_POLICY_H
#pragma GCC system_header
#include_next <thrust/detail/execution_policy.h>

extern "C" unsigned long cudacpu_issued; // operations of the device, ever

// An algorithm comes here once for every element of a device_vector, so only new work is waited for.
inline void cudacpu_wait_for_new_work()
{
    static thread_local unsigned long seen = ~0ul;
    const unsigned long issued = __atomic_load_n(&cudacpu_issued, __ATOMIC_ACQUIRE);
    if (__builtin_expect(issued != seen, 0))
    {
        cudacpu_share_with_host();
        seen = issued;
    }
}

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cpp
{
namespace detail
{
struct tag;
struct par_t;
} // namespace detail
} // namespace cpp
} // namespace system

namespace detail
{
template <typename Allocator, template <typename> class BaseSystem>
struct execute_with_allocator;

#define CUDACPU_DERIVED_CAST(Policy)                                   \
    inline Policy &derived_cast(execution_policy_base<Policy> &policy) \
    {                                                                  \
        cudacpu_wait_for_new_work();                                   \
        return reinterpret_cast<Policy &>(policy);                     \
    }
CUDACPU_DERIVED_CAST(thrust::system::cpp::detail::tag)
CUDACPU_DERIVED_CAST(thrust::system::cpp::detail::par_t)
#undef CUDACPU_DERIVED_CAST

// thrust::device(allocator)
template <typename Allocator, template <typename> class BaseSystem>
execute_with_allocator<Allocator, BaseSystem> &
derived_cast(execution_policy_base<execute_with_allocator<Allocator, BaseSystem>> &policy)
{
    cudacpu_wait_for_new_work();
    return static_cast<execute_with_allocator<Allocator, BaseSystem> &>(policy);
}
} // namespace detail
THRUST_NAMESPACE_END

#endif
