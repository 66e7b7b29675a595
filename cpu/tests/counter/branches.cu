// Lanes that part and meet again. Each of these accesses is one request of those lanes that are there.
#include <stdio.h>

__global__ void two_ways(int *y)
{
    int value;
    if (threadIdx.x % 2 == 0)
    {
        value = y[threadIdx.x] + 1; // g++: global load 4: 1 4 2
    }
    else
    {
        value = y[threadIdx.x] * 3; // g++: global load 4: 1 4 2
    }
    y[threadIdx.x] = value; // global store 4: 1 4 4
}

// Lane n goes n + 1 times around: in the first turn all lanes are there, in the last one a single lane.
__global__ void loops(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k <= threadIdx.x; ++k)
    {
        sum += x[k * 32 + threadIdx.x]; // global load 4: 32 80 80
    }
    y[threadIdx.x] = sum; // global store 4: 1 4 4
}

__device__ __noinline__ int sum_of(const int *x, int num)
{
    int sum = 0;
    for (int k = 0; k < num; ++k)
    {
        sum += x[k]; // global load 4: 5 5 5
    }
    return sum;
}

__global__ void calls(const int *x, int *y)
{
    y[threadIdx.x] = sum_of(x, threadIdx.x % 4); // global store 4: 1 4 4
}

// Those that do not call wait for those that do.
__global__ void some_call(const int *x, int *y)
{
    int value = 1;
    if (threadIdx.x < 7)
    {
        value = sum_of(x, 2);
    }
    y[threadIdx.x] = value; // global store 4: 1 4 4
}

__global__ void leave_early(int *y, int N)
{
    if (threadIdx.x >= N)
    {
        return;
    }
    y[threadIdx.x] = 1; // global store 4: 2 5 5
}

__global__ void only_first(int *y)
{
    if (threadIdx.x == 0)
    {
        y[0] = 1; // global store 4: 1 1 1
    }
}

int main()
{
    int *x, *y;
    cudaMalloc((void **)&x, 1 << 16);
    cudaMalloc((void **)&y, 1 << 16);
    cudaMemset(x, 0, 1 << 16);
    cudaMemset(y, 0, 1 << 16);
    two_ways<<<1, 32>>>(y);
    loops<<<1, 32>>>(x, y);
    calls<<<1, 32>>>(x, y);
    some_call<<<1, 32>>>(x, y);
    leave_early<<<1, 64>>>(y, 40);
    only_first<<<1, 64>>>(y);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return error;
}
