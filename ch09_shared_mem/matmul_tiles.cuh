// How a block of matmul finds its tile of C, brings tiles of A and B to shared memory, and stores.
#pragma once
#include <cuda_pipeline.h>
#include "../common/real.cuh"

const int WIDE = 16 / sizeof(real); // numbers that one instruction can move
const int PAD = 4;                  // to a row of a tile in shared memory, against bank conflicts

struct Size
{
    int M, N, K;
};

struct Place
{
    int row, column;
};

// Where in C the block's tile begins. Blocks that run at the same time should want the same rows
// of A and columns of B, so that these stay in L2: so they go down `band` tiles before the next.
__device__ inline Place corner_of_tile(Size s, int height, int width, int band = 8)
{
    const int down = (s.M - 1) / height + 1, across = (s.N - 1) / width + 1;
    const int first = blockIdx.x / (band * across) * band, in_band = blockIdx.x % (band * across);
    const int rows = min(band, down - first);
    return {(first + in_band % rows) * height, in_band / rows * width};
}

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

// A thread's number i out of a row in shared memory: groups of WIDTH, GAP apart. In between are the
// other threads' groups, so that the warp's loads are of neighbours.
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

// Every other row goes backwards: of the two numbers that meet at its end, one is at hand.
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

// Brings one pair of tiles after the other to shared memory by copies that pass by the registers
// and go on while the threads compute. Those of B are of WIDTH numbers, which needs an N that is
// a multiple of it. What lies outside is filled with zeros, and so are tiles after the last.
template <int BM, int BN, int BK, int THREADS, int WIDTH>
struct Copier
{
    static const int PITCH_A = BM + PAD, PITCH_B = BN + PAD, NUMBERS = BK * (PITCH_A + PITCH_B);
    static const int ROWS_A = THREADS / BK, ROWS_B = THREADS / (BN / WIDTH); // copied at a time
    const real *A, *B, *next_A, *next_B;
    size_t K, N;
    int row_A, column_A, row_B, column_B; // of this thread's first copies, in the tiles
    int rows_left, columns_left, k_left;

    __device__ Copier(Size s, Place corner, const real *A, const real *B)
        : A(A), B(B), K(s.K), N(s.N), row_A(threadIdx.x / BK), column_A(threadIdx.x % BK),
          row_B(threadIdx.x / (BN / WIDTH)), column_B(threadIdx.x % (BN / WIDTH) * WIDTH),
          rows_left(s.M - corner.row - row_A), columns_left(s.N - corner.column - column_B),
          k_left(s.K)
    {
        next_A = A + (corner.row + row_A) * K + column_A;
        next_B = B + row_B * N + corner.column + column_B;
    }

    __device__ void copy(real *s_tiles)
    {
        real *s_A = s_tiles + column_A * PITCH_A + row_A;
        real *s_B = s_tiles + BK * PITCH_A + row_B * PITCH_B + column_B;
#pragma unroll
        for (int row = 0; row < BM; row += ROWS_A)
        {
            const bool inside = row < rows_left && column_A < k_left;
            __pipeline_memcpy_async(s_A + row, inside ? next_A + row * K : A, sizeof(real),
                                    inside ? 0 : sizeof(real));
        }
#pragma unroll
        for (int row = 0; row < BK; row += ROWS_B)
        {
            const bool inside = row_B + row < k_left && columns_left > 0;
            __pipeline_memcpy_async(s_B + row * PITCH_B, inside ? next_B + row * N : B,
                                    WIDTH * sizeof(real), inside ? 0 : WIDTH * sizeof(real));
        }
        __pipeline_commit();
        next_A += BK;
        next_B += BK * N;
        k_left -= BK;
    }
};
