// units: a program of two files, compiled without -rdc=true.
//
// Conforms to: nvcc's documentation, "Whole Program Compilation": each file's __device__ functions
// and variables and its __constant__ memory are its own, even where another file has the same
// names; kernels and host functions are external, as in any C++ program.
#include <stdio.h>

static __device__ int weight(int x)
{
    return 2 * x;
}

__device__ inline int offset()
{
    return 1;
}

template <class T>
__device__ T scaled(T x)
{
    return 10 * x;
}

__device__ int d_count = 5;
__constant__ int c_table[2] = {1, 2};

static __global__ void mine(int *out)
{
    *out = weight(c_table[1]) + offset() + scaled(d_count);
}

__global__ void theirs(int *out); // in units_b.cu
int run_b(int *d_out);            //
extern "C" int set_b(int count);  //

static int value_at(const int *d_out)
{
    int out = -1;
    cudaMemcpy(&out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    return out;
}

int main()
{
    int *d_out;
    cudaMalloc(&d_out, sizeof(int));
    mine<<<1, 1>>>(d_out);
    const int a = value_at(d_out);
    const int b = run_b(d_out);
    theirs<<<1, 1>>>(d_out);
    const int called = value_at(d_out);
    const int seven = 7;
    cudaMemcpyToSymbol(d_count, &seven, sizeof(seven));
    set_b(8);
    mine<<<1, 1>>>(d_out);
    const int a_after = value_at(d_out);
    theirs<<<1, 1>>>(d_out);
    const int b_after = value_at(d_out);
    cudaFree(d_out);
    printf("this file's own: %s\n", a == 55 && a_after == 75 ? "ok" : "wrong");
    printf("the other file's own: %s\n", b == 690 && b_after == 890 ? "ok" : "wrong");
    printf("a kernel of another file: %s\n", called == b ? "ok" : "wrong");
    return !(a == 55 && a_after == 75 && b == 690 && called == b && b_after == 890);
}
