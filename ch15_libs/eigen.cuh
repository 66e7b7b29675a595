// What the programs on eigenvalues share: random Hermitian matrices, what devInfo says, and how the
// host knows that eigenvalues and eigenvectors are right. A v = w B v, where B may be the unit
// matrix.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "check_cusolver.cuh"

const size_t ALL_CHECKED = 512; // up to this N every vector is checked, of more a sample

// A v = w B v. The host has the matrices whole, in double, without gaps between columns.
struct Problem
{
    size_t N;
    cuDoubleComplex *A, *B; // B is the unit matrix, if the problem is not a generalized one
    double norm_A, norm_B;  // Frobenius: the root of the sum of all squares; 0 for the unit matrix
    double trace_A;
};

// ---- The matrices ----

// A random Hermitian matrix: a_ij = conj(a_ji).
static inline void fill_hermitian(cuDoubleComplex *A, size_t N, uint64_t seed)
{
    for (size_t j = 0; j < N; ++j)
    {
        for (size_t i = j; i < N; ++i)
        {
            const size_t here = j * N + i, mirror = i * N + j;
            const double re = 2.0 * random_unit(seed, 2 * here) - 1.0;
            const double im = 2.0 * random_unit(seed, 2 * here + 1) - 1.0;
            A[here] = make_cuDoubleComplex(re, i == j ? 0.0 : im);
            A[mirror] = cuConj(A[here]);
        }
    }
}

// A Hermitian matrix that is positive definite: its diagonal is larger than the rest of the row.
static inline void fill_definite(cuDoubleComplex *B, size_t N, uint64_t seed)
{
    for (size_t j = 0; j < N; ++j)
    {
        for (size_t i = j; i < N; ++i)
        {
            const size_t here = j * N + i, mirror = i * N + j;
            const double b = random_unit(seed, here);
            B[here] = make_cuDoubleComplex(i == j ? 2.0 * N : b, i == j ? 0.0 : 0.5 * b);
            B[mirror] = cuConj(B[here]);
        }
    }
}

static inline void fill_unit(cuDoubleComplex *B, size_t N)
{
    for (size_t i = 0; i < N * N; ++i)
    {
        B[i] = make_cuDoubleComplex(i % (N + 1) == 0, 0.0);
    }
}

static inline double trace_of(const cuDoubleComplex *A, size_t N)
{
    double trace = 0.0;
    for (size_t i = 0; i < N; ++i)
    {
        trace += A[i * N + i].x;
    }
    return trace;
}

static inline double norm(const cuDoubleComplex *v, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i)
    {
        sum += v[i].x * v[i].x + v[i].y * v[i].y;
    }
    return sqrt(sum);
}

static inline Problem new_problem(size_t N, bool is_generalized, uint64_t seed)
{
    Problem problem = {};
    const size_t count = N * N;
    problem.N = N;
    problem.A = (cuDoubleComplex *)malloc(count * sizeof(cuDoubleComplex));
    problem.B = (cuDoubleComplex *)malloc(count * sizeof(cuDoubleComplex));
    fill_hermitian(problem.A, N, seed);
    if (is_generalized)
    {
        fill_definite(problem.B, N, seed + 1);
        problem.norm_B = norm(problem.B, count);
    }
    else
    {
        fill_unit(problem.B, N);
    }
    problem.norm_A = norm(problem.A, count);
    problem.trace_A = trace_of(problem.A, N);
    return problem;
}

static inline void free_problem(Problem *problem)
{
    free(problem->A);
    free(problem->B);
}

// Only the lower half is valid on the device. In the upper half, and below each column, stands
// something else: the solvers do not read it.
static inline void copy_lower_half(const cuDoubleComplex *from, size_t N, size_t lda,
                                   ComplexReal *d_to)
{
    const size_t bytes = lda * N * sizeof(ComplexReal);
    ComplexReal *staging = (ComplexReal *)malloc(bytes);
    poison(staging, bytes);
    for (size_t j = 0; j < N; ++j)
    {
        for (size_t i = j; i < N; ++i)
        {
            staging[j * lda + i].x = (real)from[j * N + i].x;
            staging[j * lda + i].y = (real)from[j * N + i].y;
        }
    }
    CHECK(cudaMemcpy(d_to, staging, bytes, cudaMemcpyHostToDevice));
    free(staging);
}

// ---- devInfo ----

// What devInfo says after an eigensolver has ended. It lies on the device, so it is known only
// after a copy. The status of the call says only whether the arguments were right.
static inline void print_info(FILE *file, const char *call, cusolverStatus_t status, int info,
                              size_t N)
{
    int unwritten;
    poison(&unwritten, sizeof(unwritten));
    fprintf(file, "%s: %s, ", call, cusolver_status_name(status));
    if (info == unwritten)
    {
        fprintf(file, "devInfo was not written\n");
    }
    else
    {
        fprintf(file, "devInfo = %d: %s\n", info,
                info < 0        ? "an argument is wrong"
                : info == 0     ? "no error"
                : info > (int)N ? "Jacobi's method has not ended, or B is not positive definite"
                                : "the method has not ended");
    }
}

// ---- Checks on the host, in double ----

// y = M v
static inline void multiply(const cuDoubleComplex *M, const cuDoubleComplex *v, cuDoubleComplex *y,
                            size_t N)
{
    for (size_t i = 0; i < N; ++i)
    {
        y[i].x = y[i].y = 0.0;
    }
    for (size_t j = 0; j < N; ++j)
    {
        const double re = v[j].x, im = v[j].y;
        const cuDoubleComplex *column = M + j * N;
        for (size_t i = 0; i < N; ++i)
        {
            y[i].x += column[i].x * re - column[i].y * im;
            y[i].y += column[i].x * im + column[i].y * re;
        }
    }
}

// How far v^H y is from `wanted`.
static inline double product_error(const cuDoubleComplex *v, const cuDoubleComplex *y, size_t N,
                                   double wanted)
{
    double re = 0.0, im = 0.0;
    for (size_t i = 0; i < N; ++i)
    {
        re += v[i].x * y[i].x + v[i].y * y[i].y;
        im += v[i].x * y[i].y - v[i].y * y[i].x;
    }
    return hypot(re - wanted, im);
}

// The largest of two numbers, or NaN if one of them is NaN.
static inline double larger(double a, double b) { return a <= b || isnan(b) ? b : a; }

// |A v - w B v| over |A| + |w| |B|, and how far the vectors are from v_i^H B v_j = 1 (i = j) or 0.
// All vectors are looked at, or of many a sample.
static inline void vector_errors(const Problem *problem, const real *W, const ComplexReal *V,
                                 size_t lda, double *residual, double *orthogonality)
{
    const size_t N = problem->N;
    cuDoubleComplex *vectors = (cuDoubleComplex *)malloc(N * N * sizeof(cuDoubleComplex));
    cuDoubleComplex *Av = (cuDoubleComplex *)malloc(N * sizeof(cuDoubleComplex));
    cuDoubleComplex *Bv = (cuDoubleComplex *)malloc(N * sizeof(cuDoubleComplex));
    for (size_t j = 0; j < N; ++j)
    {
        for (size_t i = 0; i < N; ++i)
        {
            vectors[j * N + i] = make_cuDoubleComplex(V[j * lda + i].x, V[j * lda + i].y);
        }
    }
    *residual = *orthogonality = 0.0;
    const size_t step = N <= ALL_CHECKED ? 1 : N * N / ALL_CHECKED * N / ALL_CHECKED / ALL_CHECKED;
    for (size_t j = 0; j < N; j += step)
    {
        const cuDoubleComplex *v = vectors + j * N;
        multiply(problem->A, v, Av, N);
        multiply(problem->B, v, Bv, N);
        for (size_t i = 0; i < N; ++i)
        {
            Av[i].x -= W[j] * Bv[i].x;
            Av[i].y -= W[j] * Bv[i].y;
        }
        const double size = problem->norm_A + fabs(W[j]) * problem->norm_B;
        *residual = larger(*residual, norm(Av, N) / (size * norm(v, N)));
        for (size_t i = 0; i < N; ++i)
        {
            const double error = product_error(vectors + i * N, Bv, N, i == j);
            *orthogonality = larger(*orthogonality, error);
        }
    }
    free(vectors);
    free(Av);
    free(Bv);
}

// How many eigenvalues lie below x, without computing one. A - x B = L D L^H with a diagonal D has
// as many negative numbers in D (Sylvester's law of inertia).
static inline size_t count_below(const Problem *problem, double x)
{
    const size_t N = problem->N;
    cuDoubleComplex *M = (cuDoubleComplex *)malloc(N * N * sizeof(cuDoubleComplex));
    for (size_t i = 0; i < N * N; ++i)
    {
        M[i].x = problem->A[i].x - x * problem->B[i].x;
        M[i].y = problem->A[i].y - x * problem->B[i].y;
    }
    size_t count = 0;
    for (size_t k = 0; k < N; ++k)
    {
        const cuDoubleComplex *pivots = M + k * N; // column k below the diagonal, and D[k] on it
        const double D = pivots[k].x;
        count += D < 0.0;
        for (size_t j = k + 1; j < N; ++j)
        {
            const double re = pivots[j].x / D, im = -pivots[j].y / D;
            cuDoubleComplex *column = M + j * N;
            for (size_t i = j; i < N; ++i)
            {
                column[i].x -= pivots[i].x * re - pivots[i].y * im;
                column[i].y -= pivots[i].x * im + pivots[i].y * re;
            }
        }
    }
    free(M);
    return count;
}

// ---- The checks of a row of a table ----

static inline void check_that(const char *what, bool right)
{
    char text[128];
    snprintf(text, sizeof(text), "%s: %s", g_row, what);
    check_true(text, right);
}

// The program ends if devInfo is not 0. W is on the host.
static inline void check_values(const Problem *problem, const real *W, const int *d_info)
{
    const size_t N = problem->N;
    int info;
    CHECK(cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost));
    if (info != 0)
    {
        print_info(stderr, g_row, CUSOLVER_STATUS_SUCCESS, info, N);
        exit(3);
    }
    bool ascending = true;
    for (size_t i = 1; i < N; ++i)
    {
        ascending = ascending && W[i - 1] <= W[i];
    }
    check_that("the eigenvalues ascend", ascending);
    const size_t half = N / 2;
    const double between = half == 0 ? W[0] - 1.0 : 0.5 * ((double)W[half - 1] + W[half]);
    if (N <= ALL_CHECKED)
    {
        check_that("half of the eigenvalues lie below the middle",
                   count_below(problem, between) == half);
    }
    g_result = W[0];
}

// The sum of the eigenvalues is the trace, and the sum of their squares the sum of all squares.
// This holds where B is the unit matrix.
static inline void check_sums(const Problem *problem, const real *W)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < problem->N; ++i)
    {
        sum += W[i];
        squares += (double)W[i] * W[i];
    }
    const double bound = 100 * problem->N * REAL_EPSILON * problem->norm_A;
    check_that("the sum of the eigenvalues", fabs(sum - problem->trace_A) <= bound);
    check_that("the sum of their squares",
               fabs(squares - problem->norm_A * problem->norm_A) <= bound * problem->norm_A);
}

// Returns how far the vectors are from orthogonal vectors of length 1.
static inline double check_vectors(const Problem *problem, const real *W, const ComplexReal *V,
                                   size_t lda)
{
    double orthogonality;
    vector_errors(problem, W, V, lda, &g_error, &orthogonality);
    const double bound = 100 * problem->N * REAL_EPSILON;
    check_that("A v = w B v", g_error <= bound);
    check_that("the vectors are orthogonal, of length 1", orthogonality <= bound);
    return orthogonality;
}
