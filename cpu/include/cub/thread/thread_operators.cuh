// CUB's operators. CUDA 13 has taken Sum, Max and Min away in favour of those of <cuda/functional>.
#ifndef CUDACPU_CUB_THREAD_OPERATORS_CUH
#define CUDACPU_CUB_THREAD_OPERATORS_CUH
#include "../util_type.cuh"

namespace cub
{
#define CUDACPU_CUB_OPERATOR(name, result)                                \
    struct name                                                           \
    {                                                                     \
        template <class A, class B>                                       \
        __host__ __device__ auto operator()(const A &a, const B &b) const \
            -> std::decay_t<decltype(result)>                             \
        {                                                                 \
            return result;                                                \
        }                                                                 \
    };
CUDACPU_CUB_OPERATOR(Sum, a + b)
CUDACPU_CUB_OPERATOR(Difference, a - b)
CUDACPU_CUB_OPERATOR(Division, a / b)
CUDACPU_CUB_OPERATOR(Max, a < b ? b : a)
CUDACPU_CUB_OPERATOR(Min, b < a ? b : a)
CUDACPU_CUB_OPERATOR(Equality, a == b)
CUDACPU_CUB_OPERATOR(Inequality, a != b)
#undef CUDACPU_CUB_OPERATOR

// The pair with the largest value, and of those the one with the smallest key.
struct ArgMax
{
    template <class Key, class Value>
    __host__ __device__ KeyValuePair<Key, Value> operator()(const KeyValuePair<Key, Value> &a,
                                                            const KeyValuePair<Key, Value> &b) const
    {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

struct ArgMin
{
    template <class Key, class Value>
    __host__ __device__ KeyValuePair<Key, Value> operator()(const KeyValuePair<Key, Value> &a,
                                                            const KeyValuePair<Key, Value> &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
} // namespace cub

#endif
