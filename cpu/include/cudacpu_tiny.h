// Floating point of 8, 6 and 4 bits: what cuda_fp8.h, cuda_fp6.h and cuda_fp4.h have in common. A number
// is computed exactly from its bits, and is rounded once on the way back.
#ifndef CUDACPU_TINY_H
#define CUDACPU_TINY_H
#include <string.h>
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_types.h"

namespace cudacpu
{
// NaN as the device's instructions make it: all bits are set but the sign.
static inline double tiny_nan(unsigned long bits = 0x7fffffffe0000000)
{
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static inline double tiny_nan_or(double x)
{
    return x != x ? tiny_nan() : x;
}

// One format: LARGEST is the largest finite number, OVERFLOWN what a larger one becomes that is not
// to be the largest, NOT_A_NUMBER what NaN becomes. All are bits without the sign.
template <int EXPONENT_BITS, int MANTISSA_BITS, int LARGEST, int OVERFLOWN, int NOT_A_NUMBER>
struct Tiny
{
    static constexpr int SIGN = 1 << (EXPONENT_BITS + MANTISSA_BITS);
    static constexpr int LOWEST = 2 - (1 << (EXPONENT_BITS - 1)); // exponent of the small numbers

    // Rounds m / 2^shift, where m is not 0.
    static unsigned int shifted(unsigned long m, int shift, bool negative, cudaRoundMode rounding)
    {
        const unsigned long whole = shift > 63 ? 0 : m >> shift;
        const unsigned long rest = shift > 63 ? 1 : m & ((1UL << shift) - 1);
        const unsigned long half = shift > 63 ? 2 : 1UL << (shift - 1);
        const bool up = rounding == cudaRoundNearest
                            ? rest > half || (rest == half && whole % 2 == 1)
                        : rounding == cudaRoundPosInf ? rest != 0 && !negative
                        : rounding == cudaRoundMinInf ? rest != 0 && negative
                                                      : false;
        return (unsigned int)(whole + up);
    }

    // The count of steps of the last place is the encoding but for the steps' size, which goes into
    // the exponent; a carry goes there by itself.
    static unsigned int encode(double x, bool saturates, cudaRoundMode rounding)
    {
        unsigned long bits;
        memcpy(&bits, &x, sizeof(bits));
        const bool negative = bits >> 63 != 0;
        const unsigned int sign = negative ? SIGN : 0;
        const unsigned long fraction = bits & ((1UL << 52) - 1);
        const int field = (int)(bits >> 52) & 0x7ff;
        if (x != x) // keeps its sign, and the bits for which there is room
        {
            return LARGEST == NOT_A_NUMBER     ? LARGEST
                   : OVERFLOWN == NOT_A_NUMBER ? sign | NOT_A_NUMBER
                                               : sign | (NOT_A_NUMBER - 1) | (fraction >> 50 & 1);
        }
        unsigned int code = LARGEST + 1;
        if (field == 0) // zero, or so small that it rounds like the smallest double
        {
            code = fraction == 0 ? 0 : shifted(fraction, 64, negative, rounding);
        }
        else if (field - 1023 < (1 << EXPONENT_BITS))
        {
            const int exponent = field - 1023 < LOWEST ? LOWEST : field - 1023;
            const int shift = 52 - MANTISSA_BITS + exponent - (field - 1023);
            code = ((unsigned int)(exponent - LOWEST) << MANTISSA_BITS) +
                   shifted(fraction | 1UL << 52, shift, negative, rounding);
        }
        return sign | (code <= LARGEST ? code : saturates ? LARGEST : OVERFLOWN);
    }

    static double decode(unsigned int bits)
    {
        const int magnitude = bits & (SIGN - 1), exponent = magnitude >> MANTISSA_BITS;
        const int mantissa = magnitude & ((1 << MANTISSA_BITS) - 1);
        const double x =
            magnitude > LARGEST
                ? (magnitude == OVERFLOWN && OVERFLOWN != NOT_A_NUMBER ? HUGE_VAL : tiny_nan())
            : exponent == 0
                ? ldexp(mantissa, LOWEST - MANTISSA_BITS)
                : ldexp(mantissa + (1 << MANTISSA_BITS), LOWEST - MANTISSA_BITS + exponent - 1);
        return (bits & SIGN) != 0 && x == x ? -x : x;
    }
};

// The value of what is converted. Only from double the bits of a NaN count.
static inline double float_value(float x)
{
    return tiny_nan_or(x);
}
static inline double half_value(unsigned short bits)
{
    return tiny_nan_or(__half::from_bits(bits).value());
}
static inline double half_value(__half_raw x)
{
    return half_value(x.x);
}
static inline double bfloat16_value(unsigned short bits)
{
    return tiny_nan_or(__nv_bfloat16::from_bits(bits).value());
}
static inline double bfloat16_value(__nv_bfloat16_raw x)
{
    return bfloat16_value(x.x);
}

// NaN has one form, as the instruction that converts has it.
static inline __half_raw tiny_half(double x)
{
    return x != x ? __half_raw{0x7fff} : (__half_raw)__half::from(x);
}

// As a conversion of __half to an integer: towards zero, the nearest that there is, 0 for NaN.
template <class T>
T tiny_integer(double x)
{
    const double most = (double)(T) ~(T(-1) < T(0) ? T(1) << (8 * sizeof(T) - 1) : T(0));
    const double least = T(-1) < T(0) ? -most - 1 : 0;
    if (x != x)
    {
        return sizeof(T) == 8 ? (T)(1UL << 63) : T(0);
    }
    return x >= most    ? (T) ~(T(-1) < T(0) ? T(1) << (8 * sizeof(T) - 1) : T(0))
           : x <= least ? (T)(T(-1) < T(0) ? T(1) << (8 * sizeof(T) - 1) : T(0))
                        : (T)x;
}
} // namespace cudacpu

// A type, for its class: the constructors, from F by `encode`, and the conversions.
#define CUDACPU_TINY_FROM(Type, T, value)         \
    explicit Type(const T x) : __x(encode(value)) \
    {                                             \
    }
#define CUDACPU_TINY_TO(T, value)  \
    explicit operator T() const    \
    {                              \
        const double x = decode(); \
        return value;              \
    }
#define CUDACPU_TINY_TO_INTEGER(T) CUDACPU_TINY_TO(T, cudacpu::tiny_integer<T>(x))
#define CUDACPU_TINY_NUMBERS(Type)                                          \
    CUDACPU_TINY_FROM(Type, __half, cudacpu::tiny_nan_or(x.value()))        \
    CUDACPU_TINY_FROM(Type, __nv_bfloat16, cudacpu::tiny_nan_or(x.value())) \
    CUDACPU_TINY_FROM(Type, float, cudacpu::float_value(x))                 \
    CUDACPU_TINY_FROM(Type, double, x)                                      \
    CUDACPU_TINY_FROM(Type, unsigned short, (float)x)                       \
    CUDACPU_TINY_FROM(Type, unsigned int, (float)x)                         \
    CUDACPU_TINY_FROM(Type, unsigned long, (float)x)                        \
    CUDACPU_TINY_FROM(Type, unsigned long long, (float)x)                   \
    CUDACPU_TINY_FROM(Type, short, (float)x)                                \
    CUDACPU_TINY_FROM(Type, int, (float)x)                                  \
    CUDACPU_TINY_FROM(Type, long, (float)x)                                 \
    CUDACPU_TINY_FROM(Type, long long, (float)x)                            \
    CUDACPU_TINY_TO(__half, __half(cudacpu::tiny_half(x)))                  \
    CUDACPU_TINY_TO(__nv_bfloat16, __nv_bfloat16::from(x))                  \
    CUDACPU_TINY_TO(float, (float)x)                                        \
    CUDACPU_TINY_TO(double, x)                                              \
    CUDACPU_TINY_TO_INTEGER(unsigned char)                                  \
    CUDACPU_TINY_TO_INTEGER(unsigned short)                                 \
    CUDACPU_TINY_TO_INTEGER(unsigned int)                                   \
    CUDACPU_TINY_TO_INTEGER(unsigned long)                                  \
    CUDACPU_TINY_TO_INTEGER(unsigned long long)                             \
    CUDACPU_TINY_TO_INTEGER(signed char)                                    \
    CUDACPU_TINY_TO_INTEGER(char)                                           \
    CUDACPU_TINY_TO_INTEGER(short)                                          \
    CUDACPU_TINY_TO_INTEGER(int)                                            \
    CUDACPU_TINY_TO_INTEGER(long)                                           \
    CUDACPU_TINY_TO_INTEGER(long long)                                      \
    CUDACPU_TINY_TO(bool, x != 0.0)

// The class of one number, that of a pair and that of four. ENCODE(x) gives the bits of a number, and
// DECODE(bits) the number. BITS is the distance of two numbers in a pair.
#define CUDACPU_TINY_TYPES(name, Pair, Four, Bits1, Bits2, Bits4, BITS, ENCODE, DECODE)         \
    struct __attribute__((aligned(sizeof(Bits1)))) name                                         \
    {                                                                                           \
        Bits1 __x;                                                                              \
        name() = default;                                                                       \
        CUDACPU_TINY_NUMBERS(name)                                                              \
      private:                                                                                  \
        static Bits1 encode(double x)                                                           \
        {                                                                                       \
            return (Bits1)ENCODE(x);                                                            \
        }                                                                                       \
        double decode() const                                                                   \
        {                                                                                       \
            return DECODE(__x);                                                                 \
        }                                                                                       \
    };                                                                                          \
    struct __attribute__((aligned(sizeof(Bits2)))) Pair                                         \
    {                                                                                           \
        Bits2 __x;                                                                              \
        Pair() = default;                                                                       \
        explicit Pair(const __half2 v)                                                          \
            : __x(encode(cudacpu::tiny_nan_or(v.x.value()), cudacpu::tiny_nan_or(v.y.value()))) \
        {                                                                                       \
        }                                                                                       \
        explicit Pair(const __nv_bfloat162 v)                                                   \
            : __x(encode(cudacpu::tiny_nan_or(v.x.value()), cudacpu::tiny_nan_or(v.y.value()))) \
        {                                                                                       \
        }                                                                                       \
        explicit Pair(const float2 v)                                                           \
            : __x(encode(cudacpu::float_value(v.x), cudacpu::float_value(v.y)))                 \
        {                                                                                       \
        }                                                                                       \
        explicit Pair(const double2 v) : __x(encode(v.x, v.y))                                  \
        {                                                                                       \
        }                                                                                       \
        explicit operator __half2() const                                                       \
        {                                                                                       \
            return __half2(__half(cudacpu::tiny_half(decode(0))),                               \
                           __half(cudacpu::tiny_half(decode(BITS))));                           \
        }                                                                                       \
        explicit operator float2() const                                                        \
        {                                                                                       \
            return make_float2((float)decode(0), (float)decode(BITS));                          \
        }                                                                                       \
                                                                                                \
      private:                                                                                  \
        static Bits2 encode(double x, double y)                                                 \
        {                                                                                       \
            return (Bits2)(ENCODE(x) | ENCODE(y) << BITS);                                      \
        }                                                                                       \
        double decode(int shift) const                                                          \
        {                                                                                       \
            return DECODE((unsigned int)__x >> shift & ((1U << BITS) - 1));                     \
        }                                                                                       \
    };                                                                                          \
    struct __attribute__((aligned(sizeof(Bits4)))) Four                                         \
    {                                                                                           \
        Bits4 __x;                                                                              \
        Four() = default;                                                                       \
        explicit Four(const __half2 low, const __half2 high) : __x(join(Pair(low), Pair(high))) \
        {                                                                                       \
        }                                                                                       \
        explicit Four(const __nv_bfloat162 low, const __nv_bfloat162 high)                      \
            : __x(join(Pair(low), Pair(high)))                                                  \
        {                                                                                       \
        }                                                                                       \
        explicit Four(const float4 v)                                                           \
            : __x(join(Pair(make_float2(v.x, v.y)), Pair(make_float2(v.z, v.w))))               \
        {                                                                                       \
        }                                                                                       \
        explicit Four(const double4 v) : __x(join(v.x, v.y, v.z, v.w))                          \
        {                                                                                       \
        }                                                                                       \
        explicit Four(const double4_16a v) : __x(join(v.x, v.y, v.z, v.w))                      \
        {                                                                                       \
        }                                                                                       \
        explicit Four(const double4_32a v) : __x(join(v.x, v.y, v.z, v.w))                      \
        {                                                                                       \
        }                                                                                       \
        explicit operator float4() const                                                        \
        {                                                                                       \
            Pair low, high;                                                                     \
            low.__x = (Bits2)__x;                                                               \
            high.__x = (Bits2)((unsigned int)__x >> 2 * BITS);                                  \
            const float2 a = (float2)low, b = (float2)high;                                     \
            return make_float4(a.x, a.y, b.x, b.y);                                             \
        }                                                                                       \
                                                                                                \
      private:                                                                                  \
        static Bits4 join(Pair low, Pair high)                                                  \
        {                                                                                       \
            return (Bits4)((unsigned int)low.__x | (unsigned int)high.__x << 2 * BITS);         \
        }                                                                                       \
        static Bits4 join(double x, double y, double z, double w)                               \
        {                                                                                       \
            return join(Pair(make_double2(x, y)), Pair(make_double2(z, w)));                    \
        }                                                                                       \
    };

// The functions __nv_cvt_float_to_fp8 and their like. CUDACPU_HOW are the parameters that say how to
// convert, and encode(x, CUDACPU_HOW_NAMES) does it.
#define CUDACPU_TINY_CONVERSION(T, T2, from, from2, fp, BITS, value)                              \
    static inline __nv_##fp##_storage_t __nv_cvt_##from##_to_##fp(const T x, CUDACPU_HOW)         \
    {                                                                                             \
        return (__nv_##fp##_storage_t)cudacpu::fp##_encode(value(x), CUDACPU_HOW_NAMES);          \
    }                                                                                             \
    static inline __nv_##fp##x2_storage_t __nv_cvt_##from2##_to_##fp##x2(const T2 v, CUDACPU_HOW) \
    {                                                                                             \
        return (__nv_##fp##x2_storage_t)(cudacpu::fp##_encode(value(v.x), CUDACPU_HOW_NAMES) |    \
                                         cudacpu::fp##_encode(value(v.y), CUDACPU_HOW_NAMES)      \
                                             << BITS);                                            \
    }
#define CUDACPU_TINY_CONVERSIONS(fp, BITS)                                                        \
    CUDACPU_TINY_CONVERSION(double, double2, double, double2, fp, BITS, (double))                 \
    CUDACPU_TINY_CONVERSION(float, float2, float, float2, fp, BITS, cudacpu::float_value)         \
    CUDACPU_TINY_CONVERSION(__half_raw, __half2_raw, halfraw, halfraw2, fp, BITS,                 \
                            cudacpu::half_value)                                                  \
    CUDACPU_TINY_CONVERSION(__nv_bfloat16_raw, __nv_bfloat162_raw, bfloat16raw, bfloat16raw2, fp, \
                            BITS, cudacpu::bfloat16_value)                                        \
    static inline __half_raw __nv_cvt_##fp##_to_halfraw(const __nv_##fp##_storage_t x,            \
                                                        const __nv_##fp##_interpretation_t kind)  \
    {                                                                                             \
        return cudacpu::tiny_half(cudacpu::fp##_decode(x, kind));                                 \
    }                                                                                             \
    static inline __half2_raw __nv_cvt_##fp##x2_to_halfraw2(                                      \
        const __nv_##fp##x2_storage_t x, const __nv_##fp##_interpretation_t kind)                 \
    {                                                                                             \
        const unsigned int low = x & ((1U << BITS) - 1), high = (unsigned int)x >> BITS;          \
        return {cudacpu::tiny_half(cudacpu::fp##_decode(low, kind)).x,                            \
                cudacpu::tiny_half(cudacpu::fp##_decode(high, kind)).x};                          \
    }

#endif
