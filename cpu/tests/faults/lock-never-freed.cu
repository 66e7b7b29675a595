// A lock that its first owner keeps: everybody else tries for ever.
//
// stderr: kernel take_lock, block \(\d,0,0\), thread \(\d+,0,0\), FILE:SPIN\b
// stderr: hang: this thread goes round in a loop
// out: the launch timed out and was terminated
#include <cstdio>

__global__ void take_lock(int *lock, int *count)
{
    while (atomicCAS(lock, 0, 1) != 0) // SPIN
    {
    }
    *count += 1; // and no atomicExch(lock, 0)
}

int main()
{
    int *d_lock;
    cudaMalloc(&d_lock, 2 * sizeof(int));
    cudaMemset(d_lock, 0, 2 * sizeof(int));
    take_lock<<<2, 32>>>(d_lock, d_lock + 1);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
