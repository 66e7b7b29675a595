// matrix: copy and transpose a matrix of any shape: which access should be the coalesced one?
//
// From:    Listings 7.1 to 7.4, sections 7.2, 7.2.1 and 7.2.2; file matrix.cu
// Compile: nvcc -O3 matrix.cu
// Run:     ./a.out -n 10000x10000
//
// A has M rows and N columns. Its transpose B has N rows and M columns. A transpose accesses one of
// them along its rows and the other across its rows. The % of the table are of the copy ceiling,
// because a transpose moves as many bytes as a copy.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/versions.cuh" // brings args, compare, error and real

static size_t M, N;                  // rows and columns of A
static real *h_A, *h_B, *d_A, *d_B;  // B is a copy of A, or its transpose
static real *transposed;             // what B should be
static dim3 block, along_A, along_B; // in a grid x counts columns and y counts rows: of A or of B

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

// Listing 7.1. The 32 threads of a warp differ in threadIdx.x, so they have the same row and 32
// consecutive columns. Both their reads and their writes lie side by side.
__global__ void copy(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && column < N)
    {
        B[row * N + column] = A[row * N + column];
    }
}

void run_copy(void) { copy<<<along_A, block>>>(d_A, d_B, M, N); }

// Listing 7.2. Only the index of B has changed. The 32 writes of a warp now lie M elements apart.
// Each of them fills 4 or 8 bytes of a sector of 32 bytes, and the rest of this sector is written
// by other warps, at other times.
__global__ void transpose_read_coalesced(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row < M && column < N)
    {
        B[column * M + row] = A[row * N + column];
    }
}

void run_read_coalesced(void) { transpose_read_coalesced<<<along_A, block>>>(d_A, d_B, M, N); }

// Listing 7.3. `row` and `column` are those of B, which has N rows and M columns. The writes of a
// warp lie side by side, and its reads lie N elements apart. Each read brings a whole sector into
// the L1 cache. The other warps of the block soon need the rest of this sector and find it there.
// The L1 cache does not collect writes in this way: each goes on to the L2 cache.
__global__ void transpose_write_coalesced(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && column < M)
    {
        B[row * M + column] = A[column * N + row];
    }
}

void run_write_coalesced(void) { transpose_write_coalesced<<<along_B, block>>>(d_A, d_B, M, N); }

// Listing 7.4. Kepler and Maxwell GPUs normally keep a read from global memory in a cache of the
// multiprocessor only if __ldg makes it. Since Volta the L1 cache keeps ordinary reads too, so
// __ldg no longer makes a difference here.
__global__ void transpose_write_ldg(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
    if (row < N && column < M)
    {
        B[row * M + column] = __ldg(&A[column * N + row]);
    }
}

void run_write_ldg(void) { transpose_write_ldg<<<along_B, block>>>(d_A, d_B, M, N); }

// ---- The table

void check_copy(void) { check_elements(g_row, h_B, h_A, M * N); }
void check_transpose(void) { check_elements(g_row, h_B, transposed, M * N); }

const size_t MAX_GRID_X = INT_MAX, MAX_GRID_Y = 65535; // blocks

bool A_fits(void) { return along_A.y <= MAX_GRID_Y; }
bool B_fits(void) { return along_B.y <= MAX_GRID_Y; }

const Version VERSIONS[] = {
    {"copy", "the same bytes in the same order: the most that a transpose can hope for", run_copy,
     check_copy, ON_DEVICE, A_fits, "at most 65535 blocks in y"},
    {"read-coalesced", "a warp reads along a row of A and writes down a column of B",
     run_read_coalesced, check_transpose, ON_DEVICE, A_fits, "at most 65535 blocks in y"},
    {"write-coalesced", "a warp reads down a column of A and writes along a row of B",
     run_write_coalesced, check_transpose, ON_DEVICE, B_fits, "at most 65535 blocks in y", false,
     "the L1 cache keeps what is read"},
    {"write-ldg", "the same, and A is read by __ldg", run_write_ldg, check_transpose, ON_DEVICE,
     B_fits, "at most 65535 blocks in y"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.M = default_size(10000, 512);
    args.N = default_size(10000, 512);
    args.block_x = 32;
    args.block_y = 32;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "matrix: copy and transpose a matrix of any shape: which access should be the "
               "coalesced one?");
    M = args.M;
    N = args.N;
    block = dim3(args.block_x, args.block_y);
    const size_t M_blocks_x = (M - 1) / block.x + 1, M_blocks_y = (M - 1) / block.y + 1;
    const size_t N_blocks_x = (N - 1) / block.x + 1, N_blocks_y = (N - 1) / block.y + 1;
    if (M_blocks_x > MAX_GRID_X || N_blocks_x > MAX_GRID_X)
    {
        usage_error("more than %zu blocks in x: take a wider one, as -b 1024x1", MAX_GRID_X);
    }
    if (M_blocks_y > MAX_GRID_Y && N_blocks_y > MAX_GRID_Y)
    {
        usage_error("more than %zu blocks in y: take a higher one, as -b 32x32", MAX_GRID_Y);
    }

    along_A = dim3(N_blocks_x, M_blocks_y);
    along_B = dim3(M_blocks_x, N_blocks_y);

    const size_t bytes = M * N * sizeof(real);
    h_A = (real *)malloc(bytes);
    h_B = (real *)malloc(bytes);
    transposed = (real *)malloc(bytes);
    fill_random(h_A, M * N, args.seed);
    transpose_reference(h_A, transposed, M, N);
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_B, bytes));
    CHECK(cudaMemcpy(d_A, h_A, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.outputs[0] = {h_B, d_B, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    free(h_A);
    free(h_B);
    free(transposed);
    return verdict();
}
