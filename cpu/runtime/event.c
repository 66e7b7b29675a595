// Events: times that the device notes when it comes to them. Handles are kept, as those of streams.
#include "event.h"
#include <pthread.h>
#include <stdlib.h>
#include "queue.h"
#include "stream.h"

typedef struct EventOp
{
    Op op;
    cudaEvent_t event;
    double seconds; // when it was reached; 0: work was still before it
} EventOp;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUevent_st *events, *spares;

// Whether the handle is one that was ever given, and none made up. The last ones are kept.
static bool is_event(const struct CUevent_st *handle)
{
    static THREAD_LOCAL const struct CUevent_st *known[64]; // 2 to the power of 64 - 58
    const struct CUevent_st **place = &known[(uintptr_t)handle * 0x9e3779b97f4a7c15u >> 58];
    if (*place == handle)
    {
        return true;
    }
    pthread_mutex_lock(&lock);
    const struct CUevent_st *other = events;
    while (other != NULL && other != handle)
    {
        other = other->older;
    }
    pthread_mutex_unlock(&lock);
    *place = other != NULL ? handle : *place;
    return other != NULL;
}

bool event_exists(cudaEvent_t event)
{
    return event != NULL && is_event(event) && atomic_load(&event->alive);
}

// A new event, or a destroyed one again. NULL: no memory.
struct CUevent_st *event_create(int device, unsigned int flags)
{
    pthread_mutex_lock(&lock);
    struct CUevent_st *e = spares;
    if (e != NULL)
    {
        spares = e->spare;
    }
    else if ((e = calloc(1, sizeof(*e))) != NULL)
    {
        e->older = events;
        events = e;
    }
    if (e != NULL)
    {
        e->device = device;
        e->flags = flags;
        e->capture = 0;
        atomic_store(&e->sequence, 0);
        atomic_store(&e->alive, true);
    }
    pthread_mutex_unlock(&lock);
    return e;
}

static bool end(struct CUevent_st *e)
{
    if (!atomic_exchange(&e->alive, false))
    {
        return false;
    }
    e->spare = spares;
    spares = e;
    return true;
}

// Returns whether there was such an event.
bool event_destroy(cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    const bool ended = event != NULL && end(event);
    pthread_mutex_unlock(&lock);
    return ended;
}

// The device has come to the event, now or at the time given.
void event_reached(cudaEvent_t event, double seconds)
{
    event->seconds = seconds > 0.0 ? seconds : seconds_now();
}

// The operation will reach the event.
void event_will_be_reached(cudaEvent_t event, int device, uint64_t sequence)
{
    event->device = device;
    event->capture = 0;
    atomic_store(&event->sequence, sequence);
}

static void run_record(Op *op)
{
    const EventOp *record = (EventOp *)op;
    event_reached(record->event, record->seconds);
}

void event_record(cudaEvent_t event, cudaStream_t stream)
{
    // An idle GPU reaches the event at once. Our device may still have to wake up, so the time is
    // taken here. But a late device is idle only because nobody has waited for it.
    const int device = stream_of(stream)->device;
    const bool idle = !queue_is_late() && queue_completed(device) == queue_last(device);
    const double now = idle ? seconds_now() : 0.0;
    EventOp *op = queue_allocate(sizeof(*op));
    *op = (EventOp){.op.run = run_record, .event = event, .seconds = now};
    event_will_be_reached(event, device, stream_add(stream, &op->op));
}

bool event_done(cudaEvent_t event)
{
    return queue_asked(event->device, event->sequence);
}

void event_wait(cudaEvent_t event)
{
    queue_wait(event->device, event->sequence);
}

typedef struct HoldOp
{
    Op op;
    int device;
    uint64_t sequence;
} HoldOp;

static void run_hold(Op *op)
{
    const HoldOp *hold = (HoldOp *)op;
    queue_follow(hold->device, hold->sequence);
}

// What is issued to the stream from now on waits for the event. Within a device that keeps the order
// of issue nothing is to be done: the work before the event was issued earlier.
void event_hold(cudaEvent_t event, cudaStream_t stream)
{
    const bool is_elsewhere = event->device != stream_of(stream)->device;
    stream_note_hold(stream, event->device, atomic_load(&event->sequence));
    if (is_elsewhere || queue_is_late())
    {
        const uint64_t sequence = atomic_load(&event->sequence);
        HoldOp *op = queue_allocate(sizeof(*op));
        *op = (HoldOp){.op.run = run_hold, .device = event->device, .sequence = sequence};
        queue_set_after(&op->op, is_elsewhere ? 0 : sequence);
        stream_add(stream, &op->op);
    }
}

// cudaDeviceReset ends all events of the device.
void event_reset(int device)
{
    pthread_mutex_lock(&lock);
    for (struct CUevent_st *e = events; e != NULL; e = e->older)
    {
        if (e->device == device)
        {
            end(e);
        }
    }
    pthread_mutex_unlock(&lock);
}
