// One element too far, where the array ends at a multiple of 256 bytes: its guard page is hit.
//
// stderr: kernel fill, block \(1,0,0\), thread \(0,0,0\), FILE:WRITE:
// stderr: illegal address: write of 0x\w+, 0 bytes past the end of a device allocation
// out: an illegal memory access was encountered
#include <cstdio>

__global__ void fill(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1; // WRITE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    fill<<<2, 64>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
