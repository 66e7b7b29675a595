// check2kernel: a launch returns nothing, so ask for the last error: a block of 1280 threads
//
// From:    Listing 4.4, section 4.1.2; S3 error handling
// Compile: nvcc -O3 check2kernel.cu
// Run:     ./a.out
// Expect:  3 (no block may have 1280 threads, and CHECK after the launch ends the program)
//
// A launch can fail in two ways. A bad configuration is refused at once: cudaGetLastError right
// after the launch returns code 9, cudaErrorInvalidConfiguration (the runtime of CUDA 13.0 returns
// 1, "invalid argument"). An error while the kernel runs shows later, at the next call that waits
// for the kernel. That call may be far from the launch.
//
// With CUDA_LAUNCH_BLOCKING=1 in the environment each launch waits for its kernel, so
// cudaGetLastError right after the launch reports both. Nothing can then overlap with a kernel, so
// this setting is for debugging only.

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
    args.N = 1000000; // enough for a program whose kernel never starts
    args.bytes_per_element = 3 * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(argc, argv, "-n N -s S",
               "check2kernel: a launch returns nothing, so ask for the last error: a block of 1280 "
               "threads");
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
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    const int block_size = 1280; // wrong on purpose: the most is 1024
    const int grid_size = (N + block_size - 1) / block_size;
    add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    CHECK(cudaGetLastError());      // was the launch accepted?
    CHECK(cudaDeviceSynchronize()); // did the kernel run to its end?

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
