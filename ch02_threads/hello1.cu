// hello1: the same program as a .cu file: every C++ program is a CUDA program
//
// From:    Section 2.2.1
// Compile: nvcc hello1.cu
// Run:     ./a.out
//
// nvcc keeps the device's code for itself and hands the rest to the C++ compiler. Here that is
// all of it, so this program needs no GPU.

#include <stdio.h>

int main(void)
{
    printf("Hello World!\n");
    return 0;
}
