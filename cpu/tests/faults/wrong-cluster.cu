// fault: a grid of 3 blocks in clusters of 2 | error of the call
// stderr: and 0 threads have run
// out: ...
// status: 6
#include <cstdio>

__global__ void count(int *x)
{
    atomicAdd(x, 1);
}

int main()
{
    int *d_x, h_x = 0;
    cudaMalloc(&d_x, sizeof(int));
    cudaMemset(d_x, 0, sizeof(int));
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(3);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchKernelEx(&config, count, d_x);
    const cudaError_t error = cudaGetLastError();
    cudaMemcpy(&h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    fprintf(stderr, "%s, and %d threads have run\n", cudaGetErrorName(error), h_x);
    return error == cudaSuccess ? 0 : 6;
}
