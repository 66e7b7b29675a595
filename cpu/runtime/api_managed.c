// The calls about managed memory. Host and device share it already, so they move nothing; they only
// check their arguments.
#include "api_device.h"
#include "capture.h"
#include "error.h"
#include "memory.h"
#include "stream.h"

static cudaError_t check_managed(const void *managed, size_t bytes, cudaMemLocation location)
{
    Allocation a;
    const bool right = bytes > 0 && memory_place(managed, bytes) == ON_BOTH &&
                       memory_copy_of(managed, &a) && (a.kind == MANAGED || a.kind == VARIABLE);
    if (right && location.type == cudaMemLocationTypeDevice &&
        api_check_device(location.id) == cudaErrorInvalidDevice)
    {
        return error_note(cudaErrorInvalidDevice);
    }
    return right ? error_status() : error_note(cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void *managed, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    const cudaError_t allowed = capture_any() ? capture_allows_stream(stream) : cudaSuccess;
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    return flags != 0 || location.type == cudaMemLocationTypeInvalid
               ? error_note(cudaErrorInvalidValue)
               : check_managed(managed, bytes, location);
}

cudaError_t cudaMemAdvise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location)
{
    return advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy
               ? error_note(cudaErrorInvalidValue)
               : check_managed(managed, bytes, location);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *managed, size_t bytes,
                                     unsigned int flags)
{
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    const cudaError_t allowed = capture_any() ? capture_allows_stream(stream) : cudaSuccess;
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    const bool known = flags == cudaMemAttachGlobal || flags == cudaMemAttachHost ||
                       (flags == cudaMemAttachSingle && stream != NULL);
    Allocation a;
    if (!known || memory_place(managed, bytes) != ON_BOTH || !memory_copy_of(managed, &a) ||
        (bytes != 0 && (a.start != managed || a.bytes != bytes)))
    {
        return error_note(cudaErrorInvalidValue);
    }
    return error_status();
}
