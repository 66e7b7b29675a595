// cusolver-solve: a system of linear equations by cuSOLVER: LU against QR
//
// From:    section 18.1
// Compile: nvcc -O3 cusolver-solve.cu -lcusolver
// Run:     ./a.out -n 512
// Libs:    -lcusolver
//
// The system A x = b has N equations and N unknowns. A becomes a product of two factors, and a
// system with one of these factors is easy to solve. In getrf, ge is a general matrix, and trf its
// triangular factorization A = P L U. getrs solves with these factors. geqrf makes A = Q R. In
// ormqr, or is the orthogonal matrix Q, and mqr multiplies by it.
//
// LU needs half as many operations. QR also works for more equations than unknowns. Both
// overwrite A and b, so each run begins with copies of them.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh"
#include "check_cusolver.cuh"

const cublasSideMode_t LEFT = CUBLAS_SIDE_LEFT;

static size_t N;                  // equations and unknowns
static size_t A_bytes, b_bytes;   // of the matrix, and of b and x
static real *h_A, *h_b;           // the system, column by column
static real *d_kept_A, *d_kept_b; // the same on the device
static real *d_A, *d_x;           // A becomes its factors, and b becomes x
static real *d_tau;               // QR: the factors of the reflections
static int *d_pivots;             // LU: the exchanges of rows
static int *d_info;               // devInfo of the two calls
static real *h_x, *h_R;           // x and the factors, from the device
static real *d_work;              // workspace ...
static int lwork;                 // ... of so many numbers
static cusolverDnHandle_t handle;

// A = P L U, by getrf; getrs then does the rest.
void run_lu(void)
{
    CHECK_CUSOLVER(CUSOLVER_REAL(getrf)(handle, N, N, d_A, N, d_work, d_pivots, &d_info[0]));
    CHECK_CUSOLVER(
        CUSOLVER_REAL(getrs)(handle, CUBLAS_OP_N, N, 1, d_A, N, d_pivots, d_x, N, &d_info[1]));
}

// A = Q R, by geqrf; ormqr makes Q^T b. R x = Q^T b is left for the host: solve_triangle.
void run_qr(void)
{
    CHECK_CUSOLVER(CUSOLVER_REAL(geqrf)(handle, N, N, d_A, N, d_tau, d_work, lwork, &d_info[0]));
    CHECK_CUSOLVER(CUSOLVER_REAL(ormqr)(handle, LEFT, CUBLAS_OP_T, N, 1, N, d_A, N, d_tau, d_x, N,
                                        d_work, lwork, &d_info[1]));
}

// R x = b, from the last row to the first; x begins as b. R stands in the upper half of the array.
// cublasStrsm would do this on the device.
void solve_triangle(const real *R, real *x, size_t N)
{
    for (size_t j = N; j-- > 0;)
    {
        x[j] /= R[j * N + j];
        for (size_t i = 0; i < j; ++i)
        {
            x[i] -= R[j * N + i] * x[j];
        }
    }
}

// |A x - b| / (|A| |x| + |b|). |v| of a vector is its largest absolute value. |A| of the matrix is
// the largest sum of the absolute values of a row.
double residual_of(const real *A, const real *x, const real *b, size_t N)
{
    double *Ax = (double *)calloc(N, sizeof(double)), *sums = (double *)calloc(N, sizeof(double));
    for (size_t j = 0; j < N; ++j)
    {
        for (size_t i = 0; i < N; ++i)
        {
            Ax[i] += (double)A[j * N + i] * x[j];
            sums[i] += fabs(A[j * N + i]);
        }
    }
    double norm_A = 0.0, norm_x = 0.0, norm_b = 0.0; // NaN in x is in each element of A x
    for (size_t i = 0; i < N; ++i)
    {
        norm_A = fmax(norm_A, sums[i]);
        norm_x = fmax(norm_x, fabs((double)x[i]));
        norm_b = fmax(norm_b, fabs((double)b[i]));
    }
    const double residual = largest_error(Ax, b, N) / (norm_A * norm_x + norm_b);
    free(Ax);
    free(sums);
    return residual;
}

// What devInfo says after the two calls: the program ends if the system was not solved.
void require_solution(const char *name)
{
    int info[2];
    CHECK(cudaMemcpy(info, d_info, sizeof(info), cudaMemcpyDeviceToHost));
    if (info[0] != 0 || info[1] != 0)
    {
        fprintf(stderr, "%s: devInfo = %d and %d: ", name, info[0], info[1]);
        fprintf(stderr, info[0] > 0 ? "the matrix is singular\n" : "an argument is wrong\n");
        exit(3);
    }
}

void check_solution(void)
{
    require_solution(g_row);
    g_error = residual_of(h_A, h_x, h_b, N);
    check_true(g_row, g_error <= 100.0 * N * REAL_EPSILON);
}

void check_qr(void)
{
    solve_triangle(h_R, h_x, N);
    check_solution();
}

const Version VERSIONS[] = {
    {"lu", "getrf makes A = P L U, with rows exchanged; getrs solves", run_lu, check_solution,
     BY_LIBRARY},
    {"qr", "geqrf makes A = Q R; ormqr makes Q^T b, and the host solves R x = Q^T b", run_qr,
     check_qr, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// The calls overwrite A and b, so each run begins with copies.
void set_up(void)
{
    CHECK(cudaMemcpy(d_A, d_kept_A, A_bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(d_x, d_kept_b, b_bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(d_info, POISON_BYTE, 2 * sizeof(int)));
}

// Each function says how many numbers of workspace it needs. The largest fits all.
int size_of_workspace(void)
{
    int sizes[3], most = 1;
    CHECK_CUSOLVER(CUSOLVER_REAL(getrf_bufferSize)(handle, N, N, d_A, N, &sizes[0]));
    CHECK_CUSOLVER(CUSOLVER_REAL(geqrf_bufferSize)(handle, N, N, d_A, N, &sizes[1]));
    CHECK_CUSOLVER(CUSOLVER_REAL(ormqr_bufferSize)(handle, LEFT, CUBLAS_OP_T, N, 1, N, d_A, N,
                                                   d_tau, d_x, N, &sizes[2]));
    for (int i = 0; i < 3; ++i)
    {
        most = sizes[i] > most ? sizes[i] : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    args.N = default_size(512, 128);
    args.size_is = "number of equations and unknowns";
    args.repeats = 5;
    add_versions(VERSIONS, NUM_VERSIONS);
    args.columns =
        "  (here, error is the residual |A x - b| / (|A| |x| + |b|), and GFLOP/s counts\n"
        "  the 2/3 N^3 operations that LU needs, also for QR)\n";
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cusolver-solve: a system of linear equations by cuSOLVER: LU against QR");
    const double elements = (double)args.N * args.N, rows = (double)args.N;
    require_memory((2 * elements + 4 * rows) * sizeof(real),
                   (2 * elements + 4 * rows) * sizeof(real));
    if (args.N > 1000000)
    {
        usage_error("-n is at most 1000000, because cuSOLVER's sizes are ints");
    }

    N = args.N;
    A_bytes = N * N * sizeof(real);
    b_bytes = N * sizeof(real);
    h_A = (real *)malloc(A_bytes);
    h_R = (real *)malloc(A_bytes);
    h_b = (real *)malloc(b_bytes);
    h_x = (real *)malloc(b_bytes);
    CHECK(cudaMalloc(&d_kept_A, A_bytes));
    CHECK(cudaMalloc(&d_A, A_bytes));
    CHECK(cudaMalloc(&d_kept_b, b_bytes));
    CHECK(cudaMalloc(&d_x, b_bytes));
    CHECK(cudaMalloc(&d_tau, b_bytes));
    CHECK(cudaMalloc(&d_pivots, N * sizeof(int)));
    CHECK(cudaMalloc(&d_info, 2 * sizeof(int)));
    fill_random(h_A, N * N, args.seed);
    fill_random(h_b, N, args.seed + 1);
    CHECK(cudaMemcpy(d_kept_A, h_A, A_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_kept_b, h_b, b_bytes, cudaMemcpyHostToDevice));
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    lwork = size_of_workspace();
    require_memory(0.0, (double)lwork * sizeof(real));
    CHECK(cudaMalloc(&d_work, lwork * sizeof(real)));

    Table table = {};
    table.set_up = set_up;
    table.outputs[0] = {h_x, d_x, b_bytes};
    table.outputs[1] = {h_R, d_A, A_bytes};
    table.operations = 2.0 / 3.0 * N * N * N;
    // The kernel that measures the ceiling is a plain loop. On a CPU the library is faster.
    table.ceiling = ON_GPU ? multiply_add_ceiling<real>() : 0.0;
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    CHECK(cudaFree(d_kept_A));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_kept_b));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_tau));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_pivots));
    CHECK(cudaFree(d_info));
    free(h_A);
    free(h_R);
    free(h_b);
    free(h_x);
    return verdict();
}
