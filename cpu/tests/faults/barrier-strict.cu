// With CUDACPU_STRICT=1 a habit that a GPU lets pass is an error.
//
// env: CUDACPU_STRICT=1
// stderr: kernel leave, block \(0,0,0\), thread \(\d+,0,0\), FILE:BARRIER:
// stderr: 32 of the block's 64 threads returned without reaching this __syncthreads
// out: unspecified launch failure
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
    leave<<<1, 64>>>(32);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
