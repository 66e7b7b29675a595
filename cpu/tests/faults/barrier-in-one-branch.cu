// fault: only the even threads of a block come to the barrier, the others return | found with its line
// stderr: kernel branch, block \(0,0,0\), thread \(0,0,0\), FILE:HERE:
// stderr: 32 of the block's 64 threads returned without reaching this __syncthreads
// out: ...
#include <cstdio>

__global__ void branch()
{
    if (threadIdx.x % 2 == 0)
    {
        __syncthreads(); // HERE
    }
}

int main()
{
    branch<<<1, 64>>>();
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
