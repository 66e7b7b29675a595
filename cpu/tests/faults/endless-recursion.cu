// A recursion without an end, or a local array too large: the thread's stack is full.
//
// stderr: kernel recurse, block \(0,0,0\), thread \(5,0,0\), FILE:(ENTRY|CALL|BODY)\b
// stderr: stack overflow
// out: an illegal memory access was encountered
#include <cstdio>

__device__ int deeper(volatile int *x, int n)
{ // ENTRY
    volatile int here[64];
    here[n % 64] = *x;                     // BODY
    return deeper(x, n + 1) + here[n % 8]; // CALL
}

__global__ void recurse(int *x)
{
    if (threadIdx.x == 5)
    {
        *x = deeper(x, 0);
    }
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, sizeof(int));
    recurse<<<1, 32>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
