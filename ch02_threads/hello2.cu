// hello2: the first kernel, run by one thread, and why the host has to wait for it
//
// From:    Listing 2.2, section 2.2.2; S3 "Hello GPU"
// Compile: nvcc hello2.cu
// Run:     ./a.out
//
// A launch only hands the kernel to the device and returns at once. What the kernel prints
// collects in a buffer on the device, and comes out when the host synchronizes.

#include <stdio.h>

__global__ void hello_from_gpu()
{
    printf("Hello World from the GPU!\n");
}

int main(void)
{
    hello_from_gpu<<<1, 1>>>();
    return cudaDeviceSynchronize(); // take this call away and nothing is printed
}
