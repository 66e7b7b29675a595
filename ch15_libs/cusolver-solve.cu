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
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions_data.cuh"
#include "check_cusolver.cuh"

// What the versions work on.
struct Data
{
    cusolverDnHandle_t handle;
    int n;
    const real *h_A, *h_b;           // the system, column by column
    const real *d_kept_A, *d_kept_b; // the same on the device
    real *d_A, *d_x;                 // A becomes its factors, and b becomes x
    real *d_tau;                     // QR: the factors of the reflections
    int *d_pivots;                   // LU: the exchanges of rows
    int *d_info;                     // devInfo of the two calls
    real *h_x, *h_R;                 // x and the factors, from the device
    real *d_work;                    // workspace ...
    int lwork;                       // ... of so many numbers
};

const cublasSideMode_t LEFT = CUBLAS_SIDE_LEFT;

// A = P L U, by getrf; getrs then does the rest.
void solve_by_lu(Data *d)
{
    const int n = d->n;
    CHECK_CUSOLVER(
        CUSOLVER_REAL(getrf)(d->handle, n, n, d->d_A, n, d->d_work, d->d_pivots, &d->d_info[0]));
    CHECK_CUSOLVER(CUSOLVER_REAL(getrs)(d->handle, CUBLAS_OP_N, n, 1, d->d_A, n, d->d_pivots,
                                        d->d_x, n, &d->d_info[1]));
}

// A = Q R, by geqrf; ormqr makes Q^T b. R x = Q^T b is left for the host: solve_triangle.
void solve_by_qr(Data *d)
{
    const int n = d->n;
    CHECK_CUSOLVER(CUSOLVER_REAL(geqrf)(d->handle, n, n, d->d_A, n, d->d_tau, d->d_work, d->lwork,
                                        &d->d_info[0]));
    CHECK_CUSOLVER(CUSOLVER_REAL(ormqr)(d->handle, LEFT, CUBLAS_OP_T, n, 1, n, d->d_A, n, d->d_tau,
                                        d->d_x, n, d->d_work, d->lwork, &d->d_info[1]));
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
    double norm_x = 0.0, norm_b = 0.0; // NaN in x is in each element of A x
    for (size_t i = 0; i < N; ++i)
    {
        norm_x = std::max(norm_x, fabs((double)x[i]));
        norm_b = std::max(norm_b, fabs((double)b[i]));
    }
    const double norm_A = *std::max_element(sums, sums + N);
    const double residual = largest_error(Ax, b, N) / (norm_A * norm_x + norm_b);
    free(Ax);
    free(sums);
    return residual;
}

// What devInfo says after the two calls: the program ends if the system was not solved.
void require_solution(const char *name, const Data *d)
{
    int info[2];
    CHECK(cudaMemcpy(info, d->d_info, sizeof(info), cudaMemcpyDeviceToHost));
    if (info[0] != 0 || info[1] != 0)
    {
        fprintf(stderr, "%s: devInfo = %d and %d: ", name, info[0], info[1]);
        fprintf(stderr, info[0] > 0 ? "the matrix is singular\n" : "an argument is wrong\n");
        exit(3);
    }
}

void check_solution(Table<Data> *table, const Data *d)
{
    require_solution(table->checking, d);
    table->error = residual_of(d->h_A, d->h_x, d->h_b, d->n);
    check_true(table->checking, table->error <= 100.0 * d->n * REAL_EPSILON);
}

void check_qr(Table<Data> *table, const Data *d)
{
    solve_triangle(d->h_R, d->h_x, d->n);
    check_solution(table, d);
}

const Version<Data> VERSIONS[] = {
    {"lu", "getrf makes A = P L U, with rows exchanged; getrs solves", ON_DEVICE, solve_by_lu,
     check_solution},
    {"qr", "geqrf makes A = Q R; ormqr makes Q^T b, and the host solves R x = Q^T b", ON_DEVICE,
     solve_by_qr, check_qr},
};

// The calls overwrite A and b, so each run begins with copies.
void restore(Data *d)
{
    const size_t bytes_b = d->n * sizeof(real), bytes = d->n * bytes_b;
    CHECK(cudaMemcpy(d->d_A, d->d_kept_A, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(d->d_x, d->d_kept_b, bytes_b, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemset(d->d_info, POISON_BYTE, 2 * sizeof(int)));
}

// Each function says how many numbers of workspace it needs. The largest fits all.
int size_of_workspace(const Data *d)
{
    const int n = d->n;
    int sizes[3];
    CHECK_CUSOLVER(CUSOLVER_REAL(getrf_bufferSize)(d->handle, n, n, d->d_A, n, &sizes[0]));
    CHECK_CUSOLVER(CUSOLVER_REAL(geqrf_bufferSize)(d->handle, n, n, d->d_A, n, &sizes[1]));
    CHECK_CUSOLVER(CUSOLVER_REAL(ormqr_bufferSize)(d->handle, LEFT, CUBLAS_OP_T, n, 1, n, d->d_A, n,
                                                   d->d_tau, d->d_x, n, &sizes[2]));
    return std::max(1, *std::max_element(sizes, sizes + 3));
}

int main(int argc, char **argv)
{
    args.N = default_size(512, 128);
    args.size_is = "number of equations and unknowns";
    args.repeats = 5;
    add_versions(VERSIONS);
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

    const size_t N = args.N, bytes = N * N * sizeof(real), bytes_b = N * sizeof(real);
    real *h_A = (real *)malloc(bytes), *h_R = (real *)malloc(bytes);
    real *h_b = (real *)malloc(bytes_b), *h_x = (real *)malloc(bytes_b);
    real *d_kept_A, *d_kept_b, *d_A, *d_x, *d_tau;
    int *d_pivots, *d_info;
    CHECK(cudaMalloc(&d_kept_A, bytes));
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_kept_b, bytes_b));
    CHECK(cudaMalloc(&d_x, bytes_b));
    CHECK(cudaMalloc(&d_tau, bytes_b));
    CHECK(cudaMalloc(&d_pivots, N * sizeof(int)));
    CHECK(cudaMalloc(&d_info, 2 * sizeof(int)));

    fill_random(h_A, N * N, args.seed);
    fill_random(h_b, N, args.seed + 1);
    CHECK(cudaMemcpy(d_kept_A, h_A, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_kept_b, h_b, bytes_b, cudaMemcpyHostToDevice));

    cusolverDnHandle_t handle;
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    Data data = {handle, (int)N, h_A,      h_b,    d_kept_A, d_kept_b, d_A,
                 d_x,    d_tau,  d_pivots, d_info, h_x,      h_R};
    data.lwork = size_of_workspace(&data);
    require_memory(0.0, (double)data.lwork * sizeof(real));
    CHECK(cudaMalloc(&data.d_work, data.lwork * sizeof(real)));

    Table<Data> table;
    table.data = &data;
    table.setup = restore;
    table.outputs[0] = {h_x, d_x, bytes_b};
    table.outputs[1] = {h_R, d_A, bytes};
    table.operations = 2.0 / 3.0 * N * N * N;
    // The kernel that measures the ceiling is a plain loop. On a CPU the library is faster.
    table.ceiling = ON_GPU ? multiply_add_ceiling<real> : NULL;
    run_versions(&table, VERSIONS);

    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    for (real *d : {d_kept_A, d_A, d_kept_b, d_x, d_tau, data.d_work})
    {
        CHECK(cudaFree(d));
    }
    CHECK(cudaFree(d_pivots));
    CHECK(cudaFree(d_info));
    for (real *h : {h_A, h_R, h_b, h_x})
    {
        free(h);
    }
    return verdict();
}
