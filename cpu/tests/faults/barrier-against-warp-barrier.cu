// fault: one lane waits for its warp, the other lanes wait for the block | found with its line
// stderr: kernel wait, block \(0,0,0\), thread \(7,0,0\), FILE:HERE:
// stderr: for the lanes 0xffffffff, which never come together; thread 0 waits at __syncthreads
// stderr: cudaErrorLaunchTimeout
// out: ...
// status: 6
#include <cstdio>

__global__ void wait()
{
    if (threadIdx.x == 7)
    {
        __syncwarp(); // HERE
    }
    __syncthreads();
}

int main()
{
    wait<<<1, 64>>>();
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 0 : 6;
}
