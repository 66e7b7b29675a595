// Streams.
//
// The queue keeps the order of issue, which satisfies every stream. So a stream only knows its last
// operation. The memory of a destroyed stream is kept for the next one and never freed: a program
// that still uses the handle gets an error and does not crash.
#include "stream.h"
#include <pthread.h>
#include <stdlib.h>
#include "check.h"
#include "device.h"

enum
{
    FIRST_ID = 3 // 1 and 2 are the default streams'
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUstream_st *streams, *spares;
static unsigned long long next_id = FIRST_ID;

// The default streams: each device has its own.
#define ONE(device_, id_)            \
    {                                \
        .device = device_, .id = id_ \
    }
#define FOUR(first, id) ONE(first, id), ONE(first + 1, id), ONE(first + 2, id), ONE(first + 3, id)
_Static_assert(MAX_DEVICES == 8, "a default stream for each device");
static struct CUstream_st legacy_streams[MAX_DEVICES] = {FOUR(0, 1), FOUR(4, 1)};
static THREAD_LOCAL struct CUstream_st thread_streams[MAX_DEVICES] = {FOUR(0, 2), FOUR(4, 2)};
static bool default_is_per_thread; // what NULL means: nvcc's --default-stream

int cudacpu_use_per_thread_stream(void)
{
    default_is_per_thread = true;
    return 1;
}

bool stream_is_built_in(cudaStream_t stream)
{
    return (uintptr_t)stream <= (uintptr_t)cudaStreamPerThread;
}

struct CUstream_st *stream_of(cudaStream_t stream)
{
    if (!stream_is_built_in(stream))
    {
        return stream;
    }
    const bool per_thread =
        stream == cudaStreamPerThread || (stream == NULL && default_is_per_thread);
    return per_thread ? &thread_streams[this_device] : &legacy_streams[this_device];
}

// Whether it is the default stream that waits for all others.
bool stream_is_legacy(const struct CUstream_st *stream)
{
    return stream >= legacy_streams && stream < legacy_streams + MAX_DEVICES;
}

// Whether the handle is one that was ever given, and none made up. The last ones are kept.
static bool is_stream(const struct CUstream_st *handle)
{
    static THREAD_LOCAL const struct CUstream_st *known[64]; // 2 to the power of 64 - 58
    const struct CUstream_st **place = &known[(uintptr_t)handle * 0x9e3779b97f4a7c15u >> 58];
    if (*place == handle)
    {
        return true;
    }
    pthread_mutex_lock(&lock);
    const struct CUstream_st *other = streams;
    while (other != NULL && other != handle)
    {
        other = other->older;
    }
    pthread_mutex_unlock(&lock);
    *place = other != NULL ? handle : *place;
    return other != NULL;
}

bool stream_exists(cudaStream_t stream)
{
    return stream_is_built_in(stream) || (is_stream(stream) && atomic_load(&stream->alive));
}

// A new stream, or a destroyed one again. NULL: no memory.
struct CUstream_st *stream_create(int device, unsigned int flags, int priority)
{
    pthread_mutex_lock(&lock);
    struct CUstream_st *s = spares;
    if (s != NULL)
    {
        spares = s->spare;
    }
    else if ((s = calloc(1, sizeof(*s))) != NULL)
    {
        s->older = streams;
        streams = s;
    }
    if (s != NULL)
    {
        s->device = device;
        s->flags = flags;
        s->priority = priority;
        s->id = next_id++;
        s->capturing = NULL;
        atomic_store(&s->last, 0);
        atomic_store(&s->alive, true);
    }
    pthread_mutex_unlock(&lock);
    return s;
}

static bool end(struct CUstream_st *s)
{
    if (!atomic_exchange(&s->alive, false))
    {
        return false;
    }
    s->spare = spares;
    spares = s;
    return true;
}

// Returns whether there was such a stream.
bool stream_destroy(cudaStream_t stream)
{
    pthread_mutex_lock(&lock);
    const bool ended = !stream_is_built_in(stream) && end(stream);
    pthread_mutex_unlock(&lock);
    return ended;
}

static StreamKind kind_of(const struct CUstream_st *s)
{
    return stream_is_legacy(s)                ? LEGACY_STREAM
           : s->flags & cudaStreamNonBlocking ? NONBLOCKING_STREAM
                                              : BLOCKING_STREAM;
}

uint64_t stream_add(cudaStream_t stream, Op *op)
{
    struct CUstream_st *s = stream_of(stream);
    queue_set_stream(op, s, kind_of(s));
    check_issue(op, s, (CheckStream)kind_of(s), s->device);
    const uint64_t sequence = queue_add(s->device, op);
    atomic_store(&s->last, sequence);
    return sequence;
}

static void run_nothing(Op *op)
{
    (void)op;
}

// What waits for it waits for all that the stream waits for.
void stream_add_nothing(cudaStream_t stream)
{
    Op *op = queue_allocate(sizeof(*op));
    *op = (Op){.run = run_nothing};
    stream_add(stream, op);
}

// What is issued to the stream from now on comes after an operation. The order of issue sees to that:
// only the checker has to know.
void stream_note_hold(cudaStream_t stream, int device, uint64_t sequence)
{
    struct CUstream_st *s = stream_of(stream);
    check_hold(s, (CheckStream)kind_of(s), s->device, device, sequence);
}

void stream_wait(cudaStream_t stream, uint64_t sequence)
{
    queue_wait(stream_of(stream)->device, sequence);
}

// cudaDeviceReset ends all streams of the device.
void stream_reset(int device)
{
    pthread_mutex_lock(&lock);
    for (struct CUstream_st *s = streams; s != NULL; s = s->older)
    {
        if (s->device == device)
        {
            end(s);
        }
    }
    pthread_mutex_unlock(&lock);
}
