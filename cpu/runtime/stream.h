// Streams.
#ifndef CUDACPU_STREAM_H
#define CUDACPU_STREAM_H
#include "base.h"
#include "queue.h"

enum
{
    HIGHEST_PRIORITY = -5 // the lowest is 0
};

struct CUstream_st
{
    atomic_bool alive;
    struct CUstream_st *older; // of all there have been
    struct CUstream_st *spare; // the next one of those that are destroyed
    int device;
    atomic_uint_fast64_t last; // its latest operation
    unsigned int flags;
    int priority;
    unsigned long long id;
    cudaAccessPolicyWindow window; // which part of memory should stay in the cache: only a wish
    struct Capturing *capturing;   // what the stream captures (capture.c); NULL: it runs its work
};

struct CUstream_st *stream_of(cudaStream_t stream);
bool stream_exists(cudaStream_t stream);
bool stream_is_built_in(cudaStream_t stream);
bool stream_is_legacy(const struct CUstream_st *stream);
struct CUstream_st *stream_create(int device, unsigned int flags, int priority);
bool stream_destroy(cudaStream_t stream);
uint64_t stream_add(cudaStream_t stream, Op *op);
void stream_add_nothing(cudaStream_t stream);
void stream_note_hold(cudaStream_t stream, int device, uint64_t sequence);
void stream_wait(cudaStream_t stream, uint64_t sequence);
void stream_reset(int device);

#endif
