// check1api: a macro around every runtime call catches a wrong copy direction, with its line
//
// From:    Listings 4.1, 4.2 and 4.3, sections 4.1 and 4.1.1; S3 error handling
// Compile: nvcc -O3 check1api.cu
// Run:     ./a.out
// Expect:  3 (the copy to d_x has the wrong direction, and CHECK ends the program there)
//
// This is add2wrong with CHECK around every call. CHECK reports the same mistake with its file and
// line, code 1, cudaErrorInvalidValue and "invalid argument". If both copies are changed to
// cudaMemcpyHostToDevice, the program passes.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"

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
    args.N = 1000000; // enough for a program that gets no further than its first copy
    args.bytes_per_element = 3 * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(argc, argv, "-n N -b B -s S",
               "check1api: a macro around every runtime call catches a wrong copy direction, with "
               "its line");
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
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyDeviceToHost)); // wrong on purpose
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyDeviceToHost)); // never reached

    const int block_size = args.block_x;
    const int grid_size = (N + block_size - 1) / block_size;
    add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);

    poison(h_z, bytes);
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements("z", h_z, reference, N);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
