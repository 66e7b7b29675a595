// fault: a kernel gives up | found with its line
// stderr: kernel give_up, block \(1,0,0\), thread \(31,0,0\), FILE:HERE:
// stderr: illegal instruction or __trap\(\)
// out: ...
// status: 6
#include <cstdio>

__global__ void give_up()
{
    if (blockIdx.x == 1 && threadIdx.x == 31)
    {
        __trap(); // HERE
    }
}

int main()
{
    give_up<<<2, 32>>>();
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
