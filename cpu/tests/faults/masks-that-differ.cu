// fault: two halves of a warp wait for each other with masks that differ | found with its line
// stderr: kernel sync, block \(0,0,0\), thread \(0,0,0\), FILE:HERE:
// stderr: deadlock: this thread waits at a warp-level operation for the lanes 0xffffffff,
// stderr: cudaErrorLaunchTimeout
// out: ...
// status: 6
#include <cstdio>

__global__ void sync(int *x)
{
    const unsigned mask = threadIdx.x < 16 ? 0xffffffff : 0xffff8000;
    x[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 0); // HERE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    sync<<<1, 32>>>(d_x);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
