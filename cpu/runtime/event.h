// Events.
#ifndef CUDACPU_EVENT_H
#define CUDACPU_EVENT_H
#include "base.h"

struct CUevent_st
{
    atomic_bool alive;
    struct CUevent_st *older; // of all there have been
    struct CUevent_st *spare; // the next one of those that are destroyed
    int device;
    atomic_uint_fast64_t sequence; // of its latest record
    unsigned int flags;
    double seconds;                   // when the device came to it
    unsigned long long capture;       // its latest record was captured by this one; 0: it was not
    struct CUgraphNode_st **captured; // what came before it in the stream
    size_t num_captured;
};

bool event_exists(cudaEvent_t event);
struct CUevent_st *event_create(int device, unsigned int flags);
bool event_destroy(cudaEvent_t event);
void event_record(cudaEvent_t event, cudaStream_t stream);
bool event_done(cudaEvent_t event);
void event_will_be_reached(cudaEvent_t event, int device, uint64_t sequence);
void event_reached(cudaEvent_t event, double seconds);
void event_wait(cudaEvent_t event);
void event_hold(cudaEvent_t event, cudaStream_t stream);
void event_reset(int device);

#endif
