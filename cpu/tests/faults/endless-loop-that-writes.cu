// fault: the loop has no end, but it counts: nothing shows that it will never end | spoken of with its line, and ended only by `CUDACPU_TIMEOUT`
// env: CUDACPU_NOTICE=0.5
// env: CUDACPU_TIMEOUT=6
// stderr: kernel count, block \(0,0,0\): has not ended in
// stderr: running, FILE:
// stderr: timeout: this block has run for longer than CUDACPU_TIMEOUT allows
// out: ...
// status: 6
#include <cstdio>

__global__ void count(volatile unsigned long long *counts)
{
    for (;;)
    {
        counts[threadIdx.x]++; // HERE
    }
}

int main()
{
    unsigned long long *d_counts;
    cudaMalloc(&d_counts, 32 * sizeof(*d_counts));
    cudaMemset(d_counts, 0, 32 * sizeof(*d_counts));
    count<<<1, 32>>>(d_counts);
    return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 6 : 0;
}
