// Fault: one lane waits for its warp, the other lanes wait for the block.
// Found: found with its line
// Prints: kernel wait, block (0,0,0), thread (7,0,0), barrier-against-warp-barrier.cu:LINE:
// Prints: for the lanes 0xffffffff, which never come together; thread 0 waits at __syncthreads
// Prints: cudaErrorLaunchTimeout
// Status: 6
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
