// fault: all threads of a block meet at a barrier again and again, for ever | spoken of with its line, and ended only by `CUDACPU_TIMEOUT`
// env: CUDACPU_NOTICE=0.3
// env: CUDACPU_TIMEOUT=6
// stderr: kernel meet, block \(0,0,0\): has not ended in
// stderr: FILE:HERE
// stderr: timeout: this block has run for longer than CUDACPU_TIMEOUT allows
// stderr: cudaErrorLaunchTimeout
// out: ...
// status: 6
#include <cstdio>

__global__ void meet(const volatile int *flag, unsigned long long *counts)
{
    while (*flag == 0)
    {
        counts[threadIdx.x]++;
        __syncthreads(); // HERE
    }
}

int main()
{
    int *d_flag;
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_flag, 0, sizeof(int));
    unsigned long long *d_counts;
    cudaMalloc(&d_counts, 256 * sizeof(*d_counts));
    cudaMemset(d_counts, 0, 256 * sizeof(*d_counts));
    meet<<<1, 256>>>(d_flag, d_counts);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
