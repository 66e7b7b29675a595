// fault: none: the kernel waits in a loop until the host sets a flag, which takes 3 s | no fault, and let go on
// stderr: the kernel has seen the flag
// out: ...
#include <cstdio>
#include <unistd.h>

__global__ void wait(const volatile int *flag, int *seen)
{
    while (*flag == 0)
    {
    }
    *seen = *flag;
}

int main()
{
    int *flag, *d_seen, seen = 0;
    cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped);
    cudaMalloc(&d_seen, sizeof(int));
    *flag = 0;
    wait<<<1, 1>>>(flag, d_seen);
    cudaStreamQuery(0);
    sleep(3);
    *flag = 7;
    const cudaError_t error = cudaMemcpy(&seen, d_seen, sizeof(int), cudaMemcpyDeviceToHost);
    if (error == cudaSuccess && seen == 7)
    {
        fprintf(stderr, "the kernel has seen the flag\n");
    }
    return error;
}
