// A structure that is aligned and a constant of the compiler's: it is compiled as it stands.
#include <stdio.h>

struct alignas(16) Quad
{
    int e[4];
};

constexpr Quad FIRST = {{1, 2, 3, 4}};
static_assert(FIRST.e[2] == 3, "a constant");

__global__ void add_first(int *x)
{
    x[threadIdx.x] += FIRST.e[1]; // global load 4: 1 4 4; global store 4: 1 4 4
}

int main()
{
    int *x;
    cudaMalloc((void **)&x, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    add_first<<<1, 32>>>(x);
    int last = 0;
    cudaMemcpy(&last, x + 31, sizeof(last), cudaMemcpyDeviceToHost);
    cudaFree(x);
    return last != 2;
}
