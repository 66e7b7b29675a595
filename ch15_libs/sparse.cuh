// What cusparse-spmv, cusparse-blocks and spmv-irregular share: a matrix in CSR on the host. The
// first two also share two ways to make one, and its product with a vector, computed without the
// matrix.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"

const size_t MAX_ELEMENTS = 2000000000; // an int counts them, with room for a block's excess

// A matrix in CSR on the host. Row r has the elements from offsets[r] to offsets[r + 1] - 1.
struct Matrix
{
    size_t M, N, nnz; // rows, columns, elements
    int *offsets, *columns;
    real *values;
};

// The next element of the row that is being filled.
static inline void append(Matrix *A, size_t column, real value)
{
    A->columns[A->nnz] = (int)column;
    A->values[A->nnz++] = value;
}

static inline size_t count_poisson(size_t rows, size_t columns)
{
    return 5 * rows * columns - 2 * rows - 2 * columns;
}

// The 5-point Poisson matrix: a point has 4 for itself and -1 for each of its neighbours in the
// grid. Along the border there are fewer of them. Point (i, j) has number i * columns + j.
static inline void fill_poisson(Matrix *A, size_t rows, size_t columns)
{
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
static inline void multiply_poisson(const real *x, double *y, size_t rows, size_t columns)
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
static inline size_t random_length(size_t row, size_t M, size_t N, size_t seed)
{
    const size_t most = N < 24 ? N : 24;
    return row == M / 2 ? N : row % 4 == 1 ? 0 : 1 + random_below(seed + 1, row, (uint32_t)most);
}

// Element k is in the k-th of `length` parts of the row. So the columns are in order.
static inline size_t random_column(size_t row, size_t k, size_t length, size_t N, size_t seed)
{
    const size_t begin = k * N / length, end = (k + 1) * N / length;
    return begin + random_below(seed + 2, row * N + k, (uint32_t)(end - begin));
}

static inline real random_value(size_t row, size_t k, size_t N, size_t seed)
{
    return (real)((int)random_below(seed + 3, row * N + k, 17) - 8);
}

static inline size_t count_random(size_t M, size_t N, size_t seed)
{
    size_t nnz = 0;
    for (size_t row = 0; row < M; ++row)
    {
        nnz += random_length(row, M, N, seed);
    }
    return nnz;
}

static inline void fill_random_matrix(Matrix *A, size_t seed)
{
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

static inline void multiply_random(const real *x, double *y, size_t M, size_t N, size_t seed)
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

// ---- Either of the two: the Poisson matrix of a grid of rows x columns points, or the random
// matrix of so many rows and columns ----

// Ends the program if there is no memory for a matrix with so many rows, columns and elements, x, y
// and what y should be. The device has `indices` ints for each element: 2 in COO, 1 in CSR.
static inline void require_arrays(size_t M, size_t N, double elements, int indices)
{
    const double vectors = (double)M * (sizeof(int) + sizeof(real)) + (double)N * sizeof(real);
    require_memory(elements * (sizeof(int) + sizeof(real)) + vectors + M * sizeof(double),
                   elements * (indices * sizeof(int) + sizeof(real)) + vectors);
}

// The number of elements, if an int can count them and there is memory for all arrays.
static inline size_t count_elements(bool is_random, size_t rows, size_t columns, size_t seed,
                                    int indices)
{
    const size_t M = is_random ? rows : rows * columns, N = is_random ? columns : M;
    const double least = is_random ? (double)N : 5.0 * M - 2.0 * rows - 2.0 * columns;
    require_arrays(M, N, least, indices); // there are at least so many elements
    if (M > MAX_ELEMENTS || N > MAX_ELEMENTS)
    {
        usage_error("a matrix may have %zu rows and as many columns, not %zu and %zu", MAX_ELEMENTS,
                    M, N);
    }
    const size_t nnz = is_random ? count_random(M, N, seed) : count_poisson(rows, columns);
    if (nnz > MAX_ELEMENTS)
    {
        usage_error("this matrix has %zu elements, and %zu are possible", nnz, MAX_ELEMENTS);
    }
    require_arrays(M, N, (double)nnz, indices);
    return nnz;
}

static inline Matrix new_matrix(bool is_random, size_t rows, size_t columns, size_t seed)
{
    Matrix A = {};
    A.M = is_random ? rows : rows * columns;
    A.N = is_random ? columns : rows * columns;
    const size_t count = is_random ? count_random(A.M, A.N, seed) : count_poisson(rows, columns);
    A.offsets = (int *)malloc((A.M + 1) * sizeof(int));
    A.columns = (int *)malloc(count * sizeof(int));
    A.values = (real *)malloc(count * sizeof(real));
    if (is_random)
    {
        fill_random_matrix(&A, seed);
    }
    else
    {
        fill_poisson(&A, rows, columns);
    }
    check_true("the number of elements", A.nnz == count);
    return A;
}

// The product of this matrix and x.
static inline void multiply_without_matrix(bool is_random, const real *x, double *y, size_t rows,
                                           size_t columns, size_t seed)
{
    if (is_random)
    {
        multiply_random(x, y, rows, columns, seed);
    }
    else
    {
        multiply_poisson(x, y, rows, columns);
    }
}

static inline void free_matrix(Matrix *A)
{
    free(A->offsets);
    free(A->columns);
    free(A->values);
}

// What a product has to read and write at least.
static inline double bytes_of_csr(const Matrix *A)
{
    return (double)A->nnz * (sizeof(real) + sizeof(int)) + (A->M + 1.0) * sizeof(int) +
           ((double)A->N + A->M) * sizeof(real);
}
