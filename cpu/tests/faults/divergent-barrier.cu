// fault: each half of a block has a barrier of its own, and neither comes to the other's | found with its line
// stderr: kernel branch, block \(0,0,0\), thread \(32,0,0\), FILE:HERE:
// stderr: barrier divergence: at this __syncthreads while thread 0 of the block is at another one
// out: ...
#include <cstdio>

__global__ void branch(int *x)
{
    if (threadIdx.x < 32)
    {
        __syncthreads();
        x[threadIdx.x] = 1;
    }
    else
    {
        __syncthreads(); // HERE
        x[threadIdx.x] = 2;
    }
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    branch<<<1, 64>>>(d_x);
    return cudaDeviceSynchronize();
}
