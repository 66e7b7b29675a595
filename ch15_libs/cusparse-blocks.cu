// cusparse-blocks: a sparse matrix times a vector, hundreds of rows in a block, beside cuSPARSE
//
// From:    S2, sparse matrices and Example 6.21 (its Poisson matrix); beyond the book
// Order:   after cusparse-spmv
// Compile: nvcc -O3 cusparse-blocks.cu -lcusparse
// Run:     ./a.out -n 4096x4096
// Libs:    -lcusparse
//
// cusparse-spmv.cu gives a row of a matrix in CSR to a thread or to a warp. Here a block goes
// through the elements of many rows. The matrices are the same, and so is --random.

#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "check_cusparse.cuh"
#include "cusparse_product.cuh"
#include "sparse.cuh"

const int BLOCK_SIZE = 256;

static Matrix A;                    // on the host
static int M;                       // rows of A, as the kernels count them
static int row_grid;                // a thread for each row
static real *h_x, *h_y, *d_x, *d_y; // y is A x
static double *reference;           // A x, computed without A
static int *d_offsets, *d_columns;  // A on the device
static real *d_values;
static cusparseHandle_t handle;
static Product csr1; // A x by the library

// CSR, a thread for each row. It adds in a register, so no atomicAdd is needed. But the elements of
// one row lie side by side, so the threads of a warp read elements that lie a row's length apart.
__global__ void spmv_csr_scalar(const int *offsets, const int *columns, const real *values,
                                const real *x, real *y, int M)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M)
    {
        real sum = 0.0;
        for (int n = offsets[row]; n < offsets[row + 1]; ++n)
        {
            sum += values[n] * x[columns[n]];
        }
        y[row] = sum;
    }
}

void run_csr_scalar(void)
{
    spmv_csr_scalar<<<row_grid, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
}

// CSR, a block for 256 rows. The elements of these rows lie side by side. The block goes through
// them without regard to rows, a chunk at a time: neighbouring threads multiply neighbouring
// elements, and the products go to shared memory. Then each thread adds those products of the chunk
// that belong to its row. A row may begin in one chunk and end in a later one.
const int CHUNK = 2048; // products in shared memory

__global__ void spmv_csr_staged(const int *offsets, const int *columns, const real *values,
                                const real *x, real *y, int M)
{
    __shared__ real s_products[CHUNK];
    const int tid = threadIdx.x;
    const int first_row = blockIdx.x * BLOCK_SIZE;
    const int row = first_row + tid;
    const int block_end = offsets[min(first_row + BLOCK_SIZE, M)];
    const int begin = offsets[min(row, M)], end = offsets[min(row + 1, M)];

    real sum = 0.0;
    for (int chunk = offsets[first_row]; chunk < block_end; chunk += CHUNK)
    {
        const int chunk_end = min(chunk + CHUNK, block_end);
        for (int n = chunk + tid; n < chunk_end; n += BLOCK_SIZE)
        {
            s_products[n - chunk] = values[n] * x[columns[n]];
        }
        __syncthreads();

        for (int n = max(begin, chunk); n < min(end, chunk_end); ++n)
        {
            sum += s_products[n - chunk];
        }
        __syncthreads(); // the next chunk overwrites these products
    }

    if (row < M)
    {
        y[row] = sum;
    }
}

void run_csr_staged(void)
{
    spmv_csr_staged<<<row_grid, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
}

// A product needs loads that wait for each other: a column first, then the element of x. This
// version makes the waiting shorter. A thread loads ten columns and ten values before it needs the
// first of them, then ten elements of x. Threads past the end of the chunk take column 0 and value
// 0, so the loads of x need no `if`. __ldcs says that an element of the matrix is needed only once:
// the caches then keep x instead. A block does 512 rows, so it waits for its offsets less often.
const int BATCH = 10; // 10 * 256 = 2560 products: 5 for each of 512 rows
const int BATCHED_ROWS = 2 * BLOCK_SIZE;
const int BATCHED_CHUNK = BATCH * BLOCK_SIZE;

__global__ void spmv_csr_batched(const int *__restrict__ offsets, const int *__restrict__ columns,
                                 const real *__restrict__ values, const real *__restrict__ x,
                                 real *__restrict__ y, int M)
{
    __shared__ real s_products[BATCHED_CHUNK];
    const int tid = threadIdx.x;
    const int first_row = blockIdx.x * BATCHED_ROWS;
    const int row1 = first_row + tid, row2 = row1 + BLOCK_SIZE;
    const int block_end = offsets[min(first_row + BATCHED_ROWS, M)];
    const int begin1 = offsets[min(row1, M)], end1 = offsets[min(row1 + 1, M)];
    const int begin2 = offsets[min(row2, M)], end2 = offsets[min(row2 + 1, M)];

    real sum1 = 0.0, sum2 = 0.0;
    for (int chunk = offsets[first_row]; chunk < block_end; chunk += BATCHED_CHUNK)
    {
        const int chunk_end = min(chunk + BATCHED_CHUNK, block_end);
        int column[BATCH];
        real value[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; ++i)
        {
            const int n = chunk + i * BLOCK_SIZE + tid;
            column[i] = n < chunk_end ? __ldcs(&columns[n]) : 0;
            value[i] = n < chunk_end ? __ldcs(&values[n]) : (real)0.0;
        }
#pragma unroll
        for (int i = 0; i < BATCH; ++i)
        {
            s_products[i * BLOCK_SIZE + tid] = value[i] * x[column[i]];
        }
        __syncthreads();

        for (int n = max(begin1, chunk); n < min(end1, chunk_end); ++n)
        {
            sum1 += s_products[n - chunk];
        }
        for (int n = max(begin2, chunk); n < min(end2, chunk_end); ++n)
        {
            sum2 += s_products[n - chunk];
        }
        __syncthreads();
    }

    if (row1 < M)
    {
        y[row1] = sum1;
    }
    if (row2 < M)
    {
        y[row2] = sum2;
    }
}

void run_csr_batched(void)
{
    const int grid_size = (M + BATCHED_ROWS - 1) / BATCHED_ROWS;
    spmv_csr_batched<<<grid_size, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
}

void run_csr1(void) { compute_product(&csr1); }

void check_product(void)
{
    check_elements(g_row, h_y, reference, M);
    g_error = largest_error(h_y, reference, M);
}

const Version VERSIONS[] = {
    {"csr-scalar", "CSR: one thread for each row", run_csr_scalar, check_product},
    {"csr-staged", "CSR: 256 rows' products go through shared memory; a thread adds those of a row",
     run_csr_staged, check_product},
    {"csr-batched", "the same for 512 rows; each thread has twenty loads under way",
     run_csr_batched, check_product, ON_DEVICE, NULL, NULL, false,
     "a little faster: more loads under way"},
    {"cusparse-csr1", "CSR: the library, CUSPARSE_SPMV_CSR_ALG1", run_csr1, check_product,
     BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// A matrix of either kind, x, and A x. The numbers are small integers, so all products and sums are
// exact, in whatever order they are added.
void make_data(bool is_random, size_t rows, size_t columns)
{
    A = new_matrix(is_random, rows, columns, args.seed);
    M = (int)A.M;
    row_grid = (M + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const size_t offset_bytes = (A.M + 1) * sizeof(int), index_bytes = A.nnz * sizeof(int);
    const size_t value_bytes = A.nnz * sizeof(real), x_bytes = A.N * sizeof(real);
    h_x = (real *)malloc(x_bytes);
    h_y = (real *)malloc(A.M * sizeof(real));
    reference = (double *)malloc(A.M * sizeof(double));
    fill_integers(h_x, A.N, args.seed);
    multiply_without_matrix(is_random, h_x, reference, rows, columns, args.seed);
    CHECK(cudaMalloc(&d_offsets, offset_bytes));
    CHECK(cudaMalloc(&d_columns, index_bytes));
    CHECK(cudaMalloc(&d_values, value_bytes));
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, A.M * sizeof(real)));
    CHECK(cudaMemcpy(d_offsets, A.offsets, offset_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_columns, A.columns, index_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, A.values, value_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, h_x, x_bytes, cudaMemcpyHostToDevice));
    cusparseSpMatDescr_t csr;
    CHECK_CUSPARSE(cusparseCreateCsr(&csr, A.M, A.N, A.nnz, d_offsets, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, REAL_TYPE));
    csr1 = prepare_product(handle, csr, d_x, d_y, CUSPARSE_SPMV_CSR_ALG1);
}

void free_data(void)
{
    free_product(&csr1);
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_columns));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free_matrix(&A);
    free(h_x);
    free(h_y);
    free(reference);
}

// Matrices with empty rows and a full one.
void check_random_matrix(void)
{
    make_data(true, 1003, 5171);
    Table table = {};
    table.outputs[0] = {h_y, d_y, M * sizeof(real)};
    check_versions(&table, VERSIONS, NUM_VERSIONS);
    free_data();
}

int main(int argc, char **argv)
{
    args.M = args.N = default_size(4096, 64);
    bool is_random = false;
    add_versions(VERSIONS, NUM_VERSIONS);
    add_flag("random", &is_random, "a random matrix of M rows and N columns");
    parse_args(
        argc, argv, "-n MxN -r R -s S -k NAME --csv --random",
        "cusparse-blocks: a sparse matrix times a vector, hundreds of rows in a block, beside "
        "cuSPARSE");
    // Refuses a size before anything is printed.
    count_elements(is_random, args.M, args.N, args.seed, 1);

    CHECK_CUSPARSE(cusparseCreate(&handle));
    check_random_matrix();

    make_data(is_random, args.M, args.N);
    Table table = {};
    table.outputs[0] = {h_y, d_y, M * sizeof(real)};
    table.what = is_random ? "CSR, random matrix" : "CSR, Poisson matrix";
    table.bytes = bytes_of_csr(&A);
    table.ceiling = copy_ceiling(table.bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    free_data();
    CHECK_CUSPARSE(cusparseDestroy(handle));
    return verdict();
}
