// Graphs made of nodes: what nodes and edges there are, what a launch does, how a graph that can be
// launched is changed, and what is refused.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include "expect.cuh"

// x = 3 x + number: whoever is late or early changes the result.
__global__ void step(int *x, int number)
{
    *x = 3 * *x + number;
}

template <class T>
__global__ void fill(T *to, T value)
{
    to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static int *d_x, *h_x; // eight ints each
static cudaStream_t stream;

static bool ok(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        printf("  got %s\n", cudaGetErrorName(error));
    }
    return error == cudaSuccess;
}

// Whether the call returned an error, which is then forgotten.
static bool refused(cudaError_t error)
{
    cudaGetLastError();
    return error != cudaSuccess;
}

static void set_all(int value)
{
    for (int i = 0; i < 8; ++i)
    {
        h_x[i] = value;
    }
    cudaMemcpy(d_x, h_x, 8 * sizeof(int), cudaMemcpyHostToDevice);
}

static int value_of(int i)
{
    int x = -1;
    cudaMemcpy(&x, d_x + i, sizeof(int), cudaMemcpyDeviceToHost);
    return x;
}

// Makes the graph launchable and launches it once.
static bool run(cudaGraph_t graph)
{
    cudaGraphExec_t exec = NULL;
    return ok(cudaGraphInstantiate(&exec, graph, 0)) && ok(cudaGraphLaunch(exec, stream)) &&
           ok(cudaStreamSynchronize(stream)) && ok(cudaGraphExecDestroy(exec));
}

static cudaKernelNodeParams kernel_params(void *kernel, void **arguments)
{
    cudaKernelNodeParams p;
    memset((void *)&p, 0, sizeof(p));
    p.func = kernel;
    p.gridDim = p.blockDim = dim3(1);
    p.kernelParams = arguments;
    return p;
}

// A node that does x = 3 x + number, after another one or none.
static cudaGraphNode_t add_step(cudaGraph_t graph, cudaGraphNode_t after, int *x, int number)
{
    void *arguments[] = {&x, &number};
    const cudaKernelNodeParams p = kernel_params((void *)step, arguments);
    cudaGraphNode_t node = NULL;
    ok(cudaGraphAddKernelNode(&node, graph, &after, after != NULL, &p));
    return node;
}

static size_t number_of_nodes(cudaGraph_t graph)
{
    size_t count = 999;
    cudaGraphGetNodes(graph, NULL, &count);
    return count;
}

static cudaGraphNodeType type_of(cudaGraphNode_t node)
{
    cudaGraphNodeType type = (cudaGraphNodeType)-1;
    cudaGraphNodeGetType(node, &type);
    return type;
}

// --- nodes -----------------------------------------------------------------------------------------

static int calls;

static void CUDART_CB count_call(void *data)
{
    calls += *(int *)data;
}

static void try_nodes()
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t copy_in, kernel, set = NULL, copy_out = NULL, host = NULL, empty = NULL;
    set_all(1);
    int seven = 7;
    h_x[0] = 5;
    bool right = ok(cudaGraphCreate(&graph, 0)) && number_of_nodes(graph) == 0 && run(graph);
    check("an empty graph", right);
    right = ok(cudaGraphAddMemcpyNode1D(&copy_in, graph, NULL, 0, d_x, h_x, sizeof(int),
                                        cudaMemcpyHostToDevice));
    kernel = add_step(graph, copy_in, d_x, 2);
    cudaMemsetParams values;
    memset((void *)&values, 0, sizeof(values));
    values.dst = d_x + 2;
    values.value = 0x01020304;
    values.elementSize = 4;
    values.width = 3;
    values.height = 1;
    right = right && ok(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &values));
    const cudaGraphNode_t both[] = {kernel, set};
    right = right && ok(cudaGraphAddEmptyNode(&empty, graph, both, 2));
    cudaMemcpy3DParms box;
    memset((void *)&box, 0, sizeof(box));
    box.srcPtr = make_cudaPitchedPtr(d_x, 8 * sizeof(int), 8 * sizeof(int), 1);
    box.dstPtr = make_cudaPitchedPtr(h_x, 8 * sizeof(int), 8 * sizeof(int), 1);
    box.extent = make_cudaExtent(8 * sizeof(int), 1, 1);
    box.kind = cudaMemcpyDeviceToHost;
    right = right && ok(cudaGraphAddMemcpyNode(&copy_out, graph, &empty, 1, &box));
    cudaHostNodeParams function;
    function.fn = count_call;
    function.userData = &seven;
    right = right && ok(cudaGraphAddHostNode(&host, graph, &copy_out, 1, &function));
    check("nodes of each type", right && number_of_nodes(graph) == 6);
    right = type_of(copy_in) == cudaGraphNodeTypeMemcpy &&
            type_of(kernel) == cudaGraphNodeTypeKernel && type_of(set) == cudaGraphNodeTypeMemset &&
            type_of(empty) == cudaGraphNodeTypeEmpty &&
            type_of(copy_out) == cudaGraphNodeTypeMemcpy && type_of(host) == cudaGraphNodeTypeHost;
    check("know their types", right);
    right = run(graph) && calls == 7 && h_x[0] == 17 && h_x[1] == 1 && h_x[2] == 0x01020304 &&
            h_x[4] == 0x01020304 && h_x[5] == 1;
    check("and work", right);
    cudaHostNodeParams its_function;
    cudaMemsetParams its_values;
    cudaKernelNodeParams its_kernel;
    right = ok(cudaGraphHostNodeGetParams(host, &its_function)) && its_function.fn == count_call &&
            its_function.userData == &seven && ok(cudaGraphMemsetNodeGetParams(set, &its_values)) &&
            its_values.dst == d_x + 2 && its_values.value == 0x01020304 &&
            its_values.elementSize == 4 && its_values.width == 3 && its_values.height == 1 &&
            ok(cudaGraphKernelNodeGetParams(kernel, &its_kernel)) &&
            its_kernel.func == (void *)step && its_kernel.gridDim.x == 1 &&
            its_kernel.blockDim.z == 1 && its_kernel.sharedMemBytes == 0 &&
            *(int **)its_kernel.kernelParams[0] == d_x && *(int *)its_kernel.kernelParams[1] == 2;
    check("and know their parameters", right);
    int ten = 10, *x = d_x + 1;
    void *arguments[] = {&x, &ten};
    its_kernel.kernelParams = arguments;
    its_values.value = 9;
    its_function.userData = &ten;
    right = ok(cudaGraphKernelNodeSetParams(kernel, &its_kernel)) &&
            ok(cudaGraphMemsetNodeSetParams(set, &its_values)) &&
            ok(cudaGraphHostNodeSetParams(host, &its_function)) &&
            ok(cudaGraphMemcpyNodeSetParams1D(copy_in, d_x + 7, h_x, sizeof(int),
                                              cudaMemcpyHostToDevice)) &&
            run(graph) && calls == 17 && h_x[0] == 17 && h_x[1] == 13 && h_x[3] == 9 &&
            h_x[7] == 17;
    check("which can be changed", right);
    right =
        ok(cudaGraphDestroyNode(host)) && number_of_nodes(graph) == 5 && run(graph) && calls == 17;
    check("a node less", right);
    check("the end", ok(cudaGraphDestroy(graph)));
}

// --- edges -----------------------------------------------------------------------------------------

static cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t *from,
                             const cudaGraphNode_t *to, size_t count)
{
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, from, to, NULL, count);
#else
    return cudaGraphAddDependencies(graph, from, to, count);
#endif
}

static cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                             size_t *count)
{
#if CUDART_VERSION >= 13000
    return cudaGraphGetEdges(graph, from, to, NULL, count);
#else
    return cudaGraphGetEdges(graph, from, to, count);
#endif
}

// The one node that comes directly before, or after; NULL if there are none or more.
static cudaGraphNode_t only_before(cudaGraphNode_t node)
{
    cudaGraphNode_t found[5];
    size_t count = 5;
#if CUDART_VERSION >= 13000
    ok(cudaGraphNodeGetDependencies(node, found, NULL, &count));
#else
    ok(cudaGraphNodeGetDependencies(node, found, &count));
#endif
    return count == 1 ? found[0] : NULL;
}

static cudaGraphNode_t only_after(cudaGraphNode_t node)
{
    cudaGraphNode_t found[5];
    size_t count = 5;
#if CUDART_VERSION >= 13000
    ok(cudaGraphNodeGetDependentNodes(node, found, NULL, &count));
#else
    ok(cudaGraphNodeGetDependentNodes(node, found, &count));
#endif
    return count == 1 ? found[0] : NULL;
}

static void try_edges()
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t nodes[4], some[5], ends[5];
    set_all(0);
    cudaGraphCreate(&graph, 0);
    for (int i = 0; i < 4; ++i)
    {
        nodes[i] = add_step(graph, NULL, d_x, i);
    }
    size_t count = 0;
    bool right = ok(cudaGraphGetRootNodes(graph, NULL, &count)) && count == 4;
    check("nodes without edges", right);
    // 3, 1, 0, 2
    const cudaGraphNode_t from[] = {nodes[3], nodes[1], nodes[0]};
    const cudaGraphNode_t to[] = {nodes[1], nodes[0], nodes[2]};
    right = ok(add_edges(graph, from, to, 3)) && ok(get_edges(graph, NULL, NULL, &count)) &&
            count == 3 && only_before(nodes[0]) == nodes[1] && only_after(nodes[0]) == nodes[2] &&
            only_before(nodes[3]) == NULL && only_after(nodes[2]) == NULL;
    count = 5;
    right = right && ok(cudaGraphGetRootNodes(graph, some, &count)) && count == 1 &&
            some[0] == nodes[3];
    count = 5;
    right = right && ok(get_edges(graph, some, ends, &count)) && count == 3;
    int found = 0;
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            found += some[i] == from[k] && ends[i] == to[k];
        }
    }
    check("edges", right && found == 3);
    check("give the order", run(graph) && value_of(0) == 27 * 3 + 9 * 1 + 3 * 0 + 2);
    check("the same edge twice", refused(add_edges(graph, from, to, 1)));
    cudaGraphExec_t exec = NULL;
    const cudaError_t added = add_edges(graph, &nodes[2], &nodes[3], 1);
    right = added != cudaSuccess || cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess;
    cudaGetLastError();
    check("a circle is refused", right);
    cudaGraphDestroy(graph);
}

// --- graphs in graphs, clones --------------------------------------------------------------------

static void try_families()
{
    cudaGraph_t child, graph, clone, inside;
    cudaGraphNode_t step_node, child_node, found;
    set_all(1);
    cudaGraphCreate(&child, 0);
    cudaGraphCreate(&graph, 0);
    add_step(child, add_step(child, NULL, d_x, 1), d_x, 2); // 1 -> 4 -> 14
    step_node = add_step(graph, NULL, d_x, 3);              // 6 first -> 19 -> 59
    bool right = ok(cudaGraphAddChildGraphNode(&child_node, graph, &step_node, 1, child)) &&
                 ok(cudaGraphDestroy(child)) && type_of(child_node) == cudaGraphNodeTypeGraph &&
                 ok(cudaGraphChildGraphNodeGetGraph(child_node, &inside)) &&
                 number_of_nodes(inside) == 2;
    add_step(graph, child_node, d_x, 4); // 181
    check("a graph in a graph", right && run(graph) && value_of(0) == 181);
    set_all(1);
    right = ok(cudaGraphClone(&clone, graph)) && number_of_nodes(clone) == 3 &&
            ok(cudaGraphNodeFindInClone(&found, step_node, clone)) && found != step_node &&
            type_of(found) == cudaGraphNodeTypeKernel && ok(cudaGraphDestroy(graph));
    check("a clone", right && run(clone) && value_of(0) == 181);
    cudaGraphDestroy(clone);
}

// --- launchable graphs -----------------------------------------------------------------------------

static void try_launches()
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    set_all(0);
    cudaGraphCreate(&graph, 0);
    cudaGraphNode_t first = add_step(graph, NULL, d_x, 1);
    cudaGraphNode_t last = add_step(graph, first, d_x, 2);
    bool right = ok(cudaGraphInstantiateWithFlags(&exec, graph, 0)) &&
                 ok(cudaGraphUpload(exec, stream)) && ok(cudaStreamSynchronize(stream)) &&
                 value_of(0) == 0;
    check("an upload runs nothing", right);
    right = ok(cudaGraphLaunch(exec, stream)) && ok(cudaGraphLaunch(exec, stream)); // 5, 50
    step<<<1, 1, 0, stream>>>(d_x, 1);                                              // 151
    right = right && ok(cudaGraphLaunch(exec, stream)) && ok(cudaStreamSynchronize(stream));
    check("launches in order", right && value_of(0) == 9 * 151 + 5);
    int number = 4, *x = d_x;
    void *arguments[] = {&x, &number};
    const cudaKernelNodeParams p = kernel_params((void *)step, arguments);
    set_all(0);
    right = ok(cudaGraphLaunch(exec, stream)) && // 5: what is launched keeps its arguments
            ok(cudaGraphExecKernelNodeSetParams(exec, last, &p));
    number = 1000;
    right = right && ok(cudaGraphLaunch(exec, stream)) && ok(cudaStreamSynchronize(stream));
    check("another argument", right && value_of(0) == 9 * 5 + 3 + 4);
    set_all(0);
    unsigned int enabled = 9;
    right = ok(cudaGraphNodeSetEnabled(exec, first, 0)) && ok(cudaGraphLaunch(exec, stream)) &&
            ok(cudaGraphNodeGetEnabled(exec, first, &enabled)) && enabled == 0 &&
            ok(cudaGraphNodeSetEnabled(exec, first, 1)) && ok(cudaStreamSynchronize(stream)) &&
            value_of(0) == 4;
    check("a node that is left out", right);
    right = ok(cudaGraphLaunch(exec, stream)) && ok(cudaGraphExecDestroy(exec)) &&
            ok(cudaStreamSynchronize(stream)) && value_of(0) == 9 * 4 + 3 + 4;
    check("destroyed while it runs", right);
    cudaGraphDestroy(graph);
}

static void try_single_changes()
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphNode_t copy = NULL, set = NULL, host = NULL;
    int one = 1, two = 2;
    set_all(3);
    calls = 0;
    cudaMemsetParams values;
    memset((void *)&values, 0, sizeof(values));
    values.dst = d_x;
    values.value = 0x11;
    values.elementSize = 1;
    values.width = sizeof(int);
    values.height = 1;
    cudaHostNodeParams function;
    function.fn = count_call;
    function.userData = &one;
    cudaGraphCreate(&graph, 0);
    bool right = ok(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &values)) &&
                 ok(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, d_x + 1, d_x, sizeof(int),
                                             cudaMemcpyDeviceToDevice)) &&
                 ok(cudaGraphAddHostNode(&host, graph, &copy, 1, &function)) &&
                 ok(cudaGraphInstantiate(&exec, graph, 0)) && ok(cudaGraphLaunch(exec, stream)) &&
                 ok(cudaStreamSynchronize(stream)) && value_of(1) == 0x11111111 && calls == 1;
    values.value = 0x22;
    function.userData = &two;
    right = right && ok(cudaGraphExecMemsetNodeSetParams(exec, set, &values)) &&
            ok(cudaGraphExecHostNodeSetParams(exec, host, &function)) &&
            ok(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, d_x + 2, d_x, sizeof(int),
                                                  cudaMemcpyDeviceToDevice)) &&
            ok(cudaGraphLaunch(exec, stream)) && ok(cudaStreamSynchronize(stream)) &&
            value_of(1) == 0x11111111 && value_of(2) == 0x22222222 && calls == 3;
    check("single nodes are changed", right);
    right = refused(cudaGraphExecHostNodeSetParams(exec, copy, &function)) && run(graph) &&
            value_of(1) == 0x11111111 && value_of(0) == 0x11111111 && calls == 4;
    check("not those of the graph itself", right);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

// --- updates ---------------------------------------------------------------------------------------

// A chain of captured steps with these numbers, into x.
static cudaGraph_t capture_chain(int *x, int length, int first)
{
    cudaGraph_t graph = NULL;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < length; ++i)
    {
        step<<<1, 1, 0, stream>>>(x, first + i);
    }
    ok(cudaStreamEndCapture(stream, &graph));
    return graph;
}

static void try_updates()
{
    cudaGraph_t graph = capture_chain(d_x, 2, 1), other = capture_chain(d_x + 1, 2, 5);
    cudaGraphExec_t exec = NULL;
    cudaGraphExecUpdateResultInfo info;
    set_all(0);
    bool right = ok(cudaGraphInstantiate(&exec, graph, 0)) &&
                 ok(cudaGraphExecUpdate(exec, other, &info)) &&
                 info.result == cudaGraphExecUpdateSuccess && ok(cudaGraphLaunch(exec, stream)) &&
                 ok(cudaStreamSynchronize(stream)) && value_of(0) == 0 && value_of(1) == 21;
    check("an update of arguments", right);
    cudaGraphDestroy(other);
    other = capture_chain(d_x, 3, 1);
    right = is_error(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure) &&
            info.result == cudaGraphExecUpdateErrorTopologyChanged && info.errorNode == NULL;
    check("another number of nodes", right);
    cudaGraphDestroy(other);
    cudaGraphCreate(&other, 0);
    add_step(other, NULL, d_x, 1);
    cudaGraphNode_t second = add_step(other, NULL, d_x, 1);
    right = is_error(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure) &&
            info.result == cudaGraphExecUpdateErrorTopologyChanged;
    check("other edges", right);
    cudaGraphDestroyNode(second);
    size_t count = 1;
    cudaGraphNode_t first, set;
    cudaGraphGetNodes(other, &first, &count);
    cudaMemsetParams values;
    memset((void *)&values, 0, sizeof(values));
    values.dst = d_x;
    values.elementSize = 4;
    values.width = values.height = 1;
    cudaGraphAddMemsetNode(&set, other, &first, 1, &values);
    right = is_error(cudaGraphExecUpdate(exec, other, &info), cudaErrorGraphExecUpdateFailure) &&
            info.result == cudaGraphExecUpdateErrorNodeTypeChanged && info.errorNode == set;
    check("another type of node", right);
    right = ok(cudaGraphLaunch(exec, stream)) && ok(cudaStreamSynchronize(stream)) &&
            value_of(0) == 0 && value_of(1) == 9 * 21 + 21;
    check("a refused update changes nothing", right);
    cudaGraphDestroy(other);
    // The parameters of a captured kernel can be read, changed and set.
    cudaGraphNode_t nodes[2];
    cudaKernelNodeParams p;
    int number = 100, *x = d_x + 3;
    void *arguments[] = {&x, &number};
    count = 2;
    right = ok(cudaGraphGetNodes(graph, nodes, &count)) &&
            ok(cudaGraphKernelNodeGetParams(nodes[1], &p)) && p.func == (void *)step &&
            p.gridDim.x == 1 && p.blockDim.x == 1;
    p.kernelParams = arguments;
    right = right && ok(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &p)) &&
            ok(cudaGraphLaunch(exec, stream)) && ok(cudaStreamSynchronize(stream)) &&
            value_of(3) == 100;
    check("a captured kernel", right);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

// --- kernels of templates, with grids --------------------------------------------------------------

static void try_kernels()
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t node = NULL;
    cudaKernelNodeParams p;
    int *to = d_x;
    int value = 6;
    void *arguments[] = {&to, &value};
    set_all(0);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<2, 4, 0, stream>>>(d_x, 5);
    bool right = ok(cudaStreamEndCapture(stream, &graph));
    size_t count = 1;
    right = right && ok(cudaGraphGetNodes(graph, &node, &count)) &&
            ok(cudaGraphKernelNodeGetParams(node, &p)) && p.func == (void *)fill<int> &&
            p.gridDim.x == 2 && p.blockDim.x == 4 && run(graph) && value_of(0) == 5 &&
            value_of(7) == 5;
    p.gridDim.x = 1;
    p.kernelParams = arguments;
    right = right && ok(cudaGraphKernelNodeSetParams(node, &p)) && run(graph) && value_of(3) == 6 &&
            value_of(4) == 5;
    check("a kernel of a template", right);
    p.blockDim.x = 2000;
    cudaGraphExec_t exec = NULL;
    right = refused(cudaGraphKernelNodeSetParams(node, &p)) ||
            refused(cudaGraphInstantiate(&exec, graph, 0));
    check("too large a block", right);
    cudaGraphDestroy(graph);
}

// --- symbols, memory of a graph --------------------------------------------------------------------

static __device__ int variable[2];

static void try_symbols()
{
    cudaGraph_t graph = NULL;
    cudaGraphNode_t in, out;
    h_x[0] = 31;
    h_x[1] = 0;
    cudaGraphCreate(&graph, 0);
    bool right =
        ok(cudaGraphAddMemcpyNodeToSymbol(&in, graph, NULL, 0, variable, h_x, sizeof(int),
                                          sizeof(int), cudaMemcpyHostToDevice)) &&
        ok(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, h_x + 1, variable, sizeof(int),
                                            sizeof(int), cudaMemcpyDeviceToHost)) &&
        run(graph) && h_x[1] == 31;
    check("copies to and from a variable", right);
    cudaGraphDestroy(graph);
}

static void try_memory()
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    int supported = 0, *memory = NULL;
    h_x[0] = h_x[1] = -1;
    cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
    bool right = ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)) &&
                 ok(cudaMallocAsync((void **)&memory, 4 * sizeof(int), stream)) && memory != NULL;
    fill<<<1, 4, 0, stream>>>(memory, 8);
    cudaMemcpyAsync(h_x, memory + 3, sizeof(int), cudaMemcpyDeviceToHost, stream);
    right = right && ok(cudaFreeAsync(memory, stream)) &&
            ok(cudaStreamEndCapture(stream, &graph)) && number_of_nodes(graph) == 4 &&
            ok(cudaGraphInstantiate(&exec, graph, 0)) && ok(cudaGraphLaunch(exec, stream)) &&
            ok(cudaStreamSynchronize(stream)) && h_x[0] == 8;
    h_x[0] = 0;
    right = right && ok(cudaGraphLaunch(exec, stream)) && ok(cudaStreamSynchronize(stream));
    check("memory that a graph allocates and frees", right && h_x[0] == 8 && supported);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    right = ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)) &&
            ok(cudaMallocAsync((void **)&memory, 4 * sizeof(int), stream));
    fill<<<1, 4, 0, stream>>>(memory, 9);
    right = right && ok(cudaStreamEndCapture(stream, &graph)) &&
            ok(cudaGraphInstantiate(&exec, graph, 0)) && ok(cudaGraphLaunch(exec, stream)) &&
            ok(cudaMemcpyAsync(h_x, memory, sizeof(int), cudaMemcpyDeviceToHost, stream)) &&
            ok(cudaStreamSynchronize(stream)) && h_x[0] == 9 &&
            is_error(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue) &&
            ok(cudaFreeAsync(memory, stream)) && ok(cudaGraphLaunch(exec, stream)) &&
            ok(cudaFreeAsync(memory, stream)) && ok(cudaStreamSynchronize(stream));
    check("memory that the program frees", right);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

// --- a picture -------------------------------------------------------------------------------------

static void try_picture()
{
    cudaGraph_t graph = capture_chain(d_x, 2, 1);
    char text[8] = "";
    bool right = ok(cudaGraphDebugDotPrint(graph, "graphs.dot", 0));
    FILE *file = fopen("graphs.dot", "r");
    right = right && file != NULL && fread(text, 1, 7, file) == 7 && strcmp(text, "digraph") == 0;
    if (file != NULL)
    {
        fclose(file);
    }
    remove("graphs.dot");
    cudaGraphDestroy(graph);
    check("a picture", right);
}

// --- what is refused -------------------------------------------------------------------------------

static void try_refused()
{
    cudaGraph_t graph, other, unused;
    cudaGraphNode_t node, foreign = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphCreate(&graph, 0);
    cudaGraphCreate(&other, 0);
    cudaGraphAddEmptyNode(&foreign, other, NULL, 0);
    check("no place for a graph", refused(cudaGraphCreate(NULL, 0)));
    check("flags of a graph", refused(cudaGraphCreate(&unused, 1)));
    check("a node of another graph", refused(cudaGraphAddEmptyNode(&node, graph, &foreign, 1)));
    cudaMemsetParams values;
    memset((void *)&values, 0, sizeof(values));
    values.dst = d_x;
    values.elementSize = 3;
    values.width = values.height = 1;
    check("elements of three bytes",
          refused(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &values)));
    check("no graph to instantiate", refused(cudaGraphInstantiate(&exec, NULL, 0)));
    check("no graph to launch", refused(cudaGraphLaunch(NULL, stream)));
    cudaGraphDestroy(graph);
    cudaGraphDestroy(other);
}

int main()
{
    cudaMalloc(&d_x, 8 * sizeof(int));
    cudaMallocHost(&h_x, 8 * sizeof(int));
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    fill<<<1, 1>>>(d_x, 1); // a kernel is loaded when it is first launched
    step<<<1, 1>>>(d_x, 1);
    cudaDeviceSynchronize();
    try_nodes();
    try_edges();
    try_families();
    try_launches();
    try_single_changes();
    try_updates();
    try_kernels();
    try_symbols();
    try_memory();
    try_picture();
    try_refused();
    cudaStreamDestroy(stream);
    cudaFree(d_x);
    cudaFreeHost(h_x);
    check("no error is left",
          cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess);
    return num_wrong != 0;
}
