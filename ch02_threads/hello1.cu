// hello1: the same program as a .cu file: every C++ program is a CUDA program
//
// From:    Sections 2.2 and 2.2.1
// Compile: nvcc hello1.cu
// Run:     ./a.out
//
// nvcc compiles the code for the device itself and passes the rest to the C++ compiler. This
// program has no code for the device, so it needs no GPU.

#include <stdio.h>

int main(void)
{
    printf("Hello World!\n");
    fflush(stdout);
    return ferror(stdout) ? 2 : 0; // 2: the text could not be written
}
