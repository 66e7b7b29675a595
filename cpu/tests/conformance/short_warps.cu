// Conforms to: masks that name lanes which do not exist, or have returned. Only the others count.
#include "expect.cuh"

const unsigned FULL = 0xffffffff;
const int N = 20; // threads of a block

__global__ void in_a_short_block()
{
    __shared__ int s[N];
    const int t = threadIdx.x;
    s[t] = t;
    __syncwarp();
    EXPECT(s[N - 1 - t] == N - 1 - t);
    EXPECT(__ballot_sync(FULL, 1) == (1u << N) - 1);
    EXPECT(__ballot_sync(FULL, t % 2) == (0xaaaaaaaa & ((1u << N) - 1)));
    EXPECT(__all_sync(FULL, t < N));
    EXPECT(!__all_sync(FULL, t != 3));
    EXPECT(__any_sync(FULL, t == N - 1));
    EXPECT(!__any_sync(FULL, t == N));
    EXPECT(__shfl_xor_sync(FULL, t, 1) == (t ^ 1));
    EXPECT(__shfl_sync(FULL, t, 7) == 7);
    EXPECT(__match_any_sync(FULL, t / 10) == (t < 10 ? 0x3ffu : 0x3ffu << 10));
    int sum = t;
    for (int distance = 1; distance < N; distance *= 2)
    {
        const int before = __shfl_up_sync(FULL, sum, distance);
        sum += t >= distance ? before : 0;
    }
    EXPECT(sum == t * (t + 1) / 2);
}

// The lanes from `first` on return. The others go on alone.
__global__ void after_a_return(int first)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    EXPECT(__shfl_sync(FULL, 3 * t, 31 - t) == 3 * (31 - t)); // all are here
    if (t >= first)
    {
        return;
    }
    for (int i = 0; i < 3; ++i)
    {
        s[t] = t + i;
        __syncwarp();
        EXPECT(s[first - 1 - t] == first - 1 - t + i);
        __syncwarp(FULL);
    }
    const unsigned rest = (1u << first) - 1;
    EXPECT(__ballot_sync(FULL, 1) == rest);
    EXPECT(__all_sync(FULL, 1));
    EXPECT(__any_sync(FULL, t == 0));
    EXPECT(__shfl_sync(FULL, t, 0) == 0);
    EXPECT(__match_any_sync(FULL, 5) == rest);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    EXPECT(__reduce_add_sync(FULL, 1) == first);
    EXPECT(__reduce_max_sync(FULL, t) == first - 1);
    EXPECT(__reduce_and_sync(FULL, 6u) == 6);
#endif
}

// A sum of eight lanes: what the upper lanes read is never used.
__global__ void sum_of_a_part(int *sum)
{
    const unsigned mask = __ballot_sync(FULL, threadIdx.x < 8);
    if (threadIdx.x < 8)
    {
        int x = threadIdx.x + 1;
        for (int distance = 4; distance > 0; distance /= 2)
        {
            x += __shfl_down_sync(mask, x, distance);
        }
        if (threadIdx.x == 0)
        {
            *sum = x;
        }
    }
}

int main()
{
    int *d_sum, h_sum = 0;
    cudaMalloc(&d_sum, sizeof(int));
    in_a_short_block<<<3, N>>>();
    report("a block of 20 threads");
    for (int first = 1; first < 32; first += 5)
    {
        after_a_return<<<2, 32>>>(first);
    }
    report("lanes that have returned");
    sum_of_a_part<<<1, 32>>>(d_sum);
    cudaMemcpy(&h_sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    check("a sum of eight lanes", h_sum == 36);
    cudaFree(d_sum);
    return num_wrong != 0;
}
