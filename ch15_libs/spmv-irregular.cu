// spmv-irregular: sparse matrices with rows of all lengths times a vector, in CSR, ELL and DIA
//
// From:    S2, sparse matrices; beyond the book
// Order:   after cusparse-blocks
// Compile: nvcc -O3 spmv-irregular.cu -lcusparse
// Run:     ./a.out -n 4e6
// Libs:    -lcusparse
//
// The rows of cusparse-spmv's Poisson matrix are alike. Here are three other matrices of N rows and
// N columns. They have about 12 elements in a row on average:
//   power-law  most rows have 1 to 8 elements, and a few have 10^5 and more
//   arrow      nine diagonals, a full column, and two full rows
//   band       13 diagonals with some elements missing
// Each has a table of its own. irregular.cuh makes the matrices.
//
// A table counts the bytes of CSR: values, columns, offsets, x and y, each once. ELL and DIA move
// other bytes, which the line above the table tells. So DIA can be above 100 %. A matrix is
// converted on the host, and that is not timed.

#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "check_cusparse.cuh"
#include "cusparse_product.cuh"
#include "irregular.cuh"

const int BLOCK_SIZE = 256;
const int WARP = 32;
const unsigned FULL_MASK = 0xffffffff;
const size_t MAX_ROWS = 100000000;

static Matrix A;                    // on the host, in CSR
static int M, nnz;                  // its rows and elements, as the kernels count them
static real *h_x, *h_y, *d_x, *d_y; // y is A x
static double *reference;           // A x, computed without A
static int *d_offsets, *d_columns;  // A on the device, in CSR
static real *d_values;              //
static int width, *d_ell_columns;   // in ELL; NULL: there would be too many bytes
static real *d_ell_values;          //
static Diagonals diagonals;         // in DIA; NULL: there are too many diagonals
static real *d_dia_values;          //
static int *d_first_rows, *d_kept;  // the rows in which the tiles of merge begin
static real *d_carries;             // and what is left at their ends
static cusparseHandle_t handle;
static Product csr1, csr2; // two algorithms of the library

#include "spmv-irregular_fast.cuh"

void multiply_on_host(const Matrix *A, const real *x, real *y)
{
    for (size_t row = 0; row < A->M; ++row)
    {
        real sum = 0.0;
        for (int n = A->offsets[row]; n < A->offsets[row + 1]; ++n)
        {
            sum += A->values[n] * x[A->columns[n]];
        }
        y[row] = sum;
    }
}

void run_cpu(void) { multiply_on_host(&A, h_x, h_y); }

// CSR, a thread for each row. The threads of a warp end together only if their rows are alike. The
// thread of a long row works on alone.
__global__ void spmv_csr_scalar(const int *offsets, const int *columns, const real *values,
                                const real *x, real *y, int M)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M)
    {
        real sum = 0.0;
        for (int n = offsets[row]; n < offsets[row + 1]; ++n)
        {
            sum += values[n] * x[columns[n]];
        }
        y[row] = sum;
    }
}

void run_csr_scalar(void)
{
    const int grid_size = (M + BLOCK_SIZE - 1) / BLOCK_SIZE;
    spmv_csr_scalar<<<grid_size, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
}

// CSR, a warp for each row. A long row is shared by 32 lanes, which read elements side by side. But
// a short row leaves most lanes without work, and a very long one is still the work of one warp.
__global__ void spmv_csr_vector(const int *offsets, const int *columns, const real *values,
                                const real *x, real *y, int M)
{
    const int row = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    const int lane = threadIdx.x % WARP;
    if (row < M) // the same for all lanes of a warp
    {
        real sum = 0.0;
        for (int n = offsets[row] + lane; n < offsets[row + 1]; n += WARP)
        {
            sum += values[n] * x[columns[n]];
        }
        for (int offset = WARP / 2; offset > 0; offset >>= 1)
        {
            sum += __shfl_down_sync(FULL_MASK, sum, offset);
        }
        if (lane == 0)
        {
            y[row] = sum;
        }
    }
}

void run_csr_vector(void)
{
    const int rows = BLOCK_SIZE / WARP; // of a block
    const int grid_size = (M + rows - 1) / rows;
    spmv_csr_vector<<<grid_size, BLOCK_SIZE>>>(d_offsets, d_columns, d_values, d_x, d_y, M);
}

// ELL, a thread for each row. Each row has `width` places. The first places of all rows lie side by
// side, then the second ones, and so on. So the threads of a warp read neighbours, and no offsets
// are needed. But each row costs as much as the longest one. __ldcs says that an element is needed
// only once: the caches then keep x instead.
__global__ void spmv_ell(const int *__restrict__ columns, const real *__restrict__ values,
                         const real *__restrict__ x, real *__restrict__ y, int M, int width)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M)
    {
        real sum = 0.0;
#pragma unroll 4
        for (int k = 0; k < width; ++k)
        {
            const size_t place = (size_t)k * M + row;
            const int column = __ldcs(&columns[place]);
            const real value = __ldcs(&values[place]);
            sum += value * (column != NO_COLUMN ? x[column] : (real)0.0);
        }
        y[row] = sum;
    }
}

void run_ell(void)
{
    const int grid_size = (M + BLOCK_SIZE - 1) / BLOCK_SIZE;
    spmv_ell<<<grid_size, BLOCK_SIZE>>>(d_ell_columns, d_ell_values, d_x, d_y, M, width);
}

// DIA, a thread for each row. The column of an element follows from its diagonal, so no columns are
// read: an element has half the bytes in float. And no load waits for another one. The loop has a
// fixed number of steps, so that the compiler can unroll it and begin with all loads. The list of
// diagonals is an argument of the kernel, so it lies in constant memory.
__global__ void spmv_dia(const Diagonals diagonals, const real *__restrict__ values,
                         const real *__restrict__ x, real *__restrict__ y, int M)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M)
    {
        real sum = 0.0;
#pragma unroll
        for (int d = 0; d < MAX_DIAGONALS; ++d)
        {
            const int column = row + diagonals.distances[d];
            const bool is_inside = d < diagonals.count && column >= 0 && column < M;
            const real value = is_inside ? __ldcs(&values[(size_t)d * M + row]) : (real)0.0;
            sum += is_inside ? value * x[column] : (real)0.0;
        }
        y[row] = sum;
    }
}

void run_dia(void)
{
    const int grid_size = (M + BLOCK_SIZE - 1) / BLOCK_SIZE;
    spmv_dia<<<grid_size, BLOCK_SIZE>>>(diagonals, d_dia_values, d_x, d_y, M);
}

// ---- CSR by the merge path: the kernels are in spmv-irregular_fast.cuh ----

void run_merge(void)
{
    launch_merge_search(d_offsets, d_first_rows, M, nnz);
    launch_merge(d_offsets, d_columns, d_values, d_x, d_y, d_first_rows, d_carries, M, nnz);
}

void run_merge_kept(void)
{
    launch_merge(d_offsets, d_columns, d_values, d_x, d_y, d_kept, d_carries, M, nnz);
}

// ---- The library ----

void run_csr1(void) { compute_product(&csr1); }
void run_csr2(void) { compute_product(&csr2); }

Product prepare_csr(cusparseSpMVAlg_t algorithm)
{
    cusparseSpMatDescr_t csr;
    CHECK_CUSPARSE(cusparseCreateCsr(&csr, A.M, A.N, A.nnz, d_offsets, d_columns, d_values,
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                     CUSPARSE_INDEX_BASE_ZERO, REAL_TYPE));
    return prepare_product(handle, csr, d_x, d_y, algorithm);
}

// ---- The versions ----

void check_product(void)
{
    check_elements(g_row, h_y, reference, M);
    g_error = largest_error(h_y, reference, M);
}

bool fits_ell(void) { return d_ell_values != NULL; }
bool fits_dia(void) { return d_dia_values != NULL; }

const Version VERSIONS[] = {
    {"cpu", "CSR: a loop on the host", run_cpu, check_product, ON_HOST},
    {"csr-scalar", "CSR: one thread for each row", run_csr_scalar, check_product},
    {"csr-vector", "CSR: one warp for each row", run_csr_vector, check_product},
    {"ell", "ELL: one thread for each row; all rows are as long as the longest one", run_ell,
     check_product, ON_DEVICE, fits_ell, "at most three times the bytes of CSR"},
    {"dia", "DIA: one thread for each row; whole diagonals", run_dia, check_product, ON_DEVICE,
     fits_dia, "at most 16 diagonals"},
    {"merge", "CSR: each thread has as many elements and ends of rows as every other one",
     run_merge, check_product, ON_DEVICE, NULL, NULL, false, "all threads have the same work"},
    {"merge-kept", "the same; where the blocks begin was found once, before the products",
     run_merge_kept, check_product, ON_DEVICE, NULL, NULL, false, "all threads have the same work"},
    {"cusparse-csr1", "CSR: the library, CUSPARSE_SPMV_CSR_ALG1", run_csr1, check_product,
     BY_LIBRARY},
    {"cusparse-csr2", "CSR: the library, CUSPARSE_SPMV_CSR_ALG2", run_csr2, check_product,
     BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// ---- The data ----

double bytes_of_ell(void)
{
    return (double)width * M * (sizeof(int) + sizeof(real)) + 2.0 * M * sizeof(real);
}

double bytes_of_dia(void)
{
    return (double)diagonals.count * M * sizeof(real) + 2.0 * M * sizeof(real);
}

void make_ell(void)
{
    const size_t places = (size_t)width * M;
    int *columns = (int *)malloc(places * sizeof(int));
    real *values = (real *)malloc(places * sizeof(real));
    fill_ell(&A, width, columns, values);
    CHECK(cudaMalloc(&d_ell_columns, places * sizeof(int)));
    CHECK(cudaMalloc(&d_ell_values, places * sizeof(real)));
    CHECK(cudaMemcpy(d_ell_columns, columns, places * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_ell_values, values, places * sizeof(real), cudaMemcpyHostToDevice));
    free(columns);
    free(values);
}

void make_dia(void)
{
    const size_t bytes = (size_t)diagonals.count * M * sizeof(real);
    real *values = (real *)malloc(bytes);
    fill_dia(&A, &diagonals, values);
    CHECK(cudaMalloc(&d_dia_values, bytes));
    CHECK(cudaMemcpy(d_dia_values, values, bytes, cudaMemcpyHostToDevice));
    free(values);
}

// A matrix, x, and A x. The numbers are small integers, so all products and sums are exact, in
// whatever order they are added.
void make_data(const Kind *kind)
{
    A = new_kind(kind, args.N, args.seed);
    M = (int)A.M;
    nnz = (int)A.nnz;
    const size_t offset_bytes = (A.M + 1) * sizeof(int), index_bytes = A.nnz * sizeof(int);
    const size_t value_bytes = A.nnz * sizeof(real), x_bytes = A.N * sizeof(real);
    const size_t num_tiles = count_tiles(M, nnz);
    h_x = (real *)malloc(x_bytes);
    h_y = (real *)malloc(x_bytes);
    reference = (double *)malloc(A.M * sizeof(double));
    fill_integers(h_x, A.N, args.seed);
    multiply_kind(kind, h_x, reference, A.N, args.seed);
    CHECK(cudaMalloc(&d_offsets, offset_bytes));
    CHECK(cudaMalloc(&d_columns, index_bytes));
    CHECK(cudaMalloc(&d_values, value_bytes));
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, x_bytes));
    CHECK(cudaMalloc(&d_first_rows, (num_tiles + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d_kept, (num_tiles + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d_carries, num_tiles * sizeof(real)));
    CHECK(cudaMemcpy(d_offsets, A.offsets, offset_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_columns, A.columns, index_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, A.values, value_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_x, h_x, x_bytes, cudaMemcpyHostToDevice));

    width = (int)longest_row(&A);
    if (bytes_of_ell() <= 3.0 * bytes_of_csr(&A))
    {
        make_ell();
    }
    if (list_diagonals(&A, &diagonals))
    {
        make_dia();
    }
    launch_merge_search(d_offsets, d_kept, M, nnz);
    csr1 = prepare_csr(CUSPARSE_SPMV_CSR_ALG1);
    csr2 = prepare_csr(CUSPARSE_SPMV_CSR_ALG2);
}

void free_data(void)
{
    free_product(&csr1);
    free_product(&csr2);
    CHECK(cudaFree(d_offsets));
    CHECK(cudaFree(d_columns));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_ell_columns)); // of NULL it does nothing
    CHECK(cudaFree(d_ell_values));
    CHECK(cudaFree(d_dia_values));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_first_rows));
    CHECK(cudaFree(d_kept));
    CHECK(cudaFree(d_carries));
    d_ell_columns = NULL;
    d_ell_values = d_dia_values = NULL;
    free_matrix(&A);
    free(h_x);
    free(h_y);
    free(reference);
}

// ---- The tables ----

void print_bytes(const Kind *kind)
{
    print_note("%s: %zu elements of type %s, %d in the longest row; GB: %.4g in CSR, %.4g in ELL\n",
               kind->name, A.nnz, REAL_NAME, width, bytes_of_csr(&A) * 1e-9, bytes_of_ell() * 1e-9);
    if (fits_dia())
    {
        print_note("%s: %d diagonals; GB: %.4g in DIA\n", kind->name, diagonals.count,
                   bytes_of_dia() * 1e-9);
    }
}

void measure(const Kind *kind)
{
    make_data(kind);
    if (any_can_run(VERSIONS, NUM_VERSIONS)) // not so with -k ell where ELL does not fit
    {
        Table table = {};
        table.outputs[0] = {h_y, d_y, M * sizeof(real)};
        table.outputs[1] = {NULL, d_first_rows, (count_tiles(M, nnz) + 1) * sizeof(int)};
        table.outputs[2] = {NULL, d_carries, count_tiles(M, nnz) * sizeof(real)};
        table.what = kind->name;
        table.bytes = bytes_of_csr(&A);
        table.ceiling = copy_ceiling(table.bytes);
        print_bytes(kind);
        run_versions(&table, VERSIONS, NUM_VERSIONS);
    }
    free_data();
}

int main(int argc, char **argv)
{
    args.N = default_size(4000000, 8192);
    args.size_is = "number of rows, and of columns";
    // The most that a row takes on average: the band in CSR, ELL and DIA, and the vectors.
    const size_t in_csr = BAND * (sizeof(int) + sizeof(real)) + sizeof(int);
    const size_t in_ell = BAND * (sizeof(int) + sizeof(real)), in_dia = BAND * sizeof(real);
    args.bytes_per_element = in_csr + in_ell + in_dia + 2 * sizeof(real);
    args.bytes_on_host = in_csr + in_ell + 2 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "spmv-irregular: sparse matrices with rows of all lengths times a vector, in CSR, "
               "ELL and DIA");
    if (args.N > MAX_ROWS)
    {
        usage_error("a matrix may have %zu rows, not %zu", MAX_ROWS, args.N);
    }

    CHECK_CUSPARSE(cusparseCreate(&handle));
    for (int i = 0; i < NUM_KINDS; ++i)
    {
        measure(&KINDS[i]);
    }
    CHECK_CUSPARSE(cusparseDestroy(handle));
    return verdict();
}
