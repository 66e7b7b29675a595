// Fault: a device assert fails in one thread.
// Found: found with its line
// Prints: failed-assert.cu:LINE:
// Prints: check(int)
// Prints: block: [2,0,0], thread: [5,0,0] Assertion `n != 69` failed.
// Prints: cudaErrorAssert
// Status: 6
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
