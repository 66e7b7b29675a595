// convolution: 2-D, with a mask in constant memory and the pixels in shared memory
//
// From:    Chapter 8; S4 3.3
// Order:   after convolution-line
// Compile: nvcc -O3 convolution.cu
// Run:     ./a.out -n 1081x1921 --mask 31x31
//
// A convolution turns the mask round: what lies right of a pixel meets what lies left in the mask,
//     y[row][column] = sum over i, j of mask[i][j] x[row + R - i][column + C - j],
// for a mask of 2 R + 1 rows and 2 C + 1 columns. Outside of the image all pixels are 0, or, in the
// row tile-clamp, equal to the nearest pixel inside. The program convolution-line has the same in
// one dimension. All numbers are small integers, so every sum is exact, and each result must be
// equal to the reference's.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/multiply_add.cuh"
#include "../common/options.cuh"
#include "../common/versions.cuh"

const int MAX_SIDE = 31; // of a mask; even 961 doubles fit into the constant cache of 8 KB
const int TILE_X = 32, TILE_Y = 8;
const size_t MAX_GRID_Y = 65535;

static int64_t M, N;                 // rows and columns of the image
static size_t rows = 9, columns = 9; // of the mask
static real *h_x, *d_x;              // the image
static real *h_y, *d_y;              // the convolution
static real h_mask[MAX_SIDE * MAX_SIDE], *d_mask;
static double *reference, *clamped; // what the convolution should be, with each border
static dim3 grid, block, tile_grid; // a thread for each pixel, in blocks or in tiles
static dim3 large_grid;             // the tiles of `registers`, which are larger

int64_t nearest_inside(int64_t k, int64_t N) { return k < 0 ? 0 : k < N ? k : N - 1; }

// Makes a longer copy of each row of the image, with the border at both ends. So the loop over the
// mask needs no test.
void convolve_reference(const real *x, const real *mask, double *y, int64_t M, int64_t N, int rows,
                        int columns, bool clamp)
{
    const int64_t width = N + columns - 1;
    double *padded = (double *)malloc(width * sizeof(double));
    memset(y, 0, M * N * sizeof(double));
    for (int64_t row = 0; row < M; ++row, y += N)
    {
        for (int i = 0; i < rows; ++i)
        {
            const int64_t wanted = row + rows / 2 - i, near_row = nearest_inside(wanted, M);
            for (int64_t k = 0; k < width; ++k)
            {
                const int64_t column = k - columns / 2, near = nearest_inside(column, N);
                const bool exists = wanted == near_row && column == near;
                padded[k] = exists || clamp ? x[near_row * N + near] : 0.0;
            }
            for (int j = 0; j < columns; ++j)
            {
                const double value = mask[i * columns + j];
                const double *from = &padded[columns - 1 - j];
                for (int64_t column = 0; column < N; ++column)
                {
                    y[column] += value * from[column];
                }
            }
        }
    }
    free(padded);
}

// The host fills it by cudaMemcpyToSymbol: the rows of the mask, one after the other.
__constant__ real c_mask[MAX_SIDE * MAX_SIDE];

// Every thread computes one sum. Each multiply-add needs two loads, both from the L1 cache.
__global__ void convolve_global(const real *x, const real *mask, real *y, int M, int N, int rows,
                                int columns)
{
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int i = 0; i < rows; ++i)
        {
            for (int j = 0; j < columns; ++j)
            {
                const int from_row = row + rows / 2 - i, from_column = column + columns / 2 - j;
                if (from_row >= 0 && from_row < M && from_column >= 0 && from_column < N)
                {
                    sum += mask[i * columns + j] * x[(size_t)from_row * N + from_column];
                }
            }
        }
        y[(size_t)row * N + column] = sum;
    }
}

void run_global(void) { convolve_global<<<grid, block>>>(d_x, d_mask, d_y, M, N, rows, columns); }

// All threads read the same number of the mask at the same time. The constant cache is made for
// that. The L1 cache now serves the image alone.
__global__ void convolve_constant(const real *x, real *y, int M, int N, int rows, int columns)
{
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int i = 0; i < rows; ++i)
        {
            for (int j = 0; j < columns; ++j)
            {
                const int from_row = row + rows / 2 - i, from_column = column + columns / 2 - j;
                if (from_row >= 0 && from_row < M && from_column >= 0 && from_column < N)
                {
                    sum += c_mask[i * columns + j] * x[(size_t)from_row * N + from_column];
                }
            }
        }
        y[(size_t)row * N + column] = sum;
    }
}

void run_constant(void) { convolve_constant<<<grid, block>>>(d_x, d_y, M, N, rows, columns); }

// Each pixel is read by many threads of a block. So the block copies all pixels that it needs to
// shared memory: a tile of 8 x 32 pixels, and the border around it. Only the copy tests whether a
// pixel lies inside of the image. The border is now in s_x, so the inner loop needs no `if`.
// Chapter 9 has more about shared memory.
__global__ void convolve_tile(const real *x, real *y, int M, int N, int rows, int columns)
{
    extern __shared__ real s_x[];
    const int width = TILE_X + columns - 1, height = TILE_Y + rows - 1; // of tile and border
    const int top = TILE_Y * blockIdx.y, left = TILE_X * blockIdx.x;    // the tile's corner in x
    for (int i = threadIdx.y; i < height; i += TILE_Y)
    {
        for (int j = threadIdx.x; j < width; j += TILE_X)
        {
            const int from_row = top - rows / 2 + i, from_column = left - columns / 2 + j;
            const bool is_inside =
                from_row >= 0 && from_row < M && from_column >= 0 && from_column < N;
            s_x[i * width + j] = is_inside ? x[(size_t)from_row * N + from_column] : 0;
        }
    }
    __syncthreads();

    const int row = top + threadIdx.y, column = left + threadIdx.x;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int i = 0; i < rows; ++i)
        {
            const real *s_line = &s_x[(threadIdx.y + rows - 1 - i) * width + threadIdx.x];
            for (int j = 0; j < columns; ++j)
            {
                sum += c_mask[i * columns + j] * s_line[columns - 1 - j];
            }
        }
        y[(size_t)row * N + column] = sum;
    }
}

// Of shared memory: a tile with its border.
size_t bytes_of_tile(void) { return (TILE_X + columns - 1) * (TILE_Y + rows - 1) * sizeof(real); }

void run_tile(void)
{
    const dim3 tile(TILE_X, TILE_Y);
    convolve_tile<<<tile_grid, tile, bytes_of_tile()>>>(d_x, d_y, M, N, rows, columns);
}

// The same, but pixels outside are equal to the nearest pixel inside. min and max move each place
// to the nearest one inside. Only the copy to s_x differs.
__global__ void convolve_tile_clamp(const real *x, real *y, int M, int N, int rows, int columns)
{
    extern __shared__ real s_x[];
    const int width = TILE_X + columns - 1, height = TILE_Y + rows - 1;
    const int top = TILE_Y * blockIdx.y, left = TILE_X * blockIdx.x;
    for (int i = threadIdx.y; i < height; i += TILE_Y)
    {
        for (int j = threadIdx.x; j < width; j += TILE_X)
        {
            const int from_row = min(max(top - rows / 2 + i, 0), M - 1);
            const int from_column = min(max(left - columns / 2 + j, 0), N - 1);
            s_x[i * width + j] = x[(size_t)from_row * N + from_column];
        }
    }
    __syncthreads();

    const int row = top + threadIdx.y, column = left + threadIdx.x;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int i = 0; i < rows; ++i)
        {
            const real *s_line = &s_x[(threadIdx.y + rows - 1 - i) * width + threadIdx.x];
            for (int j = 0; j < columns; ++j)
            {
                sum += c_mask[i * columns + j] * s_line[columns - 1 - j];
            }
        }
        y[(size_t)row * N + column] = sum;
    }
}

void run_tile_clamp(void)
{
    const dim3 tile(TILE_X, TILE_Y);
    convolve_tile_clamp<<<tile_grid, tile, bytes_of_tile()>>>(d_x, d_y, M, N, rows, columns);
}

#include "convolution_fast.cuh" // the kernels of `registers`

void run_registers(void)
{
    const dim3 tile(TILE_X, TILE_Y);
    const size_t shared_bytes = WIDTH * (HIGH * TILE_Y + rows - 1) * sizeof(real);
    const Convolve convolve = kernel_for(columns);
    convolve<<<large_grid, tile, shared_bytes>>>(d_x, d_y, M, N, rows, columns);
}

// --- The table -----------------------------------------------------------------------------------

void check_image(const double *expected)
{
    const size_t pixels = M * N;
    check_elements(g_row, h_y, expected, pixels);
    g_result = h_y[pixels / 2];
    g_error = largest_error(h_y, expected, pixels);
}

void check_zero(void) { check_image(reference); }
void check_clamp(void) { check_image(clamped); }

const Version VERSIONS[] = {
    {"global", "image and mask in global memory", run_global, check_zero},
    {"constant", "the mask in constant memory: all threads read the same number of it",
     run_constant, check_zero},
    {"tile", "and the image's part that a block needs in shared memory, with its border", run_tile,
     check_zero},
    {"registers", "16 pixels a thread (8 in double): what is loaded stays in registers",
     run_registers, check_zero, ON_DEVICE, NULL, NULL, false,
     "more of the instructions are multiply-adds"},
    {"tile-clamp", "the same, but pixels outside are equal to the nearest one inside",
     run_tile_clamp, check_clamp, ON_DEVICE, NULL, NULL, true},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// Memory for the arrays, and their numbers.
void create_arrays(size_t seed)
{
    const size_t bytes = M * N * sizeof(real), mask_bytes = rows * columns * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(M * N * sizeof(double));
    clamped = (double *)malloc(M * N * sizeof(double));
    fill_integers(h_x, M * N, seed);
    fill_integers(h_mask, rows * columns, seed + 1);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_mask, mask_bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_mask, h_mask, mask_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(c_mask, h_mask, mask_bytes));
}

void free_arrays(void)
{
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_mask));
    free(h_x);
    free(h_y);
    free(reference);
    free(clamped);
}

int main(int argc, char **argv)
{
    args.M = default_size(2161, 128);
    args.N = default_size(3841, 128);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 3 * sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    Option *mask =
        add_number("mask", &rows, 1, MAX_SIDE, "the mask's size, odd numbers; one: square", "RxC");
    mask->to[1] = &columns;
    parse_args(argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "convolution: 2-D, with a mask in constant memory and the pixels in shared memory");
    if (rows % 2 == 0 || columns % 2 == 0)
    {
        usage_error("--mask takes odd numbers, so that there is a middle");
    }
    const size_t most_rows = MAX_GRID_Y * (args.block_y < TILE_Y ? args.block_y : TILE_Y);
    if (args.M > most_rows || args.N > INT_MAX / 2)
    {
        usage_error("there may be %zu rows and %d columns", most_rows, INT_MAX / 2);
    }
    M = args.M;
    N = args.N;
    block = dim3(args.block_x, args.block_y);
    grid = dim3((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    tile_grid = dim3((N + TILE_X - 1) / TILE_X, (M + TILE_Y - 1) / TILE_Y);
    large_grid = dim3((N - 1) / (WIDE * TILE_X) + 1, (M - 1) / (HIGH * TILE_Y) + 1);
    create_arrays(args.seed);
    convolve_reference(h_x, h_mask, reference, M, N, rows, columns, false);
    convolve_reference(h_x, h_mask, clamped, M, N, rows, columns, true);

    Table table = {};
    table.outputs[0] = {h_y, d_y, M * N * sizeof(real)};
    table.operations = 2.0 * rows * columns * M * N;
    table.ceiling = multiply_add_ceiling<real>();
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    free_arrays();
    return verdict();
}
