// A kernel reads what has been freed.
//
// stderr: kernel sum, block \(0,0,0\), thread \(0,0,0\), FILE:READ:
// stderr: illegal address: read of 0x\w+, .*freed
// out: an illegal memory access was encountered
#include <cstdio>

__global__ void sum(const int *x, int *total)
{
    atomicAdd(total, x[threadIdx.x]); // READ
}

int main()
{
    int *d_x, *d_total;
    cudaMalloc(&d_x, 32 * sizeof(int));
    cudaMalloc(&d_total, sizeof(int));
    cudaFree(d_x);
    sum<<<1, 32>>>(d_x, d_total);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
