// cusparse-spmv: a sparse matrix times a vector in the formats COO and CSR, by hand and by cuSPARSE
//
// From:    S2, sparse matrices and Example 6.21 (its Poisson matrix)
// Compile: nvcc -O3 cusparse-spmv.cu -lcusparse
// Run:     ./a.out -n 4096x4096
// Options: -n MxN -r R -s S -k NAME --csv --random
// Libs:    -lcusparse
// Versions:
//   coo-atomic     COO: a thread multiplies one element and adds the product by atomicAdd
//   cusparse-coo1  COO: the library, CUSPARSE_SPMV_COO_ALG1
//   cusparse-coo2  COO: the library, CUSPARSE_SPMV_COO_ALG2
//   cpu            CSR: a loop on the host
//   csr-scalar     CSR: one thread for each row
//   csr-vector     CSR: one warp for each row
//   csr-staged     CSR: a block puts the products of 256 rows into shared memory, then a thread
//                  adds those of a row
//   csr-batched    the same for 512 rows; each thread has twenty loads under way
//   cusparse-csr1  CSR: the library, CUSPARSE_SPMV_CSR_ALG1
//   cusparse-csr2  CSR: the library, CUSPARSE_SPMV_CSR_ALG2
// Also:    -n 33x17 -r 2 --random
// Checks:  35
// Sizes:   1x1 33x17 257x31 64x64 67x129
// Chinese: 稀疏矩阵乘以向量：COO 与 CSR 两种格式，手写核函数与 cuSPARSE 的比较
//
// First comes a matrix of 4 rows that one can follow by hand. Then all versions are checked with a
// random matrix that has empty rows and one full row. Then they are checked and timed with the
// 5-point Poisson matrix of a grid of M x N points. This matrix has M N rows, and most rows have 5
// elements. With --random they are timed with a random matrix of M rows and N columns instead.
//
// An element costs two operations and at least 8 bytes, so only the bytes count. The tables count
// each array of the format once: values, indices, x and y. COO has more bytes than CSR, so the two
// formats have a table each. The time of coo-atomic contains setting y to 0.

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"
#include "check_cusparse.cuh"

const size_t MAX_ELEMENTS = 2000000000; // an int counts them, with room for a block's excess
const int BLOCK_SIZE = 256;
const int WARP = 32;
const unsigned FULL_MASK = 0xffffffff;
const cudaDataType REAL_TYPE = sizeof(real) == 4 ? CUDA_R_32F : CUDA_R_64F;

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
size_t count_elements(const Args *args, bool is_random, size_t rows, size_t columns)
{
    const size_t M = is_random ? rows : rows * columns, N = is_random ? columns : M;
    const double vectors = (double)M * (sizeof(int) + sizeof(real)) + (double)N * sizeof(real);
    const auto require = [&](double elements)
    {
        require_memory(args, elements * (sizeof(int) + sizeof(real)) + vectors + M * sizeof(double),
                       elements * (2 * sizeof(int) + sizeof(real)) + vectors);
    };
    require(is_random ? (double)N : 5.0 * M - 2.0 * rows - 2.0 * columns); // at least so many
    if (M > MAX_ELEMENTS || N > MAX_ELEMENTS)
    {
        usage_error(args, "a matrix may have %zu rows and as many columns, not %zu and %zu",
                    MAX_ELEMENTS, M, N);
    }
    const size_t nnz = is_random ? count_random(M, N, args->seed) : count_poisson(rows, columns);
    if (nnz > MAX_ELEMENTS)
    {
        usage_error(args, "this matrix has %zu elements, and %zu are possible", nnz, MAX_ELEMENTS);
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
template <typename Describe>
Product prepare_product(cusparseHandle_t handle, Describe describe_A, real *d_x, real *d_y,
                        cusparseSpMVAlg_t algorithm)
{
    Product p = {handle, NULL, NULL, NULL, algorithm, NULL};
    int64_t M, N, nnz;
    size_t bytes = 0;
    CHECK_CUSPARSE(describe_A(&p.A));
    CHECK_CUSPARSE(cusparseSpMatGetSize(p.A, &M, &N, &nnz));
    CHECK_CUSPARSE(cusparseCreateDnVec(&p.x, N, d_x, REAL_TYPE));
    CHECK_CUSPARSE(cusparseCreateDnVec(&p.y, M, d_y, REAL_TYPE));
    CHECK_CUSPARSE(cusparseSpMV_bufferSize(handle, AS_IT_IS, &ALPHA, p.A, p.x, &BETA, p.y,
                                           REAL_TYPE, algorithm, &bytes));
    CHECK(cudaMalloc(&p.workspace, std::max(bytes, (size_t)1)));
    CHECK_CUSPARSE(preprocess_spmv(handle, AS_IT_IS, &ALPHA, p.A, p.x, &BETA, p.y, REAL_TYPE,
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

// ---- The small matrix ----

template <typename T>
void print_numbers(const char *what, const T *numbers, int count)
{
    char line[256];
    int length = snprintf(line, sizeof(line), "%-14s", what);
    for (int i = 0; i < count; ++i)
    {
        length += snprintf(line + length, sizeof(line) - length, "%5g", (double)numbers[i]);
    }
    print_note("%s\n", line);
}

// A matrix of 4 rows and 5 columns, dense, in COO and in CSR, and its product with a vector. The
// offsets of CSR are made by the library, from the rows of COO.
void show_small_matrix(cusparseHandle_t handle)
{
    const int M = 4, N = 5, NNZ = 7;
    const real dense[M][N] = {
        {10, 0, 0, 20, 0}, {0, 30, 0, 0, 0}, {0, 0, 0, 0, 0}, {40, 50, 60, 0, 70}};
    const int rows[NNZ] = {0, 0, 1, 3, 3, 3, 3};
    const int columns[NNZ] = {0, 3, 1, 0, 1, 2, 4};
    const real values[NNZ] = {10, 20, 30, 40, 50, 60, 70};
    const real x[N] = {1, 2, 3, 4, 5};
    const int right_offsets[M + 1] = {0, 2, 3, 3, 7};
    int offsets[M + 1];
    real y[M], right_y[M];
    for (int row = 0; row < M; ++row)
    {
        right_y[row] = 0.0;
        for (int column = 0; column < N; ++column)
        {
            right_y[row] += dense[row][column] * x[column];
        }
        print_numbers(row == 0 ? "dense" : "", dense[row], N);
    }

    int *d_rows, *d_columns, *d_offsets;
    real *d_values, *d_x, *d_y;
    CHECK(cudaMalloc(&d_rows, sizeof(rows)));
    CHECK(cudaMalloc(&d_columns, sizeof(columns)));
    CHECK(cudaMalloc(&d_values, sizeof(values)));
    CHECK(cudaMalloc(&d_offsets, sizeof(offsets)));
    CHECK(cudaMalloc(&d_x, sizeof(x)));
    CHECK(cudaMalloc(&d_y, sizeof(y)));
    CHECK(cudaMemcpy(d_rows, rows, sizeof(rows), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_columns, columns, sizeof(columns), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice));

    CHECK(cudaMemset(d_offsets, POISON_BYTE, sizeof(offsets)));
    CHECK_CUSPARSE(cusparseXcoo2csr(handle, d_rows, NNZ, M, d_offsets, CUSPARSE_INDEX_BASE_ZERO));
    CHECK(cudaMemcpy(offsets, d_offsets, sizeof(offsets), cudaMemcpyDeviceToHost));
    check_elements("the offsets of the small matrix", offsets, right_offsets, M + 1);
    print_numbers("COO  rows", rows, NNZ);
    print_numbers("     columns", columns, NNZ);
    print_numbers("     values", values, NNZ);
    print_numbers("CSR  offsets", offsets, M + 1);
    print_numbers("     columns", columns, NNZ);
    print_numbers("     values", values, NNZ);
    print_numbers("x", x, N);

    const auto describe_coo = [&](cusparseSpMatDescr_t *made)
    {
        return cusparseCreateCoo(made, M, N, NNZ, d_rows, d_columns, d_values, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, REAL_TYPE);
    };
    const auto describe_csr = [&](cusparseSpMatDescr_t *made)
    {
        return cusparseCreateCsr(made, M, N, NNZ, d_offsets, d_columns, d_values,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                 REAL_TYPE);
    };
    const cusparseSpMVAlg_t usual = CUSPARSE_SPMV_ALG_DEFAULT;
    for (const bool in_csr : {false, true})
    {
        Product product = in_csr ? prepare_product(handle, describe_csr, d_x, d_y, usual)
                                 : prepare_product(handle, describe_coo, d_x, d_y, usual);
        CHECK(cudaMemset(d_y, POISON_BYTE, sizeof(y)));
        compute_product(&product);
        CHECK(cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost));
        free_product(&product);
        check_elements(in_csr ? "the small matrix in CSR" : "the small matrix in COO", y, right_y,
                       M);
        print_numbers(in_csr ? "y = A x, CSR" : "y = A x, COO", y, M);
    }

    for (void *array : {(void *)d_rows, (void *)d_columns, (void *)d_values, (void *)d_offsets,
                        (void *)d_x, (void *)d_y})
    {
        CHECK(cudaFree(array));
    }
}

int main(int argc, char **argv)
{
    Args args;
    Ladder coo_ladder, csr_ladder;
    Matrix A = {};
    int M = 0, nnz = 0; // of A
    int element_grid = 0, row_grid = 0, warp_grid = 0, batched_grid = 0;
    real *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL, *d_values = NULL;
    int *d_offsets = NULL, *d_rows = NULL, *d_columns = NULL;
    size_t y_bytes = 0;
    Product coo1 = {}, coo2 = {}, csr1 = {}, csr2 = {};

    const Version coo_versions[] = {
        on_device("coo-atomic",
                  [&]
                  {
                      CHECK(cudaMemsetAsync(d_y, 0, y_bytes));
                      spmv_coo_atomic<<<element_grid, BLOCK_SIZE>>>(d_rows, d_columns, d_values,
                                                                    d_x, d_y, nnz);
                  }),
        on_device("cusparse-coo1", [&] { compute_product(&coo1); }),
        on_device("cusparse-coo2", [&] { compute_product(&coo2); }),
    };
    const Version csr_versions[] = {
        on_host("cpu", [&] { multiply_on_host(&A, h_x, h_y); }),
        on_device("csr-scalar",
                  [&] {
                      spmv_csr_scalar<<<row_grid, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x,
                                                                d_y, M);
                  }),
        on_device("csr-vector",
                  [&] {
                      spmv_csr_vector<<<warp_grid, BLOCK_SIZE>>>(d_offsets, d_columns, d_values,
                                                                 d_x, d_y, M);
                  }),
        on_device("csr-staged",
                  [&] {
                      spmv_csr_staged<<<row_grid, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x,
                                                                d_y, M);
                  }),
        on_device("csr-batched",
                  [&] {
                      spmv_csr_batched<<<batched_grid, BLOCK_SIZE>>>(d_offsets, d_columns, d_values,
                                                                     d_x, d_y, M);
                  }),
        on_device("cusparse-csr1", [&] { compute_product(&csr1); }),
        on_device("cusparse-csr2", [&] { compute_product(&csr2); }),
    };

    bool random = false;
    args.M = args.N = default_size(4096, 64);
    const std::string names =
        version_names(coo_versions) + std::string(" ") + version_names(csr_versions);
    args.versions = names.c_str();
    add_flag(&args, "random", &random, "a random matrix of M rows and N columns");
    parse_args(&args, argc, argv, "-n MxN -r R -s S -k NAME --csv --random",
               "cusparse-spmv: a sparse matrix times a vector in the formats COO and CSR, by hand "
               "and by cuSPARSE");
    count_elements(&args, random, args.M, args.N); // refuses a size before anything is printed
    cusparseHandle_t handle;
    CHECK_CUSPARSE(cusparseCreate(&handle));
    show_small_matrix(handle);

    // Makes a matrix of either kind and all that its products need, checks all versions, and times
    // them if asked.
    const auto try_matrix = [&](bool is_random, size_t rows, size_t columns, bool timed)
    {
        A.M = is_random ? rows : rows * columns;
        A.N = is_random ? columns : rows * columns;
        const size_t count = count_elements(&args, is_random, rows, columns);
        const size_t index_bytes = count * sizeof(int), value_bytes = count * sizeof(real);
        const size_t offset_bytes = (A.M + 1) * sizeof(int), x_bytes = A.N * sizeof(real);
        y_bytes = A.M * sizeof(real);
        const size_t csr_bytes = value_bytes + index_bytes + offset_bytes + x_bytes + y_bytes;
        const size_t coo_bytes = value_bytes + 2 * index_bytes + x_bytes + y_bytes;

        A.offsets = (int *)malloc(offset_bytes);
        A.columns = (int *)malloc(index_bytes);
        A.values = (real *)malloc(value_bytes);
        h_x = (real *)malloc(x_bytes);
        h_y = (real *)malloc(y_bytes);
        double *reference = (double *)malloc(A.M * sizeof(double));

        // Small integers: all products and sums are exact, in whatever order they are added.
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

        CHECK(cudaMalloc(&d_offsets, offset_bytes));
        CHECK(cudaMalloc(&d_rows, index_bytes));
        CHECK(cudaMalloc(&d_columns, index_bytes));
        CHECK(cudaMalloc(&d_values, value_bytes));
        CHECK(cudaMalloc(&d_x, x_bytes));
        CHECK(cudaMalloc(&d_y, y_bytes));
        CHECK(cudaMemcpy(d_offsets, A.offsets, offset_bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_columns, A.columns, index_bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_values, A.values, value_bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(d_x, h_x, x_bytes, cudaMemcpyHostToDevice));
        M = (int)A.M;
        nnz = (int)A.nnz;
        element_grid = (nnz + BLOCK_SIZE - 1) / BLOCK_SIZE;
        row_grid = (M + BLOCK_SIZE - 1) / BLOCK_SIZE;
        warp_grid = (M + BLOCK_SIZE / WARP - 1) / (BLOCK_SIZE / WARP);
        batched_grid = (M + BATCHED_ROWS - 1) / BATCHED_ROWS;

        // The rows of COO are made from the offsets of CSR by the library.
        const cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
        CHECK(cudaMemset(d_rows, POISON_BYTE, index_bytes));
        CHECK_CUSPARSE(cusparseXcsr2coo(handle, d_offsets, nnz, M, d_rows, base));
        const auto describe_coo = [&](cusparseSpMatDescr_t *made)
        {
            return cusparseCreateCoo(made, A.M, A.N, A.nnz, d_rows, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, base, REAL_TYPE);
        };
        const auto describe_csr = [&](cusparseSpMatDescr_t *made)
        {
            return cusparseCreateCsr(made, A.M, A.N, A.nnz, d_offsets, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base, REAL_TYPE);
        };
        coo1 = prepare_product(handle, describe_coo, d_x, d_y, CUSPARSE_SPMV_COO_ALG1);
        coo2 = prepare_product(handle, describe_coo, d_x, d_y, CUSPARSE_SPMV_COO_ALG2);
        csr1 = prepare_product(handle, describe_csr, d_x, d_y, CUSPARSE_SPMV_CSR_ALG1);
        csr2 = prepare_product(handle, describe_csr, d_x, d_y, CUSPARSE_SPMV_CSR_ALG2);

        for (Ladder *ladder : {&coo_ladder, &csr_ladder})
        {
            ladder->check = [=, &h_y, &A]
            {
                check_elements(ladder->checking, h_y, reference, A.M);
                ladder->error = largest_error(h_y, reference, A.M);
            };
            ladder->outputs[0] = {h_y, d_y, y_bytes};
            ladder->bytes = (double)(ladder == &coo_ladder ? coo_bytes : csr_bytes);
            ladder->ceiling = COPY_CEILING;
        }
        coo_ladder.what = is_random ? "COO, random matrix" : "COO, Poisson matrix";
        csr_ladder.what = is_random ? "CSR, random matrix" : "CSR, Poisson matrix";
        if (timed)
        {
            print_note("A: %zu x %zu, %zu elements of type %s; bytes: %.4g GB in COO, %.4g GB in "
                       "CSR\n",
                       A.M, A.N, A.nnz, REAL_NAME, coo_bytes * 1e-9, csr_bytes * 1e-9);
        }
        const auto run = [&](Ladder *ladder, const auto &versions)
        {
            if (any_can_run(&args, versions)) // -k may ask for a row of the other table
            {
                timed ? run_versions(&args, ladder, versions)
                      : check_versions(&args, ladder, versions);
            }
        };
        run(&coo_ladder, coo_versions);
        run(&csr_ladder, csr_versions);

        for (Product *product : {&coo1, &coo2, &csr1, &csr2})
        {
            free_product(product);
        }
        for (void *array : {(void *)d_offsets, (void *)d_rows, (void *)d_columns, (void *)d_values,
                            (void *)d_x, (void *)d_y})
        {
            CHECK(cudaFree(array));
        }
        for (void *array : {(void *)A.offsets, (void *)A.columns, (void *)A.values, (void *)h_x,
                            (void *)h_y, (void *)reference})
        {
            free(array);
        }
    };
    try_matrix(true, 1003, 5171, false);
    try_matrix(random, args.M, args.N, true);

    CHECK_CUSPARSE(cusparseDestroy(handle));
    return verdict();
}
