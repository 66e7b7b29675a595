// transpose: the matrix transpose step by step, from scattered accesses to nearly a copy's speed
//
// From:    Listing 9.5, Table 9.1, Fig. 9.1, sections 9.2 and 9.3; file bank.cu; S3 transpose
// Compile: nvcc -O3 transpose.cu -lcublas
// Run:     ./a.out -n 10000x10000
// Options: -n MxN -r R -s S -k NAME --csv
// Libs:    -lcublas
// Chinese: 矩阵转置：从非合并访问、共享内存到接近矩阵复制的速度
// Versions:
//   cpu               one core of the host, by strips of 32 rows
//   copy              the same bytes without the transpose, one element a thread
//   read-coalesced    chapter 7's: a warp writes down a column of B
//   write-coalesced   chapter 7's: a warp reads down a column of A
//   write-ldg         the same with __ldg
//   shared            a tile in shared memory: both sides coalesced, but 32-way bank conflicts
//   padded            one more column in shared memory: no bank conflicts
//   swizzled          no bank conflicts either, and no byte wasted: columns permuted by x ^ y
//   coarsened         larger tiles, several elements a thread: more loads at the same time
//   ordered           blocks go down the columns of tiles: B is written in long runs
//   vectorized        16 bytes an access, transposed in registers (if 16 divides the rows' bytes)
//   aligned           B is written from multiples of 256 bytes on; L2 fetches as many at once
//   geam              cuBLAS
// Also:    -n 2097121x1 -r 2; -n 100x264 -r 2; -n 264x100 -r 2
// Checks:  26 (26 or more on a GPU)
//
// A has M rows and N columns. B is the transpose of A, so it has N rows and M columns.
// The first kernels have the book's two-dimensional grid, which has at most 65535 blocks in y. They
// are skipped where a matrix needs more.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"
#include "transpose_fast.cuh"

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

// The reference writes one element to each row of B in turn. Here 32 elements that lie side by side
// in B are written one after the other. The lines of A that they come from stay in the cache until
// the next column needs them.
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

const int TILE = 32; // as wide as a warp

// The 32 threads of a warp have the same row and 32 consecutive columns. Both accesses are
// coalesced.
__global__ void copy(const real *A, real *B, int M, int N)
{
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    if (row < M && column < N)
    {
        B[(size_t)row * N + column] = A[(size_t)row * N + column];
    }
}

// Only the index of B has changed. The reads of a warp still lie side by side in A. Its writes lie
// M elements apart in B.
__global__ void transpose_read_coalesced(const real *A, real *B, int M, int N)
{
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    if (row < M && column < N)
    {
        B[(size_t)column * M + row] = A[(size_t)row * N + column];
    }
}

// threadIdx.x now counts rows of A. The writes of a warp lie side by side in B, and its reads lie
// N elements apart in A.
__global__ void transpose_write_coalesced(const real *A, real *B, int M, int N)
{
    const int row = blockIdx.x * TILE + threadIdx.x;
    const int column = blockIdx.y * TILE + threadIdx.y;
    if (row < M && column < N)
    {
        B[(size_t)column * M + row] = A[(size_t)row * N + column];
    }
}

// The same, but A is read by __ldg. Since Pascal the L1 cache keeps ordinary reads too, so __ldg
// gains nothing.
__global__ void transpose_write_ldg(const real *A, real *B, int M, int N)
{
    const int row = blockIdx.x * TILE + threadIdx.x;
    const int column = blockIdx.y * TILE + threadIdx.y;
    if (row < M && column < N)
    {
        B[(size_t)column * M + row] = __ldg(&A[(size_t)row * N + column]);
    }
}

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

// Instead of padding, the elements of each row are permuted: row y keeps element x at x ^ y. With
// y fixed, the 32 values of x ^ y are all different, so a warp that writes a row uses 32 banks.
// With x fixed they are all different too, so a warp that reads a column also uses 32 banks.
// No shared memory is wasted. Rows still begin at multiples of 16 bytes, as wide accesses need it.
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
        B[(size_t)(column + y) * M + row + x] = s_tile[x][y ^ x];
    }
}

// The kernels after these stand in transpose_fast.cuh.

int main(int argc, char **argv)
{
    size_t M = 0, N = 0;
    real *h_A = NULL, *h_B = NULL, *reference = NULL, *d_A = NULL, *d_B = NULL;
    dim3 block(TILE, TILE), along_A, along_B; // grids whose x goes along the rows of A, of B
    cublasHandle_t handle = NULL;
    const size_t MOST_IN_Y = 65535 * TILE; // rows or columns that 65535 blocks have
    const auto fits_along_A = [&]
    {
        return M <= MOST_IN_Y && N <= INT_MAX;
    };
    const auto fits_along_B = [&]
    {
        return N <= MOST_IN_Y && M <= INT_MAX;
    };
    const char *along_A_needs = "at most 65535 blocks in y (M <= 2097120), and N < 2^31";
    const char *along_B_needs = "at most 65535 blocks in y (N <= 2097120), and M < 2^31";
    const auto check_copy = [&]
    {
        check_elements("copy", h_B, h_A, M * N);
    };
    const Version versions[] = {
        on_host("cpu", [&] { transpose_by_strips(h_A, h_B, M, N); }),
        on_device(
            "copy", [&] { copy<<<along_A, block>>>(d_A, d_B, M, N); }, check_copy)
            .only_if(fits_along_A, along_A_needs),
        on_device("read-coalesced",
                  [&] { transpose_read_coalesced<<<along_A, block>>>(d_A, d_B, M, N); })
            .only_if(fits_along_A, along_A_needs),
        on_device("write-coalesced",
                  [&] { transpose_write_coalesced<<<along_B, block>>>(d_A, d_B, M, N); })
            .only_if(fits_along_B, along_B_needs),
        on_device("write-ldg", [&] { transpose_write_ldg<<<along_B, block>>>(d_A, d_B, M, N); })
            .only_if(fits_along_B, along_B_needs),
        on_device("shared", [&] { transpose_shared<<<along_A, block>>>(d_A, d_B, M, N); })
            .only_if(fits_along_A, along_A_needs),
        on_device("padded", [&] { transpose_padded<<<along_A, block>>>(d_A, d_B, M, N); })
            .only_if(fits_along_A, along_A_needs),
        on_device("swizzled", [&] { transpose_swizzled<<<along_A, block>>>(d_A, d_B, M, N); })
            .only_if(fits_along_A, along_A_needs),
        on_device("coarsened", [&] { launch_coarsened(d_A, d_B, M, N); }),
        on_device("ordered", [&] { launch_ordered(d_A, d_B, M, N); }),
        on_device("vectorized", [&] { launch_vectorized(d_A, d_B, M, N); }),
        on_device("aligned", [&] { launch_aligned(d_A, d_B, M, N); }),
        on_device("geam", [&] { transpose_geam(handle, d_A, d_B, M, N); }),
    };

    Args args;
    args.M = args.N = default_size(10000, 500);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n MxN -r R -s S -k NAME --csv",
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
    fill_random(h_A, M * N, args.seed);
    transpose_reference(h_A, reference, M, N);
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    CHECK_CUBLAS(cublasCreate(&handle));
    CHECK(cudaMemcpy(d_A, h_A, bytes, cudaMemcpyHostToDevice));

    Ladder ladder;
    ladder.check = [&]
    {
        check_elements(ladder.checking, h_B, reference, M * N);
    };
    ladder.outputs[0] = {h_B, d_B, bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);
    print_note("vectorized: rows of %zu and %zu bytes, %s\n", N * sizeof(real), M * sizeof(real),
               has_aligned_rows(M, N) ? "16 at a time" : "no multiples of 16: ran as ordered");

    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK_CUBLAS(cublasDestroy(handle));
    free(h_A);
    free(h_B);
    free(reference);
    return verdict();
}
