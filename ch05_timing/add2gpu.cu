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
#include "../common/versions_data.cuh"
#include "add2gpu_fast.cuh"

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

__global__ void add(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// What the versions work on.
struct Data
{
    size_t N;
    unsigned int grid_size, block_size;
    const real *h_x, *h_y, *d_x, *d_y;
    real *h_z, *d_z;
    const double *reference;
};

void check_sums(Table<Data> *table, const Data *data)
{
    check_elements(table->checking, data->h_z, data->reference, data->N, REAL_EPSILON / 2);
    table->error = largest_error(data->h_z, data->reference, data->N);
}

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "the function of add1cpu", ON_HOST,
     [](D d) { add_on_host(d->h_x, d->h_y, d->h_z, d->N); }, check_sums},
    {"scalar", "one element a thread: the book's kernel", ON_DEVICE,
     [](D d) { add<<<d->grid_size, d->block_size>>>(d->d_x, d->d_y, d->d_z, d->N); }, check_sums},
    {"vector", "16 bytes a thread in one access", ON_DEVICE,
     [](D d) { launch_vector<1>(d->d_x, d->d_y, d->d_z, d->N, d->block_size); }, check_sums},
    {"vector2", "two such vectors a thread, both asked for before either is awaited", ON_DEVICE,
     [](D d) { launch_vector<2>(d->d_x, d->d_y, d->d_z, d->N, d->block_size); }, check_sums},
    {"vector4", "four vectors a thread", ON_DEVICE,
     [](D d) { launch_vector<4>(d->d_x, d->d_y, d->d_z, d->N, d->block_size); }, check_sums},
    {"stream", "vector, telling the caches that nothing will be used again", ON_DEVICE,
     [](D d) { launch_stream(d->d_x, d->d_y, d->d_z, d->N, d->block_size); }, check_sums},
};

int main(int argc, char **argv)
{
    args.N = default_size(100000000);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -b B -r R -s S -k NAME --csv",
               "add2gpu: the time of a kernel, the bandwidth it comes to, and how much of a copy's "
               "that is");
    const size_t N = args.N, bytes = N * sizeof(real);
    const unsigned int block_size = args.block_x;
    const unsigned int grid_size = (N + block_size - 1) / block_size;

    real *h_x = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    real *h_z = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);
    real *d_x, *d_y, *d_z;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    Data data = {N, grid_size, block_size, h_x, h_y, d_x, d_y, h_z, d_z, reference};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_z, d_z, bytes};
    table.bytes = 3.0 * bytes; // two read, one written
    table.ceiling = copy_ceiling;
    run_versions(&table, VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
