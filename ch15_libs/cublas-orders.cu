// cublas-orders: rows against columns: how cuBLAS sees an array of C, and what the order costs
//
// From:    section 17.1; (17.1)
// Order:   after cublas-levels
// Compile: nvcc -O3 cublas-orders.cu -lcublas
// Run:     ./a.out
// Libs:    -lcublas
//
// The first part is (17.1) with a, b, c, d = 1, 2, 3, 4. The table shows why the order in memory
// matters. The numbers of a vector are taken as a matrix of 32 rows. It lies column by column, so
// the numbers of one row lie 32 apart. axpy-rows adds row by row. axpy-columns adds 32 pieces of
// whole columns, which lie together. Both make 32 calls, and both add every number once.

#include <math.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/check_cublas.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const int ROWS = 32; // of the vectors, taken as a matrix

static cublasHandle_t handle;
static int N;                   // elements of the vectors x and y
static int columns;             // of the vectors, taken as a matrix of ROWS rows
static real *h_x, *h_y, *h_sum; // the vectors, and what became of y
static real *d_x, *d_y, *d_sum; // the same on the device
static double *reference;       // what h_sum should be

// ---- The same array in the eyes of C and of cuBLAS ----

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

// ---- Row by row, and column by column: y = alpha x + y ----

const real ALPHA = 0.75;

void run_axpy(void) { CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, N, &ALPHA, d_x, 1, d_sum, 1)); }

// 32 pieces, each of which lies together.
void run_axpy_columns(void)
{
    for (int piece = 0; piece < ROWS; ++piece)
    {
        real *x = d_x + (size_t)piece * columns, *y = d_sum + (size_t)piece * columns;
        CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, columns, &ALPHA, x, 1, y, 1));
    }
}

// 32 rows: the elements of each lie 32 apart.
void run_axpy_rows(void)
{
    for (int row = 0; row < ROWS; ++row)
    {
        real *x = d_x + row, *y = d_sum + row;
        CHECK_CUBLAS(CUBLAS_REAL(axpy)(handle, columns, &ALPHA, x, ROWS, y, ROWS));
    }
}

// y is input and output, so each run begins with a fresh one.
void set_up(void) { CHECK(cudaMemcpy(d_sum, d_y, N * sizeof(real), cudaMemcpyDeviceToDevice)); }

// The numbers are small integers, so the right result is exact.
void check_axpy(void)
{
    check_elements(g_row, h_sum, reference, N);
    g_error = largest_error(h_sum, reference, N);
}

const Version VERSIONS[] = {
    {"axpy", "all numbers in one call", run_axpy, check_axpy, BY_LIBRARY},
    {"axpy-columns", "axpy in 32 calls, each for numbers that lie together", run_axpy_columns,
     check_axpy, BY_LIBRARY},
    {"axpy-rows", "axpy in 32 calls, each for numbers that lie 32 apart", run_axpy_rows, check_axpy,
     BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(16777216, 102400);
    args.size_is = "elements of a vector, rounded up to a multiple of 32";
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cublas-orders: rows against columns: how cuBLAS sees an array of C, and what the "
               "order costs");
    if (args.N > 2000000000)
    {
        usage_error("-n is at most 2000000000, because cuBLAS's sizes are ints");
    }
    print_device_once();
    CHECK_CUBLAS(cublasCreate(&handle));
    show_orders();

    columns = (int)((args.N + ROWS - 1) / ROWS);
    N = columns * ROWS;
    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_sum = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_sum, bytes));
    fill_integers(h_x, N, args.seed);
    fill_integers(h_y, N, args.seed + 1);
    for (int i = 0; i < N; ++i)
    {
        reference[i] = (double)ALPHA * h_x[i] + h_y[i];
    }
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.set_up = set_up;
    table.outputs[0] = {h_sum, d_sum, bytes};
    table.bytes = 3.0 * bytes;
    table.ceiling = copy_ceiling(table.bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK_CUBLAS(cublasDestroy(handle));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_sum));
    free(h_x);
    free(h_y);
    free(h_sum);
    free(reference);
    return verdict();
}
