// Fault: a kernel gives up.
// Found: found with its line
// Prints: kernel give_up, block (1,0,0), thread (31,0,0), trap.cu:LINE:
// Prints: illegal instruction or __trap()
// Status: 6
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
