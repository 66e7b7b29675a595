// What kernels do with surface objects. cudacpu_texture.h includes it.
#ifndef CUDACPU_SURFACE_H
#define CUDACPU_SURFACE_H
#define __SURFACE_INDIRECT_FUNCTIONS_H__
#include "channel_descriptor.h"

namespace cudacpu
{
// The types that a surface may be read and written in.
template <class T>
struct OfSurface; // there is no surface of this type
#define CUDACPU_OF_SURFACE(type) \
    template <>                  \
    struct OfSurface<type>       \
    {                            \
        typedef void result;     \
    };
#define CUDACPU_OF_SURFACES(type, name) \
    CUDACPU_OF_SURFACE(type)            \
    CUDACPU_OF_SURFACE(name##1)         \
    CUDACPU_OF_SURFACE(name##2)
CUDACPU_OF_SURFACE(char)
CUDACPU_OF_SURFACES(signed char, char)
CUDACPU_OF_SURFACES(unsigned char, uchar)
CUDACPU_OF_SURFACES(short, short)
CUDACPU_OF_SURFACES(unsigned short, ushort)
CUDACPU_OF_SURFACES(int, int)
CUDACPU_OF_SURFACES(unsigned int, uint)
CUDACPU_OF_SURFACES(long long, longlong)
CUDACPU_OF_SURFACES(unsigned long long, ulonglong)
CUDACPU_OF_SURFACES(float, float)
CUDACPU_OF_SURFACE(char4)
CUDACPU_OF_SURFACE(uchar4)
CUDACPU_OF_SURFACE(short4)
CUDACPU_OF_SURFACE(ushort4)
CUDACPU_OF_SURFACE(int4)
CUDACPU_OF_SURFACE(uint4)
CUDACPU_OF_SURFACE(float4)
#undef CUDACPU_OF_SURFACES
#undef CUDACPU_OF_SURFACE
} // namespace cudacpu

// Each surface is read in two ways and written in one. x counts bytes.
#define CUDACPU_LIST(...) __VA_ARGS__
#define CUDACPU_SURFACE(name, shape, parameters, place)                                       \
    template <class T>                                                                        \
    inline __attribute__((always_inline)) typename cudacpu::OfSurface<T>::result name##read(  \
        T *to, cudaSurfaceObject_t surface, parameters,                                       \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                  \
    {                                                                                         \
        cudacpu_surface_read(surface, shape, to, sizeof(T), place, mode);                     \
    }                                                                                         \
    template <class T>                                                                        \
    inline __attribute__((always_inline))                                                     \
    T name##read(cudaSurfaceObject_t surface, parameters,                                     \
                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                         \
    {                                                                                         \
        typename std::enable_if<std::is_void<typename cudacpu::OfSurface<T>::result>::value,  \
                                T>::type value;                                               \
        cudacpu_surface_read(surface, shape, &value, sizeof(T), place, mode);                 \
        return value;                                                                         \
    }                                                                                         \
    template <class T>                                                                        \
    inline __attribute__((always_inline)) typename cudacpu::OfSurface<T>::result name##write( \
        T value, cudaSurfaceObject_t surface, parameters,                                     \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                  \
    {                                                                                         \
        cudacpu_surface_write(surface, shape, &value, sizeof(T), place, mode);                \
    }

CUDACPU_SURFACE(surf1D, cudaSurfaceType1D, int x, CUDACPU_LIST(x, 0, 0))
CUDACPU_SURFACE(surf2D, cudaSurfaceType2D, CUDACPU_LIST(int x, int y), CUDACPU_LIST(x, y, 0))
CUDACPU_SURFACE(surf3D, cudaSurfaceType3D, CUDACPU_LIST(int x, int y, int z), CUDACPU_LIST(x, y, z))
CUDACPU_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, CUDACPU_LIST(int x, int layer),
                CUDACPU_LIST(x, 0, layer))
CUDACPU_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, CUDACPU_LIST(int x, int y, int layer),
                CUDACPU_LIST(x, y, layer))
CUDACPU_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, CUDACPU_LIST(int x, int y, int face),
                CUDACPU_LIST(x, y, face))
CUDACPU_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered,
                CUDACPU_LIST(int x, int y, int layer_face), CUDACPU_LIST(x, y, layer_face))
#undef CUDACPU_SURFACE
#undef CUDACPU_LIST

#endif
