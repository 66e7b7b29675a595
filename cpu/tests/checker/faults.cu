// What the runtime finds has its line in the checker's list, too.
#include <cstdio>

__global__ void far(int *x, long n)
{
    x[n] = 1; // fault:far
}

// One line, because compilers differ in the line that they give to the beginning of a function.
// clang-format off
__global__ void too_large(int *y) { int a[1000000]; for (int i = 0; i < 1000000; ++i) { a[i] = i + y[0]; } y[0] = a[y[1]]; } // fault:large
// clang-format on

int main()
{
    int *x;
    cudaMalloc(&x, 400);
    cudaMemset(x, 0, 400);
    far<<<1, 1>>>(x, 1000000);
    printf("%d\n", cudaDeviceSynchronize());
    cudaDeviceReset();
    cudaMalloc(&x, 400);
    cudaMemset(x, 0, 400);
    too_large<<<1, 1>>>(x);
    printf("%d\n", cudaDeviceSynchronize());
    // says: 1 x fault, reported above: faults.cu:6
    return 0;
}
