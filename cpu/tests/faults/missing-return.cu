// fault: a device function ends without the return of its value | found with the line of the function, error 719
// stderr: kernel classify, block \(0,0,0\), thread \(3,0,0\), FILE:FUNCTION:
// stderr: a function ends without the return of its value
// out: 719 cudaErrorLaunchFailure
// env: CUDACPU_LEAKS=
#include <cstdio>

__device__ __noinline__ int class_of(int x) // FUNCTION
{
    if (x < 3)
    {
        return 1;
    }
    if (x > 3)
    {
        return 2;
    }
}

__global__ void classify(int *classes)
{
    classes[threadIdx.x] = class_of(threadIdx.x);
}

int main()
{
    int *d_classes;
    cudaMalloc(&d_classes, 32 * sizeof(int));
    classify<<<1, 32>>>(d_classes);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s\n", error, cudaGetErrorName(error));
    return 0;
}
