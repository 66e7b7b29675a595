// Volatile accesses: flags that are right, and reads with writes that count on a step or on luck.
#include <cstdio>

const int NUM_BLOCKS = 8, BLOCK_SIZE = 256;

// --- wrong ---------------------------------------------------------------------------------------

__global__ void count(volatile int *c)
{
    *c = *c + 1; // race:count
    // says: the thread has read it before it writes it, and another one may write between
}

__global__ void count_in_two_lines(volatile int *c)
{
    const int old = *c;
    *c = old + 1; // race:two_lines
}

__global__ void count_of_warp(int *y)
{
    __shared__ volatile int s;
    if (threadIdx.x == 0)
    {
        s = 0;
    }
    __syncthreads();
    s += 1; // race:warp
    __syncthreads();
    y[threadIdx.x] = s;
}

__global__ void count_beside_atomic(int *c)
{
    if (threadIdx.x % 2 == 0)
    {
        atomicAdd(c, 1); // race:beside
    }
    else
    {
        *(volatile int *)c += 1; // race:beside race:itself
    }
}

__global__ void reset_beside_count(volatile int *c)
{
    if (threadIdx.x == 0)
    {
        *c = 100; // race:reset
    }
    if (threadIdx.x == 64)
    {
        *c += 1; // race:reset
    }
}

__global__ void sum_of_block(int *y)
{
    __shared__ volatile int s[BLOCK_SIZE];
    const int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    for (int d = BLOCK_SIZE / 2; d > 0; d /= 2)
    {
        if (t < d)
        {
            s[t] += s[t + d]; // race:sum
        }
    }
    if (t == 0)
    {
        *y = s[0];
    }
}

// As in old books: the last warp needs no barrier, it was said.
__global__ void sum_of_last_warp(int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    if (t < 32)
    {
        volatile int *v = s;
        int mine = v[t];
        v[t] = mine = mine + v[t + 32]; // race:ab race:ac race:ad
        v[t] = mine = mine + v[t + 16]; // race:ab race:bb race:bc race:bd
        v[t] = mine = mine + v[t + 8];  // race:ac race:bc race:cc race:cd
        v[t] = mine = mine + v[t + 4];  // race:ad race:bd race:cd race:dd
    }
    if (t == 0)
    {
        *y = s[0];
    }
}

__global__ void sum_in_global_memory(int *g)
{
    volatile int *v = g;
    const int t = threadIdx.x;
    v[t] += v[t + 16]; // race:global race:one
    v[t] += v[t + 8];  // race:global race:other
}

// Of volatile results the last block may count on those only that were written before a fence.
template <bool IS_FENCED>
__global__ void last_block(volatile float *results, unsigned *counter, float *y)
{
    __shared__ bool last;
    if (threadIdx.x == 0)
    {
        results[blockIdx.x] = blockIdx.x + 1.0f; // race:last
        if (IS_FENCED)
        {
            __threadfence();
        }
        last = atomicInc(counter, gridDim.x) == gridDim.x - 1; // race:counter
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
    {
        float sum = 0.0f;
        for (unsigned i = 0; i < gridDim.x; ++i)
        {
            sum += results[i]; // race:last
        }
        *y = sum;
        *counter = 0; // race:counter
    }
}

__global__ void flag_unfenced(volatile int *flag, volatile int *data, int *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
    {
        // says: the one that writes has no fence before it tells of it by an atomic or a flag
        *data = 7; // race:flag
        *flag = 1;
    }
    if (blockIdx.x == 1 && threadIdx.x == 0)
    {
        while (*flag == 0)
        {
        }
        *y = *data; // race:flag
    }
}

// --- right ---------------------------------------------------------------------------------------

// As the guide has it: the last block sets the counter to zero by a plain write.
__global__ void sum_of_guide(const float *x, unsigned N, volatile float *results, unsigned *counter)
{
    __shared__ bool is_last;
    float sum = 0.0f;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
    {
        sum += x[i];
    }
    for (int offset = 16; offset > 0; offset /= 2)
    {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (threadIdx.x == 0)
    {
        results[blockIdx.x] = sum;
        __threadfence();
        const unsigned ticket = atomicInc(counter, gridDim.x);
        is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last)
    {
        float total = 0.0f;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        {
            total += results[i];
        }
        for (int offset = 16; offset > 0; offset /= 2)
        {
            total += __shfl_down_sync(0xffffffff, total, offset);
        }
        if (threadIdx.x == 0)
        {
            results[0] = total;
            *counter = 0;
        }
    }
}

// A status and a value in one word: each block looks back at those before it, without a fence.
__global__ void look_back(volatile unsigned long long *words, int *ticket, int *y)
{
    __shared__ int block;
    if (threadIdx.x == 0)
    {
        block = atomicAdd(ticket, 1);
        words[block] = 1ull << 32 | 1;
        int sum = 0;
        for (int i = block - 1; i >= 0;)
        {
            const unsigned long long word = words[i];
            if (word >> 32 != 0)
            {
                sum += (int)word;
                i = word >> 32 == 2 ? -1 : i - 1;
            }
        }
        words[block] = 2ull << 32 | (sum + 1);
        y[block] = sum;
    }
}

// Two arrays: the status is published behind a fence, the value is volatile.
__global__ void chained(volatile int *status, volatile int *sums)
{
    if (threadIdx.x == 0)
    {
        int before = 0;
        if (blockIdx.x > 0)
        {
            while (status[blockIdx.x - 1] == 0)
            {
            }
            before = sums[blockIdx.x - 1];
        }
        sums[blockIdx.x] = before + 1;
        __threadfence();
        status[blockIdx.x] = 1;
    }
}

// Whoever finds it first says so; the others need not look further. All write the same.
__global__ void search(const int *x, int key, int N, volatile int *found, int *next)
{
    for (;;)
    {
        const int i = atomicAdd(next, 1);
        if (*found || i >= N)
        {
            return;
        }
        if (x[i] == key)
        {
            *found = 1;
        }
    }
}

__global__ void any(const int *x, int *y)
{
    __shared__ volatile int found;
    if (threadIdx.x == 0)
    {
        found = 0;
    }
    __syncthreads();
    if (x[threadIdx.x] > 3 && !found)
    {
        found = 1;
    }
    __syncthreads();
    y[threadIdx.x] = found;
}

// One thread counts, another one waits for it.
__global__ void progress(volatile int *done, int *y)
{
    if (threadIdx.x == 0)
    {
        for (int i = 0; i < 10; ++i)
        {
            y[i] = i;
            __threadfence_block();
            *done += 1;
        }
    }
    if (threadIdx.x == 32)
    {
        while (*done < 10)
        {
        }
        __threadfence_block();
        y[10] = y[9];
    }
}

// The threads take turns. What they do is behind fences.
__global__ void turns(volatile int *turn, int *total)
{
    if (threadIdx.x == 0)
    {
        while (*turn != blockIdx.x)
        {
        }
        __threadfence();
        *total += blockIdx.x;
        __threadfence();
        *turn = blockIdx.x + 1;
    }
}

// With the warp's barrier between.
__global__ void sum_of_warp(int *y)
{
    __shared__ volatile int s[32];
    const int t = threadIdx.x;
    s[t] = 1;
    for (int d = 16; d > 0; d /= 2)
    {
        __syncwarp();
        const int sum = s[t] + (t < d ? s[t + d] : 0);
        __syncwarp();
        s[t] = sum;
    }
    y[t] = s[t];
}

// Each thread has its own words.
__global__ void own(volatile int *words)
{
    words[threadIdx.x] += words[threadIdx.x + BLOCK_SIZE];
    words[threadIdx.x + BLOCK_SIZE] -= 1;
}

int main()
{
    const size_t bytes = 1 << 14;
    int *x, *y, *zeros;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMalloc(&zeros, bytes);
    cudaMemset(x, 1, bytes);
    cudaMemset(y, 0, bytes);
    const auto clear = [&]
    {
        cudaMemset(zeros, 0, bytes);
    };
    clear();
    count<<<2, 32>>>(zeros);
    count_in_two_lines<<<2, 32>>>(zeros);
    count_of_warp<<<1, 32>>>(y);
    count_beside_atomic<<<1, 64>>>(zeros);
    reset_beside_count<<<1, 96>>>(zeros);
    sum_of_block<<<1, BLOCK_SIZE>>>(y);
    sum_of_last_warp<<<1, 64>>>(y);
    clear();
    sum_in_global_memory<<<1, 32>>>(zeros);
    clear();
    last_block<true><<<NUM_BLOCKS, 32>>>((float *)zeros, (unsigned *)zeros + 100, (float *)y);
    clear();
    last_block<false><<<NUM_BLOCKS, 32>>>((float *)zeros, (unsigned *)zeros + 100, (float *)y);
    clear();
    flag_unfenced<<<2, 32>>>(zeros, zeros + 1, y);
    for (int i = 0; i < 2; ++i)
    {
        clear();
        sum_of_guide<<<NUM_BLOCKS, 32>>>((float *)x, 1000, (float *)zeros, (unsigned *)zeros + 100);
        sum_of_guide<<<NUM_BLOCKS, 32>>>((float *)x, 1000, (float *)zeros, (unsigned *)zeros + 100);
    }
    clear();
    look_back<<<NUM_BLOCKS, 32>>>((unsigned long long *)zeros, zeros + 1000, y);
    clear();
    chained<<<NUM_BLOCKS, 32>>>(zeros, zeros + 100);
    clear();
    search<<<NUM_BLOCKS, 32>>>(x, 5, 1000, zeros, zeros + 1);
    cudaMemset(x, 5, bytes);
    clear();
    search<<<NUM_BLOCKS, 32>>>(x, 0x05050505, 1000, zeros, zeros + 1);
    any<<<1, 96>>>(x, y);
    clear();
    progress<<<1, 64>>>(zeros, y);
    clear();
    turns<<<NUM_BLOCKS, 32>>>(zeros, zeros + 1);
    sum_of_warp<<<1, 32>>>(y);
    own<<<1, BLOCK_SIZE>>>(zeros);
    cudaFree(x);
    cudaFree(y);
    cudaFree(zeros);
    return 0;
}
