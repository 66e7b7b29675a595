// cusparse-formats: a sparse matrix in the formats COO and CSR, and its product with a vector
//
// From:    S2, sparse matrices
// Compile: nvcc -O3 cusparse-formats.cu -lcusparse
// Run:     ./a.out
// Options: -h
// Libs:    -lcusparse
// Checks:  3
// Chinese: 稀疏矩阵的 COO 与 CSR 格式，以及用 cuSPARSE 计算它与矢量的乘积
//
// Most elements of a sparse matrix are 0, and only the others are stored. COO has the row, the
// column and the value of each element. CSR has columns and values, sorted by rows, and for each
// row the number of its first element. The matrix here has 4 rows and 5 columns.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "check_cusparse.cuh"

const int M = 4, N = 5, NNZ = 7; // rows, columns, elements that are not 0
const real DENSE[M][N] = {
    {10, 0, 0, 20, 0}, {0, 30, 0, 0, 0}, {0, 0, 0, 0, 0}, {40, 50, 60, 0, 70}};
const int ROWS[NNZ] = {0, 0, 1, 3, 3, 3, 3};
const int COLUMNS[NNZ] = {0, 3, 1, 0, 1, 2, 4};
const real VALUES[NNZ] = {10, 20, 30, 40, 50, 60, 70};
const real X[N] = {1, 2, 3, 4, 5};

const cudaDataType REAL_TYPE = sizeof(real) == 4 ? CUDA_R_32F : CUDA_R_64F;
const cusparseIndexBase_t FROM_0 = CUSPARSE_INDEX_BASE_ZERO;
const cusparseIndexType_t INT = CUSPARSE_INDEX_32I;

void print_integers(const char *what, const int *numbers, int count)
{
    printf("%-14s", what);
    for (int i = 0; i < count; ++i)
    {
        printf("%5d", numbers[i]);
    }
    printf("\n");
}

void print_reals(const char *what, const real *numbers, int count)
{
    printf("%-14s", what);
    for (int i = 0; i < count; ++i)
    {
        printf("%5g", numbers[i]);
    }
    printf("\n");
}

// y = A x, whatever the format of A. A descriptor holds no data: only sizes, types and addresses of
// arrays on the device.
void multiply(cusparseHandle_t handle, cusparseSpMatDescr_t A, real *d_x, real *d_y)
{
    cusparseDnVecDescr_t x, y;
    CHECK_CUSPARSE(cusparseCreateDnVec(&x, N, d_x, REAL_TYPE));
    CHECK_CUSPARSE(cusparseCreateDnVec(&y, M, d_y, REAL_TYPE));

    // y = alpha op(A) x + beta y. With beta = 0 it does not read y.
    const real alpha = 1.0, beta = 0.0;
    const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
    const cusparseSpMVAlg_t usual = CUSPARSE_SPMV_ALG_DEFAULT;
    size_t bytes;
    void *workspace;
    CHECK_CUSPARSE(
        cusparseSpMV_bufferSize(handle, op, &alpha, A, x, &beta, y, REAL_TYPE, usual, &bytes));
    CHECK(cudaMalloc(&workspace, bytes > 0 ? bytes : 1));
    CHECK_CUSPARSE(cusparseSpMV(handle, op, &alpha, A, x, &beta, y, REAL_TYPE, usual, workspace));

    CHECK(cudaFree(workspace));
    CHECK_CUSPARSE(cusparseDestroyDnVec(x));
    CHECK_CUSPARSE(cusparseDestroyDnVec(y));
}

// Multiplies, prints y and compares it with the product of the dense matrix.
void show_product(const char *what, cusparseHandle_t handle, cusparseSpMatDescr_t A, real *d_x,
                  real *d_y)
{
    real y[M], right[M];
    CHECK(cudaMemset(d_y, POISON_BYTE, sizeof(y)));
    multiply(handle, A, d_x, d_y);
    poison(y, sizeof(y));
    CHECK(cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost));
    print_reals(what, y, M);
    for (int row = 0; row < M; ++row)
    {
        right[row] = 0.0;
        for (int column = 0; column < N; ++column)
        {
            right[row] += DENSE[row][column] * X[column];
        }
    }
    check_elements(what, y, right, M);
}

int main(int argc, char **argv)
{
    parse_args(argc, argv, "",
               "cusparse-formats: a sparse matrix in the formats COO and CSR, and its product with "
               "a vector");

    int *d_rows, *d_columns, *d_offsets;
    real *d_values, *d_x, *d_y;
    CHECK(cudaMalloc(&d_rows, sizeof(ROWS)));
    CHECK(cudaMalloc(&d_columns, sizeof(COLUMNS)));
    CHECK(cudaMalloc(&d_offsets, (M + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d_values, sizeof(VALUES)));
    CHECK(cudaMalloc(&d_x, sizeof(X)));
    CHECK(cudaMalloc(&d_y, M * sizeof(real)));
    CHECK(cudaMemcpy(d_rows, ROWS, sizeof(ROWS), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_columns, COLUMNS, sizeof(COLUMNS), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, VALUES, sizeof(VALUES), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, X, sizeof(X), cudaMemcpyHostToDevice));

    // The library makes the offsets of CSR from the rows of COO.
    cusparseHandle_t handle;
    CHECK_CUSPARSE(cusparseCreate(&handle));
    CHECK(cudaMemset(d_offsets, POISON_BYTE, (M + 1) * sizeof(int)));
    CHECK_CUSPARSE(cusparseXcoo2csr(handle, d_rows, NNZ, M, d_offsets, FROM_0));
    int offsets[M + 1];
    CHECK(cudaMemcpy(offsets, d_offsets, sizeof(offsets), cudaMemcpyDeviceToHost));
    const int right_offsets[M + 1] = {0, 2, 3, 3, 7};
    check_elements("the offsets", offsets, right_offsets, M + 1);

    for (int row = 0; row < M; ++row)
    {
        print_reals(row == 0 ? "dense" : "", DENSE[row], N);
    }
    print_integers("COO  rows", ROWS, NNZ);
    print_integers("     columns", COLUMNS, NNZ);
    print_reals("     values", VALUES, NNZ);
    print_integers("CSR  offsets", offsets, M + 1);
    print_integers("     columns", COLUMNS, NNZ);
    print_reals("     values", VALUES, NNZ);
    print_reals("x", X, N);

    cusparseSpMatDescr_t coo, csr;
    CHECK_CUSPARSE(
        cusparseCreateCoo(&coo, M, N, NNZ, d_rows, d_columns, d_values, INT, FROM_0, REAL_TYPE));
    CHECK_CUSPARSE(cusparseCreateCsr(&csr, M, N, NNZ, d_offsets, d_columns, d_values, INT, INT,
                                     FROM_0, REAL_TYPE));
    show_product("y = A x, COO", handle, coo, d_x, d_y);
    show_product("y = A x, CSR", handle, csr, d_x, d_y);

    CHECK_CUSPARSE(cusparseDestroySpMat(coo));
    CHECK_CUSPARSE(cusparseDestroySpMat(csr));
    CHECK_CUSPARSE(cusparseDestroy(handle));
    CHECK(cudaFree(d_rows));
    CHECK(cudaFree(d_columns));
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    return verdict();
}
