// The calls that begin and end captures, and those that ask about them.
#include "capture.h"
#include "check.h"
#include "error.h"
#include "stream.h"

static cudaError_t begin(cudaStream_t stream, cudaStreamCaptureMode mode, cudaGraph_t graph,
                         const Nodes *last)
{
    if (!error_none())
    {
        return error_status();
    }
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
    {
        return error_note(cudaErrorInvalidValue);
    }
    return error_note(capture_begin(stream, mode, graph, last));
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    return begin(stream, mode, NULL, NULL);
}

static bool are_nodes_of(cudaGraph_t graph, cudaGraphNode_t *const nodes, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        if (nodes == NULL || !graph_node_exists(nodes[i]) || nodes[i]->graph != graph)
        {
            return false;
        }
    }
    return true;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          cudaStreamCaptureMode mode)
{
    cudaGraphNode_t *nodes = (cudaGraphNode_t *)dependencies;
    if (!graph_exists(graph) || graph->owned || !are_nodes_of(graph, nodes, count))
    {
        return error_note(cudaErrorInvalidValue);
    }
    return graph_has_edges(edges, count)
               ? begin(stream, mode, graph, &(Nodes){.all = nodes, .count = count})
               : error_note(cudaErrorNotSupported);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    if (graph == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    const cudaError_t error = capture_end(stream, graph);
    check_given(graph, sizeof(*graph));
    return error_note(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status)
{
    return cudaStreamGetCaptureInfo(stream, status, NULL, NULL, NULL, NULL, NULL);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **dependencies,
                                     const cudaGraphEdgeData **edges, size_t *count)
{
    if (status == NULL || (edges != NULL && dependencies == NULL))
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    CaptureInfo info;
    const cudaError_t error = capture_info(stream, &info);
    GIVE(status, info.status);
    if (error != cudaSuccess || info.status != cudaStreamCaptureStatusActive)
    {
        return error_note(error != cudaSuccess ? error : error_status());
    }
    if (id != NULL)
    {
        GIVE(id, info.id);
    }
    if (graph != NULL)
    {
        GIVE(graph, info.graph);
    }
    if (dependencies != NULL)
    {
        GIVE(dependencies, info.last->all);
    }
    if (edges != NULL)
    {
        GIVE(edges, NULL); // all are plain ones
    }
    if (count != NULL)
    {
        GIVE(count, info.last->count);
    }
    return error_status();
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags)
{
    if (!stream_exists(stream))
    {
        return error_note(cudaErrorInvalidResourceHandle);
    }
    CaptureInfo info;
    const cudaError_t error = capture_info(stream, &info);
    if (error != cudaSuccess || info.status != cudaStreamCaptureStatusActive)
    {
        return error_note(error != cudaSuccess ? error : cudaErrorIllegalState);
    }
    if (flags > cudaStreamSetCaptureDependencies || !are_nodes_of(info.graph, dependencies, count))
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (!graph_has_edges(edges, count))
    {
        return error_note(cudaErrorNotSupported);
    }
    const Nodes nodes = {.all = dependencies, .count = count};
    return error_note(capture_set_last(stream, &nodes, flags == cudaStreamAddCaptureDependencies));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode)
{
    if (mode == NULL || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(mode, capture_exchange_mode(*mode));
    return error_status();
}
