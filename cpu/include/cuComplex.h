// Complex numbers in C style, as cuBLAS and cuFFT use them: x is the real part, y the imaginary.
#ifndef CUDACPU_CUCOMPLEX_H
#define CUDACPU_CUCOMPLEX_H
#include <math.h>
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// One set of functions for each precision; f is the letter that ends the names of float's.
#define CUDACPU_COMPLEX(C, T, f, hypot)                                                         \
    static inline C make_##C(T x, T y)                                                          \
    {                                                                                           \
        C z = {x, y};                                                                           \
        return z;                                                                               \
    }                                                                                           \
    static inline T cuCreal##f(C z)                                                             \
    {                                                                                           \
        return z.x;                                                                             \
    }                                                                                           \
    static inline T cuCimag##f(C z)                                                             \
    {                                                                                           \
        return z.y;                                                                             \
    }                                                                                           \
    static inline C cuConj##f(C z)                                                              \
    {                                                                                           \
        return make_##C(z.x, -z.y);                                                             \
    }                                                                                           \
    static inline C cuCadd##f(C a, C b)                                                         \
    {                                                                                           \
        return make_##C(a.x + b.x, a.y + b.y);                                                  \
    }                                                                                           \
    static inline C cuCsub##f(C a, C b)                                                         \
    {                                                                                           \
        return make_##C(a.x - b.x, a.y - b.y);                                                  \
    }                                                                                           \
    static inline C cuCmul##f(C a, C b)                                                         \
    {                                                                                           \
        return make_##C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                          \
    }                                                                                           \
    /* scaled by the larger part of b, so that its square cannot overflow */                    \
    static inline C cuCdiv##f(C a, C b)                                                         \
    {                                                                                           \
        const T scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                  \
        const C p = make_##C(a.x * scale, a.y * scale), q = make_##C(b.x * scale, b.y * scale); \
        const T d = 1 / (q.x * q.x + q.y * q.y);                                                \
        return make_##C((p.x * q.x + p.y * q.y) * d, (p.y * q.x - p.x * q.y) * d);              \
    }                                                                                           \
    static inline T cuCabs##f(C z)                                                              \
    {                                                                                           \
        return hypot(z.x, z.y);                                                                 \
    }                                                                                           \
    static inline C cuCfma##f(C a, C b, C c)                                                    \
    {                                                                                           \
        return make_##C(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);              \
    }
CUDACPU_COMPLEX(cuFloatComplex, float, f, hypotf)
CUDACPU_COMPLEX(cuDoubleComplex, double, , hypot)
#undef CUDACPU_COMPLEX

static inline cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}

static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex(z.x, z.y);
}

static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}

#endif
