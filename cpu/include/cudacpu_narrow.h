// Floating point of 16 bits, in software: what __half and __nv_bfloat16 have in common. Every
// operation is done in double and rounded once more, which for so few bits is as good as once.
#ifndef CUDACPU_NARROW_H
#define CUDACPU_NARROW_H
#include <math.h>
#include <type_traits>
#include "cuda_runtime.h"
#include "cudacpu_device.h"
#include "cudacpu_math.h"

namespace cudacpu
{
enum Rounding
{
    TO_NEAREST,
    TOWARDS_ZERO,
    UPWARD,
    DOWNWARD
};

template <class Self, int EXPONENT_BITS, int MANTISSA_BITS>
struct Narrow
{
    unsigned short bits;

    // The smallest number is 2 to this power; so is the step between the small ones.
    static constexpr int LOWEST = 2 - (1 << (EXPONENT_BITS - 1)) - MANTISSA_BITS;
    static constexpr int INFINITE = ((1 << EXPONENT_BITS) - 1) << MANTISSA_BITS;

    static Self from_bits(unsigned int bits)
    {
        Self h;
        h.bits = (unsigned short)bits;
        return h;
    }

    // Counts the number in steps of its last place. The count is the encoding but for the steps'
    // size, which goes into the exponent; a carry goes there by itself.
    static Self from(double x, Rounding rounding = TO_NEAREST)
    {
        const unsigned int sign = signbit(x) ? 0x8000 : 0;
        if (x == 0.0 || x != x)
        {
            return from_bits(x == 0.0 ? sign : 0x7fff);
        }
        const bool up = rounding == (sign ? DOWNWARD : UPWARD); // away from zero
        unsigned int encoded = INFINITE;
        if (fabs(x) <= 1e300)
        {
            int exponent;
            frexp(x, &exponent);
            exponent -= MANTISSA_BITS + 1;
            exponent = exponent < LOWEST ? LOWEST : exponent;
            const double steps = ldexp(fabs(x), -exponent);
            const double count = rounding == TO_NEAREST ? rint(steps)
                                 : up                   ? ceil(steps)
                                                        : floor(steps);
            encoded = exponent - LOWEST > 1 << EXPONENT_BITS
                          ? INFINITE
                          : ((exponent - LOWEST) << MANTISSA_BITS) + (unsigned int)count;
            if (encoded >= INFINITE)
            {
                encoded = rounding == TO_NEAREST || up ? INFINITE : INFINITE - 1;
            }
        }
        return from_bits(sign | encoded);
    }

    double value() const
    {
        const int magnitude = bits & 0x7fff, exponent = magnitude >> MANTISSA_BITS;
        const int mantissa = magnitude & ((1 << MANTISSA_BITS) - 1);
        const double x = magnitude >= INFINITE ? (mantissa != 0 ? NAN : HUGE_VAL)
                         : exponent == 0
                             ? ldexp(mantissa, LOWEST)
                             : ldexp(mantissa + (1 << MANTISSA_BITS), LOWEST + exponent - 1);
        return bits & 0x8000 ? -x : x;
    }

    operator float() const
    {
        return (float)value();
    }

#define CUDACPU_OPERATOR(op)                              \
    friend Self operator op(const Self &a, const Self &b) \
    {                                                     \
        return from(a.value() op b.value());              \
    }                                                     \
    friend Self &operator op##=(Self &a, const Self &b)   \
    {                                                     \
        return a = a op b;                                \
    }
    CUDACPU_OPERATOR(+)
    CUDACPU_OPERATOR(-)
    CUDACPU_OPERATOR(*)
    CUDACPU_OPERATOR(/)
#undef CUDACPU_OPERATOR

#define CUDACPU_COMPARISON(op)                            \
    friend bool operator op(const Self &a, const Self &b) \
    {                                                     \
        return a.value() op b.value();                    \
    }
    CUDACPU_COMPARISON(==)
    CUDACPU_COMPARISON(!=)
    CUDACPU_COMPARISON(<)
    CUDACPU_COMPARISON(<=)
    CUDACPU_COMPARISON(>)
    CUDACPU_COMPARISON(>=)
#undef CUDACPU_COMPARISON

    friend Self operator-(const Self &a)
    {
        return from_bits(a.bits ^ 0x8000);
    }
};
} // namespace cudacpu

// The functions of one type H and its pair H2; name is what conversions call it, pair its pair.
#define CUDACPU_NARROW_TYPE(H, H2, exponent_bits, mantissa_bits)                                \
    struct __attribute__((aligned(2))) H##_raw                                                  \
    {                                                                                           \
        unsigned short x;                                                                       \
    };                                                                                          \
    struct __attribute__((aligned(4))) H2##_raw                                                 \
    {                                                                                           \
        unsigned short x, y;                                                                    \
    };                                                                                          \
    struct H : cudacpu::Narrow<H, exponent_bits, mantissa_bits>                                 \
    {                                                                                           \
        H() = default;                                                                          \
        template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type> \
        H(T x)                                                                                  \
        {                                                                                       \
            *this = from((double)x);                                                            \
        }                                                                                       \
        H(const H##_raw &raw)                                                                   \
        {                                                                                       \
            bits = raw.x;                                                                       \
        }                                                                                       \
        operator H##_raw() const                                                                \
        {                                                                                       \
            return {bits};                                                                      \
        }                                                                                       \
    };                                                                                          \
    struct __attribute__((aligned(4))) H2                                                       \
    {                                                                                           \
        H x, y;                                                                                 \
        H2() = default;                                                                         \
        H2(const H &x, const H &y) : x(x), y(y)                                                 \
        {                                                                                       \
        }                                                                                       \
        H2(const H2##_raw &raw) : x(H::from_bits(raw.x)), y(H::from_bits(raw.y))                \
        {                                                                                       \
        }                                                                                       \
        operator H2##_raw() const                                                               \
        {                                                                                       \
            return {x.bits, y.bits};                                                            \
        }                                                                                       \
    };

#define CUDACPU_NARROW_UNARY(H, H2, name, name2, expression) \
    static inline H name(H h)                                \
    {                                                        \
        const double a = h.value();                          \
        return H::from(expression);                          \
    }                                                        \
    static inline H2 name2(H2 h)                             \
    {                                                        \
        return H2(name(h.x), name(h.y));                     \
    }

#define CUDACPU_NARROW_BINARY(H, H2, name, name2, expression) \
    static inline H name(H g, H h)                            \
    {                                                         \
        const double a = g.value(), b = h.value();            \
        return H::from(expression);                           \
    }                                                         \
    static inline H2 name2(H2 g, H2 h)                        \
    {                                                         \
        return H2(name(g.x, h.x), name(g.y, h.y));            \
    }

#define CUDACPU_NARROW_COMPARE(H, H2, name, name2, op)                   \
    static inline bool name(H g, H h)                                    \
    {                                                                    \
        return g op h;                                                   \
    }                                                                    \
    static inline H2 name2(H2 g, H2 h)                                   \
    {                                                                    \
        return H2(H(g.x op h.x ? 1.0 : 0.0), H(g.y op h.y ? 1.0 : 0.0)); \
    }

#define CUDACPU_NARROW_PAIR_OPERATOR(H2, op)               \
    static inline H2 operator op(const H2 &g, const H2 &h) \
    {                                                      \
        return H2(g.x op h.x, g.y op h.y);                 \
    }                                                      \
    static inline H2 &operator op##=(H2 &g, const H2 &h)   \
    {                                                      \
        return g = g op h;                                 \
    }

#define CUDACPU_NARROW_FUNCTIONS(H, H2)                                              \
    CUDACPU_NARROW_BINARY(H, H2, __hadd, __hadd2, a + b)                             \
    CUDACPU_NARROW_BINARY(H, H2, __hsub, __hsub2, a - b)                             \
    CUDACPU_NARROW_BINARY(H, H2, __hmul, __hmul2, a *b)                              \
    CUDACPU_NARROW_BINARY(H, H2, __hdiv, __h2div, a / b)                             \
    CUDACPU_NARROW_BINARY(H, H2, __hmax, __hmax2, fmax(a, b))                        \
    CUDACPU_NARROW_BINARY(H, H2, __hmin, __hmin2, fmin(a, b))                        \
    CUDACPU_NARROW_UNARY(H, H2, __hneg, __hneg2, -a)                                 \
    CUDACPU_NARROW_UNARY(H, H2, __habs, __habs2, fabs(a))                            \
    CUDACPU_NARROW_UNARY(H, H2, hsqrt, h2sqrt, sqrt(a))                              \
    CUDACPU_NARROW_UNARY(H, H2, hrsqrt, h2rsqrt, 1.0 / sqrt(a))                      \
    CUDACPU_NARROW_UNARY(H, H2, hrcp, h2rcp, 1.0 / a)                                \
    CUDACPU_NARROW_UNARY(H, H2, hexp, h2exp, exp(a))                                 \
    CUDACPU_NARROW_UNARY(H, H2, hexp2, h2exp2, exp2(a))                              \
    CUDACPU_NARROW_UNARY(H, H2, hexp10, h2exp10, exp10(a))                           \
    CUDACPU_NARROW_UNARY(H, H2, hlog, h2log, log(a))                                 \
    CUDACPU_NARROW_UNARY(H, H2, hlog2, h2log2, log2(a))                              \
    CUDACPU_NARROW_UNARY(H, H2, hlog10, h2log10, log10(a))                           \
    CUDACPU_NARROW_UNARY(H, H2, hsin, h2sin, sin(a))                                 \
    CUDACPU_NARROW_UNARY(H, H2, hcos, h2cos, cos(a))                                 \
    CUDACPU_NARROW_UNARY(H, H2, htanh, h2tanh, tanh(a))                              \
    CUDACPU_NARROW_UNARY(H, H2, hfloor, h2floor, floor(a))                           \
    CUDACPU_NARROW_UNARY(H, H2, hceil, h2ceil, ceil(a))                              \
    CUDACPU_NARROW_UNARY(H, H2, hrint, h2rint, rint(a))                              \
    CUDACPU_NARROW_UNARY(H, H2, htrunc, h2trunc, trunc(a))                           \
    CUDACPU_NARROW_COMPARE(H, H2, __heq, __heq2, ==)                                 \
    CUDACPU_NARROW_COMPARE(H, H2, __hne, __hne2, !=)                                 \
    CUDACPU_NARROW_COMPARE(H, H2, __hlt, __hlt2, <)                                  \
    CUDACPU_NARROW_COMPARE(H, H2, __hle, __hle2, <=)                                 \
    CUDACPU_NARROW_COMPARE(H, H2, __hgt, __hgt2, >)                                  \
    CUDACPU_NARROW_COMPARE(H, H2, __hge, __hge2, >=)                                 \
    CUDACPU_NARROW_PAIR_OPERATOR(H2, +)                                              \
    CUDACPU_NARROW_PAIR_OPERATOR(H2, -)                                              \
    CUDACPU_NARROW_PAIR_OPERATOR(H2, *)                                              \
    CUDACPU_NARROW_PAIR_OPERATOR(H2, /)                                              \
    static inline H __hfma(H g, H h, H i)                                            \
    {                                                                                \
        return H::from(fma(g.value(), h.value(), i.value()));                        \
    }                                                                                \
    static inline H2 __hfma2(H2 g, H2 h, H2 i)                                       \
    {                                                                                \
        return H2(__hfma(g.x, h.x, i.x), __hfma(g.y, h.y, i.y));                     \
    }                                                                                \
    static inline bool __hisnan(H h)                                                 \
    {                                                                                \
        return h != h;                                                               \
    }                                                                                \
    static inline int __hisinf(H h)                                                  \
    {                                                                                \
        return (h.bits & 0x7fff) != H::INFINITE ? 0 : h.bits & 0x8000 ? -1 : 1;      \
    }                                                                                \
    static inline float __low2float(H2 h)                                            \
    {                                                                                \
        return h.x;                                                                  \
    }                                                                                \
    static inline float __high2float(H2 h)                                           \
    {                                                                                \
        return h.y;                                                                  \
    }                                                                                \
    inline H atomicAdd(H *address, H value)                                          \
    {                                                                                \
        return cudacpu::atomic_update(address, [=](H old) { return old + value; });  \
    }                                                                                \
    inline H2 atomicAdd(H2 *address, H2 value)                                       \
    {                                                                                \
        return cudacpu::atomic_update(address, [=](H2 old) { return old + value; }); \
    }

// Conversions, whose names have the type's in them: half and half2, bfloat16 and bfloat162.
#define CUDACPU_NARROW_CONVERSIONS(H, H2, name, pair)       \
    static inline H __float2##name(float x)                 \
    {                                                       \
        return H::from(x);                                  \
    }                                                       \
    static inline H __float2##name##_rn(float x)            \
    {                                                       \
        return H::from(x);                                  \
    }                                                       \
    static inline H __float2##name##_rz(float x)            \
    {                                                       \
        return H::from(x, cudacpu::TOWARDS_ZERO);           \
    }                                                       \
    static inline H __float2##name##_ru(float x)            \
    {                                                       \
        return H::from(x, cudacpu::UPWARD);                 \
    }                                                       \
    static inline H __float2##name##_rd(float x)            \
    {                                                       \
        return H::from(x, cudacpu::DOWNWARD);               \
    }                                                       \
    static inline H __double2##name(double x)               \
    {                                                       \
        return H::from(x);                                  \
    }                                                       \
    static inline H __int2##name##_rn(int x)                \
    {                                                       \
        return H::from(x);                                  \
    }                                                       \
    static inline int __##name##2int_rn(H h)                \
    {                                                       \
        return __double2int_rn(h.value());                  \
    }                                                       \
    static inline int __##name##2int_rz(H h)                \
    {                                                       \
        return __double2int_rz(h.value());                  \
    }                                                       \
    static inline float __##name##2float(H h)               \
    {                                                       \
        return h;                                           \
    }                                                       \
    static inline H2 __float2##pair##_rn(float x)           \
    {                                                       \
        return H2(H::from(x), H::from(x));                  \
    }                                                       \
    static inline H2 __floats2##pair##_rn(float x, float y) \
    {                                                       \
        return H2(H::from(x), H::from(y));                  \
    }                                                       \
    static inline H2 __float22##pair##_rn(float2 v)         \
    {                                                       \
        return H2(H::from(v.x), H::from(v.y));              \
    }                                                       \
    static inline float2 __##pair##2float2(H2 h)            \
    {                                                       \
        return make_float2(h.x, h.y);                       \
    }                                                       \
    static inline H __low2##name(H2 h)                      \
    {                                                       \
        return h.x;                                         \
    }                                                       \
    static inline H __high2##name(H2 h)                     \
    {                                                       \
        return h.y;                                         \
    }                                                       \
    static inline H2 __halves2##pair(H x, H y)              \
    {                                                       \
        return H2(x, y);                                    \
    }                                                       \
    static inline H2 __##name##2##pair(H h)                 \
    {                                                       \
        return H2(h, h);                                    \
    }                                                       \
    static inline unsigned short __##name##_as_ushort(H h)  \
    {                                                       \
        return h.bits;                                      \
    }                                                       \
    static inline H __ushort_as_##name(unsigned short bits) \
    {                                                       \
        return H::from_bits(bits);                          \
    }

#endif
