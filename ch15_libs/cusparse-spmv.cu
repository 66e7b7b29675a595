// cusparse-spmv: a sparse matrix times a vector in the formats COO and CSR, by hand and by cuSPARSE
//
// From:    S2, sparse matrices and Example 6.21 (its Poisson matrix)
// Compile: nvcc -O3 cusparse-spmv.cu -lcusparse
// Run:     ./a.out -n 4096x4096
// Libs:    -lcusparse
//
// cusparse-formats.cu shows the two formats. All versions are first checked with a random matrix
// that has empty rows and one full row. Then they are checked and timed with the 5-point Poisson
// matrix of a grid of M x N points. This matrix has M N rows, and most rows have 5 elements. With
// --random they are timed with a random matrix of M rows and N columns instead. sparse.cuh makes
// both matrices, and cusparse_product.cuh has the calls of the library.
//
// An element costs two operations and at least 8 bytes, so only the bytes count. The tables count
// each array of the format once: values, indices, x and y. COO has more bytes than CSR, so the two
// formats have a table each. The time of coo-atomic contains setting y to 0.

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
const int WARP = 32;
const unsigned FULL_MASK = 0xffffffff;

static Matrix A;                            // on the host
static int M, nnz;                          // rows and elements of A, as the kernels count them
static real *h_x, *h_y, *d_x, *d_y;         // y is A x
static double *reference;                   // A x, computed without A
static int *d_offsets, *d_rows, *d_columns; // A on the device, ...
static real *d_values;                      // ... in both formats
static cusparseHandle_t handle;
static Product coo1, coo2, csr1, csr2; // two algorithms of the library for each format

void multiply_on_host(const Matrix *A, const real *x, real *y)
{
    for (size_t row = 0; row < A->M; ++row)
    {
        real sum = 0.0;
        for (int n = A->offsets[row]; n < A->offsets[row + 1]; ++n)
        {
            sum += A->values[n] * x[A->columns[n]];
        }
        y[row] = sum;
    }
}

void run_cpu(void) { multiply_on_host(&A, h_x, h_y); }

// COO: each element comes with its row and its column. Neighbouring threads read neighbouring
// elements. But the products of a row are in several threads, and only atomicAdd may add them. y
// must be 0 before the launch.
__global__ void spmv_coo_atomic(const int *rows, const int *columns, const real *values,
                                const real *x, real *y, int nnz)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < nnz)
    {
        atomicAdd(&y[rows[n]], values[n] * x[columns[n]]);
    }
}

void run_coo_atomic(void)
{
    const int grid_size = (nnz + BLOCK_SIZE - 1) / BLOCK_SIZE;
    CHECK(cudaMemsetAsync(d_y, 0, M * sizeof(real)));
    spmv_coo_atomic<<<grid_size, BLOCK_SIZE>>>(d_rows, d_columns, d_values, d_x, d_y, nnz);
}

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
    const int grid_size = (M + BLOCK_SIZE - 1) / BLOCK_SIZE;
    spmv_csr_scalar<<<grid_size, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
}

// CSR, a warp for each row. Its lanes read elements side by side. At the end the lanes add up their
// sums by shuffles. With 5 elements in a row, 27 of the 32 lanes have nothing to do.
__global__ void spmv_csr_vector(const int *offsets, const int *columns, const real *values,
                                const real *x, real *y, int M)
{
    const int row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    if (row < M) // the same for all lanes of a warp
    {
        real sum = 0.0;
        for (int n = offsets[row] + lane; n < offsets[row + 1]; n += WARP)
        {
            sum += values[n] * x[columns[n]];
        }
        for (int offset = WARP / 2; offset > 0; offset >>= 1)
        {
            sum += __shfl_down_sync(FULL_MASK, sum, offset);
        }
        if (lane == 0)
        {
            y[row] = sum;
        }
    }
}

void run_csr_vector(void)
{
    const int rows = BLOCK_SIZE / WARP; // of a block
    const int grid_size = (M + rows - 1) / rows;
    spmv_csr_vector<<<grid_size, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
}

// ---- The library ----

void run_coo1(void) { compute_product(&coo1); }
void run_coo2(void) { compute_product(&coo2); }
void run_csr1(void) { compute_product(&csr1); }
void run_csr2(void) { compute_product(&csr2); }

Product prepare_coo(cusparseSpMVAlg_t algorithm)
{
    cusparseSpMatDescr_t coo;
    CHECK_CUSPARSE(cusparseCreateCoo(&coo, A.M, A.N, A.nnz, d_rows, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, REAL_TYPE));
    return prepare_product(handle, coo, d_x, d_y, algorithm);
}

Product prepare_csr(cusparseSpMVAlg_t algorithm)
{
    cusparseSpMatDescr_t csr;
    CHECK_CUSPARSE(cusparseCreateCsr(&csr, A.M, A.N, A.nnz, d_offsets, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, REAL_TYPE));
    return prepare_product(handle, csr, d_x, d_y, algorithm);
}

// ---- The versions ----

void check_product(void)
{
    check_elements(g_row, h_y, reference, M);
    g_error = largest_error(h_y, reference, M);
}

const Version COO_VERSIONS[] = {
    {"coo-atomic", "COO: a thread multiplies one element and adds the product by atomicAdd",
     run_coo_atomic, check_product},
    {"cusparse-coo1", "COO: the library, CUSPARSE_SPMV_COO_ALG1", run_coo1, check_product,
     BY_LIBRARY},
    {"cusparse-coo2", "COO: the library, CUSPARSE_SPMV_COO_ALG2", run_coo2, check_product,
     BY_LIBRARY},
};
const int NUM_COO = sizeof(COO_VERSIONS) / sizeof(COO_VERSIONS[0]);

const Version CSR_VERSIONS[] = {
    {"cpu", "CSR: a loop on the host", run_cpu, check_product, ON_HOST},
    {"csr-scalar", "CSR: one thread for each row", run_csr_scalar, check_product},
    {"csr-vector", "CSR: one warp for each row", run_csr_vector, check_product, ON_DEVICE, NULL,
     NULL, false, "slower: a row has few elements for 32 lanes"},
    {"cusparse-csr1", "CSR: the library, CUSPARSE_SPMV_CSR_ALG1", run_csr1, check_product,
     BY_LIBRARY},
    {"cusparse-csr2", "CSR: the library, CUSPARSE_SPMV_CSR_ALG2", run_csr2, check_product,
     BY_LIBRARY},
};
const int NUM_CSR = sizeof(CSR_VERSIONS) / sizeof(CSR_VERSIONS[0]);

// ---- The data ----

// A matrix of either kind, x, and A x. The numbers are small integers, so all products and sums are
// exact, in whatever order they are added. The library makes the rows of COO from the offsets of
// CSR.
void make_data(bool is_random, size_t rows, size_t columns)
{
    A = new_matrix(is_random, rows, columns, args.seed);
    M = (int)A.M;
    nnz = (int)A.nnz;
    const size_t offset_bytes = (A.M + 1) * sizeof(int), index_bytes = A.nnz * sizeof(int);
    const size_t value_bytes = A.nnz * sizeof(real), x_bytes = A.N * sizeof(real);
    h_x = (real *)malloc(x_bytes);
    h_y = (real *)malloc(A.M * sizeof(real));
    reference = (double *)malloc(A.M * sizeof(double));
    fill_integers(h_x, A.N, args.seed);
    multiply_without_matrix(is_random, h_x, reference, rows, columns, args.seed);
    CHECK(cudaMalloc(&d_offsets, offset_bytes));
    CHECK(cudaMalloc(&d_rows, index_bytes));
    CHECK(cudaMalloc(&d_columns, index_bytes));
    CHECK(cudaMalloc(&d_values, value_bytes));
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, A.M * sizeof(real)));
    CHECK(cudaMemcpy(d_offsets, A.offsets, offset_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_columns, A.columns, index_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, A.values, value_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, h_x, x_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_rows, POISON_BYTE, index_bytes));
    CHECK_CUSPARSE(cusparseXcsr2coo(handle, d_offsets, nnz, M, d_rows, CUSPARSE_INDEX_BASE_ZERO));
    coo1 = prepare_coo(CUSPARSE_SPMV_COO_ALG1);
    coo2 = prepare_coo(CUSPARSE_SPMV_COO_ALG2);
    csr1 = prepare_csr(CUSPARSE_SPMV_CSR_ALG1);
    csr2 = prepare_csr(CUSPARSE_SPMV_CSR_ALG2);
}

void free_data(void)
{
    free_product(&coo1);
    free_product(&coo2);
    free_product(&csr1);
    free_product(&csr2);
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_rows));
    CHECK(cudaFree(d_columns));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free_matrix(&A);
    free(h_x);
    free(h_y);
    free(reference);
}

// ---- The tables ----

double bytes_of_coo(const Matrix *A)
{
    return (double)A->nnz * (sizeof(real) + 2 * sizeof(int)) + ((double)A->N + A->M) * sizeof(real);
}

// Matrices with empty rows and a full one.
void check_random_matrix(void)
{
    make_data(true, 1003, 5171);
    Table table = {};
    table.outputs[0] = {h_y, d_y, M * sizeof(real)};
    check_versions(&table, COO_VERSIONS, NUM_COO);
    check_versions(&table, CSR_VERSIONS, NUM_CSR);
    free_data();
}

int main(int argc, char **argv)
{
    args.M = args.N = default_size(4096, 64);
    bool is_random = false;
    add_versions(COO_VERSIONS, NUM_COO);
    add_versions(CSR_VERSIONS, NUM_CSR);
    add_flag("random", &is_random, "a random matrix of M rows and N columns");
    parse_args(argc, argv, "-n MxN -r R -s S -k NAME --csv --random",
               "cusparse-spmv: a sparse matrix times a vector in the formats COO and CSR, by hand "
               "and by cuSPARSE");
    // Refuses a size before anything is printed.
    count_elements(is_random, args.M, args.N, args.seed, 2);

    CHECK_CUSPARSE(cusparseCreate(&handle));
    check_random_matrix();

    make_data(is_random, args.M, args.N);
    Table coo_table = {}, csr_table = {};
    coo_table.outputs[0] = csr_table.outputs[0] = {h_y, d_y, M * sizeof(real)};
    coo_table.what = is_random ? "COO, random matrix" : "COO, Poisson matrix";
    csr_table.what = is_random ? "CSR, random matrix" : "CSR, Poisson matrix";
    coo_table.bytes = bytes_of_coo(&A);
    csr_table.bytes = bytes_of_csr(&A);
    coo_table.ceiling = copy_ceiling(coo_table.bytes);
    csr_table.ceiling = copy_ceiling(csr_table.bytes);
    print_note("A: %zu x %zu, %zu elements of type %s; bytes: %.4g GB in COO, %.4g GB in CSR\n",
               A.M, A.N, A.nnz, REAL_NAME, coo_table.bytes * 1e-9, csr_table.bytes * 1e-9);
    run_versions(&coo_table, COO_VERSIONS, NUM_COO);
    run_versions(&csr_table, CSR_VERSIONS, NUM_CSR);

    free_data();
    CHECK_CUSPARSE(cusparseDestroy(handle));
    return verdict();
}
