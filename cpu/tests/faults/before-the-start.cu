// An index computed as unsigned, and less than 0: it lands far away.
//
// stderr: kernel shift, block \(0,0,0\), thread \(0,0,0\), FILE:READ:
// stderr: illegal address: read of 0x\w+
// out: an illegal memory access was encountered
#include <cstdio>

__global__ void shift(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x - 1]; // READ
}

int main()
{
    int *d_x, *d_y;
    cudaMalloc(&d_x, 32 * sizeof(int));
    cudaMalloc(&d_y, 32 * sizeof(int));
    shift<<<1, 32>>>(d_x, d_y);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
