// matrix: copy and transpose a matrix of any shape: which access should be the coalesced one?
//
// From:    Listings 7.1 to 7.4, section 7.2; file matrix.cu
// Compile: nvcc -O3 matrix.cu
// Run:     ./a.out -n 10000x10000
// Versions:
//   copy              the same bytes without the turn: what a transpose can hope for
//   read-coalesced    a warp reads along a row of A, and writes down a column of B
//   write-coalesced   the other way round: scattered reads can be cached, scattered writes less so
//   write-ldg         the same, with reads through the read-only cache by __ldg
// Checks:  8
// Sizes:   1x1 33x17 70001x3 67x129 1x2100001
//
// A has M rows and N columns, B = A^T has N rows and M columns. One of the two is always accessed
// across its rows. The % of the table are of the copy ceiling: a transpose has to move as much.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const size_t MAX_GRID_X = INT_MAX;
const size_t MAX_GRID_Y = 65535;

void transpose_reference(const real *A, real *B, size_t M, size_t N)
{
    for (size_t i = 0; i < N; ++i)
    {
        for (size_t j = 0; j < M; ++j)
        {
            B[i * M + j] = A[j * N + i];
        }
    }
}

// A warp's threads are neighbours in x, and x is the column: both accesses are coalesced. Rows are
// in a loop instead of an `if` because M may need more blocks than a grid can have in y.
__global__ void copy(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t rows_of_grid = (size_t)blockDim.y * gridDim.y;
    for (size_t row = (size_t)blockDim.y * blockIdx.y + threadIdx.y; row < M; row += rows_of_grid)
    {
        if (column < N)
        {
            B[row * N + column] = A[row * N + column];
        }
    }
}

// Only the index of B has changed: a warp's 32 writes are M elements apart, and each fills 4 or 8
// bytes of a sector of 32. The rest is filled by other warps, in other transfers.
__global__ void transpose_read_coalesced(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t rows_of_grid = (size_t)blockDim.y * gridDim.y;
    for (size_t row = (size_t)blockDim.y * blockIdx.y + threadIdx.y; row < M; row += rows_of_grid)
    {
        if (column < N)
        {
            B[column * M + row] = A[row * N + column];
        }
    }
}

// `row` and `column` are B's now, which has N rows: the writes are coalesced, and the reads N
// elements apart. But what a read brings in beside its element stays in the L1 cache, and the
// other warps of the block find it there. Writes have no such help: all of them go on to L2.
__global__ void transpose_write_coalesced(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t rows_of_grid = (size_t)blockDim.y * gridDim.y;
    for (size_t row = (size_t)blockDim.y * blockIdx.y + threadIdx.y; row < N; row += rows_of_grid)
    {
        if (column < M)
        {
            B[row * M + column] = A[column * N + row];
        }
    }
}

// On Kepler and Maxwell only reads by __ldg were cached in the multiprocessor. Since Pascal all
// are, and nothing is left to gain.
__global__ void transpose_write_ldg(const real *A, real *B, size_t M, size_t N)
{
    const size_t column = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t rows_of_grid = (size_t)blockDim.y * gridDim.y;
    for (size_t row = (size_t)blockDim.y * blockIdx.y + threadIdx.y; row < N; row += rows_of_grid)
    {
        if (column < M)
        {
            B[row * M + column] = __ldg(&A[column * N + row]);
        }
    }
}

struct Problem
{
    size_t M, N;
    dim3 block;
    real *h_A, *h_B, *transposed, *d_A, *d_B;
};

// Blocks for a matrix: rounded up, and in y no more than there can be.
dim3 grid_for(const Problem *p, size_t rows, size_t columns)
{
    const size_t grid_x = (columns - 1) / p->block.x + 1, grid_y = (rows - 1) / p->block.y + 1;
    return dim3(grid_x, grid_y < MAX_GRID_Y ? grid_y : MAX_GRID_Y);
}

void launch_copy(Problem *p)
{
    copy<<<grid_for(p, p->M, p->N), p->block>>>(p->d_A, p->d_B, p->M, p->N);
}

void launch_read_coalesced(Problem *p)
{
    transpose_read_coalesced<<<grid_for(p, p->M, p->N), p->block>>>(p->d_A, p->d_B, p->M, p->N);
}

void launch_write_coalesced(Problem *p)
{
    transpose_write_coalesced<<<grid_for(p, p->N, p->M), p->block>>>(p->d_A, p->d_B, p->M, p->N);
}

void launch_write_ldg(Problem *p)
{
    transpose_write_ldg<<<grid_for(p, p->N, p->M), p->block>>>(p->d_A, p->d_B, p->M, p->N);
}

Outcome check(const Problem *p, const Version<Problem> *version)
{
    const real *reference = version->launch == launch_copy ? p->h_A : p->transposed;
    check_elements(version->name, p->h_B, reference, p->M * p->N);
    return {};
}

int main(int argc, char **argv)
{
    const Version<Problem> versions[] = {
        {"copy", launch_copy},
        {"read-coalesced", launch_read_coalesced},
        {"write-coalesced", launch_write_coalesced},
        {"write-ldg", launch_write_ldg},
    };
    Args args;
    args.M = default_size(10000, 1000);
    args.N = default_size(10000, 1000);
    args.block_x = 32;
    args.block_y = 32;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "matrix: copy and transpose a matrix of any shape: which access should be the "
               "coalesced one?");
    Problem p;
    p.M = args.M;
    p.N = args.N;
    p.block = dim3(args.block_x, args.block_y);
    if (((p.M > p.N ? p.M : p.N) - 1) / p.block.x >= MAX_GRID_X)
    {
        usage_error(&args, "more than %zu blocks in x: take a wider one, as -b 1024x1", MAX_GRID_X);
    }

    const size_t bytes = p.M * p.N * sizeof(real);
    p.h_A = (real *)malloc(bytes);
    p.h_B = (real *)malloc(bytes);
    p.transposed = (real *)malloc(bytes);
    fill_random(p.h_A, p.M * p.N, args.seed);
    transpose_reference(p.h_A, p.transposed, p.M, p.N);
    CHECK(cudaMalloc(&p.d_A, bytes));
    CHECK(cudaMalloc(&p.d_B, bytes));
    CHECK(cudaMemcpy(p.d_A, p.h_A, bytes, cudaMemcpyHostToDevice));

    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.h_B, p.d_B, bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(p.d_A));
    CHECK(cudaFree(p.d_B));
    free(p.h_A);
    free(p.h_B);
    free(p.transposed);
    return verdict();
}
