// What inline PTX is rewritten to (rewriter/ptx.c). cpucc includes this where a program has some.
#ifndef CUDACPU_PTX_H
#define CUDACPU_PTX_H
#include <time.h>
#include <limits>
#include "cuda_pipeline_primitives.h"

extern "C"
{
    unsigned int cudacpu_smid(void), cudacpu_nsmid(void), cudacpu_dynamic_smem_size(void);
    void cudacpu_exit(void) __attribute__((noreturn));
}

#define CUDACPU_PTX static inline __attribute__((always_inline, unused))
#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cudacpu
{
namespace ptx
{
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

// --- registers ---------------------------------------------------------------------------------

template <size_t BYTES>
struct Word;
template <>
struct Word<1>
{
    typedef unsigned char type;
};
template <>
struct Word<2>
{
    typedef unsigned short type;
};
template <>
struct Word<4>
{
    typedef u32 type;
};
template <>
struct Word<8>
{
    typedef u64 type;
};

// Whether the constraint of an operand takes its type, as nvcc has it.
template <class T, size_t BYTES, bool IS_REAL>
struct Fits
{
    typedef typename std::remove_cv<typename std::remove_reference<T>::type>::type Plain;
    static const bool value =
        sizeof(Plain) == BYTES && std::is_floating_point<Plain>::value == IS_REAL;
};

// A register of another size than the type's: cut, or with zeros.
template <class T, bool IS_REAL = std::is_floating_point<T>::value>
struct Read
{
    template <class R>
    CUDACPU_PTX T of(R r)
    {
        return (T)r;
    }
};
template <class T>
struct Read<T, true>
{
    template <class R>
    CUDACPU_PTX T of(R r)
    {
        const typename Word<sizeof(T)>::type bits = (typename Word<sizeof(T)>::type)r;
        T value;
        __builtin_memcpy(&value, &bits, sizeof(value));
        return value;
    }
};

template <class T, class R>
CUDACPU_PTX T get(R r)
{
    return Read<T>::of(r);
}

template <class T>
CUDACPU_PTX typename Word<sizeof(T)>::type bits_of(T value)
{
    typename Word<sizeof(T)>::type bits;
    __builtin_memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// An operand as the program has it. A static_assert beside the call has the better message where the sizes
// differ.
template <class R, class T>
CUDACPU_PTX R bits_of_size(T value)
{
    R bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T) < sizeof(R) ? sizeof(T) : sizeof(R));
    return bits;
}

template <class T, bool IS_INTEGER = std::is_integral<T>::value>
struct Written
{
    CUDACPU_PTX T of(T value)
    {
        return value;
    }
};
template <class T>
struct Written<T, false>
{
    CUDACPU_PTX typename Word<sizeof(T)>::type of(T value)
    {
        return bits_of(value);
    }
};

// A register that is wider than the value gets its sign, or zeros.
template <class R, class T>
CUDACPU_PTX void put(R &r, T value)
{
    r = (R)Written<T>::of(value);
}

// An output of asm.
template <class T, class R>
CUDACPU_PTX void give(T &to, R bits)
{
    typename std::remove_cv<T>::type value;
    __builtin_memcpy(&value, &bits, sizeof(value) < sizeof(bits) ? sizeof(value) : sizeof(bits));
    to = value;
}

template <class To, class A, class B>
CUDACPU_PTX To pack(A low, B high)
{
    return (To)((To)low | (To)high << 4 * sizeof(To));
}

template <class To, class A>
CUDACPU_PTX To pack(A a, A b, A c, A d)
{
    return (To)((u64)a | (u64)b << 2 * sizeof(To) | (u64)c << 4 * sizeof(To) |
                (u64)d << 6 * sizeof(To));
}

// --- integers ------------------------------------------------------------------------------------

template <class T>
struct Twice; // the type of products
#define CUDACPU_TWICE(T, Wide) \
    template <>                \
    struct Twice<T>            \
    {                          \
        typedef Wide type;     \
    };
CUDACPU_TWICE(unsigned short, u32)
CUDACPU_TWICE(short, int)
CUDACPU_TWICE(u32, u64)
CUDACPU_TWICE(int, s64)
CUDACPU_TWICE(u64, unsigned __int128)
CUDACPU_TWICE(s64, __int128)
#undef CUDACPU_TWICE

// In u64 nothing overflows that C++ would not define.
#define CUDACPU_WRAPPED(name, expression) \
    template <class T>                    \
    CUDACPU_PTX T name(T a, T b)          \
    {                                     \
        const u64 x = (u64)a, y = (u64)b; \
        return (T)(expression);           \
    }
CUDACPU_WRAPPED(add, x + y)
CUDACPU_WRAPPED(sub, x - y)
CUDACPU_WRAPPED(mul_lo, x *y)
CUDACPU_WRAPPED(bit_and, x &y)
CUDACPU_WRAPPED(bit_or, x | y)
CUDACPU_WRAPPED(bit_xor, x ^ y)
#undef CUDACPU_WRAPPED

template <class T>
CUDACPU_PTX T mul_hi(T a, T b)
{
    typedef typename Twice<T>::type Wide;
    return (T)((Wide)a * (Wide)b >> 8 * sizeof(T));
}

template <class T>
CUDACPU_PTX typename Twice<T>::type mul_wide(T a, T b)
{
    typedef typename Twice<T>::type Wide;
    return (Wide)((Wide)a * (Wide)b);
}

template <class T>
CUDACPU_PTX T mad_lo(T a, T b, T c)
{
    return add(mul_lo(a, b), c);
}

template <class T>
CUDACPU_PTX T mad_hi(T a, T b, T c)
{
    return add(mul_hi(a, b), c);
}

template <class T>
CUDACPU_PTX typename Twice<T>::type mad_wide(T a, T b, typename Twice<T>::type c)
{
    return add(mul_wide(a, b), c);
}

// The product of 24 bits has 48: the low 32, or the high 32.
template <class T>
CUDACPU_PTX s64 product_of_24(T a, T b)
{
    const bool is_signed = std::is_signed<T>::value;
    const s64 x = is_signed ? (s64)((int)((u32)a << 8) >> 8) : (s64)((u32)a & 0xffffff);
    const s64 y = is_signed ? (s64)((int)((u32)b << 8) >> 8) : (s64)((u32)b & 0xffffff);
    return x * y;
}

template <class T>
CUDACPU_PTX T mul24_lo(T a, T b)
{
    return (T)product_of_24(a, b);
}

template <class T>
CUDACPU_PTX T mul24_hi(T a, T b)
{
    return (T)(product_of_24(a, b) >> 16);
}

template <class T>
CUDACPU_PTX T mad24_lo(T a, T b, T c)
{
    return add(mul24_lo(a, b), c);
}

template <class T>
CUDACPU_PTX T mad24_hi(T a, T b, T c)
{
    return add(mul24_hi(a, b), c);
}

template <class T>
CUDACPU_PTX T clamp_wide(s64 x)
{
    return x > std::numeric_limits<T>::max()   ? std::numeric_limits<T>::max()
           : x < std::numeric_limits<T>::min() ? std::numeric_limits<T>::min()
                                               : (T)x;
}

CUDACPU_PTX int add_sat(int a, int b)
{
    return clamp_wide<int>((s64)a + b);
}

CUDACPU_PTX int sub_sat(int a, int b)
{
    return clamp_wide<int>((s64)a - b);
}

template <class T>
CUDACPU_PTX T sad(T a, T b, T c)
{
    return add(c, a < b ? sub(b, a) : sub(a, b));
}

template <class T>
CUDACPU_PTX T div(T a, T b)
{
    return (T)(a / b);
}

template <class T>
CUDACPU_PTX T rem(T a, T b)
{
    return (T)(a % b);
}

template <class T>
CUDACPU_PTX T min(T a, T b)
{
    return b < a ? b : a;
}

template <class T>
CUDACPU_PTX T max(T a, T b)
{
    return a < b ? b : a;
}

template <class T>
CUDACPU_PTX T neg(T a)
{
    return sub((T)0, a);
}

template <class T>
CUDACPU_PTX T abs(T a)
{
    return a < 0 ? neg(a) : a;
}

// --- carries: the flag stays from one asm to the next --------------------------------------------

__attribute__((unused)) static __thread u32 carry;

template <class T>
CUDACPU_PTX T add_with(T a, T b, u32 more, bool keeps)
{
    typedef typename std::make_unsigned<T>::type U;
    U sum;
    const u32 first = __builtin_add_overflow((U)a, (U)b, &sum);
    const u32 second = __builtin_add_overflow(sum, (U)more, &sum);
    carry = keeps ? first | second : carry;
    return (T)sum;
}

template <class T>
CUDACPU_PTX T sub_with(T a, T b, u32 less, bool keeps)
{
    typedef typename std::make_unsigned<T>::type U;
    U difference;
    const u32 first = __builtin_sub_overflow((U)a, (U)b, &difference);
    const u32 second = __builtin_sub_overflow(difference, (U)less, &difference);
    carry = keeps ? first | second : carry;
    return (T)difference;
}

#define CUDACPU_CARRY(name, T_ARGUMENTS, expression) \
    template <class T>                               \
    CUDACPU_PTX T name T_ARGUMENTS                   \
    {                                                \
        return expression;                           \
    }
CUDACPU_CARRY(add_cc, (T a, T b), add_with(a, b, 0, true))
CUDACPU_CARRY(addc, (T a, T b), add_with(a, b, carry, false))
CUDACPU_CARRY(addc_cc, (T a, T b), add_with(a, b, carry, true))
CUDACPU_CARRY(sub_cc, (T a, T b), sub_with(a, b, 0, true))
CUDACPU_CARRY(subc, (T a, T b), sub_with(a, b, carry, false))
CUDACPU_CARRY(subc_cc, (T a, T b), sub_with(a, b, carry, true))
CUDACPU_CARRY(mad_lo_cc, (T a, T b, T c), add_cc(mul_lo(a, b), c))
CUDACPU_CARRY(mad_hi_cc, (T a, T b, T c), add_cc(mul_hi(a, b), c))
CUDACPU_CARRY(madc_lo, (T a, T b, T c), addc(mul_lo(a, b), c))
CUDACPU_CARRY(madc_hi, (T a, T b, T c), addc(mul_hi(a, b), c))
CUDACPU_CARRY(madc_lo_cc, (T a, T b, T c), addc_cc(mul_lo(a, b), c))
CUDACPU_CARRY(madc_hi_cc, (T a, T b, T c), addc_cc(mul_hi(a, b), c))
#undef CUDACPU_CARRY

// --- bits ----------------------------------------------------------------------------------------

template <class T>
CUDACPU_PTX T bit_not(T a)
{
    return (T)~a;
}

CUDACPU_PTX bool bit_and_pred(bool a, bool b)
{
    return a && b;
}

CUDACPU_PTX bool bit_or_pred(bool a, bool b)
{
    return a || b;
}

CUDACPU_PTX bool bit_xor_pred(bool a, bool b)
{
    return a != b;
}

CUDACPU_PTX bool bit_not_pred(bool a)
{
    return !a;
}

template <class T>
CUDACPU_PTX T cnot(T a)
{
    return a == 0;
}

// By the size or more, all bits leave.
template <class T>
CUDACPU_PTX T shl(T a, u32 count)
{
    return count < 8 * sizeof(T) ? (T)((u64)a << count) : (T)0;
}

template <class T>
CUDACPU_PTX T shr(T a, u32 count)
{
    return (T)(a >> (count < 8 * sizeof(T) ? count : 8 * sizeof(T) - 1) >>
               (std::is_unsigned<T>::value && count >= 8 * sizeof(T)));
}

CUDACPU_PTX u32 lop3(u32 a, u32 b, u32 c, u32 table)
{
    u32 result = 0;
    for (u32 i = 0; i < 8; ++i)
    {
        const u32 here = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        result |= table >> i & 1 ? here : 0;
    }
    return result;
}

template <class T>
CUDACPU_PTX u32 popc(T a)
{
    return (u32)__builtin_popcountll(a);
}

template <class T>
CUDACPU_PTX u32 clz(T a)
{
    return a == 0 ? 8 * sizeof(T) : (u32)__builtin_clzll(a) - (64 - 8 * sizeof(T));
}

template <class T>
CUDACPU_PTX T brev(T a)
{
    return (T)(__brevll(a) >> (64 - 8 * sizeof(T)));
}

// The bits from `at` on, `count` of them, in the low ones; above them zeros, or the sign of the highest bit.
template <class T>
CUDACPU_PTX T bfe(T a, u32 at, u32 count)
{
    const u32 bits = 8 * sizeof(T);
    at &= 0xff;
    count &= 0xff;
    const bool negative = std::is_signed<T>::value && count > 0 &&
                          ((u64)a >> (at + count - 1 < bits ? at + count - 1 : bits - 1) & 1);
    u64 result = negative ? ~0ull : 0;
    const u32 there = at >= bits ? 0 : count < bits - at ? count : bits - at;
    if (there > 0)
    {
        const u64 mask = there == 64 ? ~0ull : (1ull << there) - 1;
        result = (result & ~mask) | ((u64)a >> at & mask);
    }
    return (T)result;
}

// b, with `count` bits from `at` on replaced by the low ones of a.
template <class T>
CUDACPU_PTX T bfi(T a, T b, u32 at, u32 count)
{
    const u32 bits = 8 * sizeof(T);
    at &= 0xff;
    count &= 0xff;
    const u32 there = at >= bits ? 0 : count < bits - at ? count : bits - at;
    if (there == 0)
    {
        return b;
    }
    const u64 mask = (there == 64 ? ~0ull : (1ull << there) - 1) << at;
    return (T)(((u64)b & ~mask) | ((u64)a << at & mask));
}

// The place of the highest bit that is not the sign; none: all ones.
template <class T>
CUDACPU_PTX u32 bfind(T a)
{
    typedef typename std::make_unsigned<T>::type U;
    const U x = a < 0 ? (U)~a : (U)a;
    return x == 0 ? 0xffffffffu : 63u - (u32)__builtin_clzll(x);
}

// How far that bit has to go to be the highest one.
template <class T>
CUDACPU_PTX u32 bfind_shiftamt(T a)
{
    const u32 place = bfind(a);
    return place == 0xffffffffu ? place : 8 * sizeof(T) - 1 - place;
}

// A selector of four bits: the byte, and whether only its sign counts.
CUDACPU_PTX u32 prmt(u32 a, u32 b, u32 selector)
{
    const u64 bytes = (u64)b << 32 | a;
    u32 result = 0;
    for (int i = 0; i < 4; ++i)
    {
        const u32 which = selector >> 4 * i & 15;
        const u32 byte = (u32)(bytes >> 8 * (which & 7)) & 0xff;
        result |= (which < 8 ? byte : byte & 0x80 ? 0xffu : 0u) << 8 * i;
    }
    return result;
}

CUDACPU_PTX u32 prmt_f4e(u32 a, u32 b, u32 n)
{
    n &= 3;
    return prmt(a, b, n | (n + 1) << 4 | (n + 2) << 8 | (n + 3) << 12);
}

CUDACPU_PTX u32 prmt_b4e(u32 a, u32 b, u32 n)
{
    n &= 3;
    return prmt(a, b, n | ((n + 7) & 7) << 4 | ((n + 6) & 7) << 8 | ((n + 5) & 7) << 12);
}

CUDACPU_PTX u32 prmt_rc8(u32 a, u32 b, u32 n)
{
    return prmt(a, b, (n & 3) * 0x1111);
}

CUDACPU_PTX u32 prmt_ecl(u32 a, u32 b, u32 n)
{
    n &= 3;
    u32 selector = 0;
    for (u32 i = 0; i < 4; ++i)
    {
        selector |= (i < n ? n : i) << 4 * i;
    }
    return prmt(a, b, selector);
}

CUDACPU_PTX u32 prmt_ecr(u32 a, u32 b, u32 n)
{
    n &= 3;
    u32 selector = 0;
    for (u32 i = 0; i < 4; ++i)
    {
        selector |= (i > n ? n : i) << 4 * i;
    }
    return prmt(a, b, selector);
}

CUDACPU_PTX u32 prmt_rc16(u32 a, u32 b, u32 n)
{
    return prmt(a, b, n & 1 ? 0x3232 : 0x1010);
}

// A shift of the pair b:a.
CUDACPU_PTX u32 shf_l_wrap(u32 a, u32 b, u32 count)
{
    return (u32)(((u64)b << 32 | a) << (count & 31) >> 32);
}

CUDACPU_PTX u32 shf_l_clamp(u32 a, u32 b, u32 count)
{
    return count >= 32 ? a : shf_l_wrap(a, b, count);
}

CUDACPU_PTX u32 shf_r_wrap(u32 a, u32 b, u32 count)
{
    return (u32)(((u64)b << 32 | a) >> (count & 31));
}

CUDACPU_PTX u32 shf_r_clamp(u32 a, u32 b, u32 count)
{
    return count >= 32 ? b : shf_r_wrap(a, b, count);
}

template <class T>
CUDACPU_PTX T selp(T a, T b, bool p)
{
    return p ? a : b;
}

template <class A, class B>
CUDACPU_PTX u32 dp4a(u32 a, u32 b, u32 sum)
{
    for (int i = 0; i < 32; i += 8)
    {
        sum += (u32)((A)(a >> i) * (B)(b >> i));
    }
    return sum;
}

template <class A, class B>
CUDACPU_PTX u32 dp2a_lo(u32 a, u32 b, u32 sum)
{
    return sum + (u32)((A)a * (B)b) + (u32)((A)(a >> 16) * (B)(b >> 8));
}

template <class A, class B>
CUDACPU_PTX u32 dp2a_hi(u32 a, u32 b, u32 sum)
{
    return dp2a_lo<A, B>(a, b >> 16, sum);
}

// --- comparisons ---------------------------------------------------------------------------------

#define CUDACPU_COMPARE(name, expression) \
    template <class T>                    \
    CUDACPU_PTX bool is_##name(T a, T b)  \
    {                                     \
        return expression;                \
    }
CUDACPU_COMPARE(eq, a == b)
CUDACPU_COMPARE(ne, a < b || b < a) // NaN is not unequal
CUDACPU_COMPARE(lt, a < b)
CUDACPU_COMPARE(le, a <= b)
CUDACPU_COMPARE(gt, a > b)
CUDACPU_COMPARE(ge, a >= b)
CUDACPU_COMPARE(equ, !(a < b || b < a))
CUDACPU_COMPARE(neu, !(a == b))
CUDACPU_COMPARE(ltu, !(a >= b))
CUDACPU_COMPARE(leu, !(a > b))
CUDACPU_COMPARE(gtu, !(a <= b))
CUDACPU_COMPARE(geu, !(a < b))
CUDACPU_COMPARE(num, a == a && b == b)
CUDACPU_COMPARE(nan, !(a == a && b == b))
#undef CUDACPU_COMPARE

// --- real numbers ----------------------------------------------------------------------------------

// .ftz: a subnormal number is 0 with its sign.
CUDACPU_PTX float flush(float x)
{
    return fabsf(x) < 1.17549435e-38f ? copysignf(0.0f, x) : x;
}

CUDACPU_PTX double flush(double x)
{
    return x; // .ftz means float only
}

template <class T>
CUDACPU_PTX T flush(T x) // integers, in comparisons
{
    return x;
}

// .sat: 0 to 1, and NaN is 0.
template <class T>
CUDACPU_PTX T saturate(T x)
{
    return x > 0 ? (x < 1 ? x : (T)1) : (T)0;
}

#define CUDACPU_ROUNDINGS(ptx_name, cuda_name)                                                     \
    CUDACPU_PTX float add_##ptx_name(float a, float b)                                             \
    {                                                                                              \
        return __fadd_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX float sub_##ptx_name(float a, float b)                                             \
    {                                                                                              \
        return __fsub_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX float mul_##ptx_name(float a, float b)                                             \
    {                                                                                              \
        return __fmul_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX float fma_##ptx_name(float a, float b, float c)                                    \
    {                                                                                              \
        return __fmaf_##cuda_name(a, b, c);                                                        \
    }                                                                                              \
    CUDACPU_PTX float div_##ptx_name(float a, float b)                                             \
    {                                                                                              \
        return __fdiv_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX float rcp_##ptx_name(float a)                                                      \
    {                                                                                              \
        return __frcp_##cuda_name(a);                                                              \
    }                                                                                              \
    CUDACPU_PTX float sqrt_##ptx_name(float a)                                                     \
    {                                                                                              \
        return __fsqrt_##cuda_name(a);                                                             \
    }                                                                                              \
    CUDACPU_PTX double add_##ptx_name(double a, double b)                                          \
    {                                                                                              \
        return __dadd_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX double sub_##ptx_name(double a, double b)                                          \
    {                                                                                              \
        return __dsub_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX double mul_##ptx_name(double a, double b)                                          \
    {                                                                                              \
        return __dmul_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX double fma_##ptx_name(double a, double b, double c)                                \
    {                                                                                              \
        return __fma_##cuda_name(a, b, c);                                                         \
    }                                                                                              \
    CUDACPU_PTX double div_##ptx_name(double a, double b)                                          \
    {                                                                                              \
        return __ddiv_##cuda_name(a, b);                                                           \
    }                                                                                              \
    CUDACPU_PTX double rcp_##ptx_name(double a)                                                    \
    {                                                                                              \
        return __drcp_##cuda_name(a);                                                              \
    }                                                                                              \
    CUDACPU_PTX double sqrt_##ptx_name(double a)                                                   \
    {                                                                                              \
        return __dsqrt_##cuda_name(a);                                                             \
    }                                                                                              \
    template <class T>                                                                             \
    CUDACPU_PTX T mad_##ptx_name(T a, T b, T c)                                                    \
    {                                                                                              \
        return fma_##ptx_name(a, b, c);                                                            \
    }                                                                                              \
    template <class To>                                                                            \
    CUDACPU_PTX To real_##ptx_name(double a)                                                       \
    {                                                                                              \
        return __double2float_##cuda_name(a);                                                      \
    }                                                                                              \
    template <class To>                                                                            \
    CUDACPU_PTX To real_##ptx_name(s64 a)                                                          \
    {                                                                                              \
        return sizeof(To) == 4 ? (To)__ll2float_##cuda_name(a) : (To)__ll2double_##cuda_name(a);   \
    }                                                                                              \
    template <class To>                                                                            \
    CUDACPU_PTX To real_##ptx_name(u64 a)                                                          \
    {                                                                                              \
        return sizeof(To) == 4 ? (To)__ull2float_##cuda_name(a) : (To)__ull2double_##cuda_name(a); \
    }                                                                                              \
    template <class To, class From>                                                                \
    CUDACPU_PTX To real_##ptx_name(From a)                                                         \
    {                                                                                              \
        return real_##ptx_name<To>((s64)a);                                                        \
    }
CUDACPU_ROUNDINGS(rn, rn)
CUDACPU_ROUNDINGS(rz, rz)
CUDACPU_ROUNDINGS(rm, rd)
CUDACPU_ROUNDINGS(rp, ru)
#undef CUDACPU_ROUNDINGS

// A GPU's approximations are accurate here.
#define CUDACPU_APPROXIMATE(name, expression) \
    CUDACPU_PTX float name##_approx(float x)  \
    {                                         \
        return expression;                    \
    }
CUDACPU_APPROXIMATE(rcp, 1.0f / x)
CUDACPU_APPROXIMATE(sqrt, sqrtf(x))
CUDACPU_APPROXIMATE(rsqrt, rsqrtf(x))
CUDACPU_APPROXIMATE(sin, sinf(x))
CUDACPU_APPROXIMATE(cos, cosf(x))
CUDACPU_APPROXIMATE(ex2, exp2f(x))
CUDACPU_APPROXIMATE(lg2, log2f(x))
CUDACPU_APPROXIMATE(tanh, tanhf(x))
#undef CUDACPU_APPROXIMATE

CUDACPU_PTX double rcp_approx(double x)
{
    return 1.0 / x;
}

CUDACPU_PTX double rsqrt_approx(double x)
{
    return 1.0 / ::sqrt(x);
}

CUDACPU_PTX float div_approx(float a, float b)
{
    return a / b;
}

CUDACPU_PTX float div_full(float a, float b)
{
    return a / b;
}

CUDACPU_PTX float neg(float x)
{
    return -x;
}

CUDACPU_PTX double neg(double x)
{
    return -x;
}

CUDACPU_PTX float abs(float x)
{
    return fabsf(x);
}

CUDACPU_PTX double abs(double x)
{
    return fabs(x);
}

// Of a number and NaN, the number. -0 is less than +0.
template <class T>
CUDACPU_PTX T least(T a, T b)
{
    return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}

template <class T>
CUDACPU_PTX T most(T a, T b)
{
    return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a < b ? b : a;
}

CUDACPU_PTX float min(float a, float b)
{
    return least(a, b);
}

CUDACPU_PTX double min(double a, double b)
{
    return least(a, b);
}

CUDACPU_PTX float max(float a, float b)
{
    return most(a, b);
}

CUDACPU_PTX double max(double a, double b)
{
    return most(a, b);
}

CUDACPU_PTX float min_NaN(float a, float b)
{
    return a != a || b != b ? get<float>(0x7fffffffu) : least(a, b);
}

CUDACPU_PTX float max_NaN(float a, float b)
{
    return a != a || b != b ? get<float>(0x7fffffffu) : most(a, b);
}

// The sign of a, and all else of b.
CUDACPU_PTX float copysign(float a, float b)
{
    return copysignf(b, a);
}

CUDACPU_PTX double copysign(double a, double b)
{
    return ::copysign(b, a);
}

#define CUDACPU_TEST(name, expression) \
    template <class T>                 \
    CUDACPU_PTX bool testp_##name(T x) \
    {                                  \
        return expression;             \
    }
CUDACPU_TEST(finite, std::isfinite(x))
CUDACPU_TEST(infinite, std::isinf(x))
CUDACPU_TEST(number, !std::isnan(x))
CUDACPU_TEST(notanumber, std::isnan(x))
CUDACPU_TEST(normal, std::isnormal(x) || x == 0) // a zero is normal here
CUDACPU_TEST(subnormal, std::fpclassify(x) == FP_SUBNORMAL)
#undef CUDACPU_TEST

// --- conversions -----------------------------------------------------------------------------------

// .sat of integers.
template <class To, class From>
CUDACPU_PTX To clamp(From a)
{
    if (std::is_unsigned<From>::value)
    {
        return (u64)a > (u64)std::numeric_limits<To>::max() ? std::numeric_limits<To>::max()
                                                            : (To)a;
    }
    if (std::is_unsigned<To>::value)
    {
        return a < 0                                          ? (To)0
               : (u64)a > (u64)std::numeric_limits<To>::max() ? std::numeric_limits<To>::max()
                                                              : (To)a;
    }
    return clamp_wide<To>((s64)a);
}

#define CUDACPU_WHOLE(name, function)           \
    template <class T>                          \
    CUDACPU_PTX T whole_##name(T x)             \
    {                                           \
        return std::function(x);                \
    }                                           \
    template <class To, class From>             \
    CUDACPU_PTX To integer_##name(From x)       \
    {                                           \
        return to_narrow<To>(std::function(x)); \
    }

// What does not fit saturates. NaN is 0 in less than 32 bits.
template <class To, class From>
CUDACPU_PTX To to_narrow(From x)
{
    return sizeof(To) >= 4 ? to_integer<To>(x)
           : x != x        ? (To)0
                           : clamp_wide<To>((s64)to_integer<int>(x));
}
CUDACPU_WHOLE(rni, rint)
CUDACPU_WHOLE(rzi, trunc)
CUDACPU_WHOLE(rmi, floor)
CUDACPU_WHOLE(rpi, ceil)
#undef CUDACPU_WHOLE

// --- memory ----------------------------------------------------------------------------------------

template <class T, class R>
CUDACPU_PTX T *global(R address, s64 offset)
{
    return (T *)((u64)address + (u64)offset);
}

// An address in shared memory is an offset. One far beyond shared memory is taken to the guard behind it.
template <class T, class R>
CUDACPU_PTX T *shared(R address, s64 offset)
{
    return (T *)__cvta_shared_to_generic((u32)((u64)address + (u64)offset));
}

// clang++ leaves out an access at an address that it knows to be null. So it does not know it.
template <class T>
CUDACPU_PTX T *unknown(T *address)
{
#ifdef __clang__
    __asm__("" : "+r"(address));
#endif
    return address;
}

template <class T>
CUDACPU_PTX T load(const T *address)
{
    return *unknown(address);
}

template <class T>
CUDACPU_PTX T load_volatile(const T *address)
{
    return *(const volatile T *)address;
}

template <class T>
CUDACPU_PTX void store(T *address, T value)
{
    *unknown(address) = value;
}

template <class T>
CUDACPU_PTX void store_volatile(T *address, T value)
{
    *(volatile T *)address = value;
}

template <int N, class T>
struct alignas(N * sizeof(T)) Vector
{
    T x[N];
};

template <int N, class T>
CUDACPU_PTX Vector<N, T> load_vector(const T *address)
{
    return *(const Vector<N, T> *)unknown(address);
}

template <int N, class T>
CUDACPU_PTX Vector<N, T> load_volatile_vector(const T *address)
{
    Vector<N, T> v;
    for (int i = 0; i < N; ++i)
    {
        v.x[i] = ((const volatile T *)address)[i];
    }
    return v;
}

template <int N, class T>
CUDACPU_PTX void store_vector(T *address, Vector<N, T> value)
{
    *(Vector<N, T> *)address = value;
}

template <int N, class T>
CUDACPU_PTX void store_volatile_vector(T *address, Vector<N, T> value)
{
    for (int i = 0; i < N; ++i)
    {
        ((volatile T *)address)[i] = value.x[i];
    }
}

// Of the bytes, those behind the first `from_bytes` become zero.
CUDACPU_PTX void copy_async(char *to, const char *from, u32 bytes, u32 from_bytes)
{
    __pipeline_memcpy_async(to, from, bytes, from_bytes < bytes ? bytes - from_bytes : 0);
}

// --- threads ---------------------------------------------------------------------------------------

CUDACPU_PTX u32 warp_of_block()
{
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}

CUDACPU_PTX void trap()
{
    __trap();
}

CUDACPU_PTX u64 globaltimer()
{
    cudacpu_clock(); // notes that the kernel looks at a clock
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (u64)now.tv_sec * 1000000000u + (u64)now.tv_nsec;
}

// c has the last lane of a segment, and from bit 8 on the bits of the lane that name the segment.
#define CUDACPU_SHUFFLE(name, source_expression, inside_expression, reader)                       \
    CUDACPU_PTX u32 shuffle_##name(u32 value, u32 b, u32 c, u32 mask, bool *inside, CUDACPU_SITE) \
    {                                                                                             \
        const int lane = (int)cudacpu::lane(), segment = (int)(c >> 8 & 31), by = (int)(b & 31);  \
        const int first = lane & segment, last = first | ((int)(c & 31) & ~segment);              \
        const int source = source_expression;                                                     \
        (void)first;                                                                              \
        *inside = inside_expression;                                                              \
        return cudacpu::shuffle(mask, value, source & 31, *inside, cudacpu::reader, file, line);  \
    }
CUDACPU_SHUFFLE(up, lane - by, source >= last, HIGHEST_LANE)
CUDACPU_SHUFFLE(down, lane + by, source <= last, LOWEST_LANE)
CUDACPU_SHUFFLE(bfly, lane ^ by, source <= last, EACH_LANE)
CUDACPU_SHUFFLE(idx, first | (by & ~segment), source <= last, EACH_LANE)
#undef CUDACPU_SHUFFLE

// A barrier that names how many threads come. Here only all of them can.
CUDACPU_PTX void whole_block(u32 count, CUDACPU_SITE)
{
    if (count != 0 && count < blockDim.x * blockDim.y * blockDim.z)
    {
        cudacpu_unsupported("bar.sync of a part of the block", file, line);
    }
}
} // namespace ptx
} // namespace cudacpu

#undef CUDACPU_SITE
#undef CUDACPU_PTX
#endif
