// fault: blocks wait for each other, and there are more blocks than run at once | found with its line
// env: CUDACPU_THREADS=2
// stderr: kernel meet, block \(
// stderr: FILE:HERE:
// stderr: hang: this thread goes round in a loop, and what it waits for does not come
// out: ...
// status: 6
#include <cstdio>

__global__ void meet(int *num_arrived)
{
    if (threadIdx.x == 0)
    {
        atomicAdd(num_arrived, 1);
        while (*(volatile int *)num_arrived < gridDim.x) // HERE
        {
        }
    }
    __syncthreads();
}

int main()
{
    int *d_num_arrived;
    cudaMalloc(&d_num_arrived, sizeof(int));
    cudaMemset(d_num_arrived, 0, sizeof(int));
    meet<<<1000, 64>>>(d_num_arrived);
    return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 6 : 0;
}
