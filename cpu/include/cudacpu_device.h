// What device code finds without including anything: where it is, barriers, fences.
#ifndef CUDACPU_DEVICE_H
#define CUDACPU_DEVICE_H

extern "C"
{
    extern __thread uint3 threadIdx, blockIdx;
    extern __thread dim3 blockDim, gridDim;
    int cudacpu_syncthreads(int condition, const char *file, int line);
    unsigned int cudacpu_warp_exchange(unsigned int mask, unsigned long value, const char *file,
                                       int line);
    unsigned long cudacpu_lane_value(unsigned int lane);
    int cudacpu_printf(int position, const char *format, ...) __attribute__((format(printf, 2, 3)));
}

const int warpSize = 32;

inline void __syncthreads(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    cudacpu_syncthreads(0, file, line);
}

inline int __syncthreads_count(int condition, const char *file = __builtin_FILE(),
                               int line = __builtin_LINE())
{
    return cudacpu_syncthreads(condition != 0, file, line);
}

inline int __syncthreads_or(int condition, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE())
{
    return cudacpu_syncthreads(condition != 0, file, line) > 0;
}

inline int __syncthreads_and(int condition, const char *file = __builtin_FILE(),
                             int line = __builtin_LINE())
{
    return cudacpu_syncthreads(condition == 0, file, line) == 0;
}

inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __threadfence_block()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __threadfence_system()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

template <class T>
inline T __ldg(const T *address)
{
    return *address;
}

#include "cudacpu_warp.h"
#include "cudacpu_atomics.h"

#endif
