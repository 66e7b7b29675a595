// matmul: matrix product: first one number per thread, at last the speed of cuBLAS
//
// From:    S1 4.3.3; S4 BLAS levels
// Compile: nvcc -O3 matmul.cu -lcublas
// Run:     ./a.out -n 4096
// Options: -n MxNxK -r R -s S -k NAME --csv
// Libs:    -lcublas
// Chinese: 矩阵乘法：从每个线程计算一个元素，到 cuBLAS 的速度
// Versions:
//   cpu          one core of the host; if that takes too long, `x cpu` goes by some of its rows
//   scattered    a number of C a thread, neighbouring threads along a column of C
//   naive        along a row instead: loads of B and stores of C are coalesced
//   tiled        tiles of A and B in shared memory: each number is loaded once a block
//   column       8 numbers of C a thread, in registers: one load of B serves 8 multiply-adds
//   square       8 x 8 numbers a thread: 16 loads serve 64
//   vector       the same with loads of 16 bytes: an instruction brings 4 floats, or 2 doubles
//   pipelined    no waiting: copies run two tiles ahead, and loads a step ahead
//   fitted       tiles of 64 x 64 where larger ones would leave multiprocessors idle
//   wmma         tensor cores, which multiply doubles, too (needs a GPU, double and sm_80)
//   cublas       the library
// Checks:  30 (27 or more on a GPU)
// Sizes:   1x1x1 33x17x5 64x64x33 67x129x31 100x1x257 300x516x40 1100x70x9
//
// A has M rows and K columns, B has K and N, C has M and N. Each version is checked on small
// integers, where the result is exact, and on random numbers: matmul_check.cuh says how.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"
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

int main(int argc, char **argv)
{
    Args args;
    Product<real> product; // A, B and C on the host, and what C should be
    int M = 0, N = 0, K = 0;
    real *d_A = NULL, *d_B = NULL, *d_C = NULL;
    cublasHandle_t handle = NULL;
    dim3 block(TILE, TILE), along_rows, down_columns; // grids whose x goes along C's rows, ...
    double steps = 0.0;                               // multiply-adds
    const double CPU_STEPS = 1 << 30;
    const int MOST_IN_Y = 65535 * TILE; // rows or columns that 65535 blocks have
    const auto fits_along_rows = [&]
    {
        return M <= MOST_IN_Y;
    };
    const auto fits_down_columns = [&]
    {
        return N <= MOST_IN_Y;
    };
    const auto is_short_or_wanted = [&]
    {
        return steps <= CPU_STEPS || strcmp(args.version, "cpu") == 0;
    };
    const Version versions[] = {
        on_host("cpu", [&] { multiply_on_host(product.h_A, product.h_B, product.h_C, M, N, K); })
            .only_if(is_short_or_wanted, "a smaller size, or -k cpu"),
        on_device("scattered",
                  [&] { multiply_scattered<<<down_columns, block>>>(d_A, d_B, d_C, M, N, K); })
            .only_if(fits_down_columns, "at most 65535 blocks in y (N <= 2097120)"),
        on_device("naive", [&] { multiply_naive<<<along_rows, block>>>(d_A, d_B, d_C, M, N, K); })
            .only_if(fits_along_rows, "at most 65535 blocks in y (M <= 2097120)"),
        on_device("tiled", [&] { multiply_tiled<<<along_rows, block>>>(d_A, d_B, d_C, M, N, K); })
            .only_if(fits_along_rows, "at most 65535 blocks in y (M <= 2097120)"),
        on_device("column",
                  [&] {
                      launch_column(d_A, d_B, d_C, {M, N, K});
                  }),
        on_device("square",
                  [&] {
                      launch_square(d_A, d_B, d_C, {M, N, K});
                  }),
        on_device("vector",
                  [&] {
                      launch_vector(d_A, d_B, d_C, {M, N, K});
                  }),
        on_device("pipelined",
                  [&] {
                      launch_pipelined<Large>(d_A, d_B, d_C, {M, N, K});
                  })
            .only_if(has_memory_for<Large>, "more shared memory"),
        on_device("fitted",
                  [&] {
                      launch_fitted(d_A, d_B, d_C, {M, N, K});
                  }),
#if ON_GPU && defined(USE_DP)
        on_device("wmma",
                  [&] {
                      launch_wmma(d_A, d_B, d_C, {M, N, K});
                  })
            .only_if(has_wmma, "double, and sm_80 or later"),
#else
        skipped("wmma", "double, and sm_80 or later"),
#endif
        on_device("cublas", [&] { multiply_cublas(handle, d_A, d_B, d_C, M, N, K); }),
    };

    args.M = args.N = args.K = default_size(4096, 130);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n MxNxK -r R -s S -k NAME --csv",
               "matmul: matrix product: first one number per thread, at last the speed of cuBLAS");
    refuse_unfit<real>(&args);
    M = (int)args.M;
    N = (int)args.N;
    K = (int)args.K;
    steps = (double)M * N * K;
    along_rows = dim3((N - 1) / TILE + 1, (M - 1) / TILE + 1);
    down_columns = dim3((M - 1) / TILE + 1, (N - 1) / TILE + 1);

    const size_t size_A = args.M * args.K, size_B = args.K * args.N, size_C = args.M * args.N;
    allocate_product(&product, args.M, args.N, args.K);
    CHECK(cudaMalloc(&d_A, size_A * sizeof(real)));
    CHECK(cudaMalloc(&d_B, size_B * sizeof(real)));
    CHECK(cudaMalloc(&d_C, size_C * sizeof(real)));
    CHECK_CUBLAS(cublasCreate(&handle));
    Ladder ladder;
    ladder.outputs[0] = {product.h_C, d_C, size_C * sizeof(real)};

    fill_integers(product.h_A, size_A, 2 * args.seed);
    fill_integers(product.h_B, size_B, 2 * args.seed + 1);
    CHECK(cudaMemcpy(d_A, product.h_A, size_A * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, product.h_B, size_B * sizeof(real), cudaMemcpyHostToDevice));
    expect_exact(&product);
    ladder.check = [&]
    {
        check_exact(&ladder, &product);
    };
    check_versions(&args, &ladder, versions);

    fill_random(product.h_A, size_A, 2 * args.seed);
    fill_random(product.h_B, size_B, 2 * args.seed + 1);
    CHECK(cudaMemcpy(d_A, product.h_A, size_A * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, product.h_B, size_B * sizeof(real), cudaMemcpyHostToDevice));
    ladder.cpu_ms = compute_reference(&product);
    ladder.check = [&]
    {
        check_rounded(&ladder, &product);
    };
    ladder.operations = 2.0 * steps;
    ladder.ceiling = MULTIPLY_ADD_CEILING;
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
    CHECK_CUBLAS(cublasDestroy(handle));
    free_product(&product);
    return verdict();
}
