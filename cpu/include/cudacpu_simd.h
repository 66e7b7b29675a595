// Arithmetic on the parts of a word: two halves or four bytes. And the maxima and minima of three numbers,
// of sums, and those that say which number it was. cpucc includes it for a file that names one of them.
#ifndef CUDACPU_SIMD_H
#define CUDACPU_SIMD_H

#if defined(__cplusplus) && defined(__CUDACC__)
#include "cudacpu_bits.h"

namespace cudacpu
{
// A Part is short or signed char, or the same without a sign. The function gets each pair as ints.
template <class Part, class Function>
static inline unsigned int by_part(unsigned int x, unsigned int y, Function function)
{
    const int bits = 8 * sizeof(Part);
    unsigned int result = 0;
    for (int i = 0; i < 32; i += bits)
    {
        const int part = function((int)(Part)(x >> i), (int)(Part)(y >> i));
        result |= ((unsigned int)part & ((1u << bits) - 1)) << i;
    }
    return result;
}

template <class Part>
static inline int saturated(int x)
{
    const int bits = 8 * sizeof(Part);
    const bool has_sign = (Part)-1 < 0;
    const int least = has_sign ? -(1 << (bits - 1)) : 0;
    const int most = has_sign ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    return x < least ? least : x > most ? most : x;
}

static inline int distance(int a, int b)
{
    return a < b ? b - a : a - b;
}

template <class Part>
static inline unsigned int sum_of_distances(unsigned int x, unsigned int y)
{
    unsigned int sum = 0;
    for (int i = 0; i < 32; i += 8 * sizeof(Part))
    {
        sum += distance((int)(Part)(x >> i), (int)(Part)(y >> i));
    }
    return sum;
}
} // namespace cudacpu

// name2 and name4: the value of each pair of parts a, b.
#define CUDACPU_PARTS_OF(name, Part_, value)                                            \
    static inline unsigned int name(unsigned int x, unsigned int y)                     \
    {                                                                                   \
        typedef Part_ Part;                                                             \
        return cudacpu::by_part<Part>(x, y, [](int a, int b) -> int { return value; }); \
    }
#define CUDACPU_SIGNED(name, value)                \
    CUDACPU_PARTS_OF(name##2, signed short, value) \
    CUDACPU_PARTS_OF(name##4, signed char, value)
#define CUDACPU_UNSIGNED(name, value)                \
    CUDACPU_PARTS_OF(name##2, unsigned short, value) \
    CUDACPU_PARTS_OF(name##4, unsigned char, value)

// The same of each part a of one word.
#define CUDACPU_PARTS_OF_ONE(name, Part_, value)                                      \
    static inline unsigned int name(unsigned int x)                                   \
    {                                                                                 \
        typedef Part_ Part;                                                           \
        return cudacpu::by_part<Part>(x, 0, [](int a, int) -> int { return value; }); \
    }
#define CUDACPU_SIGNED_ONE(name, value)                \
    CUDACPU_PARTS_OF_ONE(name##2, signed short, value) \
    CUDACPU_PARTS_OF_ONE(name##4, signed char, value)

CUDACPU_SIGNED_ONE(__vabs, a < 0 ? -a : a)
CUDACPU_SIGNED_ONE(__vabsss, cudacpu::saturated<Part>(a < 0 ? -a : a))
CUDACPU_SIGNED_ONE(__vneg, -a)
CUDACPU_SIGNED_ONE(__vnegss, cudacpu::saturated<Part>(-a))

CUDACPU_UNSIGNED(__vadd, a + b)
CUDACPU_SIGNED(__vaddss, cudacpu::saturated<Part>(a + b))
CUDACPU_UNSIGNED(__vaddus, cudacpu::saturated<Part>(a + b))
CUDACPU_UNSIGNED(__vsub, a - b)
CUDACPU_SIGNED(__vsubss, cudacpu::saturated<Part>(a - b))
CUDACPU_UNSIGNED(__vsubus, cudacpu::saturated<Part>(a - b))
CUDACPU_SIGNED(__vabsdiffs, cudacpu::distance(a, b))
CUDACPU_UNSIGNED(__vabsdiffu, cudacpu::distance(a, b))
CUDACPU_SIGNED(__vavgs, (a + b + (a + b >= 0)) >> 1) // a half goes away from 0
CUDACPU_UNSIGNED(__vavgu, (a + b + 1) >> 1)
CUDACPU_UNSIGNED(__vhaddu, (a + b) >> 1)
CUDACPU_SIGNED(__vmaxs, a < b ? b : a)
CUDACPU_UNSIGNED(__vmaxu, a < b ? b : a)
CUDACPU_SIGNED(__vmins, b < a ? b : a)
CUDACPU_UNSIGNED(__vminu, b < a ? b : a)

// Comparisons: all bits of a part, or its lowest bit.
CUDACPU_UNSIGNED(__vcmpeq, -(a == b))
CUDACPU_UNSIGNED(__vcmpne, -(a != b))
CUDACPU_UNSIGNED(__vseteq, a == b)
CUDACPU_UNSIGNED(__vsetne, a != b)
#define CUDACPU_COMPARE(name, operation)                \
    CUDACPU_SIGNED(__vcmp##name##s, -(a operation b))   \
    CUDACPU_UNSIGNED(__vcmp##name##u, -(a operation b)) \
    CUDACPU_SIGNED(__vset##name##s, a operation b)      \
    CUDACPU_UNSIGNED(__vset##name##u, a operation b)
CUDACPU_COMPARE(ge, >=)
CUDACPU_COMPARE(gt, >)
CUDACPU_COMPARE(le, <=)
CUDACPU_COMPARE(lt, <)

static inline unsigned int __vsads2(unsigned int x, unsigned int y)
{
    return cudacpu::sum_of_distances<signed short>(x, y);
}

static inline unsigned int __vsads4(unsigned int x, unsigned int y)
{
    return cudacpu::sum_of_distances<signed char>(x, y);
}

static inline unsigned int __vsadu2(unsigned int x, unsigned int y)
{
    return cudacpu::sum_of_distances<unsigned short>(x, y);
}

static inline unsigned int __vsadu4(unsigned int x, unsigned int y)
{
    return cudacpu::sum_of_distances<unsigned char>(x, y);
}

// --- maxima and minima of three, and of a sum --------------------------------------------------

// Of numbers of type T, by their max, min and sum of two. `_relu`: 0 if the result is negative.
#define CUDACPU_THREE(T, suffix, max, min, add)        \
    static inline T __vimax3_##suffix(T a, T b, T c)   \
    {                                                  \
        return max(max(a, b), c);                      \
    }                                                  \
    static inline T __vimin3_##suffix(T a, T b, T c)   \
    {                                                  \
        return min(min(a, b), c);                      \
    }                                                  \
    static inline T __viaddmax_##suffix(T a, T b, T c) \
    {                                                  \
        return max(add(a, b), c);                      \
    }                                                  \
    static inline T __viaddmin_##suffix(T a, T b, T c) \
    {                                                  \
        return min(add(a, b), c);                      \
    }
#define CUDACPU_RELU(T, suffix, max, min)                     \
    static inline T __vimax_##suffix##_relu(T a, T b)         \
    {                                                         \
        return max(max(a, b), 0);                             \
    }                                                         \
    static inline T __vimin_##suffix##_relu(T a, T b)         \
    {                                                         \
        return max(min(a, b), 0);                             \
    }                                                         \
    static inline T __vimax3_##suffix##_relu(T a, T b, T c)   \
    {                                                         \
        return max(__vimax3_##suffix(a, b, c), 0);            \
    }                                                         \
    static inline T __vimin3_##suffix##_relu(T a, T b, T c)   \
    {                                                         \
        return max(__vimin3_##suffix(a, b, c), 0);            \
    }                                                         \
    static inline T __viaddmax_##suffix##_relu(T a, T b, T c) \
    {                                                         \
        return max(__viaddmax_##suffix(a, b, c), 0);          \
    }                                                         \
    static inline T __viaddmin_##suffix##_relu(T a, T b, T c) \
    {                                                         \
        return max(__viaddmin_##suffix(a, b, c), 0);          \
    }

namespace cudacpu
{
static inline int wrapped_sum(int a, int b)
{
    return (int)((unsigned int)a + (unsigned int)b);
}

static inline unsigned int wrapped_sum(unsigned int a, unsigned int b)
{
    return a + b;
}
} // namespace cudacpu

CUDACPU_THREE(int, s32, max, min, cudacpu::wrapped_sum)
CUDACPU_THREE(unsigned int, u32, max, min, cudacpu::wrapped_sum)
CUDACPU_THREE(unsigned int, s16x2, __vmaxs2, __vmins2, __vadd2)
CUDACPU_THREE(unsigned int, u16x2, __vmaxu2, __vminu2, __vadd2)
CUDACPU_RELU(int, s32, max, min)
CUDACPU_RELU(unsigned int, s16x2, __vmaxs2, __vmins2)

// --- with the answer whether it was the first number ---------------------------------------------

#define CUDACPU_WHICH(T, suffix)                            \
    static inline T __vibmax_##suffix(T a, T b, bool *is_a) \
    {                                                       \
        *is_a = a >= b;                                     \
        return max(a, b);                                   \
    }                                                       \
    static inline T __vibmin_##suffix(T a, T b, bool *is_a) \
    {                                                       \
        *is_a = a <= b;                                     \
        return min(a, b);                                   \
    }
#define CUDACPU_WHICH_HALVES(suffix, s)                                                           \
    static inline unsigned int __vibmax_##suffix(unsigned int a, unsigned int b, bool *high_is_a, \
                                                 bool *low_is_a)                                  \
    {                                                                                             \
        const unsigned int is_a = __vsetge##s##2(a, b);                                           \
        *high_is_a = is_a >> 16 != 0;                                                             \
        *low_is_a = (is_a & 1) != 0;                                                              \
        return __vmax##s##2(a, b);                                                                \
    }                                                                                             \
    static inline unsigned int __vibmin_##suffix(unsigned int a, unsigned int b, bool *high_is_a, \
                                                 bool *low_is_a)                                  \
    {                                                                                             \
        const unsigned int is_a = __vsetle##s##2(a, b);                                           \
        *high_is_a = is_a >> 16 != 0;                                                             \
        *low_is_a = (is_a & 1) != 0;                                                              \
        return __vmin##s##2(a, b);                                                                \
    }
CUDACPU_WHICH(int, s32)
CUDACPU_WHICH(unsigned int, u32)
CUDACPU_WHICH_HALVES(s16x2, s)
CUDACPU_WHICH_HALVES(u16x2, u)

#undef CUDACPU_PARTS_OF
#undef CUDACPU_PARTS_OF_ONE
#undef CUDACPU_SIGNED
#undef CUDACPU_SIGNED_ONE
#undef CUDACPU_UNSIGNED
#undef CUDACPU_COMPARE
#undef CUDACPU_THREE
#undef CUDACPU_RELU
#undef CUDACPU_WHICH
#undef CUDACPU_WHICH_HALVES

#endif
#endif
