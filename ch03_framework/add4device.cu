// add4device: functions that a kernel calls: three ways to return a result, and where they live
//
// From:    Listing 3.5, sections 3.3, 3.3.1 and 3.3.2
// Compile: nvcc -O3 add4device.cu
// Run:     ./a.out -n 100000001
//
// The host calls a kernel, with <<<...>>>. A kernel calls a __device__ function, as any C function
// calls another. The first three kernels are the book's. The next two ask the compiler to keep
// the call or to avoid it. The last one calls a function that the host calls, too.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"

// Compiled twice, once for the host and once for the device.
__host__ __device__ double sum_anywhere(double x, double y) { return x + y; }

void add_reference(const double *x, const double *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = sum_anywhere(x[n], y[n]);
    }
}

// Version 1 (in the book add1_device, called by add1): the result is the value that the function
// returns. Only a kernel must return void.
__device__ double sum_by_value(double x, double y) { return x + y; }

__global__ void add_by_value(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = sum_by_value(x[n], y[n]);
    }
}

// Version 2 (add2_device): the function gets a pointer to where the result belongs.
__device__ void sum_by_pointer(double x, double y, double *z) { *z = x + y; }

__global__ void add_by_pointer(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        sum_by_pointer(x[n], y[n], &z[n]);
    }
}

// Version 3 (add3_device): the function gets a reference. The call looks as if z[n] were passed by
// value, but the function changes z[n].
__device__ void sum_by_reference(double x, double y, double &z) { z = x + y; }

__global__ void add_by_reference(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        sum_by_reference(x[n], y[n], z[n]);
    }
}

// The compiler copies functions as small as these into the kernel, so all versions cost the same.
// __noinline__ asks for a real call: the thread keeps the return address, jumps and comes back.
__device__ __noinline__ double sum_called(double x, double y) { return x + y; }

__global__ void add_called(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = sum_called(x[n], y[n]);
    }
}

// __forceinline__ asks for the copy, however large the function is.
__device__ __forceinline__ double sum_inlined(double x, double y) { return x + y; }

__global__ void add_inlined(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = sum_inlined(x[n], y[n]);
    }
}

// Here kernel and reference share one function. Their sums agree even if that function is wrong:
// the other five kernels show that it is right.
__global__ void add_anywhere(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = sum_anywhere(x[n], y[n]);
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(100000001);
    args.bytes_per_element = 3 * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(
        argc, argv, "-n N -b B -s S",
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
    cudaMalloc(&d_z, bytes);
    cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice);

    const int block_size = args.block_x;
    const int grid_size = (N + block_size - 1) / block_size;

    // Copies z back, checks it, and spoils it on the device: the next kernel has to write it anew.
    const auto check_z = [&](const char *what)
    {
        poison(h_z, bytes);
        cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost);
        end_if_failed(cudaGetLastError());
        check_elements(what, h_z, reference, N);
        cudaMemset(d_z, POISON_BYTE, bytes);
    };
    cudaMemset(d_z, POISON_BYTE, bytes);

    add_by_value<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    check_z("by value");
    add_by_pointer<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    check_z("by pointer");
    add_by_reference<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    check_z("by reference");
    add_called<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    check_z("__noinline__");
    add_inlined<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    check_z("__forceinline__");
    add_anywhere<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    check_z("__host__ __device__");

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
