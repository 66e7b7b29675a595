// fault: an integer is divided by zero | found with its line
// processor: x86_64
// stderr: kernel divide, block \(0,0,0\), thread \(3,0,0\), FILE:HERE:
// stderr: integer division by zero
// out: ...
// status: 6
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
