// The product of two matrices, C = A B: its data on the host, and how to check it at any size.
//
// A has M rows and K columns, B has K and N, C has M and N. All lie row by row. A whole reference
// takes M N K multiplications on the host: minutes, where the device takes milliseconds. So each
// version is checked in two ways that take less:
//
// 1. On small integers, whose sums are exact in any order. Let r be a vector of N random integers.
//    If C is right, the vectors C r and A (B r) are equal, because (A B) r = A (B r). Element i of
//    C r depends on row i of C alone. So one comparison checks every row of C, and it takes only
//    M N + N K + M K multiplications. (This is Freivalds' check.) An element of r is one of 2^32
//    numbers at random, so a wrong row passes once in 2^32 runs.
// 2. On the random numbers in [0, 1) that are timed. Rows of C are compared with sums in double.
//    Each of K additions and K multiplications rounds by at most epsilon / 2 of the whole sum,
//    because no term is negative. So the bound is K epsilon times the reference. If all rows would
//    take too long, C is divided into stripes, and one row of each stripe is compared.
//
// matmul computes in `real`, matmul-tensor always in float. So each of them says what an `element`
// is before it includes this file: typedef float element;
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh"

const size_t MAX_SIZE = 2000000000; // of M, N and K: int holds them, rounded up to tiles
const double REFERENCE_STEPS = 1 << 28;

struct Product
{
    size_t M, N, K;
    element *h_A, *h_B, *h_C;
    uint64_t *A_B_r;   // A (B r), modulo 2^64: what is equal stays equal
    size_t num_rows;   // of the reference
    element *rows;     // these rows of C
    double *reference; // what they should be
    double epsilon;    // of the additions
    bool is_exact;     // the numbers are small integers
};

inline size_t rows_of_reference(size_t M, size_t N, size_t K)
{
    return (size_t)fmin((double)M, ceil(REFERENCE_STEPS / ((double)N * K)));
}

// Refuses sizes that do not fit. (parse_args would take M N K for the number of elements.) The
// device holds A and B in numbers of so many bytes.
inline void refuse_unfit(size_t input_bytes, double more_on_device)
{
    const double M = args.M, N = args.N, K = args.K;
    if (fmax(fmax(M, N), K) > MAX_SIZE)
    {
        usage_error("M, N and K are %zu at most", MAX_SIZE);
    }
    const double on_host = sizeof(element) * (M * K + K * N + M * N) +
                           input_bytes * fmax(M, N) * K +
                           rows_of_reference(M, N, K) * N * (sizeof(element) + sizeof(double)) +
                           sizeof(uint64_t) * (M + K);
    const double on_device =
        input_bytes * (M * K + K * N) + sizeof(element) * M * N + more_on_device;
    require_memory(on_host, on_device);
}

inline void allocate_product(Product *p, size_t M, size_t N, size_t K, double epsilon)
{
    p->M = M;
    p->N = N;
    p->K = K;
    p->epsilon = epsilon;
    p->num_rows = rows_of_reference(M, N, K);
    p->h_A = (element *)malloc(M * K * sizeof(element));
    p->h_B = (element *)malloc(K * N * sizeof(element));
    p->h_C = (element *)malloc(M * N * sizeof(element));
    p->A_B_r = (uint64_t *)malloc(M * sizeof(uint64_t));
    p->rows = (element *)malloc(p->num_rows * N * sizeof(element));
    p->reference = (double *)malloc(p->num_rows * N * sizeof(double));
}

inline void free_product(Product *p)
{
    free(p->h_A);
    free(p->h_B);
    free(p->h_C);
    free(p->A_B_r);
    free(p->rows);
    free(p->reference);
}

// ---- 1. Every row, on small integers ----

// Element n of the vector r. Its seed is not likely to be that of the data.
inline uint64_t element_of_r(size_t n) { return hash_bits(UINT64_MAX, n) >> 32; }

// What C r should be, for the integers in h_A and h_B.
inline void expect_exact(Product *p)
{
    uint64_t *B_r = (uint64_t *)malloc(p->K * sizeof(uint64_t));
    for (size_t k = 0; k < p->K; ++k)
    {
        B_r[k] = 0;
        for (size_t n = 0; n < p->N; ++n)
        {
            B_r[k] += (uint64_t)(int64_t)p->h_B[k * p->N + n] * element_of_r(n);
        }
    }
    for (size_t m = 0; m < p->M; ++m)
    {
        p->A_B_r[m] = 0;
        for (size_t k = 0; k < p->K; ++k)
        {
            p->A_B_r[m] += (uint64_t)(int64_t)p->h_A[m * p->K + k] * B_r[k];
        }
    }
    free(B_r);
    p->is_exact = true;
}

// Whether row m of C consists of integers, and times r is what it should be.
inline bool is_row_exact(const Product *p, size_t m)
{
    const element *row = p->h_C + m * p->N;
    uint64_t C_r = 0;
    for (size_t n = 0; n < p->N; ++n)
    {
        if (!(fabs(row[n]) < 1e15 && row[n] == floor(row[n])))
        {
            return false;
        }
        C_r += (uint64_t)(int64_t)row[n] * element_of_r(n);
    }
    return C_r == p->A_B_r[m];
}

inline void check_exact(const Product *p)
{
    size_t wrong = 0, first = 0;
    for (size_t m = p->M; m-- > 0;)
    {
        if (!is_row_exact(p, m))
        {
            first = m;
            ++wrong;
        }
    }
    char text[256];
    snprintf(text, sizeof(text), "%s, on integers: row %zu of C; %zu of %zu are wrong", g_row,
             first, wrong, p->M);
    check_true(text, wrong == 0);
}

// ---- 2. Some rows or all, on random numbers ----

// The row of C that row `stripe` of the reference stands for.
inline size_t row_of_stripe(const Product *p, size_t stripe)
{
    const size_t first = stripe * p->M / p->num_rows, end = (stripe + 1) * p->M / p->num_rows;
    return first + random_below(1, stripe, end - first);
}

// Computes the reference's rows. Returns the ms that one core of the host would take for all rows
// of C if each took as long as these.
inline double compute_reference(Product *p)
{
    const double start = host_clock();
    for (size_t stripe = 0; stripe < p->num_rows; ++stripe)
    {
        const element *a = p->h_A + row_of_stripe(p, stripe) * p->K;
        double *c = p->reference + stripe * p->N;
        memset(c, 0, p->N * sizeof(double));
        for (size_t k = 0; k < p->K; ++k)
        {
            for (size_t n = 0; n < p->N; ++n)
            {
                c[n] += (double)a[k] * p->h_B[k * p->N + n];
            }
        }
    }
    p->is_exact = false;
    return (host_clock() - start) * p->M / p->num_rows;
}

inline void check_rounded(const Product *p)
{
    for (size_t stripe = 0; stripe < p->num_rows; ++stripe)
    {
        memcpy(p->rows + stripe * p->N, p->h_C + row_of_stripe(p, stripe) * p->N,
               p->N * sizeof(element));
    }
    double largest = 0.0;
    for (size_t i = 0; i < p->num_rows * p->N; ++i)
    {
        largest = fmax(largest, fabs(p->rows[i] / p->reference[i] - 1.0));
    }
    check_elements(g_row, p->rows, p->reference, p->num_rows * p->N, p->K * p->epsilon);
    g_error = largest;
}

// The check of a version: for the numbers that A and B have now.
inline void check_product(const Product *p)
{
    if (p->is_exact)
    {
        check_exact(p);
    }
    else
    {
        check_rounded(p);
    }
}
