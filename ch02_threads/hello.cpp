// hello: the smallest C++ program, to see what CUDA adds to it
//
// From:    Listing 2.1, section 2.1
// Compile: g++ hello.cpp
// Run:     ./a.out
// Chinese: 最小的 C++ 程序，用来和后面的 CUDA 程序比较

#include <stdio.h>

int main(void)
{
    printf("Hello World!\n");
    fflush(stdout);
    return ferror(stdout) ? 2 : 0; // 2: the text could not be written
}
