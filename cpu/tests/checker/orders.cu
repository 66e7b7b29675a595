// What only some orders of the blocks and the warps show: the block, or the warp, that comes first meets
// nobody. In the usual order nothing is found here.
#include <cstdio>

// Block 0 takes the lock without a fence behind it.
__global__ void locked(int *lock, int *total)
{
    if (threadIdx.x == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        if (blockIdx.x != 0)
        {
            __threadfence();
        }
        *total += 1; // race:lock
        __threadfence();
        atomicExch(lock, 0);
    }
}

// Only the block that finds the list empty writes its head without an atomic.
__global__ void first_come(int *num, int *head)
{
    if (threadIdx.x == 0)
    {
        const int at = atomicAdd(num, 1);
        if (at == 0 && blockIdx.x != 0)
        {
            *head = 1; // race:head
        }
        if (blockIdx.x == 0 && at != 0)
        {
            *head = 2; // race:head
        }
    }
}

// The second warp reads what the first has left, if it comes later.
__global__ void look(int *y)
{
    __shared__ int num;
    if (threadIdx.x == 0)
    {
        num = 0;
    }
    __syncthreads();
    const int at = atomicAdd(&num, 1);
    if (threadIdx.x == 0 && at != 0)
    {
        y[0] = 1; // race:late
    }
    if (threadIdx.x == 32 && at == 0)
    {
        y[0] = 2; // race:late
    }
}

int main()
{
    int *x;
    cudaMalloc(&x, 64);
    cudaMemset(x, 0, 64);
    locked<<<8, 32>>>(x, x + 1);
    first_come<<<8, 32>>>(x + 2, x + 3);
    look<<<1, 64>>>(x + 4);
    cudaFree(x);
    return 0;
}
