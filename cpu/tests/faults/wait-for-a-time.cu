// fault: none: the kernel waits until a clock has got far enough, which takes 3 s | no fault, and let go on
// stderr: the time has come
// out: ...
#include <cstdio>

// The clock is looked at in steps of a second, so that the numbers seldom change.
__device__ __noinline__ int seconds(long long ticks_per_second)
{
    return (int)(clock64() / ticks_per_second);
}

__global__ void wait(long long ticks_per_second, int *last)
{
    const int start = seconds(ticks_per_second);
    while (seconds(ticks_per_second) < start + 4)
    {
    }
    *last = 1;
}

int main()
{
    int *d_last, last = 0, khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
    cudaMalloc(&d_last, sizeof(int));
    wait<<<1, 1>>>(1000ll * khz, d_last);
    const cudaError_t error = cudaMemcpy(&last, d_last, sizeof(int), cudaMemcpyDeviceToHost);
    fprintf(stderr, "%s\n", last == 1 ? "the time has come" : cudaGetErrorName(error));
    return error;
}
