// CUDA arrays, and the objects that read and write them: textures and surfaces. Plain C, like the
// original. What kernels call is in cudacpu_texture.h and cudacpu_surface.h.
#ifndef CUDACPU_ARRAY_H
#define CUDACPU_ARRAY_H
#define __TEXTURE_TYPES_H__ // programs ask which of the original's headers they have
#define __SURFACE_TYPES_H__
#include "cuda_runtime_api.h"

// --- channels: what an element of an array is made of ---------------------------------------------

typedef enum cudaChannelFormatKind
{
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
    cudaChannelFormatKindNV12 = 4,
    cudaChannelFormatKindUnsignedNormalized8X1 = 5,
    cudaChannelFormatKindUnsignedNormalized8X2 = 6,
    cudaChannelFormatKindUnsignedNormalized8X4 = 7,
    cudaChannelFormatKindUnsignedNormalized16X1 = 8,
    cudaChannelFormatKindUnsignedNormalized16X2 = 9,
    cudaChannelFormatKindUnsignedNormalized16X4 = 10,
    cudaChannelFormatKindSignedNormalized8X1 = 11,
    cudaChannelFormatKindSignedNormalized8X2 = 12,
    cudaChannelFormatKindSignedNormalized8X4 = 13,
    cudaChannelFormatKindSignedNormalized16X1 = 14,
    cudaChannelFormatKindSignedNormalized16X2 = 15,
    cudaChannelFormatKindSignedNormalized16X4 = 16
} cudaChannelFormatKind;

typedef struct cudaChannelFormatDesc
{
    int x, y, z, w; // bits
    cudaChannelFormatKind f;
} cudaChannelFormatDesc;

// --- arrays ---------------------------------------------------------------------------------------

#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08
#define cudaArrayColorAttachment 0x20
#define cudaArraySparse 0x40
#define cudaArrayDeferredMapping 0x80

typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;

// --- what a texture or a surface reads ------------------------------------------------------------

typedef enum cudaResourceType
{
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
} cudaResourceType;

typedef struct cudaResourceDesc
{
    cudaResourceType resType;
    union
    {
        struct
        {
            cudaArray_t array;
        } array;
        struct
        {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct
        {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct
        {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct
        {
            int reserved[32];
        } reserved;
    } res;
    unsigned int flags;
} cudaResourceDesc;

typedef enum cudaResourceViewFormat
{
    cudaResViewFormatNone = 0,
    cudaResViewFormatUnsignedChar1 = 1,
    cudaResViewFormatUnsignedChar2 = 2,
    cudaResViewFormatUnsignedChar4 = 3,
    cudaResViewFormatSignedChar1 = 4,
    cudaResViewFormatSignedChar2 = 5,
    cudaResViewFormatSignedChar4 = 6,
    cudaResViewFormatUnsignedShort1 = 7,
    cudaResViewFormatUnsignedShort2 = 8,
    cudaResViewFormatUnsignedShort4 = 9,
    cudaResViewFormatSignedShort1 = 10,
    cudaResViewFormatSignedShort2 = 11,
    cudaResViewFormatSignedShort4 = 12,
    cudaResViewFormatUnsignedInt1 = 13,
    cudaResViewFormatUnsignedInt2 = 14,
    cudaResViewFormatUnsignedInt4 = 15,
    cudaResViewFormatSignedInt1 = 16,
    cudaResViewFormatSignedInt2 = 17,
    cudaResViewFormatSignedInt4 = 18,
    cudaResViewFormatHalf1 = 19,
    cudaResViewFormatHalf2 = 20,
    cudaResViewFormatHalf4 = 21,
    cudaResViewFormatFloat1 = 22,
    cudaResViewFormatFloat2 = 23,
    cudaResViewFormatFloat4 = 24
} cudaResourceViewFormat;

typedef struct cudaResourceViewDesc
{
    cudaResourceViewFormat format;
    size_t width, height, depth;
    unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    unsigned int reserved[16];
} cudaResourceViewDesc;

// --- textures -------------------------------------------------------------------------------------

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

typedef enum cudaTextureAddressMode
{
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
} cudaTextureAddressMode;

typedef enum cudaTextureFilterMode
{
    cudaFilterModePoint = 0,
    cudaFilterModeLinear = 1
} cudaTextureFilterMode;

typedef enum cudaTextureReadMode
{
    cudaReadModeElementType = 0,
    cudaReadModeNormalizedFloat = 1
} cudaTextureReadMode;

typedef struct cudaTextureDesc
{
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
} cudaTextureDesc;

typedef unsigned long long cudaTextureObject_t;

// --- surfaces -------------------------------------------------------------------------------------

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

typedef enum cudaSurfaceBoundaryMode
{
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2
} cudaSurfaceBoundaryMode;

typedef enum cudaSurfaceFormatMode
{
    cudaFormatModeForced = 0,
    cudaFormatModeAuto = 1
} cudaSurfaceFormatMode;

typedef unsigned long long cudaSurfaceObject_t;

// --- the calls ------------------------------------------------------------------------------------

#ifdef __cplusplus
extern "C"
{
#endif

    cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                cudaChannelFormatKind kind);
    cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array);

    cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                                size_t width, size_t height __dv(0), unsigned int flags __dv(0));
    cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                                  cudaExtent extent, unsigned int flags __dv(0));
    cudaError_t cudaFreeArray(cudaArray_t array);
    cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent,
                                 unsigned int *flags, cudaArray_t array);

    cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                  size_t bytes, cudaMemcpyKind kind);
    cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                       size_t bytes, cudaMemcpyKind kind,
                                       cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y,
                                    size_t bytes, cudaMemcpyKind kind);
    cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                         size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x_to, size_t y_to,
                                       cudaArray_const_t from, size_t x_from, size_t y_from,
                                       size_t bytes,
                                       cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice));
    cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                    size_t pitch, size_t width, size_t height, cudaMemcpyKind kind);
    cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                         size_t pitch, size_t width, size_t height,
                                         cudaMemcpyKind kind, cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                      size_t y, size_t width, size_t height, cudaMemcpyKind kind);
    cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                           size_t y, size_t width, size_t height,
                                           cudaMemcpyKind kind, cudaStream_t stream __dv(0));
    cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x_to, size_t y_to,
                                         cudaArray_const_t from, size_t x_from, size_t y_from,
                                         size_t width, size_t height,
                                         cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice));

    cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                        const cudaResourceDesc *resource,
                                        const cudaTextureDesc *how,
                                        const cudaResourceViewDesc *view);
    cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
    cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                                 cudaTextureObject_t texture);
    cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *how, cudaTextureObject_t texture);
    cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view,
                                                     cudaTextureObject_t texture);
    cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                        const cudaResourceDesc *resource);
    cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);
    cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource,
                                                 cudaSurfaceObject_t surface);
    cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width,
                                                     const cudaChannelFormatDesc *format,
                                                     int device);

    // What kernels call. Of a texel each channel takes four bytes: an integer or a float.
    typedef struct cudacpu_Texel
    {
        unsigned int channel[4];
    } cudacpu_Texel;
    cudacpu_Texel cudacpu_texture_element(cudaTextureObject_t texture, int x);
    cudacpu_Texel cudacpu_texture(cudaTextureObject_t texture, int type, float x, float y, float z,
                                  int layer);
    cudacpu_Texel cudacpu_texture_gather(cudaTextureObject_t texture, float x, float y,
                                         int channel);
    void cudacpu_surface_read(cudaSurfaceObject_t surface, int type, void *to, size_t bytes, int x,
                              int y, int z, cudaSurfaceBoundaryMode mode);
    void cudacpu_surface_write(cudaSurfaceObject_t surface, int type, const void *from,
                               size_t bytes, int x, int y, int z, cudaSurfaceBoundaryMode mode);

    // What texture references are bound by: *texture is the object that stands for the binding.
    cudaError_t cudacpu_bind(cudaTextureObject_t *texture, size_t *offset,
                             const cudaResourceDesc *resource, const cudaTextureDesc *how);
    cudaError_t cudacpu_bind_surface(cudaSurfaceObject_t *surface, cudaArray_const_t array);
    cudaError_t cudacpu_unbind(unsigned long long *object);

#ifdef __cplusplus
}
#endif

#endif
