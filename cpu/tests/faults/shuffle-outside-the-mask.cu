// Shuffles that read lanes which do not bring a value.
//
// out: 0 cudaSuccess
// env: CUDACPU_LEAKS=
#include "cases.cuh"

__global__ void of_a_lane(int *x)
{
    const int t = threadIdx.x;
    if (t < 8)
    {
        x[t] = __shfl_sync(0xff, t, 20); // OF_A_LANE
    }
}

// case: of_a_lane
// fault: a shuffle reads a lane that its mask does not name, or the block does not have | found with its line
// stderr: kernel of_a_lane, block \(0,0,0\), thread \(0,0,0\), FILE:OF_A_LANE:
// stderr: the shuffle reads lane 20, which the mask 0x000000ff does not name: its value is undefined
CASE(of_a_lane)
{
    of_a_lane<<<1, 32>>>(device_array<int>(32));
}

__global__ void butterfly(int *x)
{
    int sum = threadIdx.x;
    for (int bit = 16; bit > 0; bit /= 2)
    {
        sum += __shfl_xor_sync(0xffffffff, sum, bit); // BUTTERFLY
    }
    x[threadIdx.x] = sum;
}

// case: butterfly
// stderr: kernel butterfly, block \(0,0,0\), thread \(4,0,0\), FILE:BUTTERFLY:
// stderr: the shuffle reads lane 20, which the block does not have: its value is undefined
CASE(butterfly)
{
    butterfly<<<1, 20>>>(device_array<int>(20));
}

__global__ void lowest(int *x)
{
    const int sum = threadIdx.x + __shfl_down_sync(0xffffffff, threadIdx.x, 16); // LOWEST
    x[threadIdx.x] = sum;
}

// case: lowest
// stderr: kernel lowest, block \(0,0,0\), thread \(0,0,0\), FILE:LOWEST:
// stderr: the shuffle reads lane 16, which the block does not have: its value is undefined
CASE(lowest)
{
    lowest<<<1, 16>>>(device_array<int>(16));
}

__global__ void upper(int *x)
{
    const int sum = threadIdx.x + __shfl_down_sync(0xffffffff, threadIdx.x, 16);
    x[threadIdx.x] = sum; // of lane 4 and those above, too
}

// case: upper
// fault: the same by `__shfl_down_sync`, if the reader is not the lowest lane; or by `__shfl_up_sync`, if it is not the highest. Sums read such values and do not use them | not found
CASE(upper)
{
    upper<<<1, 20>>>(device_array<int>(20));
}
