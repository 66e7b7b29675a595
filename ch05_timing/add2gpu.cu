// add2gpu: the time of a kernel, the bandwidth it comes to, and how much of a copy's that is
//
// From:    section 5.1.2, Table 5.1, file add2gpu.cu
// Compile: nvcc -O3 add2gpu.cu
// Run:     ./a.out -n 100000000
//
// An addition moves 12 bytes (double: 24) for one operation, so the memory decides how long the
// kernel takes. The arithmetic does not. So the bandwidth is compared with that of a copy of the
// same number of bytes on the same device. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "add2gpu_fast.cuh"

static size_t N;
static unsigned int grid_size, block_size;
static real *h_x, *h_y, *h_z; // z = x + y
static real *d_x, *d_y, *d_z;
static double *reference; // what z should be

void add_reference(const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (double)x[n] + (double)y[n];
    }
}

void add_on_host(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

void run_cpu(void) { add_on_host(h_x, h_y, h_z, N); }

__global__ void add(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

void run_scalar(void) { add<<<grid_size, block_size>>>(d_x, d_y, d_z, N); }

// ---- Beyond the book: the kernels are in add2gpu_fast.cuh.

void run_vector(void) { launch_vector<1>(d_x, d_y, d_z, N, block_size); }
void run_vector2(void) { launch_vector<2>(d_x, d_y, d_z, N, block_size); }
void run_vector4(void) { launch_vector<4>(d_x, d_y, d_z, N, block_size); }
void run_stream(void) { launch_stream(d_x, d_y, d_z, N, block_size); }

// ---- The table

void check_sums(void)
{
    check_elements(g_row, h_z, reference, N, REAL_EPSILON / 2);
    g_error = largest_error(h_z, reference, N);
}

const Version VERSIONS[] = {
    {"cpu", "the function of add1cpu", run_cpu, check_sums, ON_HOST},
    {"scalar", "one element a thread: the book's kernel", run_scalar, check_sums},
    {"vector", "16 bytes a thread in one access", run_vector, check_sums, ON_DEVICE, NULL, "",
     false, "faster: 16 bytes a load"},
    {"vector2", "two such vectors a thread, both asked for before either is awaited", run_vector2,
     check_sums},
    {"vector4", "four vectors a thread", run_vector4, check_sums},
    {"stream", "vector, telling the caches that nothing will be used again", run_stream,
     check_sums},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 1 << 19);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -b B -r R -s S -k NAME --csv",
               "add2gpu: the time of a kernel, the bandwidth it comes to, and how much of a copy's "
               "that is");
    N = args.N;
    block_size = args.block_x;
    grid_size = (N + block_size - 1) / block_size;

    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_z = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.outputs[0] = {h_z, d_z, bytes};
    table.bytes = 3.0 * bytes; // two read, one written
    table.ceiling = copy_ceiling(3 * bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
