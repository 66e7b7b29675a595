// An integer division by zero. A GPU computes on with nonsense; a CPU cannot.
//
// processor: x86_64
// stderr: kernel divide, block \(0,0,0\), thread \(1,0,0\), FILE:DIVIDE:
// stderr: integer division by zero
// out: unspecified launch failure
#include <cstdio>

__global__ void divide(int *x)
{
    x[threadIdx.x] = 7 / x[threadIdx.x]; // DIVIDE
}

int main()
{
    int *d_x;
    const int x[2] = {1, 0};
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    divide<<<1, 2>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
