// hello4: every thread says which block and which thread it is, and blocks come in any order
//
// From:    Listing 2.4, section 2.3.2
// Compile: nvcc hello4.cu
// Run:     ./a.out
//
// Blocks are independent of each other. The block that gets a free multiprocessor first prints
// first. Run the program a few times. No program may rely on the order of its blocks, even if the
// order seems to stay the same.

#include <stdio.h>

__global__ void hello_from_gpu()
{
    const int bid = blockIdx.x;
    const int tid = threadIdx.x;
    printf("Hello World from block %d and thread %d!\n", bid, tid);
}

int main(void)
{
    hello_from_gpu<<<2, 4>>>();
    const int status = cudaDeviceSynchronize();
    fflush(stdout);
    return ferror(stdout) ? 2 : status;
}
