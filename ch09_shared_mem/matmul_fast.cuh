// The versions of matmul.cu beyond tiles in shared memory, with their launchers.
#pragma once
#include <cuda_pipeline.h>
#include "../common/compat.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "matmul_share.cuh"
#include "matmul_tiles.cuh"

const int WIDE = 16 / sizeof(real); // numbers that one instruction can move
const int PAD = 4;                  // added to a row of a tile in shared memory: fewer conflicts

// ---- Registers: how a thread loads, multiplies and stores several numbers ----

// WIDTH neighbouring numbers, moved by one instruction.
template <int WIDTH>
struct alignas(WIDTH * sizeof(real)) Vector
{
    real numbers[WIDTH];
};

template <int WIDTH>
__device__ void move(real *to, const real *from)
{
    *(Vector<WIDTH> *)to = *(const Vector<WIDTH> *)from;
}

// Where number i of a thread stands in a row of shared memory. The thread's numbers stand in groups
// of WIDTH that are GAP apart. Between them stand the groups of the warp's other threads, so a load
// of the warp is a load of neighbours.
template <int WIDTH, int GAP>
__device__ int place_of(int i)
{
    return i / WIDTH * GAP + i % WIDTH;
}

template <int COUNT, int WIDTH, int GAP>
__device__ void load_groups(real *to, const real *from)
{
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDTH)
    {
        move<WIDTH>(to + i, from + place_of<WIDTH, GAP>(i));
    }
}

// Every other row goes backwards. So the first step of a row uses the same number of b as the last
// step of the row before, and the multiplier still has it at hand.
template <int ROWS, int COLUMNS>
__device__ void add_products(real (&sums)[ROWS][COLUMNS], const real *a, const real *b)
{
#pragma unroll
    for (int i = 0; i < ROWS; ++i)
    {
#pragma unroll
        for (int n = 0; n < COLUMNS; ++n)
        {
            const int j = i % 2 == 0 ? n : COLUMNS - 1 - n;
            sums[i][j] += a[i] * b[j];
        }
    }
}

template <int WIDTH, int GAP_M, int GAP_N, int ROWS, int COLUMNS>
__device__ void store_sums(Size s, real *C, Place first, const real (&sums)[ROWS][COLUMNS])
{
#pragma unroll
    for (int i = 0; i < ROWS * COLUMNS; i += WIDTH)
    {
        const int row = first.row + place_of<WIDTH, GAP_M>(i / COLUMNS);
        const int column = first.column + place_of<WIDTH, GAP_N>(i % COLUMNS);
        const real *from = &sums[i / COLUMNS][i % COLUMNS];
        real *to = C + (size_t)row * s.N + column;
        if (row < s.M && column < s.N && s.N % WIDTH == 0)
        {
            move<WIDTH>(to, from);
        }
        for (int j = 0; j < WIDTH && row < s.M && column + j < s.N && s.N % WIDTH != 0; ++j)
        {
            to[j] = from[j];
        }
    }
}

// ---- column, square and vector: several numbers of C a thread ----

// Each thread computes ROWS x COLUMNS numbers of C, out of the block's tile of TILE_M x TILE_N.
// From shared memory it loads ROWS + COLUMNS numbers for ROWS COLUMNS multiply-adds, while `tiled`
// loads two numbers for each. The tile of A is stored transposed: what a thread needs of a column
// of A then stands in groups of WIDTH.
template <int TILE_M, int TILE_N, int TILE_K, int ROWS, int COLUMNS, int WIDTH>
__global__ void multiply_registers(Size s, const real *A, const real *B, real *C)
{
    const int ACROSS = TILE_N / COLUMNS, DOWN = TILE_M / ROWS, THREADS = ACROSS * DOWN;
    __shared__ __align__(16) real s_A[TILE_K][TILE_M + PAD], s_B[TILE_K][TILE_N];
    const Place corner = corner_of_tile(s, TILE_M, TILE_N);
    const int tid = threadIdx.x, y = tid / ACROSS * WIDTH, x = tid % ACROSS * WIDTH;
    alignas(16) real sums[ROWS][COLUMNS] = {};
    for (int first = 0; first < s.K; first += TILE_K)
    {
        for (int i = tid; i < TILE_M * TILE_K; i += THREADS)
        {
            const int k = first + i % TILE_K, row = corner.row + i / TILE_K;
            s_A[i % TILE_K][i / TILE_K] = row < s.M && k < s.K ? A[(size_t)row * s.K + k] : (real)0;
        }
        for (int i = tid; i < TILE_K * TILE_N; i += THREADS)
        {
            const int k = first + i / TILE_N, column = corner.column + i % TILE_N;
            s_B[i / TILE_N][i % TILE_N] =
                k < s.K && column < s.N ? B[(size_t)k * s.N + column] : (real)0;
        }
        __syncthreads(); // the tiles are complete
        for (int k = 0; k < TILE_K; ++k)
        {
            alignas(16) real a[ROWS], b[COLUMNS];
            load_groups<ROWS, WIDTH, DOWN * WIDTH>(a, &s_A[k][y]);
            load_groups<COLUMNS, WIDTH, ACROSS * WIDTH>(b, &s_B[k][x]);
            add_products(sums, a, b);
        }
        __syncthreads(); // all threads have used the tiles
    }
    store_sums<WIDTH, DOWN * WIDTH, ACROSS * WIDTH>(s, C, {corner.row + y, corner.column + x},
                                                    sums);
}

inline void launch_column(const real *d_A, const real *d_B, real *d_C, Size s)
{
    const unsigned int grid_size = count_tiles(s, 64, 64);
    multiply_registers<64, 64, 16, 8, 1, 1><<<grid_size, 512>>>(s, d_A, d_B, d_C);
}

inline void launch_square(const real *d_A, const real *d_B, real *d_C, Size s)
{
    const unsigned int grid_size = count_tiles(s, 128, 128);
    multiply_registers<128, 128, 16, 8, 8, 1><<<grid_size, 256>>>(s, d_A, d_B, d_C);
}

inline void launch_vector(const real *d_A, const real *d_B, real *d_C, Size s)
{
    const unsigned int grid_size = count_tiles(s, 128, 128);
    multiply_registers<128, 128, 16, 8, 8, WIDE><<<grid_size, 256>>>(s, d_A, d_B, d_C);
}

// ---- pipelined and fitted: copies that run while the threads compute ----

// The sizes here were found by trying, on an H100.
const int TILE_K = sizeof(real) == 4 ? 16 : 8;
const int STAGES = sizeof(real) == 4 ? 3 : 4; // pairs of tiles in shared memory

// Copies one pair of tiles after the other to shared memory. The copies are asynchronous: they do
// not pass through registers, and they go on while the threads compute. A copy from B moves WIDTH
// numbers, so N must be a multiple of WIDTH. What lies outside of the matrices is filled with
// zeros. So are tiles after the last. The copies go along K from first_k to end_k - 1.
template <int TILE_M, int TILE_N, int TILE_K, int THREADS, int WIDTH>
struct Copier
{
    static const int PITCH_A = TILE_M + PAD, PITCH_B = TILE_N + PAD;
    static const int NUMBERS = TILE_K * (PITCH_A + PITCH_B); // in a pair of tiles
    static const int ROWS_A = THREADS / TILE_K, ROWS_B = THREADS / (TILE_N / WIDTH); // at a time
    const real *A, *B, *next_A, *next_B;
    size_t K, N;
    int row_A, column_A, row_B, column_B; // of this thread's first copies, in the tiles
    int rows_left, columns_left, k_left;

    __device__ Copier(Size s, Place corner, const real *A, const real *B, int first_k, int end_k)
        : A(A), B(B), K(s.K), N(s.N), row_A(threadIdx.x / TILE_K), column_A(threadIdx.x % TILE_K),
          row_B(threadIdx.x / (TILE_N / WIDTH)), column_B(threadIdx.x % (TILE_N / WIDTH) * WIDTH),
          rows_left(s.M - corner.row - row_A), columns_left(s.N - corner.column - column_B),
          k_left(end_k - first_k)
    {
        next_A = A + (corner.row + row_A) * K + first_k + column_A;
        next_B = B + (first_k + row_B) * N + corner.column + column_B;
    }

    __device__ void copy(real *s_tiles)
    {
        real *s_A = s_tiles + column_A * PITCH_A + row_A;
        real *s_B = s_tiles + TILE_K * PITCH_A + row_B * PITCH_B + column_B;
#pragma unroll
        for (int row = 0; row < TILE_M; row += ROWS_A)
        {
            const bool inside = row < rows_left && column_A < k_left;
            __pipeline_memcpy_async(s_A + row, inside ? next_A + row * K : A, sizeof(real),
                                    inside ? 0 : sizeof(real));
        }
#pragma unroll
        for (int row = 0; row < TILE_K; row += ROWS_B)
        {
            const bool inside = row_B + row < k_left && columns_left > 0;
            __pipeline_memcpy_async(s_B + row * PITCH_B, inside ? next_B + row * N : B,
                                    WIDTH * sizeof(real), inside ? 0 : WIDTH * sizeof(real));
        }
        __pipeline_commit();
        next_A += TILE_K;
        next_B += TILE_K * N;
        k_left -= TILE_K;
    }

    // The first copies: all stages but one.
    __device__ void begin(real *s_tiles)
    {
        for (int stage = 0; stage < STAGES - 1; ++stage)
        {
            copy(s_tiles + stage * NUMBERS);
        }
    }
};

// The tile of a block, and a warp's part of it.
template <int HEIGHT, int WIDTH, int WARP_HEIGHT, int WARP_WIDTH>
struct Tiling
{
    static const int TILE_M = HEIGHT, TILE_N = WIDTH, WARP_M = WARP_HEIGHT, WARP_N = WARP_WIDTH;
    static const int THREADS = TILE_M / WARP_M * (TILE_N / WARP_N) * 32;
    static const size_t BYTES =
        STAGES * Copier<TILE_M, TILE_N, TILE_K, THREADS, 1>::NUMBERS * sizeof(real);
};

typedef Tiling<128, sizeof(real) == 4 ? 256 : 128, sizeof(real) == 4 ? 64 : 32, 64> Large;
typedef Tiling<64, 64, 32, 32> Small;

// Where a thread's numbers begin in the tile of its block. The lanes of a warp stand in Z order, 4
// down and 8 across: 0 1 4 5 over 2 3 6 7, and so on. So the lanes that shared memory serves
// together need few different numbers.
template <typename Tiles>
__device__ Place place_in_tile(void)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32,
              down = Tiles::TILE_M / Tiles::WARP_M;
    return {warp % down * Tiles::WARP_M + ((lane & 1) | (lane >> 1 & 2)) * WIDE,
            warp / down * Tiles::WARP_N + ((lane >> 1 & 1) | (lane >> 2 & 6)) * WIDE};
}

// Multiplies pairs of tiles, along K from `first` to end - 1. The first copies have begun.
//
// While a thread multiplies the numbers of step k, three things are under way: the numbers of step
// k + 1, from shared memory to registers, and the next two pairs of tiles, from global memory to
// shared memory. There is one barrier for TILE_K steps.
template <typename Tiles, typename TileCopier>
__device__ __forceinline__ void add_tiles(TileCopier &copier, real *s_tiles, Place place, int first,
                                          int end,
                                          real (&sums)[Tiles::WARP_M / 4][Tiles::WARP_N / 8])
{
    const int ROWS = Tiles::WARP_M / 4, COLUMNS = Tiles::WARP_N / 8;
    const int GAP_M = 4 * WIDE, GAP_N = 8 * WIDE, y = place.row, x = place.column;
    const int PITCH_A = TileCopier::PITCH_A, PITCH_B = TileCopier::PITCH_B;
    alignas(16) real a[2][ROWS], b[2][COLUMNS];
    __pipeline_wait_prior(STAGES - 2); // this thread's copies of the first stage have arrived, ...
    __syncthreads();                   // ... and those of the other threads
    load_groups<ROWS, WIDE, GAP_M>(a[0], s_tiles + y);
    load_groups<COLUMNS, WIDE, GAP_N>(b[0], s_tiles + TILE_K * PITCH_A + x);
    int reading = 0, writing = STAGES - 1;
#pragma unroll 1
    for (; first < end; first += TILE_K)
    {
#pragma unroll
        for (int k = 0; k < TILE_K; ++k)
        {
            if (k == TILE_K - 1)
            {
                __pipeline_wait_prior(STAGES - 2);
                __syncthreads(); // before the next stage is read
                reading = reading == STAGES - 1 ? 0 : reading + 1;
            }
            const int next = (k + 1) % TILE_K;
            const real *s_A = s_tiles + reading * TileCopier::NUMBERS;
            const real *s_B = s_A + TILE_K * PITCH_A;
            load_groups<ROWS, WIDE, GAP_M>(a[(k + 1) % 2], s_A + next * PITCH_A + y);
            load_groups<COLUMNS, WIDE, GAP_N>(b[(k + 1) % 2], s_B + next * PITCH_B + x);
            if (k == 0)
            {
                copier.copy(s_tiles + writing * TileCopier::NUMBERS);
                writing = writing == STAGES - 1 ? 0 : writing + 1;
            }
            add_products(sums, a[k % 2], b[k % 2]);
        }
    }
    __pipeline_wait_prior(0);
}

template <typename Tiles, int WIDTH>
__global__ void __launch_bounds__(Tiles::THREADS)
    multiply_pipelined(Size s, const real *A, const real *B, real *C)
{
    typedef Copier<Tiles::TILE_M, Tiles::TILE_N, TILE_K, Tiles::THREADS, WIDTH> TileCopier;
    extern __shared__ __align__(16) real s_tiles[];
    const Place place = place_in_tile<Tiles>();
    const Place corner = corner_of_tile(s, Tiles::TILE_M, Tiles::TILE_N);
    alignas(16) real sums[Tiles::WARP_M / 4][Tiles::WARP_N / 8] = {};
    TileCopier copier(s, corner, A, B, 0, s.K);
    copier.begin(s_tiles);
    add_tiles<Tiles>(copier, s_tiles, place, 0, s.K, sums);
    store_sums<WIDE, 4 * WIDE, 8 * WIDE>(
        s, C, {corner.row + place.row, corner.column + place.column}, sums);
}

typedef void (*TileKernel)(Size s, const real *A, const real *B, real *C);

// More than 48 KB of shared memory must be asked for.
inline void launch_tiles(TileKernel kernel, unsigned int grid_size, int block_size, size_t bytes,
                         const real *d_A, const real *d_B, real *d_C, Size s)
{
    const cudaFuncAttribute dynamic = cudaFuncAttributeMaxDynamicSharedMemorySize;
    CHECK(cudaFuncSetAttribute((const void *)kernel, dynamic, bytes));
    kernel<<<grid_size, block_size, bytes>>>(s, d_A, d_B, d_C);
}

// Copies of 16 bytes must begin at multiples of 16. Rows of B do so if N is a multiple of WIDE.
template <typename Tiles>
void launch_pipelined(const real *d_A, const real *d_B, real *d_C, Size s)
{
    const TileKernel kernel =
        s.N % WIDE == 0 ? multiply_pipelined<Tiles, WIDE> : multiply_pipelined<Tiles, 1>;
    launch_tiles(kernel, count_tiles(s, Tiles::TILE_M, Tiles::TILE_N), Tiles::THREADS, Tiles::BYTES,
                 d_A, d_B, d_C, s);
}

template <typename Tiles>
bool has_memory_for(void)
{
    static const size_t most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    return most >= Tiles::BYTES;
}

// The numbers of C that the multiprocessor with the most tiles has to compute.
template <typename Tiles>
size_t most_work(Size s)
{
    static const size_t multiprocessors = device_attribute(cudaDevAttrMultiProcessorCount, 0);
    const size_t tiles = count_tiles(s, Tiles::TILE_M, Tiles::TILE_N);
    return ((tiles - 1) / multiprocessors + 1) * Tiles::TILE_M * Tiles::TILE_N;
}

// A small tile needs more loads for each multiply-add. With 8192 rows of floats an H100 took a
// sixth longer for the same work. But a C of 1024 x 1024 has only 32 of the large tiles: of 132
// multiprocessors 100 have nothing to do.
inline void launch_fitted(const real *d_A, const real *d_B, real *d_C, Size s)
{
    const double large = most_work<Large>(s), small = most_work<Small>(s) * 7.0 / 6.0;
    if (has_memory_for<Large>() && large <= small)
    {
        launch_pipelined<Large>(d_A, d_B, d_C, s);
    }
    else
    {
        launch_pipelined<Small>(d_A, d_B, d_C, s);
    }
}

// ---- stream-k: all multiprocessors work until the end ----

const int LARGE_SHARE = 8; // steps of a share that are worth a large tile

// A block goes from one piece of a tile to the next: matmul_share.cuh says which. It computes each
// piece as a block of `pipelined` computes its tile. What it has yet to do stands in shared memory:
// in the inner loop it takes no registers. A small change of this text can make the compiler
// arrange the inner loop in another way. Some versions with the same meaning were 5 % slower on an
// H100.
template <typename Tiles, int WIDTH>
__global__ void __launch_bounds__(Tiles::THREADS, 1)
    multiply_stream_k(Size s, const real *A, const real *B, real *C, Plan plan)
{
    typedef Copier<Tiles::TILE_M, Tiles::TILE_N, TILE_K, Tiles::THREADS, WIDTH> TileCopier;
    const int ROWS = Tiles::WARP_M / 4, COLUMNS = Tiles::WARP_N / 8;
    extern __shared__ __align__(16) real s_tiles[];
    __shared__ Share s_share;
    __shared__ Piece s_piece;
    if (threadIdx.x == 0)
    {
        s_share = draw_share(plan);
        s_piece = next_piece(plan, &s_share);
    }
    __syncthreads();
    const int number = s_share.number;
    const Place place = place_in_tile<Tiles>();
    while (has_steps(s_piece))
    {
        const int first = s_piece.first * TILE_K, end = min(s.K, s_piece.end * TILE_K);
        const Place corner = corner_of(s_piece.tile, s, Tiles::TILE_M, Tiles::TILE_N);
        TileCopier copier(s, corner, A, B, first, end);
        alignas(16) real sums[ROWS][COLUMNS] = {};
        copier.begin(s_tiles);
        add_tiles<Tiles>(copier, s_tiles, place, first, end, sums);
        if (s_piece.first > 0)
        {
            give_sums<ROWS * COLUMNS, Tiles::THREADS>(plan, number, &sums[0][0]);
        }
        else
        {
            take_sums<ROWS * COLUMNS, Tiles::THREADS>(plan, number, s_piece.end, &sums[0][0]);
            store_sums<WIDE, 4 * WIDE, 8 * WIDE>(
                s, C, {corner.row + place.row, corner.column + place.column}, sums);
        }
        __syncthreads(); // all threads have used the tiles and the piece
        if (threadIdx.x == 0)
        {
            s_piece = next_piece(plan, &s_share);
        }
        __syncthreads();
    }
}

template <typename Tiles>
Shared share_tiles_of(Size s)
{
    const ShareKernel kernel =
        s.N % WIDE == 0 ? multiply_stream_k<Tiles, WIDE> : multiply_stream_k<Tiles, 1>;
    return share_tiles(kernel, Tiles::THREADS, Tiles::BYTES,
                       count_tiles(s, Tiles::TILE_M, Tiles::TILE_N), (s.K - 1) / TILE_K + 1,
                       Tiles::TILE_M * Tiles::TILE_N * sizeof(real));
}

// Few tiles are no reason for small ones any more, as long as each block gets some steps. But large
// tiles may reach far beyond a small C.
inline Shared share_stream_k(Size s)
{
    const double large = (double)count_tiles(s, Large::TILE_M, Large::TILE_N);
    const double small = (double)count_tiles(s, Small::TILE_M, Small::TILE_N);
    const double steps = (s.K - 1) / TILE_K + 1;
    const bool is_wasteful =
        large * Large::TILE_M * Large::TILE_N > 1.5 * small * Small::TILE_M * Small::TILE_N;
    const bool is_long =
        large * steps >= (double)LARGE_SHARE * device_attribute(cudaDevAttrMultiProcessorCount, 0);
    return has_memory_for<Large>() && is_long && !is_wasteful ? share_tiles_of<Large>(s)
                                                              : share_tiles_of<Small>(s);
}

// ---- wmma: tensor cores, for doubles ----

#if ON_GPU && defined(USE_DP)
#include <mma.h>

using namespace nvcuda;

const int WMMA_TILE = 64, WMMA_K = 16, WMMA_STAGES = 4, WMMA_THREADS = 128;
const size_t WMMA_BYTES = WMMA_STAGES * 2 * WMMA_K * (WMMA_TILE + PAD) * sizeof(double);

// A tensor core multiplies doubles by 8 x 4 and 4 x 8, for a whole warp: the numbers are spread
// over the registers of its lanes, in fragments. A warp has 4 x 4 fragments with sums. The tiles
// come as in `pipelined`.
template <int WIDTH>
__global__ void __launch_bounds__(WMMA_THREADS, 3)
    multiply_wmma(Size s, const real *A, const real *B, real *C)
{
#if __CUDA_ARCH__ >= 800
    typedef Copier<WMMA_TILE, WMMA_TILE, WMMA_K, WMMA_THREADS, WIDTH> TileCopier;
    const int PITCH = TileCopier::PITCH_A; // of B, too
    extern __shared__ __align__(16) real s_tiles[];
    const int warp = threadIdx.x / 32, y = warp % 2 * 32, x = warp / 2 * 32;
    const Place corner = corner_of_tile(s, WMMA_TILE, WMMA_TILE);
    TileCopier copier(s, corner, A, B, 0, s.K);
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sums[4][4] = {};
    for (int stage = 0; stage < WMMA_STAGES - 1; ++stage)
    {
        copier.copy(s_tiles + stage * TileCopier::NUMBERS);
    }
    for (int tile = 0; tile * WMMA_K < s.K; ++tile)
    {
        __pipeline_wait_prior(WMMA_STAGES - 2);
        __syncthreads();
        copier.copy(s_tiles + (tile + WMMA_STAGES - 1) % WMMA_STAGES * TileCopier::NUMBERS);
        const real *s_A = s_tiles + tile % WMMA_STAGES * TileCopier::NUMBERS;
        const real *s_B = s_A + WMMA_K * PITCH;
#pragma unroll
        for (int k = 0; k < WMMA_K; k += 4)
        {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> a[4];
            wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
            {
                wmma::load_matrix_sync(a[i], s_A + k * PITCH + y + 8 * i, PITCH);
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
            {
                wmma::load_matrix_sync(b[i], s_B + k * PITCH + x + 8 * i, PITCH);
            }
#pragma unroll
            for (int i = 0; i < 16; ++i)
            {
                wmma::mma_sync(sums[i / 4][i % 4], a[i / 4], b[i % 4], sums[i / 4][i % 4]);
            }
        }
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    // A fragment can only be stored whole. So C's tile goes to shared memory first, and from there
    // to C as far as it lies within C.
    for (int i = 0; i < 16; ++i)
    {
        wmma::store_matrix_sync(s_tiles + (y + i / 4 * 8) * PITCH + x + i % 4 * 8,
                                sums[i / 4][i % 4], PITCH, wmma::mem_row_major);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < WMMA_TILE * WMMA_TILE; i += WMMA_THREADS)
    {
        const int row = corner.row + i / WMMA_TILE, column = corner.column + i % WMMA_TILE;
        if (row < s.M && column < s.N)
        {
            C[(size_t)row * s.N + column] = s_tiles[i / WMMA_TILE * PITCH + i % WMMA_TILE];
        }
    }
#endif
}

inline void launch_wmma(const real *d_A, const real *d_B, real *d_C, Size s)
{
    const TileKernel kernel = s.N % WIDE == 0 ? multiply_wmma<WIDE> : multiply_wmma<1>;
    launch_tiles(kernel, count_tiles(s, WMMA_TILE, WMMA_TILE), WMMA_THREADS, WMMA_BYTES, d_A, d_B,
                 d_C, s);
}

// The kernel's body is empty in what was compiled for less than sm_80.
inline bool has_wmma(void)
{
    cudaFuncAttributes code;
    CHECK(cudaFuncGetAttributes(&code, multiply_wmma<1>));
    return code.ptxVersion >= 80;
}

// ---- mma: the larger instruction of sm_90 ----

// wmma multiplies 8 x 4 by 4 x 8: 256 multiply-adds an instruction. From sm_90 on there is one of
// 16 x 16 by 16 x 8, which does 2048. With the small one an H100 reaches less than half of cuBLAS's
// speed. C++ has no name for the large one.
//
// Of A lane 4 i + j has rows i and i + 8 and every fourth column from j on, of B column i and every
// fourth row from j on, of the sums rows i and i + 8 and columns 2 j and 2 j + 1.
__device__ __forceinline__ void mma_16_8_16(double (&sums)[4], const double (&a)[8],
                                            const double (&b)[4])
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(sums[0]), "+d"(sums[1]), "+d"(sums[2]), "+d"(sums[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                   "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
#endif
}

const int MMA_TILE = 128, MMA_K = 16, MMA_STAGES = 5, MMA_THREADS = 256;
const int MMA_STEP = 2 * MMA_K; // two pairs of tiles, with the numbers of B in b[0] and in b[1]
const int MMA_ROWS = 64, MMA_COLUMNS = 32; // of C, that a warp computes
const int MMA_DOWN = MMA_ROWS / 16, MMA_ACROSS = MMA_COLUMNS / 8;
static_assert(MMA_DOWN == MMA_ACROSS && MMA_DOWN % 2 == 0 && MMA_K == 16,
              "a quarter of B is loaded with each quarter of A");

// Copies a tile of X to shared memory as it stands, row by row, in MMA_DOWN parts. A copy moves
// WIDTH numbers. What lies outside of X is filled with zeros. PAD puts the 16 numbers that shared
// memory serves together into 16 different pairs of banks.
template <int ROWS, int COLUMNS, int WIDTH>
struct RowCopier
{
    static const int PITCH = COLUMNS + PAD, NUMBERS = ROWS * PITCH;
    static const int AT_ONCE = MMA_THREADS / (COLUMNS / WIDTH); // rows
    static const int COPIES = ROWS / AT_ONCE / MMA_DOWN;        // of a thread in a part
    const real *X, *next;
    size_t pitch; // of X
    int place, rows_left, columns_left;

    // From `first` on, X is copied as far as `end`.
    __device__ RowCopier(const real *X, Place first, Place end, int columns) : X(X), pitch(columns)
    {
        const int row = threadIdx.x / (COLUMNS / WIDTH);
        const int column = threadIdx.x % (COLUMNS / WIDTH) * WIDTH;
        next = X + (first.row + row) * pitch + first.column + column;
        place = row * PITCH + column;
        rows_left = end.row - first.row - row;
        columns_left = end.column - first.column - column;
    }

    __device__ void copy(real *s_tile, int part) const
    {
#pragma unroll
        for (int i = part * COPIES; i < (part + 1) * COPIES; ++i)
        {
            const bool inside = i * AT_ONCE < rows_left && columns_left > 0;
            __pipeline_memcpy_async(s_tile + place + i * AT_ONCE * PITCH,
                                    inside ? next + i * AT_ONCE * pitch : X, WIDTH * sizeof(real),
                                    inside ? 0 : WIDTH * sizeof(real));
        }
    }

    __device__ void move_on(int rows, int columns)
    {
        next += rows * pitch + columns;
        rows_left -= rows;
        columns_left -= columns;
    }
};

const int MMA_A_NUMBERS = RowCopier<MMA_TILE, MMA_K, 1>::NUMBERS;
const int MMA_STAGE = MMA_A_NUMBERS + RowCopier<MMA_K, MMA_TILE, 1>::NUMBERS;
const size_t MMA_BYTES = MMA_STAGES * MMA_STAGE * sizeof(double);

// The copies of a tile of A and of one of B, that go along K from first_k to end_k - 1.
template <int WIDTH_A, int WIDTH_B>
struct MmaCopier
{
    RowCopier<MMA_TILE, MMA_K, WIDTH_A> A;
    RowCopier<MMA_K, MMA_TILE, WIDTH_B> B;

    __device__ MmaCopier(Size s, Place corner, const real *A, const real *B, int first_k, int end_k)
        : A(A, {corner.row, first_k}, {s.M, end_k}, s.K),
          B(B, {first_k, corner.column}, {end_k, s.N}, s.N)
    {
    }

    __device__ void copy(real *s_to, int part) const
    {
        A.copy(s_to, part);
        B.copy(s_to + MMA_A_NUMBERS, part);
    }

    __device__ void move_on(void)
    {
        __pipeline_commit();
        A.move_on(0, MMA_K);
        B.move_on(MMA_K, 0);
    }

    // The first copies: all stages but one.
    __device__ void begin(real *s_tiles)
    {
        for (int stage = 0; stage < MMA_STAGES - 1; ++stage)
        {
            for (int part = 0; part < MMA_DOWN; ++part)
            {
                copy(s_tiles + stage * MMA_STAGE, part);
            }
            move_on();
        }
    }
};

typedef double MmaSums[MMA_DOWN][MMA_ACROSS][4];

// Where the first numbers that a lane needs of A and of B stand in a stage.
struct MmaFrom
{
    int A, B;
};

__device__ inline MmaFrom first_in_stage(void)
{
    const int PITCH_A = MMA_K + PAD, PITCH_B = MMA_TILE + PAD;
    const int warp = threadIdx.x / 32, i = threadIdx.x % 32 / 4, j = threadIdx.x % 4;
    return {(warp % 2 * MMA_ROWS + i) * PITCH_A + j,
            MMA_A_NUMBERS + j * PITCH_B + warp / 2 * MMA_COLUMNS + i};
}

// Multiplies pairs of tiles, along K from `first` to end - 1. The first copies have begun.
//
// A block's tile has four times the size of wmma's, so half as many bytes come from the L2 cache.
// A warp keeps 4 x 4 results of the instruction, which are 64 sums a lane.
//
// The tensor cores should not wait. Before each quarter of a step's multiplications a lane loads
// A's numbers for the next quarter, and a quarter of B's numbers for the next step. It also begins
// a quarter of the copies for MMA_STAGES - 1 steps later. The first version made all loads and
// copies behind the barrier, where all warps waited for them together. It reached 62 % of cuBLAS's
// speed, this one 91 % (H100, 4096 x 4096 x 4096).
template <typename TileCopier>
__device__ __forceinline__ void add_mma_tiles(TileCopier &copier, real *s_tiles, MmaFrom from,
                                              int first, int end, MmaSums &sums)
{
    const int PITCH_A = MMA_K + PAD, PITCH_B = MMA_TILE + PAD;
    __pipeline_wait_prior(MMA_STAGES - 2);
    __syncthreads();
    double a[2][8], b[2][MMA_ACROSS][4];
#pragma unroll
    for (int n = 0; n < MMA_ACROSS * 4; ++n)
    {
        b[0][n / 4][n % 4] = s_tiles[from.B + n % 4 * 4 * PITCH_B + n / 4 * 8];
    }
#pragma unroll
    for (int n = 0; n < 8; ++n)
    {
        a[0][n] = s_tiles[from.A + n % 2 * 8 * PITCH_A + n / 2 * 4];
    }
    int reading = 0, writing = MMA_STAGES - 1;
    for (; first < end; first += MMA_STEP)
    {
#pragma unroll
        for (int half = 0; half < 2; ++half) // a second pair beyond K multiplies zeros
        {
            __pipeline_wait_prior(MMA_STAGES - 3);
            __syncthreads(); // the next tiles are complete, and all threads have used those before
            const real *s_now = s_tiles + reading * MMA_STAGE;
            reading = reading == MMA_STAGES - 1 ? 0 : reading + 1;
            const real *s_next = s_tiles + reading * MMA_STAGE;
            real *s_to = s_tiles + writing * MMA_STAGE;
            writing = writing == MMA_STAGES - 1 ? 0 : writing + 1;
#pragma unroll
            for (int down = 0; down < MMA_DOWN; ++down)
            {
                const real *s_A = down + 1 < MMA_DOWN ? s_now : s_next;
                const int row = (down + 1) % MMA_DOWN * 16;
#pragma unroll
                for (int n = 0; n < 8; ++n)
                {
                    a[(down + 1) % 2][n] = s_A[from.A + (row + n % 2 * 8) * PITCH_A + n / 2 * 4];
                }
#pragma unroll
                for (int n = 0; n < 4; ++n)
                {
                    b[1 - half][down][n] = s_next[from.B + n * 4 * PITCH_B + down * 8];
                }
                copier.copy(s_to, down);
#pragma unroll
                for (int across = 0; across < MMA_ACROSS; ++across)
                {
                    mma_16_8_16(sums[down][across], a[down % 2], b[half][across]);
                }
            }
            copier.move_on();
        }
    }
    __pipeline_wait_prior(0);
}

// A lane has two neighbouring numbers of a row. An instruction stores WIDTH of them.
template <int WIDTH>
__device__ __forceinline__ void store_mma_sums(Size s, Place corner, real *C, const MmaSums &sums)
{
    const int warp = threadIdx.x / 32, i = threadIdx.x % 32 / 4, j = threadIdx.x % 4;
    const int y = warp % 2 * MMA_ROWS, x = warp / 2 * MMA_COLUMNS;
#pragma unroll
    for (int n = 0; n < MMA_DOWN * MMA_ACROSS * 2; ++n)
    {
        const double *from = &sums[n / 2 / MMA_ACROSS][n / 2 % MMA_ACROSS][n % 2 * 2];
        const int row = corner.row + y + n / 2 / MMA_ACROSS * 16 + n % 2 * 8 + i;
        const int column = corner.column + x + n / 2 % MMA_ACROSS * 8 + 2 * j;
        for (int k = 0; k < 2 && row < s.M && column + k < s.N; k += WIDTH)
        {
            move<WIDTH>(C + (size_t)row * s.N + column + k, from + k);
        }
    }
}

template <int WIDTH_A, int WIDTH_B>
__global__ void __launch_bounds__(MMA_THREADS, 1)
    multiply_mma(Size s, const real *A, const real *B, real *C)
{
    extern __shared__ __align__(16) real s_tiles[];
    const Place corner = corner_of_tile(s, MMA_TILE, MMA_TILE);
    const MmaFrom from = first_in_stage();
    MmaCopier<WIDTH_A, WIDTH_B> copier(s, corner, A, B, 0, s.K);
    MmaSums sums = {};
    copier.begin(s_tiles);
    add_mma_tiles(copier, s_tiles, from, 0, s.K, sums);
    store_mma_sums<1>(s, corner, C, sums);
}

inline void launch_mma(const real *d_A, const real *d_B, real *d_C, Size s)
{
    const bool is_even_A = s.K % WIDE == 0, is_even_B = s.N % WIDE == 0;
    const TileKernel kernel = is_even_A && is_even_B ? multiply_mma<WIDE, WIDE>
                              : is_even_A            ? multiply_mma<WIDE, 1>
                              : is_even_B            ? multiply_mma<1, WIDE>
                                                     : multiply_mma<1, 1>;
    launch_tiles(kernel, count_tiles(s, MMA_TILE, MMA_TILE), MMA_THREADS, MMA_BYTES, d_A, d_B, d_C,
                 s);
}

inline bool has_mma(void)
{
    cudaFuncAttributes code;
    CHECK(cudaFuncGetAttributes(&code, multiply_mma<1, 1>));
    static const size_t most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    return code.ptxVersion >= 90 && most >= MMA_BYTES;
}

// ---- mma-stream-k: the last tiles are shared as in stream-k ----

// The tensor cores multiply as in `mma`. Where N is even, two numbers are stored at a time.
template <int WIDTH_A, int WIDTH_B>
__global__ void __launch_bounds__(MMA_THREADS, 1)
    multiply_mma_stream_k(Size s, const real *A, const real *B, real *C, Plan plan)
{
    const int COUNT = sizeof(MmaSums) / sizeof(double);
    extern __shared__ __align__(16) real s_tiles[];
    __shared__ Share s_share;
    __shared__ Piece s_piece;
    if (threadIdx.x == 0)
    {
        s_share = draw_share(plan);
        s_piece = next_piece(plan, &s_share);
    }
    __syncthreads();
    const int number = s_share.number;
    const MmaFrom from = first_in_stage();
    while (has_steps(s_piece))
    {
        const int first = s_piece.first * MMA_STEP, end = min(s.K, s_piece.end * MMA_STEP);
        const Place corner = corner_of(s_piece.tile, s, MMA_TILE, MMA_TILE);
        MmaCopier<WIDTH_A, WIDTH_B> copier(s, corner, A, B, first, end);
        alignas(16) MmaSums sums = {};
        copier.begin(s_tiles);
        add_mma_tiles(copier, s_tiles, from, first, end, sums);
        if (s_piece.first > 0)
        {
            give_sums<COUNT, MMA_THREADS>(plan, number, &sums[0][0][0]);
        }
        else
        {
            take_sums<COUNT, MMA_THREADS>(plan, number, s_piece.end, &sums[0][0][0]);
            store_mma_sums<WIDTH_B>(s, corner, C, sums);
        }
        __syncthreads(); // all threads have used the tiles and the piece
        if (threadIdx.x == 0)
        {
            s_piece = next_piece(plan, &s_share);
        }
        __syncthreads();
    }
}

inline Shared share_mma_stream_k(Size s)
{
    const bool is_even_A = s.K % WIDE == 0, is_even_B = s.N % WIDE == 0;
    const ShareKernel kernel = is_even_A && is_even_B ? multiply_mma_stream_k<WIDE, WIDE>
                               : is_even_A            ? multiply_mma_stream_k<WIDE, 1>
                               : is_even_B            ? multiply_mma_stream_k<1, WIDE>
                                                      : multiply_mma_stream_k<1, 1>;
    return share_tiles(kernel, MMA_THREADS, MMA_BYTES, count_tiles(s, MMA_TILE, MMA_TILE),
                       (s.K - 1) / MMA_STEP + 1, MMA_TILE * MMA_TILE * sizeof(real));
}
#endif
