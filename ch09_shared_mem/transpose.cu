// transpose: the ladder of the matrix transpose, from scattered accesses to nearly a copy's speed
//
// From:    Listing 9.5, Table 9.1, sections 9.2 and 9.3; file bank.cu; S3 transpose
// Compile: nvcc -O3 transpose.cu -lcublas
// Run:     ./a.out -n 10000x10000
// Libs:    -lcublas
// Versions:
//   copy              the same bytes without the turn: what a transpose can hope for
//   read-coalesced    chapter 7's: a warp writes down a column of B
//   write-coalesced   chapter 7's: a warp reads down a column of A
//   write-ldg         the same by __ldg
//   shared            a tile is turned in shared memory: both sides coalesced, 32 bank conflicts
//   padded            a column more in shared memory: no bank conflicts
//   swizzled          none either, and no byte wasted: columns permuted by an exclusive or
//   coarsened         larger tiles, several elements a thread: more loads under way
//   ordered           blocks go down the columns of tiles: B is written in long runs
//   vectorized        16 bytes an access, turned in registers (if 16 divides the rows' bytes)
//   geam              cuBLAS
// Checks:  20

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#if ON_GPU
#include "../common/check_cublas.cuh"
#endif

// A has M rows and N columns, B = A^T has N rows and M columns.
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

// Every block takes one tile of A; this is the tile's first row and column. The grid is a line of
// blocks, which may be 2^31 long, and not a plane, which may be only 65535 high.
struct Tile
{
    size_t row, column;
};

enum Order
{
    ALONG_ROWS,
    DOWN_COLUMNS
};

template <int ROWS, int COLUMNS, Order ORDER = ALONG_ROWS>
__device__ Tile tile_of_block(size_t M, size_t N)
{
    const unsigned high = (M - 1) / ROWS + 1, wide = (N - 1) / COLUMNS + 1;
    const unsigned y = ORDER == ALONG_ROWS ? blockIdx.x / wide : blockIdx.x % high;
    const unsigned x = ORDER == ALONG_ROWS ? blockIdx.x % wide : blockIdx.x / high;
    return {(size_t)y * ROWS, (size_t)x * COLUMNS};
}

const int TILE = 32; // as wide as a warp, so that a warp reads a row of the tile

// A warp's threads are neighbours in x, and x is the column: both accesses are coalesced.
__global__ void copy(const real *A, real *B, size_t M, size_t N)
{
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const size_t row = tile.row + threadIdx.y, column = tile.column + threadIdx.x;
    if (row < M && column < N)
    {
        B[row * N + column] = A[row * N + column];
    }
}

// Only the index of B has changed: a warp's 32 writes are M elements apart.
__global__ void transpose_read_coalesced(const real *A, real *B, size_t M, size_t N)
{
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const size_t row = tile.row + threadIdx.y, column = tile.column + threadIdx.x;
    if (row < M && column < N)
    {
        B[column * M + row] = A[row * N + column];
    }
}

// Neighbours in x now share a column of A, which is a row of B: the reads are scattered. What they
// bring in beside their element stays in L1 for the other warps of the block.
__global__ void transpose_write_coalesced(const real *A, real *B, size_t M, size_t N)
{
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const size_t row = tile.row + threadIdx.x, column = tile.column + threadIdx.y;
    if (row < M && column < N)
    {
        B[column * M + row] = A[row * N + column];
    }
}

__global__ void transpose_write_ldg(const real *A, real *B, size_t M, size_t N)
{
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const size_t row = tile.row + threadIdx.x, column = tile.column + threadIdx.y;
    if (row < M && column < N)
    {
        B[column * M + row] = __ldg(&A[row * N + column]);
    }
}

// The tile is turned on the way: read along A's rows, written along B's. What cannot be had in
// global memory, going across the rows at no cost, is what shared memory is for. But here the 32
// elements of a column all lie in the same bank, which serves one at a time.
__global__ void transpose_shared(const real *A, real *B, size_t M, size_t N)
{
    __shared__ real s_tile[TILE][TILE];
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const int x = threadIdx.x, y = threadIdx.y;
    if (tile.row + y < M && tile.column + x < N)
    {
        s_tile[y][x] = A[(tile.row + y) * N + tile.column + x];
    }
    __syncthreads(); // what a thread writes was read by another
    if (tile.column + y < N && tile.row + x < M)
    {
        B[(tile.column + y) * M + tile.row + x] = s_tile[x][y];
    }
}

// With rows of 33 the elements of a column are 33 apart: one in each bank.
__global__ void transpose_padded(const real *A, real *B, size_t M, size_t N)
{
    __shared__ real s_tile[TILE][TILE + 1];
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const int x = threadIdx.x, y = threadIdx.y;
    if (tile.row + y < M && tile.column + x < N)
    {
        s_tile[y][x] = A[(tile.row + y) * N + tile.column + x];
    }
    __syncthreads();
    if (tile.column + y < N && tile.row + x < M)
    {
        B[(tile.column + y) * M + tile.row + x] = s_tile[x][y];
    }
}

// Or row y keeps its column x in place x ^ y. For one y that is a permutation of the row, and for
// one x of the column: both ways 32 threads find 32 banks. Nothing is wasted, and places stay
// aligned for wider accesses, which padding by an element would spoil.
__global__ void transpose_swizzled(const real *A, real *B, size_t M, size_t N)
{
    __shared__ real s_tile[TILE][TILE];
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const int x = threadIdx.x, y = threadIdx.y;
    if (tile.row + y < M && tile.column + x < N)
    {
        s_tile[y][x ^ y] = A[(tile.row + y) * N + tile.column + x];
    }
    __syncthreads();
    if (tile.column + y < N && tile.row + x < M)
    {
        B[(tile.column + y) * M + tile.row + x] = s_tile[x][y ^ x];
    }
}

const int TALL = 1024 / sizeof(real); // rows of a tall tile: a kilobyte of a row of B
const int WARPS = 16;
const int LOADS = TALL / WARPS; // and as many stores

// A thread with one element waits for it, then for the barrier, and is gone: too few bytes are
// under way to keep the memory busy. Here each asks for 8 or 16 before it waits for the first.
// The tile became taller, not wider: B gets longer pieces, while those of A still fill a line.
template <Order ORDER>
__global__ void transpose_coarsened(const real *A, real *B, size_t M, size_t N)
{
    __shared__ real s_tile[TALL][TILE + 1];
    const Tile tile = tile_of_block<TALL, TILE, ORDER>(M, N);
    const int lane = threadIdx.x, warp = threadIdx.y;
    real loaded[LOADS];
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
    {
        const size_t row = tile.row + i * WARPS + warp, column = tile.column + lane;
        if (row < M && column < N)
        {
            loaded[i] = A[row * N + column];
        }
    }
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
    {
        s_tile[i * WARPS + warp][lane] = loaded[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
    {
        const int piece = i * WARPS + warp; // of 32 rows: TALL / 32 of them in each column
        const int x = piece / (TALL / TILE), y = piece % (TALL / TILE) * TILE + lane;
        const size_t row = tile.row + y, column = tile.column + x;
        if (row < M && column < N)
        {
            B[column * M + row] = s_tile[y][x];
        }
    }
}
