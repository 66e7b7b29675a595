// The versions of transpose.cu beyond the book's, with their launchers, and cuBLAS's.
#pragma once
#include "../common/check_cublas.cuh"
#include "../common/on_gpu.cuh"
#include "../common/real.cuh"

// ---- Which tile of A a block takes ----

// The grid is a line of blocks, which may be 2^31 long. In y a grid ends at 65535 blocks.
enum Order
{
    ALONG_ROWS,  // the next block has the next tile in the same rows of A ...
    DOWN_COLUMNS // ... or in the same columns
};

struct Corner
{
    size_t row, column; // of the tile's first element in A
};

template <int ROWS, int COLUMNS, Order ORDER>
__device__ Corner corner_of_tile(size_t M, size_t N)
{
    const unsigned high = (M - 1) / ROWS + 1, wide = (N - 1) / COLUMNS + 1, n = blockIdx.x;
    return ORDER == ALONG_ROWS ? Corner{(size_t)(n / wide) * ROWS, (size_t)(n % wide) * COLUMNS}
                               : Corner{(size_t)(n % high) * ROWS, (size_t)(n / high) * COLUMNS};
}

// ---- coarsened and ordered: several elements a thread ----

const int WARP = 32;
const int TALL = 1024 / sizeof(real); // rows of a tile: of each row of B it writes a kilobyte
const int WARPS = 16;                 // of a block
const int LOADS = TALL / WARPS;       // of a thread; it has as many stores

// In the kernels before, each thread loads one element, waits for it, waits at the barrier, stores
// it and ends. Too few bytes are on their way to keep the memory busy. Here each thread issues 8
// or 16 loads before it needs the first. The tile is taller, not wider: the pieces of B's rows are
// longer, and the pieces of A's rows still fill a cache line.
// With DOWN_COLUMNS, blocks that run at the same time write the same rows of B.
template <Order ORDER>
__global__ void transpose_coarsened(const real *A, real *B, size_t M, size_t N)
{
    __shared__ real s_tile[TALL][WARP + 1];
    const Corner corner = corner_of_tile<TALL, WARP, ORDER>(M, N);
    const int lane = threadIdx.x, warp = threadIdx.y;
    real loaded[LOADS];
#pragma unroll
    for (int i = 0; i < LOADS; ++i)
    {
        const size_t row = corner.row + i * WARPS + warp, column = corner.column + lane;
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
        const int x = piece / (TALL / WARP), y = piece % (TALL / WARP) * WARP + lane;
        const size_t row = corner.row + y, column = corner.column + x;
        if (row < M && column < N)
        {
            B[column * M + row] = s_tile[y][x];
        }
    }
}

template <Order ORDER>
void launch_tall_tiles(const real *d_A, real *d_B, size_t M, size_t N)
{
    const size_t tiles = ((M - 1) / TALL + 1) * ((N - 1) / WARP + 1);
    transpose_coarsened<ORDER><<<tiles, dim3(WARP, WARPS)>>>(d_A, d_B, M, N);
}

inline void launch_coarsened(const real *d_A, real *d_B, size_t M, size_t N)
{
    launch_tall_tiles<ALONG_ROWS>(d_A, d_B, M, N);
}

inline void launch_ordered(const real *d_A, real *d_B, size_t M, size_t N)
{
    launch_tall_tiles<DOWN_COLUMNS>(d_A, d_B, M, N);
}

// ---- vectorized and aligned: 16 bytes an access ----

const int LENGTH = 16 / sizeof(real); // elements in a vector of 16 bytes

struct alignas(16) Vector
{
    real elements[LENGTH];
};

// With AHEAD, L2 shall fetch not only the 32 bytes asked for but all 256 around them: other threads
// of the block need these at the same time. C++ has no name for such a load, so it is written in
// PTX.
template <bool AHEAD>
__device__ Vector read_vector(const real *x)
{
#if ON_GPU && __CUDA_ARCH__ >= 800
    if (AHEAD)
    {
        uint4 v;
        asm("ld.global.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
            : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
            : "l"(x));
        return *(Vector *)&v;
    }
#endif
    return *(const Vector *)x;
}

const int CHUNK = 256 / sizeof(real);  // memory is best written 256 bytes at a time
const int HIGH = 2 * CHUNK, WIDE = 64; // rows and columns of a tile
const int ACROSS = WIDE / LENGTH, DOWN = HIGH / LENGTH; // squares in it, of LENGTH x LENGTH
const int THREADS = 512;

// Each thread loads squares of LENGTH x LENGTH elements: LENGTH rows of 16 bytes. It transposes a
// square in its registers, so it can store LENGTH columns of 16 bytes. Loads and stores take a
// quarter of the instructions (in double, half).
// ALIGNED: memory is best written 256 bytes at a time, from a multiple of 256 on. But rows of B may
// begin anywhere: rows of 40000 bytes begin at multiples of 64. So the block begins each row of
// its tile at the last multiple of 256 bytes before it, and reads some rows of A above the tile.
template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS, ALIGNED ? 2 : 3)
    transpose_vectorized(const real *A, real *B, size_t M, size_t N)
{
    __shared__ Vector s_tile[WIDE][DOWN + CHUNK / LENGTH]; // its rows are A's columns
    const Corner corner = corner_of_tile<HIGH, WIDE, DOWN_COLUMNS>(M + CHUNK, N);
    // M & -M is the largest power of 2 in M: rows of B begin at its multiples.
    const int above = ALIGNED && M % CHUNK != 0 ? CHUNK - (M & -M) : 0;
    const int squares = ACROSS * (DOWN + above / LENGTH); // 512 threads take them in rounds:
    const int ROUNDS = (ACROSS * (DOWN + ALIGNED * (CHUNK / LENGTH)) - 1) / THREADS + 1;
    const size_t top = corner.row - above; // before A it wraps round to a number far behind A
    Vector rows[ROUNDS][LENGTH], column_of_square;
#pragma unroll
    for (int i = 0; i < ROUNDS * LENGTH; ++i)
    {
        const int square = i / LENGTH * THREADS + threadIdx.x;
        const size_t row = top + square / ACROSS * LENGTH;
        const size_t column = corner.column + square % ACROSS * LENGTH;
        if (square < squares && row < M && column < N)
        {
            rows[i / LENGTH][i % LENGTH] =
                read_vector<ALIGNED>(&A[(row + i % LENGTH) * N + column]);
        }
    }
#pragma unroll
    for (int j = 0; j < ROUNDS * LENGTH; ++j)
    {
        const int square = j / LENGTH * THREADS + threadIdx.x;
        const int x = square % ACROSS, y = square / ACROSS;
#pragma unroll
        for (int i = 0; i < LENGTH; ++i)
        {
            column_of_square.elements[i] = rows[j / LENGTH][i].elements[j % LENGTH];
        }
        if (square < squares)
        {
            s_tile[x * LENGTH + j % LENGTH][y ^ (x % 8)] = column_of_square; // no bank conflicts
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WIDE * DOWN / THREADS; ++i)
    {
        const int vector = i * THREADS + threadIdx.x, x = vector / DOWN, y = vector % DOWN;
        const size_t column = corner.column + x;
        const int shift = ALIGNED ? column * M % CHUNK : 0; // from the multiple of 256 bytes
        const size_t row = corner.row - shift + y * LENGTH;
        if (column < N && row < M)
        {
            *(Vector *)&B[column * M + row] =
                s_tile[x][((above - shift) / LENGTH + y) ^ (x / LENGTH % 8)];
        }
    }
}

// Whether every row of A and of B begins at a multiple of 16 bytes.
inline bool has_aligned_rows(size_t M, size_t N) { return M % LENGTH == 0 && N % LENGTH == 0; }

// Rows of tiles are counted from M + CHUNK: the last rows of B's tiles may begin CHUNK later.
template <bool ALIGNED>
void launch_vectors(const real *d_A, real *d_B, size_t M, size_t N)
{
    if (!has_aligned_rows(M, N))
    {
        launch_ordered(d_A, d_B, M, N);
        return;
    }
    const size_t tiles = ((M + CHUNK - 1) / HIGH + 1) * ((N - 1) / WIDE + 1);
    transpose_vectorized<ALIGNED><<<tiles, THREADS>>>(d_A, d_B, M, N);
}

inline void launch_vectorized(const real *d_A, real *d_B, size_t M, size_t N)
{
    launch_vectors<false>(d_A, d_B, M, N);
}

inline void launch_aligned(const real *d_A, real *d_B, size_t M, size_t N)
{
    launch_vectors<true>(d_A, d_B, M, N);
}

// ---- geam: the library ----

// B = 1 A^T + 0 B. cuBLAS stores matrices column by column. So to cuBLAS our A has N rows, and our
// B has M rows.
inline void transpose_geam(cublasHandle_t handle, const real *d_A, real *d_B, size_t M, size_t N)
{
    const real one = 1, zero = 0;
    CHECK_CUBLAS(CUBLAS_REAL(geam_64)(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, N, &one, d_A, N, &zero,
                                      d_B, M, d_B, M));
}
