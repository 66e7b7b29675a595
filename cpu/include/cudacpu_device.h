// What device code finds without including anything: where it is, barriers, fences, loads.
#ifndef CUDACPU_DEVICE_H
#define CUDACPU_DEVICE_H
#include <assert.h> // these, too, nvcc includes unasked
#include <ctype.h>
#include <limits.h>
#include <time.h>
#include "cudacpu_once.h"

extern "C"
{
    extern __thread uint3 threadIdx, blockIdx;
    extern __thread dim3 blockDim, gridDim;
    int cudacpu_syncthreads(int condition, const char *file, int line);
    void cudacpu_wrong_width(int width, const char *file, int line);
    void cudacpu_absent_lane(unsigned int mask, unsigned int lane, const char *file, int line);
    unsigned long cudacpu_warp_exchange(unsigned int mask, unsigned long value, const char *file,
                                        int line);
    unsigned long cudacpu_lane_value(unsigned int lane);
    unsigned int cudacpu_activemask(const char *file, int line);
    long long cudacpu_clock(void);
    void cudacpu_spin(void);
    void *cudacpu_kernel_malloc(unsigned long bytes, const char *file, int line);
    void cudacpu_kernel_free(void *pointer, const char *file, int line);
    void cudacpu_kernel_delete(void *pointer, void *from);
    void cudacpu_launch_bounds(unsigned int threads);
    void cudacpu_grid_sync(const char *file, int line);
    bool cudacpu_is_cooperative(void);
    void cudacpu_unsupported(const char *feature, const char *file, int line);
#ifndef __CUDA__ // clangd's clang, which takes no such function for the device's
    int cudacpu_printf(int position, const char *format, ...) __attribute__((format(printf, 2, 3)));
#endif
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

// The checker is told of fences and atomics, and for whom they are: the block, the device, the system.
#ifdef CUDACPU_CHECKER
extern "C" void cudacpu_check_fence(int scope);
extern "C" void cudacpu_check_atomic(const volatile void *address, unsigned long bytes, int scope,
                                     int compares);
extern "C" void cudacpu_check_active(unsigned int mask);
#define CUDACPU_CHECK_ACTIVE(mask) cudacpu_check_active(mask)
// An exchange reads only where its result is used. There the second function is called, which the compiler
// leaves out elsewhere.
extern "C" unsigned long cudacpu_check_exchange(const volatile void *address, unsigned long bytes,
                                                int scope);
extern "C" unsigned cudacpu_check_result(unsigned long exchange) noexcept __attribute__((const));
#define CUDACPU_CHECK_FENCE(scope) cudacpu_check_fence(scope)
#define CUDACPU_CHECK_ATOMIC(address, scope, compares) \
    cudacpu_check_atomic(address, sizeof(*(address)), scope, compares)
#else
#define CUDACPU_CHECK_ACTIVE(mask) ((void)0)
#define CUDACPU_CHECK_FENCE(scope) ((void)0)
#ifdef CUDACPU_COUNTER
#define CUDACPU_CHECK_ATOMIC(address, scope, compares) \
    const cudacpu::Once once_((address), sizeof(*(address)))
#else
#define CUDACPU_CHECK_ATOMIC(address, scope, compares) ((void)0)
#endif
#endif

inline void __threadfence()
{
    CUDACPU_CHECK_FENCE(1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __threadfence_block()
{
    CUDACPU_CHECK_FENCE(0);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

inline void __threadfence_system()
{
    CUDACPU_CHECK_FENCE(2);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// --- memory of kernels: the rewriter writes these names ------------------------------------------------

namespace cudacpu
{
inline void *kernel_malloc(unsigned long bytes, const char *file = __builtin_FILE(),
                           int line = __builtin_LINE())
{
    return cudacpu_kernel_malloc(bytes, file, line);
}

inline void kernel_free(void *pointer, const char *file = __builtin_FILE(),
                        int line = __builtin_LINE())
{
    cudacpu_kernel_free(pointer, file, line);
}

struct KernelHeap
{
    const char *file;
    int line;
};

inline KernelHeap kernel_heap(const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    return {file, line};
}
} // namespace cudacpu

inline void *operator new(decltype(sizeof(0)) bytes, const cudacpu::KernelHeap &heap) noexcept
{
    return cudacpu_kernel_malloc(bytes, heap.file, heap.line);
}

inline void *operator new[](decltype(sizeof(0)) bytes, const cudacpu::KernelHeap &heap) noexcept
{
    return cudacpu_kernel_malloc(bytes, heap.file, heap.line);
}

// --- time and the end ----------------------------------------------------------------------

// clock() itself is the C library's on the host, and this in a kernel (runtime/clock.c).
inline long long clock64()
{
    return cudacpu_clock();
}

// CUDA promises no exact time, so another thread may have a turn.
inline void __nanosleep(unsigned int)
{
    cudacpu_spin();
}

#define __trap() __builtin_trap()
#define __brkpt() ((void)0)
#define __prof_trigger(counter) ((void)(counter)) // counters of a profiler
#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif

// --- loads and stores with a hint for the caches, which a CPU does not take ----------------------

namespace cudacpu
{
template <class T>
struct same // keeps a parameter out of template argument deduction
{
    typedef T type;
};
} // namespace cudacpu

#define CUDACPU_LOAD(name)          \
    template <class T>              \
    inline T name(const T *address) \
    {                               \
        return *address;            \
    }
CUDACPU_LOAD(__ldg)
CUDACPU_LOAD(__ldca)
CUDACPU_LOAD(__ldcg)
CUDACPU_LOAD(__ldcs)
CUDACPU_LOAD(__ldlu)
CUDACPU_LOAD(__ldcv)
#undef CUDACPU_LOAD

#define CUDACPU_STORE(name)                                             \
    template <class T>                                                  \
    inline void name(T *address, typename cudacpu::same<T>::type value) \
    {                                                                   \
        *address = value;                                               \
    }
CUDACPU_STORE(__stwb)
CUDACPU_STORE(__stcg)
CUDACPU_STORE(__stcs)
CUDACPU_STORE(__stwt)
#undef CUDACPU_STORE

#include "cudacpu_address.h"
#include "cudacpu_warp.h"
#include "cudacpu_atomics.h"
#include "cudacpu_in_step.h"

#endif
