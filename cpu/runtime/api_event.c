// The calls about events.
#include "call_log.h"
#include "capture.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "event.h"
#include "stream.h"

static cudaError_t create(cudaEvent_t *event, unsigned int flags)
{
    const unsigned int known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!error_none())
    {
        return error_status();
    }
    if (event == NULL || flags & ~known ||
        (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(event, event_create(this_device, flags));
    return error_note(*event != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    return CALL(create(event, flags), "cudaEventCreateWithFlags(%p, %u)",
                event != NULL ? (void *)*event : NULL, flags);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return CALL(create(event, cudaEventDefault), "cudaEventCreate(%p)",
                event != NULL ? (void *)*event : NULL);
}

static cudaError_t destroy(cudaEvent_t event)
{
    if (!event_destroy(event))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    return error_status();
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return CALL(destroy(event), "cudaEventDestroy(%p)", (void *)event);
}

static cudaError_t record(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    if (!error_none())
    {
        return error_status();
    }
    if (!event_exists(event) || !stream_exists(stream) ||
        event->device != stream_of(stream)->device)
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (flags > cudaEventRecordExternal)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (capture_any())
    {
        bool captured;
        const cudaError_t error =
            capture_record(event, stream, flags == cudaEventRecordExternal, &captured);
        if (error != cudaSuccess || captured)
        {
            return error_note(error);
        }
    }
    if (flags == cudaEventRecordExternal)
    {
        return error_note(cudaErrorIllegalState); // the flag is for captured streams
    }
    event_record(event, stream);
    return error_status();
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    return CALL(record(event, stream, flags), "cudaEventRecordWithFlags(%p, %p, %u)", (void *)event,
                (void *)stream, flags);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return CALL(record(event, stream, cudaEventRecordDefault), "cudaEventRecord(%p, %p)",
                (void *)event, (void *)stream);
}

// Whether the event is one that the host may ask for, or wait for.
static cudaError_t check_capture(cudaEvent_t event)
{
    return capture_any() || event->capture != 0 ? capture_allows_event(event) : cudaSuccess;
}

static cudaError_t synchronize(cudaEvent_t event)
{
    if (!event_exists(event))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    const cudaError_t error = error_status();
    const cudaError_t allowed = check_capture(event);
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    if (error != cudaErrorNotPermitted)
    {
        event_wait(event);
    }
    return error_status_of(event->device);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return CALL(synchronize(event), "cudaEventSynchronize(%p)", (void *)event);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    if (!event_exists(event))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (!error_none() || error_of_device(event->device) != cudaSuccess)
    {
        return !error_none() ? error_status() : error_status_of(event->device);
    }
    const cudaError_t allowed = check_capture(event);
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    return event_done(event) ? cudaSuccess : error_note(cudaErrorNotReady);
}

static cudaError_t elapsed(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    if (milliseconds == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (event_exists(start) && event_exists(stop) && (start->capture != 0 || stop->capture != 0))
    {
        return error_note(cudaErrorCapturedEvent);
    }
    if (!event_exists(start) || !event_exists(stop) || start->device != stop->device ||
        start->sequence == 0 || stop->sequence == 0 ||
        (start->flags | stop->flags) & cudaEventDisableTiming)
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (!event_done(start) || !event_done(stop))
    {
        return error_note(cudaErrorNotReady);
    }
    GIVE(milliseconds, 1e3 * (stop->seconds - start->seconds));
    return error_status();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    return CALL(elapsed(milliseconds, start, stop), "cudaEventElapsedTime(%p, %p)", (void *)start,
                (void *)stop);
}
