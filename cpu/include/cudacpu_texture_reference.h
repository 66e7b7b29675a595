// Texture and surface references, which CUDA 12 has removed: a variable of the file that the host
// binds to memory. cpucc includes it for files that declare one.
//
//     texture<float, 2, cudaReadModeElementType> image;
//     cudaBindTextureToArray(image, array);
//     ... tex2D(image, x, y)
//
// A binding makes a texture object. What is set in the reference counts from the next binding on.
#ifndef CUDACPU_TEXTURE_REFERENCE_H
#define CUDACPU_TEXTURE_REFERENCE_H
#include "cudacpu_texture.h"

struct textureReference
{
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    // ours:
    cudaTextureReadMode cudacpu_mode;
    cudaTextureObject_t cudacpu_bound; // 0: to nothing
};

struct surfaceReference
{
    cudaChannelFormatDesc channelDesc;
    cudaSurfaceObject_t cudacpu_bound;
};

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture : textureReference
{
    texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
            cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(norm, filter, address, cudaCreateChannelDesc<T>())
    {
    }
    texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address,
            cudaChannelFormatDesc format)
        : textureReference()
    {
        normalized = norm;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = format;
        cudacpu_mode = mode;
    }
};

template <class T, int type = cudaSurfaceType1D>
struct surface : surfaceReference
{
    surface() : surfaceReference()
    {
    }
};

// --- binding --------------------------------------------------------------------------------------

namespace cudacpu
{
inline cudaError_t bind(const textureReference &reference, size_t *offset,
                        const cudaResourceDesc &resource)
{
    cudaTextureDesc how = {};
    for (int i = 0; i < 3; ++i)
    {
        how.addressMode[i] = reference.addressMode[i];
    }
    how.filterMode = reference.filterMode;
    how.readMode = reference.cudacpu_mode;
    how.normalizedCoords = reference.normalized;
    how.sRGB = reference.sRGB;
    return cudacpu_bind(&const_cast<textureReference &>(reference).cudacpu_bound, offset, &resource,
                        &how);
}
} // namespace cudacpu

inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *reference,
                                   const void *memory, const cudaChannelFormatDesc *format,
                                   size_t bytes = UINT_MAX)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<void *>(memory);
    resource.res.linear.desc = *format;
    resource.res.linear.sizeInBytes = bytes;
    return cudacpu::bind(*reference, offset, resource);
}

template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference,
                                   const void *memory, const cudaChannelFormatDesc &format,
                                   size_t bytes = UINT_MAX)
{
    return cudaBindTexture(offset, &reference, memory, &format, bytes);
}

template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference,
                                   const void *memory, size_t bytes = UINT_MAX)
{
    return cudaBindTexture(offset, &reference, memory, &reference.channelDesc, bytes);
}

inline cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *reference,
                                     const void *memory, const cudaChannelFormatDesc *format,
                                     size_t width, size_t height, size_t pitch)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = const_cast<void *>(memory);
    resource.res.pitch2D.desc = *format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return cudacpu::bind(*reference, offset, resource);
}

template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference,
                                     const void *memory, const cudaChannelFormatDesc &format,
                                     size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &reference, memory, &format, width, height, pitch);
}

template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference,
                                     const void *memory, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &reference, memory, &reference.channelDesc, width, height,
                             pitch);
}

// (The array has a format of its own.)
inline cudaError_t cudaBindTextureToArray(const textureReference *reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc *)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return cudacpu::bind(*reference, NULL, resource);
}

template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc &format)
{
    return cudaBindTextureToArray(&reference, array, &format);
}

template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &reference,
                                          cudaArray_const_t array)
{
    return cudaBindTextureToArray(&reference, array, &reference.channelDesc);
}

inline cudaError_t cudaUnbindTexture(const textureReference *reference)
{
    return cudacpu_unbind(&const_cast<textureReference *>(reference)->cudacpu_bound);
}

template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, type, mode> &reference)
{
    return cudaUnbindTexture(&reference);
}

// A binding is allowed where it needs no offset only.
template <class T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, type, mode> &)
{
    *offset = 0;
    return cudaSuccess;
}

inline cudaError_t cudaGetTextureReference(const textureReference **reference, const void *symbol)
{
    *reference = static_cast<const textureReference *>(symbol);
    return cudaSuccess;
}

inline cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference,
                                          cudaArray_const_t array, const cudaChannelFormatDesc *)
{
    return cudacpu_bind_surface(&const_cast<surfaceReference *>(reference)->cudacpu_bound, array);
}

template <class T, int type>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, type> &reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc &format)
{
    return cudaBindSurfaceToArray(&reference, array, &format);
}

template <class T, int type>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, type> &reference,
                                          cudaArray_const_t array)
{
    return cudaBindSurfaceToArray(&reference, array, NULL);
}

inline cudaError_t cudaGetSurfaceReference(const surfaceReference **reference, const void *symbol)
{
    *reference = static_cast<const surfaceReference *>(symbol);
    return cudaSuccess;
}

// --- what kernels call ----------------------------------------------------------------------------

namespace cudacpu
{
// What a fetch returns: the type of the elements, or as many floats.
template <class T, cudaTextureReadMode mode>
struct Fetched
{
    typedef T type;
};
#define CUDACPU_NORMALIZED(T, F)                   \
    template <>                                    \
    struct Fetched<T, cudaReadModeNormalizedFloat> \
    {                                              \
        typedef F type;                            \
    };
#define CUDACPU_NORMALIZED_OF(T, name)  \
    CUDACPU_NORMALIZED(T, float)        \
    CUDACPU_NORMALIZED(name##1, float1) \
    CUDACPU_NORMALIZED(name##2, float2) \
    CUDACPU_NORMALIZED(name##4, float4)
CUDACPU_NORMALIZED(char, float)
CUDACPU_NORMALIZED_OF(signed char, char)
CUDACPU_NORMALIZED_OF(unsigned char, uchar)
CUDACPU_NORMALIZED_OF(short, short)
CUDACPU_NORMALIZED_OF(unsigned short, ushort)
#undef CUDACPU_NORMALIZED_OF
#undef CUDACPU_NORMALIZED

// What a gather returns: four of them.
template <class T>
struct Four;
#define CUDACPU_FOUR(T, name) \
    template <>               \
    struct Four<T>            \
    {                         \
        typedef name##4 type; \
    };
#define CUDACPU_FOURS(T, name)  \
    CUDACPU_FOUR(T, name)       \
    CUDACPU_FOUR(name##1, name) \
    CUDACPU_FOUR(name##2, name) \
    CUDACPU_FOUR(name##4, name)
CUDACPU_FOUR(char, char)
CUDACPU_FOURS(signed char, char)
CUDACPU_FOURS(unsigned char, uchar)
CUDACPU_FOURS(short, short)
CUDACPU_FOURS(unsigned short, ushort)
CUDACPU_FOURS(int, int)
CUDACPU_FOURS(unsigned int, uint)
CUDACPU_FOURS(float, float)
#undef CUDACPU_FOURS
#undef CUDACPU_FOUR
} // namespace cudacpu

#define CUDACPU_LIST(...) __VA_ARGS__
#define CUDACPU_FETCH(name, shape, parameters, arguments)                                          \
    template <class T, cudaTextureReadMode mode>                                                   \
    CUDACPU_INLINE_FETCH typename cudacpu::Fetched<T, mode>::type name(                            \
        const texture<T, shape, mode> &reference, parameters)                                      \
    {                                                                                              \
        return name<typename cudacpu::Fetched<T, mode>::type>(reference.cudacpu_bound, arguments); \
    }
CUDACPU_FETCH(tex1Dfetch, cudaTextureType1D, int x, x)
CUDACPU_FETCH(tex1D, cudaTextureType1D, float x, x)
CUDACPU_FETCH(tex2D, cudaTextureType2D, CUDACPU_LIST(float x, float y), CUDACPU_LIST(x, y))
CUDACPU_FETCH(tex3D, cudaTextureType3D, CUDACPU_LIST(float x, float y, float z),
              CUDACPU_LIST(x, y, z))
CUDACPU_FETCH(tex1DLayered, cudaTextureType1DLayered, CUDACPU_LIST(float x, int layer),
              CUDACPU_LIST(x, layer))
CUDACPU_FETCH(tex2DLayered, cudaTextureType2DLayered, CUDACPU_LIST(float x, float y, int layer),
              CUDACPU_LIST(x, y, layer))
CUDACPU_FETCH(texCubemap, cudaTextureTypeCubemap, CUDACPU_LIST(float x, float y, float z),
              CUDACPU_LIST(x, y, z))
CUDACPU_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered,
              CUDACPU_LIST(float x, float y, float z, int layer), CUDACPU_LIST(x, y, z, layer))
#undef CUDACPU_FETCH

template <class T, cudaTextureReadMode mode>
CUDACPU_INLINE_FETCH typename cudacpu::Four<typename cudacpu::Fetched<T, mode>::type>::type
tex2Dgather(const texture<T, cudaTextureType2D, mode> &reference, float x, float y, int channel = 0)
{
    typedef typename cudacpu::Four<typename cudacpu::Fetched<T, mode>::type>::type Result;
    return tex2Dgather<Result>(reference.cudacpu_bound, x, y, channel);
}

#define CUDACPU_SURFACE(name, shape, parameters, arguments)                                        \
    template <class T, class S>                                                                    \
    CUDACPU_INLINE_FETCH T name##read(const surface<S, shape> &reference, parameters,              \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)         \
    {                                                                                              \
        return name##read<T>(reference.cudacpu_bound, arguments, mode);                            \
    }                                                                                              \
    template <class T, class S>                                                                    \
    CUDACPU_INLINE_FETCH void name##read(T *to, const surface<S, shape> &reference, parameters,    \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)      \
    {                                                                                              \
        name##read(to, reference.cudacpu_bound, arguments, mode);                                  \
    }                                                                                              \
    template <class T, class S>                                                                    \
    CUDACPU_INLINE_FETCH void name##write(T value, const surface<S, shape> &reference, parameters, \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)     \
    {                                                                                              \
        name##write(value, reference.cudacpu_bound, arguments, mode);                              \
    }
CUDACPU_SURFACE(surf1D, cudaSurfaceType1D, int x, x)
CUDACPU_SURFACE(surf2D, cudaSurfaceType2D, CUDACPU_LIST(int x, int y), CUDACPU_LIST(x, y))
CUDACPU_SURFACE(surf3D, cudaSurfaceType3D, CUDACPU_LIST(int x, int y, int z), CUDACPU_LIST(x, y, z))
CUDACPU_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, CUDACPU_LIST(int x, int layer),
                CUDACPU_LIST(x, layer))
CUDACPU_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, CUDACPU_LIST(int x, int y, int layer),
                CUDACPU_LIST(x, y, layer))
CUDACPU_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, CUDACPU_LIST(int x, int y, int face),
                CUDACPU_LIST(x, y, face))
CUDACPU_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered,
                CUDACPU_LIST(int x, int y, int layer_face), CUDACPU_LIST(x, y, layer_face))
#undef CUDACPU_SURFACE
#undef CUDACPU_LIST

#endif
