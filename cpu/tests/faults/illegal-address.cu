// An index far beyond the array. The error stays: every later call fails with it, until a reset.
//
// stderr: kernel beyond, block \(2,0,0\), thread \(33,0,0\), FILE:WRITE:
// stderr: illegal address: write of 0x\w+, 4194048 bytes past the end of a device allocation
// out: an illegal memory access was encountered
// out: an illegal memory access was encountered
// out: no error
#include <cstdio>

__global__ void beyond(int *x, size_t n)
{
    if (blockIdx.x == 2 && threadIdx.x == 33)
    {
        x[n] = 1; // WRITE
    }
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    beyond<<<3, 64>>>(d_x, 1 << 20);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    puts(cudaGetErrorString(cudaMalloc(&d_x, 4)));
    cudaDeviceReset();
    puts(cudaGetErrorString(cudaMalloc(&d_x, 4)));
    return 0;
}
