// Atomic functions: the CPU's own where it has them, compare-and-swap for the rest.
#ifndef CUDACPU_ATOMICS_H
#define CUDACPU_ATOMICS_H

namespace cudacpu
{
// Applies `change` to *address until nobody came in between; returns the old value.
template <class T, class Change>
inline T atomic_update(T *address, Change change)
{
    T old, wanted;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do
    {
        wanted = change(old);
    } while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
    return old;
}
} // namespace cudacpu

#define CUDACPU_INTEGER_ATOMICS(T)                                                                \
    inline T atomicAdd(T *address, T value)                                                       \
    {                                                                                             \
        return __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                             \
    inline T atomicSub(T *address, T value)                                                       \
    {                                                                                             \
        return __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                             \
    inline T atomicExch(T *address, T value)                                                      \
    {                                                                                             \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                             \
    }                                                                                             \
    inline T atomicMin(T *address, T value)                                                       \
    {                                                                                             \
        return cudacpu::atomic_update(address, [=](T old) { return value < old ? value : old; }); \
    }                                                                                             \
    inline T atomicMax(T *address, T value)                                                       \
    {                                                                                             \
        return cudacpu::atomic_update(address, [=](T old) { return old < value ? value : old; }); \
    }                                                                                             \
    inline T atomicAnd(T *address, T value)                                                       \
    {                                                                                             \
        return __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                             \
    inline T atomicOr(T *address, T value)                                                        \
    {                                                                                             \
        return __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST);                               \
    }                                                                                             \
    inline T atomicXor(T *address, T value)                                                       \
    {                                                                                             \
        return __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                             \
    inline T atomicCAS(T *address, T compare, T value)                                            \
    {                                                                                             \
        __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_SEQ_CST,            \
                                    __ATOMIC_SEQ_CST);                                            \
        return compare;                                                                           \
    }
CUDACPU_INTEGER_ATOMICS(int)
CUDACPU_INTEGER_ATOMICS(unsigned int)
CUDACPU_INTEGER_ATOMICS(unsigned long long)
#undef CUDACPU_INTEGER_ATOMICS

inline unsigned int atomicInc(unsigned int *address, unsigned int limit)
{
    return cudacpu::atomic_update(address,
                                  [=](unsigned int old) { return old >= limit ? 0u : old + 1u; });
}

inline unsigned int atomicDec(unsigned int *address, unsigned int limit)
{
    return cudacpu::atomic_update(address, [=](unsigned int old)
                                  { return old == 0 || old > limit ? limit : old - 1u; });
}

inline float atomicAdd(float *address, float value)
{
    return cudacpu::atomic_update(address, [=](float old) { return old + value; });
}

inline double atomicAdd(double *address, double value)
{
    return cudacpu::atomic_update(address, [=](double old) { return old + value; });
}

inline float atomicExch(float *address, float value)
{
    return cudacpu::atomic_update(address, [=](float) { return value; });
}

#endif
