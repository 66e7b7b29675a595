// The kernel of convolution.cu's version `registers`. It needs c_mask, MAX_SIDE and the threads of
// a block, TILE_X x TILE_Y, which stand in convolution.cu.
#pragma once
#include <cuda_pipeline.h>

// A thread computes WIDE x HIGH pixels: WIDE neighbours, which are 16 bytes, in each of HIGH rows.
const int WIDE = 16 / sizeof(real), HIGH = 4;
const int STRIP = 8; // columns of the mask that are used together

// A row of the tile with its border, for the widest mask. It is a constant, so the places of the
// pixels are numbers in the instructions. Each thread copies PASSES pixels of it.
const int PASSES = (WIDE * TILE_X + MAX_SIDE - 2) / TILE_X + 1;
const int WIDTH = PASSES * TILE_X;

// One instruction loads it from shared memory.
struct alignas(16) Vector
{
    real of[WIDE];
};

// What COLUMNS columns of the mask, from `first` on, add to the sums of a thread. s_line is where
// the first of these pixels lie in shared memory.
// The window has HIGH rows of pixels, in registers. The thread multiplies them by a row of the
// mask: WIDE x HIGH x COLUMNS multiply-adds. For the next row of the mask the window slides down
// one row, so only one row of pixels is loaded. A number of the mask is fetched once for all
// WIDE x HIGH sums.
// In each turn of the loop all rows of the window move up. Because of `#pragma unroll HIGH` this
// costs nothing: after HIGH turns each row is back in its registers, and the compiler only gives
// them other names.
template <int COLUMNS>
__device__ void add_columns(const real *s_line, int rows, int columns, int first,
                            real sum[HIGH][WIDE])
{
    const int VECTORS = (COLUMNS - 1 + WIDE - 1) / WIDE + 1; // in a row of the window
    real window[HIGH][VECTORS * WIDE];
    int number = rows * columns - 1 - first; // of the mask, which is turned round
#pragma unroll HIGH
    for (int i = 1 - HIGH; i < rows; ++i)
    {
        for (int h = 0; h < HIGH - 1; ++h)
        {
            for (int k = 0; k < VECTORS * WIDE; ++k)
            {
                window[h][k] = window[h + 1][k];
            }
        }
        for (int v = 0; v < VECTORS; ++v)
        {
            const Vector pixels = *(const Vector *)&s_line[v * WIDE];
            for (int k = 0; k < WIDE; ++k)
            {
                window[HIGH - 1][v * WIDE + k] = pixels.of[k];
            }
        }
        s_line += WIDTH;
        if (i >= 0) // before, the window is not yet full
        {
            for (int j = 0; j < COLUMNS; ++j)
            {
                const real value = c_mask[number - j];
                for (int h = 0; h < HIGH; ++h)
                {
                    for (int w = 0; w < WIDE; ++w)
                    {
                        sum[h][w] += value * window[h][w + j];
                    }
                }
            }
            number -= columns;
        }
    }
}

// In convolve_tile each multiply-add needs a load of a pixel, a load of the mask's number and the
// loop around them. Here a thread computes 16 pixels (8 in double), and what it has loaded stays
// in registers: see add_columns. For a mask of 9 x 9, 89 % of the instructions of the loop over the
// mask's rows are multiply-adds.
// The loop over the mask's columns must be unrolled, because registers have no index. So their
// number is a parameter of the template. A wide mask is used in strips of 8 columns, and REST is
// what they leave: 5 kernels for all widths.
// The copies to shared memory are asynchronous. They need no registers, so a thread starts all of
// them before it waits, and waits once. Outside of the image it writes 0.
// The bounds: three blocks shall run at the same time on a multiprocessor. In double a pixel needs
// two registers, and there is room for two.
template <int REST>
__global__ void __launch_bounds__(TILE_X *TILE_Y, sizeof(real) == sizeof(float) ? 3 : 2)
    convolve_registers(const real *x, real *y, int M, int N, int rows, int columns)
{
    extern __shared__ Vector s_vectors[];
    real *s_x = (real *)s_vectors;
    const int height = HIGH * TILE_Y + rows - 1;
    const int top = HIGH * TILE_Y * blockIdx.y, left = WIDE * TILE_X * blockIdx.x;
    const int from_column = left - columns / 2 + (int)threadIdx.x;
    bool is_column[PASSES]; // is tested once for all rows
    for (int p = 0; p < PASSES; ++p)
    {
        const int column = from_column + p * TILE_X;
        is_column[p] = column >= 0 && column < N && column < left + WIDE * TILE_X + columns / 2;
    }
    for (int i = threadIdx.y; i < height; i += TILE_Y)
    {
        const int from_row = top - rows / 2 + i;
        const bool is_row = from_row >= 0 && from_row < M;
        const real *from = x + (int64_t)from_row * N + from_column;
        for (int p = 0; p < PASSES; ++p)
        {
            real *to = &s_x[i * WIDTH + threadIdx.x + p * TILE_X];
            if (is_row && is_column[p])
            {
                __pipeline_memcpy_async(to, &from[p * TILE_X], sizeof(real));
            }
            else
            {
                *to = 0;
            }
        }
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();

    const real *s_line = &s_x[HIGH * threadIdx.y * WIDTH + WIDE * threadIdx.x];
    real sum[HIGH][WIDE] = {};
    int first = 0;
    for (; first < columns - REST; first += STRIP)
    {
        add_columns<STRIP>(&s_line[first], rows, columns, first, sum);
    }
    add_columns<REST>(&s_line[first], rows, columns, first, sum);

    // The pixels of a thread are neighbours. If the threads wrote them to y, each request of a warp
    // would have every fourth pixel of 128. So they go to s_x first, and then to y in their order.
    __syncthreads(); // all threads have used the tile
    for (int h = 0; h < HIGH; ++h)
    {
        Vector pixels;
        for (int w = 0; w < WIDE; ++w)
        {
            pixels.of[w] = sum[h][w];
        }
        *(Vector *)&s_x[(HIGH * threadIdx.y + h) * WIDTH + WIDE * threadIdx.x] = pixels;
    }
    __syncthreads();
    for (int h = 0; h < HIGH; ++h)
    {
        const int line = HIGH * threadIdx.y + h, row = top + line;
        for (int w = 0; w < WIDE; ++w)
        {
            const int place = w * TILE_X + threadIdx.x, column = left + place;
            if (row < M && column < N)
            {
                y[(size_t)row * N + column] = s_x[line * WIDTH + place];
            }
        }
    }
}

typedef void (*Convolve)(const real *x, real *y, int M, int N, int rows, int columns);

// The kernel for a mask of so many columns, an odd number.
Convolve kernel_for(size_t columns)
{
    const int rest = columns % STRIP;
    return columns == 1 ? convolve_registers<1>
           : rest == 1  ? convolve_registers<9>
           : rest == 3  ? convolve_registers<3>
           : rest == 5  ? convolve_registers<5>
                        : convolve_registers<7>;
}
