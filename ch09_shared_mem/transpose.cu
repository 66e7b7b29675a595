// transpose: the matrix transpose step by step, from scattered accesses to nearly a copy's speed
//
// From:    Listing 9.5, Table 9.1, Fig. 9.1, sections 9.2 and 9.3; file bank.cu; S3 transpose
// Compile: nvcc -O3 transpose.cu -lcublas
// Run:     ./a.out -n 10000x10000
// Options: -n MxN -r R -s S -k NAME --csv
// Libs:    -lcublas
//
// A has M rows and N columns. B is the transpose of A, so it has N rows and M columns.
// The first kernels have the book's two-dimensional grid, which has at most 65535 blocks in y. They
// are skipped where a matrix needs more.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
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
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int row = blockIdx.y * TILE + threadIdx.y;
    if (row < M && column < N)
    {
        B[(size_t)row * N + column] = A[(size_t)row * N + column];
    }
}

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

// The same, but A is read by __ldg. Since Pascal the L1 cache keeps ordinary reads too, so __ldg
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

// What the versions work on. In a grid x counts columns and y counts rows: of A or of B.
struct Data
{
    size_t M, N; // rows and columns of A
    dim3 along_A, along_B;
    const real *h_A, *d_A;
    real *h_B, *d_B;
    const real *reference; // what B should be
    cublasHandle_t handle;
};

void check_copy(Table<Data> *table, const Data *data)
{
    check_elements(table->checking, data->h_B, data->h_A, data->M * data->N);
}

void check_transpose(Table<Data> *table, const Data *data)
{
    check_elements(table->checking, data->h_B, data->reference, data->M * data->N);
}

const size_t MOST_IN_Y = 65535 * TILE; // rows that 65535 blocks have

bool fits_along_A(const Data *data)
{
    return data->M <= MOST_IN_Y && data->N <= INT_MAX;
}

bool fits_along_B(const Data *data)
{
    return data->N <= MOST_IN_Y && data->M <= INT_MAX;
}

typedef Data *D;
const dim3 BLOCK(TILE, TILE);
const char *const ALONG_A_NEEDS = "at most 65535 blocks in y (M <= 2097120), and N < 2^31";
const char *const ALONG_B_NEEDS = "at most 65535 blocks in y (N <= 2097120), and M < 2^31";
const Version<Data> VERSIONS[] = {
    {"cpu", "one core of the host, by strips of 32 rows", ON_HOST,
     [](D d) { transpose_by_strips(d->h_A, d->h_B, d->M, d->N); }, check_transpose},
    {"copy", "the same bytes without the transpose, one element a thread", ON_DEVICE,
     [](D d) { copy<<<d->along_A, BLOCK>>>(d->d_A, d->d_B, d->M, d->N); }, check_copy, fits_along_A,
     ALONG_A_NEEDS},
    {"read-coalesced", "chapter 7's: a warp writes down a column of B", ON_DEVICE,
     [](D d) { transpose_read_coalesced<<<d->along_A, BLOCK>>>(d->d_A, d->d_B, d->M, d->N); },
     check_transpose, fits_along_A, ALONG_A_NEEDS},
    {"write-coalesced", "chapter 7's: a warp reads down a column of A", ON_DEVICE,
     [](D d) { transpose_write_coalesced<<<d->along_B, BLOCK>>>(d->d_A, d->d_B, d->M, d->N); },
     check_transpose, fits_along_B, ALONG_B_NEEDS},
    {"write-ldg", "the same with __ldg", ON_DEVICE,
     [](D d) { transpose_write_ldg<<<d->along_B, BLOCK>>>(d->d_A, d->d_B, d->M, d->N); },
     check_transpose, fits_along_B, ALONG_B_NEEDS},
    {"shared", "a tile in shared memory: both sides coalesced, but 32-way bank conflicts",
     ON_DEVICE, [](D d) { transpose_shared<<<d->along_A, BLOCK>>>(d->d_A, d->d_B, d->M, d->N); },
     check_transpose, fits_along_A, ALONG_A_NEEDS},
    {"padded", "one more column in shared memory: no bank conflicts", ON_DEVICE,
     [](D d) { transpose_padded<<<d->along_A, BLOCK>>>(d->d_A, d->d_B, d->M, d->N); },
     check_transpose, fits_along_A, ALONG_A_NEEDS},
    {"swizzled", "no bank conflicts either, and no byte wasted: columns permuted by x ^ y",
     ON_DEVICE, [](D d) { transpose_swizzled<<<d->along_A, BLOCK>>>(d->d_A, d->d_B, d->M, d->N); },
     check_transpose, fits_along_A, ALONG_A_NEEDS},
    // Beyond the book: see transpose_fast.cuh.
    {"coarsened", "larger tiles, several elements a thread: more loads at the same time", ON_DEVICE,
     [](D d) { launch_coarsened(d->d_A, d->d_B, d->M, d->N); }, check_transpose},
    {"ordered", "blocks go down the columns of tiles: B is written in long runs", ON_DEVICE,
     [](D d) { launch_ordered(d->d_A, d->d_B, d->M, d->N); }, check_transpose},
    {"vectorized", "16 bytes an access, transposed in registers (if 16 divides the rows' bytes)",
     ON_DEVICE, [](D d) { launch_vectorized(d->d_A, d->d_B, d->M, d->N); }, check_transpose},
    {"aligned", "B is written from multiples of 256 bytes on; L2 fetches as many at once",
     ON_DEVICE, [](D d) { launch_aligned(d->d_A, d->d_B, d->M, d->N); }, check_transpose},
    {"geam", "cuBLAS", ON_DEVICE,
     [](D d) { transpose_geam(d->handle, d->d_A, d->d_B, d->M, d->N); }, check_transpose},
};

int main(int argc, char **argv)
{
    Args args;
    args.M = args.N = default_size(10000, 500);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    add_versions(&args, VERSIONS);
    parse_args(&args, argc, argv, "-n MxN -r R -s S -k NAME --csv",
               "transpose: the matrix transpose step by step, from scattered accesses to nearly a "
               "copy's speed");
    const size_t M = args.M, N = args.N, bytes = M * N * sizeof(real);
    const dim3 along_A((N - 1) / TILE + 1, (M - 1) / TILE + 1);
    const dim3 along_B((M - 1) / TILE + 1, (N - 1) / TILE + 1);

    real *h_A = (real *)malloc(bytes);
    real *h_B = (real *)malloc(bytes);
    real *reference = (real *)malloc(bytes);
    fill_random(h_A, M * N, args.seed);
    transpose_reference(h_A, reference, M, N);
    real *d_A, *d_B;
    cublasHandle_t handle;
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    CHECK_CUBLAS(cublasCreate(&handle));
    CHECK(cudaMemcpy(d_A, h_A, bytes, cudaMemcpyHostToDevice));

    Data data = {M, N, along_A, along_B, h_A, d_A, h_B, d_B, reference, handle};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_B, d_B, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling;
    run_versions(&args, &table, VERSIONS);
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
