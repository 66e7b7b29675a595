// Races between the threads of a block. Lines that race with each other have the same mark.
#include <cstdio>

__global__ void neighbour(int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;         // race:neighbour
    y[threadIdx.x] = s[63 - threadIdx.x]; // race:neighbour
}

__global__ void neighbour_right(int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
}

// The barrier behind the last step is missing: the second warp may read too early.
__global__ void reduce(int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    for (int step = 32; step > 0; step /= 2)
    {
        __syncthreads();
        if (threadIdx.x < step)
        {
            s[threadIdx.x] += s[threadIdx.x + step]; // race:reduce
        }
    }
    y[threadIdx.x] = s[0]; // race:reduce
}

__global__ void lanes(int *y)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;        // race:lanes
    y[threadIdx.x] = s[threadIdx.x ^ 1]; // race:lanes
}

__global__ void lanes_right(int *y)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp();
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}

// The mask has both lanes of each pair: they are ordered, pairs of lanes that differ are not.
__global__ void half_mask(int *y)
{
    __shared__ int s[32], u[32];
    const unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
    s[threadIdx.x] = threadIdx.x;
    u[threadIdx.x] = threadIdx.x; // race:half
    __syncwarp(mask);
    y[threadIdx.x] = s[threadIdx.x ^ 1];
    y[threadIdx.x] += u[threadIdx.x ^ 16]; // race:half
}

__global__ void shuffled(int *y)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    const int other = __shfl_sync(0xffffffff, (int)threadIdx.x, 3);
    y[threadIdx.x] = s[(threadIdx.x + other) % 32];
}

__global__ void global_memory(int *y)
{
    y[threadIdx.x] = 1;              // race:global
    y[(threadIdx.x + 40) % 64] += 1; // race:global
}

__global__ void same_value(int *flag, int *other)
{
    *flag = 1;            // same-value:flag
    *other = threadIdx.x; // race:other
}

__global__ void blocks(int *y)
{
    if (threadIdx.x == 0)
    {
        y[0] = 1; // race:blocks
    }
}

int main()
{
    int *y;
    cudaMalloc(&y, 4096);
    cudaMemset(y, 0, 4096);
    neighbour<<<1, 64>>>(y);
    neighbour_right<<<1, 64>>>(y);
    reduce<<<1, 64>>>(y);
    lanes<<<1, 32>>>(y);
    lanes_right<<<1, 32>>>(y);
    half_mask<<<1, 32>>>(y);
    shuffled<<<1, 32>>>(y);
    global_memory<<<1, 64>>>(y);
    same_value<<<1, 32>>>(y, y + 1);
    blocks<<<4, 32>>>(y);
    cudaFree(y);
    return 0;
}
