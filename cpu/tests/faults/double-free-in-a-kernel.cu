// fault: memory of `malloc` freed twice in a kernel | found with its line, where the C library sees it; the program ends
// stderr: CPU backend: kernel twice, block \(0,0,0\), thread \(0,0,0\), FILE:SECOND:
// stderr: freed twice
// status: ABRT
#include <cstdlib>

__global__ void twice(volatile int *out)
{
    int *p = (int *)malloc(100);
    int *volatile hidden = p; // compilers see a plain second free
    free(p);
    free(hidden); // SECOND
    out[0] = 1;
}

int main(void)
{
    int *d_out;
    cudaMalloc(&d_out, sizeof(int));
    twice<<<1, 1>>>(d_out);
    return cudaDeviceSynchronize();
}
