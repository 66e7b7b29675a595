// fault: a device assert fails in one thread | found with its line
// stderr: FILE:HERE:
// stderr: check\(int\)
// stderr: block: \[2,0,0\], thread: \[5,0,0\] Assertion `n != 69` failed\.
// stderr: cudaErrorAssert
// out: ...
// status: 6
#include <cassert>
#include <cstdio>

__global__ void check(int size)
{
    const int n = blockIdx.x * size + threadIdx.x;
    assert(n != 69); // HERE
}

int main()
{
    check<<<4, 32>>>(32);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
