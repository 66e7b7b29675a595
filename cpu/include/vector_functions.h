// make_int2(1, 2) and its kin.
#ifndef CUDACPU_VECTOR_FUNCTIONS_H
#define CUDACPU_VECTOR_FUNCTIONS_H
#include "vector_types.h"

#define CUDACPU_MAKERS(type, name)                                       \
    static inline name##1 make_##name##1(type x)                         \
    {                                                                    \
        name##1 v = {x};                                                 \
        return v;                                                        \
    }                                                                    \
    static inline name##2 make_##name##2(type x, type y)                 \
    {                                                                    \
        name##2 v = {x, y};                                              \
        return v;                                                        \
    }                                                                    \
    static inline name##3 make_##name##3(type x, type y, type z)         \
    {                                                                    \
        name##3 v = {x, y, z};                                           \
        return v;                                                        \
    }                                                                    \
    static inline name##4 make_##name##4(type x, type y, type z, type w) \
    {                                                                    \
        name##4 v = {x, y, z, w};                                        \
        return v;                                                        \
    }

CUDACPU_MAKERS(signed char, char)
CUDACPU_MAKERS(unsigned char, uchar)
CUDACPU_MAKERS(short, short)
CUDACPU_MAKERS(unsigned short, ushort)
CUDACPU_MAKERS(int, int)
CUDACPU_MAKERS(unsigned int, uint)
CUDACPU_MAKERS(long, long)
CUDACPU_MAKERS(unsigned long, ulong)
CUDACPU_MAKERS(long long, longlong)
CUDACPU_MAKERS(unsigned long long, ulonglong)
CUDACPU_MAKERS(float, float)
CUDACPU_MAKERS(double, double)
#undef CUDACPU_MAKERS

#define CUDACPU_WIDE_MAKER(type, name)                             \
    static inline name make_##name(type x, type y, type z, type w) \
    {                                                              \
        name v = {x, y, z, w};                                     \
        return v;                                                  \
    }
#define CUDACPU_WIDE_MAKERS(type, name)   \
    CUDACPU_WIDE_MAKER(type, name##4_16a) \
    CUDACPU_WIDE_MAKER(type, name##4_32a)

CUDACPU_WIDE_MAKERS(long, long)
CUDACPU_WIDE_MAKERS(unsigned long, ulong)
CUDACPU_WIDE_MAKERS(long long, longlong)
CUDACPU_WIDE_MAKERS(unsigned long long, ulonglong)
CUDACPU_WIDE_MAKERS(double, double)
#undef CUDACPU_WIDE_MAKERS
#undef CUDACPU_WIDE_MAKER

#endif
