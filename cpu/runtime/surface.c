// Surfaces: arrays that kernels read and write by bytes, in no other form than they lie there.
#include <stdio.h>
#include <string.h>
#include "check.h"
#include "report.h"
#include "texture.h"

#define CALLER ((char *)__builtin_return_address(0) - 1)

// The name of a function begins so: surf2D, surf2DLayered.
static const char *name_of_type(int type)
{
    return type == cudaSurfaceType1D          ? "surf1D"
           : type == cudaSurfaceType2D        ? "surf2D"
           : type == cudaSurfaceType3D        ? "surf3D"
           : type == cudaSurfaceType1DLayered ? "surf1DLayered"
           : type == cudaSurfaceType2DLayered ? "surf2DLayered"
           : type == cudaSurfaceTypeCubemap   ? "surfCubemap"
                                              : "surfCubemapLayered";
}

// (The faces of a cubemap are layers, too.)
CALLED_BY_KERNELS static bool fits(const Texture *t, int type)
{
    const bool is_layered = (t->flags & cudaArrayLayered) != 0;
    const bool is_cube = (t->flags & cudaArrayCubemap) != 0;
    const bool is_plain = !is_layered && !is_cube;
    switch (type)
    {
    case cudaSurfaceType1D:
        return is_plain && t->dimensions <= 2 && t->size[1] == 1;
    case cudaSurfaceType2D:
        return is_plain && t->dimensions <= 2;
    case cudaSurfaceType3D:
        return is_plain && t->dimensions == 3;
    case cudaSurfaceType1DLayered:
        return is_layered && t->dimensions == 1;
    case cudaSurfaceType2DLayered:
        return is_cube || (is_layered && t->dimensions == 2);
    case cudaSurfaceTypeCubemap:
        return is_cube && !is_layered;
    default:
        return is_cube && is_layered;
    }
}

typedef struct Access
{
    int type, x, y, z;
    size_t bytes;
    bool writes;
    const void *pc;
} Access;

_Noreturn static void fail_place(const Texture *t, const Access *a)
{
    char what[200], place[100];
    texture_describe(t, what, sizeof(what));
    const bool has_layer = t->num_layers > 0;
    const bool has_y = t->size[1] > 1 || a->y != 0,
               has_z = has_layer || a->z != 0 || t->size[2] > 1;
    size_t used = (size_t)snprintf(place, sizeof(place), "x of %d bytes", a->x);
    if (has_y)
    {
        used += (size_t)snprintf(place + used, sizeof(place) - used, ", y of %d", a->y);
    }
    if (has_z)
    {
        snprintf(place + used, sizeof(place) - used, ", %s of %d",
                 (t->flags & cudaArrayCubemap) != 0 ? "face"
                 : has_layer                        ? "layer"
                                                    : "z",
                 a->z);
    }
    texture_fail(a->pc, cudaErrorLaunchFailure,
                 "%s%s of %zu bytes at %s is outside the surface, which is %s: an x counts bytes",
                 name_of_type(a->type), a->writes ? "write" : "read", a->bytes, place, what);
}

CALLED_BY_KERNELS static int cut(int i, size_t N)
{
    return i < 0 ? 0 : (size_t)i < N ? i : (int)N - 1;
}

// The address of what is accessed; NULL: the access is outside, and there is nothing.
CALLED_BY_KERNELS static char *address_of(cudaSurfaceObject_t handle, Access a,
                                          cudaSurfaceBoundaryMode mode)
{
    const Texture *t = texture_find(handle, SURFACE);
    if (__builtin_expect(t == NULL, 0))
    {
        texture_fail_object(a.pc, handle, SURFACE);
    }
    if (__builtin_expect(!fits(t, a.type), 0))
    {
        char what[200];
        texture_describe(t, what, sizeof(what));
        texture_fail(a.pc, cudaErrorLaunchFailure, "%s%s cannot access this surface, which is %s",
                     name_of_type(a.type), a.writes ? "write" : "read", what);
    }
    if (__builtin_expect((t->flags & cudaArraySurfaceLoadStore) == 0, 0))
    {
        texture_fail(a.pc, cudaErrorLaunchFailure,
                     "%s%s needs an array made with cudaArraySurfaceLoadStore",
                     name_of_type(a.type), a.writes ? "write" : "read");
    }
    const size_t row = t->size[0] * t->format.bytes;
    const size_t slices = t->num_layers > 0 ? t->num_layers : t->size[2];
    const bool inside = a.x >= 0 && a.y >= 0 && a.z >= 0 && (size_t)a.x + a.bytes <= row &&
                        (size_t)a.y < t->size[1] && (size_t)a.z < slices;
    if (__builtin_expect(!inside, 0))
    {
        if (mode == cudaBoundaryModeZero)
        {
            return NULL;
        }
        if (mode != cudaBoundaryModeClamp || row < a.bytes)
        {
            fail_place(t, &a);
        }
        const size_t last = (row - a.bytes) / a.bytes * a.bytes;
        a.x = a.x < 0 ? 0 : (size_t)a.x > last ? (int)last : a.x;
        a.y = cut(a.y, t->size[1]);
        a.z = cut(a.z, slices);
    }
    if (__builtin_expect((size_t)a.x % a.bytes != 0, 0))
    {
        texture_fail(a.pc, cudaErrorMisalignedAddress,
                     "%s%s at x of %d bytes, no multiple of the %zu bytes that it accesses: an x "
                     "counts bytes",
                     name_of_type(a.type), a.writes ? "write" : "read", a.x, a.bytes);
    }
    char *at = (char *)t->data + (size_t)a.z * t->slice + (size_t)a.y * t->pitch + (size_t)a.x;
    check_access(at, a.bytes, a.writes, a.pc);
    return at;
}

// A few bytes, as one access of the processor's where it has one.
CALLED_BY_KERNELS static void move(char *to, const char *from, size_t bytes)
{
    switch (bytes)
    {
    case 1:
        *to = *from;
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, 16);
        break;
    }
}

CALLED_BY_KERNELS void cudacpu_surface_read(cudaSurfaceObject_t surface, int type, void *to,
                                            size_t bytes, int x, int y, int z,
                                            cudaSurfaceBoundaryMode mode)
{
    static const char NOTHING[16];
    const Access access = {type, x, y, z, bytes, false, CALLER};
    const char *at = address_of(surface, access, mode);
    move(to, at != NULL ? at : NOTHING, bytes);
}

CALLED_BY_KERNELS void cudacpu_surface_write(cudaSurfaceObject_t surface, int type,
                                             const void *from, size_t bytes, int x, int y, int z,
                                             cudaSurfaceBoundaryMode mode)
{
    const Access access = {type, x, y, z, bytes, true, CALLER};
    char *at = address_of(surface, access, mode);
    if (at != NULL)
    {
        move(at, from, bytes);
    }
}
