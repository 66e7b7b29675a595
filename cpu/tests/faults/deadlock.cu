// One half of a warp waits for all lanes, the other at the block's barrier: nobody can go on.
//
// stderr: kernel stuck, block \(1,0,0\), thread \(\d+,0,0\), FILE:(WARP|BLOCK):
// stderr: deadlock: this thread waits at
// stderr: thread \d+ waits at __syncthreads, FILE:BLOCK
// out: the launch timed out and was terminated
#include <cstdio>

__global__ void stuck()
{
    if (blockIdx.x == 1 && threadIdx.x < 16)
    {
        __syncwarp(); // WARP
    }
    else if (blockIdx.x == 1)
    {
        __syncthreads(); // BLOCK
        __syncwarp();
    }
}

int main()
{
    stuck<<<2, 32>>>();
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
