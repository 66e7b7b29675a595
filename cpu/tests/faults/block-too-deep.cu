// fault: a block of 65 layers; there may be 64 | error of the call
// stderr: cudaErrorInvalidConfiguration, and 0 threads have run
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
    count<<<1, dim3(1, 1, 65)>>>(d_x);
    const cudaError_t error = cudaGetLastError();
    cudaMemcpy(&h_x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    fprintf(stderr, "%s, and %d threads have run\n", cudaGetErrorName(error), h_x);
    return error == cudaSuccess ? 0 : 6;
}
