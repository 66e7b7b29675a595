// convolution: 1-D and 2-D, with a mask in constant memory, and what happens at the border
//
// From:    Chapter 8; S4 3.3
// Compile: nvcc -O3 convolution.cu
// Run:     ./a.out -n 1081x1921 --mask 31x31 --border clamp
// Versions:
//   global    image and mask in global memory
//   constant  the mask in constant memory: all threads are always at the same place in it
//   tile      and the image's part that a block needs in shared memory, its border with it
// Checks:  11
//
// Convolving turns the mask round: what lies right of a pixel meets what lies left in the mask,
//     y[row][column] = sum over i, j of mask[i][j] x[row + R - i][column + C - j],
// of a mask of 2 R + 1 rows and 2 C + 1 columns. What lies outside is 0 or, clamped, the nearest
// pixel. All numbers are small integers, so every sum is exact and must be equal.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/data.cuh"
#include "../common/versions.cuh"

const int MAX_SIDE = 31; // of a mask; even 961 doubles fit into the constant cache of 8 KB
const int TILE_X = 32, TILE_Y = 8;
const size_t MAX_GRID_Y = 65535;

// An image of M rows and N columns, and the rows and columns of a mask, both odd.
struct Shape
{
    int64_t M, N;
    int rows, columns;
};

int64_t nearest_inside(int64_t k, int64_t N)
{
    return k < 0 ? 0 : k < N ? k : N - 1;
}

// Of each row that takes part a copy is made, longer by the border: after that nobody has to ask.
void convolve_reference(const real *x, const real *mask, double *y, Shape s, bool clamp)
{
    const int64_t width = s.N + s.columns - 1;
    double *padded = (double *)malloc(width * sizeof(double));
    memset(y, 0, s.M * s.N * sizeof(double));
    for (int64_t row = 0; row < s.M; ++row, y += s.N)
    {
        for (int i = 0; i < s.rows; ++i)
        {
            const int64_t wanted = row + s.rows / 2 - i, near_row = nearest_inside(wanted, s.M);
            for (int64_t k = 0; k < width; ++k)
            {
                const int64_t column = k - s.columns / 2, near = nearest_inside(column, s.N);
                const bool exists = wanted == near_row && column == near;
                padded[k] = exists || clamp ? x[near_row * s.N + near] : 0.0;
            }
            for (int j = 0; j < s.columns; ++j)
            {
                const double value = mask[i * s.columns + j];
                const double *from = &padded[s.columns - 1 - j];
                for (int64_t column = 0; column < s.N; ++column)
                {
                    y[column] += value * from[column];
                }
            }
        }
    }
    free(padded);
}

// The host fills it by cudaMemcpyToSymbol, row after row, however many of whatever length.
__constant__ real c_mask[MAX_SIDE * MAX_SIDE];

// 1-D: the image as one line, and a mask of one row.
template <bool CLAMP>
__global__ void convolve_line(const real *x, real *y, Shape s)
{
    const int64_t n = (int64_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n >= s.N)
    {
        return;
    }
    real sum = 0;
    for (int j = 0; j < s.columns; ++j)
    {
        const int64_t k = n + s.columns / 2 - j;
        const int64_t near = k < 0 ? 0 : k < s.N ? k : s.N - 1;
        sum += CLAMP || k == near ? c_mask[j] * x[near] : 0;
    }
    y[n] = sum;
}

// A pixel, or what stands for it where there is none.
template <bool CLAMP>
__device__ real pixel(const real *x, int row, int column, int M, int N)
{
    const int near_row = min(max(row, 0), M - 1);
    const int near_column = min(max(column, 0), N - 1);
    const bool exists = row == near_row && column == near_column;
    return CLAMP || exists ? x[(size_t)near_row * N + near_column] : 0;
}

// One sum, for two kernels that differ in where the mask points to.
template <bool CLAMP>
__device__ void convolve(const real *x, real *y, const real *mask, Shape s)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row >= s.M || column >= s.N)
    {
        return;
    }
    real sum = 0;
    for (int i = 0; i < s.rows; ++i)
    {
        for (int j = 0; j < s.columns; ++j)
        {
            const int from_row = row + s.rows / 2 - i, from_column = column + s.columns / 2 - j;
            sum += mask[i * s.columns + j] * pixel<CLAMP>(x, from_row, from_column, s.M, s.N);
        }
    }
    y[row * s.N + column] = sum;
}

// Two loads for each multiply-add, both from the L1 cache.
template <bool CLAMP>
__global__ void convolve_global(const real *x, real *y, const real *mask, Shape s)
{
    convolve<CLAMP>(x, y, mask, s);
}

// All threads are at the same place of the mask at the same time: just what the constant cache is
// good at. The L1 cache has half of its work left.
template <bool CLAMP>
__global__ void convolve_constant(const real *x, real *y, Shape s)
{
    convolve<CLAMP>(x, y, c_mask, s);
}

// Each pixel is read by many threads. A block copies those it needs, and asks only then, once for
// each of them, whether it exists. Chapter 9 has more about shared memory.
template <bool CLAMP>
__global__ void convolve_tile(const real *x, real *y, Shape s)
{
    extern __shared__ real s_x[];
    const int width = TILE_X + s.columns - 1, height = TILE_Y + s.rows - 1;
    const int top = TILE_Y * blockIdx.y, left = TILE_X * blockIdx.x;
    for (int i = threadIdx.y; i < height; i += TILE_Y)
    {
        for (int j = threadIdx.x; j < width; j += TILE_X)
        {
            s_x[i * width + j] =
                pixel<CLAMP>(x, top - s.rows / 2 + i, left - s.columns / 2 + j, s.M, s.N);
        }
    }
    __syncthreads();

    const int row = top + threadIdx.y, column = left + threadIdx.x;
    if (row >= s.M || column >= s.N)
    {
        return;
    }
    real sum = 0;
    for (int i = 0; i < s.rows; ++i)
    {
        const real *s_line = &s_x[(threadIdx.y + s.rows - 1 - i) * width + threadIdx.x];
        for (int j = 0; j < s.columns; ++j)
        {
            sum += c_mask[i * s.columns + j] * s_line[s.columns - 1 - j];
        }
    }
    y[row * s.N + column] = sum;
}

struct Problem
{
    Shape shape;
    dim3 block;
    bool clamp;
    real *d_x, *d_y, *d_mask, *h_y;
    double *reference;
};

dim3 grid_for(Shape s, dim3 block)
{
    return dim3((s.N + block.x - 1) / block.x, (s.M + block.y - 1) / block.y);
}

void launch_line(Problem *p)
{
    const auto kernel = p->clamp ? convolve_line<true> : convolve_line<false>;
    kernel<<<(p->shape.N + 255) / 256, 256>>>(p->d_x, p->d_y, p->shape);
}

void launch_global(Problem *p)
{
    const auto kernel = p->clamp ? convolve_global<true> : convolve_global<false>;
    kernel<<<grid_for(p->shape, p->block), p->block>>>(p->d_x, p->d_y, p->d_mask, p->shape);
}

void launch_constant(Problem *p)
{
    const auto kernel = p->clamp ? convolve_constant<true> : convolve_constant<false>;
    kernel<<<grid_for(p->shape, p->block), p->block>>>(p->d_x, p->d_y, p->shape);
}

void launch_tile(Problem *p)
{
    const dim3 tile(TILE_X, TILE_Y);
    const size_t width = TILE_X + p->shape.columns - 1, height = TILE_Y + p->shape.rows - 1;
    const auto kernel = p->clamp ? convolve_tile<true> : convolve_tile<false>;
    kernel<<<grid_for(p->shape, tile), tile, width * height * sizeof(real)>>>(p->d_x, p->d_y,
                                                                              p->shape);
}

const Version<Problem> LINE = {"line", launch_line};
const Version<Problem> VERSIONS[] = {
    {"global", launch_global}, {"constant", launch_constant}, {"tile", launch_tile}};

Outcome check(const Problem *p, const Version<Problem> *version)
{
    const size_t pixels = p->shape.M * p->shape.N;
    check_elements(version->name, p->h_y, p->reference, pixels);
    return {(double)p->h_y[pixels / 2], largest_error(p->h_y, p->reference, pixels)};
}

int main(int argc, char **argv)
{
    const char *border = "zero";
    size_t rows = 9, columns = 9;
    Args args;
    args.M = default_size(2161, 131);
    args.N = default_size(3841, 241);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(double);
    args.versions = version_names(VERSIONS);
    args.own[args.num_own++] = {
        "mask", "RxC", "the mask's size, odd numbers; one: square", {&rows, &columns}, 1, MAX_SIDE};
    add_text(&args, "border", &border, "zero or clamp: what lies outside");
    parse_args(&args, argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "convolution: 1-D and 2-D, with a mask in constant memory, and what happens at the "
               "border");
    const bool clamp = strcmp(border, "clamp") == 0;
    if (!clamp && strcmp(border, "zero") != 0)
    {
        usage_error(&args, "--border is zero or clamp, not '%s'", border);
    }
    if (rows % 2 == 0 || columns % 2 == 0)
    {
        usage_error(&args, "--mask takes odd numbers, so that there is a middle");
    }
    const size_t most_rows = MAX_GRID_Y * (args.block_y < TILE_Y ? args.block_y : TILE_Y);
    if (args.M > most_rows || args.N > INT_MAX / 2)
    {
        usage_error(&args, "there may be %zu rows and %d columns", most_rows, INT_MAX / 2);
    }
    const size_t pixels = args.M * args.N, bytes = pixels * sizeof(real);
    const size_t terms = rows * columns;
    const Shape image = {(int64_t)args.M, (int64_t)args.N, (int)rows, (int)columns};
    const Shape line = {1, image.M * image.N, 1, image.columns};

    Problem p = {};
    p.block = dim3(args.block_x, args.block_y);
    real *h_x = (real *)malloc(bytes), h_mask[MAX_SIDE * MAX_SIDE];
    p.h_y = (real *)malloc(bytes);
    p.reference = (double *)malloc(pixels * sizeof(double));
    fill_integers(h_x, pixels, args.seed);
    fill_integers(h_mask, terms, args.seed + 1);
    CHECK(cudaMalloc(&p.d_x, bytes));
    CHECK(cudaMalloc(&p.d_y, bytes));
    CHECK(cudaMalloc(&p.d_mask, terms * sizeof(real)));
    CHECK(cudaMemcpy(p.d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(p.d_mask, h_mask, terms * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(c_mask, h_mask, terms * sizeof(real)));

    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.h_y, p.d_y, bytes};
    ladder.operations = 2.0 * terms * pixels;
    ladder.ceiling = MULTIPLY_ADD_CEILING;
    for (bool asked : {false, true}) // the border asked for comes last, and is timed
    {
        p.clamp = clamp == asked;
        p.shape = line;
        convolve_reference(h_x, h_mask, p.reference, p.shape, p.clamp);
        check_version(&ladder, &LINE);
        p.shape = image;
        convolve_reference(h_x, h_mask, p.reference, p.shape, p.clamp);
        asked ? run_versions(&args, &ladder, VERSIONS) : check_versions(&args, &ladder, VERSIONS);
    }

    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_y));
    CHECK(cudaFree(p.d_mask));
    free(h_x);
    free(p.h_y);
    free(p.reference);
    return verdict();
}
