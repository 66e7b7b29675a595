// Which space an address is in. In shared memory an address of PTX is an offset of 32 bits.
#ifndef CUDACPU_ADDRESS_H
#define CUDACPU_ADDRESS_H

extern "C"
{
    extern __thread unsigned long cudacpu_shared_start, cudacpu_shared_bytes;
    int cudacpu_is_constant(const void *address);
    int cudacpu_is_local(const void *address);
}

inline unsigned int __isShared(const void *address)
{
    return (unsigned long)address - cudacpu_shared_start < cudacpu_shared_bytes;
}

inline unsigned int __isLocal(const void *address)
{
    return cudacpu_is_local(address) != 0;
}

inline unsigned int __isConstant(const void *address)
{
    return cudacpu_is_constant(address) != 0;
}

inline unsigned int __isGlobal(const void *address)
{
    return !__isShared(address) && !__isLocal(address) && !__isConstant(address);
}

inline size_t __cvta_generic_to_shared(const void *address)
{
    return (unsigned int)((unsigned long)address - cudacpu_shared_start);
}

// An offset beyond all shared memory leads to the guard behind it.
inline __attribute__((always_inline)) void *__cvta_shared_to_generic(size_t offset)
{
    const unsigned long last = cudacpu_shared_bytes - 16;
    return (void *)(cudacpu_shared_start + (offset < last ? offset : last));
}

#define CUDACPU_SAME_ADDRESS(space)                              \
    inline size_t __cvta_generic_to_##space(const void *address) \
    {                                                            \
        return (size_t)address;                                  \
    }                                                            \
    inline void *__cvta_##space##_to_generic(size_t address)     \
    {                                                            \
        return (void *)address;                                  \
    }
CUDACPU_SAME_ADDRESS(global)
CUDACPU_SAME_ADDRESS(local)
CUDACPU_SAME_ADDRESS(constant)
#undef CUDACPU_SAME_ADDRESS

#endif
