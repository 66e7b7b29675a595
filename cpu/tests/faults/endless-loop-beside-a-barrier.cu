// fault: one thread waits for a flag that no thread sets, the others wait for it at a barrier | found with its line
// stderr: kernel wait, block \(0,0,0\), thread \(3,0,0\), FILE:HERE:
// stderr: hang: this thread goes round in a loop, and what it waits for does not come
// out: ...
// status: 6
#include <cstdio>

__global__ void wait(volatile int *flag)
{
    if (threadIdx.x == 3)
    {
        while (*flag == 0) // HERE
        {
        }
    }
    __syncthreads();
}

int main()
{
    int *d_flag;
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_flag, 0, sizeof(int));
    wait<<<1, 256>>>(d_flag);
    return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 6 : 0;
}
