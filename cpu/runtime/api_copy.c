// The calls that copy and set: where the bytes lie, whether that makes sense, and who waits for
// them.
#include "api_copy.h"
#include <stdio.h>
#include <unistd.h>
#include "api_device.h"
#include "array.h"
#include "call_log.h"
#include "capture.h"
#include "check.h"
#include "copy.h"
#include "device.h"
#include "error.h"
#include "memory.h"
#include "queue.h"
#include "report.h"
#include "stream.h"

static bool direction_fits(Place to, Place from, cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    // Pinned host memory has the same address on the device, so it may stand for either side.
    return kind == cudaMemcpyDefault ||
           ((to == ON_BOTH || (to == ON_HOST && to_device) || (to == ON_DEVICE) == to_device) &&
            (from == ON_BOTH || (from == ON_HOST && from_device) ||
             (from == ON_DEVICE) == from_device));
}

// How many bytes lie between the first and the last of a box, for these distances of rows and
// slices. More than there are numbers is SIZE_MAX, which no memory has.
static size_t span(cudaExtent box, size_t pitch, size_t slice)
{
    size_t slices, rows, sum;
    return __builtin_mul_overflow(box.depth - 1, slice, &slices) ||
                   __builtin_mul_overflow(box.height - 1, pitch, &rows) ||
                   __builtin_add_overflow(slices, rows, &sum) ||
                   __builtin_add_overflow(sum, box.width, &sum)
               ? SIZE_MAX
               : sum;
}

static size_t slice_of(cudaPitchedPtr memory)
{
    size_t bytes;
    return __builtin_mul_overflow(memory.pitch, memory.ysize, &bytes) ? SIZE_MAX : bytes;
}

static bool is_inside(size_t size, size_t offset, size_t whole)
{
    return offset <= whole && size <= whole - offset;
}

// A copy that the host waits for also waits for earlier work of the device that has the memory, if
// that is not the one whose stream copies.
static cudaError_t await_owner(const void *memory, Place place, cudaStream_t stream)
{
    Allocation a;
    if (place != ON_DEVICE || !memory_copy_of(memory, &a) || a.device == stream_of(stream)->device)
    {
        return cudaSuccess;
    }
    queue_wait_all(a.device);
    return error_of_device(a.device);
}

static bool is_empty(cudaExtent box)
{
    return box.width == 0 || box.height == 0 || box.depth == 0;
}

// Whether the copy makes sense, and where its sides lie.
static cudaError_t check_places(const Copy *c, cudaMemcpyKind kind, Place *to, Place *from)
{
    *to = memory_place(c->to, span(c->box, c->pitch_to, c->slice_to));
    *from = memory_place(c->from, span(c->box, c->pitch_from, c->slice_from));
    *to = c->to == cudacpu_symbol ? INVALID : *to;
    *from = c->from == cudacpu_symbol ? INVALID : *from;
    const bool right = c->to != NULL && c->from != NULL && *to != INVALID && *from != INVALID &&
                       direction_fits(*to, *from, kind);
    return right ? cudaSuccess : cudaErrorInvalidValue;
}

static const char *const KIND_NAMES[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                         "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                         "cudaMemcpyDefault"};

static inline const char *kind_name(cudaMemcpyKind kind)
{
    return (unsigned)kind <= cudaMemcpyDefault ? KIND_NAMES[kind] : "?";
}

char cudacpu_symbol[1]; // what the rewriter writes where a copy is given a device variable's name

// Why `bytes` bytes from `start` on cannot be copied or set: one side of a copy.
static void explain_range(const char *side, const void *start, size_t bytes, char *text,
                          size_t size)
{
    Allocation a;
    if (start == NULL)
    {
        snprintf(text, size, "the %s is a null pointer", side);
    }
    else if (start == cudacpu_symbol)
    {
        snprintf(text, size,
                 "the %s is the name of a device variable, whose address the host does not have: "
                 "use cudaMemcpyToSymbol or cudaGetSymbolAddress",
                 side);
    }
    else if (!memory_copy_of(start, &a))
    {
        snprintf(text, size, "the %s, %p, is not memory of the device", side, start);
    }
    else if (a.kind == KERNEL_HEAP)
    {
        snprintf(text, size,
                 "the %s is memory of malloc or new in a kernel, which only kernels reach", side);
    }
    else if (a.kind == FREED || a.ending)
    {
        snprintf(text, size, "the %s is memory of %zu bytes that was freed", side, a.bytes);
    }
    else
    {
        snprintf(text, size,
                 "the %s has %zu bytes from there on (an allocation of %zu), and %zu are asked for",
                 side, a.start + a.bytes > (char *)start ? a.start + a.bytes - (char *)start : 0,
                 a.bytes, bytes);
    }
}

static const char *place_name(const void *start, Place place)
{
    Allocation a;
    if (place != ON_BOTH || !memory_copy_of(start, &a))
    {
        return place == ON_DEVICE ? "on the device" : "on the host";
    }
    return a.kind == CONSTANT ? "a constant" : a.kind == SYMBOL ? "a device variable" : "managed";
}

static cudaError_t explain_copy(const Copy *c, cudaMemcpyKind kind, Place to, Place from)
{
    char why[400];
    if (c->to == NULL || to == INVALID)
    {
        explain_range("destination", c->to, span(c->box, c->pitch_to, c->slice_to), why,
                      sizeof(why));
    }
    else if (c->from == NULL || from == INVALID)
    {
        explain_range("source", c->from, span(c->box, c->pitch_from, c->slice_from), why,
                      sizeof(why));
    }
    else
    {
        snprintf(why, sizeof(why), "%s, but the source is %s and the destination %s",
                 KIND_NAMES[kind], place_name(c->from, from), place_name(c->to, to));
    }
    return report_call(cudaErrorInvalidValue, "%s", why);
}

static cudaPitchedPtr pitched(const char *p, size_t pitch, size_t slice, cudaExtent box)
{
    return (cudaPitchedPtr){(char *)p, pitch, pitch, slice == 0 ? box.height : slice / pitch};
}

// *captured: the copy has gone into the graph that the stream captures.
static cudaError_t capture_copy(const Copy *c, cudaMemcpyKind kind, cudaStream_t stream,
                                bool asynchronous, bool *captured)
{
    *captured = false;
    if (!asynchronous)
    {
        return capture_allows_wait(NULL);
    }
    const Work work = {.type = cudaGraphNodeTypeMemcpy,
                       .copy = {.dstPtr = pitched(c->to, c->pitch_to, c->slice_to, c->box),
                                .srcPtr = pitched(c->from, c->pitch_from, c->slice_from, c->box),
                                .extent = c->box,
                                .kind = kind}};
    return capture_work(stream, &work, captured);
}

static bool between_devices(const void *to, const void *from)
{
    Allocation a, b;
    return memory_copy_of(to, &a) && memory_copy_of(from, &b) && a.device != b.device;
}

// Touches each page of the host's side of a copy: memory that ends too early raises its signal here, in
// the call, and not in the thread that copies.
static void touch(char *start, const Copy *c, size_t pitch, size_t slice, bool writes)
{
    const uintptr_t page = sysconf(_SC_PAGESIZE);
    const char *touched = NULL; // the end of what has been
    for (size_t z = 0; z < c->box.depth; ++z)
    {
        for (size_t y = 0; y < c->box.height; ++y)
        {
            char *row = start + z * slice + y * pitch, *const end = row + c->box.width;
            for (row = row > touched ? row : (char *)touched; row < end;
                 row = (char *)(((uintptr_t)row / page + 1) * page))
            {
                if (writes) // what is there, atomically: other threads may write, too
                {
                    char none = 0;
                    __atomic_compare_exchange_n(row, &none, 0, false, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED);
                }
                else
                {
                    (void)*(volatile char *)row;
                }
            }
            touched = row;
        }
    }
}

static cudaError_t copy(const Copy *c, cudaMemcpyKind kind, cudaStream_t stream, bool asynchronous)
{
    const cudaExtent box = c->box;
    if (!error_none())
    {
        return error_status();
    }
    if ((unsigned)kind > cudaMemcpyDefault)
    {
        return report_call(cudaErrorInvalidMemcpyDirection, "%d is no cudaMemcpyKind", kind);
    }
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (is_empty(box))
    {
        return cudaSuccess;
    }
    Place to, from;
    cudaError_t error = check_places(c, kind, &to, &from);
    if (error != cudaSuccess)
    {
        return explain_copy(c, kind, to, from);
    }
    bool captured = false;
    if (capture_any())
    {
        error = capture_copy(c, kind, stream, asynchronous, &captured);
    }
    if (error != cudaSuccess || captured)
    {
        return error_note(error);
    }
    if (!asynchronous)
    {
        const cudaError_t error_to = await_owner(c->to, to, stream);
        const cudaError_t error_from = await_owner(c->from, from, stream);
        if (error_to != cudaSuccess || error_from != cudaSuccess)
        {
            return error_note(error_to != cudaSuccess ? error_to : error_from);
        }
    }
    if (to == PAGEABLE)
    {
        touch(c->to, c, c->pitch_to, c->slice_to, true);
    }
    if (from == PAGEABLE)
    {
        touch((char *)c->from, c, c->pitch_from, c->slice_from, false);
    }
    uint64_t sequence = 0;
    for (size_t z = 0; z < box.depth; ++z)
    {
        sequence = copy_add(stream, &(Rows){.to = c->to + z * c->slice_to,
                                            .from = c->from + z * c->slice_from,
                                            .pitch_to = c->pitch_to,
                                            .pitch_from = c->pitch_from,
                                            .width = box.width,
                                            .height = box.height});
    }
    // The program may free pageable memory when the call returns. So a copy from or to it is done
    // by then, even an asynchronous one. A copy within the device does not wait.
    const bool pageable = to == PAGEABLE || from == PAGEABLE;
    const bool within = to == ON_DEVICE && from == ON_DEVICE && !between_devices(c->to, c->from);
    if (pageable || (!asynchronous && !within))
    {
        // A GPU has then read the program's bytes, but need not have written them.
        check_wait_begin(asynchronous && from == PAGEABLE && to == ON_DEVICE);
        stream_wait(stream, sequence);
        check_wait_end();
    }
    return error_status_of(stream_of(stream)->device);
}

cudaError_t api_copy_box(const Copy *c, cudaMemcpyKind kind, cudaStream_t stream, bool asynchronous)
{
    return copy(c, kind, stream, asynchronous);
}

// --- copies --------------------------------------------------------------------------------------

static cudaError_t copy_1d(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream, bool asynchronous)
{
    return copy(&(Copy){.to = to, .from = from, .box = {bytes, 1, 1}}, kind, stream, asynchronous);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return CALL(copy_1d(to, from, bytes, kind, NULL, false), "cudaMemcpy(%p, %p, %zu, %s)", to,
                from, bytes, kind_name(kind));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return CALL(copy_1d(to, from, bytes, kind, stream, true),
                "cudaMemcpyAsync(%p, %p, %zu, %s, %p)", to, from, bytes, kind_name(kind),
                (void *)stream);
}

static cudaError_t copy_2d(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                           size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                           bool asynchronous)
{
    if (pitch_to < width || pitch_from < width || pitch_to > INT32_MAX || pitch_from > INT32_MAX)
    {
        return report_call(cudaErrorInvalidPitchValue,
                           "rows of %zu bytes do not fit into pitches of %zu (destination) and %zu "
                           "(source)",
                           width, pitch_to, pitch_from);
    }
    const Copy c = {.to = to,
                    .from = from,
                    .pitch_to = pitch_to,
                    .pitch_from = pitch_from,
                    .box = {width, height, 1}};
    return copy(&c, kind, stream, asynchronous);
}

cudaError_t cudaMemcpy2D(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                         size_t width, size_t height, cudaMemcpyKind kind)
{
    return copy_2d(to, pitch_to, from, pitch_from, width, height, kind, NULL, false);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t pitch_to, const void *from, size_t pitch_from,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
    return copy_2d(to, pitch_to, from, pitch_from, width, height, kind, stream, true);
}

// One side of a copy of which a side is an array: *at is its corner.
static cudaError_t find_corner(cudaArray_t array, cudaPitchedPtr memory, cudaPos at, cudaExtent box,
                               char **corner, size_t *pitch, size_t *slice)
{
    if (array != NULL ? memory.ptr != NULL || array_state(array) != ARRAY_THERE
                      : memory.ptr == NULL)
    {
        return cudaErrorInvalidValue;
    }
    if (array == NULL)
    {
        const bool fits = is_inside(box.width, at.x, memory.pitch) &&
                          (box.depth == 1 || is_inside(box.height, at.y, memory.ysize));
        *corner = copy_corner(memory, at);
        *pitch = memory.pitch;
        *slice = slice_of(memory);
        return fits ? cudaSuccess : cudaErrorInvalidPitchValue;
    }
    if (__builtin_mul_overflow(at.x, array->texel.bytes, &at.x))
    {
        return cudaErrorInvalidValue;
    }
    *corner = array->data + at.z * array->slice + at.y * array->pitch + at.x;
    *pitch = array->pitch;
    *slice = array->slice;
    const bool fits = is_inside(box.width, at.x, array->pitch) &&
                      is_inside(box.height, at.y, array->height) &&
                      is_inside(box.depth, at.z, array->slices);
    return fits ? cudaSuccess : cudaErrorInvalidValue;
}

// The same with arrays: the width counts their elements.
static cudaError_t read_with_arrays(const cudaMemcpy3DParms *p, Copy *c)
{
    const cudaArray_t to = p->dstArray, from = p->srcArray;
    if ((to != NULL && array_state(to) != ARRAY_THERE) ||
        (from != NULL && array_state(from) != ARRAY_THERE) ||
        (to != NULL && from != NULL && to->texel.bytes != from->texel.bytes))
    {
        return cudaErrorInvalidValue;
    }
    c->box = p->extent;
    if (__builtin_mul_overflow(c->box.width, to != NULL ? to->texel.bytes : from->texel.bytes,
                               &c->box.width))
    {
        return cudaErrorInvalidValue;
    }
    char *corner = NULL;
    cudaError_t error =
        find_corner(from, p->srcPtr, p->srcPos, c->box, &corner, &c->pitch_from, &c->slice_from);
    c->from = corner;
    if (error == cudaSuccess)
    {
        error = find_corner(to, p->dstPtr, p->dstPos, c->box, &c->to, &c->pitch_to, &c->slice_to);
    }
    return error;
}

// The copy that the parameters describe.
static cudaError_t read_parameters(const cudaMemcpy3DParms *p, Copy *c)
{
    if (p == NULL)
    {
        return cudaErrorInvalidValue;
    }
    if (p->srcArray != NULL || p->dstArray != NULL)
    {
        return read_with_arrays(p, c);
    }
    if (!is_inside(p->extent.width, p->srcPos.x, p->srcPtr.pitch) ||
        !is_inside(p->extent.width, p->dstPos.x, p->dstPtr.pitch))
    {
        return cudaErrorInvalidPitchValue;
    }
    // Rows beyond ysize matter only where a next slice begins after them.
    if (p->extent.depth > 1 && (!is_inside(p->extent.height, p->srcPos.y, p->srcPtr.ysize) ||
                                !is_inside(p->extent.height, p->dstPos.y, p->dstPtr.ysize)))
    {
        return cudaErrorInvalidValue;
    }
    *c = (Copy){.to = copy_corner(p->dstPtr, p->dstPos),
                .from = copy_corner(p->srcPtr, p->srcPos),
                .pitch_to = p->dstPtr.pitch,
                .pitch_from = p->srcPtr.pitch,
                .slice_to = slice_of(p->dstPtr),
                .slice_from = slice_of(p->srcPtr),
                .box = p->extent};
    return cudaSuccess;
}

// Why a copy with an array is refused.
static cudaError_t explain_arrays(const cudaMemcpy3DParms *p, cudaError_t error)
{
    const cudaArray_t arrays[] = {p->srcArray, p->dstArray};
    char whats[2][200] = {"memory", "memory"};
    for (int i = 0; i < 2; ++i)
    {
        const ArrayState state = arrays[i] != NULL ? array_state(arrays[i]) : ARRAY_THERE;
        if (state != ARRAY_THERE)
        {
            return report_call(error, "the %s %s", i == 0 ? "source" : "destination",
                               state == ARRAY_FREED ? "is an array that was freed"
                                                    : "is no array that cudaMallocArray gave");
        }
        if (arrays[i] != NULL)
        {
            array_describe(arrays[i], whats[i], sizeof(whats[i]));
        }
    }
    return report_call(
        error,
        "%zu x %zu x %zu elements from (%zu,%zu,%zu) of %s to (%zu,%zu,%zu) of %s do "
        "not fit, or a side is missing",
        p->extent.width, p->extent.height, p->extent.depth, p->srcPos.x, p->srcPos.y, p->srcPos.z,
        whats[0], p->dstPos.x, p->dstPos.y, p->dstPos.z, whats[1]);
}

static cudaError_t copy_3d(const cudaMemcpy3DParms *p, cudaStream_t stream, bool asynchronous)
{
    Copy c;
    const cudaError_t error = read_parameters(p, &c);
    if (error != cudaSuccess && p != NULL && (p->srcArray != NULL || p->dstArray != NULL))
    {
        return explain_arrays(p, error);
    }
    return error != cudaSuccess ? error_note(error) : copy(&c, p->kind, stream, asynchronous);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    return copy_3d(p, NULL, false);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return copy_3d(p, stream, true);
}

static bool device_exists(int device)
{
    return api_check_device(device) != cudaErrorInvalidDevice;
}

// One address space serves all devices.
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    return !device_exists(to_device) || !device_exists(from_device)
               ? error_note(cudaErrorInvalidDevice)
               : copy_1d(to, from, bytes, cudaMemcpyDefault, stream, true);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    return !device_exists(to_device) || !device_exists(from_device)
               ? error_note(cudaErrorInvalidDevice)
               : copy_1d(to, from, bytes, cudaMemcpyDefault, NULL, false);
}

static cudaError_t copy_3d_peer(const cudaMemcpy3DPeerParms *p, cudaStream_t stream,
                                bool asynchronous)
{
    if (p == NULL || !device_exists(p->srcDevice) || !device_exists(p->dstDevice))
    {
        return error_note(p == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice);
    }
    return copy_3d(&(cudaMemcpy3DParms){.srcArray = p->srcArray,
                                        .srcPos = p->srcPos,
                                        .srcPtr = p->srcPtr,
                                        .dstArray = p->dstArray,
                                        .dstPos = p->dstPos,
                                        .dstPtr = p->dstPtr,
                                        .extent = p->extent,
                                        .kind = cudaMemcpyDefault},
                   stream, asynchronous);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return copy_3d_peer(p, stream, true);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *p)
{
    return copy_3d_peer(p, NULL, false);
}

// --- variables of the device --------------------------------------------------------------------

cudaError_t cudacpu_find_symbol(const void *symbol, size_t bytes)
{
    return memory_is_symbol(symbol, bytes)
               ? cudaSuccess
               : report_call(cudaErrorInvalidSymbol, "the symbol is no __device__ or __constant__ "
                                                     "variable: it lies in the host's memory");
}

static cudaError_t explain_symbol(size_t bytes, size_t offset, size_t size)
{
    return report_call(cudaErrorInvalidValue,
                       "%zu bytes at offset %zu do not fit into a variable of %zu bytes", bytes,
                       offset, size);
}

cudaError_t cudacpu_copy_to_symbol(const void *symbol, size_t size, const void *from, size_t bytes,
                                   size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                                   bool asynchronous)
{
    const cudaError_t error = cudacpu_find_symbol(symbol, size);
    if (error != cudaSuccess)
    {
        return error;
    }
    if (!is_inside(bytes, offset, size))
    {
        return explain_symbol(bytes, offset, size);
    }
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
    {
        return error_note(cudaErrorInvalidMemcpyDirection);
    }
    return copy_1d((char *)symbol + offset, from, bytes, kind, stream, asynchronous);
}

cudaError_t cudacpu_copy_from_symbol(void *to, const void *symbol, size_t size, size_t bytes,
                                     size_t offset, cudaMemcpyKind kind, cudaStream_t stream,
                                     bool asynchronous)
{
    const cudaError_t error = cudacpu_find_symbol(symbol, size);
    if (error != cudaSuccess)
    {
        return error;
    }
    if (!is_inside(bytes, offset, size))
    {
        return explain_symbol(bytes, offset, size);
    }
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
    {
        return error_note(cudaErrorInvalidMemcpyDirection);
    }
    return copy_1d(to, (const char *)symbol + offset, bytes, kind, stream, asynchronous);
}

// --- sets ----------------------------------------------------------------------------------------

// *captured: the set has gone into the graph that the stream captures.
static cudaError_t capture_set(cudaPitchedPtr to, int value, cudaExtent box, cudaStream_t stream,
                               bool asynchronous, bool *captured)
{
    *captured = false;
    if (!asynchronous)
    {
        return capture_allows_wait(NULL);
    }
    if (box.depth > 1 && to.ysize != box.height)
    {
        fprintf(stderr, "CPU backend: a set of slices in a stream that captures: not supported\n");
        return cudaErrorNotSupported; // a node sets rows of one distance
    }
    const Work work = {.type = cudaGraphNodeTypeMemset,
                       .set = {.dst = to.ptr,
                               .pitch = to.pitch,
                               .value = value & 0xff,
                               .elementSize = 1,
                               .width = box.width,
                               .height = box.height * box.depth}};
    return capture_work(stream, &work, captured);
}

static cudaError_t set(cudaPitchedPtr to, int value, cudaExtent box, cudaStream_t stream,
                       bool asynchronous)
{
    if (!error_none())
    {
        return error_status();
    }
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (is_empty(box))
    {
        return cudaSuccess;
    }
    const size_t slice = slice_of(to);
    const Place place = memory_place(to.ptr, span(box, to.pitch, slice));
    if (to.pitch < box.width)
    {
        return report_call(cudaErrorInvalidValue,
                           "rows of %zu bytes do not fit into a pitch of %zu", box.width, to.pitch);
    }
    if (to.ptr == NULL || place == INVALID || place == PAGEABLE)
    {
        char why[400];
        explain_range("destination", to.ptr, span(box, to.pitch, slice), why, sizeof(why));
        return report_call(cudaErrorInvalidValue, "%s", why);
    }
    if (capture_any())
    {
        bool captured;
        const cudaError_t error = capture_set(to, value, box, stream, asynchronous, &captured);
        if (error != cudaSuccess || captured)
        {
            return error_note(error);
        }
    }
    for (size_t z = 0; z < box.depth; ++z)
    {
        copy_add(stream, &(Rows){.to = (char *)to.ptr + z * slice,
                                 .value = value,
                                 .pitch_to = to.pitch,
                                 .width = box.width,
                                 .height = box.height});
    }
    return cudaSuccess;
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent box, cudaStream_t stream)
{
    return set(to, value, box, stream, true);
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent box)
{
    return set(to, value, box, NULL, false);
}

static cudaError_t set_2d(void *to, size_t pitch, int value, size_t width, size_t height,
                          cudaStream_t stream, bool asynchronous)
{
    return set((cudaPitchedPtr){to, pitch, width, height}, value, (cudaExtent){width, height, 1},
               stream, asynchronous);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream)
{
    return set_2d(to, pitch, value, width, height, stream, true);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return set_2d(to, pitch, value, width, height, NULL, false);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return CALL(set_2d(to, bytes, value, bytes, 1, stream, true),
                "cudaMemsetAsync(%p, %d, %zu, %p)", to, value, bytes, (void *)stream);
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return CALL(set_2d(to, bytes, value, bytes, 1, NULL, false), "cudaMemset(%p, %d, %zu)", to,
                value, bytes);
}

// --- as nodes of a graph -------------------------------------------------------------------------

cudaMemcpy3DParms api_copy_1d(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    return (cudaMemcpy3DParms){.dstPtr = {to, bytes, bytes, 1},
                               .srcPtr = {(void *)from, bytes, bytes, 1},
                               .extent = {bytes, 1, 1},
                               .kind = kind};
}

// A node copies memory: an array is memory, too.
void api_resolve_arrays(cudaMemcpy3DParms *p)
{
    Copy c;
    if ((p->srcArray != NULL || p->dstArray != NULL) && read_parameters(p, &c) == cudaSuccess)
    {
        *p = (cudaMemcpy3DParms){.dstPtr = pitched(c.to, c.pitch_to, c.slice_to, c.box),
                                 .srcPtr = pitched(c.from, c.pitch_from, c.slice_from, c.box),
                                 .extent = c.box,
                                 .kind = p->kind};
    }
}

// Whether a node can copy so.
cudaError_t api_check_copy(const cudaMemcpy3DParms *p)
{
    Copy c;
    Place to, from;
    const cudaError_t error = read_parameters(p, &c);
    return error != cudaSuccess                    ? error
           : (unsigned)p->kind > cudaMemcpyDefault ? cudaErrorInvalidMemcpyDirection
           : is_empty(c.box)                       ? cudaSuccess
                                                   : check_places(&c, p->kind, &to, &from);
}

// Whether a node can set so.
cudaError_t api_check_set(const cudaMemsetParams *p)
{
    const size_t element = p != NULL ? p->elementSize : 0;
    if ((element != 1 && element != 2 && element != 4) || p->dst == NULL || p->width == 0 ||
        p->height == 0)
    {
        return cudaErrorInvalidValue;
    }
    size_t row;
    if (__builtin_mul_overflow(p->width, element, &row))
    {
        return cudaErrorInvalidValue;
    }
    const Place place = memory_place(p->dst, span((cudaExtent){row, p->height, 1}, p->pitch, 0));
    const bool right = place != INVALID && place != PAGEABLE && (uintptr_t)p->dst % element == 0 &&
                       (p->height == 1 || (p->pitch >= row && p->pitch % element == 0));
    return right ? cudaSuccess : cudaErrorInvalidValue;
}
