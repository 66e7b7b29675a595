// What kernels do with texture objects. cpucc includes it for files that use textures, surfaces or
// arrays.
#ifndef CUDACPU_TEXTURE_H
#define CUDACPU_TEXTURE_H
#define __TEXTURE_INDIRECT_FUNCTIONS_H__
#include "channel_descriptor.h"

// Inlined even in debug builds, so that a wrong fetch is found on its own line.
#define CUDACPU_INLINE_FETCH inline __attribute__((always_inline))

namespace cudacpu
{
// How the types that a fetch may have are made of channels.
template <class T>
struct Channels; // there is no texture of this type
#define CUDACPU_CHANNEL(type, name)                                            \
    template <>                                                                \
    struct Channels<type>                                                      \
    {                                                                          \
        static CUDACPU_INLINE_FETCH type of(const cudacpu_Texel &t)            \
        {                                                                      \
            return channel<type>(t.channel[0]);                                \
        }                                                                      \
    };                                                                         \
    template <>                                                                \
    struct Channels<name##1>                                                   \
    {                                                                          \
        static CUDACPU_INLINE_FETCH name##1 of(const cudacpu_Texel &t)         \
        {                                                                      \
            return {channel<type>(t.channel[0])};                              \
        }                                                                      \
    };                                                                         \
    template <>                                                                \
    struct Channels<name##2>                                                   \
    {                                                                          \
        static CUDACPU_INLINE_FETCH name##2 of(const cudacpu_Texel &t)         \
        {                                                                      \
            return {channel<type>(t.channel[0]), channel<type>(t.channel[1])}; \
        }                                                                      \
    };                                                                         \
    template <>                                                                \
    struct Channels<name##4>                                                   \
    {                                                                          \
        static CUDACPU_INLINE_FETCH name##4 of(const cudacpu_Texel &t)         \
        {                                                                      \
            return {channel<type>(t.channel[0]), channel<type>(t.channel[1]),  \
                    channel<type>(t.channel[2]), channel<type>(t.channel[3])}; \
        }                                                                      \
    };

template <class T>
CUDACPU_INLINE_FETCH T channel(unsigned int value)
{
    return (T)value;
}
template <>
CUDACPU_INLINE_FETCH float channel<float>(unsigned int value)
{
    float x;
    __builtin_memcpy(&x, &value, sizeof(x));
    return x;
}

CUDACPU_CHANNEL(signed char, char)
CUDACPU_CHANNEL(unsigned char, uchar)
CUDACPU_CHANNEL(short, short)
CUDACPU_CHANNEL(unsigned short, ushort)
CUDACPU_CHANNEL(int, int)
CUDACPU_CHANNEL(unsigned int, uint)
CUDACPU_CHANNEL(float, float)
#undef CUDACPU_CHANNEL
template <>
struct Channels<char>
{
    static CUDACPU_INLINE_FETCH char of(const cudacpu_Texel &t)
    {
        return (char)t.channel[0];
    }
};
} // namespace cudacpu

// Each function is there twice: it returns what it reads, or writes it to a pointer. Those that name
// a level of detail read the only level that there is.
#define CUDACPU_LIST(...) __VA_ARGS__
#define CUDACPU_FETCHES(name, parameters, fetch)                                   \
    template <class T>                                                             \
    CUDACPU_INLINE_FETCH T name(cudaTextureObject_t texture, parameters)           \
    {                                                                              \
        return cudacpu::Channels<T>::of(fetch);                                    \
    }                                                                              \
    template <class T>                                                             \
    CUDACPU_INLINE_FETCH void name(T *to, cudaTextureObject_t texture, parameters) \
    {                                                                              \
        *to = cudacpu::Channels<T>::of(fetch);                                     \
    }

#define CUDACPU_1D cudacpu_texture(texture, cudaTextureType1D, x, 0.0f, 0.0f, 0)
#define CUDACPU_2D cudacpu_texture(texture, cudaTextureType2D, x, y, 0.0f, 0)
#define CUDACPU_3D cudacpu_texture(texture, cudaTextureType3D, x, y, z, 0)
#define CUDACPU_1D_LAYERED cudacpu_texture(texture, cudaTextureType1DLayered, x, 0.0f, 0.0f, layer)
#define CUDACPU_2D_LAYERED cudacpu_texture(texture, cudaTextureType2DLayered, x, y, 0.0f, layer)
#define CUDACPU_CUBE cudacpu_texture(texture, cudaTextureTypeCubemap, x, y, z, 0)
#define CUDACPU_CUBE_LAYERED cudacpu_texture(texture, cudaTextureTypeCubemapLayered, x, y, z, layer)

CUDACPU_FETCHES(tex1Dfetch, int x, cudacpu_texture_element(texture, x))
CUDACPU_FETCHES(tex1D, float x, CUDACPU_1D)
CUDACPU_FETCHES(tex1DLod, CUDACPU_LIST(float x, float), CUDACPU_1D)
CUDACPU_FETCHES(tex1DGrad, CUDACPU_LIST(float x, float, float), CUDACPU_1D)
CUDACPU_FETCHES(tex2D, CUDACPU_LIST(float x, float y), CUDACPU_2D)
CUDACPU_FETCHES(tex2DLod, CUDACPU_LIST(float x, float y, float), CUDACPU_2D)
CUDACPU_FETCHES(tex2DGrad, CUDACPU_LIST(float x, float y, float2, float2), CUDACPU_2D)
CUDACPU_FETCHES(tex3D, CUDACPU_LIST(float x, float y, float z), CUDACPU_3D)
CUDACPU_FETCHES(tex3DLod, CUDACPU_LIST(float x, float y, float z, float), CUDACPU_3D)
CUDACPU_FETCHES(tex3DGrad, CUDACPU_LIST(float x, float y, float z, float4, float4), CUDACPU_3D)
CUDACPU_FETCHES(tex1DLayered, CUDACPU_LIST(float x, int layer), CUDACPU_1D_LAYERED)
CUDACPU_FETCHES(tex1DLayeredLod, CUDACPU_LIST(float x, int layer, float), CUDACPU_1D_LAYERED)
CUDACPU_FETCHES(tex1DLayeredGrad, CUDACPU_LIST(float x, int layer, float, float),
                CUDACPU_1D_LAYERED)
CUDACPU_FETCHES(tex2DLayered, CUDACPU_LIST(float x, float y, int layer), CUDACPU_2D_LAYERED)
CUDACPU_FETCHES(tex2DLayeredLod, CUDACPU_LIST(float x, float y, int layer, float),
                CUDACPU_2D_LAYERED)
CUDACPU_FETCHES(tex2DLayeredGrad, CUDACPU_LIST(float x, float y, int layer, float2, float2),
                CUDACPU_2D_LAYERED)
CUDACPU_FETCHES(texCubemap, CUDACPU_LIST(float x, float y, float z), CUDACPU_CUBE)
CUDACPU_FETCHES(texCubemapLod, CUDACPU_LIST(float x, float y, float z, float), CUDACPU_CUBE)
CUDACPU_FETCHES(texCubemapGrad, CUDACPU_LIST(float x, float y, float z, float4, float4),
                CUDACPU_CUBE)
CUDACPU_FETCHES(texCubemapLayered, CUDACPU_LIST(float x, float y, float z, int layer),
                CUDACPU_CUBE_LAYERED)
CUDACPU_FETCHES(texCubemapLayeredLod, CUDACPU_LIST(float x, float y, float z, int layer, float),
                CUDACPU_CUBE_LAYERED)
CUDACPU_FETCHES(texCubemapLayeredGrad,
                CUDACPU_LIST(float x, float y, float z, int layer, float4, float4),
                CUDACPU_CUBE_LAYERED)
CUDACPU_FETCHES(tex2Dgather, CUDACPU_LIST(float x, float y, int channel = 0),
                cudacpu_texture_gather(texture, x, y, channel))
#undef CUDACPU_FETCHES
#undef CUDACPU_LIST
#undef CUDACPU_1D
#undef CUDACPU_2D
#undef CUDACPU_3D
#undef CUDACPU_1D_LAYERED
#undef CUDACPU_2D_LAYERED
#undef CUDACPU_CUBE
#undef CUDACPU_CUBE_LAYERED

#include "cudacpu_surface.h"

#endif
