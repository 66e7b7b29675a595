// fault: each thread goes through a loop with a barrier another number of times | found with its line
// env: CUDACPU_STRICT=1
// stderr: kernel loop, block \(0,0,0\), thread \(1,0,0\), FILE:HERE:
// stderr: 1 of the block's 64 threads returned without reaching this __syncthreads
// stderr: cudaErrorLaunchFailure
// out: ...
// status: 6
#include <cstdio>

__global__ void loop(int *x)
{
    for (unsigned i = 0; i < threadIdx.x; ++i)
    {
        x[threadIdx.x] += i;
        __syncthreads(); // HERE
    }
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    cudaMemset(d_x, 0, 64 * sizeof(int));
    loop<<<1, 64>>>(d_x);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
