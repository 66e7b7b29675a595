// Copies into shared memory whose length is known when they run. Nothing is wrong here but the read of
// what the last copy leaves out.
#include <cuda_pipeline.h>
#include <string.h>

enum
{
    N = 64
};

__global__ void turn(float4 *y, const float4 *x, int n)
{
    extern __shared__ float4 s[];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(s + i, x + i, sizeof(float4), i < n ? 0 : sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[i] = s[N - 1 - i];
}

__global__ void copy(float *y, const float *x, int n)
{
    __shared__ float s[N];
    if (threadIdx.x == 0)
    {
        memcpy(s, x, n * sizeof(float));
    }
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x]; // never-written:rest
}

int main()
{
    float4 *x, *y;
    cudaMalloc(&x, N * sizeof(float4));
    cudaMallocManaged(&y, N * sizeof(float4));
    cudaMemset(x, 0, N * sizeof(float4));
    turn<<<1, N, N * sizeof(float4)>>>(y, x, N - 5);
    cudaDeviceSynchronize();
    memset(y, 1, N * sizeof(float4));
    copy<<<1, N>>>((float *)y, (float *)x, N - 1);
    cudaDeviceSynchronize();
    return 0;
}
