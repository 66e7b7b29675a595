// cusolver-eigen: eigenvalues and eigenvectors by cuSOLVER, and linear systems by LU and by QR
//
// From:    Listing 18.1, sections 18.1 and 18.2, file cusolver.cu
// Chinese: 用 cuSOLVER 求厄密矩阵的本征值与本征矢量，并用 LU 分解与 QR 分解求解线性方程组
// Compile: nvcc -O3 cusolver-eigen.cu -lcusolver
// Run:     ./a.out -n 512
// Options: -n N -r R -s S -k NAME --csv --nan
// Versions:
//   heevd         divide and conquer: values and vectors
//   heevd-values  the same without vectors
//   heevj         Jacobi's method: values and vectors
//   hegvd         the generalized problem A v = w B v
// Libs:    -lcusolver
// Checks:  44
// Sizes:   1 2 33 64 100
//
// First comes the book's 2 x 2 matrix, whose eigenvalues are -1 and 1. Then come random Hermitian
// matrices of any size N. A function's name says what it does. cusolverDnZheevd: Dn is a dense
// matrix. Z is complex double; S, D and C are float, double and complex float. he is Hermitian; sy
// is symmetric, the same for real numbers. ev is eigenvalues and eigenvectors, and gv those of a
// generalized problem. The last letter is the method: d is divide and conquer, j is Jacobi's. The
// matrices are in column order: element (i, j) is A[j * lda + i]. The numbers are complex floats,
// and with -DUSE_DP complex doubles. The book's matrix is always complex double.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"
#include "check_cusolver.cuh"

const size_t ALL_CHECKED = 512; // up to this N every vector is checked, of more a sample

// ---- Checks on the host, in double ----

// A v = w B v. The host has the matrices whole, in double, without gaps between columns.
struct Problem
{
    size_t N;
    cuDoubleComplex *A, *B; // B is the unit matrix, except for hegvd
    double norm_A, norm_B;  // Frobenius: the root of the sum of all squares; 0 for the unit matrix
    double trace_A;
};

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
double larger(double a, double b)
{
    return a <= b || isnan(b) ? b : a;
}

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

// ---- Listing 18.1 ----

// The matrix (0, -i; i, 0). In column order i comes before -i.
void solve_book(void)
{
    const int N = 2;
    const int N2 = N * N;
    const cuDoubleComplex A_cpu[N2] = {{0, 0}, {0, 1}, {0, -1}, {0, 0}};
    cuDoubleComplex *A, *work;
    double W_cpu[N], *W;
    CHECK(cudaMalloc(&A, sizeof(cuDoubleComplex) * N2));
    CHECK(cudaMalloc(&W, sizeof(double) * N));
    CHECK(cudaMemcpy(A, A_cpu, sizeof(cuDoubleComplex) * N2, cudaMemcpyHostToDevice));

    cusolverDnHandle_t handle = NULL;
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    const cusolverEigMode_t jobz = CUSOLVER_EIG_MODE_NOVECTOR;
    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
    int lwork = 0; // in numbers of A's type, not in bytes
    CHECK_CUSOLVER(cusolverDnZheevd_bufferSize(handle, jobz, uplo, N, A, N, W, &lwork));
    CHECK(cudaMalloc(&work, sizeof(cuDoubleComplex) * lwork));
    int info_cpu, *info;
    CHECK(cudaMalloc(&info, sizeof(int)));
    CHECK(cudaMemset(info, POISON_BYTE, sizeof(int)));
    poison(W_cpu, sizeof(W_cpu));
    CHECK_CUSOLVER(cusolverDnZheevd(handle, jobz, uplo, N, A, N, W, work, lwork, info));
    CHECK(cudaMemcpy(W_cpu, W, sizeof(double) * N, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&info_cpu, info, sizeof(int), cudaMemcpyDeviceToHost));

    print_note("Eigenvalues are:\n");
    for (int n = 0; n < N; ++n)
    {
        print_note("%g\n", W_cpu[n]);
    }
    print_note("devInfo = %d\n", info_cpu);
    const double reference[N] = {-1.0, 1.0};
    check_true("devInfo of the book's matrix", info_cpu == 0);
    check_elements("the book's eigenvalues", W_cpu, reference, N, 10 * DBL_EPSILON);

    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    CHECK(cudaFree(A));
    CHECK(cudaFree(W));
    CHECK(cudaFree(work));
    CHECK(cudaFree(info));
}

// ---- Linear systems ----

// |b - A x| / (|A| |x| + |b|). |v| of a vector is its largest absolute value. |A| of the matrix is
// the largest sum of the absolute values of a row.
double system_residual(const real *A, const real *x, const real *b, size_t N)
{
    double worst = 0.0, norm_A = 0.0, norm_x = 0.0, norm_b = 0.0;
    double *left = (double *)malloc(N * sizeof(double));
    double *sums = (double *)malloc(N * sizeof(double));
    for (size_t i = 0; i < N; ++i)
    {
        left[i] = b[i];
        sums[i] = 0.0;
    }
    for (size_t j = 0; j < N; ++j)
    {
        for (size_t i = 0; i < N; ++i)
        {
            left[i] -= (double)A[j * N + i] * x[j];
            sums[i] += fabs(A[j * N + i]);
        }
    }
    for (size_t i = 0; i < N; ++i)
    {
        worst = larger(worst, fabs(left[i]));
        norm_A = larger(norm_A, sums[i]);
        norm_x = larger(norm_x, fabs(x[i]));
        norm_b = larger(norm_b, fabs(b[i]));
    }
    free(left);
    free(sums);
    return worst / (norm_A * norm_x + norm_b);
}

// A x = b by two factorizations. LU: A = P L U, by getrf; getrs then does the rest. QR: A = Q R, by
// geqrf; ormqr makes Q^T b, and R x = Q^T b is solved from the last row to the first. LU needs half
// as many operations. QR also works for more equations than unknowns.
void solve_systems(const Args *args, cusolverDnHandle_t handle)
{
    const size_t N = args->N, bytes = N * N * sizeof(real), bytes_b = N * sizeof(real);
    const int n = (int)N;
    real *h_A = (real *)malloc(bytes), *h_R = (real *)malloc(bytes);
    real *h_b = (real *)malloc(bytes_b), *h_x = (real *)malloc(bytes_b);
    fill_random(h_A, N * N, args->seed + 2);
    fill_random(h_b, N, args->seed + 3);
    real *d_kept_A, *d_kept_b, *d_A, *d_x, *d_tau, *d_work;
    int *d_pivots, *d_info, sizes[3], info[2];
    CHECK(cudaMalloc(&d_kept_A, bytes));
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_kept_b, bytes_b));
    CHECK(cudaMalloc(&d_x, bytes_b));
    CHECK(cudaMalloc(&d_tau, bytes_b));
    CHECK(cudaMalloc(&d_pivots, N * sizeof(int)));
    CHECK(cudaMalloc(&d_info, sizeof(info)));
    CHECK(cudaMemcpy(d_kept_A, h_A, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_kept_b, h_b, bytes_b, cudaMemcpyHostToDevice));
    CHECK_CUSOLVER(CUSOLVER_REAL(getrf_bufferSize)(handle, n, n, d_A, n, &sizes[0]));
    CHECK_CUSOLVER(CUSOLVER_REAL(geqrf_bufferSize)(handle, n, n, d_A, n, &sizes[1]));
    CHECK_CUSOLVER(CUSOLVER_REAL(ormqr_bufferSize)(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, 1, n,
                                                   d_A, n, d_tau, d_x, n, &sizes[2]));
    int lwork = 1;
    for (const int needed : sizes)
    {
        lwork = needed > lwork ? needed : lwork;
    }
    require_memory(args, 0.0, (double)lwork * sizeof(real));
    CHECK(cudaMalloc(&d_work, (size_t)lwork * sizeof(real)));

    const auto restore = [&]
    {
        CHECK(cudaMemcpy(d_A, d_kept_A, bytes, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemcpy(d_x, d_kept_b, bytes_b, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemset(d_info, POISON_BYTE, sizeof(info)));
    };
    const auto lu = [&]
    {
        CHECK_CUSOLVER(CUSOLVER_REAL(getrf)(handle, n, n, d_A, n, d_work, d_pivots, &d_info[0]));
        CHECK_CUSOLVER(
            CUSOLVER_REAL(getrs)(handle, CUBLAS_OP_N, n, 1, d_A, n, d_pivots, d_x, n, &d_info[1]));
    };
    const auto qr = [&]
    {
        CHECK_CUSOLVER(
            CUSOLVER_REAL(geqrf)(handle, n, n, d_A, n, d_tau, d_work, lwork, &d_info[0]));
        CHECK_CUSOLVER(CUSOLVER_REAL(ormqr)(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, 1, n, d_A, n,
                                            d_tau, d_x, n, d_work, lwork, &d_info[1]));
    };
    for (const bool by_qr : {false, true})
    {
        const char *name = by_qr ? "QR (geqrf, ormqr)" : "LU (getrf, getrs)";
        const auto solve = [&]
        {
            by_qr ? qr() : lu();
        };
        restore();
        solve();
        CHECK(cudaMemcpy(info, d_info, sizeof(info), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(h_x, d_x, bytes_b, cudaMemcpyDeviceToHost));
        if (info[0] != 0 || info[1] != 0)
        {
            fprintf(stderr, "%s: devInfo = %d and %d: ", name, info[0], info[1]);
            fprintf(stderr, info[0] > 0 ? "the matrix is singular\n" : "an argument is wrong\n");
            exit(3);
        }
        if (by_qr) // R stands in the upper half of A. cublasStrsm would do this on the device.
        {
            CHECK(cudaMemcpy(h_R, d_A, bytes, cudaMemcpyDeviceToHost));
            for (size_t j = N; j-- > 0;)
            {
                h_x[j] /= h_R[j * N + j];
                for (size_t i = 0; i < j; ++i)
                {
                    h_x[i] -= h_R[j * N + i] * h_x[j];
                }
            }
        }
        const double residual = system_residual(h_A, h_x, h_b, N);
        check_true(name, residual <= 100 * N * REAL_EPSILON);
        const double ms = time_kernel(solve, args->repeats, restore).median;
        print_note("%s: devInfo = 0, residual %.2g, %.4g %s, %.1f GFLOP/s\n", name, residual, ms,
                   TIME_UNIT, (by_qr ? 4.0 : 2.0) / 3.0 * N * N * N / ms * 1e-6);
    }

    for (real *d : {d_kept_A, d_A, d_kept_b, d_x, d_tau, d_work})
    {
        CHECK(cudaFree(d));
    }
    CHECK(cudaFree(d_pivots));
    CHECK(cudaFree(d_info));
    for (real *h : {h_A, h_R, h_b, h_x})
    {
        free(h);
    }
}

int main(int argc, char **argv)
{
    // The library overwrites d_A and d_factor. So d_matrix and d_B keep the two matrices, and each
    // launch begins with copies of them.
    Problem standard = {}, general = {};
    ComplexReal *h_V = NULL, *d_matrix = NULL, *d_B = NULL, *d_A = NULL, *d_factor = NULL;
    ComplexReal *d_work = NULL;
    real *h_W = NULL, *d_W = NULL;
    int lwork = 0, N = 0, lda = 0, *d_info = NULL;
    cusolverDnHandle_t handle = NULL;
    syevjInfo_t jacobi = NULL;
    const cublasFillMode_t uplo = CUBLAS_FILL_MODE_LOWER;
    const cusolverEigMode_t with_vectors = CUSOLVER_EIG_MODE_VECTOR;
    const cusolverEigMode_t without = CUSOLVER_EIG_MODE_NOVECTOR;

    const auto heevd = [&](cusolverEigMode_t jobz)
    {
        return CUSOLVER_COMPLEX(heevd)(handle, jobz, uplo, N, d_A, lda, d_W, d_work, lwork, d_info);
    };
    const auto heevj = [&]
    {
        return CUSOLVER_COMPLEX(heevj)(handle, with_vectors, uplo, N, d_A, lda, d_W, d_work, lwork,
                                       d_info, jacobi);
    };
    const auto hegvd = [&]
    {
        return CUSOLVER_COMPLEX(hegvd)(handle, CUSOLVER_EIG_TYPE_1, with_vectors, uplo, N, d_A, lda,
                                       d_factor, lda, d_W, d_work, lwork, d_info);
    };
    Ladder ladder;
    const auto check = [&](const char *what, bool right)
    {
        char text[128];
        snprintf(text, sizeof(text), "%s: %s", ladder.checking, what);
        check_true(text, right);
    };
    const auto check_values = [&](const Problem *problem)
    {
        int info;
        CHECK(cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost));
        if (info != 0)
        {
            print_info(stderr, ladder.checking, CUSOLVER_STATUS_SUCCESS, info, problem->N);
            exit(3);
        }
        bool ascending = true;
        for (int i = 1; i < N; ++i)
        {
            ascending = ascending && h_W[i - 1] <= h_W[i];
        }
        check("the eigenvalues ascend", ascending);
        const size_t half = N / 2;
        const double between = half == 0 ? h_W[0] - 1.0 : 0.5 * ((double)h_W[half - 1] + h_W[half]);
        if (problem->N <= ALL_CHECKED)
        {
            check("half of the eigenvalues lie below the middle",
                  count_below(problem, between) == half);
        }
        ladder.result = h_W[0];
    };
    // The sum of the eigenvalues is the trace, and the sum of their squares the sum of all squares.
    const auto check_sums = [&](const Problem *problem)
    {
        double sum = 0.0, squares = 0.0;
        for (int i = 0; i < N; ++i)
        {
            sum += h_W[i];
            squares += (double)h_W[i] * h_W[i];
        }
        const double bound = 100 * problem->N * REAL_EPSILON * problem->norm_A;
        check("the sum of the eigenvalues", fabs(sum - problem->trace_A) <= bound);
        check("the sum of their squares",
              fabs(squares - problem->norm_A * problem->norm_A) <= bound * problem->norm_A);
    };
    double worst_orthogonality = -1.0; // of all rows with vectors
    const auto check_vectors = [&](const Problem *problem)
    {
        double orthogonality;
        vector_errors(problem, h_W, h_V, lda, &ladder.error, &orthogonality);
        const double bound = 100 * problem->N * REAL_EPSILON;
        check("A v = w B v", ladder.error <= bound);
        check("the vectors are orthogonal, of length 1", orthogonality <= bound);
        worst_orthogonality = larger(worst_orthogonality, orthogonality);
    };
    const auto check_all = [&]
    {
        check_values(&standard);
        check_sums(&standard);
        check_vectors(&standard);
    };
    const auto check_some = [&]
    {
        check_values(&standard);
        check_sums(&standard);
    };
    const auto check_general = [&]
    {
        check_values(&general);
        check_vectors(&general);
    };
    const Step solve_d = [&]
    {
        CHECK_CUSOLVER(heevd(with_vectors));
    };
    const Step solve_values = [&]
    {
        CHECK_CUSOLVER(heevd(without));
    };
    const Step solve_j = [&]
    {
        CHECK_CUSOLVER(heevj());
    };
    const Step solve_general = [&]
    {
        CHECK_CUSOLVER(hegvd());
    };
    const Version versions[] = {
        on_device("heevd", solve_d, check_all),
        on_device("heevd-values", solve_values, check_some),
        on_device("heevj", solve_j, check_all),
        on_device("hegvd", solve_general, check_general),
    };

    Args args;
    bool has_nan = false;
    args.N = default_size(512, 128);
    args.repeats = 5;
    args.versions = version_names(versions);
    add_flag(&args, "nan", &has_nan, "a matrix with a NaN: ends with devInfo and status 3");
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --csv --nan",
               "cusolver-eigen: eigenvalues and eigenvectors by cuSOLVER, and linear systems by LU "
               "and by QR");
    const double elements = (double)args.N * args.N;
    require_memory(&args, elements * (4 * sizeof(cuDoubleComplex) + sizeof(ComplexReal)),
                   elements * 4 * sizeof(ComplexReal));
    if (args.N > 1000000)
    {
        usage_error(&args, "-n is at most 1000000, because cuSOLVER's sizes are ints");
    }
    if (!has_nan)
    {
        solve_book();
    }
    print_device_once();

    // A random Hermitian matrix: a_ij = conj(a_ji). Only its lower half is valid on the device, and
    // in the upper half stands something else, because the solvers read one half. A column has
    // three elements more than the matrix has rows.
    N = (int)args.N;
    lda = N + 3;
    const size_t count = args.N * args.N, bytes_host = count * sizeof(cuDoubleComplex);
    const size_t bytes = (size_t)lda * N * sizeof(ComplexReal);
    cuDoubleComplex *h_A = (cuDoubleComplex *)malloc(bytes_host);
    cuDoubleComplex *h_B = (cuDoubleComplex *)malloc(bytes_host);
    cuDoubleComplex *h_unit = (cuDoubleComplex *)malloc(bytes_host);
    h_V = (ComplexReal *)malloc(bytes);
    h_W = (real *)malloc(N * sizeof(real));
    double trace = 0.0;
    for (size_t j = 0; j < args.N; ++j)
    {
        for (size_t i = j; i < args.N; ++i)
        {
            const size_t here = j * N + i, mirror = i * N + j;
            const double re = 2.0 * random_unit(args.seed, 2 * here) - 1.0;
            const double im = 2.0 * random_unit(args.seed, 2 * here + 1) - 1.0;
            h_A[here] = make_cuDoubleComplex(re, i == j ? 0.0 : im);
            h_A[mirror] = cuConj(h_A[here]);
            // B is positive definite: its diagonal is larger than the rest of the row.
            const double b = random_unit(args.seed + 1, here);
            h_B[here] = make_cuDoubleComplex(i == j ? 2.0 * N : b, i == j ? 0.0 : 0.5 * b);
            h_B[mirror] = cuConj(h_B[here]);
            h_unit[here] = h_unit[mirror] = make_cuDoubleComplex(i == j, 0.0);
        }
        trace += h_A[j * N + j].x;
    }
    if (has_nan)
    {
        h_A[count / 2 / N * N + N - 1].x = NAN; // in the last row of a column in the middle
    }
    standard = {args.N, h_A, h_unit, norm(h_A, count), 0.0, trace};
    general = {args.N, h_A, h_B, norm(h_A, count), norm(h_B, count), trace};

    for (ComplexReal **d : {&d_matrix, &d_B, &d_A, &d_factor})
    {
        CHECK(cudaMalloc(d, bytes));
    }
    CHECK(cudaMalloc(&d_W, N * sizeof(real)));
    CHECK(cudaMalloc(&d_info, sizeof(int)));
    for (const bool is_B : {false, true})
    {
        const cuDoubleComplex *from = is_B ? h_B : h_A;
        poison(h_V, bytes);
        for (size_t j = 0; j < args.N; ++j)
        {
            for (size_t i = j; i < args.N; ++i)
            {
                h_V[j * lda + i].x = (real)from[j * N + i].x;
                h_V[j * lda + i].y = (real)from[j * N + i].y;
            }
        }
        CHECK(cudaMemcpy(is_B ? d_B : d_matrix, h_V, bytes, cudaMemcpyHostToDevice));
    }

    // Each function says how many numbers of workspace it needs. The largest fits all.
    CHECK_CUSOLVER(cusolverDnCreate(&handle));
    CHECK_CUSOLVER(cusolverDnCreateSyevjInfo(&jacobi));
    int sizes[4];
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(heevd_bufferSize)(handle, with_vectors, uplo, N, d_A, lda, d_W,
                                                      &sizes[0]));
    CHECK_CUSOLVER(
        CUSOLVER_COMPLEX(heevd_bufferSize)(handle, without, uplo, N, d_A, lda, d_W, &sizes[1]));
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(heevj_bufferSize)(handle, with_vectors, uplo, N, d_A, lda, d_W,
                                                      &sizes[2], jacobi));
    CHECK_CUSOLVER(CUSOLVER_COMPLEX(hegvd_bufferSize)(handle, CUSOLVER_EIG_TYPE_1, with_vectors,
                                                      uplo, N, d_A, lda, d_factor, lda, d_W,
                                                      &sizes[3]));
    for (const int size : sizes)
    {
        lwork = size > lwork ? size : lwork;
    }
    require_memory(&args, 0.0, (double)lwork * sizeof(ComplexReal));
    CHECK(cudaMalloc(&d_work, (size_t)lwork * sizeof(ComplexReal)));

    // The call overwrites its matrices, so each launch begins with copies.
    ladder.setup = [&]
    {
        CHECK(cudaMemcpy(d_A, d_matrix, bytes, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemcpy(d_factor, d_B, bytes, cudaMemcpyDeviceToDevice));
        CHECK(cudaMemset(d_info, POISON_BYTE, sizeof(int)));
    };
    if (has_nan)
    {
        ladder.setup();
        CHECK(cudaMemset(d_W, POISON_BYTE, N * sizeof(real)));
        const bool by_jacobi = strcmp(args.version, "heevj") == 0;
        const cusolverStatus_t status = by_jacobi ? heevj() : heevd(with_vectors);
        int info, numbers = 0;
        CHECK(cudaMemcpy(&info, d_info, sizeof(int), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(h_W, d_W, N * sizeof(real), cudaMemcpyDeviceToHost));
        for (int i = 0; i < N; ++i)
        {
            numbers += isfinite(h_W[i]);
        }
        fflush(stdout);
        print_info(stderr, by_jacobi ? "heevj" : "heevd", status, info, args.N);
        // A program that reads devInfo alone would go on with such values.
        if (status == CUSOLVER_STATUS_SUCCESS && info == 0)
        {
            fprintf(stderr, "the library has not noticed the NaN: %d of %d values are %s\n",
                    numbers < N ? N - numbers : N, N, numbers < N ? "NaN" : "numbers, but wrong");
        }
    }
    else
    {
        ladder.outputs[0] = {h_V, d_A, bytes};
        ladder.outputs[1] = {h_W, d_W, N * sizeof(real)};
        // To make the matrix tridiagonal takes 2/3 N^3 multiply-adds of complex numbers, which are
        // eight operations each. The rate counts no others, though the vectors need more.
        ladder.operations = 16.0 / 3.0 * args.N * args.N * args.N;
        ladder.ceiling = MULTIPLY_ADD_CEILING;
        run_versions(&args, &ladder, versions);
        print_note("devInfo was 0 after each call; the column error is |A v - w v| / |A|\n");
        if (worst_orthogonality >= 0.0)
        {
            print_note("the vectors are orthogonal within %.2g; the bound for both is %.2g\n",
                       worst_orthogonality, 100.0 * N * REAL_EPSILON);
        }
        if (is_selected(&args, &versions[2]))
        {
            int sweeps;
            double left;
            CHECK_CUSOLVER(cusolverDnXsyevjGetSweeps(handle, jacobi, &sweeps));
            CHECK_CUSOLVER(cusolverDnXsyevjGetResidual(handle, jacobi, &left));
            print_note("heevj: %d sweeps; what is left beside the diagonal: %.2g\n", sweeps, left);
        }
    }

    for (ComplexReal *d : {d_matrix, d_B, d_A, d_factor, d_work})
    {
        CHECK(cudaFree(d));
    }
    CHECK(cudaFree(d_W));
    CHECK(cudaFree(d_info));
    if (!has_nan)
    {
        solve_systems(&args, handle);
    }
    CHECK_CUSOLVER(cusolverDnDestroySyevjInfo(jacobi));
    CHECK_CUSOLVER(cusolverDnDestroy(handle));
    for (cuDoubleComplex *h : {h_A, h_B, h_unit})
    {
        free(h);
    }
    free(h_V);
    free(h_W);
    return has_nan ? end_output(3) : verdict();
}
