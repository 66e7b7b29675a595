// Fault: the program ends while its kernel still goes round in a loop.
// Found: no error
// Prints: the host has ended
// Status: 0
#include <cstdio>

__global__ void wait(const volatile int *flag)
{
    while (*flag == 0)
    {
    }
}

int main()
{
    int *d_flag;
    cudaMalloc(&d_flag, sizeof(int));
    cudaMemset(d_flag, 0, sizeof(int));
    wait<<<4, 64>>>(d_flag);
    fprintf(stderr, "the host has ended\n");
    return 0;
}
