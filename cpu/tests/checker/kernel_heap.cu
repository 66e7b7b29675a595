// Memory of malloc and new in kernels: never written, left by one byte, used when it is freed.
#include <cstdio>
#include <cstdlib>

__global__ void never_written(int *sum)
{
    int *x = (int *)malloc(8 * sizeof(int));
    x[3] = 1;
    *sum = x[3] + x[4]; // never-written:element
    free(x);
}

__global__ void one_too_far(char *sum, int n)
{
    char *x = new char[n];
    for (int i = 0; i < n; ++i)
    {
        x[i] = i;
    }
    *sum = x[n]; // out-of-bounds:read
    delete[] x;
}

__global__ void used_after_free(int *sum)
{
    int *x = new int(4);
    int *volatile hidden = x;
    delete x;
    *sum = *hidden; // out-of-bounds:freed
}

// The memory of one thread becomes that of another one. That is no race.
__global__ void one_after_the_other(int *sums)
{
    int *x = (int *)malloc(4 * sizeof(int));
    for (int i = 0; i < 4; ++i)
    {
        x[i] = threadIdx.x;
    }
    sums[threadIdx.x] = x[0] + x[3];
    free(x);
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 64 * sizeof(int));
    never_written<<<1, 1>>>(d_x);
    one_too_far<<<1, 1>>>((char *)d_x, 21);
    used_after_free<<<1, 1>>>(d_x);
    one_after_the_other<<<1, 64>>>(d_x);
    cudaDeviceSynchronize();
    cudaFree(d_x);
    return 0;
}
