// The kernel of nbody.cu's versions `coarsened` and `split`. It needs Body, attract, TILE and
// read_body, which stand in nbody.cu.
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
