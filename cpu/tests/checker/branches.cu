// The nodes of a graph: what its edges order, and what they do not.
#include <cstdio>

__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x; // race:apart
}

__global__ void add(int *y, const int *x)
{
    y[threadIdx.x] = x[threadIdx.x] + 1; // race:apart
}

__global__ void fill_right(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

__global__ void add_right(int *y, const int *x)
{
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

enum
{
    N = 64
};

static cudaGraphNode_t add_node(cudaGraph_t graph, const void *kernel, void **arguments,
                                const cudaGraphNode_t *before, size_t num_before)
{
    cudaKernelNodeParams work = {};
    work.func = (void *)kernel;
    work.gridDim = dim3(1);
    work.blockDim = dim3(N);
    work.kernelParams = arguments;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, before, num_before, &work);
    return node;
}

static void launch(cudaGraph_t graph, cudaStream_t stream)
{
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
}

int main()
{
    int *x, *y;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, N * sizeof(int));
    cudaMallocManaged(&y, N * sizeof(int));
    void *of_fill[] = {&x}, *of_add[] = {&y, &x};

    // Two nodes without an edge.
    cudaGraph_t apart;
    cudaGraphCreate(&apart, 0);
    add_node(apart, (void *)fill, of_fill, NULL, 0);
    add_node(apart, (void *)add, of_add, NULL, 0);
    launch(apart, stream);

    // An edge, a node that does nothing, and a graph within the graph, which comes between.
    cudaGraph_t edge, inner;
    cudaGraphNode_t empty, nested;
    cudaGraphCreate(&edge, 0);
    cudaGraphCreate(&inner, 0);
    cudaGraphNode_t first = add_node(inner, (void *)fill_right, of_fill, NULL, 0);
    add_node(inner, (void *)add_right, of_add, &first, 1);
    cudaGraphNode_t start = add_node(edge, (void *)fill_right, of_fill, NULL, 0);
    cudaGraphAddEmptyNode(&empty, edge, &start, 1);
    cudaGraphAddChildGraphNode(&nested, edge, &empty, 1, inner);
    add_node(edge, (void *)add_right, of_add, &nested, 1);
    launch(edge, stream);

    // After the graph, in its stream, and on the host.
    fill_right<<<1, N, 0, stream>>>(x);
    cudaStreamSynchronize(stream);
    const int sum = y[1];
    cudaGraphDestroy(apart);
    cudaGraphDestroy(edge);
    cudaGraphDestroy(inner);
    return sum == 2 ? 0 : 1;
}
