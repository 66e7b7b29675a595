// The calls about managed memory. Host and devices share it already, so they move nothing; they
// check their arguments and remember what they were told.
#include "check.h"
#include "managed_advice.h"
#include "api_device.h"
#include "capture.h"
#include "device.h"
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

static int place_of(cudaMemLocation location)
{
    return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
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
    if (flags != 0 || location.type == cudaMemLocationTypeInvalid)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error = check_managed(managed, bytes, location);
    if (error == cudaSuccess)
    {
        managed_advice_note(managed, bytes, PREFETCHED, place_of(location));
    }
    return error;
}

cudaError_t cudaMemAdvise(const void *managed, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location)
{
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error = check_managed(managed, bytes, location);
    if (error != cudaSuccess)
    {
        return error;
    }
    const int place = place_of(location), accessor = ACCESSED_BY + (place - cudaCpuDeviceId);
    switch (advice)
    {
    case cudaMemAdviseSetReadMostly:
        managed_advice_note(managed, bytes, READ_MOSTLY, 1);
        break;
    case cudaMemAdviseUnsetReadMostly:
        managed_advice_note(managed, bytes, READ_MOSTLY, 0);
        break;
    case cudaMemAdviseSetPreferredLocation:
        managed_advice_note(managed, bytes, PREFERRED, place);
        break;
    case cudaMemAdviseUnsetPreferredLocation:
        managed_advice_note(managed, bytes, PREFERRED, cudaInvalidDeviceId);
        break;
    case cudaMemAdviseSetAccessedBy:
        managed_advice_note(managed, bytes, accessor, 1);
        break;
    case cudaMemAdviseUnsetAccessedBy:
        managed_advice_note(managed, bytes, accessor, 0);
        break;
    }
    return error;
}

// The devices (and cudaCpuDeviceId) that were named for the whole range; then cudaInvalidDeviceId.
static void list_accessors(int *list, size_t length, const void *managed, size_t bytes)
{
    size_t num = 0;
    for (int device = cudaCpuDeviceId; device < number_of_devices() && num < length; ++device)
    {
        const int topic = ACCESSED_BY + (device - cudaCpuDeviceId);
        if (managed_advice_of(managed, bytes, topic, 0) == 1)
        {
            GIVE(&list[num++], device);
        }
    }
    while (num < length)
    {
        GIVE(&list[num++], cudaInvalidDeviceId);
    }
}

static cudaMemLocationType type_of(int place)
{
    return place == cudaInvalidDeviceId ? cudaMemLocationTypeInvalid
           : place == cudaCpuDeviceId   ? cudaMemLocationTypeHost
                                        : cudaMemLocationTypeDevice;
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, cudaMemRangeAttribute which,
                                     const void *managed, size_t bytes)
{
    const bool is_list = which == cudaMemRangeAttributeAccessedBy;
    if (data == NULL || size == 0 || (is_list ? size % sizeof(int) != 0 : size != sizeof(int)) ||
        which < cudaMemRangeAttributeReadMostly ||
        which > cudaMemRangeAttributeLastPrefetchLocationId)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaError_t error =
        check_managed(managed, bytes, (cudaMemLocation){cudaMemLocationTypeHost, 0});
    if (error != cudaSuccess)
    {
        return error;
    }
    const int preferred = managed_advice_of(managed, bytes, PREFERRED, cudaInvalidDeviceId);
    const int prefetched = managed_advice_of(managed, bytes, PREFETCHED, cudaInvalidDeviceId);
    int *value = data;
    switch (which)
    {
    case cudaMemRangeAttributeReadMostly:
        GIVE(value, managed_advice_of(managed, bytes, READ_MOSTLY, 0));
        break;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributePreferredLocationId:
        GIVE(value, preferred);
        break;
    case cudaMemRangeAttributePreferredLocationType:
        GIVE(value, (int)type_of(preferred));
        break;
    case cudaMemRangeAttributeAccessedBy:
        list_accessors(value, size / sizeof(int), managed, bytes);
        break;
    case cudaMemRangeAttributeLastPrefetchLocation:
    case cudaMemRangeAttributeLastPrefetchLocationId:
        GIVE(value, prefetched);
        break;
    case cudaMemRangeAttributeLastPrefetchLocationType:
        GIVE(value, (int)type_of(prefetched));
        break;
    }
    return error;
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes, cudaMemRangeAttribute *which,
                                      size_t number, const void *managed, size_t bytes)
{
    cudaError_t error = data == NULL || sizes == NULL || which == NULL || number == 0
                            ? cudaErrorInvalidValue
                            : cudaSuccess;
    for (size_t i = 0; error == cudaSuccess && i < number; ++i)
    {
        error = cudaMemRangeGetAttribute(data[i], sizes[i], which[i], managed, bytes);
    }
    return error_note(error);
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
