// cusolver-eigen: eigenvalues and eigenvectors by cuSOLVER: divide and conquer against Jacobi's
// method
//
// From:    section 18.2
// Compile: nvcc -O3 cusolver-eigen.cu -lcusolver
// Run:     ./a.out -n 512
// Libs:    -lcusolver
//
// The matrices are random and Hermitian, of any size N. See cusolver.cu for what the parts of a
// function's name say. gv is the generalized problem. The last letter is the method: d is divide
// and conquer, j is Jacobi's. The matrices are in column order: element (i, j) is A[j * lda + i].
// The numbers are complex floats, and with -DUSE_DP complex doubles.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/multiply_add.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh"
#include "check_cusolver.cuh"

const size_t ALL_CHECKED = 512; // up to this N every vector is checked, of more a sample

// A v = w B v. The host has the matrices whole, in double, without gaps between columns.
struct Problem
{
    size_t N;
    cuDoubleComplex *A, *B; // B is the unit matrix, except for hegvd
    double norm_A, norm_B;  // Frobenius: the root of the sum of all squares; 0 for the unit matrix
    double trace_A;
};

static size_t N, lda;             // a column begins `lda` elements after the one before
static Problem standard, general; // A v = w v, and A v = w B v
// The library overwrites d_A and d_factor, so d_matrix and d_B keep the two matrices.
static ComplexReal *d_matrix, *d_B; // A and B
static ComplexReal *d_A, *d_factor; // A becomes the vectors, B its factors
static real *d_W;                   // the eigenvalues
static int *d_info;                 // devInfo
static ComplexReal *d_work;         // workspace ...
static int lwork;                   // ... of so many numbers
static ComplexReal *h_V;            // the vectors, from the device
static real *h_W;                   // the values, from the device
static double worst_orthogonality;  // of all rows with vectors
static cusolverDnHandle_t handle;
static syevjInfo_t jacobi; // the options of Jacobi's method, and how it went

// ---- Checks on the host, in double ----

// y = M v
void multiply(const cuDoubleComplex *M, const cuDoubleComplex *v, cuDoubleComplex *y, size_t N)
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

double norm(const cuDoubleComplex *v, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; ++i)
    {
        sum += v[i].x * v[i].x + v[i].y * v[i].y;
    }
    return sqrt(sum);
}

// How far v^H y is from `wanted`.
double product_error(const cuDoubleComplex *v, const cuDoubleComplex *y, size_t N, double wanted)
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
double larger(double a, double b) { return a <= b || isnan(b) ? b : a; }

// |A v - w B v| over |A| + |w| |B|, and how far the vectors are from v_i^H B v_j = 1 (i = j) or 0.
// All vectors are looked at, or of many a sample.
void vector_errors(const Problem *problem, const real *W, const ComplexReal *V, size_t lda,
                   double *residual, double *orthogonality)
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
size_t count_below(const Problem *problem, double x)
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

// ---- devInfo ----

// What devInfo says after an eigensolver has ended. It lies on the device, so it is known only
// after a copy. The status of the call says only whether the arguments were right.
void print_info(FILE *file, const char *call, cusolverStatus_t status, int info, size_t N)
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

// ---- The calls ----

const cublasFillMode_t UPLO = CUBLAS_FILL_MODE_LOWER; // the half of a matrix that is read
const cusolverEigMode_t VECTORS = CUSOLVER_EIG_MODE_VECTOR;
const cusolverEigMode_t NO_VECTORS = CUSOLVER_EIG_MODE_NOVECTOR;

cusolverStatus_t heevd(cusolverEigMode_t jobz)
{
    return CUSOLVER_COMPLEX(heevd)(handle, jobz, UPLO, N, d_A, lda, d_W, d_work, lwork, d_info);
}

cusolverStatus_t heevj(void)
{
    return CUSOLVER_COMPLEX(heevj)(handle, VECTORS, UPLO, N, d_A, lda, d_W, d_work, lwork, d_info,
                                   jacobi);
}

cusolverStatus_t hegvd(void)
{
    return CUSOLVER_COMPLEX(hegvd)(handle, CUSOLVER_EIG_TYPE_1, VECTORS, UPLO, N, d_A, lda,
                                   d_factor, lda, d_W, d_work, lwork, d_info);
}

void run_heevd(void) { CHECK_CUSOLVER(heevd(VECTORS)); }
void run_heevd_values(void) { CHECK_CUSOLVER(heevd(NO_VECTORS)); }
void run_heevj(void) { CHECK_CUSOLVER(heevj()); }
void run_hegvd(void) { CHECK_CUSOLVER(hegvd()); }

// Each function says how many numbers of workspace it needs. The largest fits all.
int size_of_workspace(void)
{
    int sizes[4], most = 0;
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd_bufferSize)(handle, VECTORS, UPLO, N, d_A, lda, d_W, &sizes[0]));
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd_bufferSize)(handle, NO_VECTORS, UPLO, N, d_A, lda, d_W, &sizes[1]));
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(heevj_bufferSize)(handle, VECTORS, UPLO, N, d_A, lda, d_W,
                                                      &sizes[2], jacobi));
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(hegvd_bufferSize)(handle, CUSOLVER_EIG_TYPE_1, VECTORS, UPLO, N,
                                                      d_A, lda, d_factor, lda, d_W, &sizes[3]));
    for (int i = 0; i < 4; ++i)
    {
        most = sizes[i] > most ? sizes[i] : most;
    }
    return most;
}

// The calls overwrite their matrices, so each run begins with copies.
void set_up(void)
{
    const size_t bytes = lda * N * sizeof(ComplexReal);
    CHECK(cudaMemcpy(d_A, d_matrix, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(d_factor, d_B, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(d_info, POISON_BYTE, sizeof(int)));
}

// ---- The checks ----

void check_that(const char *what, bool right)
{
    char text[128];
    snprintf(text, sizeof(text), "%s: %s", g_row, what);
    check_true(text, right);
}

void check_values(const Problem *problem)
{
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
        ascending = ascending && h_W[i - 1] <= h_W[i];
    }
    check_that("the eigenvalues ascend", ascending);
    const size_t half = N / 2;
    const double between = half == 0 ? h_W[0] - 1.0 : 0.5 * ((double)h_W[half - 1] + h_W[half]);
    if (problem->N <= ALL_CHECKED)
    {
        check_that("half of the eigenvalues lie below the middle",
                   count_below(problem, between) == half);
    }
    g_result = h_W[0];
}

// The sum of the eigenvalues is the trace, and the sum of their squares the sum of all squares.
void check_sums(const Problem *problem)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < N; ++i)
    {
        sum += h_W[i];
        squares += (double)h_W[i] * h_W[i];
    }
    const double bound = 100 * problem->N * REAL_EPSILON * problem->norm_A;
    check_that("the sum of the eigenvalues", fabs(sum - problem->trace_A) <= bound);
    check_that("the sum of their squares",
               fabs(squares - problem->norm_A * problem->norm_A) <= bound * problem->norm_A);
}

void check_vectors(const Problem *problem)
{
    double orthogonality;
    vector_errors(problem, h_W, h_V, lda, &g_error, &orthogonality);
    const double bound = 100 * problem->N * REAL_EPSILON;
    check_that("A v = w B v", g_error <= bound);
    check_that("the vectors are orthogonal, of length 1", orthogonality <= bound);
    worst_orthogonality = larger(worst_orthogonality, orthogonality);
}

void check_standard(void)
{
    check_values(&standard);
    check_sums(&standard);
    check_vectors(&standard);
}

void check_without_vectors(void)
{
    check_values(&standard);
    check_sums(&standard);
}

void check_general(void)
{
    check_values(&general);
    check_vectors(&general);
}

const Version VERSIONS[] = {
    {"heevd", "divide and conquer: values and vectors", run_heevd, check_standard, BY_LIBRARY},
    {"heevd-values", "the same without vectors", run_heevd_values, check_without_vectors,
     BY_LIBRARY},
    {"heevj", "Jacobi's method: values and vectors", run_heevj, check_standard, BY_LIBRARY},
    {"hegvd", "divide and conquer for the generalized problem A v = w B v", run_hegvd,
     check_general, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// How exact the vectors are, and how Jacobi's method went.
void print_notes(void)
{
    print_note("devInfo was 0 after each call; the column error is |A v - w v| / |A|\n");
    if (strcmp(args.version, "heevd-values") != 0)
    {
        print_note("the vectors are orthogonal within %.2g; the bound for both is %.2g\n",
                   worst_orthogonality, 100.0 * N * REAL_EPSILON);
    }
    if (is_selected("heevj"))
    {
        int sweeps;
        double left;
        CHECK_CUSOLVER(cusolverDnXsyevjGetSweeps(handle, jacobi, &sweeps));
        CHECK_CUSOLVER(cusolverDnXsyevjGetResidual(handle, jacobi, &left));
        print_note("heevj: %d sweeps; what is left beside the diagonal: %.2g\n", sweeps, left);
    }
}

// --nan: what the library says of a matrix with a NaN. No value is printed.
void show_nan(void)
{
    print_device_once();
    set_up();
    CHECK(cudaMemset(d_W, POISON_BYTE, N * sizeof(real)));
    const bool by_jacobi = strcmp(args.version, "heevj") == 0;
    const cusolverStatus_t status = by_jacobi ? heevj() : heevd(VECTORS);
    int info;
    CHECK(cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_W, d_W, N * sizeof(real), cudaMemcpyDeviceToHost));
    fflush(stdout);
    print_info(stderr, by_jacobi ? "heevj" : "heevd", status, info, N);
    // A program that reads devInfo alone would go on with such values.
    if (status == CUSOLVER_STATUS_SUCCESS && info == 0)
    {
        size_t bad = 0;
        for (size_t i = 0; i < N; ++i)
        {
            bad += !isfinite(h_W[i]);
        }
        fprintf(stderr, "the library has not noticed the NaN: %zu of %zu values are %s\n",
                bad > 0 ? bad : N, N, bad > 0 ? "NaN" : "numbers, but wrong");
    }
}

// ---- The matrices ----

// Random Hermitian matrices: a_ij = conj(a_ji). B is positive definite: its diagonal is larger than
// the rest of the row.
void fill_matrices(cuDoubleComplex *A, cuDoubleComplex *B, cuDoubleComplex *unit, size_t N,
                   uint64_t seed)
{
    for (size_t j = 0; j < N; ++j)
    {
        for (size_t i = j; i < N; ++i)
        {
            const size_t here = j * N + i, mirror = i * N + j;
            const double re = 2.0 * random_unit(seed, 2 * here) - 1.0;
            const double im = 2.0 * random_unit(seed, 2 * here + 1) - 1.0;
            const double b = random_unit(seed + 1, here);
            A[here] = make_cuDoubleComplex(re, i == j ? 0.0 : im);
            B[here] = make_cuDoubleComplex(i == j ? 2.0 * N : b, i == j ? 0.0 : 0.5 * b);
            A[mirror] = cuConj(A[here]);
            B[mirror] = cuConj(B[here]);
            unit[here] = unit[mirror] = make_cuDoubleComplex(i == j, 0.0);
        }
    }
}

double trace_of(const cuDoubleComplex *A, size_t N)
{
    double trace = 0.0;
    for (size_t i = 0; i < N; ++i)
    {
        trace += A[i * N + i].x;
    }
    return trace;
}

// Only the lower half is valid on the device. In the upper half, and below each column, stands
// something else: the solvers do not read it.
void copy_lower_half(const cuDoubleComplex *from, ComplexReal *d_to)
{
    const size_t bytes = lda * N * sizeof(ComplexReal);
    ComplexReal *staging = h_V;
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
}

int main(int argc, char **argv)
{
    bool has_nan = false;
    args.N = default_size(512, 128);
    args.size_is = "rows and columns of the matrix";
    args.repeats = 5;
    add_versions(VERSIONS, NUM_VERSIONS);
    args.columns =
        "  (here, result is the smallest eigenvalue, error is the largest |A v - w v| over\n"
        "  |A|, and GFLOP/s counts what makes the matrix tridiagonal, and no more)\n";
    add_flag("nan", &has_nan, "a matrix with a NaN: ends with devInfo and status 3");
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv --nan",
               "cusolver-eigen: eigenvalues and eigenvectors by cuSOLVER: divide and conquer "
               "against Jacobi's method");
    const double elements = (double)args.N * args.N;
    require_memory(elements * (4 * sizeof(cuDoubleComplex) + sizeof(ComplexReal)),
                   elements * 4 * sizeof(ComplexReal));
    if (args.N > 1000000)
    {
        usage_error("-n is at most 1000000, because cuSOLVER's sizes are ints");
    }

    N = args.N;
    lda = N + 3; // a column has three elements more than the matrix rows
    const size_t count = N * N, host_bytes = count * sizeof(cuDoubleComplex);
    const size_t bytes = lda * N * sizeof(ComplexReal), W_bytes = N * sizeof(real);
    cuDoubleComplex *h_A = (cuDoubleComplex *)malloc(host_bytes);
    cuDoubleComplex *h_B = (cuDoubleComplex *)malloc(host_bytes);
    cuDoubleComplex *h_unit = (cuDoubleComplex *)malloc(host_bytes);
    h_V = (ComplexReal *)malloc(bytes);
    h_W = (real *)malloc(W_bytes);
    CHECK(cudaMalloc(&d_matrix, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_factor, bytes));
    CHECK(cudaMalloc(&d_W, W_bytes));
    CHECK(cudaMalloc(&d_info, sizeof(int)));

    fill_matrices(h_A, h_B, h_unit, N, args.seed);
    if (has_nan)
    {
        h_A[count / 2 / N * N + N - 1].x = NAN; // in the last row of a column in the middle
    }
    copy_lower_half(h_A, d_matrix);
    copy_lower_half(h_B, d_B);
    const double norm_A = norm(h_A, count), trace = trace_of(h_A, N);
    standard = {N, h_A, h_unit, norm_A, 0.0, trace};
    general = {N, h_A, h_B, norm_A, norm(h_B, count), trace};

    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    CHECK_CUSOLVER(cusolverDnCreateSyevjInfo(&jacobi));
    lwork = size_of_workspace();
    require_memory(0.0, (double)lwork * sizeof(ComplexReal));
    CHECK(cudaMalloc(&d_work, (size_t)lwork * sizeof(ComplexReal)));

    if (has_nan)
    {
        show_nan();
    }
    else
    {
        Table table = {};
        table.set_up = set_up;
        table.outputs[0] = {h_V, d_A, bytes};
        table.outputs[1] = {h_W, d_W, W_bytes};
        // To make the matrix tridiagonal takes 2/3 N^3 multiply-adds of complex numbers, which are
        // eight operations each. The rate counts no others, though the vectors need more.
        table.operations = 16.0 / 3.0 * N * N * N;
        table.ceiling = ON_GPU ? multiply_add_ceiling<real>() : 0.0;
        table.shows_result = true;
        run_versions(&table, VERSIONS, NUM_VERSIONS);
        print_notes();
    }

    CHECK_CUSOLVER(cusolverDnDestroySyevjInfo(jacobi));
    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    CHECK(cudaFree(d_matrix));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_factor));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_W));
    CHECK(cudaFree(d_info));
    free(h_A);
    free(h_B);
    free(h_unit);
    free(h_V);
    free(h_W);
    return has_nan ? end_output(3) : verdict();
}
