// hello4: every thread says which block and which thread it is, and blocks come in any order
//
// From:    Listing 2.4, section 2.3.2
// Compile: nvcc hello4.cu
// Run:     ./a.out
//
// Blocks are independent: whichever gets a free multiprocessor first prints first. Run it a few
// times; no program may count on the order, not even where it never seems to change.

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
    return cudaDeviceSynchronize();
}
