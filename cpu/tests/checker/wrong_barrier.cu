// Mistakes of first courses: barriers of a block and of a warp. Marks as in checker.t.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum
{
    B = 128
};

__global__ void reverse(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    s[t] = t;            // race:reverse
    y[t] = s[B - 1 - t]; // race:reverse
}

__global__ void sum_no_barrier_in_loop(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = B / 2; d > 0; d /= 2)
    {
        if (t < d)
        {
            s[t] += s[t + d]; // race:loop
        }
    }
    if (t == 0)
    {
        y[0] = s[0];
    }
}

__global__ void sum_first_barrier_missing(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    s[t] = t; // race:first
    for (int d = B / 2; d > 0; d /= 2)
    {
        if (t < d)
        {
            s[t] += s[t + d]; // race:first
        }
        __syncthreads();
    }
    if (t == 0)
    {
        y[0] = s[0];
    }
}

// The second barrier of the loop over the tiles is missing.
__global__ void tiles(int *y, const int *x)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    int sum = 0;
    for (int tile = 0; tile < 3; ++tile)
    {
        s[t] = x[t] + tile; // race:tile
        __syncthreads();
        for (int k = 0; k < B; ++k)
        {
            sum += s[k]; // race:tile
        }
    }
    y[t] = sum;
}

__global__ void scan_in_place(int *y)
{
    __shared__ int s[B];
    const int t = threadIdx.x;
    s[t] = 1;
    __syncthreads();
    for (int d = 1; d < B; d *= 2)
    {
        if (t >= d)
        {
            s[t] += s[t - d]; // race:scan
        }
        __syncthreads();
    }
    y[t] = s[t];
}

// Both steps use the same half of the buffer.
__global__ void buffers(int *y)
{
    __shared__ int s[2][B];
    const int t = threadIdx.x;
    int now = 0;
    s[0][t] = 1;
    __syncthreads();
    for (int step = 0; step < 4; ++step)
    {
        const int next = now;                         // meant: 1 - now
        s[next][t] = s[now][t] + s[now][(t + 1) % B]; // race:buffers
        __syncthreads();
        now = next;
    }
    y[t] = s[now][t];
}

__global__ void broadcast(int *y)
{
    __shared__ int first;
    if (threadIdx.x == 0)
    {
        first = 7; // race:broadcast
    }
    y[threadIdx.x] = first; // race:broadcast
}

__global__ void bins_not_ready(int *y)
{
    __shared__ int bins[32];
    if (threadIdx.x < 32)
    {
        bins[threadIdx.x] = 0; // race:ready
    }
    atomicAdd(&bins[threadIdx.x % 32], 1); // race:ready
    __syncthreads();
    if (threadIdx.x < 32)
    {
        y[threadIdx.x] = bins[threadIdx.x];
    }
}

__global__ void bins_not_done(int *y)
{
    __shared__ int bins[32];
    if (threadIdx.x < 32)
    {
        bins[threadIdx.x] = 0;
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x % 32], 1); // race:done
    if (threadIdx.x < 32)
    {
        y[threadIdx.x] = bins[threadIdx.x]; // race:done
    }
}

// The flag is set for the next turn while others still look at it.
__global__ void flag_in_loop(int *y)
{
    __shared__ int more;
    for (int step = 0;; ++step)
    {
        if (threadIdx.x == 0)
        {
            more = step < 3; // race:flag
        }
        __syncthreads();
        if (!more) // race:flag
        {
            break;
        }
    }
    y[threadIdx.x] = 1;
}

__global__ void warp_barrier_for_block(int *y)
{
    __shared__ int s[B];
    s[threadIdx.x] = threadIdx.x; // race:warps
    __syncwarp();
    y[threadIdx.x] = s[(threadIdx.x + 40) % B]; // race:warps
}

__global__ void no_warp_barrier(int *y)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;         // race:lanes
    y[threadIdx.x] = s[31 - threadIdx.x]; // race:lanes
}

// The last steps of a sum, without barriers: lanes do not run in step.
__global__ void last_warp(int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 32)
    {
        s[t] += s[t + 32]; // race:step32 race:far
        s[t] += s[t + 16]; // race:step32 race:step16 race:self16
        s[t] += s[t + 8];  // race:far race:step16 race:self8
        y[t] = 0;
    }
}

__global__ void half_tile(int *y)
{
    __shared__ int s[32];
    const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = threadIdx.x; // race:tile16
    tile.sync();
    y[threadIdx.x] = s[31 - threadIdx.x]; // race:tile16
}

__global__ void leader_of_warp(int *y)
{
    __shared__ int of_warp[B / 32];
    if (threadIdx.x % 32 == 0)
    {
        of_warp[threadIdx.x / 32] = threadIdx.x; // race:leader
    }
    y[threadIdx.x] = of_warp[threadIdx.x / 32]; // race:leader
}

__global__ void two_places(int *y)
{
    if (threadIdx.x < 64)
    {
        y[threadIdx.x] = 1;
        __syncthreads(); // barrier:places
    }
    else
    {
        y[threadIdx.x] = 2;
        __syncthreads(); // barrier:places
    }
}

__global__ void transpose(int *y, const int *x)
{
    __shared__ int s[16][17];
    s[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x]; // race:transpose
    y[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y]; // race:transpose
}

int main()
{
    int *x, *y;
    cudaMalloc(&x, 256 * sizeof(int));
    cudaMalloc(&y, 256 * sizeof(int));
    cudaMemset(x, 0, 256 * sizeof(int));
    reverse<<<1, B>>>(y);
    sum_no_barrier_in_loop<<<1, B>>>(y);
    sum_first_barrier_missing<<<1, B>>>(y);
    tiles<<<1, B>>>(y, x);
    scan_in_place<<<1, B>>>(y);
    buffers<<<1, B>>>(y);
    broadcast<<<1, B>>>(y);
    bins_not_ready<<<1, B>>>(y);
    bins_not_done<<<1, B>>>(y);
    flag_in_loop<<<1, B>>>(y);
    warp_barrier_for_block<<<1, B>>>(y);
    no_warp_barrier<<<1, 32>>>(y);
    last_warp<<<1, 64>>>(y);
    half_tile<<<1, 32>>>(y);
    leader_of_warp<<<1, B>>>(y);
    two_places<<<1, B>>>(y);
    transpose<<<1, dim3(16, 16)>>>(y, x);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
