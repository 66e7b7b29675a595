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
// --random they are timed with a random matrix of M rows and N columns instead.
//
// An element costs two operations and at least 8 bytes, so only the bytes count. The tables count
// each array of the format once: values, indices, x and y. COO has more bytes than CSR, so the two
// formats have a table each. The time of coo-atomic contains setting y to 0.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh"
#include "check_cusparse.cuh"

const size_t MAX_ELEMENTS = 2000000000; // an int counts them, with room for a block's excess
const int BLOCK_SIZE = 256;
const int WARP = 32;
const unsigned FULL_MASK = 0xffffffff;

// A matrix in CSR on the host. Row r has the elements from offsets[r] to offsets[r + 1] - 1.
struct Matrix
{
    size_t M, N, nnz; // rows, columns, elements
    int *offsets, *columns;
    real *values;
};

// A product y = A x, ready to be computed: what describes A, x and y, and a workspace.
struct Product
{
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t x, y;
    cusparseSpMVAlg_t algorithm;
    void *workspace;
};

static Matrix A;                            // on the host
static int M, nnz;                          // rows and elements of A, as the kernels count them
static int row_grid;                        // a thread for each row
static real *h_x, *h_y, *d_x, *d_y;         // y is A x
static double *reference;                   // A x, computed without A
static int *d_offsets, *d_rows, *d_columns; // A on the device, ...
static real *d_values;                      // ... in both formats
static cusparseHandle_t handle;
static Product coo1, coo2, csr1, csr2; // two algorithms of the library for each format

// ---- The matrices, and what they give, computed without them ----

// The next element of the row that is being filled.
void append(Matrix *A, size_t column, real value)
{
    A->columns[A->nnz] = (int)column;
    A->values[A->nnz++] = value;
}

size_t count_poisson(size_t rows, size_t columns)
{
    return 5 * rows * columns - 2 * rows - 2 * columns;
}

// The 5-point Poisson matrix: a point has 4 for itself and -1 for each of its neighbours in the
// grid. Along the border there are fewer of them. Point (i, j) has number i * columns + j.
void fill_poisson(Matrix *A, size_t rows, size_t columns)
{
    A->nnz = 0;
    for (size_t i = 0; i < rows; ++i)
    {
        for (size_t j = 0; j < columns; ++j)
        {
            const size_t point = i * columns + j;
            A->offsets[point] = (int)A->nnz;
            if (i > 0)
            {
                append(A, point - columns, -1);
            }
            if (j > 0)
            {
                append(A, point - 1, -1);
            }
            append(A, point, 4);
            if (j + 1 < columns)
            {
                append(A, point + 1, -1);
            }
            if (i + 1 < rows)
            {
                append(A, point + columns, -1);
            }
        }
    }
    A->offsets[rows * columns] = (int)A->nnz;
}

// The same product from the grid, without a matrix: outside the grid there is 0.
void multiply_poisson(const real *x, double *y, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; ++i)
    {
        for (size_t j = 0; j < columns; ++j)
        {
            const real *here = x + i * columns + j;
            const double above = i > 0 ? here[-(ptrdiff_t)columns] : 0.0;
            const double below = i + 1 < rows ? here[columns] : 0.0;
            const double left = j > 0 ? here[-1] : 0.0;
            const double right = j + 1 < columns ? here[1] : 0.0;
            y[i * columns + j] = 4.0 * here[0] - above - below - left - right;
        }
    }
}

// The random matrix: a quarter of the rows is empty, the row in the middle is full, and the others
// have 1 to 24 elements. Each of these three functions gives the same for the same arguments.
size_t random_length(size_t row, size_t M, size_t N, size_t seed)
{
    const size_t most = N < 24 ? N : 24;
    return row == M / 2 ? N : row % 4 == 1 ? 0 : 1 + random_below(seed + 1, row, (uint32_t)most);
}

// Element k is in the k-th of `length` parts of the row. So the columns are in order.
size_t random_column(size_t row, size_t k, size_t length, size_t N, size_t seed)
{
    const size_t begin = k * N / length, end = (k + 1) * N / length;
    return begin + random_below(seed + 2, row * N + k, (uint32_t)(end - begin));
}

real random_value(size_t row, size_t k, size_t N, size_t seed)
{
    return (real)((int)random_below(seed + 3, row * N + k, 17) - 8);
}

size_t count_random(size_t M, size_t N, size_t seed)
{
    size_t nnz = 0;
    for (size_t row = 0; row < M; ++row)
    {
        nnz += random_length(row, M, N, seed);
    }
    return nnz;
}

void fill_random_matrix(Matrix *A, size_t seed)
{
    A->nnz = 0;
    for (size_t row = 0; row < A->M; ++row)
    {
        A->offsets[row] = (int)A->nnz;
        const size_t length = random_length(row, A->M, A->N, seed);
        for (size_t k = 0; k < length; ++k)
        {
            append(A, random_column(row, k, length, A->N, seed), random_value(row, k, A->N, seed));
        }
    }
    A->offsets[A->M] = (int)A->nnz;
}

void multiply_random(const real *x, double *y, size_t M, size_t N, size_t seed)
{
    for (size_t row = 0; row < M; ++row)
    {
        y[row] = 0.0;
        const size_t length = random_length(row, M, N, seed);
        for (size_t k = 0; k < length; ++k)
        {
            y[row] += (double)random_value(row, k, N, seed) *
                      (double)x[random_column(row, k, length, N, seed)];
        }
    }
}

// Ends the program if there is no memory for a matrix with so many rows, columns and elements, x, y
// and what y should be.
void require_arrays(size_t M, size_t N, double elements)
{
    const double vectors = (double)M * (sizeof(int) + sizeof(real)) + (double)N * sizeof(real);
    require_memory(elements * (sizeof(int) + sizeof(real)) + vectors + M * sizeof(double),
                   elements * (2 * sizeof(int) + sizeof(real)) + vectors);
}

// The number of elements, if an int can count them and there is memory for all arrays.
size_t count_elements(bool is_random, size_t rows, size_t columns)
{
    const size_t M = is_random ? rows : rows * columns, N = is_random ? columns : M;
    const double least = is_random ? (double)N : 5.0 * M - 2.0 * rows - 2.0 * columns;
    require_arrays(M, N, least); // there are at least so many elements
    if (M > MAX_ELEMENTS || N > MAX_ELEMENTS)
    {
        usage_error("a matrix may have %zu rows and as many columns, not %zu and %zu", MAX_ELEMENTS,
                    M, N);
    }
    const size_t nnz = is_random ? count_random(M, N, args.seed) : count_poisson(rows, columns);
    if (nnz > MAX_ELEMENTS)
    {
        usage_error("this matrix has %zu elements, and %zu are possible", nnz, MAX_ELEMENTS);
    }
    require_arrays(M, N, (double)nnz);
    return nnz;
}

// ---- The kernels ----

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
    spmv_csr_scalar<<<row_grid, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
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

// ---- The library ----

const cudaDataType REAL_TYPE = sizeof(real) == 4 ? CUDA_R_32F : CUDA_R_64F;

// cuSPARSE computes y = alpha op(A) x + beta y. With beta = 0 it does not read y.
const real ALPHA = 1.0, BETA = 0.0;
const cusparseOperation_t AS_IT_IS = CUSPARSE_OPERATION_NON_TRANSPOSE;

// A descriptor holds no data: only sizes, types and the addresses of arrays on the device. Each
// product has its own, because the library notes there what it has found out about the matrix. The
// library says how many bytes of workspace it needs, and the program allocates them.
Product prepare_product(cusparseHandle_t handle, cusparseSpMatDescr_t A, real *d_x, real *d_y,
                        cusparseSpMVAlg_t algorithm)
{
    Product p;
    p.handle = handle;
    p.A = A;
    p.algorithm = algorithm;
    int64_t M, N, nnz;
    size_t bytes;
    CHECK_CUSPARSE(cusparseSpMatGetSize(A, &M, &N, &nnz));
    CHECK_CUSPARSE(cusparseCreateDnVec(&p.x, N, d_x, REAL_TYPE));
    CHECK_CUSPARSE(cusparseCreateDnVec(&p.y, M, d_y, REAL_TYPE));
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, AS_IT_IS, &ALPHA, A, p.x, &BETA, p.y, REAL_TYPE,
                                           algorithm, &bytes));
    CHECK(cudaMalloc(&p.workspace, bytes > 0 ? bytes : 1));
    CHECK_CUSPARSE(preprocess_spmv(handle, AS_IT_IS, &ALPHA, A, p.x, &BETA, p.y, REAL_TYPE,
                                   algorithm, p.workspace));
    return p;
}

void compute_product(const Product *p)
{
    CHECK_CUSPARSE(cusparseSpMV(p->handle, AS_IT_IS, &ALPHA, p->A, p->x, &BETA, p->y, REAL_TYPE,
                                p->algorithm, p->workspace));
}

void free_product(Product *p)
{
    CHECK_CUSPARSE(cusparseDestroySpMat(p->A));
    CHECK_CUSPARSE(cusparseDestroyDnVec(p->x));
    CHECK_CUSPARSE(cusparseDestroyDnVec(p->y));
    CHECK(cudaFree(p->workspace));
}

void run_coo1(void) { compute_product(&coo1); }
void run_coo2(void) { compute_product(&coo2); }
void run_csr1(void) { compute_product(&csr1); }
void run_csr2(void) { compute_product(&csr2); }

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
    {"csr-staged", "CSR: 256 rows' products go through shared memory; a thread adds those of a row",
     run_csr_staged, check_product},
    {"csr-batched", "the same for 512 rows; each thread has twenty loads under way",
     run_csr_batched, check_product, ON_DEVICE, NULL, NULL, false,
     "a little faster: more loads under way"},
    {"cusparse-csr1", "CSR: the library, CUSPARSE_SPMV_CSR_ALG1", run_csr1, check_product,
     BY_LIBRARY},
    {"cusparse-csr2", "CSR: the library, CUSPARSE_SPMV_CSR_ALG2", run_csr2, check_product,
     BY_LIBRARY},
};
const int NUM_CSR = sizeof(CSR_VERSIONS) / sizeof(CSR_VERSIONS[0]);

// ---- The data ----

// A matrix of either kind, x, and A x. The numbers are small integers, so all products and sums are
// exact, in whatever order they are added.
void make_host_data(bool is_random, size_t rows, size_t columns)
{
    const size_t count = count_elements(is_random, rows, columns);
    A.M = is_random ? rows : rows * columns;
    A.N = is_random ? columns : rows * columns;
    A.offsets = (int *)malloc((A.M + 1) * sizeof(int));
    A.columns = (int *)malloc(count * sizeof(int));
    A.values = (real *)malloc(count * sizeof(real));
    h_x = (real *)malloc(A.N * sizeof(real));
    h_y = (real *)malloc(A.M * sizeof(real));
    reference = (double *)malloc(A.M * sizeof(double));
    fill_integers(h_x, A.N, args.seed);
    if (is_random)
    {
        fill_random_matrix(&A, args.seed);
        multiply_random(h_x, reference, A.M, A.N, args.seed);
    }
    else
    {
        fill_poisson(&A, rows, columns);
        multiply_poisson(h_x, reference, rows, columns);
    }
    check_true("the number of elements", A.nnz == count);
    M = (int)A.M;
    nnz = (int)A.nnz;
    row_grid = (M + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

// The matrix in both formats. The library makes the rows of COO from the offsets of CSR.
void copy_to_device(void)
{
    const size_t offset_bytes = (A.M + 1) * sizeof(int), index_bytes = A.nnz * sizeof(int);
    const size_t value_bytes = A.nnz * sizeof(real), x_bytes = A.N * sizeof(real);
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
}

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

void make_data(bool is_random, size_t rows, size_t columns)
{
    make_host_data(is_random, rows, columns);
    copy_to_device();
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
    free(A.offsets);
    free(A.columns);
    free(A.values);
    free(h_x);
    free(h_y);
    free(reference);
}

// ---- The tables ----

double bytes_of_csr(const Matrix *A)
{
    return (double)A->nnz * (sizeof(real) + sizeof(int)) + (A->M + 1.0) * sizeof(int) +
           ((double)A->N + A->M) * sizeof(real);
}

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
    count_elements(is_random, args.M, args.N); // refuses a size before anything is printed

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
