// CUDA's vector types: char1 ... double4, dim3. Sizes and alignments as nvcc has them.
// clang-format off
#ifndef CUDACPU_VECTOR_TYPES_H
#define CUDACPU_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__

// Under the counter a vector stays whole where it is copied, as nvcc moves it: g++ takes no structure apart that
// has something volatile, be it nothing.
#if defined(CUDACPU_COUNTER) && defined(__cplusplus) && !defined(__clang__) && !defined(CUDACPU_CONSTANT_VECTORS)
#define CUDACPU_WHOLE volatile char whole_[0];
#else
#define CUDACPU_WHOLE
#endif

#define CUDACPU_VECTORS(type, name, align2, align4)                                                \
    typedef struct name##1 { type x; } name##1;                                                    \
    typedef struct __attribute__((aligned(align2))) name##2 { type x, y; CUDACPU_WHOLE } name##2;                \
    typedef struct name##3 { type x, y, z; } name##3;                                              \
    typedef struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; CUDACPU_WHOLE } name##4;

CUDACPU_VECTORS(signed char, char, 2, 4)
CUDACPU_VECTORS(unsigned char, uchar, 2, 4)
CUDACPU_VECTORS(short, short, 4, 8)
CUDACPU_VECTORS(unsigned short, ushort, 4, 8)
CUDACPU_VECTORS(int, int, 8, 16)
CUDACPU_VECTORS(unsigned int, uint, 8, 16)
CUDACPU_VECTORS(long, long, 16, 16)
CUDACPU_VECTORS(unsigned long, ulong, 16, 16)
CUDACPU_VECTORS(long long, longlong, 16, 16)
CUDACPU_VECTORS(unsigned long long, ulonglong, 16, 16)
CUDACPU_VECTORS(float, float, 8, 16)
CUDACPU_VECTORS(double, double, 16, 16)
#undef CUDACPU_VECTORS

// CUDA 13's names for vectors of four 8-byte numbers, which say how they are aligned.
#define CUDACPU_WIDE_VECTORS(type, name)                                                           \
    typedef struct __attribute__((aligned(16))) name##4_16a { type x, y, z, w; CUDACPU_WHOLE } name##4_16a;      \
    typedef struct __attribute__((aligned(32))) name##4_32a { type x, y, z, w; CUDACPU_WHOLE } name##4_32a;

CUDACPU_WIDE_VECTORS(long, long)
CUDACPU_WIDE_VECTORS(unsigned long, ulong)
CUDACPU_WIDE_VECTORS(long long, longlong)
CUDACPU_WIDE_VECTORS(unsigned long long, ulonglong)
CUDACPU_WIDE_VECTORS(double, double)
#undef CUDACPU_WIDE_VECTORS
#undef CUDACPU_WHOLE

#ifdef __cplusplus
struct dim3
{
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
};
#else
typedef struct dim3
{
    unsigned int x, y, z;
} dim3;
#endif

#endif
