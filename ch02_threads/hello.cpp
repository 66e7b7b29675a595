// hello: the smallest C++ program, to see what CUDA adds to it
//
// From:    Listing 2.1, section 2.1
// Compile: g++ hello.cpp
// Run:     ./a.out

#include <stdio.h>

int main(void)
{
    printf("Hello World!\n");
    fflush(stdout);
    return ferror(stdout) ? 2 : 0; // 2: the text could not be written
}
