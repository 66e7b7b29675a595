// The lane that calls is not in its own mask.
//
// stderr: kernel shuffle, block \(0,0,0\), thread \(4,0,0\), FILE:SHUFFLE:
// stderr: the mask 0x0000000f does not name the lane that calls, 4
// out: no error
#include <cstdio>

__global__ void shuffle(int *x)
{
    x[threadIdx.x] = __shfl_sync(0xf, threadIdx.x, 0); // SHUFFLE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    shuffle<<<1, 32>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
