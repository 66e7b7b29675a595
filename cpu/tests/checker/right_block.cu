// Right programs that look wrong, or are easily taken for wrong: indices, barriers, warps, shared memory.
// Nothing is found in them, and their results are right.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum
{
    B = 128
};

__global__ void sum_by_barriers(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = B / 2; d > 0; d /= 2)
    {
        if (t < d)
        {
            s[t] += s[t + d];
        }
        __syncthreads();
    }
    y[t] = s[0];
}

// Barriers of the block as long as several warps add, then of the warp.
__global__ void sum_by_both(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = B / 2; d >= 32; d /= 2)
    {
        if (t < d)
        {
            s[t] += s[t + d];
        }
        __syncthreads();
    }
    if (t < 32)
    {
        for (int d = 16; d > 0; d /= 2)
        {
            const int other = s[t + d];
            __syncwarp();
            s[t] += t < d ? other : 0;
            __syncwarp();
        }
    }
    __syncthreads();
    y[t] = s[0];
}

__global__ void sum_by_shuffles(int *y)
{
    __shared__ int of_warp[32];
    int sum = threadIdx.x;
    for (int d = 16; d > 0; d /= 2)
    {
        sum += __shfl_down_sync(0xffffffff, sum, d);
    }
    if (threadIdx.x % 32 == 0)
    {
        of_warp[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x < 32)
    {
        sum = threadIdx.x < B / 32 ? of_warp[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2)
        {
            sum += __shfl_xor_sync(0xffffffff, sum, d);
        }
        if (threadIdx.x == 0)
        {
            of_warp[0] = sum;
        }
    }
    __syncthreads();
    y[threadIdx.x] = of_warp[0];
}

// The barrier stands in a branch that all threads of the block take.
__global__ void barrier_in_branch(int *y, int n)
{
    __shared__ int s[B];
    if (n > 3)
    {
        s[threadIdx.x] = threadIdx.x;
        __syncthreads();
        y[threadIdx.x] = s[B - 1 - threadIdx.x] + s[threadIdx.x] + B * (B - 1) / 2 - (B - 1);
    }
}

__global__ void scan_two_buffers(int *y)
{
    __shared__ int s[2][B];
    const int t = threadIdx.x;
    int now = 0;
    s[0][t] = t;
    __syncthreads();
    for (int d = 1; d < B; d *= 2)
    {
        s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    y[t] = s[now][B - 1];
}

__global__ void scan_in_place(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = 1; d < B; d *= 2)
    {
        const int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    y[t] = s[B - 1];
}

// Neighbours write other bytes of one word.
__global__ void bytes_of_a_word(int *y)
{
    __shared__ unsigned char s[B];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < B; ++i)
    {
        sum += s[i];
    }
    y[threadIdx.x] = sum;
}

// A part of the shared memory is ints, then shorts: two arrays in dynamic memory.
__global__ void two_arrays(int *y)
{
    extern __shared__ int ints[];
    short *shorts = (short *)(ints + B);
    ints[threadIdx.x] = threadIdx.x;
    shorts[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < B; ++i)
    {
        sum += i % 2 == 0 ? ints[i] : shorts[i];
    }
    y[threadIdx.x] = sum;
}

// Two kinds of use of one memory, one after the other.
__global__ void used_twice(int *y)
{
    union Both
    {
        int numbers[B];
        float halves[B];
    };
    __shared__ Both s;
    const int t = threadIdx.x;
    s.numbers[t] = 2 * t;
    __syncthreads();
    const int mine = s.numbers[B - 1 - t];
    __syncthreads();
    s.halves[t] = mine / 2.0f;
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < B; ++i)
    {
        sum += s.halves[i];
    }
    y[t] = (int)sum;
}

// Each warp has its part, and needs no barrier of the block.
__global__ void part_of_warp(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x, first = t / 32 * 32;
    s[t] = t;
    __syncwarp();
    const int other = s[first + 31 - t % 32];
    __syncwarp();
    s[t] = other + t; // 2 * first + 31
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < B; ++i)
    {
        sum += s[i];
    }
    y[t] = sum / 2;
}

// The first lanes alone, with their mask.
__global__ void half_a_warp(int *y)
{
    int sum = threadIdx.x % 32 < 16 ? 1 : 0;
    if (threadIdx.x % 32 < 16)
    {
        for (int d = 8; d > 0; d /= 2)
        {
            sum += __shfl_down_sync(0xffff, sum, d, 16);
        }
    }
    sum = __shfl_sync(0xffffffff, sum, 0);
    y[threadIdx.x] = sum == 16 ? B * (B - 1) / 2 : 0;
}

__global__ void lanes_by_ballot(int *y)
{
    const unsigned odd = __ballot_sync(0xffffffff, threadIdx.x % 2);
    int sum = 0;
    if (threadIdx.x % 2)
    {
        sum = __reduce_add_sync(odd, 1);
        sum = __shfl_sync(odd, sum, 1);
    }
    sum = __shfl_sync(0xffffffff, sum, 31);
    y[threadIdx.x] = sum == 16 ? B * (B - 1) / 2 : 0;
}

__global__ void tiles(int *y)
{
    __shared__ int s[B / 8];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    const int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    if (tile.thread_rank() == 0)
    {
        s[tile.meta_group_rank()] = sum;
    }
    block.sync();
    int all = 0;
    for (int i = 0; i < B / 8; ++i)
    {
        all += s[i];
    }
    y[threadIdx.x] = all;
}

// While one half of the buffer is used, the other one is filled.
__global__ void pipeline(int *y, const int *x)
{
    __shared__ int s[2][B];
    const int t = threadIdx.x;
    int sum = 0;
    __pipeline_memcpy_async(&s[0][t], &x[t], sizeof(int));
    __pipeline_commit();
    for (int step = 0; step < 3; ++step)
    {
        if (step < 2)
        {
            __pipeline_memcpy_async(&s[(step + 1) % 2][t], &x[t], sizeof(int));
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = 0; i < B; ++i)
        {
            sum += s[step % 2][i];
        }
        __syncthreads();
    }
    y[t] = sum / 3;
}

__global__ void copy_by_group(int *y, const int *x)
{
    __shared__ int s[B];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, x, sizeof(s));
    cg::wait(block);
    int sum = 0;
    for (int i = 0; i < B; ++i)
    {
        sum += s[i];
    }
    y[threadIdx.x] = sum;
}

// The number of threads for which a condition holds, and no shared memory.
__global__ void count(int *y)
{
    y[threadIdx.x] = __syncthreads_count(threadIdx.x % 4 != 0) == 96 ? B * (B - 1) / 2 : 0;
}

// The flag has a turn of its own in each step: three of them need one barrier.
__global__ void three_flags(int *y)
{
    __shared__ int more[3];
    if (threadIdx.x < 3)
    {
        more[threadIdx.x] = 0;
    }
    __syncthreads();
    int steps = 0;
    for (;; ++steps)
    {
        if (steps < 5 && threadIdx.x == B - 1)
        {
            more[steps % 3] = 1;
        }
        if (threadIdx.x == 0)
        {
            more[(steps + 1) % 3] = 0;
        }
        __syncthreads();
        if (!more[steps % 3])
        {
            break;
        }
    }
    y[threadIdx.x] = steps == 5 ? B * (B - 1) / 2 : 0;
}

// A histogram of each block, zeroed and added up between barriers.
__global__ void bins_of_block(int *y)
{
    __shared__ int bins[16];
    if (threadIdx.x < 16)
    {
        bins[threadIdx.x] = 0;
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x % 16], threadIdx.x);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 16; ++i)
    {
        sum += bins[i];
    }
    y[threadIdx.x] = sum;
}

__global__ void transpose_padded(int *y, const int *x)
{
    __shared__ int s[16][17];
    const int column = threadIdx.x % 16, row = threadIdx.x / 16;
    for (int r = row; r < 16; r += B / 16)
    {
        s[r][column] = x[(16 * r + column) % B];
    }
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < 16; ++r)
    {
        for (int c = 0; c < 16; ++c)
        {
            sum += s[c][r];
        }
    }
    y[threadIdx.x] = sum / 2;
}

__device__ int table[B];
__constant__ int factors[4] = {1, 1, 1, 1};

// A variable of the device, written in one launch and read in the next.
__global__ void fill_table()
{
    table[threadIdx.x] = threadIdx.x * factors[threadIdx.x % 4];
}

__global__ void sum_table(int *y)
{
    int sum = 0;
    for (int i = 0; i < B; ++i)
    {
        sum += table[i];
    }
    y[threadIdx.x] = sum;
}

static int num_wrong;

static void expect(const char *name, int *y)
{
    int h[B];
    cudaMemcpy(h, y, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < B; ++i)
    {
        if (h[i] != B * (B - 1) / 2)
        {
            printf("%s: %d at %d\n", name, h[i], i);
            ++num_wrong;
            break;
        }
    }
    cudaMemset(y, 0, sizeof(h));
}

int main()
{
    int *x, *y, h[B];
    for (int i = 0; i < B; ++i)
    {
        h[i] = i;
    }
    cudaMalloc(&x, sizeof(h));
    cudaMalloc(&y, sizeof(h));
    cudaMemcpy(x, h, sizeof(h), cudaMemcpyHostToDevice);
#define EXPECT(kernel, bytes, ...)        \
    kernel<<<1, B, bytes>>>(__VA_ARGS__); \
    expect(#kernel, y)
    EXPECT(sum_by_barriers, 0, y);
    EXPECT(sum_by_both, 0, y);
    EXPECT(sum_by_shuffles, 0, y);
    EXPECT(barrier_in_branch, 0, y, 4);
    EXPECT(scan_two_buffers, 0, y);
    EXPECT(scan_in_place, 0, y);
    EXPECT(bytes_of_a_word, 0, y);
    EXPECT(two_arrays, B * (sizeof(int) + sizeof(short)), y);
    EXPECT(used_twice, 0, y);
    EXPECT(part_of_warp, 0, y);
    EXPECT(half_a_warp, 0, y);
    EXPECT(lanes_by_ballot, 0, y);
    EXPECT(tiles, 0, y);
    EXPECT(pipeline, 0, y, x);
    EXPECT(copy_by_group, 0, y, x);
    EXPECT(count, 0, y);
    EXPECT(three_flags, 0, y);
    EXPECT(bins_of_block, 0, y);
    EXPECT(transpose_padded, 0, y, x);
    fill_table<<<1, B>>>();
    EXPECT(sum_table, 0, y);
    cudaFree(x);
    cudaFree(y);
    return num_wrong != 0;
}
