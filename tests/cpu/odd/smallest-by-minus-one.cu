// Fault: the smallest integer is divided by -1, and the quotient is no integer.
// Found: found with its line
// Prints: kernel divide, block (0,0,0), thread (0,0,0), smallest-by-minus-one.cu:LINE:
// Prints: or of the smallest integer by -1
// Status: 6
// Processor: x86_64
#include <climits>
#include <cstdio>

__global__ void divide(int *x)
{
    x[0] = x[0] / x[1]; // HERE
}

int main()
{
    int *d_x;
    const int x[2] = {INT_MIN, -1};
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    divide<<<1, 1>>>(d_x);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
