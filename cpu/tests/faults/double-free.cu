// cudaFree twice: CUDA says only "invalid argument".
//
// stderr: cudaFree.*freed before|freed before
// out: no error
// out: invalid argument
#include <cstdio>

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 4);
    puts(cudaGetErrorString(cudaFree(d_x)));
    puts(cudaGetErrorString(cudaFree(d_x)));
    return 0;
}
