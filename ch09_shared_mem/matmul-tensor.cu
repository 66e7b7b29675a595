// matmul-tensor: matrices of 16-bit numbers on tensor cores: a warp's, and Hopper's with TMA
//
// From:    S1 4.3.3; S4 BLAS levels
// Order:   last
// Compile: nvcc -O3 -arch=sm_90a matmul-tensor.cu -lcublas
// Run:     ./a.out -n 4096
// Needs:   GPU, because a CPU has no tensor cores for bfloat16, nor has a GPU before sm_80
// Libs:    -lcublas
// Arch:    sm_90a
//
// A and B are of bfloat16 (8 bits of precision). Sums and C are of float, whatever USE_DP says. In
// the table, % is of cuBLAS, and x cpu goes by some rows on the host. ldmatrix and TMA want rows
// whose bytes are a multiple of 16. Other rows are first copied into longer ones, within the time
// shown.

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/versions.cuh"

typedef float element; // for matmul_check.cuh
#include "matmul_check.cuh"
#include "matmul_rows.cuh"
#if ON_GPU
#include <mma.h>
#include "matmul-tensor_fast.cuh"
#include "matmul_cublas.cuh"

using namespace nvcuda;

const int TILE = 64; // a block's tile of C is TILE x TILE

static int M, N, K;
static Product product; // A, B and C on the host, and what C should be
static bf16 *d_A, *d_B;
static float *d_C;
static bf16 *d_long_A, *d_long_B; // with longer rows; NULL where the rows need not be longer
static bool has_sm_90a;
static cublasHandle_t handle;

// A tensor core multiplies for a whole warp: a matrix's numbers are spread over the registers of
// the warp's 32 lanes. Which lane has which number is known only to the class wmma::fragment, here
// for matrices of 16 x 16. A block has 4 warps. Each of them has 2 x 2 fragments of sums, and so
// 32 x 32 numbers of C. The tiles of A and B are loaded as in matmul's `tiled`; 8 more numbers in
// each row put rows below each other into different banks.
__global__ void __launch_bounds__(128)
    multiply_wmma(const bf16 *A, const bf16 *B, float *C, int M, int N, int K)
{
#if __CUDA_ARCH__ >= 800
    const int TILE_K = 32; // how far the block goes along K at a time
    __shared__ __align__(32) bf16 s_A[TILE][TILE_K + 8], s_B[TILE_K][TILE + 8];
    __shared__ __align__(32) float s_C[TILE][TILE + 8];
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE; // the tile's corner in C
    const int warp = threadIdx.x / 32, y = warp / 2 * 32,
              x = warp % 2 * 32; // the warp's part of it
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2] = {};
    for (int first = 0; first < K; first += TILE_K)
    {
        for (int i = threadIdx.x; i < TILE * TILE_K; i += 128)
        {
            const int row = top + i / TILE_K, k_A = first + i % TILE_K;
            const int k_B = first + i / TILE, column = left + i % TILE;
            s_A[i / TILE_K][i % TILE_K] =
                row < M && k_A < K ? A[(size_t)row * K + k_A] : (bf16)0.0f;
            s_B[i / TILE][i % TILE] =
                k_B < K && column < N ? B[(size_t)k_B * N + column] : (bf16)0.0f;
        }
        __syncthreads(); // the tiles are complete
        for (int k = 0; k < TILE_K; k += 16)
        {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> a[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> b[2];
            for (int i = 0; i < 2; ++i)
            {
                wmma::load_matrix_sync(a[i], &s_A[y + 16 * i][k], TILE_K + 8);
                wmma::load_matrix_sync(b[i], &s_B[k][x + 16 * i], TILE + 8);
            }
            for (int i = 0; i < 4; ++i)
            {
                wmma::mma_sync(sums[i / 2][i % 2], a[i / 2], b[i % 2], sums[i / 2][i % 2]);
            }
        }
        __syncthreads(); // all warps have used the tiles
    }
    // A fragment can only be stored whole. So the tile of C goes to shared memory first, and from
    // there to C as far as it lies within C.
    for (int i = 0; i < 4; ++i)
    {
        wmma::store_matrix_sync(&s_C[y + i / 2 * 16][x + i % 2 * 16], sums[i / 2][i % 2], TILE + 8,
                                wmma::mem_row_major);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * TILE; i += 128)
    {
        const int row = top + i / TILE, column = left + i % TILE;
        if (row < M && column < N)
        {
            C[(size_t)row * N + column] = s_C[i / TILE][i % TILE];
        }
    }
#endif
}

void run_wmma(void)
{
    const dim3 grid((N - 1) / TILE + 1, (M - 1) / TILE + 1);
    multiply_wmma<<<grid, 128>>>(d_A, d_B, d_C, M, N, K);
}

// The kernels after this one stand in matmul-tensor_fast.cuh.

void run_mma(void)
{
    const Matrix A = lengthen_rows(d_A, d_long_A, M, K), B = lengthen_rows(d_B, d_long_B, K, N);
    launch_mma(A, B, d_C, {M, N, K});
}

void run_wgmma(void)
{
    const Matrix A = lengthen_rows(d_A, d_long_A, M, K), B = lengthen_rows(d_B, d_long_B, K, N);
    launch_wgmma(A, B, d_C, {M, N, K});
}

void run_multicast(void)
{
    const Matrix A = lengthen_rows(d_A, d_long_A, M, K), B = lengthen_rows(d_B, d_long_B, K, N);
    launch_tiles<2, WG_N, WG_STAGES>(A, B, d_C, {M, N, K});
}

void run_fitted(void)
{
    const Matrix A = lengthen_rows(d_A, d_long_A, M, K), B = lengthen_rows(d_B, d_long_B, K, N);
    launch_fitted(A, B, d_C, {M, N, K});
}

void run_cublas(void) { multiply_cublas(handle, d_A, d_B, CUDA_R_16BF, d_C, CUDA_R_32F, M, N, K); }

void check_C(void) { check_product(&product); }
bool fits(void) { return M <= 65535 * TILE; }
bool is_sm_90a(void) { return has_sm_90a; }
#else
void (*const run_wmma)(void) = NULL, (*const run_mma)(void) = NULL;
void (*const run_wgmma)(void) = NULL, (*const run_cublas)(void) = NULL;
void (*const run_multicast)(void) = NULL, (*const run_fitted)(void) = NULL;
void (*const check_C)(void) = NULL;
bool (*const fits)(void) = NULL, (*const is_sm_90a)(void) = NULL;
#endif

const Version VERSIONS[] = {
    {"wmma", "fragments of 16 x 16, in a class that hides where its numbers are", run_wmma, check_C,
     ON_DEVICE, fits, "at most 65535 blocks in y (M <= 4194240)"},
    {"mma", "one instruction, 16 x 8 x 16: operands by ldmatrix, tiles by asynchronous copies",
     run_mma, check_C},
    {"wgmma", "four warps multiply 64 x 256 x 16 out of shared memory that TMA fills", run_wgmma,
     check_C, ON_DEVICE, is_sm_90a, "sm_90a"},
    {"multicast", "two blocks share what they read of B, and go on to the next tile", run_multicast,
     check_C, ON_DEVICE, is_sm_90a, "sm_90a"},
    {"fitted", "narrow tiles, or one a block, where there are few", run_fitted, check_C, ON_DEVICE,
     is_sm_90a, "sm_90a"},
    {"cublas", "the library", run_cublas, check_C, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

#if ON_GPU
// Refuses a GPU that is too old: there the kernels' bodies are empty.
void require_sm_80(void)
{
    cudaFuncAttributes code;
    CHECK(cudaFuncGetAttributes(&code, multiply_mma));
    if (code.ptxVersion < 80)
    {
        fprintf(stderr, "matmul-tensor: needs sm_80 or later, of the GPU and of nvcc's -arch\n");
        exit(77);
    }
}

// The host computes in float. So its numbers become what the device gets: rounded to bfloat16.
void copy_rounded(float *from, bf16 *to_device, size_t count)
{
    bf16 *rounded = (bf16 *)malloc(count * sizeof(bf16));
    for (size_t n = 0; n < count; ++n)
    {
        rounded[n] = (bf16)from[n];
        from[n] = (float)rounded[n];
    }
    CHECK(cudaMemcpy(to_device, rounded, count * sizeof(bf16), cudaMemcpyHostToDevice));
    free(rounded);
}

void check_and_time(void)
{
    require_sm_80();
    M = args.M;
    N = args.N;
    K = args.K;
    const size_t size_A = args.M * args.K, size_B = args.K * args.N, size_C = args.M * args.N;
    // Tensor cores may cut off digits where others round.
    allocate_product(&product, M, N, K, 2.0 * FLT_EPSILON);
    CHECK(cudaMalloc(&d_A, size_A * sizeof(bf16)));
    CHECK(cudaMalloc(&d_B, size_B * sizeof(bf16)));
    CHECK(cudaMalloc(&d_C, size_C * sizeof(float)));
    d_long_A = allocate_longer_rows(M, K);
    d_long_B = allocate_longer_rows(K, N);
    CHECK(cudaMemcpyFromSymbol(&has_sm_90a, has_wgmma, sizeof(bool)));
    CHECK_CUBLAS(cublasCreate(&handle));
    Table table = {};
    table.outputs[0] = {product.h_C, d_C, size_C * sizeof(float)};

    fill_integers(product.h_A, size_A, 2 * args.seed);
    fill_integers(product.h_B, size_B, 2 * args.seed + 1);
    copy_rounded(product.h_A, d_A, size_A);
    copy_rounded(product.h_B, d_B, size_B);
    expect_exact(&product);
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    fill_random(product.h_A, size_A, 2 * args.seed);
    fill_random(product.h_B, size_B, 2 * args.seed + 1);
    copy_rounded(product.h_A, d_A, size_A);
    copy_rounded(product.h_B, d_B, size_B);
    table.cpu_ms = compute_reference(&product);
    table.what = "bfloat16 to float";
    table.operations = 2.0 * M * N * K;
    Timer library = new_timer(args.repeats);
    while (next_run(&library))
    {
        run_cublas();
    }
    table.ceiling = table.operations / library.median * 1e-6; // GFLOP/s
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_note("rows made longer for all but wmma and cublas: of %s\n",
               d_long_A != NULL   ? (d_long_B != NULL ? said("A and B") : "A")
               : d_long_B != NULL ? "B"
                                  : said("none"));

    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
    CHECK(cudaFree(d_long_A));
    CHECK(cudaFree(d_long_B));
    CHECK_CUBLAS(cublasDestroy(handle));
    free_product(&product);
}
#else
void check_and_time(void)
{
    print_card_run();
    fprintf(stderr, "matmul-tensor: needs a GPU: a CPU has no tensor cores\n");
    exit(77);
}
#endif

int main(int argc, char **argv)
{
    args.M = args.N = args.K = 4096;
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n MxNxK -r R -s S -k NAME --csv",
               "matmul-tensor: matrices of 16-bit numbers on tensor cores: a warp's, and Hopper's "
               "with TMA");
    refuse_unfit(sizeof(bf16),
                 bytes_of_longer_rows(args.M, args.K) + bytes_of_longer_rows(args.K, args.N));
    check_and_time();
    return verdict();
}
