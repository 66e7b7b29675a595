// A reset of the device frees its memory.
//
// fault: access to memory that was freed | found with its line
// stderr: kernel fill, block \(0,0,0\), thread \(0,0,0\), FILE:WRITE:
// stderr: illegal address: write of 0x\w+, in memory of 128 bytes that was freed
// out: an illegal memory access was encountered
#include <cstdio>

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1; // WRITE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    cudaDeviceReset();
    fill<<<1, 32>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
