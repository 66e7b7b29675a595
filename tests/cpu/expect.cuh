// What the conformance programs share: a check inside a kernel, and the line it ends in.
#ifndef EXPECT_CUH
#define EXPECT_CUH
#include <stdio.h>

__device__ int first_wrong_line;
static int num_wrong;

// Notes the first line whose condition does not hold.
#define EXPECT(condition) expect(condition, __LINE__)
static __device__ void expect(bool condition, int line)
{
    if (!condition)
    {
        atomicCAS(&first_wrong_line, 0, line);
    }
}

// After the kernels of one subject: "name: ok", or what is wrong.
static void report(const char *name)
{
    int line = 0;
    const int none = 0;
    const cudaError_t error = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&line, first_wrong_line, sizeof(line));
    cudaMemcpyToSymbol(first_wrong_line, &none, sizeof(none));
    if (error != cudaSuccess)
    {
        printf("%s: %s\n", name, cudaGetErrorName(error));
    }
    else if (line != 0)
    {
        printf("%s: wrong at line %d\n", name, line);
    }
    else
    {
        printf("%s: ok\n", name);
    }
    num_wrong += error != cudaSuccess || line != 0;
}

#endif
