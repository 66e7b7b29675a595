// What the conformance programs share: checks in a kernel and on the host, and the lines they end in.
#ifndef EXPECT_CUH
#define EXPECT_CUH
#include <stdio.h>

static int num_wrong;

// --- on the host -----------------------------------------------------------------------------------

static inline void check(const char *what, bool right)
{
    printf("%s: %s\n", what, right ? "ok" : "WRONG");
    fflush(stdout); // a program that dies has said how far it came
    num_wrong += !right;
}

// Whether a call returned the error, which is then forgotten.
static inline bool is_error(cudaError_t got, cudaError_t wanted)
{
    if (got != wanted)
    {
        printf("  got %s, wanted %s\n", cudaGetErrorName(got), cudaGetErrorName(wanted));
    }
    return got == wanted && cudaGetLastError() == wanted && cudaGetLastError() == cudaSuccess;
}

// --- in a kernel -----------------------------------------------------------------------------------

static __device__ int first_wrong_line;

// Notes the first line whose condition does not hold.
#define EXPECT(condition) expect(condition, __LINE__)
static inline __device__ void expect(bool condition, int line)
{
    if (!condition)
    {
        atomicCAS(&first_wrong_line, 0, line);
    }
}

// After the kernels of one subject: "name: ok", or what is wrong.
static inline void report(const char *name)
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
