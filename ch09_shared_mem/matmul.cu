// matmul: matrix product: first one number per thread, at last the speed of cuBLAS
//
// From:    S1 4.3.3; S4 BLAS levels
// Compile: nvcc -O3 matmul.cu -lcublas
// Run:     ./a.out -n 4096
// Libs:    -lcublas
//
// A has M rows and K columns, B has K and N, C has M and N. Each version is checked on small
// integers, where the result is exact, and on random numbers: matmul_check.cuh says how.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/versions_data.cuh"
#include "matmul_check.cuh"
#include "matmul_cublas.cuh"
#include "matmul_fast.cuh"

// The innermost loop runs along a row of B and a row of C, as they lie in memory.
void multiply_on_host(const real *A, const real *B, real *C, size_t M, size_t N, size_t K)
{
    memset(C, 0, M * N * sizeof(real));
    for (size_t row = 0; row < M; ++row)
    {
        for (size_t k = 0; k < K; ++k)
        {
            const real a = A[row * K + k];
            for (size_t column = 0; column < N; ++column)
            {
                C[row * N + column] += a * B[k * N + column];
            }
        }
    }
}

const int TILE = 32; // as wide as a warp

// The 32 threads of a warp have 32 consecutive rows and the same column. Each of their loads from A
// touches 32 sectors of memory for 32 numbers.
__global__ void multiply_scattered(const real *A, const real *B, real *C, int M, int N, int K)
{
    const int row = blockIdx.x * TILE + threadIdx.x;
    const int column = blockIdx.y * TILE + threadIdx.y;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int k = 0; k < K; ++k)
        {
            sum += A[(size_t)row * K + k] * B[(size_t)k * N + column];
        }
        C[(size_t)row * N + column] = sum;
    }
}

// The 32 threads of a warp have the same row and 32 consecutive columns. They load one number of A
// and 32 neighbours of B. But each multiply-add still takes two loads from global memory: each
// number of A is loaded N times, and each number of B is loaded M times.
__global__ void multiply_naive(const real *A, const real *B, real *C, int M, int N, int K)
{
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int k = 0; k < K; ++k)
        {
            sum += A[(size_t)row * K + k] * B[(size_t)k * N + column];
        }
        C[(size_t)row * N + column] = sum;
    }
}

// The block goes along its rows of A and down its columns of B, a tile of each at a time. Every
// thread loads one number of each tile into shared memory, and all threads of the block use it:
// 32 times fewer loads from global memory. Beyond the matrices the tiles are filled with zeros, so
// the inner loop needs no `if`.
__global__ void multiply_tiled(const real *A, const real *B, real *C, int M, int N, int K)
{
    __shared__ real s_A[TILE][TILE], s_B[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y;
    const int column = blockIdx.x * TILE + x;
    real sum = 0;
    for (int first = 0; first < K; first += TILE)
    {
        const int k_A = first + x, k_B = first + y; // of the numbers that this thread loads
        s_A[y][x] = row < M && k_A < K ? A[(size_t)row * K + k_A] : (real)0;
        s_B[y][x] = k_B < K && column < N ? B[(size_t)k_B * N + column] : (real)0;
        __syncthreads(); // the tiles are complete
        for (int k = 0; k < TILE; ++k)
        {
            sum += s_A[y][k] * s_B[k][x];
        }
        __syncthreads(); // all threads have used the tiles, so the next ones may replace them
    }
    if (row < M && column < N)
    {
        C[(size_t)row * N + column] = sum;
    }
}

// The kernels after these stand in matmul_fast.cuh.

// What the versions work on.
struct Data
{
    int M, N, K;
    Product<real> product; // A, B and C on the host, and what C should be
    real *d_A, *d_B, *d_C;
    dim3 along_rows, down_columns; // grids whose x goes along C's rows, or down its columns
    cublasHandle_t handle;
    bool wants_cpu; // by -k cpu
};

void check_C(Table<Data> *table, const Data *d) { check_product(table, &d->product); }

const double CPU_STEPS = 1 << 30;   // multiply-adds
const int MOST_IN_Y = 65535 * TILE; // rows or columns that 65535 blocks have

bool is_short_or_wanted(const Data *d)
{
    return (double)d->M * d->N * d->K <= CPU_STEPS || d->wants_cpu;
}

bool fits_along_rows(const Data *d) { return d->M <= MOST_IN_Y; }

bool fits_down_columns(const Data *d) { return d->N <= MOST_IN_Y; }

bool fits_large_tiles(const Data *) { return has_memory_for<Large>(); }

void run_cpu(Data *d)
{
    multiply_on_host(d->product.h_A, d->product.h_B, d->product.h_C, d->M, d->N, d->K);
}

const dim3 BLOCK(TILE, TILE);

void run_scattered(Data *d)
{
    multiply_scattered<<<d->down_columns, BLOCK>>>(d->d_A, d->d_B, d->d_C, d->M, d->N, d->K);
}

void run_naive(Data *d)
{
    multiply_naive<<<d->along_rows, BLOCK>>>(d->d_A, d->d_B, d->d_C, d->M, d->N, d->K);
}

void run_tiled(Data *d)
{
    multiply_tiled<<<d->along_rows, BLOCK>>>(d->d_A, d->d_B, d->d_C, d->M, d->N, d->K);
}

#if ON_GPU && defined(USE_DP)
void run_wmma(Data *d) { launch_wmma(d->d_A, d->d_B, d->d_C, {d->M, d->N, d->K}); }

bool can_run_wmma(const Data *) { return has_wmma(); }
#else
void (*const run_wmma)(Data *) = NULL;
bool (*const can_run_wmma)(const Data *) = NULL;
#endif

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "one core of the host; if that takes too long, `x cpu` goes by some of its rows",
     ON_HOST, run_cpu, check_C, is_short_or_wanted, "a smaller size, or -k cpu"},
    {"scattered", "a number of C a thread, neighbouring threads along a column of C", ON_DEVICE,
     run_scattered, check_C, fits_down_columns, "at most 65535 blocks in y (N <= 2097120)"},
    {"naive", "along a row instead: loads of B and stores of C are coalesced", ON_DEVICE, run_naive,
     check_C, fits_along_rows, "at most 65535 blocks in y (M <= 2097120)"},
    {"tiled", "tiles of A and B in shared memory: each number is loaded once a block", ON_DEVICE,
     run_tiled, check_C, fits_along_rows, "at most 65535 blocks in y (M <= 2097120)"},
    // See matmul_fast.cuh.
    {"column", "8 numbers of C a thread, in registers: one load of B serves 8 multiply-adds",
     ON_DEVICE,
     [](D d) {
         launch_column(d->d_A, d->d_B, d->d_C, {d->M, d->N, d->K});
     },
     check_C},
    {"square", "8 x 8 numbers a thread: 16 loads serve 64", ON_DEVICE,
     [](D d) {
         launch_square(d->d_A, d->d_B, d->d_C, {d->M, d->N, d->K});
     },
     check_C},
    {"vector", "the same with loads of 16 bytes: an instruction brings 4 floats, or 2 doubles",
     ON_DEVICE,
     [](D d) {
         launch_vector(d->d_A, d->d_B, d->d_C, {d->M, d->N, d->K});
     },
     check_C},
    {"pipelined", "no waiting: copies run two tiles ahead, and loads a step ahead", ON_DEVICE,
     [](D d) {
         launch_pipelined<Large>(d->d_A, d->d_B, d->d_C, {d->M, d->N, d->K});
     },
     check_C, fits_large_tiles, "more shared memory"},
    {"fitted", "tiles of 64 x 64 where larger ones would leave multiprocessors idle", ON_DEVICE,
     [](D d) {
         launch_fitted(d->d_A, d->d_B, d->d_C, {d->M, d->N, d->K});
     },
     check_C},
    {"wmma", "tensor cores, which multiply doubles, too", ON_DEVICE, run_wmma, check_C,
     can_run_wmma, "double, and a GPU of sm_80 or later"},
    {"cublas", "the library", ON_DEVICE,
     [](D d) { multiply_cublas(d->handle, d->d_A, d->d_B, d->d_C, d->M, d->N, d->K); }, check_C},
};

int main(int argc, char **argv)
{
    args.M = args.N = args.K = default_size(4096, 130);
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n MxNxK -r R -s S -k NAME --csv",
               "matmul: matrix product: first one number per thread, at last the speed of cuBLAS");
    refuse_unfit<real>();
    const int M = args.M, N = args.N, K = args.K;
    const size_t size_A = args.M * args.K, size_B = args.K * args.N, size_C = args.M * args.N;

    Data data = {M, N, K};
    Product<real> *product = &data.product;
    allocate_product(product, M, N, K);
    CHECK(cudaMalloc(&data.d_A, size_A * sizeof(real)));
    CHECK(cudaMalloc(&data.d_B, size_B * sizeof(real)));
    CHECK(cudaMalloc(&data.d_C, size_C * sizeof(real)));
    CHECK_CUBLAS(cublasCreate(&data.handle));
    data.along_rows = dim3((N - 1) / TILE + 1, (M - 1) / TILE + 1);
    data.down_columns = dim3((M - 1) / TILE + 1, (N - 1) / TILE + 1);
    data.wants_cpu = strcmp(args.version, "cpu") == 0;

    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {product->h_C, data.d_C, size_C * sizeof(real)};
    table.operations = 2.0 * M * N * K;
    table.ceiling = multiply_add_ceiling<real>;

    fill_integers(product->h_A, size_A, 2 * args.seed);
    fill_integers(product->h_B, size_B, 2 * args.seed + 1);
    CHECK(cudaMemcpy(data.d_A, product->h_A, size_A * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(data.d_B, product->h_B, size_B * sizeof(real), cudaMemcpyHostToDevice));
    expect_exact(product);
    check_versions(&table, VERSIONS);

    fill_random(product->h_A, size_A, 2 * args.seed);
    fill_random(product->h_B, size_B, 2 * args.seed + 1);
    CHECK(cudaMemcpy(data.d_A, product->h_A, size_A * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(data.d_B, product->h_B, size_B * sizeof(real), cudaMemcpyHostToDevice));
    table.cpu_ms = compute_reference(product);
    run_versions(&table, VERSIONS);

    CHECK(cudaFree(data.d_A));
    CHECK(cudaFree(data.d_B));
    CHECK(cudaFree(data.d_C));
    CHECK_CUBLAS(cublasDestroy(data.handle));
    free_product(product);
    return verdict();
}
