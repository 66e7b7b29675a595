// The calls about streams, and those that put a function of the host into one.
#include "call_log.h"
#include "capture.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "event.h"
#include "host_function.h"
#include "stream.h"

static cudaError_t create(cudaStream_t *stream, unsigned int flags, int priority)
{
    if (!error_none())
    {
        return error_status();
    }
    if (stream == NULL || flags > cudaStreamNonBlocking)
    {
        return error_note(cudaErrorInvalidValue);
    }
    priority = priority > 0 ? 0 : priority < HIGHEST_PRIORITY ? HIGHEST_PRIORITY : priority;
    GIVE(stream, stream_create(this_device, flags, priority));
    return error_note(*stream != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    return CALL(create(stream, flags, priority), "cudaStreamCreateWithPriority(%p, %u, %d)",
                stream != NULL ? (void *)*stream : NULL, flags, priority);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return CALL(create(stream, flags, 0), "cudaStreamCreateWithFlags(%p, %u)",
                stream != NULL ? (void *)*stream : NULL, flags);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return CALL(create(stream, cudaStreamDefault, 0), "cudaStreamCreate(%p)",
                stream != NULL ? (void *)*stream : NULL);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *lowest, int *highest)
{
    if (lowest != NULL)
    {
        GIVE(lowest, 0);
    }
    if (highest != NULL)
    {
        GIVE(highest, HIGHEST_PRIORITY);
    }
    return error_status();
}

// The operations that were issued to the stream are still done.
static cudaError_t destroy(cudaStream_t stream)
{
    if (stream_is_built_in(stream) || !stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (stream->capturing != NULL)
    {
        capture_leave(stream);
    }
    if (!stream_destroy(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle); // another thread was first
    }
    return error_status();
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return CALL(destroy(stream), "cudaStreamDestroy(%p)", (void *)stream);
}

static cudaError_t check_stream(cudaStream_t stream, bool has_answer)
{
    return !stream_exists(stream) ? error_note(cudaErrorInvalidResourceHandle)
           : !has_answer          ? error_note(cudaErrorInvalidValue)
                                  : error_status();
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    const cudaError_t error = check_stream(stream, priority != NULL);
    if (error == cudaSuccess)
    {
        GIVE(priority, stream_of(stream)->priority);
    }
    return error;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    const cudaError_t error = check_stream(stream, flags != NULL);
    if (error == cudaSuccess)
    {
        GIVE(flags, stream_of(stream)->flags);
    }
    return error;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    const cudaError_t error = check_stream(stream, id != NULL);
    if (error == cudaSuccess)
    {
        GIVE(id, stream_of(stream)->id);
    }
    return error;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    const cudaError_t error = check_stream(stream, device != NULL);
    if (error == cudaSuccess)
    {
        GIVE(device, stream_of(stream)->device);
    }
    return error;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID which,
                                   const cudaStreamAttrValue *value)
{
    const cudaError_t error =
        check_stream(stream, value != NULL && which == cudaStreamAttributeAccessPolicyWindow);
    if (error == cudaSuccess)
    {
        stream_of(stream)->window = value->accessPolicyWindow;
    }
    return error;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID which,
                                   cudaStreamAttrValue *value)
{
    const cudaError_t error =
        check_stream(stream, value != NULL && (which == cudaStreamAttributeAccessPolicyWindow ||
                                               which == cudaStreamAttributePriority));
    if (error != cudaSuccess)
    {
        return error;
    }
    if (which == cudaStreamAttributePriority)
    {
        GIVE(&value->priority, stream_of(stream)->priority);
    }
    else
    {
        GIVE(&value->accessPolicyWindow, stream_of(stream)->window);
    }
    return error;
}

static cudaError_t synchronize(cudaStream_t stream)
{
    const cudaError_t error = check_stream(stream, true);
    if (error == cudaErrorInvalidResourceHandle || error == cudaErrorNotPermitted)
    {
        return error;
    }
    const cudaError_t allowed = capture_any() ? capture_allows_wait(stream) : cudaSuccess;
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    if (queue_is_late() && stream_is_legacy(stream_of(stream))) // the others that block, too
    {
        stream_add_nothing(stream);
    }
    stream_wait(stream, stream_of(stream)->last);
    return error_status_of(stream_of(stream)->device);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return CALL(synchronize(stream), "cudaStreamSynchronize(%p)", (void *)stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    cudaError_t error = check_stream(stream, true);
    if (error == cudaSuccess && capture_any())
    {
        error = error_note(capture_allows_wait(stream));
    }
    if (error != cudaSuccess)
    {
        return error;
    }
    const struct CUstream_st *s = stream_of(stream);
    if (error_of_device(s->device) != cudaSuccess)
    {
        return error_status_of(s->device);
    }
    return queue_asked(s->device, s->last) ? cudaSuccess : error_note(cudaErrorNotReady);
}

// The event may be another device's.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    const cudaError_t error = !event_exists(event)            ? cudaErrorInvalidResourceHandle
                              : flags > cudaEventWaitExternal ? cudaErrorInvalidValue
                                                              : check_stream(stream, true);
    if (error != cudaSuccess)
    {
        return error_note(error);
    }
    if (capture_any() || event->capture != 0)
    {
        const cudaError_t joined = capture_wait(stream, event, flags == cudaEventWaitExternal);
        if (joined != cudaSuccess || stream_of(stream)->capturing != NULL)
        {
            return error_note(joined);
        }
    }
    if (flags == cudaEventWaitExternal)
    {
        return error_note(cudaErrorIllegalState); // the flag is for captured streams
    }
    event_hold(event, stream);
    return cudaSuccess;
}

// --- functions of the host -----------------------------------------------------------------------

// *captured: the function has gone into the graph that the stream captures.
static cudaError_t capture_function(const HostFunction *function, bool *captured)
{
    *captured = false;
    const Work work = {.type = cudaGraphNodeTypeHost, .host = {function->function, function->data}};
    return function->function != NULL ? capture_work(function->stream, &work, captured)
                                      : capture_allows_stream(function->stream); // no node for it
}

static cudaError_t add(const HostFunction *function)
{
    if (!error_none())
    {
        return error_status();
    }
    if (!stream_exists(function->stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if (capture_any())
    {
        bool captured;
        const cudaError_t error = capture_function(function, &captured);
        if (error != cudaSuccess || captured)
        {
            return error_note(error);
        }
    }
    host_function_add(function);
    return error_status();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    return function == NULL
               ? error_note(cudaErrorInvalidValue)
               : add(&(HostFunction){.function = function, .stream = stream, .data = data});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    return callback == NULL || flags != 0
               ? error_note(cudaErrorInvalidValue)
               : add(&(HostFunction){.callback = callback, .stream = stream, .data = data});
}
