// fault: the program ends while its kernel still goes round in a loop | no error
// stderr: the host has ended
// out: ...
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
