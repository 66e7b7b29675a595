// Graphs, and streams that capture: the part of the CUDA runtime API about them.
// cuda_runtime_api.h includes it.
#ifndef CUDACPU_GRAPH_H
#define CUDACPU_GRAPH_H

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

typedef enum cudaGraphNodeType
{
    cudaGraphNodeTypeKernel = 0,
    cudaGraphNodeTypeMemcpy = 1,
    cudaGraphNodeTypeMemset = 2,
    cudaGraphNodeTypeHost = 3,
    cudaGraphNodeTypeGraph = 4,
    cudaGraphNodeTypeEmpty = 5,
    cudaGraphNodeTypeWaitEvent = 6,
    cudaGraphNodeTypeEventRecord = 7,
    cudaGraphNodeTypeExtSemaphoreSignal = 8,
    cudaGraphNodeTypeExtSemaphoreWait = 9,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree = 11,
    cudaGraphNodeTypeConditional = 13,
    cudaGraphNodeTypeCount
} cudaGraphNodeType;

typedef enum cudaStreamCaptureStatus
{
    cudaStreamCaptureStatusNone = 0,
    cudaStreamCaptureStatusActive = 1,
    cudaStreamCaptureStatusInvalidated = 2
} cudaStreamCaptureStatus;

typedef enum cudaStreamCaptureMode
{
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
} cudaStreamCaptureMode;

typedef enum cudaStreamUpdateCaptureDependenciesFlags
{
    cudaStreamAddCaptureDependencies = 0,
    cudaStreamSetCaptureDependencies = 1
} cudaStreamUpdateCaptureDependenciesFlags;

typedef enum cudaGraphExecUpdateResult
{
    cudaGraphExecUpdateSuccess = 0,
    cudaGraphExecUpdateError = 1,
    cudaGraphExecUpdateErrorTopologyChanged = 2,
    cudaGraphExecUpdateErrorNodeTypeChanged = 3,
    cudaGraphExecUpdateErrorFunctionChanged = 4,
    cudaGraphExecUpdateErrorParametersChanged = 5,
    cudaGraphExecUpdateErrorNotSupported = 6,
    cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
    cudaGraphExecUpdateErrorAttributesChanged = 8
} cudaGraphExecUpdateResult;

typedef struct cudaGraphExecUpdateResultInfo_st
{
    cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

typedef enum cudaGraphInstantiateFlags
{
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
} cudaGraphInstantiateFlags;

typedef enum cudaGraphInstantiateResult
{
    cudaGraphInstantiateSuccess = 0,
    cudaGraphInstantiateError = 1,
    cudaGraphInstantiateInvalidStructure = 2,
    cudaGraphInstantiateNodeOperationNotSupported = 3,
    cudaGraphInstantiateMultipleDevicesNotSupported = 4,
    cudaGraphInstantiateConditionalHandleUnused = 5
} cudaGraphInstantiateResult;

typedef struct cudaGraphInstantiateParams_st
{
    unsigned long long flags;
    cudaStream_t uploadStream;
    cudaGraphNode_t errNode_out;
    cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;

typedef enum cudaGraphDebugDotFlags
{
    cudaGraphDebugDotFlagsVerbose = 1 << 0,
    cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
    cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
    cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
    cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,
    cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
    cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
    cudaGraphDebugDotFlagsHandles = 1 << 10,
    cudaGraphDebugDotFlagsConditionalNodeParams = 1 << 15
} cudaGraphDebugDotFlags;

// What an edge is beyond "after": all zeros is an ordinary one, and the only one here.
typedef struct cudaGraphEdgeData_st
{
    unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

typedef enum cudaGraphDependencyType_enum
{
    cudaGraphDependencyTypeDefault = 0,
    cudaGraphDependencyTypeProgrammatic = 1
} cudaGraphDependencyType;
#define cudaGraphKernelNodePortDefault 0
#define cudaGraphKernelNodePortProgrammatic 1
#define cudaGraphKernelNodePortLaunchCompletion 2

typedef struct cudaKernelNodeParams
{
    void *func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
} cudaKernelNodeParams;
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;

typedef struct cudaMemsetParams
{
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
} cudaMemsetParams;
typedef cudaMemsetParams cudaMemsetParamsV2;

typedef struct cudaHostNodeParams
{
    cudaHostFn_t fn;
    void *userData;
} cudaHostNodeParams;
typedef cudaHostNodeParams cudaHostNodeParamsV2;

typedef struct cudaMemcpyNodeParams
{
    int flags, reserved[3];
    cudaMemcpy3DParms copyParams;
} cudaMemcpyNodeParams;

typedef enum cudaGraphChildGraphNodeOwnership
{
    cudaGraphChildGraphOwnershipClone = 0,
    cudaGraphChildGraphOwnershipMove = 1
} cudaGraphChildGraphNodeOwnership;

typedef struct cudaChildGraphNodeParams
{
    cudaGraph_t graph;
    cudaGraphChildGraphNodeOwnership ownership;
} cudaChildGraphNodeParams;

typedef struct cudaEventWaitNodeParams
{
    cudaEvent_t event;
} cudaEventWaitNodeParams;

typedef struct cudaEventRecordNodeParams
{
    cudaEvent_t event;
} cudaEventRecordNodeParams;

typedef enum cudaMemAccessFlags
{
    cudaMemAccessFlagsProtNone = 0,
    cudaMemAccessFlagsProtRead = 1,
    cudaMemAccessFlagsProtReadWrite = 3
} cudaMemAccessFlags;

typedef struct cudaMemAccessDesc
{
    cudaMemLocation location;
    cudaMemAccessFlags flags;
} cudaMemAccessDesc;

typedef struct cudaMemAllocNodeParams
{
    cudaMemPoolProps poolProps;
    const cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
} cudaMemAllocNodeParams;

typedef cudaMemAllocNodeParams cudaMemAllocNodeParamsV2;

typedef struct cudaMemFreeNodeParams
{
    void *dptr;
} cudaMemFreeNodeParams;

typedef struct cudaGraphNodeParams
{
    cudaGraphNodeType type;
    int reserved0[3];
    union
    {
        long long reserved1[29];
        cudaKernelNodeParamsV2 kernel;
        cudaMemcpyNodeParams memcpy;
        cudaMemsetParamsV2 memset;
        cudaHostNodeParamsV2 host;
        cudaChildGraphNodeParams graph;
        cudaEventWaitNodeParams eventWait;
        cudaEventRecordNodeParams eventRecord;
        cudaMemAllocNodeParamsV2 alloc;
        cudaMemFreeNodeParams free;
    };
    long long reserved2;
} cudaGraphNodeParams;

#ifdef __cplusplus
extern "C"
{
#endif

    // capture
    cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
    cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                              const cudaGraphNode_t *dependencies,
                                              const cudaGraphEdgeData *edges, size_t count,
                                              cudaStreamCaptureMode mode);
    cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
    cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
    cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                         unsigned long long *id __dv(0), cudaGraph_t *graph __dv(0),
                                         const cudaGraphNode_t **dependencies __dv(0),
                                         const cudaGraphEdgeData **edges __dv(0),
                                         size_t *count __dv(0));
    cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                    cudaGraphNode_t *dependencies,
                                                    const cudaGraphEdgeData *edges, size_t count,
                                                    unsigned int flags __dv(0));
    cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode);

    // graphs
    cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
    cudaError_t cudaGraphDestroy(cudaGraph_t graph);
    cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
    cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                         cudaGraph_t clone);
    cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
    cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
    cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                  cudaGraphEdgeData *edges, size_t *count);
    cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                             cudaGraphEdgeData *edges, size_t *count);
    cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                               cudaGraphEdgeData *edges, size_t *count);
    cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                         const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                         size_t count);
    cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *edges, size_t count);
    cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type);
    cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
    cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);

    // nodes
    cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies,
                                 const cudaGraphEdgeData *edges, size_t count,
                                 cudaGraphNodeParams *parameters);
    cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *parameters);
    cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t count,
                                       const cudaKernelNodeParams *parameters);
    cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                             cudaKernelNodeParams *parameters);
    cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                             const cudaKernelNodeParams *parameters);
    cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t count,
                                       const cudaMemcpy3DParms *parameters);
    cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                         const cudaGraphNode_t *dependencies, size_t count,
                                         void *to, const void *from, size_t bytes,
                                         cudaMemcpyKind kind);
    cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *parameters);
    cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *parameters);
    cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                               size_t bytes, cudaMemcpyKind kind);
    cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t count,
                                       const cudaMemsetParams *parameters);
    cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *parameters);
    cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                             const cudaMemsetParams *parameters);
    cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     const cudaHostNodeParams *parameters);
    cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *parameters);
    cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                           const cudaHostNodeParams *parameters);
    cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies, size_t count,
                                           cudaGraph_t child);
    cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child);
    cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies, size_t count);
    cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *dependencies, size_t count,
                                            cudaEvent_t event);
    cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
    cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
    cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies, size_t count,
                                          cudaEvent_t event);
    cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
    cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
    cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                         const cudaGraphNode_t *dependencies, size_t count,
                                         cudaMemAllocNodeParams *parameters);
    cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                               cudaMemAllocNodeParams *parameters);
    cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t count,
                                        void *pointer);
    cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer);

    // graphs that can be launched
    cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                     unsigned long long flags __dv(0));
    cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                              unsigned long long flags __dv(0));
    cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphInstantiateParams *parameters);
    cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
    cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
    cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
    cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
    cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                    cudaGraphExecUpdateResultInfo *info);
    cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           cudaGraphNodeParams *parameters);
    cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 const cudaKernelNodeParams *parameters);
    cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 const cudaMemcpy3DParms *parameters);
    cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                   void *to, const void *from, size_t bytes,
                                                   cudaMemcpyKind kind);
    cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 const cudaMemsetParams *parameters);
    cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               const cudaHostNodeParams *parameters);
    cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     cudaGraph_t child);
    cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     cudaEvent_t event);
    cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                   cudaEvent_t event);
    cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                        unsigned int enabled);
    cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                        unsigned int *enabled);

#ifdef __cplusplus
}

// --- symbols ------------------------------------------------------------------------------------

namespace cudacpu
{
// The place in a device variable; NULL if the symbol is none.
template <class T>
inline char *place_in(const T &symbol, size_t offset)
{
    return cudacpu_find_symbol(&symbol, sizeof(T)) == cudaSuccess ? (char *)&symbol + offset : NULL;
}
} // namespace cudacpu

template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                  const cudaGraphNode_t *dependencies, size_t count,
                                                  const T &symbol, const void *from, size_t bytes,
                                                  size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNode1D(node, graph, dependencies, count,
                                    cudacpu::place_in(symbol, offset), from, bytes, kind);
}

template <class T>
inline cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t count, void *to,
                                 const T &symbol, size_t bytes, size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to,
                                    cudacpu::place_in(symbol, offset), bytes, kind);
}

template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                                        const void *from, size_t bytes,
                                                        size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphMemcpyNodeSetParams1D(node, cudacpu::place_in(symbol, offset), from, bytes,
                                          kind);
}

template <class T>
inline cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to,
                                                          const T &symbol, size_t bytes,
                                                          size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphMemcpyNodeSetParams1D(node, to, cudacpu::place_in(symbol, offset), bytes, kind);
}

template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node, const T &symbol,
                                                            const void *from, size_t bytes,
                                                            size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphExecMemcpyNodeSetParams1D(exec, node, cudacpu::place_in(symbol, offset), from,
                                              bytes, kind);
}

template <class T>
inline cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec,
                                                              cudaGraphNode_t node, void *to,
                                                              const T &symbol, size_t bytes,
                                                              size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphExecMemcpyNodeSetParams1D(exec, node, to, cudacpu::place_in(symbol, offset),
                                              bytes, kind);
}

// --- as CUDA 12 and 11 have them ------------------------------------------------------------------

inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                            unsigned long long *id, cudaGraph_t *graph,
                                            const cudaGraphNode_t **dependencies, size_t *count)
{
    return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies,
                                    (const cudaGraphEdgeData **)NULL, count);
}

inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                               unsigned long long *id = NULL,
                                               cudaGraph_t *graph = NULL,
                                               const cudaGraphNode_t **dependencies = NULL,
                                               size_t *count = NULL)
{
    return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies,
                                    (const cudaGraphEdgeData **)NULL, count);
}

inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                       cudaGraphNode_t *dependencies, size_t count,
                                                       unsigned int flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, NULL, count, flags);
}

inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                     size_t *count)
{
    return cudaGraphGetEdges(graph, from, to, NULL, count);
}

inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                                size_t *count)
{
    return cudaGraphNodeGetDependencies(node, dependencies, NULL, count);
}

inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                                  size_t *count)
{
    return cudaGraphNodeGetDependentNodes(node, dependents, NULL, count);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, NULL, count);
}

inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                               const cudaGraphNode_t *to, size_t count)
{
    return cudaGraphRemoveDependencies(graph, from, to, NULL, count);
}

inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t count,
                                    cudaGraphNodeParams *parameters)
{
    return cudaGraphAddNode(node, graph, dependencies, NULL, count, parameters);
}

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        cudaGraphNode_t *error_node, char *log, size_t log_bytes)
{
    if (error_node != NULL)
    {
        *error_node = NULL;
    }
    if (log != NULL && log_bytes > 0)
    {
        *log = '\0';
    }
    return cudaGraphInstantiate(exec, graph, 0);
}

inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphNode_t *error_node,
                                       cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    if (error_node != NULL)
    {
        *error_node = info.errorNode;
    }
    if (result != NULL)
    {
        *result = info.result;
    }
    return error;
}
#endif
#endif
