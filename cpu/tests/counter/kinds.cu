// Shared and constant memory, atomics, shuffles, locks.
#include <stdio.h>

__constant__ float c_x[128];
__device__ int d_lock, d_count;

// A request of constant memory wants one address; here it wants 32, 1 and 4.
__global__ void constants(float *y)
{
    float sum = c_x[threadIdx.x]; // constant load 4: 1 32 1
    sum += c_x[5];                // constant load 4: 1 1 1
    sum += c_x[threadIdx.x / 8];  // constant load 4: 1 4 1
    y[threadIdx.x] = sum;         // global store 4: 1 4 4
}

__global__ void sum(const float *x, float *y)
{
    float v = x[threadIdx.x]; // global load 4: 2 8 8
    for (int offset = 16; offset > 0; offset /= 2)
    {
        v += __shfl_down_sync(0xffffffff, v, offset);
    }
    if (threadIdx.x % 32 == 0)
    {
        atomicAdd(y, v); // global atomic 4: 2 2 2
    }
}

__global__ void histogram(const int *x, int *bins)
{
    atomicAdd(&bins[x[threadIdx.x] % 4], 1); // global load 4: 2 8 8; global atomic 4: 2 2 2
}

// Lanes that are 2 and 32 words apart, and lanes that read one word.
__global__ void banks(int *y)
{
    __shared__ int s[1024];
    const int t = threadIdx.x;
    s[2 * t] = t;         // shared store 4: 1 2 1
    s[32 * t] = t;        // shared store 4: 1 32 1
    s[33 * t % 1024] = t; // shared store 4: 1 1 1
    __syncthreads();
    y[t] = s[0]; // shared load 4: 1 1 1; global store 4: 1 4 4
}

__global__ void halves(const double *x, double *y)
{
    __shared__ double s[33];
    s[threadIdx.x + 1] = x[threadIdx.x]; // global load 8: 1 8 8; shared store 8: 1 2 2
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x]; // shared load 8: 1 2 2; global store 8: 1 8 8
}

// The sum of a block, in step by barriers.
__global__ void block_sum(const float *x, float *y)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = x[t]; // global load 4: 4 16 16; shared store 4: 4 4 4
    __syncthreads();
    for (int offset = 64; offset > 0; offset /= 2)
    {
        if (t < offset)
        {
            const float other = s[t + offset]; // shared load 4: 8 8 8
            s[t] += other;                     // shared load 4: 8 8 8; shared store 4: 8 8 8
        }
        __syncthreads();
    }
    if (t == 0)
    {
        *y = s[0]; // shared load 4: 1 1 1; global store 4: 1 1 1
    }
}

// Each lane has the lock once, and the others of its warp wait behind the branch.
__global__ void lock()
{
    bool done = false;
    while (!done)
    {
        if (atomicCAS(&d_lock, 0, 1) == 0) // g++: global atomic 4: 64 64 64
        {
            __threadfence();
            const int count = *(volatile int *)&d_count; // g++: global load 4: 64 64 64
            *(volatile int *)&d_count = count + 1;       // g++: global store 4: 64 64 64
            __threadfence();
            atomicExch(&d_lock, 0); // g++: global atomic 4: 64 64 64
            done = true;
        }
    }
}

int main()
{
    char *x, *y;
    cudaMalloc((void **)&x, 1 << 12);
    cudaMalloc((void **)&y, 1 << 12);
    cudaMemset(x, 0, 1 << 12);
    cudaMemset(y, 0, 1 << 12);
    constants<<<1, 32>>>((float *)y);
    sum<<<1, 64>>>((float *)x, (float *)y);
    histogram<<<1, 64>>>((int *)x, (int *)y);
    banks<<<1, 32>>>((int *)y);
    halves<<<1, 32>>>((double *)x, (double *)y);
    block_sum<<<1, 128>>>((float *)x, (float *)y);
    lock<<<1, 64>>>();
    int count = 0;
    cudaMemcpyFromSymbol(&count, d_count, sizeof(int));
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    printf("%d\n", count);
    return error != cudaSuccess || count != 64;
}
