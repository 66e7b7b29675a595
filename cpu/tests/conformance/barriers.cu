// Conforms to: __syncthreads and its counting kin, __syncwarp with masks, fences, blocks of one to
// three dimensions.
#include "expect.cuh"

__global__ void reverse_in_blocks(int *x)
{
    __shared__ int s_x[256];
    const int tid = threadIdx.x;
    for (int round = 0; round < 3; ++round)
    {
        s_x[tid] = x[tid + blockIdx.x * blockDim.x];
        __syncthreads();
        x[tid + blockIdx.x * blockDim.x] = s_x[blockDim.x - 1 - tid];
        __syncthreads();
    }
}

__global__ void check_reversed(const int *x)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    EXPECT(x[n] == (int)(blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x));
}

__global__ void count()
{
    const int tid = threadIdx.x, N = blockDim.x;
    EXPECT(__syncthreads_count(tid % 3 == 0) == (N + 2) / 3);
    EXPECT(__syncthreads_count(7) == N); // any value but zero is one vote
    EXPECT(__syncthreads_count(0) == 0);
    EXPECT(__syncthreads_and(tid >= 0) != 0);
    EXPECT(__syncthreads_and(tid != N - 1) == 0);
    EXPECT(__syncthreads_or(tid == N - 1) != 0);
    EXPECT(__syncthreads_or(tid == N) == 0);
    for (int i = 0; i < N; i += 17)
    {
        EXPECT(__syncthreads_count(tid < i) == i);
    }
}

__global__ void sum_3d(int expected)
{
    __shared__ int s_sum[1024];
    const int tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int N = blockDim.x * blockDim.y * blockDim.z;
    s_sum[tid] = 100 * threadIdx.z + 10 * threadIdx.y + threadIdx.x;
    __syncthreads();
    for (int half = N / 2; half > 0; half /= 2)
    {
        if (tid < half)
        {
            s_sum[tid] += s_sum[tid + half];
        }
        __syncthreads();
    }
    EXPECT(s_sum[0] == expected);
}

// The two halves of a warp take turns of their own; then both meet.
__global__ void sync_halves()
{
    __shared__ int s_x[32], s_y[32];
    const int lane = threadIdx.x;
    const unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    s_x[lane] = lane;
    if (lane < 16)
    {
        for (int i = 0; i < 4; ++i)
        {
            __syncwarp(mask);
            const int next = s_x[(lane + 1) % 16];
            __syncwarp(mask);
            s_x[lane] = next;
        }
    }
    else
    {
        __syncwarp(mask);
        const int next = s_x[16 + (lane + 1) % 16];
        __syncwarp(mask);
        s_x[lane] = next;
    }
    __syncwarp();
    s_y[lane] = s_x[31 - lane];
    __syncwarp();
    const int i = 31 - lane;
    EXPECT(s_y[lane] == (i < 16 ? (i + 4) % 16 : 16 + (i + 1) % 16));
}

__device__ int num_done, parts[64];

// The block that comes last sees what all others have written.
__global__ void finish_in_last_block(int *total)
{
    __shared__ bool s_last;
    if (threadIdx.x == 0)
    {
        parts[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        s_last = atomicAdd(&num_done, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (s_last && threadIdx.x == 0)
    {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x; ++i)
        {
            sum += ((volatile int *)parts)[i];
        }
        *total = sum;
        __threadfence_system();
    }
    __threadfence_block();
}

__global__ void check_total(const int *total, int expected)
{
    EXPECT(*total == expected);
}

int main()
{
    const int sizes[] = {1, 31, 32, 33, 128, 256};
    int *d_x, h_x[512];
    cudaMalloc((void **)&d_x, sizeof(h_x));
    for (int i = 0; i < 512; ++i)
    {
        h_x[i] = i;
    }
    for (int block : sizes)
    {
        cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice);
        reverse_in_blocks<<<2, block>>>(d_x);
        check_reversed<<<2, block>>>(d_x);
    }
    report("__syncthreads");

    for (int block : sizes)
    {
        count<<<3, block>>>();
    }
    count<<<1, 1024>>>();
    report("__syncthreads_count, _and, _or");

    sum_3d<<<2, dim3(8, 4, 2)>>>(64 / 2 * (7 + 10 * 3 + 100 * 1));
    sum_3d<<<2, dim3(2, 2, 64)>>>(256 / 2 * (1 + 10 * 1 + 100 * 63));
    sum_3d<<<2, dim3(1, 1024)>>>(1024 / 2 * 10 * 1023);
    report("blocks of three dimensions");

    sync_halves<<<4, 32>>>();
    report("__syncwarp");

    finish_in_last_block<<<64, 64>>>(d_x);
    check_total<<<1, 1>>>(d_x, 64 * 65 / 2);
    report("__threadfence");
    cudaFree(d_x);
    return num_wrong;
}
