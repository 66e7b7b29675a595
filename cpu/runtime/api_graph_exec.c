// The calls that make graphs launchable, launch them, and change what they do.
#include <stdio.h>
#include "api_copy.h"
#include "api_graph_node.h"
#include "api_launch.h"
#include "capture.h"
#include "check.h"
#include "error.h"
#include "graph_exec.h"
#include "memory.h"
#include "report.h"
#include "stream.h"

// --- instantiating -------------------------------------------------------------------------------

static bool goes_in_circle(cudaGraph_t graph)
{
    Nodes order;
    bool circle = !graph_order(graph, &order);
    nodes_clear(&order);
    for (size_t i = 0; !circle && i < graph->nodes.count; ++i)
    {
        const Work *work = &graph->nodes.all[i]->work;
        circle = work->type == cudaGraphNodeTypeGraph && goes_in_circle(work->child);
    }
    return circle;
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags,
                               cudaGraphInstantiateResult *result)
{
    GIVE(result, cudaGraphInstantiateError);
    if (!error_none())
    {
        return error_status();
    }
    const unsigned long long all =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    if (exec == NULL || !graph_exists(graph) || flags & ~all)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    {
        fprintf(stderr, "CPU backend: a graph that kernels launch needs a GPU\n");
        return error_note(cudaErrorNotSupported);
    }
    if (goes_in_circle(graph))
    {
        GIVE(result, cudaGraphInstantiateInvalidStructure);
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(exec, exec_create(graph, flags));
    GIVE(result, cudaGraphInstantiateSuccess);
    return error_status();
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
    cudaGraphInstantiateResult result;
    return instantiate(exec, graph, flags, &result);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *p)
{
    if (p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(&p->errNode_out, NULL);
    return instantiate(exec, graph, p->flags, &p->result_out);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags)
{
    if (!exec_exists(exec) || flags == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(flags, exec->flags);
    return error_status();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    if (!exec_exists(exec))
    {
        return error_note(cudaErrorInvalidValue);
    }
    exec_destroy(exec);
    return error_status();
}

// --- launching -----------------------------------------------------------------------------------

static cudaError_t check_launch(cudaGraphExec_t exec, cudaStream_t stream)
{
    if (error_none() && !exec_exists(exec))
    {
        return report_call(cudaErrorInvalidValue,
                           "%p is no graph that can be launched: cudaGraphInstantiate did not make "
                           "it, or it is destroyed",
                           (void *)exec);
    }
    return !error_none()            ? error_status()
           : !stream_exists(stream) ? cudaErrorInvalidResourceHandle
                                    : cudaSuccess;
}

// There is nothing to be uploaded.
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    const cudaError_t error = check_launch(exec, stream);
    return error_note(error == cudaSuccess && capture_any() ? capture_allows_stream(stream)
                                                            : error);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    cudaError_t error = check_launch(exec, stream);
    if (error == cudaSuccess && capture_any())
    {
        error = capture_allows_stream(stream);
    }
    if (error != cudaSuccess)
    {
        return error_note(error);
    }
    error = exec_check_launch(exec, stream_of(stream)->device);
    if (error != cudaSuccess)
    {
        return error_note(error);
    }
    exec_launch(exec, stream);
    return error_status();
}

// --- changing one node ---------------------------------------------------------------------------

// The launchable graph's own node for a node of the graph that it was made from. NULL: none.
static cudaGraphNode_t own_node(cudaGraphExec_t exec, cudaGraphNode_t node)
{
    return exec_exists(exec) && graph_node_exists(node) ? graph_find_clone(exec->graph, node)
                                                        : NULL;
}

// The kind of memory on each side of a copy must stay.
static bool same_places(const cudaMemcpy3DParms *a, const cudaMemcpy3DParms *b)
{
    const Place to_a = memory_place(a->dstPtr.ptr, 0), to_b = memory_place(b->dstPtr.ptr, 0);
    const Place from_a = memory_place(a->srcPtr.ptr, 0), from_b = memory_place(b->srcPtr.ptr, 0);
    return (to_a == ON_DEVICE) == (to_b == ON_DEVICE) &&
           (from_a == ON_DEVICE) == (from_b == ON_DEVICE);
}

// Whether a launchable graph's node may get this work: a copy of bytes in a row stays one, and so
// on.
static bool can_become(const Work *old, const Work *new)
{
    if (old->type == cudaGraphNodeTypeMemcpy)
    {
        const cudaExtent a = old->copy.extent, b = new->copy.extent;
        const bool both_rows = a.height == 1 && a.depth == 1 && b.height == 1 && b.depth == 1;
        const bool same_box = a.width == b.width && a.height == b.height && a.depth == b.depth;
        return same_places(&old->copy, &new->copy) && (both_rows || same_box);
    }
    if (old->type == cudaGraphNodeTypeMemset)
    {
        const cudaMemsetParams *a = &old->set, *b = &new->set;
        const bool both_rows = a->height == 1 && b->height == 1;
        return both_rows || (a->width == b->width && a->height == b->height &&
                             a->elementSize == b->elementSize && a->pitch == b->pitch);
    }
    const bool of_memory =
        old->type == cudaGraphNodeTypeMemAlloc || old->type == cudaGraphNodeTypeMemFree;
    return !of_memory || old->memory == new->memory;
}

static cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                       cudaError_t error, Work *work)
{
    if (error != cudaSuccess)
    {
        return error_note(error);
    }
    const cudaGraphNode_t own = own_node(exec, node);
    if (own == NULL || own->work.type != type || !can_become(&own->work, work))
    {
        work_drop(work);
        return error_note(cudaErrorInvalidValue);
    }
    exec_set(exec, own, work);
    return error_status();
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *p)
{
    Work work;
    const cudaError_t error = api_kernel_work(p, &work);
    return set(exec, node, cudaGraphNodeTypeKernel, error, &work);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *p)
{
    Work work;
    const cudaError_t error = api_copy_work(p, &work);
    return set(exec, node, cudaGraphNodeTypeMemcpy, error, &work);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *to,
                                               const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const cudaMemcpy3DParms p = api_copy_1d(to, from, bytes, kind);
    return cudaGraphExecMemcpyNodeSetParams(exec, node, &p);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams *p)
{
    Work work;
    const cudaError_t error = api_set_work(p, &work);
    return set(exec, node, cudaGraphNodeTypeMemset, error, &work);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams *p)
{
    Work work;
    const cudaError_t error = api_host_work(p, &work);
    return set(exec, node, cudaGraphNodeTypeHost, error, &work);
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event)
{
    Work work;
    const cudaError_t error = api_event_work(cudaGraphNodeTypeEventRecord, event, &work);
    return set(exec, node, cudaGraphNodeTypeEventRecord, error, &work);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event)
{
    Work work;
    const cudaError_t error = api_event_work(cudaGraphNodeTypeWaitEvent, event, &work);
    return set(exec, node, cudaGraphNodeTypeWaitEvent, error, &work);
}

static bool can_be_disabled(cudaGraphNode_t own)
{
    return own != NULL &&
           (own->work.type == cudaGraphNodeTypeKernel ||
            own->work.type == cudaGraphNodeTypeMemcpy || own->work.type == cudaGraphNodeTypeMemset);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled)
{
    const cudaGraphNode_t own = own_node(exec, node);
    if (!can_be_disabled(own))
    {
        return error_note(cudaErrorInvalidValue);
    }
    own->disabled = enabled == 0;
    exec_forget_program(exec);
    return error_status();
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *enabled)
{
    const cudaGraphNode_t own = own_node(exec, node);
    if (!can_be_disabled(own) || enabled == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(enabled, !own->disabled);
    return error_status();
}

// --- changing all nodes --------------------------------------------------------------------------

typedef cudaGraphExecUpdateResultInfo Info;

static bool refuse(Info *info, cudaGraphExecUpdateResult result, cudaGraphNode_t node,
                   cudaGraphNode_t from)
{
    GIVE(info, (Info){result, node, from});
    return false;
}

static bool pair_graphs(cudaGraph_t own, cudaGraph_t graph, Info *info);

static void make_partners(cudaGraphNode_t own, cudaGraphNode_t node, Nodes *found)
{
    own->partner = node;
    node->partner = own;
    nodes_add(found, own);
}

// Compares a node of the launchable graph with its partner, and pairs the nodes before them, edge
// by edge.
static bool compare(cudaGraphNode_t own, Nodes *found, Info *info)
{
    const cudaGraphNode_t node = own->partner;
    if (own->work.type != node->work.type)
    {
        return refuse(info, cudaGraphExecUpdateErrorNodeTypeChanged, node, NULL);
    }
    if (own->before.count != node->before.count)
    {
        return refuse(info, cudaGraphExecUpdateErrorTopologyChanged, node, NULL);
    }
    for (size_t i = 0; i < own->before.count; ++i)
    {
        const cudaGraphNode_t a = own->before.all[i], b = node->before.all[i];
        if (a->partner == NULL && b->partner == NULL)
        {
            make_partners(a, b, found);
        }
        else if (a->partner != b)
        {
            return refuse(info, cudaGraphExecUpdateErrorTopologyChanged, node, b);
        }
    }
    if (own->work.type == cudaGraphNodeTypeGraph)
    {
        return pair_graphs(own->work.child, node->work.child, info);
    }
    return can_become(&own->work, &node->work) ||
           refuse(info, cudaGraphExecUpdateErrorParametersChanged, node, NULL);
}

// Pairs two nodes after which none comes, and all before them.
static bool pair_ends(cudaGraphNode_t own, cudaGraphNode_t node, Info *info)
{
    Nodes found = {0};
    bool right = true;
    make_partners(own, node, &found);
    while (right && found.count > 0)
    {
        right = compare(found.all[--found.count], &found, info);
    }
    nodes_clear(&found);
    return right;
}

static void forget_partners(cudaGraph_t graph)
{
    for (size_t i = 0; i < graph->nodes.count; ++i)
    {
        graph->nodes.all[i]->partner = NULL;
    }
}

// The node after which none comes, at or after place *i. NULL: no more.
static cudaGraphNode_t next_end(const Nodes *nodes, size_t *i)
{
    while (*i < nodes->count && nodes->all[*i]->after.count > 0)
    {
        ++*i;
    }
    return *i < nodes->count ? nodes->all[(*i)++] : NULL;
}

static bool pair_graphs(cudaGraph_t own, cudaGraph_t graph, Info *info)
{
    if (own->nodes.count != graph->nodes.count)
    {
        return refuse(info, cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
    }
    forget_partners(own);
    forget_partners(graph);
    for (size_t i = 0, k = 0;;)
    {
        const cudaGraphNode_t a = next_end(&own->nodes, &i), b = next_end(&graph->nodes, &k);
        if (a == NULL || b == NULL)
        {
            return a == b || refuse(info, cudaGraphExecUpdateErrorTopologyChanged, b, NULL);
        }
        if (!pair_ends(a, b, info))
        {
            return false;
        }
    }
}

// Gives each node the work of its partner.
static void take_over(cudaGraph_t own)
{
    for (size_t i = 0; i < own->nodes.count; ++i)
    {
        const cudaGraphNode_t node = own->nodes.all[i];
        if (node->work.type == cudaGraphNodeTypeGraph)
        {
            take_over(node->work.child);
            continue;
        }
        const Work work = work_share(&node->partner->work);
        work_drop(&node->work);
        node->work = work;
    }
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, Info *info)
{
    if (info == NULL || !exec_exists(exec) || !graph_exists(graph))
    {
        if (info != NULL)
        {
            refuse(info, cudaGraphExecUpdateError, NULL, NULL);
        }
        return error_note(cudaErrorInvalidValue);
    }
    if (goes_in_circle(graph))
    {
        refuse(info, cudaGraphExecUpdateError, NULL, NULL);
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(info, (Info){.result = cudaGraphExecUpdateSuccess});
    if (!pair_graphs(exec->graph, graph, info))
    {
        return error_note(cudaErrorGraphExecUpdateFailure);
    }
    take_over(exec->graph);
    exec_forget_program(exec);
    return error_status();
}

// A child graph is updated as a whole graph is.
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child)
{
    Info info;
    const cudaGraphNode_t own = own_node(exec, node);
    if (own == NULL || own->work.type != cudaGraphNodeTypeGraph || !graph_exists(child) ||
        goes_in_circle(child) || !pair_graphs(own->work.child, child, &info))
    {
        return error_note(cudaErrorInvalidValue);
    }
    take_over(own->work.child);
    exec_forget_program(exec);
    return error_status();
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams *p)
{
    if (p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (p->type == cudaGraphNodeTypeMemAlloc || p->type == cudaGraphNodeTypeMemFree)
    {
        return error_note(cudaErrorInvalidValue); // it stays what it is
    }
    if (p->type == cudaGraphNodeTypeGraph)
    {
        return cudaGraphExecChildGraphNodeSetParams(exec, node, p->graph.graph);
    }
    Work work;
    const cudaError_t error = api_work_of(p, &work);
    return set(exec, node, p->type, error, &work);
}
