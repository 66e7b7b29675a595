// CUDACPU_TIMEOUT ends a block that waits for a later one; without it the checker has a limit of its own.
#include <cstdio>

__global__ void wait(volatile int *flags)
{
    if (blockIdx.x == 0)
    {
        while (flags[1] == 0) // fault:endless
        {
        }
    }
    else
    {
        flags[1] = 1;
    }
}

int main()
{
    int *x;
    cudaMalloc(&x, 400);
    cudaMemset(x, 0, 400);
    wait<<<2, 1>>>(x);
    printf("%d\n", cudaDeviceSynchronize());
    // says: kernel wait, block (0,0,0), thread (0,0,0), endless.cu:8
    return 0;
}
