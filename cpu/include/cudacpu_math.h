// CUDA's mathematical functions that C does not have. The intrinsics are the accurate functions:
// on a CPU there is nothing to be gained by less.
#ifndef CUDACPU_MATH_H
#define CUDACPU_MATH_H
#include <math.h>
#include <string.h>

#ifdef __cplusplus

static inline float rsqrtf(float x)
{
    return (float)(1.0 / sqrt((double)x));
}

static inline double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

// glibc declares some of these names itself, so they are macros.
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __fdividef(x, y) ((float)(x) / (float)(y))
#define __fsqrt_rn(x) sqrtf(x)
#define __dsqrt_rn(x) sqrt((double)(x))
#define __fadd_rn(x, y) ((float)(x) + (float)(y))
#define __fmul_rn(x, y) ((float)(x) * (float)(y))
#define __dadd_rn(x, y) ((double)(x) + (double)(y))
#define __dmul_rn(x, y) ((double)(x) * (double)(y))
#define __fmaf_rn(x, y, z) fmaf(x, y, z)
#define __fma_rn(x, y, z) fma(x, y, z)
#define __saturatef(x) fminf(1.0f, fmaxf(0.0f, (x)))

static inline int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}

static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

static inline int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned int)x);
}

static inline int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

static inline unsigned int __brev(unsigned int x)
{
    unsigned int reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
    {
        reversed |= (x >> bit & 1u) << (31 - bit);
    }
    return reversed;
}

static inline int __float_as_int(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline float __int_as_float(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static inline unsigned int __float_as_uint(float x)
{
    return (unsigned int)__float_as_int(x);
}

static inline float __uint_as_float(unsigned int bits)
{
    return __int_as_float((int)bits);
}

static inline long long __double_as_longlong(double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline double __longlong_as_double(long long bits)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

// min and max of numbers, as device code has them without any header.
#define CUDACPU_MIN_MAX(type)              \
    static inline type min(type a, type b) \
    {                                      \
        return b < a ? b : a;              \
    }                                      \
    static inline type max(type a, type b) \
    {                                      \
        return a < b ? b : a;              \
    }
CUDACPU_MIN_MAX(int)
CUDACPU_MIN_MAX(unsigned int)
CUDACPU_MIN_MAX(long)
CUDACPU_MIN_MAX(unsigned long)
CUDACPU_MIN_MAX(long long)
CUDACPU_MIN_MAX(unsigned long long)
#undef CUDACPU_MIN_MAX

static inline float min(float a, float b)
{
    return fminf(a, b);
}

static inline float max(float a, float b)
{
    return fmaxf(a, b);
}

static inline double min(double a, double b)
{
    return fmin(a, b);
}

static inline double max(double a, double b)
{
    return fmax(a, b);
}

#endif
#endif
