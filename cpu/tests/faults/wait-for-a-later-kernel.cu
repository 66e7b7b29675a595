// fault: a kernel waits for one that is behind it in the queue; a GPU may run both at once | found with its line
// stderr: kernel wait, block \(0,0,0\), thread \(0,0,0\), FILE:HERE:
// stderr: hang: this thread goes round in a loop
// stderr: cudaErrorLaunchTimeout
// out: ...
// status: 6
#include <cstdio>

__global__ void wait(const volatile int *flag)
{
    while (*flag == 0) // HERE
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
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_flag, 0, sizeof(int));
    wait<<<1, 1, 0, first>>>(d_flag);
    set<<<1, 1, 0, second>>>(d_flag);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
