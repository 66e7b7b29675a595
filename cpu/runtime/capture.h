// Streams that capture: their work goes into a graph, and does not run.
#ifndef CUDACPU_CAPTURE_H
#define CUDACPU_CAPTURE_H
#include "graph.h"

extern atomic_int captures_in_progress;

// False nearly always: then none of the calls below has anything to say.
static inline bool capture_any(void)
{
    return atomic_load_explicit(&captures_in_progress, memory_order_relaxed) > 0;
}

typedef struct CaptureInfo
{
    cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph;
    const Nodes *last; // the next node comes after these
} CaptureInfo;

// May a call do its work? cudaSuccess, or why not; what forbids it is then invalidated.
cudaError_t capture_work(cudaStream_t stream, const Work *work, bool *taken);
cudaError_t capture_allows(void);
cudaError_t capture_allows_wait(cudaStream_t stream);
cudaError_t capture_allows_stream(cudaStream_t stream);
cudaError_t capture_allows_device(int device);
cudaError_t capture_allows_event(cudaEvent_t event);

cudaError_t capture_record(cudaEvent_t event, cudaStream_t stream, bool external, bool *taken);
cudaError_t capture_wait(cudaStream_t stream, cudaEvent_t event, bool external);

cudaError_t capture_begin(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t graph,
                          const Nodes *last);
cudaError_t capture_end(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t capture_info(cudaStream_t stream, CaptureInfo *info);
cudaError_t capture_set_last(cudaStream_t stream, const Nodes *last, bool add);
cudaStreamCaptureMode capture_exchange_mode(cudaStreamCaptureMode mode);
void capture_leave(cudaStream_t stream);
void capture_reset(int device);

#endif
