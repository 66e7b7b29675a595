// The classic: no test of the index, and the last thread writes one element too far.
//
// env: CUDACPU_EXACT=0
// stderr: kernel fill\b
// stderr: wrote outside an allocation
// out: an illegal memory access was encountered
#include <cstdio>

__global__ void fill(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main()
{
    int *d_x;
    const int N = 1000;
    cudaMalloc(&d_x, N * sizeof(int));
    fill<<<(N + 127) / 128, 128>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
