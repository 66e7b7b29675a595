// Fault: the loop has no end, but it counts: nothing shows that it will never end.
// Found: spoken of with its line, and ended only by `CUDACPU_TIMEOUT`
// Prints: kernel count, block (0,0,0): has not ended in
// Prints: running, endless-loop-that-writes.cu:
// Prints: timeout: this block has run for longer than CUDACPU_TIMEOUT allows
// Environment: CUDACPU_NOTICE=0.5 CUDACPU_TIMEOUT=6
// Status: 6
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
