// fault: none: 1200 host threads, one after the other, each with a kernel that waits for a flag | no fault, and let go on
// stderr: 1200 kernels
// out: ...
#include <cstdio>
#include <thread>

// Thread 0 waits for thread 1. So the turn must be taken away from thread 0, for each of the hosts.
__global__ void meet(volatile int *flag)
{
    while (threadIdx.x == 0 && *flag == 0)
    {
    }
    *flag = 1;
}

int main()
{
    int *d_flag, num_right = 0;
    cudaMalloc(&d_flag, sizeof(int));
    const auto host = [&]
    {
        cudaMemset(d_flag, 0, sizeof(int));
        meet<<<1, 2>>>(d_flag);
        num_right += cudaDeviceSynchronize() == cudaSuccess;
    };
    for (int n = 0; n < 1200; ++n)
    {
        std::thread(host).join();
    }
    cudaFree(d_flag);
    fprintf(stderr, "%d kernels\n", num_right);
    return 0;
}
