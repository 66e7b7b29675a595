// Which streams capture, into which graph, and what that forbids.
//
// A capture begins in one stream, its origin. Other streams join it when they wait for an event
// that was recorded in it. Each knows the nodes that its next node comes after. An event that is
// recorded while its stream captures keeps a copy of this list.
#include "capture.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include "event.h"
#include "stream.h"

typedef struct Capture
{
    struct Capture *next; // of those in progress
    unsigned long long id;
    cudaStreamCaptureMode mode;
    pthread_t thread; // that began it
    struct CUstream_st *origin;
    struct Capturing *streams; // all that are in it
    Nodes left;                // the last nodes of those that were destroyed
    cudaGraph_t graph;
    bool owns_graph; // the program did not bring it
    bool invalid;
} Capture;

typedef struct Capturing
{
    Capture *capture;
    struct CUstream_st *stream;
    struct Capturing *next; // of the same capture
    Nodes last;
} Capturing;

atomic_int captures_in_progress;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of all below
static Capture *captures;
static unsigned long long next_id = 1;
static THREAD_LOCAL cudaStreamCaptureMode thread_mode;

static void *need(void *memory)
{
    if (memory == NULL)
    {
        exhausted("memory for a captured stream", errno);
    }
    return memory;
}

static cudaError_t unlock(cudaError_t error)
{
    pthread_mutex_unlock(&lock);
    return error;
}

static Capture *find_capture(unsigned long long id)
{
    Capture *c = captures;
    while (c != NULL && c->id != id)
    {
        c = c->next;
    }
    return c;
}

static void copy_nodes(Nodes *to, const Nodes *from)
{
    for (size_t i = 0; from != NULL && i < from->count; ++i)
    {
        if (!nodes_contain(to, from->all[i]))
        {
            nodes_add(to, from->all[i]);
        }
    }
}

// --- who is in a capture -------------------------------------------------------------------------

static Capturing *join(Capture *capture, struct CUstream_st *stream)
{
    Capturing *c = need(malloc(sizeof(*c)));
    *c = (Capturing){.capture = capture, .stream = stream, .next = capture->streams};
    capture->streams = c;
    stream->capturing = c;
    return c;
}

static void leave(Capturing *c)
{
    Capturing **link = &c->capture->streams;
    while (*link != c)
    {
        link = &(*link)->next;
    }
    *link = c->next;
    c->stream->capturing = NULL;
    nodes_clear(&c->last);
    free(c);
}

static void end(Capture *capture)
{
    while (capture->streams != NULL)
    {
        leave(capture->streams);
    }
    Capture **link = &captures;
    while (*link != capture)
    {
        link = &(*link)->next;
    }
    *link = capture->next;
    nodes_clear(&capture->left);
    free(capture);
    atomic_fetch_sub(&captures_in_progress, 1);
}

// --- what is forbidden meanwhile -----------------------------------------------------------------

static bool is_in(const Capture *capture, int device, bool blocking_only)
{
    for (const Capturing *c = capture->streams; c != NULL; c = c->next)
    {
        if (c->stream->device == device &&
            (!blocking_only || !(c->stream->flags & cudaStreamNonBlocking)))
        {
            return true;
        }
    }
    return false;
}

// Invalidates the captures that have a stream of the device, or only a blocking one. Whether there
// is any. The caller holds the lock.
static bool invalidate(int device, bool blocking_only)
{
    bool any = false;
    for (Capture *c = captures; c != NULL; c = c->next)
    {
        if (is_in(c, device, blocking_only))
        {
            c->invalid = true;
            any = true;
        }
    }
    return any;
}

// A call that a graph would not repeat, as cudaMalloc.
cudaError_t capture_allows(void)
{
    bool forbidden = false;
    pthread_mutex_lock(&lock);
    for (Capture *c = captures; c != NULL && thread_mode != cudaStreamCaptureModeRelaxed;
         c = c->next)
    {
        const bool mine = pthread_equal(c->thread, pthread_self());
        if ((mine && c->mode != cudaStreamCaptureModeRelaxed) ||
            (!mine && c->mode == cudaStreamCaptureModeGlobal &&
             thread_mode == cudaStreamCaptureModeGlobal))
        {
            c->invalid = true;
            forbidden = true;
        }
    }
    return unlock(forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
}

// Work of a stream that does not capture. The legacy stream would wait for the blocking ones.
static cudaError_t allows_uncaptured(const struct CUstream_st *stream)
{
    return stream_is_legacy(stream) && invalidate(stream->device, true)
               ? cudaErrorStreamCaptureImplicit
               : cudaSuccess;
}

// A wait of the host for a stream: that of a synchronous call is for the default stream.
cudaError_t capture_allows_wait(cudaStream_t stream)
{
    const cudaError_t error = capture_allows_stream(stream);
    return error != cudaSuccess ? error : capture_allows();
}

// A call that a stream cannot do while it captures.
cudaError_t capture_allows_stream(cudaStream_t stream)
{
    struct CUstream_st *s = stream_of(stream);
    pthread_mutex_lock(&lock);
    if (s->capturing == NULL)
    {
        return unlock(allows_uncaptured(s));
    }
    const bool was_invalid = s->capturing->capture->invalid;
    s->capturing->capture->invalid = true;
    return unlock(was_invalid ? cudaErrorStreamCaptureInvalidated
                              : cudaErrorStreamCaptureUnsupported);
}

// A synchronization of the device.
cudaError_t capture_allows_device(int device)
{
    pthread_mutex_lock(&lock);
    return unlock(invalidate(device, false) ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
}

// A question about the event, or a wait for it.
cudaError_t capture_allows_event(cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    Capture *c = event->capture != 0 ? find_capture(event->capture) : NULL;
    if (c != NULL)
    {
        c->invalid = true;
    }
    pthread_mutex_unlock(&lock);
    return event->capture != 0    ? cudaErrorCapturedEvent
           : event->sequence == 0 ? cudaSuccess // it was never recorded: there is nothing to ask
                                  : capture_allows();
}

// --- work that is captured -----------------------------------------------------------------------

static void add_node(Capturing *c, const Work *work)
{
    const cudaGraphNode_t node = graph_add(c->capture->graph, &c->last, work);
    c->last.count = 0;
    nodes_add(&c->last, node);
}

// Whether the stream captures; error: why its work is not possible.
static cudaError_t takes(struct CUstream_st *s, bool *taken)
{
    *taken = false;
    if (s->capturing == NULL)
    {
        return allows_uncaptured(s);
    }
    if (s->capturing->capture->invalid)
    {
        return cudaErrorStreamCaptureInvalidated;
    }
    *taken = true;
    return cudaSuccess;
}

// Adds the work to the graph that the stream captures, if it does. The work is then the graph's.
cudaError_t capture_work(cudaStream_t stream, const Work *work, bool *taken)
{
    struct CUstream_st *s = stream_of(stream);
    pthread_mutex_lock(&lock);
    const cudaError_t error = takes(s, taken);
    if (*taken)
    {
        add_node(s->capturing, work);
    }
    return unlock(error);
}

cudaError_t capture_record(cudaEvent_t event, cudaStream_t stream, bool external, bool *taken)
{
    struct CUstream_st *s = stream_of(stream);
    pthread_mutex_lock(&lock);
    const cudaError_t error = takes(s, taken);
    if (*taken && external)
    {
        add_node(s->capturing, &(Work){.type = cudaGraphNodeTypeEventRecord, .event = event});
    }
    else if (*taken)
    {
        const Nodes *last = &s->capturing->last;
        event->captured =
            need(realloc(event->captured, (last->count + 1) * sizeof(*event->captured)));
        for (size_t i = 0; i < last->count; ++i)
        {
            event->captured[i] = last->all[i];
        }
        event->num_captured = last->count;
        event->capture = s->capturing->capture->id;
    }
    return unlock(error);
}

static cudaError_t wait_in_capture(struct CUstream_st *s, cudaEvent_t event, Capture *its)
{
    Capture *mine = s->capturing != NULL ? s->capturing->capture : NULL;
    if ((its != NULL && its->invalid) || (mine != NULL && mine->invalid))
    {
        return cudaErrorStreamCaptureInvalidated;
    }
    if (its == NULL)
    {
        mine->invalid = true;
        return cudaErrorStreamCaptureIsolation;
    }
    if (mine != NULL && mine != its)
    {
        mine->invalid = its->invalid = true;
        return cudaErrorStreamCaptureMerge;
    }
    if (stream_is_legacy(s))
    {
        its->invalid = true;
        return is_in(its, s->device, true) ? cudaErrorStreamCaptureImplicit
                                           : cudaErrorStreamCaptureUnsupported;
    }
    Capturing *c = mine != NULL ? s->capturing : join(its, s);
    copy_nodes(&c->last, &(Nodes){.all = event->captured, .count = event->num_captured});
    return cudaSuccess;
}

// A stream that waits for an event of a capture joins it.
cudaError_t capture_wait(cudaStream_t stream, cudaEvent_t event, bool external)
{
    struct CUstream_st *s = stream_of(stream);
    pthread_mutex_lock(&lock);
    Capture *its = event->capture != 0 ? find_capture(event->capture) : NULL;
    if (s->capturing != NULL && external && !s->capturing->capture->invalid)
    {
        add_node(s->capturing, &(Work){.type = cudaGraphNodeTypeWaitEvent, .event = event});
        return unlock(cudaSuccess);
    }
    if (s->capturing == NULL && its == NULL)
    {
        return unlock(event->capture != 0 ? cudaErrorCapturedEvent : allows_uncaptured(s));
    }
    return unlock(wait_in_capture(s, event, its));
}

// --- the beginning and the end -------------------------------------------------------------------

// Into a new graph where `graph` is NULL.
cudaError_t capture_begin(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t graph,
                          const Nodes *last)
{
    struct CUstream_st *s = stream_of(stream);
    if (stream_is_legacy(s))
    {
        return cudaErrorStreamCaptureUnsupported;
    }
    pthread_mutex_lock(&lock);
    if (s->capturing != NULL)
    {
        return unlock(cudaErrorIllegalState);
    }
    Capture *c = need(malloc(sizeof(*c)));
    *c = (Capture){.next = captures,
                   .id = next_id++,
                   .mode = mode,
                   .thread = pthread_self(),
                   .origin = s,
                   .graph = graph != NULL ? graph : graph_create(),
                   .owns_graph = graph == NULL};
    c->graph->owned = true;
    captures = c;
    atomic_fetch_add(&captures_in_progress, 1);
    copy_nodes(&join(c, s)->last, last);
    return unlock(cudaSuccess);
}

// Marks the nodes, and all before them.
static void mark(const Nodes *nodes, cudaGraphNode_t with)
{
    Nodes found = {0};
    copy_nodes(&found, nodes);
    while (found.count > 0)
    {
        const cudaGraphNode_t node = found.all[--found.count];
        for (size_t i = 0; node->partner != with && i < node->before.count; ++i)
        {
            nodes_add(&found, node->before.all[i]);
        }
        node->partner = with;
    }
    nodes_clear(&found);
}

static bool are_marked(const Nodes *nodes, cudaGraphNode_t with)
{
    for (size_t i = 0; i < nodes->count; ++i)
    {
        if (nodes->all[i]->partner != with)
        {
            return false;
        }
    }
    return true;
}

// Whether what the other streams captured comes before the origin's end.
static bool is_joined(const Capture *capture)
{
    const Nodes *nodes = &capture->graph->nodes;
    for (size_t i = 0; i < nodes->count; ++i)
    {
        nodes->all[i]->partner = NULL;
    }
    static struct CUgraphNode_st marker;
    mark(&capture->origin->capturing->last, &marker);
    bool all = are_marked(&capture->left, &marker);
    for (const Capturing *c = capture->streams; c != NULL; c = c->next)
    {
        all = all && are_marked(&c->last, &marker);
    }
    return all;
}

// Leaves the captured graph in *graph, or NULL.
cudaError_t capture_end(cudaStream_t stream, cudaGraph_t *graph)
{
    struct CUstream_st *s = stream_of(stream);
    *graph = NULL;
    pthread_mutex_lock(&lock);
    Capture *c = s->capturing != NULL ? s->capturing->capture : NULL;
    if (c == NULL)
    {
        return unlock(cudaErrorIllegalState);
    }
    if (c->origin != s)
    {
        c->invalid = true;
        return unlock(cudaErrorStreamCaptureUnmatched);
    }
    if (c->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(c->thread, pthread_self()))
    {
        return unlock(cudaErrorStreamCaptureWrongThread);
    }
    const cudaError_t error = c->invalid      ? cudaErrorStreamCaptureInvalidated
                              : !is_joined(c) ? cudaErrorStreamCaptureUnjoined
                                              : cudaSuccess;
    c->graph->owned = false;
    if (error == cudaSuccess)
    {
        *graph = c->graph;
    }
    else if (c->owns_graph)
    {
        graph_destroy(c->graph);
    }
    end(c);
    return unlock(error);
}

// --- asking and changing -------------------------------------------------------------------------

cudaError_t capture_info(cudaStream_t stream, CaptureInfo *info)
{
    struct CUstream_st *s = stream_of(stream);
    *info = (CaptureInfo){.status = cudaStreamCaptureStatusNone};
    pthread_mutex_lock(&lock);
    if (s->capturing != NULL)
    {
        const Capture *c = s->capturing->capture;
        *info = (CaptureInfo){c->invalid ? cudaStreamCaptureStatusInvalidated
                                         : cudaStreamCaptureStatusActive,
                              c->id, c->graph, &s->capturing->last};
        return unlock(cudaSuccess);
    }
    for (const Capture *c = captures; c != NULL && stream_is_legacy(s); c = c->next)
    {
        if (is_in(c, s->device, true))
        {
            return unlock(cudaErrorStreamCaptureImplicit); // but the question does no harm
        }
    }
    return unlock(cudaSuccess);
}

cudaError_t capture_set_last(cudaStream_t stream, const Nodes *last, bool add)
{
    struct CUstream_st *s = stream_of(stream);
    bool taken;
    pthread_mutex_lock(&lock);
    const cudaError_t error = takes(s, &taken);
    if (!taken)
    {
        return unlock(error != cudaSuccess ? error : cudaErrorIllegalState);
    }
    s->capturing->last.count = add ? s->capturing->last.count : 0;
    copy_nodes(&s->capturing->last, last);
    return unlock(cudaSuccess);
}

// The calling thread's mode; returns the one before.
cudaStreamCaptureMode capture_exchange_mode(cudaStreamCaptureMode mode)
{
    const cudaStreamCaptureMode before = thread_mode;
    thread_mode = mode;
    return before;
}

// The stream is destroyed: without its origin a capture ends. What another one has captured stays, and
// must be joined as before.
void capture_leave(cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    Capturing *c = stream->capturing;
    if (c != NULL && c->capture->origin == stream)
    {
        c->capture->graph->owned = false;
        if (c->capture->owns_graph)
        {
            graph_destroy(c->capture->graph);
        }
        end(c->capture);
    }
    else if (c != NULL)
    {
        copy_nodes(&c->capture->left, &c->last);
        leave(c);
    }
    pthread_mutex_unlock(&lock);
}

// cudaDeviceReset ends the captures of the device.
void capture_reset(int device)
{
    pthread_mutex_lock(&lock);
    for (Capture *c = captures, *next; c != NULL; c = next)
    {
        next = c->next;
        if (is_in(c, device, false))
        {
            c->graph->owned = false;
            end(c);
        }
    }
    pthread_mutex_unlock(&lock);
}
