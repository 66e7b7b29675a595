// Rows that begin at multiples of 16 bytes, 8 numbers of bfloat16: ldmatrix and TMA want them so.
#pragma once
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include "../common/compat.cuh"
#include "../common/error.cuh"

typedef __nv_bfloat16 bf16;

const int ROW_UNIT = 8;

// Its rows begin `pitch` numbers apart. Up to the next multiple of ROW_UNIT they go on with zeros.
struct Matrix
{
    const bf16 *numbers;
    int rows, columns;
    size_t pitch;
};

__global__ void lengthen_rows(const bf16 *from, bf16 *to, size_t columns, size_t pitch, size_t N)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        const size_t row = n / pitch, column = n % pitch;
        to[n] = column < columns ? from[row * columns + column] : (bf16)0.0f;
    }
}

inline size_t pitch_of(size_t columns)
{
    return (columns + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
}

// For longer rows, if they need to be.
inline double bytes_of_room(double rows, size_t columns)
{
    return columns % ROW_UNIT != 0 ? rows * pitch_of(columns) * sizeof(bf16) : 0.0;
}

// NULL if they need not.
inline bf16 *allocate_rows(size_t rows, size_t columns)
{
    bf16 *room = NULL;
    if (columns % ROW_UNIT != 0)
    {
        CHECK(cudaMalloc(&room, rows * pitch_of(columns) * sizeof(bf16)));
    }
    return room;
}

inline Matrix align_rows(const bf16 *numbers, bf16 *room, size_t rows, size_t columns)
{
    const size_t pitch = pitch_of(columns), N = rows * pitch;
    if (room != NULL)
    {
        lengthen_rows<<<N / 256 < 65536 ? N / 256 + 1 : 65536, 256>>>(numbers, room, columns, pitch,
                                                                      N);
        CHECK_LAUNCH();
    }
    return {room != NULL ? room : numbers, (int)rows, (int)columns, pitch};
}

// Copies of 16 bytes to a tile in shared memory that has ROW_UNIT columns more than it fills, from
// the matrix and, outside of it, zeros. All threads of the block share them.
template <int THREADS, int ROWS, int PITCH>
__device__ __forceinline__ void copy_tile(bf16 (&s_tile)[ROWS][PITCH], Matrix X, int first_row,
                                          int first_column)
{
    const int CHUNKS = PITCH / ROW_UNIT - 1; // in a row
#pragma unroll
    for (int i = threadIdx.x; i < ROWS * CHUNKS; i += THREADS)
    {
        const int row = first_row + i / CHUNKS, column = first_column + i % CHUNKS * ROW_UNIT;
        const bool inside = row < X.rows && column < X.columns;
        __pipeline_memcpy_async(&s_tile[i / CHUNKS][i % CHUNKS * ROW_UNIT],
                                inside ? X.numbers + row * X.pitch + column : X.numbers, 16,
                                inside ? 0 : 16);
    }
}
