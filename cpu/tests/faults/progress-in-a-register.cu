// fault: none: the kernel counts in a register for seconds, and reads a flag that never changes | no fault, and let go on
// stderr: counted to 3000000000
// out: ...
#include <cstdio>

__device__ long long count(const volatile int *flag, long long limit)
{
    long long n = 0;
    while (*flag == 0 && n < limit)
    {
        ++n;
    }
    return n;
}

__global__ void wait(const int *flag, long long limit, long long *counted)
{
    *counted = count(flag, limit);
}

int main()
{
    int *d_flag;
    long long *d_counted, counted = 0;
    cudaMalloc(&d_flag, sizeof(int));
    cudaMalloc(&d_counted, sizeof(counted));
    cudaMemset(d_flag, 0, sizeof(int));
    wait<<<1, 1>>>(d_flag, 3000000000, d_counted);
    const cudaError_t error =
        cudaMemcpy(&counted, d_counted, sizeof(counted), cudaMemcpyDeviceToHost);
    fprintf(stderr, "counted to %lld\n", counted);
    return error;
}
