// cublas-levels: the three levels of BLAS, and what limits each of them; rows against columns
//
// From:    section 17.1; (17.1); S4 BLAS levels, S4 linear algebra functions
// Compile: nvcc -O3 cublas-levels.cu -lcublas
// Run:     ./a.out -n 4096
// Options: -n N -r R -s S --csv
// Libs:    -lcublas
// Chinese: BLAS 的三个层级各受什么限制；按行与按列存取的差别
// Checks:  13
// Sizes:   1 33 100 64 300
//
// A function of level 1 combines vectors, one of level 2 a matrix and a vector, one of level 3 two
// matrices. Here axpy, gemv and gemm stand for the three levels:
//
//   axpy  y = alpha x + y             n^2 elements: as many as the matrices have
//   gemv  y = alpha A x + beta y      an n x n matrix: about 2 operations for each of its elements
//   gemm  C = alpha A B + beta C      n x n matrices: 2 n operations for each of C's elements
//
// Each has to read and write n^2 to 4 n^2 numbers, but the operations differ: 2 n^2, 2 n^2 and
// 2 n^3. So the first two wait for memory, and only gemm can keep the arithmetic busy. With alpha 1
// axpy is the addition of vectors. With alpha 1 and beta 0 gemm is the product of the matrices.
//
// The last two rows of the table show why the order in memory matters. The n^2 numbers are taken as
// a matrix of 32 rows. It lies column by column, so the numbers of one row lie 32 apart. axpy-rows
// adds row by row. axpy-columns adds 32 pieces of whole columns, which lie together. Both make 32
// calls, and both add every number once. On the CPU backend there is no ceiling of GFLOP/s.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/check_cublas.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "../common/versions.cuh"

const int ROWS = 32; // of the vectors, taken as a matrix

// (17.1) with a, b, c, d = 1, 2, 3, 4, and the same array in the eyes of C and of cuBLAS.
void show_orders(cublasHandle_t handle)
{
    const double by_rows[4] = {1.0, 2.0, 3.0, 4.0};    // A, as C stores it
    const double by_columns[4] = {1.0, 3.0, 2.0, 4.0}; // A, as cuBLAS stores it
    const double h_x[2] = {1.0, 10.0};
    double *d_rows, *d_columns, *d_x, *d_y, *d_C;
    CHECK(cudaMalloc(&d_rows, sizeof(by_rows)));
    CHECK(cudaMalloc(&d_columns, sizeof(by_columns)));
    CHECK(cudaMalloc(&d_x, sizeof(h_x)));
    CHECK(cudaMalloc(&d_y, sizeof(h_x)));
    CHECK(cudaMalloc(&d_C, sizeof(by_rows)));
    CHECK_CUBLAS(cublasSetVector(4, sizeof(double), by_rows, 1, d_rows, 1));
    CHECK_CUBLAS(cublasSetVector(4, sizeof(double), by_columns, 1, d_columns, 1));
    CHECK_CUBLAS(cublasSetVector(2, sizeof(double), h_x, 1, d_x, 1));

    const double one = 1.0, zero = 0.0;
    const struct
    {
        const char *text;
        const double *d_A;
        cublasOperation_t op;
        double right[2];
    } cases[] = {
        {"by columns, N: A x  ", d_columns, CUBLAS_OP_N, {21.0, 43.0}},
        {"by rows,    N: A^T x", d_rows, CUBLAS_OP_N, {31.0, 42.0}},
        {"by rows,    T: A x  ", d_rows, CUBLAS_OP_T, {21.0, 43.0}},
    };
    print_note("A = (1 2; 3 4): by rows 1 2 3 4, by columns 1 3 2 4; x = (1, 10)\n");
    for (const auto &one_case : cases)
    {
        double h_y[2];
        poison(h_y, sizeof(h_y));
        CHECK(cudaMemset(d_y, 0xff, sizeof(h_y))); // NaN, which beta = 0 does not read
        CHECK_CUBLAS(
            cublasDgemv(handle, one_case.op, 2, 2, &one, one_case.d_A, 2, d_x, 1, &zero, d_y, 1));
        CHECK_CUBLAS(cublasGetVector(2, sizeof(double), d_y, 1, h_y, 1));
        print_note("%s = (%g, %g)\n", one_case.text, h_y[0], h_y[1]);
        check_elements(one_case.text, h_y, one_case.right, 2);
    }

    // A program that stores by rows need not transpose anything for gemm. To cuBLAS its A and B are
    // A^T and B^T. B^T A^T is (A B)^T, which by columns is A B by rows. Here B is A with its two
    // rows exchanged: (3 4; 1 2).
    const double h_B[4] = {3.0, 4.0, 1.0, 2.0}, product[4] = {5.0, 8.0, 13.0, 20.0};
    double h_C[4];
    poison(h_C, sizeof(h_C));
    CHECK_CUBLAS(cublasSetVector(4, sizeof(double), h_B, 1, d_columns, 1));
    CHECK(cudaMemset(d_C, 0xff, sizeof(h_C)));
    CHECK_CUBLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d_columns, 2, d_rows,
                             2, &zero, d_C, 2));
    CHECK_CUBLAS(cublasGetVector(4, sizeof(double), d_C, 1, h_C, 1));
    print_note("B = (3 4; 1 2): gemm of B, A gives A B by rows: %g %g %g %g\n", h_C[0], h_C[1],
               h_C[2], h_C[3]);
    check_elements("A B by rows", h_C, product, 4);

    for (double *array : {d_rows, d_columns, d_x, d_y, d_C})
    {
        CHECK(cudaFree(array));
    }
}

// One row of the table.
struct Level
{
    const char *name;
    double operations, bytes; // at least: each array read or written once
    double ms;
    double memory_ceiling;
};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(4096, 384);
    parse_args(
        &args, argc, argv, "-n N -r R -s S --csv",
        "cublas-levels: the three levels of BLAS, and what limits each of them; rows against "
        "columns");
    const double most_numbers = ((double)args.N + 32.0) * (args.N + 32.0); // of an array
    require_memory(&args, 6.0 * most_numbers * sizeof(real) + 4.0 * args.N * sizeof(double),
                   5.0 * most_numbers * sizeof(real));
    if (args.N > 30000) // the vectors' elements are counted by int
    {
        usage_error(&args, "-n is at most 30000");
    }
    const int n = (int)args.N;
    const int lda = (n + 31) / 32 * 32; // of A, B and C on the device: columns begin at 128 bytes
    const int N = (n * n + ROWS - 1) / ROWS * ROWS; // elements of the vectors
    const int columns = N / ROWS;
    const size_t bytes_vector = N * sizeof(real), bytes_matrix = (size_t)lda * n * sizeof(real);
    print_device();

    cublasHandle_t handle;
    CHECK_CUBLAS(cublasCreate(&handle));
    show_orders(handle);

    real *h_x = (real *)malloc(bytes_vector), *h_y = (real *)malloc(bytes_vector);
    real *h_A = (real *)malloc(bytes_vector), *h_B = (real *)malloc(bytes_vector);
    real *h_C = (real *)malloc(bytes_vector), *result = (real *)malloc(bytes_vector);
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    fill_random(h_A, N, args.seed + 2);
    fill_random(h_B, N, args.seed + 3);
    fill_random(h_C, N, args.seed + 4);
    real *d_x, *d_y, *d_A, *d_B, *d_C;
    CHECK(cudaMalloc(&d_x, bytes_vector));
    CHECK(cudaMalloc(&d_y, bytes_vector));
    CHECK(cudaMalloc(&d_A, bytes_matrix));
    CHECK(cudaMalloc(&d_B, bytes_matrix));
    CHECK(cudaMalloc(&d_C, bytes_matrix));
    for (real *matrix : {d_A, d_B, d_C}) // what lies between the columns must not matter
    {
        CHECK(cudaMemset(matrix, POISON_BYTE, bytes_matrix));
    }
    // A copy of a matrix knows the distance of two columns on both sides: n here, lda there.
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_A, n, d_A, lda));
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_B, n, d_B, lda));
    CHECK_CUBLAS(cublasSetVector(N, sizeof(real), h_x, 1, d_x, 1));

    const real alpha = 0.75, beta = 0.5;
    double *reference = (double *)malloc((n > 1000 ? n : 1000) * sizeof(double));

    // ---- Level 1 ----

    const auto axpy = [&]
    {
        CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, N, &alpha, d_x, 1, d_y, 1));
    };
    const auto axpy_columns = [&] // 32 pieces, each of which lies together
    {
        for (int piece = 0; piece < ROWS; ++piece)
        {
            const size_t first = (size_t)piece * columns;
            CHECK_CUBLAS(
                CUBLAS_REAL(axpy)(handle, columns, &alpha, d_x + first, 1, d_y + first, 1));
        }
    };
    const auto axpy_rows = [&] // 32 rows: the elements of each lie 32 apart
    {
        for (int row = 0; row < ROWS; ++row)
        {
            CHECK_CUBLAS(
                CUBLAS_REAL(axpy)(handle, columns, &alpha, d_x + row, ROWS, d_y + row, ROWS));
        }
    };
    // No number is negative, so the error is at most two roundings of the result.
    const auto check_axpy = [&](const char *name)
    {
        poison(result, bytes_vector);
        CHECK_CUBLAS(cublasGetVector(N, sizeof(real), d_y, 1, result, 1));
        int wrong = 0;
        for (int i = 0; i < N; ++i)
        {
            const double should = (double)alpha * h_x[i] + h_y[i];
            wrong += !(fabs(result[i] - should) <= REAL_EPSILON * should);
        }
        check_true(name, wrong == 0);
    };
    const auto reset_y = [&]
    {
        CHECK_CUBLAS(cublasSetVector(N, sizeof(real), h_y, 1, d_y, 1));
    };
    reset_y();
    axpy();
    check_axpy("axpy");
    reset_y();
    axpy_columns();
    check_axpy("axpy-columns");
    reset_y();
    axpy_rows();
    check_axpy("axpy-rows");

    // dot gives a number to the host, and so it waits for the device. Its terms have one sign.
    real dot = -1;
    CHECK_CUBLAS(CUBLAS_REAL(dot)(handle, N, d_x, 1, d_x, 1, &dot));
    double sum = 0.0;
    for (int i = 0; i < N; ++i)
    {
        sum += (double)h_x[i] * h_x[i];
    }
    const double chain = fmin(N, 10000.0); // no library adds more numbers one after the other
    check_sum("dot", dot, sum, sum, chain, REAL_EPSILON);
    real norm = -1;
    CHECK_CUBLAS(CUBLAS_REAL(nrm2)(handle, N, d_x, 1, &norm));
    check_sum("nrm2", norm, sqrt(sum), sqrt(sum), chain, REAL_EPSILON);

    // ---- Level 2 ----

    // The first n elements of d_x and d_y are the vectors.
    const auto gemv = [&]
    {
        CHECK_CUBLAS(
            CUBLAS_REAL(gemv)(handle, CUBLAS_OP_N, n, n, &alpha, d_A, lda, d_x, 1, &beta, d_y, 1));
    };
    const auto gemv_transposed = [&]
    {
        CHECK_CUBLAS(
            CUBLAS_REAL(gemv)(handle, CUBLAS_OP_T, n, n, &alpha, d_A, lda, d_x, 1, &beta, d_y, 1));
    };
    // Each of n additions and n multiplications rounds by at most half an epsilon of the sum.
    const double tolerance = (n + 4.0) * REAL_EPSILON;
    const auto check_gemv = [&](const char *name, bool transposed)
    {
        for (int i = 0; i < n; ++i)
        {
            reference[i] = 0.0;
        }
        for (int column = 0; column < n; ++column)
        {
            for (int row = 0; row < n; ++row)
            {
                const double a = h_A[row + (size_t)column * n];
                reference[transposed ? column : row] += a * h_x[transposed ? row : column];
            }
        }
        for (int i = 0; i < n; ++i)
        {
            reference[i] = (double)alpha * reference[i] + (double)beta * h_y[i];
        }
        poison(result, bytes_vector);
        CHECK_CUBLAS(cublasGetVector(n, sizeof(real), d_y, 1, result, 1));
        check_elements(name, result, reference, n, tolerance);
    };
    reset_y();
    gemv();
    check_gemv("gemv", false);
    reset_y();
    gemv_transposed();
    check_gemv("gemv-transposed", true);

    // ---- Level 3 ----

    const auto gemm = [&]
    {
        CHECK_CUBLAS(CUBLAS_REAL(gemm)(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, d_A, lda,
                                       d_B, lda, &beta, d_C, lda));
    };
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_C, n, d_C, lda));
    gemm();
    poison(result, bytes_vector);
    CHECK_CUBLAS(cublasGetMatrix(n, n, sizeof(real), d_C, lda, result, n));
    // Some elements of C, and the sums of all rows: the row sums of A B are A times those of B.
    const int SAMPLES = 1000;
    real samples[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
    {
        const size_t row = random_below(1, i, n), column = random_below(2, i, n);
        reference[i] = 0.0;
        for (int k = 0; k < n; ++k)
        {
            reference[i] += (double)h_A[row + (size_t)k * n] * h_B[k + column * n];
        }
        reference[i] = (double)alpha * reference[i] + (double)beta * h_C[row + column * n];
        samples[i] = result[row + column * n];
    }
    check_elements("gemm, some elements", samples, reference, SAMPLES, tolerance);
    double *sums_B = (double *)calloc(n, sizeof(double));
    double *sums_C = (double *)calloc(n, sizeof(double));
    double *should = (double *)calloc(n, sizeof(double));
    for (int column = 0; column < n; ++column)
    {
        for (int row = 0; row < n; ++row)
        {
            const size_t i = row + (size_t)column * n;
            sums_B[row] += h_B[i];
            sums_C[row] += result[i];
            should[row] += (double)beta * h_C[i];
        }
    }
    for (int column = 0; column < n; ++column)
    {
        for (int row = 0; row < n; ++row)
        {
            should[row] += (double)alpha * h_A[row + (size_t)column * n] * sums_B[column];
        }
    }
    check_elements("gemm, the sums of all rows", sums_C, should, n, tolerance);

    // ---- The table ----

    const auto time = [&](auto step)
    {
        return time_kernel(step, args.repeats).median;
    };
    const double vector = bytes_vector, matrix = (double)n * n * sizeof(real);
    const double line = n * sizeof(real);
    const double copying = copy_ceiling(3 * bytes_vector), reading = read_ceiling(bytes_vector);
    // The kernel that measures this one is a plain loop. On a CPU it is slower than the library.
    const double multiplying = ON_GPU ? multiply_add_ceiling<real>() : NAN;
    const double n2 = (double)n * n;
    const Level levels[] = {
        {"axpy", 2.0 * N, 3 * vector, time(axpy), copying},
        {"gemv", 2 * n2, matrix + 3 * line, time(gemv), reading},
        {"gemv-transposed", 2 * n2, matrix + 3 * line, time(gemv_transposed), reading},
        {"gemm", 2 * n2 * n, 4 * matrix, time(gemm), copying},
        {"axpy-columns", 2.0 * N, 3 * vector, time(axpy_columns), copying},
        {"axpy-rows", 2.0 * N, 3 * vector, time(axpy_rows), copying},
    };
    print_note("%s, n = %d, median of %zu repeats\n", REAL_NAME, n, args.repeats);
    print_note("ceilings: %.1f GB/s copying, %.1f GB/s reading", copying, reading);
    if (ON_GPU)
    {
        printf(", %.1f GFLOP/s", multiplying);
    }
    printf("\n");
    printf(args.csv ? "version,Mop,MB,op/byte,%s,GFLOP/s,%% of GFLOP/s,GB/s,%% of GB/s\n"
                    : "version                Mop        MB   op/byte %10s    GFLOP/s      %%      "
                      "GB/s      %%\n",
           TIME_UNIT);
    for (const Level &level : levels)
    {
        const double flops = level.operations / level.ms * 1e-6;
        const double rate = level.bytes / level.ms * 1e-6;
        printf(args.csv ? "%s" : "%-16s", level.name);
        print_cell(args.csv, "%9.4g", level.operations * 1e-6);
        print_cell(args.csv, "%9.4g", level.bytes * 1e-6);
        print_cell(args.csv, "%9.4g", level.operations / level.bytes);
        print_cell(args.csv, "%10.4g", level.ms);
        print_cell(args.csv, "%10.1f", flops);
        print_cell(args.csv, "%6.1f", 100.0 * flops / multiplying);
        print_cell(args.csv, "%9.1f", rate);
        print_cell(args.csv, "%6.1f", 100.0 * rate / level.memory_ceiling);
        printf("\n");
    }

    CHECK_CUBLAS(cublasDestroy(handle));
    for (real *array : {d_x, d_y, d_A, d_B, d_C})
    {
        CHECK(cudaFree(array));
    }
    for (real *array : {h_x, h_y, h_A, h_B, h_C, result})
    {
        free(array);
    }
    for (double *array : {reference, sums_B, sums_C, should})
    {
        free(array);
    }
    return verdict();
}
