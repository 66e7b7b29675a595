// cublas-levels: the three levels of BLAS, and what limits each of them
//
// From:    section 17.1; S4 BLAS levels, S4 linear algebra functions
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
// cublas-orders has axpy along the rows of a matrix. On the CPU backend there is no ceiling of
// GFLOP/s.

#include <math.h>
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

static cublasHandle_t handle;
static int n;   // rows and columns of a matrix
static int lda; // of A, B and C on the device
static int N;   // n^2: elements of the vectors x and y, and of a matrix
static real *h_x, *h_y, *h_A, *h_B, *h_C;
static real *d_x, *d_y, *d_A, *d_B, *d_C;
static real *result; // what came back from the device

const real ALPHA = 0.75, BETA = 0.5;

// y and C are input and output, so each check begins with fresh ones.
void restore_y_and_C(void)
{
    CHECK_CUBLAS(cublasSetVector(N, sizeof(real), h_y, 1, d_y, 1));
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_C, n, d_C, lda));
}

// ---- The three levels. Of gemv the first n elements of x and y are the vectors.

void run_axpy(void) { CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, N, &ALPHA, d_x, 1, d_y, 1)); }

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

void run_gemm(void)
{
    CHECK_CUBLAS(CUBLAS_REAL(gemm)(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &ALPHA, d_A, lda, d_B,
                                   lda, &BETA, d_C, lda));
}

// ---- The checks. The numbers are small integers, so the right results are exact.

void check_axpy(void)
{
    poison(result, N * sizeof(real));
    CHECK_CUBLAS(cublasGetVector(N, sizeof(real), d_y, 1, result, 1));
    int wrong = 0;
    for (int i = 0; i < N; ++i)
    {
        wrong += !(result[i] == ALPHA * h_x[i] + h_y[i]);
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

// y += factor M v, or of the transpose of M.
void add_product(double factor, const real *M, bool transposed, const double *v, double *y)
{
    for (int column = 0; column < n; ++column)
    {
        for (int row = 0; row < n; ++row)
        {
            const double m = factor * M[row + (size_t)column * n];
            y[transposed ? column : row] += m * v[transposed ? row : column];
        }
    }
}

// The first n numbers, each times `factor`.
double *copy_times(double factor, const real *numbers)
{
    double *copy = (double *)malloc(n * sizeof(double));
    for (int i = 0; i < n; ++i)
    {
        copy[i] = factor * numbers[i];
    }
    return copy;
}

void compare_gemv(bool transposed)
{
    double *x = copy_times(1.0, h_x), *should = copy_times(BETA, h_y);
    add_product(ALPHA, h_A, transposed, x, should);
    poison(result, n * sizeof(real));
    CHECK_CUBLAS(cublasGetVector(n, sizeof(real), d_y, 1, result, 1));
    check_elements(g_row, result, should, n);
    free(x);
    free(should);
}

void check_gemv(void) { compare_gemv(false); }
void check_gemv_transposed(void) { compare_gemv(true); }

// If C is alpha A B + beta C', then C x is alpha A (B x) + beta C' x. Both sides need only products
// of a matrix and a vector.
void check_gemm(void)
{
    poison(result, N * sizeof(real));
    CHECK_CUBLAS(cublasGetMatrix(n, n, sizeof(real), d_C, lda, result, n));
    double *x = copy_times(1.0, h_x), *Bx = copy_times(0.0, h_x);
    double *is = copy_times(0.0, h_x), *should = copy_times(0.0, h_x);
    for (int i = 0; i < n; ++i)
    {
        x[i] += 0.5; // no number of x is 0, so each column of C counts
    }
    add_product(1.0, result, false, x, is);
    add_product(1.0, h_B, false, x, Bx);
    add_product(ALPHA, h_A, false, Bx, should);
    add_product(BETA, h_C, false, x, should);
    check_elements("gemm, times a vector", is, should, n);
    free(x);
    free(Bx);
    free(is);
    free(should);
}

// ---- The table

const Version VERSIONS[] = {
    {"axpy", "level 1, y = alpha x + y: vectors of n^2 numbers, in one call", run_axpy, check_axpy},
    {"gemv", "level 2, y = alpha A x + beta y", run_gemv, check_gemv},
    {"gemv-transposed", "the same with the transpose of A", run_gemv_transposed,
     check_gemv_transposed},
    {"gemm", "level 3, C = alpha A B + beta C", run_gemm, check_gemm},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

const char *const COLUMNS =
    "  Mop         operations, in millions\n"
    "  MB          10^6 bytes that have to be read and written, each array once\n"
    "  op/byte     operations for each byte\n"
    "  ms          the median time of a run\n"
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
    const Cost costs[NUM_VERSIONS] = {level1, level2, level2, level3};

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

// The checks want integers, and the times random numbers, as programs have them.
void fill(bool with_integers)
{
    real *const numbers[] = {h_x, h_y, h_A, h_B, h_C};
    for (int i = 0; i < 5; ++i)
    {
        if (with_integers)
        {
            fill_integers(numbers[i], N, args.seed + i);
        }
        else
        {
            fill_random(numbers[i], N, args.seed + i);
        }
    }
    // A copy of a matrix knows the distance of two columns on both sides: n here, lda there.
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_A, n, d_A, lda));
    CHECK_CUBLAS(cublasSetMatrix(n, n, sizeof(real), h_B, n, d_B, lda));
    CHECK_CUBLAS(cublasSetVector(N, sizeof(real), h_x, 1, d_x, 1));
    restore_y_and_C();
}

void make_arrays(void)
{
    const size_t vector_bytes = N * sizeof(real), matrix_bytes = (size_t)lda * n * sizeof(real);
    h_x = (real *)malloc(vector_bytes);
    h_y = (real *)malloc(vector_bytes);
    h_A = (real *)malloc(vector_bytes);
    h_B = (real *)malloc(vector_bytes);
    h_C = (real *)malloc(vector_bytes);
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
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cublas-levels: the three levels of BLAS, and what limits each of them");
    const double most_numbers = ((double)args.N + 32.0) * (args.N + 32.0); // of an array
    require_memory(6.0 * most_numbers * sizeof(real) + 4.0 * args.N * sizeof(double),
                   5.0 * most_numbers * sizeof(real));
    if (args.N > 30000) // the vectors' elements are counted by int
    {
        usage_error("-n is at most 30000");
    }
    n = (int)args.N;
    lda = (n + 31) / 32 * 32; // columns begin at 128 bytes
    N = n * n;
    print_device();
    CHECK_CUBLAS(cublasCreate(&handle));
    make_arrays();

    fill(true);
    Table table = {};
    table.set_up = restore_y_and_C;
    check_versions(&table, VERSIONS, NUM_VERSIONS);
    check_dot_and_norm();
    fill(false);
    show_table();

    CHECK_CUBLAS(cublasDestroy(handle));
    free_arrays();
    return verdict();
}
