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

// Memory is the same for all scopes here: the block's, the device's, the system's.
#define CUDACPU_ATOMIC(name, T, Value, expression)  \
    inline T name(T *address, Value value)          \
    {                                               \
        return expression;                          \
    }                                               \
    inline T name##_block(T *address, Value value)  \
    {                                               \
        return expression;                          \
    }                                               \
    inline T name##_system(T *address, Value value) \
    {                                               \
        return expression;                          \
    }
#define CUDACPU_FETCH(name, T, operation) \
    CUDACPU_ATOMIC(name, T, T, __atomic_##operation(address, value, __ATOMIC_SEQ_CST))
#define CUDACPU_UPDATE(name, T, expression) \
    CUDACPU_ATOMIC(name, T, T,              \
                   cudacpu::atomic_update(address, [=](T old) { return (T)(expression); }))

#define CUDACPU_INTEGER_ATOMICS(T)                          \
    CUDACPU_FETCH(atomicExch, T, exchange_n)                \
    CUDACPU_FETCH(atomicAnd, T, fetch_and)                  \
    CUDACPU_FETCH(atomicOr, T, fetch_or)                    \
    CUDACPU_FETCH(atomicXor, T, fetch_xor)                  \
    CUDACPU_UPDATE(atomicMin, T, value < old ? value : old) \
    CUDACPU_UPDATE(atomicMax, T, old < value ? value : old)
CUDACPU_INTEGER_ATOMICS(int)
CUDACPU_INTEGER_ATOMICS(unsigned int)
CUDACPU_INTEGER_ATOMICS(long long)
CUDACPU_INTEGER_ATOMICS(unsigned long long)
#undef CUDACPU_INTEGER_ATOMICS

CUDACPU_FETCH(atomicAdd, int, fetch_add)
CUDACPU_FETCH(atomicAdd, unsigned int, fetch_add)
CUDACPU_FETCH(atomicAdd, unsigned long long, fetch_add)
CUDACPU_UPDATE(atomicAdd, float, old + value)
CUDACPU_UPDATE(atomicAdd, double, old + value)
CUDACPU_FETCH(atomicSub, int, fetch_sub)
CUDACPU_FETCH(atomicSub, unsigned int, fetch_sub)
CUDACPU_UPDATE(atomicExch, float, value)

// Counters that start again: up to `value` and then 0; down to 0 and then `value`.
CUDACPU_UPDATE(atomicInc, unsigned int, old >= value ? 0u : old + 1u)
CUDACPU_UPDATE(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1u)
#undef CUDACPU_UPDATE
#undef CUDACPU_FETCH
#undef CUDACPU_ATOMIC

#define CUDACPU_CAS(name, T)                                                           \
    inline T name(T *address, T compare, T value)                                      \
    {                                                                                  \
        __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_SEQ_CST, \
                                    __ATOMIC_SEQ_CST);                                 \
        return compare;                                                                \
    }
#define CUDACPU_CAS_SCOPES(T)       \
    CUDACPU_CAS(atomicCAS, T)       \
    CUDACPU_CAS(atomicCAS_block, T) \
    CUDACPU_CAS(atomicCAS_system, T)
CUDACPU_CAS_SCOPES(int)
CUDACPU_CAS_SCOPES(unsigned int)
CUDACPU_CAS_SCOPES(unsigned short)
CUDACPU_CAS_SCOPES(unsigned long long)
#undef CUDACPU_CAS_SCOPES
#undef CUDACPU_CAS

#endif
