// The calls that make, destroy and describe texture and surface objects, and those that bind
// references.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api_device.h"
#include "api_memory.h"
#include "array.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "memory.h"
#include "queue.h"
#include "report.h"
#include "texture.h"

enum
{
    TEXTURE_ALIGNMENT = 512, // as cudaGetDeviceProperties says
    PITCH_ALIGNMENT = 32,
    MAX_LINEAR = 1 << 28, // elements
    MAX_PITCHED_WIDTH = 131072,
    MAX_PITCHED_HEIGHT = 65000,
    MAX_PITCH = 2097120
};

// --- the objects that are never destroyed --------------------------------------------------------

static void list_leaks(int status, void *unused)
{
    (void)unused;
    Texture t;
    for (size_t next = 0; status == 0 && api_lists_leaks() && texture_never_ended(&next, &t);)
    {
        if (error_of_device(t.device) == cudaSuccess)
        {
            report_from(t.callers, t.num_callers,
                        t.kind == TEXTURE ? "a texture object was never destroyed"
                                          : "a surface object was never destroyed");
        }
    }
}

static __attribute__((constructor(101))) void tell_at_exit(void)
{
    on_exit(list_leaks, NULL);
}

// --- what an object reads ------------------------------------------------------------------------

static cudaError_t read_array(const cudaResourceDesc *resource, Texture *t)
{
    const struct cudaArray *a = resource->res.array.array;
    if (array_state(a) != ARRAY_THERE)
    {
        return report_call(a == NULL ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue,
                           "the resource is %s",
                           a == NULL                       ? "an array that is a null pointer"
                           : array_state(a) == ARRAY_FREED ? "an array that was freed"
                                                           : "no array that cudaMallocArray gave");
    }
    const bool has_layers = (a->flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
    t->data = a->data;
    t->size[0] = a->width;
    t->size[1] = a->height;
    t->size[2] = has_layers ? 1 : a->slices;
    t->num_layers = has_layers ? (unsigned)a->slices : 0;
    t->pitch = a->pitch;
    t->slice = a->slice;
    t->flags = a->flags;
    t->dimensions = array_is_line(a) ? 1 : has_layers || a->extent.depth == 0 ? 2 : 3;
    t->format = a->texel;
    return cudaSuccess;
}

// Whether a texture may read so many bytes there. A texture of an object begins where an allocation
// does, or at a distance that is a multiple of the alignment.
static cudaError_t check_memory(const char *start, size_t bytes, bool is_aligned)
{
    Allocation a;
    const Place place = memory_place(start, bytes);
    if (start == NULL || place == PAGEABLE || place == INVALID || !memory_copy_of(start, &a))
    {
        return report_call(cudaErrorInvalidValue, "%zu bytes at %p are not memory of the device",
                           bytes, (const void *)start);
    }
    if (is_aligned && (start - a.start) % TEXTURE_ALIGNMENT != 0)
    {
        return report_call(
            cudaErrorInvalidValue,
            "a texture begins at a multiple of %d bytes (textureAlignment), and this "
            "one %zu bytes behind the start of an allocation",
            TEXTURE_ALIGNMENT, (size_t)(start - a.start));
    }
    return cudaSuccess;
}

static cudaError_t check_format(const cudaChannelFormatDesc *format, TexelFormat *texel)
{
    return texel_format(format, texel)
               ? cudaSuccess
               : report_call(cudaErrorInvalidChannelDescriptor,
                             "no element has channels of %d, %d, %d and %d bits: there are 1, 2 or "
                             "4 of 8, 16 or 32 bits each",
                             format->x, format->y, format->z, format->w);
}

static cudaError_t read_linear(const cudaResourceDesc *resource, bool is_aligned, Texture *t)
{
    cudaError_t error = check_format(&resource->res.linear.desc, &t->format);
    if (error != cudaSuccess)
    {
        return error;
    }
    const size_t bytes = resource->res.linear.sizeInBytes;
    t->data = resource->res.linear.devPtr;
    t->size[0] = bytes / t->format.bytes;
    t->size[1] = t->size[2] = 1;
    t->dimensions = 1;
    if (t->size[0] > MAX_LINEAR)
    {
        return report_call(cudaErrorInvalidValue,
                           "%zu elements: a texture has at most %d in linear memory", t->size[0],
                           MAX_LINEAR);
    }
    return check_memory(t->data, bytes, is_aligned);
}

static cudaError_t read_pitched(const cudaResourceDesc *resource, bool is_aligned, Texture *t)
{
    cudaError_t error = check_format(&resource->res.pitch2D.desc, &t->format);
    if (error != cudaSuccess)
    {
        return error;
    }
    const size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    const size_t pitch = resource->res.pitch2D.pitchInBytes;
    if (width == 0 || height == 0 || width > MAX_PITCHED_WIDTH || height > MAX_PITCHED_HEIGHT ||
        pitch > MAX_PITCH)
    {
        return report_call(cudaErrorInvalidValue,
                           "%zu x %zu elements with a pitch of %zu: there may be %d x %d, with a "
                           "pitch of at most %d",
                           width, height, pitch, MAX_PITCHED_WIDTH, MAX_PITCHED_HEIGHT, MAX_PITCH);
    }
    if (pitch % PITCH_ALIGNMENT != 0) // it may be less than a row, as on a GPU
    {
        return report_call(cudaErrorInvalidValue,
                           "a pitch of %zu bytes: it must be a multiple of %d (as that of "
                           "cudaMallocPitch is)",
                           pitch, PITCH_ALIGNMENT);
    }
    t->data = resource->res.pitch2D.devPtr;
    t->size[0] = width;
    t->size[1] = height;
    t->size[2] = 1;
    t->pitch = pitch;
    t->dimensions = 2;
    return check_memory(t->data, (height - 1) * pitch + width * t->format.bytes, is_aligned);
}

static cudaError_t read_resource(const cudaResourceDesc *resource, bool is_aligned, Texture *t)
{
    t->resource_type = resource->resType;
    t->resource = *resource;
    t->device = this_device;
    switch (resource->resType)
    {
    case cudaResourceTypeArray:
        return read_array(resource, t);
    case cudaResourceTypeLinear:
        return read_linear(resource, is_aligned, t);
    case cudaResourceTypePitch2D:
        return read_pitched(resource, is_aligned, t);
    case cudaResourceTypeMipmappedArray:
        return report_call(cudaErrorNotSupported, "a mipmapped array needs a GPU");
    default:
        return error_note(cudaErrorInvalidValue);
    }
}

// --- how it reads --------------------------------------------------------------------------------

static cudaError_t read_modes(const cudaTextureDesc *how, Texture *t)
{
    for (int i = 0; i < 3; ++i)
    {
        if ((unsigned)how->addressMode[i] > cudaAddressModeBorder)
        {
            return report_call(cudaErrorInvalidValue, "%d is no cudaTextureAddressMode",
                               how->addressMode[i]);
        }
    }
    if ((unsigned)how->filterMode > cudaFilterModeLinear ||
        (unsigned)how->readMode > cudaReadModeNormalizedFloat)
    {
        return report_call(cudaErrorInvalidValue, "the filter mode or the read mode is none");
    }
    t->how = *how;
    t->normalized = t->format.normalized || (how->readMode == cudaReadModeNormalizedFloat &&
                                             texel_can_be_normalized(&t->format));
    if (how->filterMode == cudaFilterModeLinear && t->resource_type != cudaResourceTypeLinear &&
        !t->normalized && !texel_is_float(&t->format))
    {
        return report_call(cudaErrorInvalidFilterSetting,
                           "a linear filter is for floats: integers of 8 or 16 bits need "
                           "cudaReadModeNormalizedFloat");
    }
    if (how->readMode == cudaReadModeNormalizedFloat && !t->normalized &&
        !texel_is_float(&t->format))
    {
        return report_call(cudaErrorInvalidNormSetting,
                           "integers of 32 bits cannot be read as normalized floats");
    }
    memcpy(t->border.channel, how->borderColor, sizeof(t->border.channel));
    if (how->sRGB)
    {
        texel_prepare_srgb();
    }
    return cudaSuccess;
}

// A view of memory changes nothing: a GPU takes no notice of it.
static cudaError_t read_view(const cudaResourceViewDesc *view, Texture *t)
{
    if (t->resource_type != cudaResourceTypeArray)
    {
        return cudaSuccess;
    }
    const unsigned bytes = t->format.bytes;
    if (view->format != cudaResViewFormatNone &&
        (!texel_format_of_view(view->format, &t->format) || t->format.bytes != bytes))
    {
        return report_call(cudaErrorInvalidValue,
                           "the view's format is compressed, or its elements do not have the %u "
                           "bytes of the array's",
                           bytes);
    }
    const cudaExtent extent = t->resource.res.array.array->extent;
    if (view->width != extent.width || view->height != extent.height ||
        view->depth != extent.depth || view->firstMipmapLevel != 0 || view->lastMipmapLevel != 0)
    {
        return report_call(cudaErrorInvalidValue,
                           "the view is not as large as the array: %zu x %zu x %zu, and no levels",
                           extent.width, extent.height, extent.depth);
    }
    if (view->firstLayer > view->lastLayer ||
        (view->lastLayer != 0 && view->lastLayer >= t->num_layers))
    {
        return report_call(cudaErrorInvalidValue, "the array has no layers from %u to %u",
                           view->firstLayer, view->lastLayer);
    }
    const unsigned num_layers = view->lastLayer - view->firstLayer + 1;
    if ((t->flags & cudaArrayCubemap) != 0 && view->lastLayer > 0 &&
        (view->firstLayer % 6 != 0 || num_layers % 6 != 0))
    {
        return report_call(cudaErrorInvalidValue,
                           "layers %u to %u are no whole cubemaps, which have 6 each",
                           view->firstLayer, view->lastLayer);
    }
    if (t->num_layers > 0 && view->lastLayer > 0)
    {
        t->data += view->firstLayer * t->slice;
        t->num_layers = num_layers;
    }
    t->view = *view;
    return cudaSuccess;
}

static void note_callers(Texture *t)
{
    if (api_lists_leaks())
    {
        t->num_callers = report_callers(t->callers, NULL);
    }
}

static cudaError_t make_texture(const cudaResourceDesc *resource, const cudaTextureDesc *how,
                                const cudaResourceViewDesc *view, bool of_reference, Texture *t)
{
    *t = (Texture){.kind = TEXTURE};
    cudaError_t error = read_resource(resource, !of_reference, t);
    error = error == cudaSuccess && view != NULL ? read_view(view, t) : error;
    return error == cudaSuccess ? read_modes(how, t) : error;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *how, const cudaResourceViewDesc *view)
{
    if (!error_none())
    {
        return error_status();
    }
    if (texture == NULL || resource == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (how == NULL)
    {
        return report_call(cudaErrorInvalidResourceHandle,
                           "a texture needs a description, and this one is a null pointer");
    }
    Texture t;
    const cudaError_t error = make_texture(resource, how, view, false, &t);
    if (error == cudaSuccess)
    {
        note_callers(&t);
        GIVE(texture, texture_add(&t));
    }
    return error;
}

// The array may be one without cudaArraySurfaceLoadStore: what is wrong then is the access.
static cudaError_t make_surface(const cudaResourceDesc *resource, Texture *t)
{
    if (resource->resType != cudaResourceTypeArray)
    {
        return report_call(cudaErrorInvalidValue, "only an array can be a surface");
    }
    *t = (Texture){.kind = SURFACE};
    return read_resource(resource, true, t);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const cudaResourceDesc *resource)
{
    if (!error_none())
    {
        return error_status();
    }
    if (surface == NULL || resource == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    Texture t;
    const cudaError_t error = make_surface(resource, &t);
    if (error == cudaSuccess)
    {
        note_callers(&t);
        GIVE(surface, texture_add(&t));
    }
    return error;
}

// --- destroying and asking -----------------------------------------------------------------------

static cudaError_t explain_handle(unsigned long long handle, ObjectKind kind)
{
    return report_call(cudaErrorInvalidValue, "this %s object %s",
                       kind == TEXTURE ? "texture" : "surface",
                       texture_was_there(handle) ? "was destroyed before, or is of another kind"
                                                 : "was never made");
}

static cudaError_t destroy(unsigned long long handle, ObjectKind kind)
{
    if (!error_none())
    {
        return error_status();
    }
    return handle == 0 || texture_end(handle, kind) ? error_status() : explain_handle(handle, kind);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    return destroy(texture, TEXTURE);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    return destroy(surface, SURFACE);
}

static const Texture *object_of(unsigned long long handle, ObjectKind kind)
{
    const Texture *t = texture_find(handle, kind);
    return t != NULL && !t->ended ? t : NULL;
}

static cudaError_t tell_resource(cudaResourceDesc *resource, unsigned long long handle,
                                 ObjectKind kind)
{
    const Texture *t = object_of(handle, kind);
    if (t == NULL || resource == NULL)
    {
        return t == NULL ? explain_handle(handle, kind) : error_note(cudaErrorInvalidValue);
    }
    GIVE(resource, t->resource);
    return error_status();
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaTextureObject_t texture)
{
    return tell_resource(resource, texture, TEXTURE);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource,
                                             cudaSurfaceObject_t surface)
{
    return tell_resource(resource, surface, SURFACE);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *how, cudaTextureObject_t texture)
{
    const Texture *t = object_of(texture, TEXTURE);
    if (t == NULL || how == NULL)
    {
        return t == NULL ? explain_handle(texture, TEXTURE) : error_note(cudaErrorInvalidValue);
    }
    GIVE(how, t->how);
    return error_status();
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc *view,
                                                 cudaTextureObject_t texture)
{
    const Texture *t = object_of(texture, TEXTURE);
    if (t == NULL)
    {
        return explain_handle(texture, TEXTURE);
    }
    if (view == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(view, t->view); // all 0 without one
    return error_status();
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const cudaChannelFormatDesc *format,
                                                 int device)
{
    TexelFormat texel;
    if (width == NULL || format == NULL || !texel_format(format, &texel))
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (api_check_device(device) != cudaSuccess)
    {
        return error_note(api_check_device(device));
    }
    GIVE(width, MAX_LINEAR);
    return cudaSuccess;
}

// --- references ----------------------------------------------------------------------------------

// A kernel that was launched before reads the variable later: it must find the old binding.
static void replace(unsigned long long *object, unsigned long long new)
{
    if (*object != 0)
    {
        queue_wait_all(this_device);
        if (!texture_end(*object, TEXTURE))
        {
            texture_end(*object, SURFACE);
        }
    }
    *object = new;
}

cudaError_t cudacpu_bind(cudaTextureObject_t *texture, size_t *offset,
                         const cudaResourceDesc *resource, const cudaTextureDesc *how)
{
    if (!error_none())
    {
        return error_status();
    }
    // Without a size it is as long as the allocation.
    cudaResourceDesc whole = *resource;
    Allocation a;
    if (resource->resType == cudaResourceTypeLinear &&
        resource->res.linear.sizeInBytes == UINT32_MAX &&
        memory_copy_of(resource->res.linear.devPtr, &a) &&
        (char *)resource->res.linear.devPtr >= a.start)
    {
        const size_t before = (size_t)((char *)resource->res.linear.devPtr - a.start);
        whole.res.linear.sizeInBytes = before < a.bytes ? a.bytes - before : 0;
    }
    Texture t;
    const cudaError_t error = make_texture(&whole, how, NULL, true, &t);
    if (error != cudaSuccess)
    {
        return error;
    }
    if (offset != NULL)
    {
        GIVE(offset, 0);
    }
    replace(texture, texture_add(&t));
    return cudaSuccess;
}

cudaError_t cudacpu_bind_surface(cudaSurfaceObject_t *surface, cudaArray_const_t array)
{
    const cudaResourceDesc resource = {.resType = cudaResourceTypeArray,
                                       .res.array.array = (cudaArray_t)array};
    if (!error_none())
    {
        return error_status();
    }
    Texture t;
    const cudaError_t error = make_surface(&resource, &t);
    if (error == cudaSuccess)
    {
        replace(surface, texture_add(&t));
    }
    return error;
}

cudaError_t cudacpu_unbind(unsigned long long *object)
{
    if (!error_none())
    {
        return error_status();
    }
    replace(object, 0);
    return cudaSuccess;
}
