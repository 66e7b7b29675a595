// The last steps of reduce.cu: vector, single and polled, and CUB.
#pragma once
#include "fold.cuh"
#include "launch.cuh"
#include "reduce_problem.cuh"
#if ON_GPU
#include <cub/device/device_reduce.cuh>
#endif

// A block's sum, in its thread 0; this thread's part is y. By shuffles alone, for a block of 1024:
// a round in each warp, one barrier, and a round for the 32 sums of the warps.
__device__ real block_sum(real y)
{
    return fold_block(y, blockDim.x, Plus());
}

// Few threads that add up much each, in registers, with four loads of 16 bytes under way.
__global__ void __launch_bounds__(1024) reduce_vector(const real *d_x, real *d_y, size_t N)
{
    const real y = block_sum(fold_vectors<4>((real)0.0, d_x, N, Plus(), Same()));
    if (threadIdx.x == 0)
    {
        d_y[blockIdx.x] = y;
    }
}

// Removes the second launch: whoever draws the last ticket knows that all sums have been written.
__global__ void __launch_bounds__(1024)
    reduce_single(const real *d_x, real *d_y, unsigned int *d_ticket, real *d_sum, size_t N)
{
    __shared__ bool s_last;
    real y = block_sum(fold_vectors<4>((real)0.0, d_x, N, Plus(), Same()));
    if (threadIdx.x == 0)
    {
        d_y[blockIdx.x] = y;
        __threadfence(); // whoever sees the ticket drawn sees the sum
        s_last = atomicInc(d_ticket, gridDim.x - 1) == gridDim.x - 1; // after the last comes 0
        __threadfence();
    }
    __syncthreads();
    if (s_last)
    {
        y = 0.0;
        for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        {
            y += __ldcg(&d_y[i]); // from L2, where the other blocks' sums are
        }
        y = block_sum(y);
        if (threadIdx.x == 0)
        {
            *d_sum = y;
        }
    }
}

// Removes the ticket, which makes three trips to L2 one after the other: a sum and its flag travel
// together. And the next call is set up while this one runs.
template <int COUNT>
__global__ void __launch_bounds__(1024)
    reduce_polled(const real *d_x, Slot<real> *d_slots, real *d_sum, size_t N)
{
    take_turn();
    real y = block_sum(fold_vectors<COUNT>((real)0.0, d_x, N, Plus(), Same()));
    y = fold_grid(y, d_slots, Plus());
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0)
    {
        *d_sum = y;
    }
}

// Threads that take `count` vectors of 16 bytes at a time: as many as N keeps busy, at most four
// blocks of 1024 for each processor.
inline int few_blocks(Problem *p, int block_size, int count)
{
    const size_t in_block = (size_t)block_size * count * (16 / sizeof(real));
    const size_t enough = (p->N + in_block - 1) / in_block, most = 4 * p->processors;
    const int grid_size = std::min(enough, most);
    p->chain = 1.0 * count * p->N / in_block / grid_size + 1.0 * grid_size / block_size + 40;
    return grid_size;
}

inline void run_vector(Problem *p)
{
    const int grid_size = few_blocks(p, 1024, 4);
    real *d_y = static_memory();
    reduce_vector<<<grid_size, 1024>>>(p->d_x, d_y, p->N);
    reduce_vector<<<1, 1024>>>(d_y, p->d_sum, grid_size);
}

inline void run_single(Problem *p)
{
    const int grid_size = few_blocks(p, 1024, 4);
    reduce_single<<<grid_size, 1024>>>(p->d_x, static_memory(), p->d_ticket, p->d_sum, p->N);
}

// With little to add, more threads that each ask for less are done sooner: for four numbers each.
inline void run_polled(Problem *p)
{
    const int four = 4 * sizeof(real) / 16;
    const bool little = p->N * sizeof(real) < (16 << 20);
    const int block_size = little ? 512 : 1024;
    launch_early(little ? reduce_polled<four> : reduce_polled<4>,
                 few_blocks(p, block_size, little ? four : 4), block_size, p->stream, p->d_x,
                 p->d_slots, p->d_sum, p->N);
}

#if ON_GPU
// The first call, which is for the largest N, asks how much storage CUB wants.
inline void run_cub(Problem *p)
{
    static void *d_storage = NULL;
    static size_t bytes = 0;
    if (d_storage == NULL)
    {
        CHECK(cub::DeviceReduce::Sum(NULL, bytes, p->d_x, p->d_sum, p->N));
        CHECK(cudaMalloc(&d_storage, bytes));
    }
    CHECK(cub::DeviceReduce::Sum(d_storage, bytes, p->d_x, p->d_sum, p->N, p->stream));
    p->chain = p->N; // how CUB adds is its own affair
}
#endif
