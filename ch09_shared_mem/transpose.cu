// transpose: the matrix transpose step by step, from scattered accesses to nearly a copy's speed
//
// From:    Listing 9.5, Table 9.1, Fig. 9.1, sections 9.2 and 9.3; file bank.cu; S3 transpose
// Compile: nvcc -O3 transpose.cu -lcublas
// Run:     ./a.out -n 10000x10000
// Libs:    -lcublas
//
// A has M rows and N columns. B is the transpose of A, so it has N rows and M columns.
// The kernels up to swizzled have the book's two-dimensional grid, which has at most 65535 blocks
// in y. They are skipped where a matrix needs more.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/check_cublas.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "transpose_fast.cuh"

const int TILE = 32; // as wide as a warp
const dim3 BLOCK(TILE, TILE);

static size_t M, N;                 // rows and columns of A
static real *h_A, *h_B, *d_A, *d_B; // B is the transpose of A
static real *reference;             // what B should be
static dim3 along_A, along_B;       // grids of tiles of A and of B: x counts columns, y counts rows

void transpose_reference(const real *A, real *B, size_t M, size_t N)
{
    for (size_t row = 0; row < M; ++row)
    {
        for (size_t column = 0; column < N; ++column)
        {
            B[column * M + row] = A[row * N + column];
        }
    }
}

// The reference jumps from row to row of B, M elements each time. Here 32 elements that lie side by
// side in B are written one after the other. The lines of A that they come from stay in the cache
// until the next column needs them.
void transpose_by_strips(const real *A, real *B, size_t M, size_t N)
{
    const size_t HEIGHT = 32;
    for (size_t strip = 0; strip < M; strip += HEIGHT)
    {
        for (size_t column = 0; column < N; ++column)
        {
            for (size_t row = strip; row < M && row < strip + HEIGHT; ++row)
            {
                B[column * M + row] = A[row * N + column];
            }
        }
    }
}

void run_cpu(void) { transpose_by_strips(h_A, h_B, M, N); }

// The 32 threads of a warp have the same row and 32 consecutive columns. Both accesses are
// coalesced. An int is enough for M and N: fits_A and fits_B see to it.
__global__ void copy(const real *A, real *B, int M, int N)
{
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    if (row < M && column < N)
    {
        B[(size_t)row * N + column] = A[(size_t)row * N + column];
    }
}

void run_copy(void) { copy<<<along_A, BLOCK>>>(d_A, d_B, M, N); }

// Only the index of B has changed. The reads of a warp still lie side by side in A. Its writes lie
// M elements apart in B.
__global__ void transpose_read_coalesced(const real *A, real *B, int M, int N)
{
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    if (row < M && column < N)
    {
        B[(size_t)column * M + row] = A[(size_t)row * N + column];
    }
}

void run_read_coalesced(void) { transpose_read_coalesced<<<along_A, BLOCK>>>(d_A, d_B, M, N); }

// `row` and `column` are now those of B, which has N rows and M columns. The writes of a warp lie
// side by side in B, and its reads lie N elements apart in A.
__global__ void transpose_write_coalesced(const real *A, real *B, int M, int N)
{
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    if (row < N && column < M)
    {
        B[(size_t)row * M + column] = A[(size_t)column * N + row];
    }
}

void run_write_coalesced(void) { transpose_write_coalesced<<<along_B, BLOCK>>>(d_A, d_B, M, N); }

// The same, but A is read by __ldg. Since Volta the L1 cache keeps ordinary reads too, so __ldg
// gains nothing.
__global__ void transpose_write_ldg(const real *A, real *B, int M, int N)
{
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    if (row < N && column < M)
    {
        B[(size_t)row * M + column] = __ldg(&A[(size_t)column * N + row]);
    }
}

void run_write_ldg(void) { transpose_write_ldg<<<along_B, BLOCK>>>(d_A, d_B, M, N); }

// Listing 9.5. The block reads a tile of A along its rows into shared memory. After the barrier it
// writes the tile along the rows of B. Both accesses to global memory are coalesced.
// But a warp now reads a column of s_tile: 32 elements that are 32 apart lie in the same bank
// (Fig. 9.1, top). The bank serves one of them at a time.
__global__ void transpose_shared(const real *A, real *B, int M, int N)
{
    __shared__ real s_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE; // the tile's corner in A
    if (row + y < M && column + x < N)
    {
        s_tile[y][x] = A[(size_t)(row + y) * N + column + x];
    }
    __syncthreads(); // a thread writes to B what another thread has read from A
    if (column + y < N && row + x < M)
    {
        B[(size_t)(column + y) * M + row + x] = s_tile[x][y];
    }
}

void run_shared(void) { transpose_shared<<<along_A, BLOCK>>>(d_A, d_B, M, N); }

// The same, but each row of s_tile has 33 elements. The elements of a column are now 33 apart, and
// so in 32 different banks (Fig. 9.1, bottom). Nothing is stored in the additional column.
__global__ void transpose_padded(const real *A, real *B, int M, int N)
{
    __shared__ real s_tile[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    if (row + y < M && column + x < N)
    {
        s_tile[y][x] = A[(size_t)(row + y) * N + column + x];
    }
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(size_t)(column + y) * M + row + x] = s_tile[x][y];
    }
}

void run_padded(void) { transpose_padded<<<along_A, BLOCK>>>(d_A, d_B, M, N); }

// Instead of padding, the elements of each row are permuted: row y keeps element x at x ^ y. With
// y fixed, the 32 values of x ^ y are all different, so a warp that writes a row uses 32 banks.
// With x fixed they are all different too, so a warp that reads a column also uses 32 banks.
// No shared memory is wasted.
__global__ void transpose_swizzled(const real *A, real *B, int M, int N)
{
    __shared__ real s_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    if (row + y < M && column + x < N)
    {
        s_tile[y][x ^ y] = A[(size_t)(row + y) * N + column + x];
    }
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(size_t)(column + y) * M + row + x] = s_tile[x][y ^ x]; // element y of row x
    }
}

void run_swizzled(void) { transpose_swizzled<<<along_A, BLOCK>>>(d_A, d_B, M, N); }

// ---- Beyond the book: the kernels are in transpose_fast.cuh.

static cublasHandle_t handle; // the library's state: see chapter 15

void run_coarsened(void) { launch_coarsened(d_A, d_B, M, N); }
void run_ordered(void) { launch_ordered(d_A, d_B, M, N); }
void run_vectorized(void) { launch_vectorized(d_A, d_B, M, N); }
void run_aligned(void) { launch_aligned(d_A, d_B, M, N); }
void run_geam(void) { transpose_geam(handle, d_A, d_B, M, N); }

// ---- The table

void check_copy(void) { check_elements(g_row, h_B, h_A, M * N); }
void check_transpose(void) { check_elements(g_row, h_B, reference, M * N); }

const size_t MOST_IN_Y = 65535 * TILE; // rows that 65535 blocks have
bool fits_A(void) { return M <= MOST_IN_Y && N <= INT_MAX; }
bool fits_B(void) { return N <= MOST_IN_Y && M <= INT_MAX; }
const char *const A_NEEDS = "at most 65535 blocks in y (M <= 2097120), and N < 2^31";
const char *const B_NEEDS = "at most 65535 blocks in y (N <= 2097120), and M < 2^31";

const Version VERSIONS[] = {
    {"cpu", "one core of the host, by strips of 32 rows", run_cpu, check_transpose, ON_HOST},
    {"copy", "the same bytes without the transpose, one element a thread", run_copy, check_copy,
     ON_DEVICE, fits_A, A_NEEDS},
    {"read-coalesced", "chapter 7's: a warp writes down a column of B", run_read_coalesced,
     check_transpose, ON_DEVICE, fits_A, A_NEEDS},
    {"write-coalesced", "chapter 7's: a warp reads down a column of A", run_write_coalesced,
     check_transpose, ON_DEVICE, fits_B, B_NEEDS, false, "the L1 cache keeps what is read"},
    {"write-ldg", "the same with __ldg", run_write_ldg, check_transpose, ON_DEVICE, fits_B,
     B_NEEDS},
    {"shared", "a tile in shared memory: both sides coalesced, but 32-way bank conflicts",
     run_shared, check_transpose, ON_DEVICE, fits_A, A_NEEDS},
    {"padded", "one more column in shared memory: no bank conflicts", run_padded, check_transpose,
     ON_DEVICE, fits_A, A_NEEDS},
    {"swizzled", "no bank conflicts either, and no byte wasted: columns permuted by x ^ y",
     run_swizzled, check_transpose, ON_DEVICE, fits_A, A_NEEDS},
    {"coarsened", "larger tiles, several elements a thread: more loads at the same time",
     run_coarsened, check_transpose, ON_DEVICE, NULL, NULL, false, "faster: more loads under way"},
    {"ordered", "blocks go down the columns of tiles: B is written in long runs", run_ordered,
     check_transpose, ON_DEVICE, NULL, NULL, false, "another order of the blocks"},
    {"vectorized", "16 bytes an access, transposed in registers (if 16 divides the rows' bytes)",
     run_vectorized, check_transpose, ON_DEVICE, NULL, NULL, false, "16 bytes an access"},
    {"aligned", "B is written from multiples of 256 bytes on; L2 fetches as many at once",
     run_aligned, check_transpose, ON_DEVICE, NULL, NULL, false, "whole pieces of 256 bytes"},
    {"geam", "cuBLAS", run_geam, check_transpose, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.M = args.N = default_size(10000, 512);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n MxN -r R -s S -k NAME --csv",
               "transpose: the matrix transpose step by step, from scattered accesses to nearly a "
               "copy's speed");
    M = args.M;
    N = args.N;
    along_A = dim3((N - 1) / TILE + 1, (M - 1) / TILE + 1);
    along_B = dim3((M - 1) / TILE + 1, (N - 1) / TILE + 1);

    const size_t bytes = M * N * sizeof(real);
    h_A = (real *)malloc(bytes);
    h_B = (real *)malloc(bytes);
    reference = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    CHECK_CUBLAS(cublasCreate(&handle));
    fill_random(h_A, M * N, args.seed);
    transpose_reference(h_A, reference, M, N);
    CHECK(cudaMemcpy(d_A, h_A, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.outputs[0] = {h_B, d_B, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_note("vectorized: rows of %zu and %zu bytes, %s\n", N * sizeof(real), M * sizeof(real),
               has_aligned_rows(M, N) ? said("16 at a time")
                                      : said("no multiples of 16: ran as ordered"));

    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK_CUBLAS(cublasDestroy(handle));
    free(h_A);
    free(h_B);
    free(reference);
    return verdict();
}
