// Atomic functions: the CPU's own where it has them, compare-and-swap for the rest.
#ifndef CUDACPU_ATOMICS_H
#define CUDACPU_ATOMICS_H

// Inlined even in debug builds, so that a thread that spins is found on its own line.
#define CUDACPU_INLINE inline __attribute__((always_inline))

namespace cudacpu
{
// Applies `change` to *address until no other thread has changed it in between; returns the old
// value.
template <class T, class Change>
CUDACPU_INLINE T atomic_update(T *address, Change change)
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

// An operation that changes nothing may be one of many that wait, at a lock for instance. Now and
// then the thread that they wait for has a turn.
template <class T>
CUDACPU_INLINE T atomic_result(T old, bool changed)
{
    if (!changed)
    {
        cudacpu_spin();
    }
    return old;
}

template <class T>
CUDACPU_INLINE T atomic_exchange(T *address, T value)
{
    const T old = __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
    return atomic_result(old, old != value);
}

CUDACPU_INLINE float atomic_exchange(float *address, float value)
{
    return atomic_update(address, [=](float) { return value; });
}

template <class T>
CUDACPU_INLINE T atomic_add(T *address, T value)
{
    return atomic_result(__atomic_fetch_add(address, value, __ATOMIC_SEQ_CST), value != 0);
}

template <class T>
CUDACPU_INLINE T atomic_or(T *address, T value)
{
    return atomic_result(__atomic_fetch_or(address, value, __ATOMIC_SEQ_CST), value != 0);
}

template <class T>
CUDACPU_INLINE T atomic_cas(T *address, T compare, T value)
{
    const bool swapped = __atomic_compare_exchange_n(address, &compare, value, false,
                                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return atomic_result(compare, swapped && compare != value);
}
} // namespace cudacpu

// Memory is the same for all scopes here: the block's, the device's, the system's.
// Only the checker tells them apart.
#define CUDACPU_SCOPED(name, T, scope, compares, expression) \
    CUDACPU_INLINE T name(T *address, T value)               \
    {                                                        \
        CUDACPU_CHECK_ATOMIC(address, scope, compares);      \
        return expression;                                   \
    }
#define CUDACPU_ATOMIC(name, T, compares, expression)        \
    CUDACPU_SCOPED(name, T, 1, compares, expression)         \
    CUDACPU_SCOPED(name##_block, T, 0, compares, expression) \
    CUDACPU_SCOPED(name##_system, T, 2, compares, expression)
#define CUDACPU_FETCH(name, T, operation) \
    CUDACPU_ATOMIC(name, T, 0, __atomic_fetch_##operation(address, value, __ATOMIC_SEQ_CST))
#define CUDACPU_POLLED(name, T, function) \
    CUDACPU_ATOMIC(name, T, 0, cudacpu::function(address, value))
#ifdef CUDACPU_CHECKER
#define CUDACPU_EXCHANGED(name, T, scope)                                              \
    CUDACPU_INLINE T name(T *address, T value)                                         \
    {                                                                                  \
        const unsigned long known = cudacpu_check_exchange(address, sizeof(T), scope); \
        const T old = cudacpu::atomic_exchange(address, value);                        \
        return known != 0 && cudacpu_check_result(known) != 0 ? value : old;           \
    }
#else
#define CUDACPU_EXCHANGED(name, T, scope)                \
    CUDACPU_INLINE T name(T *address, T value)           \
    {                                                    \
        CUDACPU_CHECK_ATOMIC(address, scope, 0);         \
        return cudacpu::atomic_exchange(address, value); \
    }
#endif
#define CUDACPU_EXCHANGE(T)                   \
    CUDACPU_EXCHANGED(atomicExch, T, 1)       \
    CUDACPU_EXCHANGED(atomicExch_block, T, 0) \
    CUDACPU_EXCHANGED(atomicExch_system, T, 2)
#define CUDACPU_UPDATE_OF(name, T, compares, expression) \
    CUDACPU_ATOMIC(                                      \
        name, T, compares,                               \
        cudacpu::atomic_update(address, [=]([[maybe_unused]] T old) { return (T)(expression); }))
#define CUDACPU_UPDATE(name, T, expression) CUDACPU_UPDATE_OF(name, T, 0, expression)

#define CUDACPU_INTEGER_ATOMICS(T)                                \
    CUDACPU_EXCHANGE(T)                                           \
    CUDACPU_FETCH(atomicAnd, T, and)                              \
    CUDACPU_POLLED(atomicOr, T, atomic_or)                        \
    CUDACPU_FETCH(atomicXor, T, xor)                              \
    CUDACPU_UPDATE_OF(atomicMin, T, 1, value < old ? value : old) \
    CUDACPU_UPDATE_OF(atomicMax, T, 1, old < value ? value : old)
CUDACPU_INTEGER_ATOMICS(int)
CUDACPU_INTEGER_ATOMICS(unsigned int)
CUDACPU_INTEGER_ATOMICS(long long)
CUDACPU_INTEGER_ATOMICS(unsigned long long)
#undef CUDACPU_INTEGER_ATOMICS

CUDACPU_POLLED(atomicAdd, int, atomic_add)
CUDACPU_POLLED(atomicAdd, unsigned int, atomic_add)
CUDACPU_POLLED(atomicAdd, unsigned long long, atomic_add)
CUDACPU_UPDATE(atomicAdd, float, old + value)
CUDACPU_UPDATE(atomicAdd, double, old + value)
CUDACPU_FETCH(atomicSub, int, sub)
CUDACPU_FETCH(atomicSub, unsigned int, sub)
CUDACPU_EXCHANGE(float)

// Counters that start again: up to `value` and then 0; down to 0 and then `value`.
CUDACPU_UPDATE(atomicInc, unsigned int, old >= value ? 0u : old + 1u)
CUDACPU_UPDATE(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1u)
#undef CUDACPU_UPDATE
#undef CUDACPU_UPDATE_OF
#undef CUDACPU_POLLED
#undef CUDACPU_EXCHANGE
#undef CUDACPU_EXCHANGED
#undef CUDACPU_FETCH
#undef CUDACPU_ATOMIC
#undef CUDACPU_SCOPED

#define CUDACPU_CAS(name, T, scope)                          \
    CUDACPU_INLINE T name(T *address, T compare, T value)    \
    {                                                        \
        CUDACPU_CHECK_ATOMIC(address, scope, 1);             \
        return cudacpu::atomic_cas(address, compare, value); \
    }
#define CUDACPU_CAS_SCOPES(T)          \
    CUDACPU_CAS(atomicCAS, T, 1)       \
    CUDACPU_CAS(atomicCAS_block, T, 0) \
    CUDACPU_CAS(atomicCAS_system, T, 2)
CUDACPU_CAS_SCOPES(int)
CUDACPU_CAS_SCOPES(unsigned int)
CUDACPU_CAS_SCOPES(unsigned short)
CUDACPU_CAS_SCOPES(unsigned long long)
#undef CUDACPU_CAS_SCOPES
#undef CUDACPU_CAS

#undef CUDACPU_INLINE
#endif
