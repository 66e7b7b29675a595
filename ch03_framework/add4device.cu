// add4device: functions that a kernel calls: three ways to return a result, and where they live
//
// From:    Listing 3.5, sections 3.3.1 and 3.3.2
// Compile: nvcc -O3 add4device.cu
// Run:     ./a.out -n 100000001
// Checks:  7
//
// A kernel is called by the host with <<<...>>>; a __device__ function is called by a kernel, as
// any C function is. The kernel calls all six forms side by side, each into a row of its own.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"

// Compiled twice, once for each side: the reference and the kernel call the same source.
__host__ __device__ double add_anywhere(double x, double y)
{
    return x + y;
}

void add_reference(const double *x, const double *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = add_anywhere(x[n], y[n]);
    }
}

__device__ double add_by_value(double x, double y)
{
    return x + y;
}

__device__ void add_by_pointer(double x, double y, double *z)
{
    *z = x + y;
}

__device__ void add_by_reference(double x, double y, double &z)
{
    z = x + y;
}

// Left alone, the compiler copies functions this small into their caller, so that all forms cost
// the same. It can be asked not to (a real call, with its registers saved), or told to.
__device__ __noinline__ double add_called(double x, double y)
{
    return x + y;
}

__device__ __forceinline__ double add_inlined(double x, double y)
{
    return x + y;
}

enum
{
    BY_VALUE,
    BY_POINTER,
    BY_REFERENCE,
    CALLED,
    INLINED,
    ANYWHERE,
    NUM_FORMS
};
const char *const form_names[NUM_FORMS] = {
    "by value",     "by pointer",      "by reference",
    "__noinline__", "__forceinline__", "__host__ __device__",
};

// z has NUM_FORMS rows of N elements.
__global__ void add_all_forms(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[BY_VALUE * N + n] = add_by_value(x[n], y[n]);
        add_by_pointer(x[n], y[n], &z[BY_POINTER * N + n]);
        add_by_reference(x[n], y[n], z[BY_REFERENCE * N + n]); // looks like by value, changes z
        z[CALLED * N + n] = add_called(x[n], y[n]);
        z[INLINED * N + n] = add_inlined(x[n], y[n]);
        z[ANYWHERE * N + n] = add_anywhere(x[n], y[n]);
    }
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000001);
    args.bytes_per_element = (2 + NUM_FORMS) * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(
        &args, argc, argv, "-n N -b B -s S",
        "add4device: functions that a kernel calls: three ways to return a result, and where "
        "they live");
    const size_t N = args.N;
    const size_t bytes = N * sizeof(double);

    double *h_x = (double *)malloc(bytes);
    double *h_y = (double *)malloc(bytes);
    double *h_z = (double *)malloc(bytes);
    double *reference = (double *)malloc(bytes);
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);

    double *d_x, *d_y, *d_z;
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMalloc(&d_z, NUM_FORMS * bytes);
    cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice);

    const int block_size = args.block_x;
    const int grid_size = (N + block_size - 1) / block_size;
    add_all_forms<<<grid_size, block_size>>>(d_x, d_y, d_z, N);

    for (int form = 0; form < NUM_FORMS; ++form)
    {
        poison(h_z, bytes);
        cudaMemcpy(h_z, d_z + form * N, bytes, cudaMemcpyDeviceToHost);
        check_elements(form_names[form], h_z, reference, N);
    }
    check_true("the last CUDA status", cudaGetLastError() == cudaSuccess);

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
