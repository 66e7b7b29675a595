// hello5: a block of two dimensions, where threadIdx.x counts fastest
//
// From:    Listing 2.5, section 2.3.3
// Compile: nvcc hello5.cu
// Run:     ./a.out
//
// The block has 8 threads. A warp has room for 32, so all of them are in one warp, and they print
// together, in the order of their linear index.

#include <stdio.h>

__global__ void hello_from_gpu()
{
    const int bid = blockIdx.x;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    printf("Hello World from block-%d and thread-(%d, %d)!\n", bid, tx, ty);
}

int main(void)
{
    const dim3 block_size(2, 4);
    hello_from_gpu<<<1, block_size>>>();
    const int status = cudaDeviceSynchronize();
    fflush(stdout);
    return ferror(stdout) ? 2 : status;
}
