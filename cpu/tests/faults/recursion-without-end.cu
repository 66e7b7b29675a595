// fault: a function calls itself for ever | found with its line
// stderr: kernel call, block \(0,0,0\), thread \(0,0,0\), FILE:
// stderr: stack overflow
// stderr: cudaErrorIllegalAddress
// out: ...
// status: 6
#include <cstdio>

__device__ int deeper(volatile int *x, int n)
{
    volatile int here[16];
    here[n % 16] = *x;
    return deeper(x, n + 1) + here[n % 8];
}

__global__ void call(int *x)
{
    *x = deeper(x, 1);
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, sizeof(int));
    cudaMemset(d_x, 0, sizeof(int));
    call<<<1, 1>>>(d_x);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
