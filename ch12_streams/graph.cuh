// Two steps that the programs on graphs share.
#pragma once
#include "../common/error.cuh"

// The parameters of a kernel node, for a kernel with a one-dimensional grid. `arguments` holds the
// address of each argument. CUDA copies the arguments before the call that takes these returns.
template <typename Kernel>
cudaKernelNodeParams kernel_node(Kernel kernel, unsigned grid_size, unsigned block_size,
                                 void **arguments)
{
    cudaKernelNodeParams node = {};
    node.func = (void *)kernel;
    node.gridDim = dim3(grid_size);
    node.blockDim = dim3(block_size);
    node.kernelParams = arguments;
    return node;
}

// What issue() issues to `stream` becomes a graph, and nothing runs. Its kernels must have run
// before, so that none has to be loaded while the stream is captured.
template <typename Issue>
cudaGraph_t capture(cudaStream_t stream, Issue issue)
{
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    issue();
    CHECK(cudaStreamEndCapture(stream, &graph));
    return graph;
}
