// Arithmetic and conversions whose names end in the way they round: _rn to nearest, _rz towards
// zero, _ru up, _rd down.
#ifndef CUDACPU_ROUNDING_H
#define CUDACPU_ROUNDING_H
#include <fenv.h>
#include <limits>
#include <math.h>
#include "cudacpu_once.h"

namespace cudacpu
{
// Operands and result are volatile: the compiler, which knows nothing of rounding modes, must
// neither compute beforehand nor move the operation out of its mode. (Under the counter no other lane comes
// between, which would round so, too.)
#define CUDACPU_ROUNDED(Result, mode, expression) \
    CUDACPU_COUNT_ONCE;                           \
    const int usual = fegetround();               \
    fesetround(mode);                             \
    const volatile Result result = expression;    \
    fesetround(usual);                            \
    return result;

// A number without fraction as an integer: what does not fit saturates; NaN as PTX's cvt has it.
template <class Integer, class Real>
inline Integer to_integer(Real x)
{
    const Integer largest = std::numeric_limits<Integer>::max();
    const Integer smallest = std::numeric_limits<Integer>::min();
    const Real end = (Real)(largest / 2 + 1) * 2; // a power of two: exact
    if (x != x)
    {
        const bool zero = sizeof(Real) == 4 && sizeof(Integer) == 4;
        return zero ? 0 : (Integer)(1ull << (8 * sizeof(Integer) - 1));
    }
    return x >= end ? largest : x < (Real)smallest ? smallest : (Integer)x;
}
} // namespace cudacpu

// --- arithmetic --------------------------------------------------------------------------------

#define CUDACPU_UNARY(name, T, mode, expression) \
    static inline T name(T a)                    \
    {                                            \
        const volatile T x = a;                  \
        CUDACPU_ROUNDED(T, mode, expression)     \
    }
#define CUDACPU_BINARY(name, T, mode, operation) \
    static inline T name(T a, T b)               \
    {                                            \
        const volatile T x = a, y = b;           \
        CUDACPU_ROUNDED(T, mode, x operation y)  \
    }
#define CUDACPU_FUSED(name, T, mode, fma)      \
    static inline T name(T a, T b, T c)        \
    {                                          \
        const volatile T x = a, y = b, z = c;  \
        CUDACPU_ROUNDED(T, mode, fma(x, y, z)) \
    }
#define CUDACPU_ARITHMETIC(suffix, mode)                           \
    CUDACPU_BINARY(__fadd_##suffix, float, mode, +)                \
    CUDACPU_BINARY(__fsub_##suffix, float, mode, -)                \
    CUDACPU_BINARY(__fmul_##suffix, float, mode, *)                \
    CUDACPU_BINARY(__fdiv_##suffix, float, mode, /)                \
    CUDACPU_UNARY(__frcp_##suffix, float, mode, 1.0f / x)          \
    CUDACPU_UNARY(__fsqrt_##suffix, float, mode, sqrtf(x))         \
    CUDACPU_FUSED(__fmaf_##suffix, float, mode, fmaf)              \
    CUDACPU_BINARY(__dadd_##suffix, double, mode, +)               \
    CUDACPU_BINARY(__dsub_##suffix, double, mode, -)               \
    CUDACPU_BINARY(__dmul_##suffix, double, mode, *)               \
    CUDACPU_BINARY(__ddiv_##suffix, double, mode, /)               \
    CUDACPU_UNARY(__drcp_##suffix, double, mode, 1.0 / x)          \
    CUDACPU_UNARY(__dsqrt_##suffix, double, mode, sqrt((double)x)) \
    CUDACPU_FUSED(__fma_##suffix, double, mode, fma)
CUDACPU_ARITHMETIC(rz, FE_TOWARDZERO)
CUDACPU_ARITHMETIC(ru, FE_UPWARD)
CUDACPU_ARITHMETIC(rd, FE_DOWNWARD)
#ifdef CUDACPU_FMAD // cpucc -fmad=true: these, too, must be kept from what stands around them
CUDACPU_ARITHMETIC(rn, FE_TONEAREST)
#endif
#undef CUDACPU_ARITHMETIC
#undef CUDACPU_FUSED
#undef CUDACPU_BINARY
#undef CUDACPU_UNARY

// To nearest is how the CPU rounds anyway.
#ifndef CUDACPU_FMAD
#define CUDACPU_NEAREST(name, T, parameters, expression) \
    static inline T name parameters                      \
    {                                                    \
        return expression;                               \
    }
CUDACPU_NEAREST(__fadd_rn, float, (float x, float y), x + y)
CUDACPU_NEAREST(__fsub_rn, float, (float x, float y), x - y)
CUDACPU_NEAREST(__fmul_rn, float, (float x, float y), x *y)
CUDACPU_NEAREST(__fdiv_rn, float, (float x, float y), x / y)
CUDACPU_NEAREST(__frcp_rn, float, (float x), 1.0f / x)
CUDACPU_NEAREST(__fsqrt_rn, float, (float x), sqrtf(x))
CUDACPU_NEAREST(__fmaf_rn, float, (float x, float y, float z), fmaf(x, y, z))
CUDACPU_NEAREST(__dadd_rn, double, (double x, double y), x + y)
CUDACPU_NEAREST(__dsub_rn, double, (double x, double y), x - y)
CUDACPU_NEAREST(__dmul_rn, double, (double x, double y), x *y)
CUDACPU_NEAREST(__ddiv_rn, double, (double x, double y), x / y)
CUDACPU_NEAREST(__drcp_rn, double, (double x), 1.0 / x)
CUDACPU_NEAREST(__dsqrt_rn, double, (double x), sqrt(x))
CUDACPU_NEAREST(__fma_rn, double, (double x, double y, double z), fma(x, y, z))
#undef CUDACPU_NEAREST
#endif

// That tiny numbers do not become 0 is so in any case.
#define __fmaf_ieee_rn(x, y, z) __fmaf_rn(x, y, z)
#define __fmaf_ieee_rz(x, y, z) __fmaf_rz(x, y, z)
#define __fmaf_ieee_ru(x, y, z) __fmaf_ru(x, y, z)
#define __fmaf_ieee_rd(x, y, z) __fmaf_rd(x, y, z)

static inline float __frsqrt_rn(float x)
{
    return (float)(1.0 / sqrt((double)x));
}

// --- conversions -------------------------------------------------------------------------------

#define CUDACPU_TO_INTEGER(from, to, Real, Integer)               \
    static inline Integer __##from##2##to##_rn(Real x)            \
    {                                                             \
        return cudacpu::to_integer<Integer, Real>(std::rint(x));  \
    }                                                             \
    static inline Integer __##from##2##to##_rz(Real x)            \
    {                                                             \
        return cudacpu::to_integer<Integer, Real>(std::trunc(x)); \
    }                                                             \
    static inline Integer __##from##2##to##_ru(Real x)            \
    {                                                             \
        return cudacpu::to_integer<Integer, Real>(std::ceil(x));  \
    }                                                             \
    static inline Integer __##from##2##to##_rd(Real x)            \
    {                                                             \
        return cudacpu::to_integer<Integer, Real>(std::floor(x)); \
    }
CUDACPU_TO_INTEGER(float, int, float, int)
CUDACPU_TO_INTEGER(float, uint, float, unsigned int)
CUDACPU_TO_INTEGER(float, ll, float, long long)
CUDACPU_TO_INTEGER(float, ull, float, unsigned long long)
CUDACPU_TO_INTEGER(double, int, double, int)
CUDACPU_TO_INTEGER(double, uint, double, unsigned int)
CUDACPU_TO_INTEGER(double, ll, double, long long)
CUDACPU_TO_INTEGER(double, ull, double, unsigned long long)
#undef CUDACPU_TO_INTEGER

#define CUDACPU_CONVERT(name, From, To, suffix, mode) \
    static inline To __##name##_##suffix(From value)  \
    {                                                 \
        const volatile From x = value;                \
        CUDACPU_ROUNDED(To, mode, (To)x)              \
    }
#define CUDACPU_TO_REAL(name, From, To)                \
    static inline To __##name##_rn(From x)             \
    {                                                  \
        return (To)x;                                  \
    }                                                  \
    CUDACPU_CONVERT(name, From, To, rz, FE_TOWARDZERO) \
    CUDACPU_CONVERT(name, From, To, ru, FE_UPWARD)     \
    CUDACPU_CONVERT(name, From, To, rd, FE_DOWNWARD)
CUDACPU_TO_REAL(int2float, int, float)
CUDACPU_TO_REAL(uint2float, unsigned int, float)
CUDACPU_TO_REAL(ll2float, long long, float)
CUDACPU_TO_REAL(ull2float, unsigned long long, float)
CUDACPU_TO_REAL(ll2double, long long, double)
CUDACPU_TO_REAL(ull2double, unsigned long long, double)
CUDACPU_TO_REAL(double2float, double, float)
#undef CUDACPU_TO_REAL
#undef CUDACPU_CONVERT
#undef CUDACPU_ROUNDED

static inline double __int2double_rn(int x)
{
    return x;
}

static inline double __uint2double_rn(unsigned int x)
{
    return x;
}

#endif
