// Right programs that look wrong: atomics, fences, locks, queues and flags between blocks. Nothing is found
// in them but the notes that are marked, and their results are right.
#include <cstdio>

enum
{
    B = 64,
    BLOCKS = 6,
    N = B * BLOCKS
};

__global__ void sum(int *y)
{
    atomicAdd(y, 1);
}

__global__ void sum_of_blocks(int *y)
{
    __shared__ int s;
    if (threadIdx.x == 0)
    {
        s = 0;
    }
    __syncthreads();
    atomicAdd_block(&s, 1);
    __syncthreads();
    if (threadIdx.x == 0)
    {
        atomicAdd(y, s);
    }
}

// One atomic for the lanes that want one.
__global__ void sum_of_warps(int *y)
{
    const bool wants = threadIdx.x % 3 != 1;
    const unsigned all = __ballot_sync(0xffffffff, wants), rest = ~all;
    if (wants && (int)(threadIdx.x % 32) == __ffs(all) - 1)
    {
        atomicAdd(y, __popc(all));
    }
    if (!wants && (int)(threadIdx.x % 32) == __ffs(rest) - 1)
    {
        atomicAdd(y, __popc(rest));
    }
}

__global__ void lock_of_thread(int *y, int *lock)
{
    if (threadIdx.x % 32 == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        __threadfence();
        *y += 32;
        __threadfence();
        atomicExch(lock, 0);
    }
}

// The barrier of the block tells its other threads.
__global__ void lock_of_block(int *y, int *lock)
{
    if (threadIdx.x == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 7)
    {
        *y += B;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
    {
        atomicExch(lock, 0);
    }
}

// Numbers instead of a lock: each block waits for its turn.
__global__ void turns(int *y, int *tickets, int *served)
{
    if (threadIdx.x == 0)
    {
        const int mine = atomicAdd(tickets, 1);
        while (atomicAdd(served, 0) != mine)
        {
        }
        __threadfence();
        *y += B;
        __threadfence();
        atomicAdd(served, 1);
    }
}

__global__ void last_block_adds(int *y, int *sums, unsigned *num)
{
    __shared__ bool last;
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = B;
        __threadfence();
        last = atomicInc(num, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
    {
        __threadfence();
        for (int b = 0; b < (int)gridDim.x; ++b)
        {
            *y += ((volatile int *)sums)[b];
        }
    }
}

// All threads of a block leave something, each with a fence.
__global__ void last_block_of_all(int *y, int *parts, unsigned *num)
{
    __shared__ bool last;
    parts[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
    {
        last = atomicInc(num, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
    {
        for (int b = 0; b < (int)gridDim.x; ++b)
        {
            atomicAdd(y, parts[b * B + threadIdx.x]);
        }
    }
}

// Sums of all blocks that have begun before.
__global__ void look_back(int *y, volatile int *states, int *totals, int *num_begun)
{
    if (threadIdx.x == 0)
    {
        const int turn = atomicAdd(num_begun, 1);
        int before = 0;
        if (turn > 0)
        {
            while (states[turn - 1] == 0)
            {
            }
            __threadfence();
            before = totals[turn - 1];
        }
        totals[turn] = before + B;
        __threadfence();
        states[turn] = 1;
        if (turn == (int)gridDim.x - 1)
        {
            *y = before + B;
        }
    }
}

// Value and state in one word: no fence is needed.
__global__ void look_back_in_one_word(int *y, volatile unsigned long long *words, int *num_begun)
{
    if (threadIdx.x == 0)
    {
        const int turn = atomicAdd(num_begun, 1);
        unsigned long long before = 0;
        if (turn > 0)
        {
            while ((before = words[turn - 1]) == 0)
            {
            }
        }
        words[turn] = (1ull << 32 | (before & 0xffffffff)) + B;
        if (turn == (int)gridDim.x - 1)
        {
            *y = (int)(before & 0xffffffff) + B;
        }
    }
}

// Places in a list come from the atomic, so no two are the same.
__global__ void list(int *y, int *places, int *num)
{
    if (threadIdx.x % 2 == 0)
    {
        places[atomicAdd(num, 1)] = threadIdx.x;
    }
    else
    {
        places[N - 1 - atomicAdd(num + 1, 1)] = threadIdx.x;
    }
    atomicAdd(y, 1);
}

// An element is marked when it is there. Who takes it looks at the mark.
__global__ void queue(int *y, int *elements, volatile int *there, int *num_in, int *num_out)
{
    if (threadIdx.x == 0)
    {
        const int in = atomicAdd(num_in, 1);
        elements[in] = B;
        __threadfence();
        there[in] = 1;
        const int out = atomicAdd(num_out, 1);
        while (there[out] == 0)
        {
        }
        __threadfence();
        atomicAdd(y, elements[out]);
    }
}

// A read that saves an atomic.
__global__ void maximum(int *y)
{
    const int value = blockIdx.x * B + threadIdx.x + 1;
    if (value > *y) // checked-compare:maximum
    {
        atomicMax(y, value); // checked-compare:maximum
    }
}

__device__ float add_float(float *to, float value)
{
    int *bits = (int *)to, old = *(volatile int *)bits, seen;
    do
    {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(value + __int_as_float(seen)));
    } while (old != seen);
    return __int_as_float(old);
}

__global__ void by_compare_and_swap(int *y, float *sum, int *num)
{
    add_float(sum, 1.0f);
    __threadfence();
    if (atomicAdd(num, 1) == N - 1)
    {
        *y = (int)atomicAdd(sum, 0.0f);
    }
}

// Each block writes its own part, and reads only what others have never written in this launch.
__global__ void ping_pong(int *y, const int *from, int *to)
{
    const int i = blockIdx.x * B + threadIdx.x;
    to[i] = from[(i + 1) % N] + from[(i + N - 1) % N];
    if (from[i] == 0)
    {
        atomicAdd(y, 1);
    }
}

// Neighbours in a grid, in two launches by colours.
__global__ void colour(int *y, int *x, int which)
{
    const int i = blockIdx.x * B + threadIdx.x;
    if (i % 2 == which)
    {
        x[i] = x[(i + 1) % N] + x[(i + N - 1) % N] + 1;
        atomicAdd(y, which == 0 ? 2 : 0);
    }
}

__global__ void by_exchange(int *y, int *taken)
{
    if (atomicExch(&taken[threadIdx.x], 1) == 0)
    {
        atomicAdd(y, BLOCKS);
    }
}

// All lanes of a warp write the same.
__global__ void same_value(int *y)
{
    if (threadIdx.x < 32 && blockIdx.x == 0)
    {
        *y = N; // same-value:same
    }
}

__global__ void counter_of_work(int *y, int *next)
{
    __shared__ int item;
    for (;;)
    {
        __syncthreads();
        if (threadIdx.x == 0)
        {
            item = atomicAdd(next, 1);
        }
        __syncthreads();
        if (item >= BLOCKS)
        {
            break;
        }
        atomicAdd(y, 1);
    }
}

static int num_wrong;

static void expect(const char *name, int *y)
{
    int h;
    cudaMemcpy(&h, y, sizeof(h), cudaMemcpyDeviceToHost);
    if (h != N)
    {
        printf("%s: %d\n", name, h);
        ++num_wrong;
    }
}

int main()
{
    int *y, *z, *x;
    cudaMalloc(&y, sizeof(int));
    cudaMalloc(&x, 4 * N * sizeof(int));
    cudaMalloc(&z, 4 * N * sizeof(int));
#define EXPECT(kernel, ...)                \
    cudaMemset(y, 0, sizeof(int));         \
    cudaMemset(x, 0, 4 * N * sizeof(int)); \
    cudaMemset(z, 0, 4 * N * sizeof(int)); \
    kernel<<<BLOCKS, B>>>(__VA_ARGS__);    \
    expect(#kernel, y)
    EXPECT(sum, y);
    EXPECT(sum_of_blocks, y);
    EXPECT(sum_of_warps, y);
    EXPECT(lock_of_thread, y, x);
    EXPECT(lock_of_block, y, x);
    EXPECT(turns, y, x, x + 1);
    EXPECT(last_block_adds, y, z, (unsigned *)x);
    EXPECT(last_block_of_all, y, z, (unsigned *)x);
    EXPECT(look_back, y, x + 8, z, x);
    EXPECT(look_back_in_one_word, y, (unsigned long long *)z, x);
    EXPECT(list, y, z, x);
    EXPECT(queue, y, z, x + 8, x, x + 1);
    EXPECT(maximum, y);
    EXPECT(by_compare_and_swap, y, (float *)z, x);
    EXPECT(ping_pong, y, x, z);
    EXPECT(by_exchange, y, x);
    EXPECT(same_value, y);
    EXPECT(counter_of_work, y, x);
    cudaMemset(y, 0, sizeof(int));
    for (int which = 0; which < 2; ++which)
    {
        colour<<<BLOCKS, B>>>(y, x, which);
    }
    expect("colour", y);
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return num_wrong != 0;
}
