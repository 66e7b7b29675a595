// The queue of a device: its work, in the order in which it was issued.
#ifndef CUDACPU_QUEUE_H
#define CUDACPU_QUEUE_H
#include "base.h"

// A piece of work. What it works on stands after it, in a struct that begins with an Op.
typedef struct Op
{
    void (*run)(struct Op *op);
    int device;
    uint64_t sequence;
    struct Op *next;
#ifdef CUDACPU_CHECKER
    struct Issue *issue; // what it comes after; NULL: it is no stream's
#endif
} Op;

typedef enum StreamKind
{
    BLOCKING_STREAM,
    NONBLOCKING_STREAM,
    LEGACY_STREAM // waits for all blocking streams, and they for it
} StreamKind;

extern uint64_t cudacpu_issued;
void *queue_allocate(size_t bytes);
void queue_set_stream(Op *op, const void *stream, StreamKind kind);
void queue_set_after(Op *op, uint64_t sequence);
uint64_t queue_add(int device, Op *op);
void queue_follow(int device, uint64_t sequence);
void queue_wait(int device, uint64_t sequence);
void queue_wait_all(int device);
uint64_t queue_last(int device);
uint64_t queue_completed(int device);
bool queue_done(int device, uint64_t sequence);
bool queue_asked(int device, uint64_t sequence);
bool queue_is_late(void);
bool queue_hosts_wait(void);
bool queue_is_busy(int device);
bool queue_start_thread(void *(*main)(void *), void *data);

#endif
