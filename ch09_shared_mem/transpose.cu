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
//   aligned           B is written from multiples of 256 bytes on; L2 fetches as many ahead
//   geam              cuBLAS (needs a GPU)
// Checks:  24 or more

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "tile.cuh"
#if ON_GPU
#include "transpose_geam.cuh"
#endif

// A has M rows and N columns, B = A^T has N rows and M columns.
void transpose_reference(const real *A, real *B, size_t M, size_t N)
{
    for (size_t n = 0; n < M * N; ++n)
    {
        const size_t row = n / N, column = n % N;
        B[column * M + row] = A[n];
    }
}

const int TILE = 32; // as wide as a warp, so that a warp reads a row of the tile
const int COPY = 0, READ_COALESCED = 1, WRITE_COALESCED = 2, WRITE_LDG = 3;

// Chapter 7's four in one. Threads next to each other in x belong to one warp: they share a row of
// A, or a row of B, which is a column of A. The other side of a transpose is scattered.
template <int ACCESS>
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
// global memory, going across the rows at no cost, is what shared memory is for. But the 32
// elements of a column all lie in the same bank, which serves one at a time. With PADDING, in rows
// of 33, they are 33 apart: one in each bank. Or, SWIZZLED, row y keeps its column x in place
// x ^ y: for one y a permutation of the row, for one x of the column, so that both ways 32 threads
// find 32 banks. Nothing is wasted, and wide accesses stay aligned, which padding would spoil.
template <int PADDING, bool SWIZZLED = false>
__global__ void transpose_shared(const real *A, real *B, size_t M, size_t N)
{
    __shared__ real s_tile[TILE][TILE + PADDING];
    const Tile tile = tile_of_block<TILE, TILE>(M, N);
    const int x = threadIdx.x, y = threadIdx.y, place = x ^ y;
    if (tile.row + y < M && tile.column + x < N)
    {
        s_tile[y][SWIZZLED ? place : x] = A[(tile.row + y) * N + tile.column + x];
    }
    __syncthreads(); // what a thread writes was read by another
    if (tile.column + y < N && tile.row + x < M)
    {
        B[(tile.column + y) * M + tile.row + x] = s_tile[x][SWIZZLED ? place : y];
    }
}

const int TALL = 1024 / sizeof(real); // rows of a tall tile: a kilobyte of a row of B
const int WARPS = 16;
const int LOADS = TALL / WARPS; // and as many stores

// A thread with one element waits for it, then for the barrier, and is gone: too few bytes are
// under way to keep the memory busy. Here each asks for 8 or 16 before it waits for the first.
// The tile became taller, not wider: B gets longer pieces, while those of A still fill a line.
template <bool ORDER>
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

const int CHUNK = 256 / sizeof(real);  // what memory is best written at a time
const int HIGH = 2 * CHUNK, WIDE = 64; // rows and columns of a tile
const int ACROSS = WIDE / E, DOWN = HIGH / E;
const int THREADS = 512;

// A thread reads E pieces of 16 bytes from below each other and turns these E x E elements in its
// registers: then it has E pieces of columns. Both sides take a quarter of the instructions.
// ALIGNED: rows of 40000 bytes begin at any multiple of 64, but memory is best written 256 bytes
// at a time, from a multiple of 256. So what a tile writes of each row of B is moved up to the
// last such boundary, and for that the tile reads up to `above` rows more.
template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS, ALIGNED ? 2 : 3)
    transpose_vectorized(const real *A, real *B, size_t M, size_t N)
{
    __shared__ Piece s_tile[WIDE][DOWN + CHUNK / E]; // of B: its rows are A's columns
    const Tile tile = tile_of_block<HIGH, WIDE, DOWN_COLUMNS>(M + CHUNK, N);
    const int above = ALIGNED && M % CHUNK != 0 ? CHUNK - (M & -M) : 0; // M & -M: the 2^k in M
    const int turns = ACROSS * (DOWN + above / E); // by 512 threads, in so many rounds:
    const int ROUNDS = (ACROSS * (DOWN + ALIGNED * (CHUNK / E)) - 1) / THREADS + 1;
    const size_t top = tile.row - above; // before A this wraps round to a number far behind it
    Piece rows[ROUNDS][E], turned;
#pragma unroll
    for (int i = 0; i < ROUNDS * E; ++i)
    {
        const int q = i / E * THREADS + threadIdx.x;
        const size_t row = top + q / ACROSS * E, column = tile.column + q % ACROSS * E;
        if (q < turns && row < M && column < N)
        {
            rows[i / E][i % E] = read_piece<ALIGNED>(&A[(row + i % E) * N + column]);
        }
    }
#pragma unroll
    for (int j = 0; j < ROUNDS * E; ++j)
    {
        const int q = j / E * THREADS + threadIdx.x, x = q % ACROSS, y = q / ACROSS;
#pragma unroll
        for (int i = 0; i < E; ++i)
        {
            turned.e[i] = rows[j / E][i].e[j % E];
        }
        if (q < turns)
        {
            s_tile[x * E + j % E][y ^ (x % 8)] = turned; // 8 threads at a time: no conflicts
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WIDE * DOWN / THREADS; ++i)
    {
        const int q = i * THREADS + threadIdx.x, x = q / DOWN, y = q % DOWN;
        const size_t column = tile.column + x;
        const int up = ALIGNED ? column * M % CHUNK : 0;
        const size_t row = tile.row - up + y * E;
        if (column < N && row < M)
        {
            *(Piece *)&B[column * M + row] = s_tile[x][((above - up) / E + y) ^ (x / E % 8)];
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
bool has_aligned_rows(const Problem *p)
{
    return p->M % E == 0 && p->N % E == 0;
}

template <bool ALIGNED>
void launch_vectorized(Problem *p)
{
    if (!has_aligned_rows(p))
    {
        launch_ordered(p);
        return;
    }
    const size_t tiles = ((p->M + CHUNK - 1) / HIGH + 1) * ((p->N - 1) / WIDE + 1);
    transpose_vectorized<ALIGNED><<<tiles, THREADS>>>(p->d_A, p->d_B, p->M, p->N);
}

// The reference writes to each row of B in turn. By strips of A, 32 elements go next to each other,
// and what is read waits in the cache for the next column.
void transpose_cpu(Problem *p)
{
    for (size_t strip = 0; strip < p->M; strip += TILE)
    {
        for (size_t column = 0; column < p->N; ++column)
        {
            for (size_t row = strip; row < p->M && row < strip + TILE; ++row)
            {
                p->h_B[column * p->M + row] = p->h_A[row * p->N + column];
            }
        }
    }
}

Outcome check(const Problem *p, const Version<Problem> *version)
{
    const real *reference = strcmp(version->name, "copy") == 0 ? p->h_A : p->transposed;
    check_elements(version->name, p->h_B, reference, p->M * p->N);
    return {};
}

int main(int argc, char **argv)
{
    const Version<Problem> versions[] = {
        {"cpu", transpose_cpu, ON_HOST},
        {"copy", launch<transpose_global<COPY>>},
        {"read-coalesced", launch<transpose_global<READ_COALESCED>>},
        {"write-coalesced", launch<transpose_global<WRITE_COALESCED>>},
        {"write-ldg", launch<transpose_global<WRITE_LDG>>},
        {"shared", launch<transpose_shared<0>>},
        {"padded", launch<transpose_shared<1>>},
        {"swizzled", launch<transpose_shared<0, true>>},
        {"coarsened", launch<transpose_coarsened<ALONG_ROWS>, TALL, TILE, TILE, WARPS>},
        {"ordered", launch_ordered},
        {"vectorized", launch_vectorized<false>},
        {"aligned", launch_vectorized<true>},
        {"geam", GPU_ONLY(transpose_geam), ON_DEVICE, 0.0, "cuBLAS"},
    };
    Args args;
    args.M = args.N = default_size(10000, 500);
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
           has_aligned_rows(&p) ? "16 at a time" : "no multiples of 16: ran as ordered");

    CHECK(cudaFree(p.d_A));
    CHECK(cudaFree(p.d_B));
    free(p.h_A);
    free(p.h_B);
    free(p.transposed);
    return verdict();
}
