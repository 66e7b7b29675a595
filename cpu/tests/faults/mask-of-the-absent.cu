// A mask of all lanes in a branch that some lanes have left for good.
//
// stderr: kernel shuffle, block \(0,0,0\), thread \(\d+,0,0\), FILE:SHUFFLE:
// stderr: the mask 0xffffffff names lanes that returned or never existed: 0xffff0000
// out: no error
#include <cstdio>

__global__ void shuffle(int *x)
{
    if (threadIdx.x >= 16)
    {
        return;
    }
    x[threadIdx.x] = __shfl_xor_sync(0xffffffff, threadIdx.x, 1); // SHUFFLE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    shuffle<<<1, 32>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
