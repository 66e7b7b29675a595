// Conforms to: cooperative groups of a block and within a warp, reduce, scan, memcpy_async, and the
// pipeline primitives.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_pipeline.h>
#include "expect.cuh"

namespace cg = cooperative_groups;

__global__ void whole_block()
{
    __shared__ int s_sum;
    cg::thread_block block = cg::this_thread_block();
    const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    EXPECT(block.thread_rank() == rank && block.size() == 48 && block.num_threads() == 48);
    EXPECT(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y);
    EXPECT(block.dim_threads().x == 4 && block.group_dim().z == 3);
    if (rank == 0)
    {
        s_sum = 0;
    }
    block.sync();
    atomicAdd(&s_sum, 1);
    cg::sync(block);
    EXPECT(s_sum == 48);
    cg::grid_group grid = cg::this_grid();
    EXPECT(grid.size() == 96 && grid.thread_rank() == 48 * blockIdx.x + rank);
    EXPECT(grid.group_dim().x == 2);
}

template <unsigned Size>
__device__ void check_tile()
{
    const int rank = threadIdx.x % Size, first = threadIdx.x - rank;
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(cg::this_thread_block());
    EXPECT(tile.size() == Size && tile.num_threads() == Size && (int)tile.thread_rank() == rank);
    EXPECT(tile.meta_group_rank() == threadIdx.x / Size);
    EXPECT(tile.meta_group_size() == blockDim.x / Size);
    const int x = threadIdx.x;
    for (int i = 0; i < (int)Size; ++i)
    {
        EXPECT(tile.shfl(x, i) == first + i);
        EXPECT(tile.shfl_up(x, i) == (rank >= i ? x - i : x));
        EXPECT(tile.shfl_down(x, i) == (rank + i < (int)Size ? x + i : x));
        EXPECT(tile.shfl_xor(x, i) == first + (rank ^ i));
    }
    const unsigned all = Size == 32 ? 0xffffffff : (1u << Size % 32) - 1;
    EXPECT(tile.ballot(1) == all && tile.ballot(rank == 0) == 1);
    EXPECT(tile.any(rank == (int)Size - 1) != 0 && tile.any(0) == 0);
    EXPECT(tile.all(1) != 0 && tile.all(rank != 0) == 0);
    EXPECT(tile.match_any(rank / 2) == (Size == 1 ? 1u : 3u << rank / 2 * 2));
    int same = -1;
    EXPECT(tile.match_all(first, same) == all && same != 0);
    tile.sync();

    const int n = Size;
    EXPECT(cg::reduce(tile, rank, cg::plus<int>()) == n * (n - 1) / 2);
    EXPECT(cg::reduce(tile, 3.0f * rank, cg::greater<float>()) == 3.0f * (n - 1));
    EXPECT(cg::reduce(tile, 5.0 - rank, cg::less<double>()) == 6.0 - n);
    EXPECT(cg::reduce(tile, 1u << rank, cg::bit_or<unsigned>()) == all);
    EXPECT(cg::reduce(tile, ~(1u << rank), cg::bit_and<unsigned>()) == ~all);
    EXPECT(cg::reduce(tile, 1ll << 40, cg::plus<long long>()) == (long long)n << 40);
    EXPECT(cg::reduce(tile, 3, cg::bit_xor<int>()) == (n == 1 ? 3 : 0));
    EXPECT(cg::inclusive_scan(tile, rank + 1) == (rank + 1) * (rank + 2) / 2);
    EXPECT(cg::exclusive_scan(tile, rank + 1, cg::plus<int>()) == rank * (rank + 1) / 2);
    EXPECT(cg::inclusive_scan(tile, (rank * 7) % 5, cg::greater<int>()) == (rank >= 2   ? 4
                                                                            : rank == 1 ? 2
                                                                                        : 0));
}

__global__ void tiles()
{
    check_tile<32>();
    check_tile<16>();
    check_tile<8>();
    check_tile<4>();
    check_tile<2>();
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto quarter = cg::tiled_partition<8>(warp);
    EXPECT(quarter.meta_group_rank() == threadIdx.x % 32 / 8 && quarter.meta_group_size() == 4);
    EXPECT(quarter.shfl((int)threadIdx.x, 3) == (int)threadIdx.x / 8 * 8 + 3);
}

// As the programming guide does it: any group will do.
__device__ int sum_of_group(cg::thread_group group, int *s_x, int x)
{
    const int rank = group.thread_rank();
    for (int i = group.size() / 2; i > 0; i /= 2)
    {
        s_x[rank] = x;
        group.sync();
        if (rank < i)
        {
            x += s_x[rank + i];
        }
        group.sync();
    }
    return x;
}

__global__ void any_group()
{
    __shared__ int s_x[128];
    const int tid = threadIdx.x;
    const int sum = sum_of_group(cg::this_thread_block(), s_x, tid);
    EXPECT(tid != 0 || sum == 127 * 64);
    cg::this_thread_block().sync();
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 16);
    EXPECT(tile.size() == 16 && (int)tile.thread_rank() == tid % 16);
    const int part = sum_of_group(tile, s_x + tid / 16 * 16, tid);
    EXPECT(tid % 16 != 0 || part == 16 * tid + 120);
}

__global__ void coalesced()
{
    const int lane = threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    cg::coalesced_group odd = cg::binary_partition(warp, lane % 2 == 1);
    EXPECT(odd.size() == 16 && (int)odd.thread_rank() == lane / 2);
    EXPECT(odd.shfl(lane, 3) == 6 + lane % 2);
    EXPECT(odd.shfl_up(lane, 2) == (lane >= 4 ? lane - 4 : lane));
    EXPECT(odd.shfl_down(lane, 1) == (lane < 30 ? lane + 2 : lane));
    EXPECT(odd.ballot(lane < 4) == 3 && odd.any(lane >= 30) != 0);
    EXPECT((odd.all(lane < 31) != 0) == (lane % 2 == 0));
    EXPECT(cg::reduce(odd, lane, cg::plus<int>()) == (lane % 2 == 1 ? 256 : 240));
    odd.sync();
    auto third = cg::labeled_partition(warp, lane % 3);
    EXPECT((int)third.size() == (lane % 3 == 2 ? 10 : 11) && (int)third.thread_rank() == lane / 3);
    EXPECT(cg::reduce(third, 1, cg::plus<int>()) == (int)third.size());
    EXPECT(cg::inclusive_scan(third, 1) == lane / 3 + 1);
    if (lane % 2 == 1)
    {
        cg::coalesced_group active = cg::coalesced_threads();
        const int size = active.size(), rank = active.thread_rank();
        EXPECT(size >= 1 && size <= 16 && rank < size);
        EXPECT(active.shfl(rank, size - 1) == size - 1);
        EXPECT(cg::reduce(active, 1, cg::plus<int>()) == size);
    }
    __syncwarp();
}

__global__ void copy(const int *x)
{
    __shared__ int s_x[256];
    __shared__ int4 s_y[64];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s_x, x, sizeof(int) * 256);
    cg::wait(block);
    EXPECT(s_x[255 - threadIdx.x] == 255 - (int)threadIdx.x);
    block.sync();
    cg::memcpy_async(block, s_x, 128, x + 128, 128);
    cg::memcpy_async(block, s_x + 128, x, 512);
    cg::wait_prior<0>(block);
    EXPECT(s_x[threadIdx.x] == ((int)threadIdx.x + 128) % 256);
    if (threadIdx.x < 64)
    {
        __pipeline_memcpy_async(&s_y[threadIdx.x], (const int4 *)x + threadIdx.x, sizeof(int4));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    EXPECT(s_y[threadIdx.x / 4].y == (int)threadIdx.x / 4 * 4 + 1);
}

int main()
{
    whole_block<<<2, dim3(4, 4, 3)>>>();
    report("thread_block, grid_group");
    tiles<<<2, 64>>>();
    report("thread_block_tile, reduce, scan");
    any_group<<<2, 128>>>();
    report("thread_group, tiled_partition");
    coalesced<<<2, 32>>>();
    report("coalesced_group, binary_partition, labeled_partition");
    int *d_x, h_x[256];
    for (int i = 0; i < 256; ++i)
    {
        h_x[i] = i;
    }
    cudaMalloc((void **)&d_x, sizeof(h_x));
    cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice);
    copy<<<2, 256>>>(d_x);
    report("memcpy_async, __pipeline_memcpy_async");
    cudaFree(d_x);
    return num_wrong;
}
