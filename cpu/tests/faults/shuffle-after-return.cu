// fault: half of the lanes return, and the others read their values by a shuffle | found with its line
// stderr: kernel shuffle, block \(0,0,0\), thread \(0,0,0\), FILE:HERE:
// stderr: the shuffle reads lane 1, which has returned: its value is undefined
// out: ...
#include <cstdio>

__global__ void shuffle(int *x)
{
    if (threadIdx.x % 2 == 1)
    {
        return;
    }
    x[threadIdx.x] = __shfl_down_sync(0xffffffff, threadIdx.x, 1); // HERE
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 32 * sizeof(int));
    shuffle<<<1, 32>>>(d_x);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
