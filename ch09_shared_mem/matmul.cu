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
#include "../common/versions.cuh"

typedef real element; // for matmul_check.cuh
#include "matmul_check.cuh"
#include "matmul_cublas.cuh"
#include "matmul_fast.cuh"

const int TILE = 32;                  // as wide as a warp
const double SHARED_BYTES = 48 << 20; // at most, for what the blocks of stream-k tell each other
const dim3 BLOCK(TILE, TILE);

static int M, N, K;
static Product product;               // A, B and C on the host, and what C should be
static real *d_A, *d_B, *d_C;         // the same on the device
static dim3 along_rows, down_columns; // grids whose x goes along C's rows, or down its columns
static Shared shared, shared_mma;     // how the blocks of stream-k and mma-stream-k share tiles
static cublasHandle_t handle;

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

void run_cpu(void) { multiply_on_host(product.h_A, product.h_B, product.h_C, M, N, K); }

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

void run_scattered(void) { multiply_scattered<<<down_columns, BLOCK>>>(d_A, d_B, d_C, M, N, K); }

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

void run_naive(void) { multiply_naive<<<along_rows, BLOCK>>>(d_A, d_B, d_C, M, N, K); }

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

void run_tiled(void) { multiply_tiled<<<along_rows, BLOCK>>>(d_A, d_B, d_C, M, N, K); }

// The kernels after these stand in matmul_fast.cuh.

void run_column(void) { launch_column(d_A, d_B, d_C, {M, N, K}); }
void run_square(void) { launch_square(d_A, d_B, d_C, {M, N, K}); }
void run_vector(void) { launch_vector(d_A, d_B, d_C, {M, N, K}); }
void run_pipelined(void) { launch_pipelined<Large>(d_A, d_B, d_C, {M, N, K}); }
void run_fitted(void) { launch_fitted(d_A, d_B, d_C, {M, N, K}); }
void run_stream_k(void) { launch_shared(&shared, d_A, d_B, d_C, {M, N, K}); }

#if ON_GPU && defined(USE_DP)
void run_wmma(void) { launch_wmma(d_A, d_B, d_C, {M, N, K}); }
bool can_run_wmma(void) { return has_wmma(); }
void run_mma(void) { launch_mma(d_A, d_B, d_C, {M, N, K}); }
bool can_run_mma(void) { return has_mma(); }
void run_mma_stream_k(void) { launch_shared(&shared_mma, d_A, d_B, d_C, {M, N, K}); }
#else
void (*const run_wmma)(void) = NULL, (*const run_mma)(void) = NULL;
void (*const run_mma_stream_k)(void) = NULL;
bool (*const can_run_wmma)(void) = NULL, (*const can_run_mma)(void) = NULL;
#endif

void run_cublas(void)
{
    const cudaDataType type = sizeof(real) == sizeof(double) ? CUDA_R_64F : CUDA_R_32F;
    multiply_cublas(handle, d_A, d_B, type, d_C, type, M, N, K);
}

// ---- The table

void check_C(void) { check_product(&product); }

const double CPU_STEPS = 1 << 30;   // multiply-adds
const int MOST_IN_Y = 65535 * TILE; // rows or columns that 65535 blocks have

bool is_short_or_wanted(void)
{
    return (double)M * N * K <= CPU_STEPS || strcmp(args.version, "cpu") == 0;
}

bool fits_along_rows(void) { return M <= MOST_IN_Y; }
bool fits_down_columns(void) { return N <= MOST_IN_Y; }
bool fits_large_tiles(void) { return has_memory_for<Large>(); }

const Version VERSIONS[] = {
    {"cpu", "one core of the host; if that takes too long, `x cpu` goes by some of its rows",
     run_cpu, check_C, ON_HOST, is_short_or_wanted, "a smaller size, or -k cpu"},
    {"scattered", "a number of C a thread, neighbouring threads along a column of C", run_scattered,
     check_C, ON_DEVICE, fits_down_columns, "at most 65535 blocks in y (N <= 2097120)"},
    {"naive", "along a row instead: loads of B and stores of C are coalesced", run_naive, check_C,
     ON_DEVICE, fits_along_rows, "at most 65535 blocks in y (M <= 2097120)", false,
     "faster than it looks: a cache serves most loads"},
    {"tiled", "tiles of A and B in shared memory: each number is loaded once a block", run_tiled,
     check_C, ON_DEVICE, fits_along_rows, "at most 65535 blocks in y (M <= 2097120)"},
    {"column", "8 numbers of C a thread, in registers: one load of B serves 8 multiply-adds",
     run_column, check_C},
    {"square", "8 x 8 numbers a thread: 16 loads serve 64", run_square, check_C},
    {"vector", "the same with loads of 16 bytes: an instruction brings 4 floats, or 2 doubles",
     run_vector, check_C, ON_DEVICE, NULL, NULL, false, "a little faster: fewer instructions"},
    {"pipelined", "no waiting: copies run two tiles ahead, and loads a step ahead", run_pipelined,
     check_C, ON_DEVICE, fits_large_tiles, "more shared memory", false,
     "faster: copies run ahead of the work"},
    {"fitted", "tiles of 64 x 64 where larger ones would leave multiprocessors idle", run_fitted,
     check_C, ON_DEVICE, NULL, NULL, false, "on the card it ran as pipelined"},
    {"stream-k", "as many blocks as run at once, which share the last tiles", run_stream_k,
     check_C},
    {"wmma", "tensor cores, which multiply doubles, too", run_wmma, check_C, ON_DEVICE,
     can_run_wmma, "double, and a GPU of sm_80 or later"},
    {"mma", "the same with an instruction of 8 times the size", run_mma, check_C, ON_DEVICE,
     can_run_mma, "double, a GPU of sm_90 or later, and 183 KB of shared memory a block"},
    {"mma-stream-k", "mma, with the last tiles shared as in stream-k", run_mma_stream_k, check_C,
     ON_DEVICE, can_run_mma,
     "double, a GPU of sm_90 or later, and 183 KB of shared memory a block"},
    {"cublas", "the library", run_cublas, check_C, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

void copy_to_device(void)
{
    CHECK(cudaMemcpy(d_A, product.h_A, (size_t)M * K * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, product.h_B, (size_t)K * N * sizeof(real), cudaMemcpyHostToDevice));
}

int main(int argc, char **argv)
{
    args.M = args.N = default_size(4096, 128);
    args.K = default_size(4096, 64);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n MxNxK -r R -s S -k NAME --csv",
               "matmul: matrix product: first one number per thread, at last the speed of cuBLAS");
    refuse_unfit(sizeof(real), SHARED_BYTES);
    M = args.M;
    N = args.N;
    K = args.K;
    along_rows = dim3((N - 1) / TILE + 1, (M - 1) / TILE + 1);
    down_columns = dim3((M - 1) / TILE + 1, (N - 1) / TILE + 1);

    const size_t size_A = args.M * args.K, size_B = args.K * args.N, size_C = args.M * args.N;
    allocate_product(&product, M, N, K, REAL_EPSILON);
    CHECK(cudaMalloc(&d_A, size_A * sizeof(real)));
    CHECK(cudaMalloc(&d_B, size_B * sizeof(real)));
    CHECK(cudaMalloc(&d_C, size_C * sizeof(real)));
    shared = share_stream_k({M, N, K});
#if ON_GPU && defined(USE_DP)
    if (can_run_mma())
    {
        shared_mma = share_mma_stream_k({M, N, K});
    }
#endif
    CHECK_CUBLAS(cublasCreate(&handle));

    Table table = {};
    table.outputs[0] = {product.h_C, d_C, size_C * sizeof(real)};
    table.operations = 2.0 * M * N * K;
    table.ceiling = multiply_add_ceiling<real>();

    fill_integers(product.h_A, size_A, 2 * args.seed);
    fill_integers(product.h_B, size_B, 2 * args.seed + 1);
    copy_to_device();
    expect_exact(&product);
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    fill_random(product.h_A, size_A, 2 * args.seed);
    fill_random(product.h_B, size_B, 2 * args.seed + 1);
    copy_to_device();
    table.cpu_ms = compute_reference(&product);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
    free_shared(&shared);
    free_shared(&shared_mma);
    CHECK_CUBLAS(cublasDestroy(handle));
    free_product(&product);
    return verdict();
}
