// fault: none: a host thread waits for the kernel, and another one sets the flag after 3 s | no fault, and let go on
// stderr: the kernel has seen the flag
// out: ...
#include <cstdio>
#include <thread>
#include <unistd.h>

__global__ void wait(volatile int *flag)
{
    while (threadIdx.x == 0 && *flag == 0)
    {
    }
    __syncthreads();
    flag[threadIdx.x] = 8;
}

int main()
{
    int *flag;
    cudaMallocManaged(&flag, 64 * sizeof(int));
    *flag = 0;
    std::thread setter(
        [flag]
        {
            sleep(3);
            *(volatile int *)flag = 7;
        });
    wait<<<1, 64>>>(flag);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess && flag[63] == 8)
    {
        fprintf(stderr, "the kernel has seen the flag\n");
    }
    setter.join();
    return error;
}
