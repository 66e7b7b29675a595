// Atomics, fences and volatile accesses. Lines that race with each other have the same mark.
#include <cstdio>

const int NUM_BLOCKS = 8, BLOCK_SIZE = 64;

__global__ void count(int *sum, int *plain)
{
    atomicAdd(sum, 1);
    *plain += 1; // race:plain
}

__global__ void block_scope(int *sum)
{
    atomicAdd_block(sum, 1); // scope:block
}

__global__ void block_scope_right(int *sums)
{
    atomicAdd_block(&sums[blockIdx.x], 1);
}

__global__ void read_beside(int *sum, int *y)
{
    atomicAdd(sum, 1);                               // race:beside
    y[blockIdx.x * blockDim.x + threadIdx.x] = *sum; // race:beside
}

__global__ void read_volatile(int *sum, int *y)
{
    atomicAdd(sum, 1);
    y[blockIdx.x * blockDim.x + threadIdx.x] = *(volatile int *)sum;
}

__global__ void minimum(int *least, const int *x)
{
    const int value = x[threadIdx.x] + blockIdx.x;
    if (value < *least) // checked-compare:guard
    {
        atomicMin(least, value); // checked-compare:guard
    }
}

// Of other words, too, the line reads.
__global__ void minimum_of_memory(int *least, const int *x)
{
    if (least[0] >= x[threadIdx.x]) // checked-compare:memory
    {
        atomicMin(&least[0], x[threadIdx.x]); // checked-compare:memory
    }
}

// What is read after the atomic decides nothing about it, but about something else.
__global__ void minimum_then_read(int *least, int *y)
{
    for (int i = 0; i < 3; ++i)
    {
        atomicMin(least, -i);                                    // race:stale
        y[blockIdx.x * blockDim.x + threadIdx.x] += *least < -i; // race:stale
    }
}

// The block that comes last adds what the others have left.
template <int FENCE>
__device__ bool comes_last(unsigned *counter)
{
    __shared__ bool last;
    if (threadIdx.x == 0)
    {
        if (FENCE == 2)
        {
            __threadfence();
        }
        if (FENCE == 1)
        {
            __threadfence_block();
        }
        last = atomicInc(counter, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    return last;
}

__global__ void last_block(int *sums, unsigned *counter, int *y)
{
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = blockIdx.x;
    }
    if (comes_last<2>(counter) && threadIdx.x < gridDim.x)
    {
        y[threadIdx.x] = sums[threadIdx.x];
    }
}

__global__ void last_block_unfenced(int *sums, unsigned *counter, int *y)
{
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = blockIdx.x; // race:unfenced
    }
    if (comes_last<0>(counter) && threadIdx.x < gridDim.x)
    {
        y[threadIdx.x] = sums[threadIdx.x]; // race:unfenced
    }
}

__global__ void last_block_narrow(int *sums, unsigned *counter, int *y)
{
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = blockIdx.x; // race:narrow
    }
    if (comes_last<1>(counter) && threadIdx.x < gridDim.x)
    {
        y[threadIdx.x] = sums[threadIdx.x]; // race:narrow
    }
}

// The fence is each thread's, and the barrier brings them together.
__global__ void fence_of_all(int *data, unsigned *counter, int *y)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ bool last;
    data[n] = n;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
    {
        last = atomicAdd(counter, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
    {
        y[n] = data[threadIdx.x];
    }
}

__global__ void locked(int *lock, int *total)
{
    if (threadIdx.x == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        __threadfence();
        *total += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

__global__ void locked_unfenced(int *lock, int *total)
{
    if (threadIdx.x == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        *total += 1; // race:lock
        atomicExch(lock, 0);
    }
}

// Each block waits for the flag of the one that has begun before it.
__global__ void chain(volatile int *flags, int *data, int *num_begun)
{
    if (threadIdx.x == 0)
    {
        const int turn = atomicAdd(num_begun, 1);
        if (turn > 0)
        {
            while (flags[turn - 1] == 0)
            {
            }
            __threadfence();
        }
        data[turn] = turn > 0 ? data[turn - 1] + data[0] : 1;
        __threadfence();
        flags[turn] = 1;
    }
}

__global__ void chain_unfenced(volatile int *flags, int *data, int *num_begun)
{
    if (threadIdx.x == 0)
    {
        const int turn = atomicAdd(num_begun, 1);
        if (turn > 0)
        {
            while (flags[turn - 1] == 0)
            {
            }
        }
        const int before = turn > 0 ? data[turn - 1] : 0; // race:chain
        data[turn] = before + 1;                          // race:chain
        flags[turn] = 1;
    }
}

// One lane takes the lock for its warp. The warp's barrier tells the others what it has acquired.
__global__ void locked_by_warp(int *lock, int *totals)
{
    const int lane = threadIdx.x % warpSize;
    if (lane == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        __threadfence();
    }
    __syncwarp();
    totals[lane] += 1;
    __syncwarp();
    if (lane == 0)
    {
        __threadfence();
        atomicExch(lock, 0);
    }
}

// One thread of each of the first two warps waits. That of the third warp does not.
__global__ void two_wait(volatile int *flag, int *data, int *y, int *num_begun)
{
    __shared__ int turn;
    if (threadIdx.x == 0)
    {
        turn = atomicAdd(num_begun, 1);
    }
    __syncthreads();
    if (turn == 0 && threadIdx.x == 0)
    {
        *data = 1; // race:two
        __threadfence();
        *flag = 1;
    }
    if (turn == 1 && threadIdx.x % warpSize == 0)
    {
        while (threadIdx.x < 2 * warpSize && *flag == 0)
        {
        }
        __threadfence();
        y[threadIdx.x] = *data; // race:two
    }
}

int main()
{
    int *y, *zeros;
    cudaMalloc(&y, 8192);
    cudaMalloc(&zeros, 8192);
    unsigned *counter = (unsigned *)(zeros + 1000);
    const auto clear = [&]
    {
        cudaMemset(y, 0, 8192);
        cudaMemset(zeros, 0, 8192);
    };
    clear();
    count<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, zeros + 1);
    block_scope<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros);
    block_scope_right<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros);
    read_beside<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, y);
    read_volatile<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, y);
    minimum<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, y);
    clear();
    last_block<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, counter, y);
    clear();
    last_block_unfenced<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, counter, y);
    clear();
    last_block_narrow<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, counter, y);
    clear();
    fence_of_all<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, counter, y);
    clear();
    locked<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, zeros + 1);
    clear();
    locked_unfenced<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, zeros + 1);
    clear();
    chain<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, y, zeros + 100);
    clear();
    chain_unfenced<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, y, zeros + 100);
    clear();
    minimum_of_memory<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, y);
    minimum_then_read<<<NUM_BLOCKS, BLOCK_SIZE>>>(zeros, y);
    clear();
    locked_by_warp<<<NUM_BLOCKS, 96>>>(zeros, zeros + 1);
    clear();
    cudaDeviceSynchronize(); // so that the word has room for all who read it
    two_wait<<<2, 96>>>(zeros, zeros + 1, y, zeros + 2);
    cudaFree(y);
    cudaFree(zeros);
    return 0;
}
