// hello3: two blocks of four threads run the same kernel, so its one line is printed eight times
//
// From:    Listing 2.3, sections 2.3 and 2.3.1
// Compile: nvcc hello3.cu
// Run:     ./a.out

#include <stdio.h>

__global__ void hello_from_gpu() { printf("Hello World from the GPU!\n"); }

int main(void)
{
    hello_from_gpu<<<2, 4>>>(); // grid size: 2 blocks; block size: 4 threads
    const int status = cudaDeviceSynchronize();
    fflush(stdout);
    return ferror(stdout) ? 2 : status;
}
