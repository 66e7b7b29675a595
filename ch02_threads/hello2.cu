// hello2: the first kernel, run by one thread, and why the host has to wait for it
//
// From:    Listing 2.2, sections 2.2.2 and 2.4; S3 "Hello GPU"
// Compile: nvcc hello2.cu
// Run:     ./a.out
//
// A launch only hands the kernel to the device and returns at once. The text that the kernel
// prints goes into a buffer on the device. The buffer is emptied when the host synchronizes.

#include <stdio.h>

__global__ void hello_from_gpu() { printf("Hello World from the GPU!\n"); }

int main(void)
{
    hello_from_gpu<<<1, 1>>>();
    const int status = cudaDeviceSynchronize(); // without this call nothing is printed
    fflush(stdout);
    return ferror(stdout) ? 2 : status; // 2: the text could not be written
}
