// The kernels of nbody.cu's versions `coarsened`, `split` and `balanced`. They need Body, attract,
// TILE and read_body, which stand in nbody.cu.
#pragma once

// OWN: the bodies of a thread. A body that is read from shared memory serves all of them, and as
// many roots are computed at the same time. But then there are fewer blocks, and some
// multiprocessors have one block more than others.
// SHARES: with more than one, a block has fewer bodies. Its threads form groups, and each group
// goes through its share of each tile instead of the whole tile. At the end the sums of the groups
// are added, by way of shared memory.
template <int OWN, int SHARES>
__global__ void accelerate_shared(const Body *bodies, Body *a, size_t N)
{
    const int GROUP = TILE / SHARES; // threads of a group
    __shared__ Body s_tile[TILE];
    const int share = threadIdx.x / GROUP, lane = threadIdx.x % GROUP;
    const size_t i = (size_t)OWN * GROUP * blockIdx.x + lane;
    Body own[OWN], sum[OWN] = {};
    for (int k = 0; k < OWN; ++k)
    {
        own[k] = read_body(bodies, i + k * GROUP, N);
    }
    for (size_t first = 0; first < N; first += TILE)
    {
        s_tile[threadIdx.x] = read_body(bodies, first + threadIdx.x, N);
        __syncthreads();
#pragma unroll 8
        for (int j = share * GROUP; j < (share + 1) * GROUP; ++j)
        {
            const Body source = s_tile[j];
            for (int k = 0; k < OWN; ++k)
            {
                attract(own[k], source, &sum[k]);
            }
        }
        __syncthreads();
    }
    for (int k = 0; k < OWN; ++k)
    {
        s_tile[threadIdx.x] = sum[k];
        __syncthreads();
        for (int other = 1; share == 0 && other < SHARES; ++other)
        {
            const Body part = s_tile[other * GROUP + lane];
            sum[k].x += part.x;
            sum[k].y += part.y;
            sum[k].z += part.z;
        }
        if (share == 0 && i + k * GROUP < N)
        {
            a[i + k * GROUP] = sum[k];
        }
        __syncthreads();
    }
}

const int GROUP = 128; // threads of a block of accelerate_balanced, and bodies of its tiles
const int OWN = 3;     // bodies of a thread

// The work of accelerate_balanced. A step is OWN * GROUP bodies that are attracted by a tile of
// GROUP bodies.
__host__ __device__ size_t steps_of_balanced(size_t N)
{
    return ((N - 1) / (OWN * GROUP) + 1) * ((N - 1) / GROUP + 1);
}

// As many blocks are launched as run at the same time, and each gets the same number of steps, or
// one more. So no multiprocessor waits for another, for any N. Step 0 is the first bodies with the
// first tile, step 1 the same bodies with the second tile. A block that comes to other bodies, or
// to its end, has only a part of the sums. So it adds them to those of other blocks, by atomicAdd
// of chapter 10. This is seldom: with 100000 bodies on an H100 a block has 172 steps.
// A pair has 13 instructions. A load from shared memory serves three pairs, and the loop counts
// once for 24: 13.5 instructions in all. With one body a thread it is 14.2, and a multiprocessor
// needs 16 clocks to hand 16 bytes to each thread of four warps.
__global__ void accelerate_balanced(const Body *bodies, Body *a, size_t N)
{
    __shared__ Body s_tile[GROUP];
    const size_t tiles = (N - 1) / GROUP + 1, steps = steps_of_balanced(N);
    const size_t end = steps * (blockIdx.x + 1) / gridDim.x;
    size_t step = steps * blockIdx.x / gridDim.x;
    while (step < end)
    {
        const size_t first_step = step / tiles * tiles; // of these bodies
        const size_t last = first_step + tiles < end ? first_step + tiles : end;
        const size_t i = step / tiles * OWN * GROUP + threadIdx.x;
        Body own[OWN], sum[OWN] = {};
        for (int k = 0; k < OWN; ++k)
        {
            own[k] = read_body(bodies, i + k * GROUP, N);
        }
        for (; step < last; ++step)
        {
            s_tile[threadIdx.x] = read_body(bodies, (step - first_step) * GROUP + threadIdx.x, N);
            __syncthreads();
#pragma unroll 8
            for (int j = 0; j < GROUP; ++j)
            {
                const Body source = s_tile[j];
                for (int k = 0; k < OWN; ++k)
                {
                    attract(own[k], source, &sum[k]);
                }
            }
            __syncthreads();
        }
        for (int k = 0; k < OWN; ++k)
        {
            if (i + k * GROUP < N)
            {
                atomicAdd(&a[i + k * GROUP].x, sum[k].x);
                atomicAdd(&a[i + k * GROUP].y, sum[k].y);
                atomicAdd(&a[i + k * GROUP].z, sum[k].z);
            }
        }
    }
}

// So many blocks of accelerate_balanced run at the same time on this device.
size_t resident_blocks(void)
{
    int device, multiprocessors, blocks;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, accelerate_balanced, GROUP, 0));
    return (size_t)multiprocessors * blocks;
}
