// Streams, events, and functions of the host in a stream.
//
// The queue keeps the order of issue, which satisfies every stream. So a stream only knows which
// operation was its last. Handles that were destroyed are kept for reuse, never given back, so that
// a late user is told rather than crashes.
#include "runtime.h"
#include <pthread.h>
#include <stdlib.h>

struct CUstream_st
{
    atomic_bool alive;
    struct CUstream_st *older; // of all there have been
    atomic_uint_fast64_t last;
    unsigned int flags;
    int priority;
    unsigned long long id;
    cudaAccessPolicyWindow window; // which part of memory should stay in the cache: only a wish
};

struct CUevent_st
{
    atomic_bool alive;
    struct CUevent_st *older;
    atomic_uint_fast64_t sequence; // of its latest record
    unsigned int flags;
    double seconds; // when the device came to it
};

enum
{
    HIGHEST_PRIORITY = -5, // the lowest is 0
    FIRST_ID = 3           // 1 and 2 are the default streams'
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUstream_st *streams;
static struct CUevent_st *events;
static unsigned long long next_id = FIRST_ID;

static struct CUstream_st legacy_stream = {.alive = true, .id = 1};
static __thread struct CUstream_st thread_stream = {.alive = true, .id = 2};
static bool default_is_per_thread; // what NULL means: nvcc's --default-stream

int cudacpu_use_per_thread_stream(void)
{
    default_is_per_thread = true;
    return 1;
}

static bool is_built_in(cudaStream_t stream)
{
    return (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread;
}

static struct CUstream_st *stream_of(cudaStream_t stream)
{
    if (!is_built_in(stream))
    {
        return stream;
    }
    const bool per_thread =
        stream == cudaStreamPerThread || (stream == NULL && default_is_per_thread);
    return per_thread ? &thread_stream : &legacy_stream;
}

bool stream_exists(cudaStream_t stream)
{
    return is_built_in(stream) || atomic_load(&stream->alive);
}

void stream_used(cudaStream_t stream, uint64_t sequence)
{
    atomic_store(&stream_of(stream)->last, sequence);
}

uint64_t stream_add(cudaStream_t stream, Op *op)
{
    const uint64_t sequence = queue_add(op);
    stream_used(stream, sequence);
    return sequence;
}

// cudaDeviceReset ends them all.
void stream_reset(void)
{
    pthread_mutex_lock(&lock);
    for (struct CUstream_st *s = streams; s != NULL; s = s->older)
    {
        atomic_store(&s->alive, false);
    }
    for (struct CUevent_st *e = events; e != NULL; e = e->older)
    {
        atomic_store(&e->alive, false);
    }
    pthread_mutex_unlock(&lock);
}

// --- streams ---------------------------------------------------------------------------------------

// A new one, or one whose time is over. The caller holds the lock.
static struct CUstream_st *unused_stream(void)
{
    struct CUstream_st *s = streams;
    while (s != NULL && atomic_load(&s->alive))
    {
        s = s->older;
    }
    if (s == NULL && (s = calloc(1, sizeof(*s))) != NULL)
    {
        s->older = streams;
        streams = s;
    }
    return s;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority)
{
    if (!api_ready())
    {
        return api_status();
    }
    if (stream == NULL || flags > cudaStreamNonBlocking)
    {
        return api_error(cudaErrorInvalidValue);
    }
    pthread_mutex_lock(&lock);
    struct CUstream_st *s = unused_stream();
    if (s != NULL)
    {
        s->flags = flags;
        s->priority = priority > 0 ? 0 : priority < HIGHEST_PRIORITY ? HIGHEST_PRIORITY : priority;
        s->id = next_id++;
        atomic_store(&s->last, 0);
        atomic_store(&s->alive, true);
    }
    pthread_mutex_unlock(&lock);
    *stream = s;
    return api_error(s != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *lowest, int *highest)
{
    if (lowest != NULL)
    {
        *lowest = 0;
    }
    if (highest != NULL)
    {
        *highest = HIGHEST_PRIORITY;
    }
    return api_status();
}

// What was issued to it is done all the same.
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (is_built_in(stream) || !atomic_exchange(&stream->alive, false))
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    return api_status();
}

static cudaError_t check_stream(cudaStream_t stream, bool has_answer)
{
    return !stream_exists(stream) ? api_error(cudaErrorInvalidResourceHandle)
           : !has_answer          ? api_error(cudaErrorInvalidValue)
                                  : api_status();
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    const cudaError_t error = check_stream(stream, priority != NULL);
    if (error == cudaSuccess)
    {
        *priority = stream_of(stream)->priority;
    }
    return error;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    const cudaError_t error = check_stream(stream, flags != NULL);
    if (error == cudaSuccess)
    {
        *flags = stream_of(stream)->flags;
    }
    return error;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    const cudaError_t error = check_stream(stream, id != NULL);
    if (error == cudaSuccess)
    {
        *id = stream_of(stream)->id;
    }
    return error;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    const cudaError_t error = check_stream(stream, device != NULL);
    if (error == cudaSuccess)
    {
        *device = 0;
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
        value->priority = stream_of(stream)->priority;
    }
    else
    {
        value->accessPolicyWindow = stream_of(stream)->window;
    }
    return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const cudaError_t error = check_stream(stream, true);
    if (error == cudaErrorInvalidResourceHandle || error == cudaErrorNotPermitted)
    {
        return error;
    }
    queue_wait(stream_of(stream)->last);
    return api_status();
}

static cudaError_t done_or_not_ready(uint64_t sequence)
{
    if (!api_ready())
    {
        return api_status();
    }
    return queue_completed() >= sequence ? cudaSuccess : api_error(cudaErrorNotReady);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    const cudaError_t error = check_stream(stream, true);
    return error != cudaSuccess ? error : done_or_not_ready(stream_of(stream)->last);
}

static bool event_exists(cudaEvent_t event)
{
    return event != NULL && atomic_load(&event->alive);
}

// What the event waits for was issued earlier, and the queue keeps the order of issue.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    return !event_exists(event)            ? api_error(cudaErrorInvalidResourceHandle)
           : flags > cudaEventWaitExternal ? api_error(cudaErrorInvalidValue)
                                           : check_stream(stream, true);
}

// --- functions of the host ---------------------------------------------------------------------------

typedef struct Call
{
    cudaHostFn_t function;
    cudaStreamCallback_t callback; // the older kind, where function is NULL
    cudaStream_t stream;
    void *data;
} Call;

static void run_call(void *data)
{
    Call *call = data;
    const cudaError_t before = cudacpu_exchange_error(cudaSuccess); // the thread that waits is lent
    api_forbid(true);
    if (call->function == NULL)
    {
        call->callback(call->stream, sticky_error(), call->data);
    }
    else if (sticky_error() == cudaSuccess) // after a kernel's fault nothing more is called
    {
        call->function(call->data);
    }
    api_forbid(false);
    cudacpu_exchange_error(before);
    free(call);
}

static cudaError_t add_call(const Call *draft)
{
    if (!api_ready())
    {
        return api_status();
    }
    if (!stream_exists(draft->stream))
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    Call *call = malloc(sizeof(*call));
    if (call == NULL)
    {
        return api_error(cudaErrorMemoryAllocation);
    }
    *call = *draft;
    stream_add(call->stream, &(Op){.kind = OP_HOST, .function = run_call, .data = call});
    return api_status();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    return function == NULL
               ? api_error(cudaErrorInvalidValue)
               : add_call(&(Call){.function = function, .stream = stream, .data = data});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    return callback == NULL || flags != 0
               ? api_error(cudaErrorInvalidValue)
               : add_call(&(Call){.callback = callback, .stream = stream, .data = data});
}

// --- events ------------------------------------------------------------------------------------------

void event_reached(cudaEvent_t event, double seconds)
{
    event->seconds = seconds;
}

// The caller holds the lock.
static struct CUevent_st *unused_event(void)
{
    struct CUevent_st *e = events;
    while (e != NULL && atomic_load(&e->alive))
    {
        e = e->older;
    }
    if (e == NULL && (e = calloc(1, sizeof(*e))) != NULL)
    {
        e->older = events;
        events = e;
    }
    return e;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    const unsigned int known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (!api_ready())
    {
        return api_status();
    }
    if (event == NULL || flags & ~known ||
        (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming)))
    {
        return api_error(cudaErrorInvalidValue);
    }
    pthread_mutex_lock(&lock);
    struct CUevent_st *e = unused_event();
    if (e != NULL)
    {
        e->flags = flags;
        atomic_store(&e->sequence, 0);
        atomic_store(&e->alive, true);
    }
    pthread_mutex_unlock(&lock);
    *event = e;
    return api_error(e != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (event == NULL || !atomic_exchange(&event->alive, false))
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    return api_status();
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags)
{
    if (!api_ready())
    {
        return api_status();
    }
    if (!event_exists(event) || !stream_exists(stream))
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    if (flags > cudaEventRecordExternal)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (flags == cudaEventRecordExternal)
    {
        return api_error(cudaErrorIllegalState); // it is for graphs being captured
    }
    // A device with nothing to do is there at once; ours has yet to wake up.
    const double now = queue_completed() == queue_last() ? seconds_now() : 0.0;
    Op op = {.kind = OP_EVENT, .event = event, .seconds = now};
    atomic_store(&event->sequence, stream_add(stream, &op));
    return api_status();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (!event_exists(event))
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    const cudaError_t error = api_status();
    if (error != cudaErrorNotPermitted)
    {
        queue_wait(event->sequence);
    }
    return api_status();
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return event_exists(event) ? done_or_not_ready(event->sequence)
                               : api_error(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    if (milliseconds == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (!event_exists(start) || !event_exists(stop) || start->sequence == 0 ||
        stop->sequence == 0 || (start->flags | stop->flags) & cudaEventDisableTiming)
    {
        return api_error(cudaErrorInvalidResourceHandle);
    }
    if (queue_completed() < start->sequence || queue_completed() < stop->sequence)
    {
        return api_error(cudaErrorNotReady);
    }
    *milliseconds = 1e3 * (stop->seconds - start->seconds);
    return api_status();
}
