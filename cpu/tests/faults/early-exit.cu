// Threads return before a barrier that the others wait at. No error on today's GPUs, a bug all the same.
//
// stderr: kernel leave, block \(0,0,0\), thread \(\d+,0,0\), FILE:BARRIER:
// stderr: 14 of the block's 64 threads returned without reaching this __syncthreads
// out: no error
#include <cstdio>

__global__ void leave(int n)
{
    if (threadIdx.x >= n)
    {
        return;
    }
    __syncthreads(); // BARRIER
}

int main()
{
    leave<<<1, 64>>>(50);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
