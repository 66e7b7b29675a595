// grid-stride: one grid for any N: each thread strides through the array by the whole grid
//
// From:    S3 grid-stride loop
// Compile: nvcc -O3 grid-stride.cu
// Run:     ./a.out -n 100000000
//
// So far N decided the size of the grid. Here the device decides: the grid has enough threads to
// keep it busy. Each thread adds element n, then the one that lies a whole grid further on, and so
// on to the end. The same grid is launched twice: for an N that is smaller than the grid, and for
// the N that was asked for. Every thread reports how many elements it added.

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

// The condition of the loop does the work of the `if`, too. In every turn neighbouring threads add
// neighbouring elements, and memory is fast for that (chapter 7). If each thread had a piece of
// the array for itself, the sums would be right as well, but slower.
__global__ void add_grid_stride(const double *x, const double *y, double *z, size_t N,
                                unsigned int *share)
{
    const size_t thread = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t threads = (size_t)blockDim.x * gridDim.x;
    unsigned int added = 0;
    for (size_t n = thread; n < N; n += threads)
    {
        z[n] = x[n] + y[n];
        ++added;
    }
    share[thread] = added;
}

// A multiprocessor runs at most 2048 threads at a time. The grid has that many for each.
int size_of_grid(int block_size)
{
    const int threads_per_multiprocessor = 2048;
    int multiprocessors = 0;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    const int grid_size = multiprocessors * ((threads_per_multiprocessor - 1) / block_size + 1);
    printf(said("%d multiprocessors: %d blocks of %d threads for any N\n"), multiprocessors,
           grid_size, block_size);
    return grid_size;
}

// Of N elements, the first threads have one more than the others, if N is no multiple of `threads`.
void check_shares(const unsigned int *share, size_t threads, size_t N)
{
    size_t wrong = 0;
    for (size_t thread = 0; thread < threads; ++thread)
    {
        wrong += share[thread] != N / threads + (thread < N % threads);
    }
    check_true("every thread added its share", wrong == 0);
    printf(said("N = %9zu: the first thread added %u elements, the last %u\n"), N, share[0],
           share[threads - 1]);
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000);
    args.bytes_per_element = 3 * sizeof(double);
    args.bytes_on_host = 4 * sizeof(double);
    parse_args(
        argc, argv, "-n N -b B -s S",
        "grid-stride: one grid for any N: each thread strides through the array by the whole "
        "grid");
    const size_t bytes = args.N * sizeof(double);
    const int block_size = args.block_x;
    const int grid_size = size_of_grid(block_size);
    const size_t threads = (size_t)grid_size * block_size;
    const size_t share_bytes = threads * sizeof(unsigned int);

    double *h_x = (double *)malloc(bytes);
    double *h_y = (double *)malloc(bytes);
    double *h_z = (double *)malloc(bytes);
    double *reference = (double *)malloc(bytes);
    unsigned int *h_share = (unsigned int *)malloc(share_bytes);
    fill_random(h_x, args.N, args.seed);
    fill_random(h_y, args.N, args.seed + 1);
    add_reference(h_x, h_y, reference, args.N);

    double *d_x, *d_y, *d_z;
    unsigned int *d_share;
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMalloc(&d_z, bytes);
    cudaMalloc(&d_share, share_bytes);
    cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice);

    const size_t few = args.N < threads / 2 ? args.N : threads / 2;
    check_true("the first N leaves threads without an element", few < threads);
    const size_t sizes[2] = {few, args.N};
    for (size_t N : sizes)
    {
        // Wrong numbers on both sides: a missing thread or copy must not leave the last results.
        poison(h_z, bytes);
        poison(h_share, share_bytes);
        cudaMemcpy(d_z, h_z, bytes, cudaMemcpyHostToDevice);
        cudaMemcpy(d_share, h_share, share_bytes, cudaMemcpyHostToDevice);

        add_grid_stride<<<grid_size, block_size>>>(d_x, d_y, d_z, N, d_share);

        cudaMemcpy(h_z, d_z, N * sizeof(double), cudaMemcpyDeviceToHost);
        cudaMemcpy(h_share, d_share, share_bytes, cudaMemcpyDeviceToHost);
        end_if_failed(cudaGetLastError());
        check_elements("z", h_z, reference, N);
        check_shares(h_share, threads, N);
    }

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    cudaFree(d_share);
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    free(h_share);
    return verdict();
}
