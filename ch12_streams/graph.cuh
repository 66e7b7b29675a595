// A step that the programs on graphs share.
#pragma once
#include "../common/error.cuh"

// The parameters of a kernel node, for a kernel with a one-dimensional grid. `arguments` holds the
// address of each argument. CUDA copies the arguments before the call that takes these returns.
static inline cudaKernelNodeParams kernel_node(void *kernel, unsigned grid_size,
                                               unsigned block_size, void **arguments)
{
    cudaKernelNodeParams node = {};
    node.func = kernel;
    node.gridDim = dim3(grid_size);
    node.blockDim = dim3(block_size);
    node.kernelParams = arguments;
    return node;
}
