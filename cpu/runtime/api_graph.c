// The calls that make graphs and ask about their nodes and edges.
#include <stdio.h>
#include "check.h"
#include "error.h"
#include "graph.h"

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    if (graph == NULL || flags != 0)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(graph, graph_create());
    return error_status();
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (!graph_exists(graph) || graph->owned)
    {
        return error_note(cudaErrorInvalidValue);
    }
    graph_destroy(graph);
    return error_status();
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    if (clone == NULL || !graph_exists(graph))
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(clone, graph_clone(graph));
    return error_status();
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t clone)
{
    if (node == NULL || !graph_node_exists(original) || !graph_exists(clone))
    {
        return error_note(cudaErrorInvalidValue);
    }
    const cudaGraphNode_t found = graph_find_clone(clone, original);
    GIVE(node, found);
    return found != NULL ? error_status() : error_note(cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type)
{
    if (!graph_node_exists(node) || type == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(type, node->work.type);
    return error_status();
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
    if (!graph_node_exists(node) || node->graph->owned)
    {
        return error_note(cudaErrorInvalidValue);
    }
    graph_remove(node);
    return error_status();
}

// --- lists ---------------------------------------------------------------------------------------

// The program gives room for *count nodes; without room it only asks how many there are. Room that
// is left over is set to NULL.
static cudaError_t give(const Nodes *nodes, cudaGraphNode_t *room, size_t *count)
{
    const size_t size = *count;
    for (size_t i = 0; room != NULL && i < size; ++i)
    {
        GIVE(&room[i], i < nodes->count ? nodes->all[i] : NULL);
    }
    GIVE(count, room == NULL || size > nodes->count ? nodes->count : size);
    return error_status();
}

static void clear(cudaGraphEdgeData *edges, size_t count)
{
    for (size_t i = 0; edges != NULL && i < count; ++i)
    {
        GIVE(&edges[i], (cudaGraphEdgeData){0});
    }
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return graph_exists(graph) && count != NULL ? give(&graph->nodes, nodes, count)
                                                : error_note(cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    if (!graph_exists(graph) || count == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    Nodes roots = {0};
    for (size_t i = 0; i < graph->nodes.count; ++i)
    {
        if (graph->nodes.all[i]->before.count == 0)
        {
            nodes_add(&roots, graph->nodes.all[i]);
        }
    }
    const cudaError_t error = give(&roots, nodes, count);
    nodes_clear(&roots);
    return error;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edges, size_t *count)
{
    if (!graph_exists(graph) || count == NULL || (from == NULL) != (to == NULL))
    {
        return error_note(cudaErrorInvalidValue);
    }
    Nodes begins = {0}, ends = {0};
    for (size_t i = 0; i < graph->nodes.count; ++i)
    {
        const cudaGraphNode_t node = graph->nodes.all[i];
        for (size_t k = 0; k < node->before.count; ++k)
        {
            nodes_add(&begins, node->before.all[k]);
            nodes_add(&ends, node);
        }
    }
    size_t size = *count;
    clear(edges, size);
    give(&begins, from, &size);
    const cudaError_t error = give(&ends, to, count);
    nodes_clear(&begins);
    nodes_clear(&ends);
    return error;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                         cudaGraphEdgeData *edges, size_t *count)
{
    if (!graph_node_exists(node) || count == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    clear(edges, *count);
    return give(&node->before, dependencies, count);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                           cudaGraphEdgeData *edges, size_t *count)
{
    if (!graph_node_exists(node) || count == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    clear(edges, *count);
    return give(&node->after, dependents, count);
}

// --- edges ---------------------------------------------------------------------------------------

static cudaError_t check_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                               size_t count)
{
    const bool right = graph_exists(graph) && (count == 0 || (from != NULL && to != NULL));
    for (size_t i = 0; right && i < count; ++i)
    {
        if (!graph_node_exists(from[i]) || !graph_node_exists(to[i]) || from[i]->graph != graph ||
            to[i]->graph != graph || from[i] == to[i])
        {
            return cudaErrorInvalidValue;
        }
    }
    return !right                           ? cudaErrorInvalidValue
           : !graph_has_edges(edges, count) ? cudaErrorNotSupported
                                            : cudaSuccess;
}

// A circle is found when the graph is instantiated.
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                     size_t count)
{
    cudaError_t error = check_edges(graph, from, to, edges, count);
    for (size_t i = 0; error == cudaSuccess && i < count; ++i)
    {
        error = nodes_contain(&to[i]->before, from[i]) ? cudaErrorInvalidValue : cudaSuccess;
    }
    for (size_t i = 0; error == cudaSuccess && i < count; ++i)
    {
        graph_connect(from[i], to[i]);
    }
    return error_note(error);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count)
{
    cudaError_t error = check_edges(graph, from, to, edges, count);
    for (size_t i = 0; error == cudaSuccess && i < count; ++i)
    {
        error = nodes_contain(&to[i]->before, from[i]) ? cudaSuccess : cudaErrorInvalidValue;
    }
    for (size_t i = 0; error == cudaSuccess && i < count; ++i)
    {
        graph_disconnect(from[i], to[i]);
    }
    return error_note(error);
}

// --- a picture -----------------------------------------------------------------------------------

static void describe(FILE *file, const Work *work)
{
    switch (work->type)
    {
    case cudaGraphNodeTypeKernel:
    {
        const Launch *l = &work->kernel.launch;
        fprintf(file, "%s\\n<<<(%u,%u,%u),(%u,%u,%u),%u>>>", l->name, l->grid.x, l->grid.y,
                l->grid.z, l->block.x, l->block.y, l->block.z, work->kernel.shared_bytes);
        break;
    }
    case cudaGraphNodeTypeMemcpy:
        fprintf(file, "MEMCPY\\n%zux%zux%zu", work->copy.extent.width, work->copy.extent.height,
                work->copy.extent.depth);
        break;
    case cudaGraphNodeTypeMemset:
        fprintf(file, "MEMSET\\n%zux%zu of %u", work->set.width, work->set.height,
                work->set.elementSize);
        break;
    default:
        fputs(work->type == cudaGraphNodeTypeHost          ? "HOST"
              : work->type == cudaGraphNodeTypeGraph       ? "GRAPH"
              : work->type == cudaGraphNodeTypeWaitEvent   ? "EVENT_WAIT"
              : work->type == cudaGraphNodeTypeEventRecord ? "EVENT_RECORD"
              : work->type == cudaGraphNodeTypeMemAlloc    ? "MEM_ALLOC"
              : work->type == cudaGraphNodeTypeMemFree     ? "MEM_FREE"
                                                           : "EMPTY",
              file);
    }
}

// A child graph stands in a frame of its own.
static void print_graph(FILE *file, cudaGraph_t graph, unsigned int flags)
{
    for (size_t i = 0; i < graph->nodes.count; ++i)
    {
        const cudaGraphNode_t node = graph->nodes.all[i];
        fprintf(file, "  \"node_%llu\" [shape=\"box\" label=\"%zu\\n", node->id, i);
        describe(file, &node->work);
        if (flags & (cudaGraphDebugDotFlagsHandles | cudaGraphDebugDotFlagsVerbose))
        {
            fprintf(file, "\\n%p", (void *)node);
        }
        fputs("\"];\n", file);
        for (size_t k = 0; k < node->before.count; ++k)
        {
            fprintf(file, "  \"node_%llu\" -> \"node_%llu\";\n", node->before.all[k]->id, node->id);
        }
        if (node->work.type == cudaGraphNodeTypeGraph)
        {
            fprintf(file, "  subgraph cluster_%llu {\n", node->id);
            print_graph(file, node->work.child, flags);
            fputs("  }\n", file);
        }
    }
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags)
{
    if (!graph_exists(graph) || path == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    FILE *file = fopen(path, "w");
    if (file == NULL)
    {
        return error_note(cudaErrorOperatingSystem);
    }
    fputs("digraph dot {\n", file);
    print_graph(file, graph, flags);
    fputs("}\n", file);
    const bool failed = ferror(file) != 0;
    return fclose(file) == 0 && !failed ? error_status() : error_note(cudaErrorOperatingSystem);
}
