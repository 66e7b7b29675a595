// fault: a lane calls __syncwarp with a mask that does not name it | found with its line
// stderr: kernel sync, block \(0,0,0\), thread \(16,0,0\), FILE:HERE:
// stderr: the mask 0x0000ffff does not name the lane that calls, 16
// out: ...
#include <cstdio>

__global__ void sync()
{
    __syncwarp(0xffff); // HERE
}

int main()
{
    sync<<<1, 32>>>();
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
