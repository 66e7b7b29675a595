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

enum Access
{
    COPY,
    READ_COALESCED,
    WRITE_COALESCED,
    WRITE_LDG
};

// Chapter 7's four in one. Threads next to each other in x belong to one warp: they share a row of
// A, or a row of B, which is a column of A. The other side of a transpose is scattered.
template <Access ACCESS>
__global__ void transpose_global(const real *A, real *B, size_t M, size_t N)
{
    const bool along_A = ACCESS == COPY || ACCESS == READ_COALESCED;
    const Tile tile = tile_of_block < TILE, TILE, along_A ? ALONG_ROWS : DOWN_COLUMNS > (M, N);
    const size_t row = tile.row + (along_A ? threadIdx.y : threadIdx.x);
    const size_t column = tile.column + (along_A ? threadIdx.x : threadIdx.y);
    if (row < M && column < N)
    {
        const real *from = &A[row * N + column];
        B[ACCESS == COPY ? row * N + column : column * M + row] =
            ACCESS == WRITE_LDG ? __ldg(from) : *from;
    }
}

// The tile is turned on the way: read along A's rows, written along B's. What cannot be had in
// global memory, going across the rows at no cost, is what shared memory is for. But without
// PADDING the 32 elements of a column all lie in the same bank, which serves one at a time. With
// rows of 33 they are 33 apart: one in each bank.
template <int PADDING>
__global__ void transpose_shared(const real *A, real *B, size_t M, size_t N)
{
    __shared__ real s_tile[TILE][TILE + PADDING];
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

const int E = 16 / sizeof(real); // elements in 16 bytes
const int WIDE = 64;             // 64 x 64 elements
const int ACROSS = WIDE / E;     // pieces of 16 bytes in a row of the tile, or in a column
const int TURNERS = ACROSS * ACROSS;

struct alignas(16) Piece
{
    real e[E];
};

// A thread reads E pieces from below each other, and what it holds is a block of E x E elements: it
// turns that in its registers, and has E pieces of columns. Both sides move 16 bytes at a time, a
// quarter of the instructions. The places of the pieces in shared memory are swizzled.
__global__ void transpose_vectorized(const real *A, real *B, size_t M, size_t N)
{
    __shared__ Piece s_tile[WIDE][ACROSS]; // of B: a row of it is a column of A
    const Tile tile = tile_of_block<WIDE, WIDE, DOWN_COLUMNS>(M, N);
    const int x = threadIdx.x % ACROSS, y = threadIdx.x / ACROSS;
    Piece rows[E], column;
#pragma unroll
    for (int i = 0; i < E; ++i)
    {
        const size_t row = tile.row + y * E + i, first = tile.column + x * E;
        if (row < M && first < N)
        {
            rows[i] = *(const Piece *)&A[row * N + first];
        }
    }
#pragma unroll
    for (int j = 0; j < E; ++j)
    {
#pragma unroll
        for (int i = 0; i < E; ++i)
        {
            column.e[i] = rows[i].e[j];
        }
        s_tile[x * E + j][y ^ (x % 8)] = column;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < E; ++k)
    {
        const int column = k * (WIDE / E) + y; // and x is the piece
        const size_t row = tile.row + x * E;
        if (tile.column + column < N && row < M)
        {
            *(Piece *)&B[(tile.column + column) * M + row] = s_tile[column][x ^ (column / E % 8)];
        }
    }
}

struct Problem
{
    size_t M, N;
    real *h_A, *h_B, *transposed, *d_A, *d_B;
};

template <void (*TRANSPOSE)(const real *, real *, size_t, size_t), int ROWS = TILE,
          int COLUMNS = TILE, int BLOCK_X = TILE, int BLOCK_Y = TILE>
void launch(Problem *p)
{
    const size_t tiles = ((p->M - 1) / ROWS + 1) * ((p->N - 1) / COLUMNS + 1);
    TRANSPOSE<<<tiles, dim3(BLOCK_X, BLOCK_Y)>>>(p->d_A, p->d_B, p->M, p->N);
}

const auto launch_ordered = launch<transpose_coarsened<DOWN_COLUMNS>, TALL, TILE, TILE, WARPS>;

// Whether every row of A and of B begins at a multiple of 16 bytes.
bool rows_are_aligned(const Problem *p)
{
    return p->M % E == 0 && p->N % E == 0;
}

void launch_vectorized(Problem *p)
{
    rows_are_aligned(p) ? launch<transpose_vectorized, WIDE, WIDE, TURNERS, 1>(p)
                        : launch_ordered(p);
}

#if ON_GPU
inline auto geam_for(float)
{
    return cublasSgeam_64;
}

inline auto geam_for(double)
{
    return cublasDgeam_64;
}

// 1 A^T + 0 B: by columns, as cuBLAS counts, A has N rows and B has M.
void launch_geam(Problem *p)
{
    static cublasHandle_t handle = NULL; // for as long as the program runs
    if (handle == NULL)
    {
        CHECK_CUBLAS(cublasCreate(&handle));
    }
    const real one = 1, zero = 0;
    CHECK_CUBLAS(geam_for(one)(handle, CUBLAS_OP_T, CUBLAS_OP_N, p->M, p->N, &one, p->d_A, p->N,
                               &zero, p->d_B, p->M, p->d_B, p->M));
}
#endif

Outcome check(const Problem *p, const Version<Problem> *version)
{
    const real *reference = strcmp(version->name, "copy") == 0 ? p->h_A : p->transposed;
    check_elements(version->name, p->h_B, reference, p->M * p->N);
    return {};
}

int main(int argc, char **argv)
{
    const Version<Problem> versions[] = {
        {"copy", launch<transpose_global<COPY>>},
        {"read-coalesced", launch<transpose_global<READ_COALESCED>>},
        {"write-coalesced", launch<transpose_global<WRITE_COALESCED>>},
        {"write-ldg", launch<transpose_global<WRITE_LDG>>},
        {"shared", launch<transpose_shared<0>>},
        {"padded", launch<transpose_shared<1>>},
        {"swizzled", launch<transpose_swizzled>},
        {"coarsened", launch<transpose_coarsened<ALONG_ROWS>, TALL, TILE, TILE, WARPS>},
        {"ordered", launch_ordered},
        {"vectorized", launch_vectorized},
        {"geam", GPU_ONLY(launch_geam), ON_DEVICE, 0.0, "cuBLAS"},
    };
    Args args;
    args.M = args.N = default_size(10000, 1000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n MxN -r R -s S -k NAME --csv",
               "transpose: the ladder of the matrix transpose, from scattered accesses to nearly "
               "a copy's speed");
    const size_t bytes = args.M * args.N * sizeof(real);
    Problem p;
    p.M = args.M;
    p.N = args.N;
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
    printf("%svectorized: rows of %zu and %zu bytes, %s\n", g_verdict_prefix, p.N * sizeof(real),
           p.M * sizeof(real),
           rows_are_aligned(&p) ? "16 at a time" : "no multiples of 16: ran as ordered");

    CHECK(cudaFree(p.d_A));
    CHECK(cudaFree(p.d_B));
    free(p.h_A);
    free(p.h_B);
    free(p.transposed);
    return verdict();
}
