// Fault: two halves of a warp wait for each other with masks that differ.
// Found: found with its line
// Prints: kernel sync, block (0,0,0), thread (0,0,0), masks-that-differ.cu:LINE:
// Prints: deadlock: this thread waits at a warp-level operation for the lanes 0xffffffff,
// Prints: cudaErrorLaunchTimeout
// Status: 6
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
