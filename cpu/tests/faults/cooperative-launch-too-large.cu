// fault: a cooperative launch of a million blocks: a barrier of the grid needs them all at once | error of the call
// stderr: kernel count is not launched: a cooperative launch of 1000000 blocks; with this block and shared memory there may be 256
// stderr: cudaErrorCooperativeLaunchTooLarge, and 0 threads have run
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
    config.gridDim = dim3(1000000);
    config.blockDim = dim3(32);
    config.attrs = &attribute;
    config.numAttrs = 1;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchKernelEx(&config, count, d_x);
    const cudaError_t error = cudaGetLastError();
    cudaMemcpy(&h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    fprintf(stderr, "%s, and %d threads have run\n", cudaGetErrorName(error), h_x);
    return error == cudaSuccess ? 0 : 6;
}
