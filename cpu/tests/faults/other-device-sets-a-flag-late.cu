// fault: none: a kernel of one device waits for a kernel that the other one runs 3 s later | no fault, and let go on
// env: CUDACPU_DEVICES=2
// stderr: the kernel has seen the flag
// out: ...
#include <cstdio>
#include <unistd.h>

__global__ void wait(const volatile int *flag)
{
    while (*flag == 0)
    {
    }
}

__global__ void set(volatile int *flag)
{
    *flag = 1;
}

int main()
{
    int *d_flag;
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_flag, 0, sizeof(int));
    wait<<<1, 32>>>(d_flag);
    sleep(3);
    cudaSetDevice(1);
    cudaDeviceEnablePeerAccess(0, 0);
    set<<<1, 1>>>(d_flag);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", error == cudaSuccess ? "the kernel has seen the flag" : "an error");
    return error;
}
