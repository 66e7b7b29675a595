// fault: the smallest integer is divided by -1, and the quotient is no integer | found with its line
// processor: x86_64
// stderr: kernel divide, block \(0,0,0\), thread \(0,0,0\), FILE:HERE:
// stderr: or of the smallest integer by -1
// out: ...
// status: 6
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
