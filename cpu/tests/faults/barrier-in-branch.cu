// Half of the block waits at a barrier that the other half has not got. A GPU lets it pass; so do we.
//
// stderr: kernel branch, block \(0,0,0\), thread \(\d+,0,0\), FILE:(FIRST|SECOND):
// stderr: barrier divergence: at this __syncthreads while thread \d+ of the block is at another one, FILE:(FIRST|SECOND)
// out: no error
#include <cstdio>

__global__ void branch(int *x)
{
    if (threadIdx.x < 32)
    {
        __syncthreads(); // FIRST
    }
    else
    {
        x[threadIdx.x] = 1;
        __syncthreads(); // SECOND
    }
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    branch<<<1, 64>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
