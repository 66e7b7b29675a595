// Errors, streams, events.
#include "runtime.h"
#include <stdlib.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

// --- errors ----------------------------------------------------------------------------------

// An error of a call is noted for its host thread until it is asked for. An error of a kernel
// stays: every later call returns it, until cudaDeviceReset.
static __thread cudaError_t last_error;
static _Atomic cudaError_t sticky;

cudaError_t sticky_error(void)
{
    return atomic_load_explicit(&sticky, memory_order_relaxed);
}

void set_sticky_error(cudaError_t error)
{
    atomic_store(&sticky, error);
}

cudaError_t api_error(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        last_error = error;
    }
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return sticky_error() != cudaSuccess ? sticky_error() : last_error;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error)
    {
#define X(code, name, text) \
    case name:              \
        return #name;
#include "cudacpu_errors.h"
#undef X
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error)
    {
#define X(code, name, text) \
    case name:              \
        return text;
#include "cudacpu_errors.h"
#undef X
    }
    return "unrecognized error code";
}

// --- the device as a whole -----------------------------------------------------------------------

cudaError_t cudaDeviceSynchronize(void)
{
    queue_wait(queue_last());
    return api_error(sticky_error());
}

// A real device may or may not recover from a kernel's fault this way. This one does.
cudaError_t cudaDeviceReset(void)
{
    queue_wait(queue_last());
    memory_reset();
    set_sticky_error(cudaSuccess);
    last_error = cudaSuccess;
    return cudaSuccess;
}

// --- streams ---------------------------------------------------------------------------------------

// A stream knows which operation was its last; the queue does the rest.
struct CUstream_st
{
    uint64_t last;
};

static struct CUstream_st default_stream;

static struct CUstream_st *stream_of(cudaStream_t stream)
{
    return (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread ? &default_stream : stream;
}

void stream_used(cudaStream_t stream, uint64_t sequence)
{
    stream_of(stream)->last = sequence;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    if (stream == NULL || flags > cudaStreamNonBlocking)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *stream = calloc(1, sizeof(**stream));
    return *stream != NULL ? api_error(sticky_error()) : api_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if ((uintptr_t)stream <= (uintptr_t)cudaStreamPerThread)
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    free(stream);
    return api_error(sticky_error());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    queue_wait(stream_of(stream)->last);
    return api_error(sticky_error());
}

static cudaError_t done_or_not_ready(uint64_t sequence)
{
    if (sticky_error() != cudaSuccess)
    {
        return api_error(sticky_error());
    }
    return queue_completed() >= sequence ? cudaSuccess : api_error(cudaErrorNotReady);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return done_or_not_ready(stream_of(stream)->last);
}

// What the event waits for was issued earlier, and the queue keeps the order of issue.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)stream;
    return event == NULL || flags > 1 ? api_error(cudaErrorInvalidResourceHandle)
                                      : api_error(sticky_error());
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    if (function == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    stream_used(stream, queue_add(&(Op){.kind = OP_HOST, .function = function, .data = data}));
    return api_error(sticky_error());
}

// --- events ------------------------------------------------------------------------------------------

struct CUevent_st
{
    uint64_t sequence; // of its latest record
    unsigned int flags;
    double seconds; // when the device came to it
};

void event_record_now(cudaEvent_t event)
{
    event->seconds = seconds_now();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    if (event == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *event = calloc(1, sizeof(**event));
    if (*event == NULL)
    {
        return api_error(cudaErrorMemoryAllocation);
    }
    (*event)->flags = flags;
    return api_error(sticky_error());
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (event == NULL)
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    queue_wait(event->sequence);
    free(event);
    return api_error(sticky_error());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (event == NULL)
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    event->sequence = queue_add(&(Op){.kind = OP_EVENT, .event = event});
    stream_used(stream, event->sequence);
    return api_error(sticky_error());
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (event == NULL)
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    queue_wait(event->sequence);
    return api_error(sticky_error());
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return event == NULL ? api_error(cudaErrorInvalidResourceHandle)
                         : done_or_not_ready(event->sequence);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    if (start == NULL || stop == NULL || start->sequence == 0 || stop->sequence == 0 ||
        (start->flags | stop->flags) & cudaEventDisableTiming)
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    if (queue_completed() < start->sequence || queue_completed() < stop->sequence)
    {
        return api_error(cudaErrorNotReady);
    }
    *milliseconds = 1e3 * (stop->seconds - start->seconds);
    return api_error(sticky_error());
}
