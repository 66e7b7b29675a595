// A pointer that no cudaMalloc has filled.
//
// stderr: kernel fill, block \(0,0,0\), thread \(\d+,0,0\), FILE:WRITE:
// stderr: illegal address: write of (0x\w+|\(nil\)|NULL), a null pointer
// out: an illegal memory access was encountered
#include <cstdio>

__global__ void fill(int *x)
{
    x[threadIdx.x] = 1; // WRITE
}

int main()
{
    fill<<<1, 32>>>(NULL);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
