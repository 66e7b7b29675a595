// add2wrong: a wrong copy direction, and how little one sees of it when no status is checked
//
// From:    Section 3.2.3, file add2wrong.cu
// Compile: nvcc -O3 add2wrong.cu
// Run:     ./a.out
// Expect:  1 (wrong on purpose: the inputs never reach the device)
//
// There is no crash and no message. Both copies return an error, which the program ignores. The
// kernel adds the numbers that happen to be in d_x and d_y. Only the comparison finds out.

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
    args.N = default_size(100000000);
    args.bytes_per_element = 3 * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(argc, argv, "-n N -b B -s S",
               "add2wrong: a wrong copy direction, and how little one sees of it when no status is "
               "checked");
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
    cudaMemcpy(d_x, h_x, bytes, cudaMemcpyDeviceToHost); // wrong on purpose: this is HostToDevice
    cudaMemcpy(d_y, h_y, bytes, cudaMemcpyDeviceToHost); // wrong on purpose

    const int block_size = args.block_x;
    const int grid_size = (N + block_size - 1) / block_size;
    add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);

    poison(h_z, bytes);
    cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost);
    check_elements("z", h_z, reference, N);
    print_note("wrong on purpose: x and y were copied in the wrong direction, and no status was "
               "checked; check1api checks\n");

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
