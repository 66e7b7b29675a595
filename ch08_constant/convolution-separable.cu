// convolution-separable: 2-D, along the rows and then along the columns
//
// From:    Chapter 8; S4 3.3
// Order:   after convolution
// Compile: nvcc -O3 convolution-separable.cu
// Run:     ./a.out -n 1081x1921 --mask 31x31
//
// Some masks are the product of a column of numbers and a row of numbers, mask[i][j] = column[i]
// row[j]. The blur by a Gaussian is one. Then a convolution along the rows and another along the
// columns have the same result. For a mask of R rows and C columns they make R + C multiply-adds a
// pixel in place of R C. Where each of the two is a kernel, each reads and writes an image, and so
// the % of a copy can hardly exceed 50. All numbers are small integers, so every sum is exact.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/versions.cuh"

const int MAX_SIDE = 31;
const int PIXELS = 8;                // below each other, of a thread in `eight` and `fused`
const int FUSED_X = 64, FUSED_Y = 4; // threads of a block in `fused`
const int WIDE = 16 / sizeof(real);  // numbers that one instruction can move
const int AT_ONCE = 5;               // rows of the tile of which a thread has loads under way
static_assert(MAX_SIDE + WIDE <= FUSED_X, "a thread loads two pixels of a row of the tile");
const size_t MAX_GRID_Y = 65535;

static int64_t M, N;                 // rows and columns of the image
static size_t rows = 9, columns = 9; // of the mask
static real *h_x, *d_x;              // the image
static real *d_between;              // after the convolution along the rows
static real *h_y, *d_y;              // the convolution
static real h_column[MAX_SIDE], h_row[MAX_SIDE], h_mask[MAX_SIDE * MAX_SIDE]; // their product
static double *reference;
static dim3 grid, block, short_grid; // a thread for each pixel, or for PIXELS
static dim3 fused_grid;

// The convolution with the whole mask, one row of it after the other.
void convolve_reference(const real *x, const real *mask, double *y, int64_t M, int64_t N, int rows,
                        int columns)
{
    memset(y, 0, M * N * sizeof(double));
    for (int64_t row = 0; row < M; ++row)
    {
        for (int i = 0; i < rows; ++i)
        {
            const int64_t from_row = row + rows / 2 - i;
            for (int j = 0; from_row >= 0 && from_row < M && j < columns; ++j)
            {
                const int shift = columns / 2 - j;
                const int64_t first = shift < 0 ? -shift : 0;
                const int64_t last = shift > 0 ? N - shift : N;
                const double value = mask[i * columns + j];
                for (int64_t column = first; column < last; ++column)
                {
                    y[row * N + column] += value * x[from_row * N + column + shift];
                }
            }
        }
    }
}

__constant__ real c_mask[MAX_SIDE * MAX_SIDE], c_column[MAX_SIDE], c_row[MAX_SIDE];
// c_row turned round, and zeros, by which up to WIDE - 1 pixels beyond the mask are multiplied.
__constant__ real c_turned[MAX_SIDE + WIDE];

// With the whole mask: the kernel of convolution's row `constant`.
__global__ void convolve_whole(const real *x, real *y, int M, int N, int rows, int columns)
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

void run_whole(void) { convolve_whole<<<grid, block>>>(d_x, d_y, M, N, rows, columns); }

// Along the rows: each pixel needs its neighbours on the left and on the right.
__global__ void convolve_rows(const real *x, real *y, int M, int N, int columns)
{
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int j = 0; j < columns; ++j)
        {
            const int from_column = column + columns / 2 - j;
            if (from_column >= 0 && from_column < N)
            {
                sum += c_row[j] * x[(size_t)row * N + from_column];
            }
        }
        y[(size_t)row * N + column] = sum;
    }
}

// Along the columns: the same with the pixels above and below. The threads of a warp are neighbours
// in a row, so each load is coalesced, too.
__global__ void convolve_columns(const real *x, real *y, int M, int N, int rows)
{
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < M && column < N)
    {
        real sum = 0;
        for (int i = 0; i < rows; ++i)
        {
            const int from_row = row + rows / 2 - i;
            if (from_row >= 0 && from_row < M)
            {
                sum += c_column[i] * x[(size_t)from_row * N + column];
            }
        }
        y[(size_t)row * N + column] = sum;
    }
}

void run_two(void)
{
    convolve_rows<<<grid, block>>>(d_x, d_between, M, N, columns);
    convolve_columns<<<grid, block>>>(d_between, d_y, M, N, rows);
}

// A thread computes eight pixels below each other. So a number of the mask is fetched once for all
// of them, and there is one test of the column. The eight loads do not wait for each other. A row
// below the image is computed as the last one is, and not stored.
__global__ void convolve_rows_eight(const real *x, real *y, int M, int N, int columns)
{
    const int row = PIXELS * (blockDim.y * blockIdx.y + threadIdx.y);
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const real *lines[PIXELS];
    real sum[PIXELS] = {};
    for (int h = 0; h < PIXELS; ++h)
    {
        lines[h] = x + (size_t)min(row + h, M - 1) * N;
    }
    for (int j = 0; j < columns; ++j)
    {
        const int from_column = column + columns / 2 - j;
        if (from_column >= 0 && from_column < N)
        {
            const real value = c_row[j];
            for (int h = 0; h < PIXELS; ++h)
            {
                sum[h] += value * lines[h][from_column];
            }
        }
    }
    for (int h = 0; h < PIXELS; ++h)
    {
        if (row + h < M && column < N)
        {
            y[(size_t)(row + h) * N + column] = sum[h];
        }
    }
}

// Here the eight pixels need nearly the same pixels of the column. They are in registers, in a
// window that slides down: each number of the mask needs one more pixel, for eight multiply-adds.
// The loop is unrolled PIXELS times. After so many turns each pixel of the window is back in its
// register, so the compiler moves none.
__global__ void convolve_columns_eight(const real *x, real *y, int M, int N, int rows)
{
    const int row = PIXELS * (blockDim.y * blockIdx.y + threadIdx.y);
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    if (column >= N)
    {
        return;
    }
    real window[PIXELS], sum[PIXELS] = {};
#pragma unroll PIXELS
    for (int i = 1 - PIXELS; i < rows; ++i)
    {
        for (int h = 0; h < PIXELS - 1; ++h)
        {
            window[h] = window[h + 1];
        }
        const int from_row = row - rows / 2 + i + PIXELS - 1;
        const bool is_inside = from_row >= 0 && from_row < M;
        window[PIXELS - 1] = is_inside ? x[(size_t)from_row * N + column] : 0;
        if (i >= 0) // before, the window is not yet full
        {
            const real value = c_column[rows - 1 - i];
            for (int h = 0; h < PIXELS; ++h)
            {
                sum[h] += value * window[h];
            }
        }
    }
    for (int h = 0; h < PIXELS; ++h)
    {
        if (row + h < M)
        {
            y[(size_t)(row + h) * N + column] = sum[h];
        }
    }
}

void run_eight(void)
{
    convolve_rows_eight<<<short_grid, block>>>(d_x, d_between, M, N, columns);
    convolve_columns_eight<<<short_grid, block>>>(d_between, d_y, M, N, rows);
}

// One instruction loads or stores it.
struct alignas(16) Vector
{
    real of[WIDE];
};

// A row of the tile with its border in shared memory. What is beyond the border is 0, and so are
// the numbers behind the mask in c_turned.
__host__ __device__ int pitch_of_tile(int columns)
{
    return FUSED_X + (columns - 1) / WIDE * WIDE + WIDE;
}

// The two kernels above write the image between the two convolutions to global memory, and read it
// again. Here it stays in shared memory. The block loads its tile and a border on all four sides.
// It convolves the tile and the rows of the border along the rows. Then it waits, and convolves the
// result along the columns. So y is written once, and of x only the borders are read more than
// once: 1.4 loads a pixel for a mask of 9 x 9, and 2.8 for 31 x 31. Nearly all of these should find
// their pixel in the L2 cache. The price: neighbouring blocks both compute the rows of their
// borders. For a mask of 9 rows these are 40 rows for 32.
// Along the rows a thread computes WIDE neighbours, so 16 bytes that it loads serve WIDE x WIDE
// multiply-adds. Along the columns it has a window as above.
//
// With SIDE > 0 the mask is a square of that side, which the compiler knows. Then there are no
// loops over the mask, and each number of it is an operand of a multiply-add.
template <int SIDE>
__global__ void __launch_bounds__(FUSED_X *FUSED_Y)
    convolve_fused(const real *x, real *y, int M, int N, int any_rows, int any_columns)
{
    const int rows = SIDE > 0 ? SIDE : any_rows, columns = SIDE > 0 ? SIDE : any_columns;
    extern __shared__ Vector s_vectors[];
    real *s_x = (real *)s_vectors;
    const int height = PIXELS * FUSED_Y + rows - 1, pitch = pitch_of_tile(columns);
    real *s_between = s_x + height * pitch;
    const int top = PIXELS * FUSED_Y * blockIdx.y, left = FUSED_X * blockIdx.x;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int from_column = left - columns / 2 + tx;
    const int end = min(N, left + FUSED_X + columns / 2);
    // A thread loads a pixel of the tile, and most often nothing on the right of it.
    const bool is_inside = from_column >= 0 && from_column < end;
    const bool is_inside_right = from_column + FUSED_X < end;
    const real *from = x + (int64_t)(top - rows / 2 + ty) * N + from_column;
    for (int first = ty; first < height; first += AT_ONCE * FUSED_Y)
    {
        real pixels[AT_ONCE], right[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k, from += (int64_t)FUSED_Y * N)
        {
            const int i = first + k * FUSED_Y, row = top - rows / 2 + i;
            const bool is_row = i < height && row >= 0 && row < M;
            pixels[k] = is_row && is_inside ? from[0] : (real)0;
            right[k] = is_row && is_inside_right ? from[FUSED_X] : (real)0;
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k)
        {
            const int i = first + k * FUSED_Y;
            if (i < height)
            {
                s_x[i * pitch + tx] = pixels[k];
            }
            if (i < height && tx + FUSED_X < pitch)
            {
                s_x[i * pitch + tx + FUSED_X] = right[k];
            }
        }
    }
    __syncthreads();

    const int number = ty * FUSED_X + tx, across = FUSED_X / WIDE;
    for (int i = number / across; i < height; i += FUSED_X * FUSED_Y / across)
    {
        const Vector *next = (const Vector *)&s_x[i * pitch] + number % across;
        real window[2 * WIDE];
        Vector sum = {};
        for (int w = 0; w < WIDE; ++w)
        {
            window[WIDE + w] = next->of[w];
        }
#pragma unroll(SIDE > 0 ? SIDE : 2)
        for (int j = 0; j < columns; j += WIDE)
        {
            ++next;
            const Vector pixels = *next;
            for (int w = 0; w < WIDE; ++w)
            {
                window[w] = window[WIDE + w];
                window[WIDE + w] = pixels.of[w];
            }
            for (int k = 0; k < WIDE; ++k)
            {
                const real value = c_turned[j + k];
                for (int w = 0; w < WIDE && (SIDE == 0 || j + k < SIDE); ++w)
                {
                    sum.of[w] += value * window[k + w];
                }
            }
        }
        *((Vector *)&s_between[i * FUSED_X] + number % across) = sum;
    }
    __syncthreads();

    const real *line = &s_between[PIXELS * ty * FUSED_X + tx];
    real window[PIXELS], sum[PIXELS] = {};
#pragma unroll(SIDE > 0 ? SIDE + PIXELS : PIXELS)
    for (int i = 1 - PIXELS; i < rows; ++i)
    {
        for (int h = 0; h < PIXELS - 1; ++h)
        {
            window[h] = window[h + 1];
        }
        window[PIXELS - 1] = line[(i + PIXELS - 1) * FUSED_X];
        if (i >= 0)
        {
            const real value = c_column[rows - 1 - i];
            for (int h = 0; h < PIXELS; ++h)
            {
                sum[h] += value * window[h];
            }
        }
    }
    const int row = top + PIXELS * ty, column = left + tx;
    real *to = y + (size_t)row * N + column;
    for (int h = 0; h < PIXELS; ++h, to += N)
    {
        if (row + h < M && column < N)
        {
            *to = sum[h];
        }
    }
}

typedef void (*FusedKernel)(const real *x, real *y, int M, int N, int rows, int columns);

// The kernel for this mask: usual sides have one of their own.
FusedKernel fused_kernel(void)
{
    const size_t side = rows == columns ? rows : 0;
    return side == 3   ? convolve_fused<3>
           : side == 5 ? convolve_fused<5>
           : side == 7 ? convolve_fused<7>
           : side == 9 ? convolve_fused<9>
                       : convolve_fused<0>;
}

// Of shared memory: the tile with its border, and what is between the two convolutions.
size_t bytes_of_fused(void)
{
    return (PIXELS * FUSED_Y + rows - 1) * (pitch_of_tile(columns) + FUSED_X) * sizeof(real);
}

void run_fused(void)
{
    const size_t bytes = bytes_of_fused();
    const FusedKernel kernel = fused_kernel();
    CHECK(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)bytes)); // a wide mask in double needs more than 48 KB
    kernel<<<fused_grid, dim3(FUSED_X, FUSED_Y), bytes>>>(d_x, d_y, M, N, rows, columns);
}

// --- The table -----------------------------------------------------------------------------------

void check_image(void)
{
    const size_t pixels = M * N;
    check_elements(g_row, h_y, reference, pixels);
    g_result = h_y[pixels / 2];
    g_error = largest_error(h_y, reference, pixels);
}

bool fits_shared(void)
{
    static const size_t most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    return bytes_of_fused() <= most && fused_grid.y <= MAX_GRID_Y;
}

const Version VERSIONS[] = {
    {"whole", "one pass, with all numbers of the mask", run_whole, check_image},
    {"two-passes", "along the rows, then along the columns", run_two, check_image},
    {"eight", "the same, eight pixels a thread: what is loaded serves several of them", run_eight,
     check_image},
    {"fused", "both in one kernel: what is between them stays in shared memory", run_fused,
     check_image, ON_DEVICE, fits_shared,
     "more shared memory, a smaller mask, or at most 2097120 rows"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// Memory for the arrays, and their numbers.
void create_arrays(size_t seed)
{
    const size_t bytes = M * N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(M * N * sizeof(double));
    fill_integers(h_x, M * N, seed);
    fill_integers(h_column, rows, seed + 1);
    fill_integers(h_row, columns, seed + 2);
    for (size_t n = 0; n < rows * columns; ++n)
    {
        h_mask[n] = h_column[n / columns] * h_row[n % columns];
    }
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_between, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(c_mask, h_mask, rows * columns * sizeof(real)));
    CHECK(cudaMemcpyToSymbol(c_column, h_column, rows * sizeof(real)));
    CHECK(cudaMemcpyToSymbol(c_row, h_row, columns * sizeof(real)));
    real turned[MAX_SIDE + WIDE] = {};
    for (size_t j = 0; j < columns; ++j)
    {
        turned[j] = h_row[columns - 1 - j];
    }
    CHECK(cudaMemcpyToSymbol(c_turned, turned, sizeof(turned)));
}

int main(int argc, char **argv)
{
    args.M = default_size(2161, 128);
    args.N = default_size(3841, 128);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    Option *mask =
        add_number("mask", &rows, 1, MAX_SIDE, "the mask's size, odd numbers; one: square", "RxC");
    mask->to[1] = &columns;
    parse_args(argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "convolution-separable: 2-D, along the rows and then along the columns");
    if (rows % 2 == 0 || columns % 2 == 0)
    {
        usage_error("--mask takes odd numbers, so that there is a middle");
    }
    if (args.M > MAX_GRID_Y * args.block_y || args.N > INT_MAX / 2)
    {
        usage_error("there may be %zu rows and %d columns", MAX_GRID_Y * args.block_y, INT_MAX / 2);
    }
    M = args.M;
    N = args.N;
    block = dim3(args.block_x, args.block_y);
    grid = dim3((N - 1) / block.x + 1, (M - 1) / block.y + 1);
    short_grid = dim3(grid.x, (M - 1) / (PIXELS * block.y) + 1);
    fused_grid = dim3((N - 1) / FUSED_X + 1, (M - 1) / (PIXELS * FUSED_Y) + 1);
    create_arrays(args.seed);
    convolve_reference(h_x, h_mask, reference, M, N, rows, columns);

    Table table = {};
    table.outputs[0] = {h_y, d_y, M * N * sizeof(real)};
    table.outputs[1] = {NULL, d_between, M * N * sizeof(real)};
    table.bytes = 2.0 * M * N * sizeof(real);
    table.ceiling = copy_ceiling(2 * M * N * sizeof(real));
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_between));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(reference);
    return verdict();
}
