// What nvcc gives a .cu file without being asked, for the CPU backend. cpucc includes it first. For a
// .cpp file that includes it, it is the runtime API and the vector types.
#ifndef CUDACPU_CUDA_RUNTIME_H
#define CUDACPU_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__
#include "cudacpu_seen.h"
// The special functions of C++17 (std::beta and so on) take a seventh of the compiler's time. cpucc
// asks for them where a file uses one.
#if defined(__CUDACC__) && !defined(CUDACPU_SPECIAL_FUNCTIONS) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda_runtime_api.h"
#include "vector_functions.h"
#ifndef __CUDACC__ // in a .cu file cpucc includes it where it is needed
#include "channel_descriptor.h"
#endif
#ifdef __CUDACC__ // else min, max, norm and their like may be the program's own
#include "cudacpu_math.h"
#endif

#define ON_GPU 0
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

// These are for the rewriter. They are macros, too, because programs ask `#ifdef __device__`.
// In .cpp files, where there is no rewriter, a kernel is declared as an ordinary function.
#ifdef __CUDACC__
#define __global__ __global__
#define __host__ __host__
#define __device__ __device__
#define __shared__ __shared__
#define __constant__ __constant__
#define __managed__ __managed__
#else
#define __global__
#define __host__
#define __device__
#define __shared__
#define __constant__
#define __managed__
#endif
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#if defined(__CUDACC__) && !defined(__CUDA__)
#define __launch_bounds__(...) __attribute__((cudacpu_bounds(__VA_ARGS__))) // the rewriter reads it
#else
#define __launch_bounds__(...)
#endif
#define __maxnreg__(n)

#ifdef __cplusplus
#ifndef __CUDA__ // clangd's clang brings its own
#include <new>
#endif
#include <type_traits>
#include <utility>

// --- shared memory: what references to variables of any type are initialized with -------------

extern "C" __thread char *cudacpu_dynamic_shared;

namespace cudacpu
{
struct DynamicShared
{
    template <class T>
    using Array = T[];
    template <class T>
    operator Array<T> &() const
    {
        return *reinterpret_cast<Array<T> *>(cudacpu_dynamic_shared);
    }
};

// The first thread of a launch that comes here, on each OS thread, gets a place for the variable.
struct Shared
{
    void *&place; // a variable of the OS thread; NULL when a launch begins
    const char *name;
    size_t alignment; // that its declaration asks for, beside its type's
    template <class T>
    __attribute__((always_inline)) operator T &() const
    {
        if (__builtin_expect(place == NULL, 0))
        {
            cudacpu_place_shared(&place, sizeof(T), alignof(T) > alignment ? alignof(T) : alignment,
                                 name);
        }
        return *static_cast<T *>(place);
    }
};
} // namespace cudacpu

#ifdef CUDACPU_ALIGNMENT_CHECKED // cpucc -G: traps are those of misaligned addresses
extern "C" __attribute__((weak, used)) const int cudacpu_alignment_checked = 1;
#endif

// --- launches -------------------------------------------------------------------------------

namespace cudacpu
{
// The rewriter wraps a kernel's body into a lambda that holds the parameters; calling the kernel
// hands it to the queue. Each thread runs its own copy, as it has its own parameters on a GPU: of
// the bytes, for no constructor or destructor of a parameter runs on a device.
template <class Body, bool IS_BYTES = std::is_trivially_copyable<Body>::value>
struct Copy
{
    Body body;
    Copy(const void *closure) : body(*static_cast<const Body *>(closure))
    {
    }
};

template <class Body>
struct Copy<Body, false>
{
    union
    {
        Body body; // neither made nor destroyed
    };
    Copy(const void *closure)
    {
        memcpy((void *)&body, closure, sizeof(Body));
    }
    ~Copy()
    {
    }
};

// g++ tells the checker of no store of a structure that a call has returned, so there is to be no call. Under
// the counter functions are compiled into the kernel, as nvcc does it.
#if (defined(CUDACPU_CHECKER) || defined(CUDACPU_COUNTER)) && !defined(__clang__)
#define CUDACPU_WITHOUT_CALLS __attribute__((flatten))
#else
#define CUDACPU_WITHOUT_CALLS
#endif
template <class Body>
CUDACPU_WITHOUT_CALLS void run_body(const void *closure)
{
    Copy<Body> copy(closure);
    copy.body();
}

// Calls a kernel of which only the address is known and where its arguments are (cudaLaunchKernel):
// its type tells what they are.
template <size_t... I>
struct Numbers // std::index_sequence, which C++11 lacks
{
};
template <size_t N, size_t... I>
struct NumbersTo : NumbersTo<N - 1, N - 1, I...>
{
};
template <size_t... I>
struct NumbersTo<0, I...>
{
    typedef Numbers<I...> type;
};
template <class Signature>
struct Caller;
template <class... P>
struct Caller<void(P...)>
{
    template <size_t... I>
    static void call_with(void (*kernel)(P...), void **arguments, Numbers<I...>)
    {
        (void)arguments; // of a kernel without any
        kernel(*static_cast<typename std::remove_reference<P>::type *>(arguments[I])...);
    }
    // Without a kernel, tells the sizes of the arguments, and a 0 after them.
    static void call(const void *kernel, void **arguments)
    {
        if (kernel == NULL)
        {
            const size_t sizes[] = {sizeof(P)..., 0};
            memcpy(arguments, sizes, sizeof(sizes));
            return;
        }
        call_with((void (*)(P...))kernel, arguments, typename NumbersTo<sizeof...(P)>::type());
    }
};

template <class Signature, class Body, class... T>
__attribute__((always_inline)) inline void kernel(const char *name, const char *names,
                                                  const Body &body, T *...pointers)
{
    const volatile void *const addresses[] = {
        (std::is_function<T>::value ? NULL : (const volatile void *)pointers)..., NULL};
    void *closure = alignof(Body) <= alignof(max_align_t)
                        ? malloc(sizeof(Body)) // takes half the time
                        : aligned_alloc(alignof(Body), sizeof(Body));
    memcpy(closure, (const void *)&body, sizeof(Body));
    cudacpu_launch(name, run_body<Body>, Caller<Signature>::call, closure, free, names, addresses);
    asm volatile(""); // so that the call above returns into the kernel
}

// CUDA 13 has one thread for a launch that names the grid only.
__attribute__((always_inline)) inline void
configure(dim3 grid, dim3 block = 1, size_t shared_bytes = 0, cudaStream_t stream = NULL)
{
    cudacpu_configure(grid, block, shared_bytes, stream);
#ifdef CUDACPU_LIBRARY
    cudacpu_in_library();
#endif
}
} // namespace cudacpu

#ifdef __CUDACC__
#include "cudacpu_device.h"
#endif
#include "cudacpu_api.h"

#endif
#endif
