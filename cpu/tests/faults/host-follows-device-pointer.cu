// Host code reads device memory without a cudaMemcpy. It dies as it does beside a GPU, but is told.
//
// stderr: host code at FILE:READ: read of address 0x\w+, .*device allocation
// stderr: The host cannot follow a device pointer, .*: copy with cudaMemcpy
// status: SEGV
#include <cstdio>

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    cudaMemset(d_x, 0, 64 * sizeof(int));
    cudaDeviceSynchronize();
    printf("%d\n", d_x[3]); // READ
    return 0;
}
