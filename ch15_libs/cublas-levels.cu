// cublas-levels: the three levels of BLAS, and what limits each of them; rows against columns
//
// From:    section 17.1; (17.1); S4 BLAS levels, S4 linear algebra functions
// Compile: nvcc -O3 cublas-levels.cu -lcublas
// Run:     ./a.out -n 4096
// Libs:    -lcublas
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
#include "../common/ceiling.cuh"
#include "../common/check_cublas.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/require_memory.cuh"
#include "../common/sum.cuh"
#include "../common/timing.cuh"
#include "../common/versions.cuh"

const int ROWS = 32; // of the vectors, taken as a matrix

static cublasHandle_t handle;
static int n;       // rows and columns of a matrix
static int lda;     // of A, B and C on the device
static int N;       // elements of the vectors x and y
static int columns; // of the vectors, taken as a matrix of ROWS rows
static real *h_x, *h_y, *h_A, *h_B, *h_C;
static real *d_x, *d_y, *d_A, *d_B, *d_C;
static real *result; // what came back from the device

// ---- (17.1) with a, b, c, d = 1, 2, 3, 4, and the same array in the eyes of C and of cuBLAS ----

const double BY_ROWS[4] = {1.0, 2.0, 3.0, 4.0};    // A, as C stores it
const double BY_COLUMNS[4] = {1.0, 3.0, 2.0, 4.0}; // A, as cuBLAS stores it
const double ONE = 1.0, ZERO = 0.0;

// The product of A and x = (1, 10), if the call names this array and this operation.
void show_product(const char *text, const double *h_A, cublasOperation_t op, const double *right)
{
    const double h_x[2] = {1.0, 10.0};
    double h_y[2];
    double *d_A, *d_x, *d_y;
    CHECK(cudaMalloc(&d_A, 4 * sizeof(double)));
    CHECK(cudaMalloc(&d_x, 2 * sizeof(double)));
    CHECK(cudaMalloc(&d_y, 2 * sizeof(double)));
    CHECK_CUBLAS(cublasSetVector(4, sizeof(double), h_A, 1, d_A, 1));
    CHECK_CUBLAS(cublasSetVector(2, sizeof(double), h_x, 1, d_x, 1));
    CHECK(cudaMemset(d_y, 0xff, sizeof(h_y))); // NaN, which beta = 0 does not read

    CHECK_CUBLAS(cublasDgemv(handle, op, 2, 2, &ONE, d_A, 2, d_x, 1, &ZERO, d_y, 1));

    poison(h_y, sizeof(h_y));
    CHECK_CUBLAS(cublasGetVector(2, sizeof(double), d_y, 1, h_y, 1));
    print_note("%s = (%g, %g)\n", text, h_y[0], h_y[1]);
    check_elements(text, h_y, right, 2);
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}

// A program that stores by rows need not transpose anything for gemm. To cuBLAS its A and B are A^T
// and B^T. B^T A^T is (A B)^T, which by columns is A B by rows. Here B is A with its two rows
// exchanged: (3 4; 1 2).
void show_product_by_rows(void)
{
    const double h_B[4] = {3.0, 4.0, 1.0, 2.0}, right[4] = {5.0, 8.0, 13.0, 20.0};
    double h_C[4];
    double *d_A, *d_B, *d_C;
    CHECK(cudaMalloc(&d_A, sizeof(BY_ROWS)));
    CHECK(cudaMalloc(&d_B, sizeof(h_B)));
    CHECK(cudaMalloc(&d_C, sizeof(h_C)));
    CHECK_CUBLAS(cublasSetVector(4, sizeof(double), BY_ROWS, 1, d_A, 1));
    CHECK_CUBLAS(cublasSetVector(4, sizeof(double), h_B, 1, d_B, 1));
    CHECK(cudaMemset(d_C, 0xff, sizeof(h_C)));

    CHECK_CUBLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &ONE, d_B, 2, d_A, 2, &ZERO,
                             d_C, 2));

    poison(h_C, sizeof(h_C));
    CHECK_CUBLAS(cublasGetVector(4, sizeof(double), d_C, 1, h_C, 1));
    print_note("B = (3 4; 1 2): gemm of B, A gives A B by rows: %g %g %g %g\n", h_C[0], h_C[1],
               h_C[2], h_C[3]);
    check_elements("A B by rows", h_C, right, 4);
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
}

void show_orders(void)
{
    const double A_x[2] = {21.0, 43.0}, transposed_A_x[2] = {31.0, 42.0};
    print_note("A = (1 2; 3 4): by rows 1 2 3 4, by columns 1 3 2 4; x = (1, 10)\n");
    show_product("by columns, N: A x  ", BY_COLUMNS, CUBLAS_OP_N, A_x);
    show_product("by rows,    N: A^T x", BY_ROWS, CUBLAS_OP_N, transposed_A_x);
    show_product("by rows,    T: A x  ", BY_ROWS, CUBLAS_OP_T, A_x);
    show_product_by_rows();
}

const real ALPHA = 0.75, BETA = 0.5;

// y and C are input and output, so each check begins with fresh ones.
void restore_y_and_C(void)
{
    CHECK_CUBLAS(cublasSetVector(N, sizeof(real), h_y, 1, d_y, 1));
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_C, n, d_C, lda));
}

// ---- Level 1 ----

void run_axpy(void) { CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, N, &ALPHA, d_x, 1, d_y, 1)); }

// 32 pieces, each of which lies together.
void run_axpy_columns(void)
{
    for (int piece = 0; piece < ROWS; ++piece)
    {
        real *x = d_x + (size_t)piece * columns, *y = d_y + (size_t)piece * columns;
        CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, columns, &ALPHA, x, 1, y, 1));
    }
}

// 32 rows: the elements of each lie 32 apart.
void run_axpy_rows(void)
{
    for (int row = 0; row < ROWS; ++row)
    {
        real *x = d_x + row, *y = d_y + row;
        CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, columns, &ALPHA, x, ROWS, y, ROWS));
    }
}

// No number is negative, so the error is at most two roundings of the result.
void check_axpy(void)
{
    poison(result, N * sizeof(real));
    CHECK_CUBLAS(cublasGetVector(N, sizeof(real), d_y, 1, result, 1));
    int wrong = 0;
    for (int i = 0; i < N; ++i)
    {
        const double should = (double)ALPHA * h_x[i] + h_y[i];
        wrong += !(fabs(result[i] - should) <= REAL_EPSILON * should);
    }
    check_true(g_row, wrong == 0);
}

// dot and nrm2 give a number to the host, so they wait for the device. The terms have one sign.
void check_dot_and_norm(void)
{
    double sum = 0.0;
    for (int i = 0; i < N; ++i)
    {
        sum += (double)h_x[i] * h_x[i];
    }
    const double chain = fmin(N, 10000.0); // no library adds more numbers one after the other
    real dot = -1;
    CHECK_CUBLAS(CUBLAS_REAL(dot)(handle, N, d_x, 1, d_x, 1, &dot));
    check_sum("dot", dot, sum, sum, chain, REAL_EPSILON);
    real norm = -1;
    CHECK_CUBLAS(CUBLAS_REAL(nrm2)(handle, N, d_x, 1, &norm));
    check_sum("nrm2", norm, sqrt(sum), sqrt(sum), chain, REAL_EPSILON);
}

// ---- Level 2: the first n elements of x and y are the vectors ----

void run_gemv(void)
{
    CHECK_CUBLAS(
        CUBLAS_REAL(gemv)(handle, CUBLAS_OP_N, n, n, &ALPHA, d_A, lda, d_x, 1, &BETA, d_y, 1));
}

void run_gemv_transposed(void)
{
    CHECK_CUBLAS(
        CUBLAS_REAL(gemv)(handle, CUBLAS_OP_T, n, n, &ALPHA, d_A, lda, d_x, 1, &BETA, d_y, 1));
}

// Each of n additions and n multiplications rounds by at most half an epsilon of the sum.
double tolerance(void) { return (n + 4.0) * REAL_EPSILON; }

void compare_gemv(bool transposed)
{
    double *reference = (double *)calloc(n, sizeof(double));
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
        reference[i] = (double)ALPHA * reference[i] + (double)BETA * h_y[i];
    }
    poison(result, n * sizeof(real));
    CHECK_CUBLAS(cublasGetVector(n, sizeof(real), d_y, 1, result, 1));
    check_elements(g_row, result, reference, n, tolerance());
    free(reference);
}

void check_gemv(void) { compare_gemv(false); }

void check_gemv_transposed(void) { compare_gemv(true); }

// ---- Level 3 ----

void run_gemm(void)
{
    CHECK_CUBLAS(CUBLAS_REAL(gemm)(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &ALPHA, d_A, lda, d_B,
                                   lda, &BETA, d_C, lda));
}

// Some elements of C.
void compare_elements(const real *C)
{
    const int SAMPLES = 1000;
    real samples[SAMPLES];
    double reference[SAMPLES];
    for (int i = 0; i < SAMPLES; ++i)
    {
        const size_t row = random_below(1, i, n), column = random_below(2, i, n);
        double sum = 0.0;
        for (int k = 0; k < n; ++k)
        {
            sum += (double)h_A[row + (size_t)k * n] * h_B[k + column * n];
        }
        reference[i] = (double)ALPHA * sum + (double)BETA * h_C[row + column * n];
        samples[i] = C[row + column * n];
    }
    check_elements("gemm, some elements", samples, reference, SAMPLES, tolerance());
}

// The sums of all rows of C: those of A B are A times those of B.
void compare_row_sums(const real *C)
{
    double *sums_B = (double *)calloc(n, sizeof(double));
    double *sums_C = (double *)calloc(n, sizeof(double));
    double *should = (double *)calloc(n, sizeof(double));
    for (int column = 0; column < n; ++column)
    {
        for (int row = 0; row < n; ++row)
        {
            const size_t i = row + (size_t)column * n;
            sums_B[row] += h_B[i];
            sums_C[row] += C[i];
            should[row] += (double)BETA * h_C[i];
        }
    }
    for (int column = 0; column < n; ++column)
    {
        for (int row = 0; row < n; ++row)
        {
            should[row] += (double)ALPHA * h_A[row + (size_t)column * n] * sums_B[column];
        }
    }
    check_elements("gemm, the sums of all rows", sums_C, should, n, tolerance());
    free(sums_B);
    free(sums_C);
    free(should);
}

void check_gemm(void)
{
    poison(result, N * sizeof(real));
    CHECK_CUBLAS(cublasGetMatrix(n, n, sizeof(real), d_C, lda, result, n));
    compare_elements(result);
    compare_row_sums(result);
}

// ---- The table ----

const Version VERSIONS[] = {
    {"axpy", "level 1, y = alpha x + y: vectors of n^2 numbers, in one call", run_axpy, check_axpy},
    {"gemv", "level 2, y = alpha A x + beta y", run_gemv, check_gemv},
    {"gemv-transposed", "the same with the transpose of A", run_gemv_transposed,
     check_gemv_transposed},
    {"gemm", "level 3, C = alpha A B + beta C", run_gemm, check_gemm},
    {"axpy-columns", "axpy in 32 calls, each for numbers that lie together", run_axpy_columns,
     check_axpy},
    {"axpy-rows", "axpy in 32 calls, each for numbers that lie 32 apart", run_axpy_rows,
     check_axpy},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

const char *const COLUMNS =
    "  Mop         operations, in millions\n"
    "  MB          10^6 bytes that have to be read and written, each array once\n"
    "  op/byte     operations for each byte\n"
    "  ms          the median time of a run (on the CPU backend: CPU ms)\n"
    "  GFLOP/s, %  the operations over the time, and in percent of the multiply-adds' ceiling\n"
    "  GB/s, %     the bytes over the time, and in percent of the memory's ceiling\n";

// What a version has to do at least.
struct Cost
{
    double operations, bytes, memory_ceiling;
};

void show_table(void)
{
    const double line = n * sizeof(real), matrix = n * line, square = (double)n * n;
    const double numbers = N, vector = numbers * sizeof(real);
    const double copying = copy_ceiling(3 * vector), reading = read_ceiling(vector);
    const double multiplying = ON_GPU ? multiply_add_ceiling<real>() : NAN;
    const Cost level1 = {2 * numbers, 3 * vector, copying};
    const Cost level2 = {2 * square, matrix + 3 * line, reading};
    const Cost level3 = {2 * n * square, 4 * matrix, copying};
    const Cost costs[NUM_VERSIONS] = {level1, level2, level2, level3, level1, level1};

    print_timed_note("%s, n = %d, median of %zu repeats\n", REAL_NAME, n, args.repeats);
    print_timed_note("ceilings: %.1f GB/s copying, %.1f GB/s reading, %.1f GFLOP/s\n", copying,
                     reading, multiplying);
    const Column COLUMNS[] = {
        {"version", "%-16s"},           {"Mop", "%9.4g"},      {"MB", "%9.4g"},
        {"op/byte", "%9.4g"},           {TIME_UNIT, "%10.4g"}, {"GFLOP/s", "%10.1f"},
        {"% of GFLOP/s", "%6.1f", "%"}, {"GB/s", "%9.1f"},     {"% of GB/s", "%6.1f", "%"}};
    begin_timed_table(COLUMNS, 9, sizeof(real) == 8 ? "double, n = " : "float, n = ");
    for (int i = 0; i < NUM_VERSIONS; ++i)
    {
        if (!is_selected(VERSIONS[i].name))
        {
            continue;
        }
        Timer timer = new_timer(args.repeats);
        while (next_run(&timer))
        {
            VERSIONS[i].run();
        }
        const double ms = timer.median;
        const double operations = costs[i].operations, bytes = costs[i].bytes;
        const double flops = rate_of(operations, ms), rate = rate_of(bytes, ms);
        put_text(VERSIONS[i].name);
        put(operations * 1e-6);
        put(bytes * 1e-6);
        put(operations / bytes);
        put(ms);
        put(flops);
        put(percent_of(flops, multiplying));
        put(rate);
        put(percent_of(rate, costs[i].memory_ceiling));
        end_row();
    }
}

// N random numbers, for a vector or a matrix.
real *new_numbers(uint64_t seed)
{
    real *numbers = (real *)malloc(N * sizeof(real));
    fill_random(numbers, N, seed);
    return numbers;
}

void make_arrays(void)
{
    const size_t vector_bytes = N * sizeof(real), matrix_bytes = (size_t)lda * n * sizeof(real);
    h_x = new_numbers(args.seed);
    h_y = new_numbers(args.seed + 1);
    h_A = new_numbers(args.seed + 2);
    h_B = new_numbers(args.seed + 3);
    h_C = new_numbers(args.seed + 4);
    result = (real *)malloc(vector_bytes);
    CHECK(cudaMalloc(&d_x, vector_bytes));
    CHECK(cudaMalloc(&d_y, vector_bytes));
    CHECK(cudaMalloc(&d_A, matrix_bytes));
    CHECK(cudaMalloc(&d_B, matrix_bytes));
    CHECK(cudaMalloc(&d_C, matrix_bytes));
    // What lies between the columns must not matter.
    CHECK(cudaMemset(d_A, POISON_BYTE, matrix_bytes));
    CHECK(cudaMemset(d_B, POISON_BYTE, matrix_bytes));
    CHECK(cudaMemset(d_C, POISON_BYTE, matrix_bytes));
    // A copy of a matrix knows the distance of two columns on both sides: n here, lda there.
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_A, n, d_A, lda));
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_B, n, d_B, lda));
    CHECK_CUBLAS(cublasSetVector(N, sizeof(real), h_x, 1, d_x, 1));
}

void free_arrays(void)
{
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
    free(h_x);
    free(h_y);
    free(h_A);
    free(h_B);
    free(h_C);
    free(result);
}

int main(int argc, char **argv)
{
    args.N = default_size(4096, 384);
    args.size_is = "rows and columns of a matrix";
    add_versions(VERSIONS, NUM_VERSIONS);
    args.columns = COLUMNS;
    args.table_columns = ""; // this table has columns of its own
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "cublas-levels: the three levels of BLAS, and what limits each of them; rows against "
        "columns");
    const double most_numbers = ((double)args.N + 32.0) * (args.N + 32.0); // of an array
    require_memory(6.0 * most_numbers * sizeof(real) + 4.0 * args.N * sizeof(double),
                   5.0 * most_numbers * sizeof(real));
    if (args.N > 30000) // the vectors' elements are counted by int
    {
        usage_error("-n is at most 30000");
    }
    n = (int)args.N;
    lda = (n + 31) / 32 * 32; // columns begin at 128 bytes
    N = (n * n + ROWS - 1) / ROWS * ROWS;
    columns = N / ROWS;
    print_device();
    CHECK_CUBLAS(cublasCreate(&handle));
    show_orders();

    make_arrays();

    Table table = {};
    table.set_up = restore_y_and_C;
    check_versions(&table, VERSIONS, NUM_VERSIONS);
    check_dot_and_norm();
    show_table();

    CHECK_CUBLAS(cublasDestroy(handle));
    free_arrays();
    return verdict();
}
