// Integer intrinsics, numbers seen as bits, and min and max.
#ifndef CUDACPU_BITS_H
#define CUDACPU_BITS_H
#include <math.h>
#include <string.h>

#ifdef __cplusplus

// --- counting and moving bits ------------------------------------------------------------------

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

static inline unsigned long long __brevll(unsigned long long x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
}

static inline unsigned int __brev(unsigned int x)
{
    return (unsigned int)(__brevll(x) >> 32);
}

// Four bytes out of the eight of x and y, each chosen by three bits of `selector`.
static inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector)
{
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; ++i)
    {
        const unsigned int which = selector >> 4 * i & 7;
        result |= (unsigned int)(bytes >> 8 * which & 0xff) << 8 * i;
    }
    return result;
}

static inline unsigned int __nv_bswap32(unsigned int x)
{
    return __builtin_bswap32(x);
}

static inline unsigned short __nv_bswap16(unsigned short x)
{
    return __builtin_bswap16(x);
}

static inline unsigned long long __nv_bswap64(unsigned long long x)
{
    return __builtin_bswap64(x);
}

// The place of the bit of `mask` that is the offset-th one from `base` on, upwards or, with a negative
// offset, downwards. With an offset of 0 only the bit at `base` counts. ~0: there is none.
static inline unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    int left = offset > 0 ? offset : offset < 0 ? -offset : 1;
    for (long long at = base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
    {
        left -= mask >> at & 1;
        if (left == 0)
        {
            return (unsigned int)at;
        }
        if (offset == 0)
        {
            break;
        }
    }
    return ~0u;
}

// The funnel: the 64 bits high:low shifted; _l gives its upper half, _r its lower. The plain ones
// use the shift modulo 32, those with a c clamp it to 32.
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}

static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}

static inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}

static inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// --- integer arithmetic ------------------------------------------------------------------------

static inline int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}

static inline unsigned int __umulhi(unsigned int x, unsigned int y)
{
    return (unsigned int)((unsigned long long)x * y >> 32);
}

static inline long long __mul64hi(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}

static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}

// The product of the lower 24 bits.
static inline unsigned int __umul24(unsigned int x, unsigned int y)
{
    return (x & 0xffffff) * (y & 0xffffff);
}

static inline int __mul24(int x, int y)
{
    const unsigned int a = (unsigned int)((int)((unsigned int)x << 8) >> 8);
    const unsigned int b = (unsigned int)((int)((unsigned int)y << 8) >> 8);
    return (int)(a * b);
}

static inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int sum)
{
    return (x < y ? y - x : x - y) + sum;
}

static inline unsigned int __sad(int x, int y, unsigned int sum)
{
    return (x < y ? (unsigned int)y - (unsigned int)x : (unsigned int)x - (unsigned int)y) + sum;
}

// The mean of two numbers: rounded down, and with an r rounded up.
static inline int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}

static inline int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}

static inline unsigned int __uhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}

static inline unsigned int __urhadd(unsigned int x, unsigned int y)
{
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}

// The inner product of four signed, or four unsigned, bytes.
static inline int __dp4a(int x, int y, int sum)
{
    unsigned int total = (unsigned int)sum;
    for (int i = 0; i < 32; i += 8)
    {
        total += (unsigned int)((signed char)(x >> i) * (signed char)(y >> i));
    }
    return (int)total;
}

static inline unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int sum)
{
    for (int i = 0; i < 32; i += 8)
    {
        sum += (x >> i & 0xff) * (y >> i & 0xff);
    }
    return sum;
}

static inline int __dp4a(char4 x, char4 y, int sum)
{
    const int products = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    return (int)((unsigned int)sum + (unsigned int)products);
}

static inline unsigned int __dp4a(uchar4 x, uchar4 y, unsigned int sum)
{
    return sum + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}

// The inner product of the two halves of x and two bytes of y: the lower ones, or the higher ones.
#define CUDACPU_DP2A(name, first)                                                                \
    static inline int name(int x, int y, int sum)                                                \
    {                                                                                            \
        const int low = (short)x * (signed char)(y >> first);                                    \
        const int high = (short)(x >> 16) * (signed char)(y >> (first + 8));                     \
        return (int)((unsigned int)sum + (unsigned int)low + (unsigned int)high);                \
    }                                                                                            \
    static inline unsigned int name(unsigned int x, unsigned int y, unsigned int sum)            \
    {                                                                                            \
        return sum + (x & 0xffff) * (y >> first & 0xff) + (x >> 16) * (y >> (first + 8) & 0xff); \
    }
CUDACPU_DP2A(__dp2a_lo, 0)
CUDACPU_DP2A(__dp2a_hi, 16)
#undef CUDACPU_DP2A

static inline int __dp2a_lo(short2 x, char4 y, int sum)
{
    return (int)((unsigned int)sum + (unsigned int)(x.x * y.x) + (unsigned int)(x.y * y.y));
}

static inline int __dp2a_hi(short2 x, char4 y, int sum)
{
    return (int)((unsigned int)sum + (unsigned int)(x.x * y.z) + (unsigned int)(x.y * y.w));
}

static inline unsigned int __dp2a_lo(ushort2 x, uchar4 y, unsigned int sum)
{
    return sum + (unsigned int)x.x * y.x + (unsigned int)x.y * y.y;
}

static inline unsigned int __dp2a_hi(ushort2 x, uchar4 y, unsigned int sum)
{
    return sum + (unsigned int)x.x * y.z + (unsigned int)x.y * y.w;
}

// --- numbers as bits ---------------------------------------------------------------------------

#define CUDACPU_REINTERPRET(name, From, To)            \
    static inline To name(From value)                  \
    {                                                  \
        static_assert(sizeof(From) == sizeof(To), ""); \
        To result;                                     \
        memcpy(&result, &value, sizeof(result));       \
        return result;                                 \
    }
CUDACPU_REINTERPRET(__float_as_int, float, int)
CUDACPU_REINTERPRET(__int_as_float, int, float)
CUDACPU_REINTERPRET(__float_as_uint, float, unsigned int)
CUDACPU_REINTERPRET(__uint_as_float, unsigned int, float)
CUDACPU_REINTERPRET(__double_as_longlong, double, long long)
CUDACPU_REINTERPRET(__longlong_as_double, long long, double)
#undef CUDACPU_REINTERPRET

static inline int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}

static inline int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}

static inline double __hiloint2double(int high, int low)
{
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

// --- min and max, as CUDA has them without any header ------------------------------------------

#ifdef __CUDACC__ // in a .cpp file they may be the program's own
#define CUDACPU_MIN_MAX(A, B, Result)              \
    static inline Result min(A a, B b)             \
    {                                              \
        const Result x = (Result)a, y = (Result)b; \
        return y < x ? y : x;                      \
    }                                              \
    static inline Result max(A a, B b)             \
    {                                              \
        const Result x = (Result)a, y = (Result)b; \
        return x < y ? y : x;                      \
    }
#define CUDACPU_MIN_MAX_MIXED(Signed, Unsigned)   \
    CUDACPU_MIN_MAX(Signed, Signed, Signed)       \
    CUDACPU_MIN_MAX(Unsigned, Unsigned, Unsigned) \
    CUDACPU_MIN_MAX(Signed, Unsigned, Unsigned)   \
    CUDACPU_MIN_MAX(Unsigned, Signed, Unsigned)
CUDACPU_MIN_MAX_MIXED(int, unsigned int)
CUDACPU_MIN_MAX_MIXED(long, unsigned long)
CUDACPU_MIN_MAX_MIXED(long long, unsigned long long)
#undef CUDACPU_MIN_MAX_MIXED
#undef CUDACPU_MIN_MAX

// Of a number and NaN, the number.
#define CUDACPU_MIN_MAX(A, B, Result, suffix) \
    static inline Result min(A a, B b)        \
    {                                         \
        return fmin##suffix(a, b);            \
    }                                         \
    static inline Result max(A a, B b)        \
    {                                         \
        return fmax##suffix(a, b);            \
    }
CUDACPU_MIN_MAX(float, float, float, f)
CUDACPU_MIN_MAX(double, double, double, )
CUDACPU_MIN_MAX(float, double, double, )
CUDACPU_MIN_MAX(double, float, double, )
#undef CUDACPU_MIN_MAX

#define CUDACPU_NAMED_MIN_MAX(prefix, T)  \
    static inline T prefix##min(T a, T b) \
    {                                     \
        return min(a, b);                 \
    }                                     \
    static inline T prefix##max(T a, T b) \
    {                                     \
        return max(a, b);                 \
    }
CUDACPU_NAMED_MIN_MAX(u, unsigned int)
CUDACPU_NAMED_MIN_MAX(ll, long long)
CUDACPU_NAMED_MIN_MAX(ull, unsigned long long)
#undef CUDACPU_NAMED_MIN_MAX
#endif

#endif
#endif
