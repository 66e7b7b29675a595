// What the files of cuBLAS share: handles, scalars from host or device, arithmetic of all types.
//
// A matrix lies column by column: element (i, j) of A is A[i + j lda]. Sizes are int64_t here; the
// functions for int call those.
#pragma once
#include <cublas_v2.h>
#include <stdint.h>
#include <string.h>

const int SCRATCH_SLOTS = 64;         // calls that may use scratch memory at the same time
const size_t SCRATCH_BYTES = 1 << 14; // of each

struct cublasContext
{
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math_mode;
    cublasAtomicsMode_t atomics_mode;
    int sm_count_target;
    struct
    {
        cublasEmulationStrategy_t strategy;
        cudaEmulationSpecialValuesSupport special_values;
        cudaEmulationMantissaControl mantissa;
        int most_bits, bit_offset, *bit_count;
    } emulation;   // what a program has set, without effect
    char *scratch; // on the device
    int turn;      // the slot of the next call
    cublasContext *next;
};

namespace cublas
{

// ---- Handles and statuses: handle.cu ----

// Whether cublasCreate has made it, and cublasDestroy has not ended it.
bool is_alive(cublasHandle_t handle);

// Scratch memory for one call.
void *next_scratch(cublasHandle_t handle);

// The error that a launch will come upon: from an earlier kernel, or from a program's own call.
inline cudaError_t error_before()
{
    return cudaPeekAtLastError();
}

// Of the launches since then.
inline cublasStatus_t status_since(cudaError_t before)
{
    const cudaError_t now = cudaPeekAtLastError();
    const bool is_lasting = now == cudaErrorIllegalAddress || now == cudaErrorLaunchTimeout ||
                            now == cudaErrorAssert || now == cudaErrorLaunchFailure;
    return now == cudaSuccess || (now == before && !is_lasting) ? CUBLAS_STATUS_SUCCESS
                                                                : CUBLAS_STATUS_EXECUTION_FAILED;
}

// Ends the calling function with the status, if something is wrong.
#define REFUSE(status, condition)          \
    do                                     \
    {                                      \
        if (condition)                     \
        {                                  \
            return CUBLAS_STATUS_##status; \
        }                                  \
    } while (0)
#define REQUIRE_HANDLE(handle) REFUSE(NOT_INITIALIZED, !cublas::is_alive(handle))

// ---- Numbers ----

template <typename T>
struct Kind
{
    typedef T Real;
    static const bool IS_COMPLEX = false;
    typedef double Sum; // in which sums of T are formed
};
template <>
struct Kind<float2>
{
    typedef float Real;
    static const bool IS_COMPLEX = true;
    typedef double2 Sum;
};
template <>
struct Kind<double2>
{
    typedef double Real;
    static const bool IS_COMPLEX = true;
    typedef double2 Sum;
};
template <typename T>
using Real = typename Kind<T>::Real;

#define COMPLEX_ARITHMETIC(T, R)                               \
    inline T operator+(T a, T b)                               \
    {                                                          \
        return {a.x + b.x, a.y + b.y};                         \
    }                                                          \
    inline T operator-(T a, T b)                               \
    {                                                          \
        return {a.x - b.x, a.y - b.y};                         \
    }                                                          \
    inline T operator*(T a, T b)                               \
    {                                                          \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; \
    }                                                          \
    inline T operator*(R a, T b)                               \
    {                                                          \
        return {a * b.x, a * b.y};                             \
    }                                                          \
    inline T conjugate(T a)                                    \
    {                                                          \
        return {a.x, -a.y};                                    \
    }                                                          \
    inline bool is_zero(T a)                                   \
    {                                                          \
        return a.x == 0 && a.y == 0;                           \
    }                                                          \
    inline bool is_one(T a)                                    \
    {                                                          \
        return a.x == 1 && a.y == 0;                           \
    }                                                          \
    inline R size_of(T a) /* as BLAS measures: |x| + |y| */    \
    {                                                          \
        return fabs(a.x) + fabs(a.y);                          \
    }
#define REAL_ARITHMETIC(T)   \
    inline T conjugate(T a)  \
    {                        \
        return a;            \
    }                        \
    inline bool is_zero(T a) \
    {                        \
        return a == 0;       \
    }                        \
    inline bool is_one(T a)  \
    {                        \
        return a == 1;       \
    }                        \
    inline T size_of(T a)    \
    {                        \
        return fabs(a);      \
    }
COMPLEX_ARITHMETIC(float2, float)
COMPLEX_ARITHMETIC(double2, double)
REAL_ARITHMETIC(float)
REAL_ARITHMETIC(double)

inline float divide(float a, float b)
{
    return a / b;
}
inline double divide(double a, double b)
{
    return a / b;
}
inline float2 divide(float2 a, float2 b)
{
    return cuCdivf(a, b);
}
inline double2 divide(double2 a, double2 b)
{
    return cuCdiv(a, b);
}

inline double2 widen(float2 a)
{
    return {a.x, a.y};
}
inline double2 widen(double2 a)
{
    return a;
}
inline double widen(double a)
{
    return a;
}
inline void narrow(double2 a, float2 *b)
{
    *b = {(float)a.x, (float)a.y};
}
inline void narrow(double2 a, double2 *b)
{
    *b = a;
}
template <typename T>
void narrow(double a, T *b)
{
    *b = (T)a;
}

// Conjugates only if asked at compile time, so that the loops have no branch.
template <bool CONJUGATES, typename T>
T conjugate_if(T a)
{
    return CONJUGATES ? conjugate(a) : a;
}

// ---- Arguments of kernels ----

// alpha or beta: the value at the time of the call, or where the kernel finds it.
template <typename T>
struct Scalar
{
    T value;
    const T *device;
    T get() const
    {
        return device != NULL ? *device : value;
    }
};

template <typename T>
Scalar<T> scalar(cublasHandle_t handle, const T *pointer)
{
    Scalar<T> result = {T(), pointer};
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST)
    {
        memcpy(&result.value, (const void *)pointer, sizeof(T)); // it may be a std::complex, which
        result.device = NULL;                                    // is aligned to 8 bytes only
    }
    return result;
}

// Whether the value is known to be 0 before the kernel runs.
template <typename T>
bool is_zero_now(cublasHandle_t handle, const T *pointer)
{
    return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST &&
           is_zero(scalar(handle, pointer).value);
}

// Element i of a vector is x[i inc]; a negative increment begins at the end, as BLAS has it.
template <typename T>
struct Vector
{
    T *first;
    int64_t inc;
    T &operator[](int64_t i) const
    {
        return first[i * inc];
    }
};

template <typename T>
Vector<T> vector(T *x, int64_t n, int64_t inc)
{
    return {inc < 0 && n > 0 ? x + (1 - n) * inc : x, inc};
}

inline bool is_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

inline int64_t at_least_1(int64_t n)
{
    return n > 1 ? n : 1;
}

// Pieces of work, one to a block of one thread. A piece is long enough that its launch costs
// little.
inline int64_t pieces(int64_t n, int64_t each)
{
    return (n + each - 1) / each;
}

inline unsigned grid_of(int64_t number)
{
    const int64_t MOST = 1 << 30;
    return (unsigned)(number < MOST ? number : MOST);
}

} // namespace cublas
