// fault: malloc in a kernel fails, and the kernel does not look | found with its line
// stderr: kernel fill, block \(0,0,0\), thread \(0,0,0\), FILE:HERE:
// stderr: illegal address: write of
// out: ...
// status: 6
#include <cstdio>
#include <cstdlib>

__global__ void fill(size_t n)
{
    volatile int *x = (volatile int *)malloc(n);
    x[threadIdx.x] = 1; // HERE
}

int main()
{
    fill<<<1, 32>>>(1ull << 60);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
