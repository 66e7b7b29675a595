// Blocks larger than a kernel promises.
//
// out: 64 32 1024
// out: 1 cudaErrorInvalidValue
// out: 1 cudaErrorInvalidValue
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
// out: 3
#include "cases.cuh"

// case: all
// fault: a block of more threads than the kernel's `__launch_bounds__` | error of the call
// stderr: CPU backend: FILE:LAUNCH:\n  kernel bounded is not launched: a block of 128 threads; its __launch_bounds__ says that it has 64 at most
// stderr: CPU backend: FILE:IN_TEMPLATE:\n  kernel of_template is not launched: a block of 33 threads; its __launch_bounds__ says that it has 32 at most
const int MOST = 32;
__global__ void __launch_bounds__(2 * MOST, 4) bounded(int *x)
{
    atomicAdd(x, 1);
}

template <int N>
__global__ __launch_bounds__(N) void of_template(int *x)
{
    atomicAdd(x, 1);
}

__launch_bounds__(1024) __global__ void loose(int *x);
__launch_bounds__(1024) __global__ void loose(int *x)
{
    atomicAdd(x, 1);
}

static int most_threads(const void *kernel)
{
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    return attributes.maxThreadsPerBlock;
}

CASE(all)
{
    int *d_x = device_array<int>(1), x = 0;
    printf("%d %d %d\n", most_threads((const void *)bounded),
           most_threads((const void *)of_template<32>), most_threads((const void *)loose));
    bounded<<<1, 128>>>(d_x); // LAUNCH
    say(cudaGetLastError());
    of_template<MOST><<<1, 33>>>(d_x); // IN_TEMPLATE
    say(cudaGetLastError());
    void *arguments[] = {&d_x};
    say(cudaLaunchKernel((const void *)bounded, 1, 65, arguments, 0, NULL));
    cudaGetLastError();
    bounded<<<1, 1>>>(d_x);
    of_template<MOST><<<1, 1>>>(d_x);
    loose<<<1, 1>>>(d_x);
    say(cudaDeviceSynchronize());
    cudaMemcpy(&x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", x);
    cudaFree(d_x);
    exit(0);
}
