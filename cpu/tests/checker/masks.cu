// Masks of exchanges between lanes, and barriers in branches. Marks as in checker.t.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

// The upper half does not come, and its values are asked for.
__global__ void half(int *y)
{
    int value = threadIdx.x;
    if (threadIdx.x < 16)
    {
        value += __shfl_xor_sync(0xffffffff, value, 16); // mask:half
    }
    y[threadIdx.x] = value;
}

__global__ void half_right(int *y)
{
    int value = threadIdx.x;
    if (threadIdx.x < 16)
    {
        value += __shfl_down_sync(0xffff, value, 8);
    }
    y[threadIdx.x] = value;
}

__global__ void not_named(int *y)
{
    y[threadIdx.x] = __shfl_sync(0xffff, (int)threadIdx.x, 0); // mask:named
}

__global__ void odd_width(int *y)
{
    y[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 0, 24); // mask:width
}

__global__ void active(int *y, const int *x)
{
    int sum = 0;
    if (x[threadIdx.x] > 4)
    {
        const unsigned mask = __activemask();
        sum = __reduce_add_sync(mask, x[threadIdx.x]); // active-mask:branch
    }
    y[threadIdx.x] = sum;
}

// All lanes are there; a ballot names the lanes; a group of coalesced threads.
__global__ void active_right(int *y, const int *x)
{
    int sum = __reduce_add_sync(__activemask(), x[threadIdx.x]);
    const bool wanted = threadIdx.x % 7 < 4;
    const unsigned mask = __ballot_sync(__activemask(), wanted);
    if (wanted)
    {
        sum += __reduce_add_sync(mask, x[threadIdx.x]);
        const cg::coalesced_group group = cg::coalesced_threads();
        sum += group.shfl(x[threadIdx.x], 0) + __popc(__activemask());
    }
    y[threadIdx.x] = sum;
}

__global__ void two_barriers(int *y)
{
    if (threadIdx.x < 32)
    {
        __syncthreads(); // barrier:two
    }
    else
    {
        __syncthreads(); // barrier:two
    }
    y[threadIdx.x] = 0;
}

__global__ void fill(int *x)
{
    x[threadIdx.x] = threadIdx.x % 10;
}

int main()
{
    int *x, *y;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    fill<<<1, 64>>>(x);
    half<<<1, 32>>>(y);
    half_right<<<1, 32>>>(y);
    not_named<<<1, 32>>>(y);
    odd_width<<<1, 32>>>(y);
    active<<<1, 64>>>(y, x);
    active_right<<<1, 50>>>(y, x);
    two_barriers<<<1, 64>>>(y);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
