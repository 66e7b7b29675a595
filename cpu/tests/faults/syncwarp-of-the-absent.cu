// fault: the block has 20 threads, and its mask names 32 lanes | found with its line
// stderr: kernel sync, block \(0,0,0\), thread \(0,0,0\), FILE:HERE:
// stderr: the mask 0xffffffff names lanes that returned or never existed: 0xfff00000
// out: ...
#include <cstdio>

__global__ void sync()
{
    __syncwarp(0xffffffff); // HERE
}

int main()
{
    sync<<<1, 20>>>();
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
