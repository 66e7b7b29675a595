// fault: two lanes of a warp take two locks, each in another order | found with its line
// stderr: kernel take_both, block \(0,0,0\), thread \(
// stderr: FILE:HERE:
// stderr: hang: this thread goes round in a loop
// stderr: cudaErrorLaunchTimeout
// out: ...
// status: 6
#include <cstdio>

__global__ void take_both(int *locks)
{
    const int first = threadIdx.x, second = 1 - threadIdx.x;
    while (atomicCAS(&locks[first], 0, 1) != 0)
    {
    }
    __syncwarp(3);                               // now each has one
    while (atomicCAS(&locks[second], 0, 1) != 0) // HERE
    {
    }
    atomicExch(&locks[second], 0);
    atomicExch(&locks[first], 0);
}

int main()
{
    int *d_locks;
    cudaMalloc(&d_locks, 2 * sizeof(int));
    cudaMemset(d_locks, 0, 2 * sizeof(int));
    take_both<<<1, 2>>>(d_locks);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
