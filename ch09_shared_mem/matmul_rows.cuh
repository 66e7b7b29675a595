// Rows that begin at multiples of 16 bytes, 8 numbers of bfloat16: ldmatrix and TMA want them so.
#pragma once
#include <cuda_bf16.h>
#include "../common/error.cuh"

typedef __nv_bfloat16 bf16;

const int ROW_UNIT = 8; // numbers in 16 bytes

// Its rows begin `pitch` numbers apart. From its last column to the next multiple of ROW_UNIT a row
// goes on with zeros.
struct Matrix
{
    const bf16 *numbers;
    int rows, columns;
    size_t pitch;
};

inline size_t pitch_of(size_t columns) { return (columns + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT; }

// 0 where the rows need not be longer.
inline double bytes_of_longer_rows(double rows, size_t columns)
{
    return columns % ROW_UNIT != 0 ? rows * pitch_of(columns) * sizeof(bf16) : 0.0;
}

// NULL where the rows need not be longer.
inline bf16 *allocate_longer_rows(size_t rows, size_t columns)
{
    bf16 *d_longer = NULL;
    if (columns % ROW_UNIT != 0)
    {
        CHECK(cudaMalloc(&d_longer, rows * pitch_of(columns) * sizeof(bf16)));
    }
    return d_longer;
}

__global__ void copy_to_longer_rows(const bf16 *from, bf16 *to, size_t columns, size_t pitch,
                                    size_t N)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < N; n += stride)
    {
        const size_t row = n / pitch, column = n % pitch;
        to[n] = column < columns ? from[row * columns + column] : (bf16)0.0f;
    }
}

// The matrix itself, or its copy in d_longer if that is not NULL.
inline Matrix lengthen_rows(const bf16 *d_numbers, bf16 *d_longer, size_t rows, size_t columns)
{
    const size_t pitch = pitch_of(columns), N = rows * pitch;
    if (d_longer != NULL)
    {
        const size_t grid_size = N / 256 < 65536 ? N / 256 + 1 : 65536;
        copy_to_longer_rows<<<grid_size, 256>>>(d_numbers, d_longer, columns, pitch, N);
        CHECK_LAUNCH();
    }
    return {d_longer != NULL ? d_longer : d_numbers, (int)rows, (int)columns, pitch};
}
