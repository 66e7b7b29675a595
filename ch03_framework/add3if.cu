// add3if: why a kernel needs its `if` when N is no multiple of the block size
//
// From:    Listing 3.4, section 3.2.6; S4 3.2
// Compile: nvcc -O3 add3if.cu
// Run:     ./a.out -n 100000001
//
// The grid is rounded up to whole blocks, so its last block may have threads beyond the end of
// the arrays. Those threads must do nothing: the memory there is not part of the arrays.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"

void add_reference(const double *x, const double *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

__global__ void add(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(100000001);
    args.bytes_per_element = 3 * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(argc, argv, "-n N -b B -s S",
               "add3if: why a kernel needs its `if` when N is no multiple of the block size");
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
    const int grid_size = (N + block_size - 1) / block_size; // rounded up
    add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);

    poison(h_z, bytes); // fills h_z with wrong numbers, which the copy has to replace
    cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost);
    end_if_failed(cudaGetLastError());
    check_elements("z", h_z, reference, N);

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
