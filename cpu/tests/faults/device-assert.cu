// assert() in a kernel prints one line, CUDA's own, for each thread that fails, and is error 710.
//
// stderr: FILE:ASSERT: .*check.*: block: \[1,0,0\], thread: \[7,0,0\] Assertion `x\[i\] != 15` failed\.
// out: device-side assert triggered
#include <cassert>
#include <cstdio>

__global__ void check(const int *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(x[i] != 15); // ASSERT
}

int main()
{
    int *d_x, x[16];
    for (int n = 0; n < 16; ++n)
    {
        x[n] = n;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    check<<<2, 8>>>(d_x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
