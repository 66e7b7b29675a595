// fault: the width of a shuffle is no power of 2 | found with its line
// stderr: kernel shuffle, block \(0,0,0\), thread \(0,0,0\), FILE:SHUFFLE:
// stderr: the width of the shuffle, 24, is no power of 2 from 1 to 32
// out: no error
#include <cstdio>

__global__ void shuffle(int *x)
{
    x[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 0, 24); // SHUFFLE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    shuffle<<<1, 32>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
