// static: device variables that no cudaMalloc made, which the host reaches by their names
//
// From:    Listing 6.1, section 6.2.1, file static.cu
// Compile: nvcc -O3 static.cu
// Run:     ./a.out
//
// A variable declared `__device__` outside all functions lies in global memory for as long as the
// program runs. Every kernel of the file can use it without a parameter. The host cannot use it
// directly: the host knows only its name (its symbol). By this name the host copies to the variable
// and from it. The program symbols shows what else the host can do with a symbol.

#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"

__device__ int d_x = 1; // gets its value when the program is loaded
__device__ int d_y[2];  // zeros

// Listing 6.1. The kernel has no parameter, and still reads d_x and writes d_y.
__global__ void my_kernel(void)
{
    d_y[0] += d_x;
    d_y[1] += d_x;
    printf("d_x = %d, d_y[0] = %d, d_y[1] = %d.\n", d_x, d_y[0], d_y[1]);
}

int main(int argc, char **argv)
{
    parse_args(argc, argv, "",
               "static: device variables that no cudaMalloc made, which the host reaches by their "
               "names");

    int h_y[2] = {10, 20};
    CHECK(cudaMemcpyToSymbol(d_y, h_y, sizeof(int) * 2));

    my_kernel<<<1, 1>>>();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());

    poison(h_y, sizeof(h_y));
    CHECK(cudaMemcpyFromSymbol(h_y, d_y, sizeof(int) * 2));
    printf("h_y[0] = %d, h_y[1] = %d.\n", h_y[0], h_y[1]);
    check_true("the kernel added d_x to both elements of d_y", h_y[0] == 11 && h_y[1] == 21);
    return verdict();
}
