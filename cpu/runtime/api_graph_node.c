// The calls that add nodes to graphs, and that get and set what a node does.
#include "api_graph_node.h"
#include <stdio.h>
#include "api_copy.h"
#include "api_launch.h"
#include "api_pool.h"
#include "check.h"
#include "error.h"
#include "event.h"

// --- work from parameters ------------------------------------------------------------------------

cudaError_t api_copy_work(const cudaMemcpy3DParms *p, Work *work)
{
    const cudaError_t error = api_check_copy(p);
    if (error == cudaSuccess)
    {
        *work = (Work){.type = cudaGraphNodeTypeMemcpy, .copy = *p};
        api_resolve_arrays(&work->copy);
    }
    return error;
}

cudaError_t api_set_work(const cudaMemsetParams *p, Work *work)
{
    const cudaError_t error = api_check_set(p);
    if (error == cudaSuccess)
    {
        *work = (Work){.type = cudaGraphNodeTypeMemset, .set = *p};
    }
    return error;
}

cudaError_t api_host_work(const cudaHostNodeParams *p, Work *work)
{
    if (p == NULL || p->fn == NULL)
    {
        return cudaErrorInvalidValue;
    }
    *work = (Work){.type = cudaGraphNodeTypeHost, .host = *p};
    return cudaSuccess;
}

cudaError_t api_child_work(cudaGraph_t child, Work *work)
{
    if (!graph_exists(child))
    {
        return cudaErrorInvalidValue;
    }
    *work = (Work){.type = cudaGraphNodeTypeGraph, .child = graph_clone(child)};
    work->child->owned = true;
    return cudaSuccess;
}

cudaError_t api_event_work(cudaGraphNodeType type, cudaEvent_t event, Work *work)
{
    if (!event_exists(event))
    {
        return cudaErrorInvalidValue;
    }
    *work = (Work){.type = type, .event = event};
    return cudaSuccess;
}

// Of the parameters that tell their type.
cudaError_t api_work_of(cudaGraphNodeParams *p, Work *work)
{
    switch (p == NULL ? cudaGraphNodeTypeCount : p->type)
    {
    case cudaGraphNodeTypeKernel:
        return api_kernel_work(&p->kernel, work);
    case cudaGraphNodeTypeMemcpy:
        return api_copy_work(&p->memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset:
        return api_set_work(&p->memset, work);
    case cudaGraphNodeTypeHost:
        return api_host_work(&p->host, work);
    case cudaGraphNodeTypeGraph:
        return api_child_work(p->graph.graph, work);
    case cudaGraphNodeTypeEmpty:
        *work = (Work){.type = cudaGraphNodeTypeEmpty};
        return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
        return api_event_work(p->type, p->eventWait.event, work);
    case cudaGraphNodeTypeMemAlloc:
        return api_allocation_work(&p->alloc.dptr, p->alloc.bytesize, work);
    case cudaGraphNodeTypeMemFree:
        return api_freeing_work(p->free.dptr, work) ? cudaSuccess : cudaErrorInvalidValue;
    case cudaGraphNodeTypeCount:
        return cudaErrorInvalidValue;
    default:
        fprintf(stderr, "CPU backend: a graph's node of type %d needs a GPU\n", (int)p->type);
        return cudaErrorNotSupported;
    }
}

// --- adding --------------------------------------------------------------------------------------

// Looks at everything but the work.
static cudaError_t check_add(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t count)
{
    if (!error_none())
    {
        return error_status();
    }
    if (node == NULL || !graph_exists(graph) || (dependencies == NULL && count > 0))
    {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < count; ++i)
    {
        const Nodes earlier = {.all = (cudaGraphNode_t *)dependencies, .count = i};
        if (!graph_node_exists(dependencies[i]) || dependencies[i]->graph != graph ||
            nodes_contain(&earlier, dependencies[i]))
        {
            return cudaErrorInvalidValue;
        }
    }
    return cudaSuccess;
}

static void add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                size_t count, const Work *work)
{
    const Nodes before = {.all = (cudaGraphNode_t *)dependencies, .count = count};
    GIVE(node, graph_add(graph, &before, work));
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                             size_t count, cudaGraphNodeParams *parameters)
{
    Work work;
    cudaError_t error = check_add(node, graph, dependencies, count);
    if (error == cudaSuccess && !graph_has_edges(edges, count))
    {
        error = cudaErrorNotSupported;
    }
    error = error != cudaSuccess ? error : api_work_of(parameters, &work);
    if (error != cudaSuccess)
    {
        return error_note(error);
    }
    add(node, graph, dependencies, count, &work);
    return error_status();
}

// The older calls, each for nodes of one type. `make` is an expression that fills the work.
#define ADD_NODE(name, parameters_, make)                                                          \
    cudaError_t cudaGraphAdd##name(cudaGraphNode_t *node, cudaGraph_t graph,                       \
                                   const cudaGraphNode_t *dependencies, size_t count, parameters_) \
    {                                                                                              \
        Work work = {.type = cudaGraphNodeTypeEmpty};                                              \
        cudaError_t error = check_add(node, graph, dependencies, count);                           \
        error = error != cudaSuccess ? error : (make);                                             \
        if (error != cudaSuccess)                                                                  \
        {                                                                                          \
            return error_note(error);                                                              \
        }                                                                                          \
        add(node, graph, dependencies, count, &work);                                              \
        return error_status();                                                                     \
    }
ADD_NODE(KernelNode, const cudaKernelNodeParams *p, api_kernel_work(p, &work))
ADD_NODE(MemcpyNode, const cudaMemcpy3DParms *p, api_copy_work(p, &work))
ADD_NODE(MemsetNode, const cudaMemsetParams *p, api_set_work(p, &work))
ADD_NODE(HostNode, const cudaHostNodeParams *p, api_host_work(p, &work))
ADD_NODE(ChildGraphNode, cudaGraph_t child, api_child_work(child, &work))
ADD_NODE(EventRecordNode, cudaEvent_t event,
         api_event_work(cudaGraphNodeTypeEventRecord, event, &work))
ADD_NODE(EventWaitNode, cudaEvent_t event, api_event_work(cudaGraphNodeTypeWaitEvent, event, &work))

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t count)
{
    cudaGraphNodeParams p = {.type = cudaGraphNodeTypeEmpty};
    return cudaGraphAddNode(node, graph, dependencies, NULL, count, &p);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const cudaMemcpy3DParms p = api_copy_1d(to, from, bytes, kind);
    return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t count,
                                     cudaMemAllocNodeParams *p)
{
    Work work;
    cudaError_t error = check_add(node, graph, dependencies, count);
    error = error != cudaSuccess ? error
            : p == NULL          ? cudaErrorInvalidValue
                                 : api_allocation_work(&p->dptr, p->bytesize, &work);
    if (error != cudaSuccess)
    {
        return error_note(error);
    }
    add(node, graph, dependencies, count, &work);
    return error_status();
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t count,
                                    void *pointer)
{
    Work work;
    cudaError_t error = check_add(node, graph, dependencies, count);
    if (error != cudaSuccess || !api_freeing_work(pointer, &work))
    {
        return error_note(error != cudaSuccess ? error : cudaErrorInvalidValue);
    }
    add(node, graph, dependencies, count, &work);
    return error_status();
}

// --- getting and setting -------------------------------------------------------------------------

static bool is_type(cudaGraphNode_t node, cudaGraphNodeType type)
{
    return graph_node_exists(node) && node->work.type == type;
}

// The node does the new work from now on.
static cudaError_t replace(cudaGraphNode_t node, cudaGraphNodeType type, cudaError_t error,
                           Work *work)
{
    if (error != cudaSuccess)
    {
        return error_note(error);
    }
    if (!is_type(node, type))
    {
        work_drop(work);
        return error_note(cudaErrorInvalidValue);
    }
    work_drop(&node->work);
    node->work = *work;
    return error_status();
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *parameters)
{
    if (parameters == NULL || !is_type(node, parameters->type))
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (parameters->type == cudaGraphNodeTypeGraph ||
        parameters->type == cudaGraphNodeTypeMemAlloc ||
        parameters->type == cudaGraphNodeTypeMemFree)
    {
        return error_note(cudaErrorInvalidValue); // it stays what it is
    }
    Work work;
    const cudaError_t error = api_work_of(parameters, &work);
    return replace(node, parameters->type, error, &work);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *p)
{
    if (!is_type(node, cudaGraphNodeTypeKernel) || p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    const Launch *launch = &node->work.kernel.launch;
    GIVE(p, (cudaKernelNodeParams){.func = (void *)node->work.kernel.function,
                                   .gridDim = launch->grid,
                                   .blockDim = launch->block,
                                   .sharedMemBytes = node->work.kernel.shared_bytes,
                                   .kernelParams = node->work.kernel.closure->arguments});
    return error_status();
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *p)
{
    Work work;
    const cudaError_t error = api_kernel_work(p, &work);
    return replace(node, cudaGraphNodeTypeKernel, error, &work);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *p)
{
    if (!is_type(node, cudaGraphNodeTypeMemcpy) || p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(p, node->work.copy);
    return error_status();
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *p)
{
    Work work;
    const cudaError_t error = api_copy_work(p, &work);
    return replace(node, cudaGraphNodeTypeMemcpy, error, &work);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                           size_t bytes, cudaMemcpyKind kind)
{
    const cudaMemcpy3DParms p = api_copy_1d(to, from, bytes, kind);
    return cudaGraphMemcpyNodeSetParams(node, &p);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *p)
{
    if (!is_type(node, cudaGraphNodeTypeMemset) || p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(p, node->work.set);
    return error_status();
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *p)
{
    Work work;
    const cudaError_t error = api_set_work(p, &work);
    return replace(node, cudaGraphNodeTypeMemset, error, &work);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *p)
{
    if (!is_type(node, cudaGraphNodeTypeHost) || p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(p, node->work.host);
    return error_status();
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *p)
{
    Work work;
    const cudaError_t error = api_host_work(p, &work);
    return replace(node, cudaGraphNodeTypeHost, error, &work);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child)
{
    if (!is_type(node, cudaGraphNodeTypeGraph) || child == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(child, node->work.child);
    return error_status();
}

// Of the pool only the device is told.
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams *p)
{
    if (!is_type(node, cudaGraphNodeTypeMemAlloc) || p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(p, (cudaMemAllocNodeParams){.poolProps = {.allocType = cudaMemAllocationTypePinned,
                                                   .location = {cudaMemLocationTypeDevice, 0}},
                                     .bytesize = node->work.memory->bytes,
                                     .dptr = node->work.memory->pointer});
    return error_status();
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer)
{
    if (!is_type(node, cudaGraphNodeTypeMemFree) || pointer == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE((void **)pointer, node->work.memory->pointer);
    return error_status();
}

static cudaError_t get_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t *event)
{
    if (!is_type(node, type) || event == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(event, node->work.event);
    return error_status();
}

static cudaError_t set_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t event)
{
    Work work;
    const cudaError_t error = api_event_work(type, event, &work);
    return replace(node, type, error, &work);
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return get_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return set_event(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event)
{
    return get_event(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
    return set_event(node, cudaGraphNodeTypeWaitEvent, event);
}
