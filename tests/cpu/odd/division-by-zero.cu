// Fault: an integer is divided by zero.
// Found: found with its line
// Prints: kernel divide, block (0,0,0), thread (3,0,0), division-by-zero.cu:LINE:
// Prints: integer division by zero
// Status: 6
// Processor: x86_64
#include <cstdio>

__global__ void divide(int *x)
{
    x[threadIdx.x] = 100 % (3 - (int)threadIdx.x); // HERE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    divide<<<1, 32>>>(d_x);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
