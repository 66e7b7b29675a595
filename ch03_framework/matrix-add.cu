// matrix-add: a 2-D grid over a matrix of any shape, and why x must run along the row
//
// From:    S1 3.2; S3 matrix addition
// Compile: nvcc -O3 matrix-add.cu
// Run:     ./a.out -n 5001x4999 -b 32x8
//
// A matrix of M rows and N columns lies in memory row after row: element (row, column) is number
// row * N + column. Both kernels below are right. But the 32 threads of a warp are neighbours in
// x. If x is the column, they use neighbouring elements. If x is the row, as in S1 and S3, their
// elements are a whole row apart. Memory is divided into lines of 128 bytes, so the program counts
// the lines that a warp needs.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"

const size_t LINE_BYTES = 128;
const size_t MAX_GRID_Y = 65535; // blocks in y; in x a grid may have 2^31 - 1

void add_reference(const double *a, const double *b, double *c, size_t M, size_t N)
{
    for (size_t row = 0; row < M; ++row)
    {
        for (size_t column = 0; column < N; ++column)
        {
            c[row * N + column] = a[row * N + column] + b[row * N + column];
        }
    }
}

// The number of the thread at place (x, y) of the whole grid. Threads are counted block after
// block, and in a block row after row. In this order, each 32 threads of a block are a warp.
unsigned int thread_number_reference(size_t x, size_t y, dim3 grid, dim3 block)
{
    const size_t block_number = y / block.y * grid.x + x / block.x;
    return block_number * block.x * block.y + y % block.y * block.x + x % block.x;
}

__device__ unsigned int thread_number()
{
    const unsigned int block_number = gridDim.x * blockIdx.y + blockIdx.x;
    return block_number * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
}

// Each thread stores its sum, and its own number beside it.
__global__ void add_x_along_row(const double *a, const double *b, double *c, unsigned int *worker,
                                size_t M, size_t N)
{
    const size_t column = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t row = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N) // a column beyond N would be an element of the next row
    {
        c[row * N + column] = a[row * N + column] + b[row * N + column];
        worker[row * N + column] = thread_number();
    }
}

__global__ void add_x_down_column(const double *a, const double *b, double *c, unsigned int *worker,
                                  size_t M, size_t N)
{
    const size_t row = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t column = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        c[row * N + column] = a[row * N + column] + b[row * N + column];
        worker[row * N + column] = thread_number();
    }
}

// Counts the lines of memory that hold the elements of the grid's first warp.
void report_first_warp(const char *mapping, const unsigned int *worker, size_t num_elements)
{
    size_t elements = 0, lines = 0, last_line = SIZE_MAX;
    for (size_t n = 0; n < num_elements; ++n)
    {
        if (worker[n] < 32)
        {
            const size_t line = n * sizeof(double) / LINE_BYTES;
            ++elements;
            lines += line != last_line;
            last_line = line;
        }
    }
    printf(said("%-18s  the first warp adds %2zu elements, in lines of %zu bytes: %2zu\n"), mapping,
           elements, LINE_BYTES, lines);
}

// The results of a kernel, on the device and on the host.
struct Results
{
    size_t M, N;
    double *h_c, *d_c;
    unsigned int *h_worker, *d_worker;
    const double *reference;
};

// Wrong numbers on both sides: nothing may be left of the other kernel's results.
void poison_results(const Results *results)
{
    const size_t num_elements = results->M * results->N;
    const size_t bytes = num_elements * sizeof(double);
    const size_t worker_bytes = num_elements * sizeof(unsigned int);
    poison(results->h_c, bytes);
    poison(results->h_worker, worker_bytes);
    cudaMemcpy(results->d_c, results->h_c, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(results->d_worker, results->h_worker, worker_bytes, cudaMemcpyHostToDevice);
}

// Copies the results to the host. Each sum must be right, and its own thread must have added it.
void check_results(const Results *results, bool x_along_row, dim3 grid, dim3 block)
{
    const size_t N = results->N, num_elements = results->M * N;
    cudaMemcpy(results->h_c, results->d_c, num_elements * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(results->h_worker, results->d_worker, num_elements * sizeof(unsigned int),
               cudaMemcpyDeviceToHost);
    end_if_failed(cudaGetLastError());
    check_elements("c", results->h_c, results->reference, num_elements);
    size_t wrong = 0;
    for (size_t n = 0; n < num_elements; ++n)
    {
        const size_t x = x_along_row ? n % N : n / N, y = x_along_row ? n / N : n % N;
        wrong += results->h_worker[n] != thread_number_reference(x, y, grid, block);
    }
    check_true("every element was added by its own thread", wrong == 0);
}

int main(int argc, char **argv)
{
    args.M = default_size(5001, 1001);
    args.N = default_size(4999, 999);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 3 * sizeof(double) + sizeof(unsigned int);
    args.bytes_on_host = 4 * sizeof(double) + sizeof(unsigned int);
    parse_args(argc, argv, "-n MxN -b BXxBY -s S",
               "matrix-add: a 2-D grid over a matrix of any shape, and why x must run along the "
               "row");
    const size_t M = args.M, N = args.N;
    const size_t bytes = M * N * sizeof(double), worker_bytes = M * N * sizeof(unsigned int);
    if (((M > N ? M : N) - 1) / args.block_y >= MAX_GRID_Y)
    {
        usage_error("%zux%zu needs more than %zu blocks in y: take a higher block, as -b 1x1024", M,
                    N, MAX_GRID_Y);
    }

    double *h_a = (double *)malloc(bytes);
    double *h_b = (double *)malloc(bytes);
    double *h_c = (double *)malloc(bytes);
    double *reference = (double *)malloc(bytes);
    unsigned int *h_worker = (unsigned int *)malloc(worker_bytes);
    fill_random(h_a, M * N, args.seed);
    fill_random(h_b, M * N, args.seed + 1);
    add_reference(h_a, h_b, reference, M, N);

    double *d_a, *d_b, *d_c;
    unsigned int *d_worker;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMalloc(&d_worker, worker_bytes);
    cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice);

    const Results results = {M, N, h_c, d_c, h_worker, d_worker, reference};
    const dim3 block(args.block_x, args.block_y);
    printf(said("a matrix of %zu rows and %zu columns, blocks of %u x %u threads\n"), M, N, block.x,
           block.y);

    poison_results(&results);
    const dim3 row_grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    add_x_along_row<<<row_grid, block>>>(d_a, d_b, d_c, d_worker, M, N);
    check_results(&results, true, row_grid, block);
    report_first_warp("x along the row:", h_worker, M * N);

    poison_results(&results);
    const dim3 column_grid((M + block.x - 1) / block.x, (N + block.y - 1) / block.y);
    add_x_down_column<<<column_grid, block>>>(d_a, d_b, d_c, d_worker, M, N);
    check_results(&results, false, column_grid, block);
    report_first_warp("x down the column:", h_worker, M * N);

    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    cudaFree(d_worker);
    free(h_a);
    free(h_b);
    free(h_c);
    free(reference);
    free(h_worker);
    return verdict();
}
