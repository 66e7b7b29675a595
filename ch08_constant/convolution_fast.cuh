// The kernel of convolution.cu's version `registers`. It needs c_mask, MAX_SIDE and the threads of
// a block, TILE_X x TILE_Y, which stand in convolution.cu.
#pragma once
#include <cuda_pipeline.h>

// A thread computes WIDE x HIGH pixels: WIDE neighbours, which are 16 bytes, in each of HIGH rows.
const int WIDE = 16 / sizeof(real), HIGH = 4;
const int STRIP = 8; // columns of the mask that are used together
const int BLOCKS = sizeof(real) == sizeof(float) ? 3 : 2; // that a multiprocessor shall run

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

// A tile of the image and the mask, as a block sees them.
struct Tile
{
    int top, left;     // its first pixel in y
    int M, N;          // of the image
    int rows, columns; // of the mask
    int height;        // with the border
};

__device__ inline Tile tile_at(int row, int column, int M, int N, int rows, int columns)
{
    return {HIGH * TILE_Y * row,     WIDE * TILE_X * column, M, N, rows, columns,
            HIGH * TILE_Y + rows - 1};
}

// Starts the copies of the tile with its border to shared memory. They are asynchronous: they need
// no registers, so a thread starts all of them before it waits. Outside of the image 0 is written
// in place of a pixel.
__device__ inline void start_copies(const real *x, Tile tile, real *s_x)
{
    const int from_column = tile.left - tile.columns / 2 + (int)threadIdx.x;
    const int end = min(tile.N, tile.left + WIDE * TILE_X + tile.columns / 2);
    bool is_column[PASSES]; // is tested once for all rows
    for (int p = 0; p < PASSES; ++p)
    {
        const int column = from_column + p * TILE_X;
        is_column[p] = column >= 0 && column < end;
    }
    for (int i = threadIdx.y; i < tile.height; i += TILE_Y)
    {
        const int from_row = tile.top - tile.rows / 2 + i;
        const bool is_row = from_row >= 0 && from_row < tile.M;
        const real *from = x + (int64_t)from_row * tile.N + from_column;
        for (int p = 0; p < PASSES; ++p)
        {
            const bool is_inside = is_row && is_column[p];
            __pipeline_memcpy_async(&s_x[i * WIDTH + threadIdx.x + p * TILE_X],
                                    is_inside ? &from[p * TILE_X] : x, sizeof(real),
                                    is_inside ? 0 : sizeof(real));
        }
    }
}

// What the thread computes. The loop over the mask's columns must be unrolled, because registers
// have no index. So their number is a parameter of the template. A wide mask is used in strips of 8
// columns, and REST is what they leave: 5 kernels for all widths.
template <int REST>
__device__ void convolve_window(const real *s_x, Tile tile, real sum[HIGH][WIDE])
{
    const real *s_line = &s_x[HIGH * threadIdx.y * WIDTH + WIDE * threadIdx.x];
    int first = 0;
    for (; first < tile.columns - REST; first += STRIP)
    {
        add_columns<STRIP>(&s_line[first], tile.rows, tile.columns, first, sum);
    }
    add_columns<REST>(&s_line[first], tile.rows, tile.columns, first, sum);
}

// The pixels of a thread are neighbours. If the threads wrote them to y, each request of a warp
// would have every fourth pixel of 128. So they go to s_x first, and then to y in their order.
__device__ inline void store_window(const real sum[HIGH][WIDE], Tile tile, real *s_x, real *y)
{
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
        const int line = HIGH * threadIdx.y + h, row = tile.top + line;
        for (int w = 0; w < WIDE; ++w)
        {
            const int place = w * TILE_X + threadIdx.x, column = tile.left + place;
            if (row < tile.M && column < tile.N)
            {
                y[(size_t)row * tile.N + column] = s_x[line * WIDTH + place];
            }
        }
    }
}

// In convolve_tile each multiply-add needs a load of a pixel, a load of the mask's number and the
// loop around them. Here a thread computes 16 pixels (8 in double), and what it has loaded stays
// in registers: see add_columns. For a mask of 9 x 9, 89 % of the instructions of the loop over the
// mask's rows are multiply-adds.
// The bounds: three blocks shall run at the same time on a multiprocessor. In double a pixel needs
// two registers, and there is room for two.
template <int REST>
__global__ void __launch_bounds__(TILE_X *TILE_Y, BLOCKS)
    convolve_registers(const real *x, real *y, int M, int N, int rows, int columns)
{
    extern __shared__ Vector s_vectors[];
    real *s_x = (real *)s_vectors;
    const Tile tile = tile_at(blockIdx.y, blockIdx.x, M, N, rows, columns);
    start_copies(x, tile, s_x);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    real sum[HIGH][WIDE] = {};
    convolve_window<REST>(s_x, tile, sum);
    store_window(sum, tile, s_x, y);
}

// In convolve_registers the blocks of a multiprocessor start together. So all of them wait for
// memory at the same time, and then all of them compute. Here a block goes on to another tile, and
// its copies are under way while the block computes. The grid has as many blocks as run at the same
// time.
template <int REST>
__global__ void __launch_bounds__(TILE_X *TILE_Y, BLOCKS)
    convolve_pipelined(const real *x, real *y, int M, int N, int rows, int columns)
{
    extern __shared__ Vector s_vectors[];
    const int across = (N - 1) / (WIDE * TILE_X) + 1;
    const int tiles = ((M - 1) / (HIGH * TILE_Y) + 1) * across;
    real *s_x = (real *)s_vectors, *s_next = s_x + WIDTH * (HIGH * TILE_Y + rows - 1);
    start_copies(x, tile_at(blockIdx.x / across, blockIdx.x % across, M, N, rows, columns), s_x);
    __pipeline_commit();
    for (int number = blockIdx.x; number < tiles; number += gridDim.x)
    {
        const int next = number + gridDim.x;
        if (next < tiles)
        {
            start_copies(x, tile_at(next / across, next % across, M, N, rows, columns), s_next);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1); // this tile has arrived, the next one may be under way
        __syncthreads();
        const Tile tile = tile_at(number / across, number % across, M, N, rows, columns);
        real sum[HIGH][WIDE] = {};
        convolve_window<REST>(s_x, tile, sum);
        store_window(sum, tile, s_x, y);
        __syncthreads(); // all threads have stored, so the next copies may come here
        real *const s_used = s_x;
        s_x = s_next;
        s_next = s_used;
    }
}

typedef void (*Convolve)(const real *x, real *y, int M, int N, int rows, int columns);

// The kernels for a mask of so many columns, an odd number.
struct Kernels
{
    Convolve registers, pipelined;
};

template <int REST>
Kernels kernels_of(void)
{
    return {convolve_registers<REST>, convolve_pipelined<REST>};
}

Kernels kernels_for(size_t columns)
{
    const int rest = columns % STRIP;
    return columns == 1 ? kernels_of<1>()
           : rest == 1  ? kernels_of<9>()
           : rest == 3  ? kernels_of<3>()
           : rest == 5  ? kernels_of<5>()
                        : kernels_of<7>();
}
