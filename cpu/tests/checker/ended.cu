// Errors that end a kernel, each of which the runtime reports by itself: the checker counts them.
#include <cassert>
#include <cstdio>

__global__ void wrong_assert(const int *x)
{
    assert(x[threadIdx.x] == 1); // fault:assert
}

__global__ void freed_twice(int *x)
{
    int *p = (int *)malloc(2 * sizeof(int));
    p[0] = x[0];
    x[1] = p[0];
    free(p);
    free(p); // fault:twice
}

// The upper half of the warp waits at the barrier of the block, the lower half for the upper one.
__global__ void crossed(int *x)
{
    if (threadIdx.x < 16)
    {
        __syncwarp(); // fault:crossed
    }
    __syncthreads();
    x[threadIdx.x] = 0;
}

static int *fresh()
{
    int *x;
    cudaDeviceReset();
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    return x;
}

int main()
{
    wrong_assert<<<1, 1>>>(fresh());
    printf("%d\n", cudaDeviceSynchronize());
    freed_twice<<<1, 1>>>(fresh());
    printf("%d\n", cudaDeviceSynchronize());
    crossed<<<1, 32>>>(fresh());
    printf("%d\n", cudaDeviceSynchronize());
    // says: the checker has found 3 errors and 0 notes
    return 0;
}
