// fault: a block keeps a lock; 1024 threads of another one try for it, with pauses | found with its line
// stderr: kernel take, block \(1,0,0\), thread \(
// stderr: FILE:HERE:
// stderr: hang: this thread goes round in a loop
// stderr: cudaErrorLaunchTimeout
// out: ...
// status: 6
#include <cstdio>

__global__ void take(int *lock)
{
    if (blockIdx.x == 0)
    {
        *lock = 1;
        return;
    }
    while (atomicCAS(lock, 0, 1) != 0) // HERE
    {
        __nanosleep(100);
    }
    atomicExch(lock, 0);
}

int main()
{
    int *d_lock;
    cudaMalloc(&d_lock, sizeof(int));
    cudaMemset(d_lock, 0, sizeof(int));
    take<<<2, 1024>>>(d_lock);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
