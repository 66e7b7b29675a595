// The matrices of spmv-irregular: three kinds whose rows differ in length, and the formats ELL and
// DIA, which are made from CSR on the host.
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "sparse.cuh"

// A kind of matrix with N rows and N columns. Its functions give the same for the same arguments.
struct Kind
{
    const char *name;
    size_t (*length)(size_t row, size_t N, size_t seed); // elements of a row
    size_t (*column)(size_t row, size_t k, size_t length, size_t N, size_t seed); // of element k
};

// ---- Power law: a row in eight is empty, but never the one in the middle. For each other row a
// coin is tossed until it shows heads. After k tails the row has 2^k to 2^(k+1) - 1 elements. So
// half of these rows have one element, and each doubling of the length is half as frequent ----

const int MAX_TAILS = 18; // fewer than 2^19 elements, ...
const size_t SHARE = 8;   // ... and at most an eighth of a full row

static inline size_t power_length(size_t row, size_t N, size_t seed)
{
    if (row != N / 2 && random_below(seed + 4, row, 8) == 0)
    {
        return 0;
    }
    int tails = 0;
    while (tails < MAX_TAILS && random_below(seed + 5, row * 32 + tails, 2) == 0)
    {
        ++tails;
    }
    const size_t least = (size_t)1 << tails;
    const size_t length = least + random_below(seed + 6, row, (uint32_t)least);
    const size_t most = N / SHARE > 0 ? N / SHARE : 1;
    return length < most ? length : most;
}

// Where part k of a row begins: at N (k / length)^3, so the first columns have the most elements.
// Where that leaves no column for each part, a part has one column.
static inline size_t begin_of_part(size_t k, size_t length, size_t N)
{
    const double t = (double)k / (double)length;
    const size_t begin = (size_t)(t * t * t * (double)N);
    return begin > k ? begin : k;
}

// Element k lies in part k. So the columns are in order.
static inline size_t power_column(size_t row, size_t k, size_t length, size_t N, size_t seed)
{
    const size_t begin = begin_of_part(k, length, N), end = begin_of_part(k + 1, length, N);
    return begin + random_below(seed + 2, row * N + k, (uint32_t)(end - begin));
}

// ---- Arrow: nine diagonals, the column in the middle, and two full rows ----

const size_t HALF_WIDTH = 4; // diagonals on either side of the main one

static inline bool is_full(size_t row, size_t N) { return row == N / 3 || row == N / 3 * 2; }

// The columns of the band in this row are first ... last.
static inline size_t first_of_band(size_t row) { return row < HALF_WIDTH ? 0 : row - HALF_WIDTH; }

static inline size_t last_of_band(size_t row, size_t N)
{
    return row + HALF_WIDTH < N ? row + HALF_WIDTH : N - 1;
}

static inline size_t arrow_length(size_t row, size_t N, size_t)
{
    const size_t first = first_of_band(row), last = last_of_band(row, N);
    const bool is_inside = N / 2 >= first && N / 2 <= last;
    return is_full(row, N) ? N : last - first + 1 + !is_inside;
}

static inline size_t arrow_column(size_t row, size_t k, size_t length, size_t N, size_t)
{
    const size_t first = first_of_band(row), last = last_of_band(row, N);
    if (is_full(row, N))
    {
        return k;
    }
    if (N / 2 < first)
    {
        return k == 0 ? N / 2 : first + k - 1;
    }
    return N / 2 > last && k == length - 1 ? N / 2 : first + k;
}

// ---- Band: the points of a grid and their neighbours, 13 diagonals in all. One element in sixteen
// is missing, but none of the main diagonal ----

const int BAND = 13;

// Points in a row of the grid. From 4 on no two diagonals are the same.
static inline size_t width_of_grid(size_t N) { return 4 + (size_t)sqrt((double)N); }

// The column of this row on diagonal d; N: there is none, or the element is missing.
static inline size_t column_on_diagonal(size_t row, int d, size_t width, size_t N, size_t seed)
{
    const long W = (long)width;
    const long distances[BAND] = {-2 * W, -W - 1, -W,    -W + 1, -2,    -1,   0,
                                  1,      2,      W - 1, W,      W + 1, 2 * W};
    const long column = (long)row + distances[d];
    const bool is_missing = distances[d] != 0 && random_below(seed + 7, row * BAND + d, 16) == 0;
    return column < 0 || column >= (long)N || is_missing ? N : (size_t)column;
}

static inline size_t band_length(size_t row, size_t N, size_t seed)
{
    const size_t width = width_of_grid(N);
    size_t length = 0;
    for (int d = 0; d < BAND; ++d)
    {
        length += column_on_diagonal(row, d, width, N, seed) < N;
    }
    return length;
}

static inline size_t band_column(size_t row, size_t k, size_t, size_t N, size_t seed)
{
    const size_t width = width_of_grid(N);
    size_t column = N;
    for (int d = 0; d < BAND; ++d)
    {
        column = column_on_diagonal(row, d, width, N, seed);
        if (column < N && k-- == 0)
        {
            break;
        }
    }
    return column;
}

const Kind KINDS[] = {
    {"power-law", power_length, power_column},
    {"arrow", arrow_length, arrow_column},
    {"band", band_length, band_column},
};
const int NUM_KINDS = sizeof(KINDS) / sizeof(KINDS[0]);

// ---- A matrix of a kind, in CSR, and its product with x ----

// Ends the program if an int cannot count the elements, the rows and a tile's excess together.
static inline size_t count_kind(const Kind *kind, size_t N, size_t seed)
{
    size_t nnz = 0;
    for (size_t row = 0; row < N; ++row)
    {
        nnz += kind->length(row, N, seed);
    }
    if (N + nnz > MAX_ELEMENTS)
    {
        usage_error("this matrix has %zu rows and elements, and %zu are possible", N + nnz,
                    MAX_ELEMENTS);
    }
    return nnz;
}

static inline Matrix new_kind(const Kind *kind, size_t N, size_t seed)
{
    Matrix A = {};
    A.M = A.N = N;
    const size_t count = count_kind(kind, N, seed);
    A.offsets = (int *)malloc((N + 1) * sizeof(int));
    A.columns = (int *)malloc(count * sizeof(int));
    A.values = (real *)malloc(count * sizeof(real));
    size_t wrong = 0; // columns that are not behind the one before, or not in the matrix
    for (size_t row = 0; row < N; ++row)
    {
        A.offsets[row] = (int)A.nnz;
        const size_t length = kind->length(row, N, seed);
        size_t least = 0; // for the next column
        for (size_t k = 0; k < length; ++k)
        {
            const size_t column = kind->column(row, k, length, N, seed);
            wrong += column < least || column >= N;
            least = column + 1;
            append(&A, column, random_value(row, k, N, seed));
        }
    }
    A.offsets[N] = (int)A.nnz;
    check_true("the number of elements", A.nnz == count);
    check_true("the columns of a row are in order", wrong == 0);
    return A;
}

// The product from the kind's functions, without the matrix, in double.
static inline void multiply_kind(const Kind *kind, const real *x, double *y, size_t N, size_t seed)
{
    for (size_t row = 0; row < N; ++row)
    {
        y[row] = 0.0;
        const size_t length = kind->length(row, N, seed);
        for (size_t k = 0; k < length; ++k)
        {
            const size_t column = kind->column(row, k, length, N, seed);
            y[row] += (double)random_value(row, k, N, seed) * (double)x[column];
        }
    }
}

// ---- ELL: each row has `width` places, the length of the longest row. Place k of all rows comes
// before place k + 1 of the first row. A place that is not used has the column -1 ----

const int NO_COLUMN = -1;

static inline size_t longest_row(const Matrix *A)
{
    int longest = 0;
    for (size_t row = 0; row < A->M; ++row)
    {
        const int length = A->offsets[row + 1] - A->offsets[row];
        longest = length > longest ? length : longest;
    }
    return (size_t)longest;
}

static inline void fill_ell(const Matrix *A, size_t width, int *columns, real *values)
{
    for (size_t row = 0; row < A->M; ++row)
    {
        const size_t begin = A->offsets[row], length = A->offsets[row + 1] - begin;
        for (size_t k = 0; k < width; ++k)
        {
            const bool is_used = k < length;
            columns[k * A->M + row] = is_used ? A->columns[begin + k] : NO_COLUMN;
            values[k * A->M + row] = is_used ? A->values[begin + k] : (real)0.0;
        }
    }
}

// ---- DIA: the diagonals that have elements, each of N values, one for each row. What is missing
// on a diagonal is 0 ----

const int MAX_DIAGONALS = 16;

struct Diagonals
{
    int count;
    int distances[MAX_DIAGONALS]; // column - row, in order
};

static inline int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// The place of a distance in the list; count: it is not there.
static inline int find_diagonal(const Diagonals *list, int distance)
{
    int d = 0;
    while (d < list->count && list->distances[d] != distance)
    {
        ++d;
    }
    return d;
}

// False if there are too many.
static inline bool list_diagonals(const Matrix *A, Diagonals *list)
{
    list->count = 0;
    for (size_t row = 0; row < A->M; ++row)
    {
        for (int n = A->offsets[row]; n < A->offsets[row + 1]; ++n)
        {
            const int distance = A->columns[n] - (int)row;
            if (find_diagonal(list, distance) < list->count)
            {
                continue;
            }
            if (list->count == MAX_DIAGONALS)
            {
                return false;
            }
            list->distances[list->count++] = distance;
        }
    }
    qsort(list->distances, list->count, sizeof(int), compare_ints);
    return true;
}

static inline void fill_dia(const Matrix *A, const Diagonals *list, real *values)
{
    memset(values, 0, list->count * A->M * sizeof(real));
    for (size_t row = 0; row < A->M; ++row)
    {
        for (int n = A->offsets[row]; n < A->offsets[row + 1]; ++n)
        {
            const int d = find_diagonal(list, A->columns[n] - (int)row);
            values[d * A->M + row] = A->values[n];
        }
    }
}
