// Copies that go on while the kernel computes are one request each, of 4, 8 or 16 bytes.
#include <cuda_pipeline_primitives.h>
#include <stdio.h>

// Of the last half of the warp nothing is read.
__global__ void copy(const double *x, double *y)
{
    __shared__ double s_x[32];
    const int n = threadIdx.x, z = n < 16 ? 0 : 8;
    __pipeline_memcpy_async(&s_x[n], &x[n], 8, z); // global load 8: 1 4 4; shared store 8: 1 2 2
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[n] = s_x[31 - n]; // shared load 8: 1 2 2; global store 8: 1 8 8
}

int main()
{
    double *x;
    cudaMalloc((void **)&x, 64 * sizeof(double));
    cudaMemset(x, 0, 64 * sizeof(double));
    copy<<<1, 32>>>(x, x + 32);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(x);
    return error != cudaSuccess;
}
