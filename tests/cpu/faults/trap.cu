// __trap() ends the kernel.
//
// stderr: kernel give_up, block \(0,0,0\), thread \(3,0,0\), FILE:TRAP\b
// out: unspecified launch failure
#include <cstdio>

__global__ void give_up()
{
    if (threadIdx.x == 3)
    {
        __trap(); // TRAP
    }
}

int main()
{
    give_up<<<1, 32>>>();
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
