// Fault: blocks wait for each other, and there are more blocks than run at once.
// Found: found with its line
// Prints: kernel meet, block (
// Prints: grid-barrier-by-hand.cu:LINE:
// Prints: hang: this thread goes round in a loop, and what it waits for does not come
// Environment: CUDACPU_THREADS=2
// Status: 6
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
