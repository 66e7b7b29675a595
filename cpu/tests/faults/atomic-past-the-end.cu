// An atomic function beyond an array. On some processors it is a function of the compiler's library,
// which has no lines.
//
// stderr: kernel count, block \(0,0,0\), thread \(3,0,0\), FILE:ADD:
// stderr: illegal address: (read|write) of 0x\w+, 0 bytes past the end of a device allocation
// out: an illegal memory access was encountered
#include <cstdio>

__global__ void count(int *counts)
{
    atomicAdd(&counts[threadIdx.x * 4096], 1); // ADD
}

int main()
{
    int *d_counts;
    cudaMalloc(&d_counts, 3 * 4096 * sizeof(int));
    count<<<1, 4>>>(d_counts);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
