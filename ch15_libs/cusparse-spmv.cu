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
#include <algorithm>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions_data.cuh"
#include "check_cusparse.cuh"

const size_t MAX_ELEMENTS = 2000000000; // an int counts them, with room for a block's excess
const int BLOCK_SIZE = 256;
const int WARP = 32;
const unsigned FULL_MASK = 0xffffffff;

// ---- The matrices, and what they give, computed without them ----

// A matrix in CSR on the host. Row r has the elements from offsets[r] to offsets[r + 1] - 1.
struct Matrix
{
    size_t M, N, nnz; // rows, columns, elements
    int *offsets, *columns;
    real *values;
};

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
    const auto at = [&](ptrdiff_t i, ptrdiff_t j)
    {
        const bool inside = i >= 0 && i < (ptrdiff_t)rows && j >= 0 && j < (ptrdiff_t)columns;
        return inside ? (double)x[i * columns + j] : 0.0;
    };
    for (ptrdiff_t i = 0; i < (ptrdiff_t)rows; ++i)
    {
        for (ptrdiff_t j = 0; j < (ptrdiff_t)columns; ++j)
        {
            y[i * columns + j] =
                4.0 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1);
        }
    }
}

// The random matrix: a quarter of the rows is empty, the row in the middle is full, and the others
// have 1 to 24 elements. Each of these three functions gives the same for the same arguments.
size_t random_length(size_t row, size_t M, size_t N, size_t seed)
{
    const size_t most = std::min(N, (size_t)24);
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

// The number of elements, if an int can count them and there is memory for all arrays.
size_t count_elements(bool is_random, size_t rows, size_t columns)
{
    const size_t M = is_random ? rows : rows * columns, N = is_random ? columns : M;
    const double vectors = (double)M * (sizeof(int) + sizeof(real)) + (double)N * sizeof(real);
    const auto require = [&](double elements)
    {
        require_memory(elements * (sizeof(int) + sizeof(real)) + vectors + M * sizeof(double),
                       elements * (2 * sizeof(int) + sizeof(real)) + vectors);
    };
    require(is_random ? (double)N : 5.0 * M - 2.0 * rows - 2.0 * columns); // at least so many
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
    require((double)nnz);
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

// ---- The library ----

const cudaDataType REAL_TYPE = sizeof(real) == 4 ? CUDA_R_32F : CUDA_R_64F;

// A product y = A x, ready to be computed: what describes A, x and y, and a workspace.
struct Product
{
    cusparseHandle_t handle;
    cusparseSpMatDescr_t A;
    cusparseDnVecDescr_t x, y;
    cusparseSpMVAlg_t algorithm;
    void *workspace;
};

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
    CHECK(cudaMalloc(&p.workspace, std::max(bytes, (size_t)1)));
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

// ---- The versions ----

// What the versions work on: a matrix and a vector, on the host and on the device.
struct Data
{
    Matrix A;
    int M, nnz; // rows and elements of A, as the kernels count them
    real *h_x, *h_y;
    double *reference; // A x, computed without A
    int *d_offsets, *d_rows, *d_columns;
    real *d_values, *d_x, *d_y;
    Product coo1, coo2, csr1, csr2; // two algorithms of the library for each format
};

int row_grid(const Data *d) // a thread for each row
{
    return (d->M + BLOCK_SIZE - 1) / BLOCK_SIZE;
}

void launch_coo_atomic(Data *d)
{
    const int grid_size = (d->nnz + BLOCK_SIZE - 1) / BLOCK_SIZE;
    CHECK(cudaMemsetAsync(d->d_y, 0, d->A.M * sizeof(real)));
    spmv_coo_atomic<<<grid_size, BLOCK_SIZE>>>(d->d_rows, d->d_columns, d->d_values, d->d_x, d->d_y,
                                               d->nnz);
}

void launch_csr_scalar(Data *d)
{
    spmv_csr_scalar<<<row_grid(d), BLOCK_SIZE>>>(d->d_offsets, d->d_columns, d->d_values, d->d_x,
                                                 d->d_y, d->M);
}

void launch_csr_vector(Data *d)
{
    const int rows = BLOCK_SIZE / WARP; // of a block
    spmv_csr_vector<<<(d->M + rows - 1) / rows, BLOCK_SIZE>>>(d->d_offsets, d->d_columns,
                                                              d->d_values, d->d_x, d->d_y, d->M);
}

void launch_csr_staged(Data *d)
{
    spmv_csr_staged<<<row_grid(d), BLOCK_SIZE>>>(d->d_offsets, d->d_columns, d->d_values, d->d_x,
                                                 d->d_y, d->M);
}

void launch_csr_batched(Data *d)
{
    const int grid_size = (d->M + BATCHED_ROWS - 1) / BATCHED_ROWS;
    spmv_csr_batched<<<grid_size, BLOCK_SIZE>>>(d->d_offsets, d->d_columns, d->d_values, d->d_x,
                                                d->d_y, d->M);
}

void check_product(Table<Data> *table, const Data *d)
{
    check_elements(table->checking, d->h_y, d->reference, d->A.M);
    table->error = largest_error(d->h_y, d->reference, d->A.M);
}

typedef Data *D;
const Version<Data> COO_VERSIONS[] = {
    {"coo-atomic", "COO: a thread multiplies one element and adds the product by atomicAdd",
     ON_DEVICE, launch_coo_atomic, check_product},
    {"cusparse-coo1", "COO: the library, CUSPARSE_SPMV_COO_ALG1", ON_DEVICE,
     [](D d) { compute_product(&d->coo1); }, check_product},
    {"cusparse-coo2", "COO: the library, CUSPARSE_SPMV_COO_ALG2", ON_DEVICE,
     [](D d) { compute_product(&d->coo2); }, check_product},
};

const Version<Data> CSR_VERSIONS[] = {
    {"cpu", "CSR: a loop on the host", ON_HOST,
     [](D d) { multiply_on_host(&d->A, d->h_x, d->h_y); }, check_product},
    {"csr-scalar", "CSR: one thread for each row", ON_DEVICE, launch_csr_scalar, check_product},
    {"csr-vector", "CSR: one warp for each row", ON_DEVICE, launch_csr_vector, check_product},
    {"csr-staged", "CSR: 256 rows' products go through shared memory; a thread adds those of a row",
     ON_DEVICE, launch_csr_staged, check_product},
    {"csr-batched", "the same for 512 rows; each thread has twenty loads under way", ON_DEVICE,
     launch_csr_batched, check_product},
    {"cusparse-csr1", "CSR: the library, CUSPARSE_SPMV_CSR_ALG1", ON_DEVICE,
     [](D d) { compute_product(&d->csr1); }, check_product},
    {"cusparse-csr2", "CSR: the library, CUSPARSE_SPMV_CSR_ALG2", ON_DEVICE,
     [](D d) { compute_product(&d->csr2); }, check_product},
};

// ---- The data ----

// A matrix of either kind, x, and A x. The numbers are small integers, so all products and sums are
// exact, in whatever order they are added.
void make_host_data(Data *d, bool is_random, size_t rows, size_t columns)
{
    const size_t count = count_elements(is_random, rows, columns);
    Matrix *A = &d->A;
    A->M = is_random ? rows : rows * columns;
    A->N = is_random ? columns : rows * columns;
    A->offsets = (int *)malloc((A->M + 1) * sizeof(int));
    A->columns = (int *)malloc(count * sizeof(int));
    A->values = (real *)malloc(count * sizeof(real));
    d->h_x = (real *)malloc(A->N * sizeof(real));
    d->h_y = (real *)malloc(A->M * sizeof(real));
    d->reference = (double *)malloc(A->M * sizeof(double));
    fill_integers(d->h_x, A->N, args.seed);
    if (is_random)
    {
        fill_random_matrix(A, args.seed);
        multiply_random(d->h_x, d->reference, A->M, A->N, args.seed);
    }
    else
    {
        fill_poisson(A, rows, columns);
        multiply_poisson(d->h_x, d->reference, rows, columns);
    }
    check_true("the number of elements", A->nnz == count);
    d->M = (int)A->M;
    d->nnz = (int)A->nnz;
}

// The matrix in both formats. The library makes the rows of COO from the offsets of CSR.
void copy_to_device(Data *d, cusparseHandle_t handle)
{
    const Matrix *A = &d->A;
    const size_t offset_bytes = (A->M + 1) * sizeof(int), index_bytes = A->nnz * sizeof(int);
    const size_t value_bytes = A->nnz * sizeof(real), x_bytes = A->N * sizeof(real);
    CHECK(cudaMalloc(&d->d_offsets, offset_bytes));
    CHECK(cudaMalloc(&d->d_rows, index_bytes));
    CHECK(cudaMalloc(&d->d_columns, index_bytes));
    CHECK(cudaMalloc(&d->d_values, value_bytes));
    CHECK(cudaMalloc(&d->d_x, x_bytes));
    CHECK(cudaMalloc(&d->d_y, A->M * sizeof(real)));
    CHECK(cudaMemcpy(d->d_offsets, A->offsets, offset_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d->d_columns, A->columns, index_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d->d_values, A->values, value_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d->d_x, d->h_x, x_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d->d_rows, POISON_BYTE, index_bytes));
    CHECK_CUSPARSE(
        cusparseXcsr2coo(handle, d->d_offsets, d->nnz, d->M, d->d_rows, CUSPARSE_INDEX_BASE_ZERO));
}

Product prepare_coo(const Data *d, cusparseHandle_t handle, cusparseSpMVAlg_t algorithm)
{
    cusparseSpMatDescr_t A;
    CHECK_CUSPARSE(cusparseCreateCoo(&A, d->A.M, d->A.N, d->A.nnz, d->d_rows, d->d_columns,
                                     d->d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                     REAL_TYPE));
    return prepare_product(handle, A, d->d_x, d->d_y, algorithm);
}

Product prepare_csr(const Data *d, cusparseHandle_t handle, cusparseSpMVAlg_t algorithm)
{
    cusparseSpMatDescr_t A;
    CHECK_CUSPARSE(cusparseCreateCsr(&A, d->A.M, d->A.N, d->A.nnz, d->d_offsets, d->d_columns,
                                     d->d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, REAL_TYPE));
    return prepare_product(handle, A, d->d_x, d->d_y, algorithm);
}

Data make_data(cusparseHandle_t handle, bool is_random, size_t rows, size_t columns)
{
    Data d;
    make_host_data(&d, is_random, rows, columns);
    copy_to_device(&d, handle);
    d.coo1 = prepare_coo(&d, handle, CUSPARSE_SPMV_COO_ALG1);
    d.coo2 = prepare_coo(&d, handle, CUSPARSE_SPMV_COO_ALG2);
    d.csr1 = prepare_csr(&d, handle, CUSPARSE_SPMV_CSR_ALG1);
    d.csr2 = prepare_csr(&d, handle, CUSPARSE_SPMV_CSR_ALG2);
    return d;
}

void free_data(Data *d)
{
    for (Product *product : {&d->coo1, &d->coo2, &d->csr1, &d->csr2})
    {
        free_product(product);
    }
    for (int *array : {d->d_offsets, d->d_rows, d->d_columns})
    {
        CHECK(cudaFree(array));
    }
    for (real *array : {d->d_values, d->d_x, d->d_y})
    {
        CHECK(cudaFree(array));
    }
    free(d->A.offsets);
    free(d->A.columns);
    free(d->A.values);
    free(d->h_x);
    free(d->h_y);
    free(d->reference);
}

// ---- The tables ----

double bytes_of_csr(const Data *d)
{
    const Matrix *A = &d->A;
    return (double)A->nnz * (sizeof(real) + sizeof(int)) + (A->M + 1.0) * sizeof(int) +
           ((double)A->N + A->M) * sizeof(real);
}

double bytes_of_coo(const Data *d)
{
    const Matrix *A = &d->A;
    return (double)A->nnz * (sizeof(real) + 2 * sizeof(int)) + ((double)A->N + A->M) * sizeof(real);
}

Table<Data> table_of(Data *d, const char *what, double bytes)
{
    Table<Data> table;
    table.data = d;
    table.outputs[0] = {d->h_y, d->d_y, d->A.M * sizeof(real)};
    table.bytes = bytes;
    table.ceiling = copy_ceiling;
    table.what = what;
    return table;
}

// -k may ask for a row of the other format.
template <int COUNT>
void check_format(Table<Data> *table, const Version<Data> (&versions)[COUNT])
{
    if (any_can_run(table->data, versions))
    {
        check_versions(table, versions);
    }
}

template <int COUNT>
void run_format(Table<Data> *table, const Version<Data> (&versions)[COUNT])
{
    if (any_can_run(table->data, versions))
    {
        run_versions(table, versions);
    }
}

// Matrices with empty rows and a full one.
void check_random_matrix(cusparseHandle_t handle)
{
    Data data = make_data(handle, true, 1003, 5171);
    Table<Data> coo_table = table_of(&data, "COO", bytes_of_coo(&data));
    Table<Data> csr_table = table_of(&data, "CSR", bytes_of_csr(&data));
    check_format(&coo_table, COO_VERSIONS);
    check_format(&csr_table, CSR_VERSIONS);
    free_data(&data);
}

int main(int argc, char **argv)
{
    args.M = args.N = default_size(4096, 64);
    bool is_random = false;
    add_versions(COO_VERSIONS);
    add_versions(CSR_VERSIONS);
    add_flag("random", &is_random, "a random matrix of M rows and N columns");
    parse_args(argc, argv, "-n MxN -r R -s S -k NAME --csv --random",
               "cusparse-spmv: a sparse matrix times a vector in the formats COO and CSR, by hand "
               "and by cuSPARSE");
    count_elements(is_random, args.M, args.N); // refuses a size before anything is printed

    cusparseHandle_t handle;
    CHECK_CUSPARSE(cusparseCreate(&handle));
    check_random_matrix(handle);

    Data data = make_data(handle, is_random, args.M, args.N);
    const Matrix *A = &data.A;
    const double coo_bytes = bytes_of_coo(&data), csr_bytes = bytes_of_csr(&data);
    Table<Data> coo_table =
        table_of(&data, is_random ? "COO, random matrix" : "COO, Poisson matrix", coo_bytes);
    Table<Data> csr_table =
        table_of(&data, is_random ? "CSR, random matrix" : "CSR, Poisson matrix", csr_bytes);
    print_note("A: %zu x %zu, %zu elements of type %s; bytes: %.4g GB in COO, %.4g GB in CSR\n",
               A->M, A->N, A->nnz, REAL_NAME, coo_bytes * 1e-9, csr_bytes * 1e-9);
    run_format(&coo_table, COO_VERSIONS);
    run_format(&csr_table, CSR_VERSIONS);
    free_data(&data);

    CHECK_CUSPARSE(cusparseDestroy(handle));
    return verdict();
}
