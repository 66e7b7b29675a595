// The calls that allocate and free CUDA arrays, ask about them, and copy to and from them.
#include <stdio.h>
#include <stdlib.h>
#include "api_copy.h"
#include "api_memory.h"
#include "array.h"
#include "capture.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "memory.h"
#include "report.h"

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind)
{
    return (cudaChannelFormatDesc){x, y, z, w, kind};
}

// --- allocating ----------------------------------------------------------------------------------

enum
{
    NO_LIMIT = 0
};

typedef struct Limit
{
    unsigned width, height, slices;
} Limit;

// The largest array of each kind. That a surface shall access it makes a difference for lines only.
static Limit limit_of(cudaExtent extent, unsigned flags)
{
    const bool is_layered = (flags & cudaArrayLayered) != 0;
    if (flags & cudaArrayCubemap)
    {
        return is_layered ? (Limit){32768, 32768, 2046} : (Limit){32768, 32768, 6};
    }
    if (is_layered)
    {
        return (Limit){32768, extent.height == 0 ? NO_LIMIT : 32768, 2048};
    }
    if (extent.height == 0)
    {
        return (Limit){flags & cudaArraySurfaceLoadStore ? 32768 : 131072, NO_LIMIT, NO_LIMIT};
    }
    if (extent.depth > 0)
    {
        const bool is_deep = extent.depth > 16384; // maxTexture3D, or maxTexture3DAlt
        return is_deep ? (Limit){8192, 8192, 32768} : (Limit){16384, 16384, 16384};
    }
    return flags & cudaArrayTextureGather ? (Limit){32768, 32768, NO_LIMIT}
                                          : (Limit){131072, 65536, NO_LIMIT};
}

// Why there is no such array; NULL: there is.
static const char *fault_of_extent(cudaExtent extent, unsigned flags)
{
    const bool is_layered = (flags & cudaArrayLayered) != 0;
    const bool is_cube = (flags & cudaArrayCubemap) != 0;
    const Limit limit = limit_of(extent, flags);
    if (extent.width == 0)
    {
        return "its width is 0";
    }
    if (is_cube && (extent.width != extent.height || extent.depth == 0 || extent.depth % 6 != 0 ||
                    (!is_layered && extent.depth != 6)))
    {
        return "a cubemap is as high as it is wide and has 6 faces, and 6 for each layer";
    }
    if (is_layered && extent.depth == 0)
    {
        return "it has no layers";
    }
    if (!is_layered && !is_cube && extent.height == 0 && extent.depth != 0)
    {
        return "it has a depth, but no height";
    }
    if ((flags & cudaArrayTextureGather) != 0 &&
        (is_layered || is_cube || extent.height == 0 || extent.depth != 0))
    {
        return "cudaArrayTextureGather is for 2-D arrays only";
    }
    if (extent.width > limit.width || (limit.height != NO_LIMIT && extent.height > limit.height) ||
        (limit.slices != NO_LIMIT && extent.depth > limit.slices))
    {
        return "it is larger than cudaGetDeviceProperties allows for its kind";
    }
    return NULL;
}

static cudaError_t allocate(cudaArray_t *result, const cudaChannelFormatDesc *format,
                            cudaExtent extent, unsigned flags)
{
    const unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                           cudaArrayTextureGather | cudaArrayColorAttachment;
    if (!error_none())
    {
        return error_status();
    }
    if (result == NULL || format == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t allowed = capture_any() ? capture_allows() : cudaSuccess;
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping))
    {
        return report_call(cudaErrorNotSupported,
                           "a sparse array, or one that is mapped later, needs a GPU");
    }
    struct cudaArray a = {.format = *format, .extent = extent, .flags = flags};
    if (!texel_format(format, &a.texel))
    {
        return report_call(cudaErrorInvalidChannelDescriptor,
                           "no element has channels of %d, %d, %d and %d bits: there are 1, 2 or 4 "
                           "of 8, 16 or 32 bits each",
                           format->x, format->y, format->z, format->w);
    }
    const char *fault = flags & ~known ? "a flag is not known" : fault_of_extent(extent, flags);
    if (fault != NULL)
    {
        return report_call(cudaErrorInvalidValue, "an array of %zu x %zu x %zu elements: %s",
                           extent.width, extent.height, extent.depth, fault);
    }
    a.width = extent.width;
    a.height = extent.height > 0 ? extent.height : 1;
    a.slices = extent.depth > 0 ? extent.depth : 1;
    a.device = this_device;
    a.pitch = a.width * a.texel.bytes; // none of these products is larger than 2^60
    a.slice = a.pitch * a.height;
    void *data = NULL;
    const cudaError_t error =
        api_allocate(this_device, &data, a.slice * a.slices, DEVICE, OF_ARRAY);
    if (error != cudaSuccess)
    {
        return error;
    }
    struct cudaArray *copy = malloc(sizeof(*copy));
    if (copy == NULL)
    {
        memory_free(data, false);
        return error_note(cudaErrorMemoryAllocation);
    }
    a.data = data;
    *copy = a;
    array_add(copy);
    GIVE(result, copy);
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned int flags)
{
    if (flags & (cudaArrayLayered | cudaArrayCubemap))
    {
        return report_call(cudaErrorInvalidValue,
                           "cudaMalloc3DArray makes arrays with layers and cubemaps");
    }
    return allocate(array, format, (cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                              cudaExtent extent, unsigned int flags)
{
    return allocate(array, format, extent, flags);
}

// --- freeing and asking --------------------------------------------------------------------------

static cudaError_t explain_handle(const char *which, cudaArray_const_t array)
{
    return report_call(cudaErrorInvalidValue, "%s%s", which,
                       array == NULL                       ? "is a null pointer"
                       : array_state(array) == ARRAY_FREED ? "was freed before"
                                                           : "is not the handle of an array");
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (!error_none())
    {
        return error_status();
    }
    const cudaError_t allowed = capture_any() ? capture_allows() : cudaSuccess;
    if (allowed != cudaSuccess || array == NULL)
    {
        return error_note(allowed);
    }
    if (array_state(array) != ARRAY_THERE)
    {
        return explain_handle("this array ", array);
    }
    api_await_users(array->data);
    memory_free(array->data, false);
    array_remove(array);
    return error_status();
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array)
{
    if (array_state(array) != ARRAY_THERE)
    {
        return explain_handle("the array ", array);
    }
    if (format != NULL)
    {
        GIVE(format, array->format);
    }
    if (extent != NULL)
    {
        GIVE(extent, array->extent);
    }
    if (flags != NULL)
    {
        GIVE(flags, array->flags);
    }
    return error_status();
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array)
{
    return format == NULL ? error_note(cudaErrorInvalidValue)
                          : cudaArrayGetInfo(format, NULL, NULL, (cudaArray_t)array);
}

// --- copies of rows ------------------------------------------------------------------------------

// A part of an array: from byte x of row y on, so many rows of so many bytes.
typedef struct Part
{
    cudaArray_const_t array;
    size_t x, y;
} Part;

static cudaError_t check_part(const char *which, Part p, size_t width, size_t height)
{
    if (array_state(p.array) != ARRAY_THERE)
    {
        return explain_handle(which, p.array);
    }
    const size_t row = p.array->pitch, rows = p.array->height;
    if (p.x <= row && width <= row - p.x && p.y <= rows && height <= rows - p.y)
    {
        return cudaSuccess;
    }
    char what[200];
    array_describe(p.array, what, sizeof(what));
    return report_call(cudaErrorInvalidValue,
                       "%zu rows of %zu bytes from byte %zu of row %zu on do not fit: %sis %s",
                       height, width, p.x, p.y, which, what);
}

static char *address_of(Part p)
{
    return p.array->data + p.y * p.array->pitch + p.x;
}

static cudaError_t check_pitch(size_t pitch, size_t width)
{
    return pitch >= width
               ? cudaSuccess
               : report_call(cudaErrorInvalidPitchValue,
                             "rows of %zu bytes do not fit into a pitch of %zu", width, pitch);
}

// `wrong`: the direction that would lead to the other side.
static cudaError_t check_direction(cudaMemcpyKind kind, cudaMemcpyKind wrong)
{
    return kind != wrong && kind != cudaMemcpyHostToHost
               ? cudaSuccess
               : report_call(cudaErrorInvalidMemcpyDirection, "this direction is not %s an array",
                             wrong == cudaMemcpyDeviceToHost ? "to" : "from");
}

static cudaError_t to_array(Part to, const void *from, size_t pitch, size_t width, size_t height,
                            cudaMemcpyKind kind, cudaStream_t stream, bool asynchronous)
{
    cudaError_t error = check_direction(kind, cudaMemcpyDeviceToHost);
    error = error == cudaSuccess ? check_part("the destination ", to, width, height) : error;
    error = error == cudaSuccess && height > 1 ? check_pitch(pitch, width) : error;
    if (error != cudaSuccess)
    {
        return error;
    }
    const Copy c = {.to = address_of(to),
                    .from = from,
                    .pitch_to = to.array->pitch,
                    .pitch_from = pitch,
                    .box = {width, height, 1}};
    return api_copy_box(&c, kind, stream, asynchronous);
}

static cudaError_t from_array(void *to, size_t pitch, Part from, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream, bool asynchronous)
{
    cudaError_t error = check_direction(kind, cudaMemcpyHostToDevice);
    error = error == cudaSuccess ? check_part("the source ", from, width, height) : error;
    error = error == cudaSuccess && height > 1 ? check_pitch(pitch, width) : error;
    if (error != cudaSuccess)
    {
        return error;
    }
    const Copy c = {.to = to,
                    .from = address_of(from),
                    .pitch_to = pitch,
                    .pitch_from = from.array->pitch,
                    .box = {width, height, 1}};
    return api_copy_box(&c, kind, stream, asynchronous);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
{
    return to_array((Part){to, x, y}, from, pitch, width, height, kind, NULL, false);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
    return to_array((Part){to, x, y}, from, pitch, width, height, kind, stream, true);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind)
{
    return from_array(to, pitch, (Part){from, x, y}, width, height, kind, NULL, false);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    return from_array(to, pitch, (Part){from, x, y}, width, height, kind, stream, true);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x_to, size_t y_to,
                                     cudaArray_const_t from, size_t x_from, size_t y_from,
                                     size_t width, size_t height, cudaMemcpyKind kind)
{
    const Part part = {to, x_to, y_to};
    const cudaError_t error = check_part("the destination ", part, width, height);
    return error != cudaSuccess
               ? error
               : from_array(address_of(part), to->pitch, (Part){from, x_from, y_from}, width,
                            height, kind, NULL, false);
}

// --- copies of bytes, which go on in the next row -------------------------------------------------

static cudaError_t check_bytes(const char *which, Part p, size_t bytes)
{
    if (array_state(p.array) != ARRAY_THERE)
    {
        return explain_handle(which, p.array);
    }
    const size_t row = p.array->pitch, rows = p.array->height;
    if (p.x <= row && p.y < rows && bytes <= (rows - p.y) * row - p.x)
    {
        return cudaSuccess;
    }
    char what[200];
    array_describe(p.array, what, sizeof(what));
    return report_call(cudaErrorInvalidValue,
                       "%zu bytes from byte %zu of row %zu on do not fit: %sis %s", bytes, p.x, p.y,
                       which, what);
}

static cudaError_t bytes_to_array(Part to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                  cudaStream_t stream, bool asynchronous)
{
    cudaError_t error = check_direction(kind, cudaMemcpyDeviceToHost);
    error = error == cudaSuccess ? check_bytes("the destination ", to, bytes) : error;
    return error != cudaSuccess
               ? error
               : api_copy_box(&(Copy){.to = address_of(to), .from = from, .box = {bytes, 1, 1}},
                              kind, stream, asynchronous);
}

static cudaError_t bytes_from_array(void *to, Part from, size_t bytes, cudaMemcpyKind kind,
                                    cudaStream_t stream, bool asynchronous)
{
    cudaError_t error = check_direction(kind, cudaMemcpyHostToDevice);
    error = error == cudaSuccess ? check_bytes("the source ", from, bytes) : error;
    return error != cudaSuccess
               ? error
               : api_copy_box(&(Copy){.to = to, .from = address_of(from), .box = {bytes, 1, 1}},
                              kind, stream, asynchronous);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              cudaMemcpyKind kind)
{
    return bytes_to_array((Part){to, x, y}, from, bytes, kind, NULL, false);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    return bytes_to_array((Part){to, x, y}, from, bytes, kind, stream, true);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind)
{
    return bytes_from_array(to, (Part){from, x, y}, bytes, kind, NULL, false);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind, cudaStream_t stream)
{
    return bytes_from_array(to, (Part){from, x, y}, bytes, kind, stream, true);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x_to, size_t y_to, cudaArray_const_t from,
                                   size_t x_from, size_t y_from, size_t bytes, cudaMemcpyKind kind)
{
    const Part part = {to, x_to, y_to};
    const cudaError_t error = check_bytes("the destination ", part, bytes);
    return error != cudaSuccess ? error
                                : bytes_from_array(address_of(part), (Part){from, x_from, y_from},
                                                   bytes, kind, NULL, false);
}
