// cudaCreateChannelDesc<float4>() and its kin.
#ifndef CUDACPU_CHANNEL_DESCRIPTOR_H
#define CUDACPU_CHANNEL_DESCRIPTOR_H
#define __CHANNEL_DESCRIPTOR_H__
#include "cudacpu_array.h"

#ifdef __cplusplus
// A type that no element of an array can have.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf1()
{
    return cudaCreateChannelDescHalf();
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#define CUDACPU_CHANNELS(T, y, z, w, kind)                               \
    template <>                                                          \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<T>()              \
    {                                                                    \
        const int bits = 8 * sizeof(T) / (1 + (y) + (z) + (w));          \
        return cudaCreateChannelDesc(bits, (y)*bits, (z)*bits, (w)*bits, \
                                     cudaChannelFormatKind##kind);       \
    }
#define CUDACPU_CHANNELS_OF(T, name, kind)   \
    CUDACPU_CHANNELS(T, 0, 0, 0, kind)       \
    CUDACPU_CHANNELS(name##1, 0, 0, 0, kind) \
    CUDACPU_CHANNELS(name##2, 1, 0, 0, kind) \
    CUDACPU_CHANNELS(name##4, 1, 1, 1, kind)

CUDACPU_CHANNELS_OF(signed char, char, Signed)
CUDACPU_CHANNELS_OF(unsigned char, uchar, Unsigned)
CUDACPU_CHANNELS_OF(short, short, Signed)
CUDACPU_CHANNELS_OF(unsigned short, ushort, Unsigned)
CUDACPU_CHANNELS_OF(int, int, Signed)
CUDACPU_CHANNELS_OF(unsigned int, uint, Unsigned)
CUDACPU_CHANNELS_OF(float, float, Float)
#undef CUDACPU_CHANNELS_OF
#undef CUDACPU_CHANNELS

template <>
inline cudaChannelFormatDesc cudaCreateChannelDesc<char>()
{
    return cudaCreateChannelDesc(
        8, 0, 0, 0, (char)-1 < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned);
}

// The formats that are always read as numbers from 0 to 1, or from -1 to 1.
#define CUDACPU_NORMALIZED(bits, sign, channels, y, z, w)                                         \
    template <>                                                                                   \
    inline cudaChannelFormatDesc                                                                  \
    cudaCreateChannelDesc<cudaChannelFormatKind##sign##Normalized##bits##X##channels>()           \
    {                                                                                             \
        return cudaCreateChannelDesc(bits, y, z, w,                                               \
                                     cudaChannelFormatKind##sign##Normalized##bits##X##channels); \
    }
template <cudaChannelFormatKind kind>
cudaChannelFormatDesc cudaCreateChannelDesc();
CUDACPU_NORMALIZED(8, Unsigned, 1, 0, 0, 0)
CUDACPU_NORMALIZED(8, Unsigned, 2, 8, 0, 0)
CUDACPU_NORMALIZED(8, Unsigned, 4, 8, 8, 8)
CUDACPU_NORMALIZED(16, Unsigned, 1, 0, 0, 0)
CUDACPU_NORMALIZED(16, Unsigned, 2, 16, 0, 0)
CUDACPU_NORMALIZED(16, Unsigned, 4, 16, 16, 16)
CUDACPU_NORMALIZED(8, Signed, 1, 0, 0, 0)
CUDACPU_NORMALIZED(8, Signed, 2, 8, 0, 0)
CUDACPU_NORMALIZED(8, Signed, 4, 8, 8, 8)
CUDACPU_NORMALIZED(16, Signed, 1, 0, 0, 0)
CUDACPU_NORMALIZED(16, Signed, 2, 16, 0, 0)
CUDACPU_NORMALIZED(16, Signed, 4, 16, 16, 16)
#undef CUDACPU_NORMALIZED
#endif

#endif
