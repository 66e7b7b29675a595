// Asynchronous copies into shared memory: with their waits, and without. Marks as in checker.t.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

enum
{
    N = 64,
    STEPS = 6
};

__global__ void right(int *y, const int *x)
{
    __shared__ int s[N];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&s[i], &x[i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    s[i] += 1; // its own
    __syncthreads();
    y[i] = s[N - 1 - i];
}

__global__ void no_wait(int *y, const int *x)
{
    __shared__ int s[N];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&s[i], &x[i], sizeof(int)); // in-flight:wait
    __pipeline_commit();
    __syncthreads();
    y[i] = s[N - 1 - i]; // in-flight:wait
}

__global__ void no_wait_own(int *y, const int *x)
{
    __shared__ int s[N];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&s[i], &x[i], sizeof(int)); // in-flight:own
    __pipeline_commit();
    y[i] = s[i]; // in-flight:own
}

__global__ void no_commit(int *y, const int *x)
{
    __shared__ int s[N];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&s[i], &x[i], sizeof(int)); // in-flight:commit
    __pipeline_wait_prior(0);
    __syncthreads();
    y[i] = s[N - 1 - i]; // in-flight:commit
}

__global__ void no_barrier(int *y, const int *x)
{
    __shared__ int s[N];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&s[i], &x[i], sizeof(int)); // race:barrier
    __pipeline_commit();
    __pipeline_wait_prior(0);
    y[i] = s[N - 1 - i]; // race:barrier
}

// The barrier is before the wait.
__global__ void barrier_first(int *y, const int *x)
{
    __shared__ int s[N];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&s[i], &x[i], sizeof(int)); // in-flight:first
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    y[i] = s[N - 1 - i]; // in-flight:first
}

// While one buffer is used the other one is filled.
template <int BEHIND, bool LAST>
__device__ void two_buffers(int *y, const int *x)
{
    __shared__ int s[2][N];
    const int i = threadIdx.x;
    int sum = 0;
    __pipeline_memcpy_async(&s[0][i], &x[i], sizeof(int)); // in-flight:behind in-flight:early
    __pipeline_commit();
    for (int step = 0; step < STEPS; ++step)
    {
        if (step + 1 < STEPS)
        {
            const int next = (step + 1) % 2;
            const int *from = &x[(step + 1) * N + i];
            __pipeline_memcpy_async(&s[next][i], from, sizeof(int)); // in-flight:next,over,early
        }
        __pipeline_commit();
        __pipeline_wait_prior(BEHIND);
        __syncthreads();
        sum += s[step % 2][N - 1 - i]; // in-flight:behind in-flight:next
        if (LAST)
        {
            __syncthreads();
        }
    }
    y[i] = sum;
}

__global__ void two_right(int *y, const int *x)
{
    two_buffers<1, true>(y, x);
}

__global__ void two_wrong(int *y, const int *x)
{
    two_buffers<2, true>(y, x);
}

__global__ void group_right(int *y, const int *x)
{
    __shared__ int s[N], t[N];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, x, sizeof(s));
    cg::memcpy_async(block, t, x + N, sizeof(t));
    cg::wait_prior<1>(block);
    int sum = s[N - 1 - threadIdx.x];
    cg::wait(block);
    sum += t[N - 1 - threadIdx.x];
    y[threadIdx.x] = sum;
}

__global__ void group_no_wait(int *y, const int *x)
{
    __shared__ int s[N];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, x, sizeof(s)); // in-flight:group
    block.sync();
    y[threadIdx.x] = s[N - 1 - threadIdx.x]; // in-flight:group
}

__global__ void tile_right(int *y, const int *x)
{
    __shared__ int s[N];
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    int *mine = s + threadIdx.x / 32 * 32;
    cg::memcpy_async(tile, mine, x + threadIdx.x / 32 * 32, 32 * sizeof(int));
    cg::wait(tile);
    y[threadIdx.x] = mine[31 - tile.thread_rank()];
}

// What is not used needs no wait, and the next block begins anew.
__global__ void unused(int *y, const int *x)
{
    __shared__ int s[N];
    const int i = threadIdx.x;
    if (blockIdx.x % 2 == 0)
    {
        __pipeline_memcpy_async(&s[i], &x[i], sizeof(int));
    }
    else
    {
        s[i] = i;
        __syncthreads();
        y[i] = s[N - 1 - i];
    }
}

int main()
{
    int *x, *y;
    cudaMalloc(&x, STEPS * N * sizeof(int));
    cudaMalloc(&y, N * sizeof(int));
    cudaMemset(x, 0, STEPS * N * sizeof(int));
    right<<<1, N>>>(y, x);
    no_wait<<<1, N>>>(y, x);
    no_wait_own<<<1, N>>>(y, x);
    no_commit<<<1, N>>>(y, x);
    no_barrier<<<1, N>>>(y, x);
    barrier_first<<<1, N>>>(y, x);
    two_right<<<1, N>>>(y, x);
    two_wrong<<<1, N>>>(y, x);
    group_right<<<1, N>>>(y, x);
    group_no_wait<<<1, N>>>(y, x);
    tile_right<<<1, N>>>(y, x);
    unused<<<2, N>>>(y, x);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
