// One thread waits in a loop for what another does after a barrier that needs the first.
//
// stderr: kernel wait_before_barrier, block \(0,0,0\)
// stderr: FILE:(SPIN|BARRIER)\b
// stderr: hang: this thread goes round in a loop
// out: the launch timed out and was terminated
#include <cstdio>

__global__ void wait_before_barrier(volatile int *flag)
{
    if (threadIdx.x == 0)
    {
        while (*flag == 0) // SPIN
        {
        }
    }
    __syncthreads(); // BARRIER
    *flag = 1;
}

int main()
{
    int *d_flag;
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_flag, 0, sizeof(int));
    wait_before_barrier<<<1, 64>>>(d_flag);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
