// texture: the read-only path three ways, and a texture, which also interpolates
//
// From:    Section 6.2.3; S1 3.3, 4.3.2
// Compile: nvcc -O3 texture.cu
// Run:     ./a.out -n 4001x3001 --angle 90
//
// There are no textures of doubles: with USE_DP the last three rows still read floats.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/versions.cuh"
#include "texture.cuh"

// A turn by an angle about the middle of the image.
struct Turn
{
    float cosine, sine, middle_x, middle_y;
};

static int M, N;         // rows and columns of the image
static size_t size;      // its pixels
static dim3 grid, block; // a thread for each pixel
static Turn turn;
static real *h_x, *d_x;       // the image
static float *pixels;         // the same numbers in float, as a texture has them
static real *h_y, *d_y;       // the turned image
static double *exact, *model; // what it should be: interpolated exactly, with weights of 8 bits
static Storage image, target; // the image, and the array that the surface writes to
static cudaTextureObject_t nearest, linear;
static cudaSurfaceObject_t surface;

// The place, between pixels, that pixel (column, row) of the turned image comes from. fmaf rounds
// once, so host and device find the very same place.
__host__ __device__ float2 source_of(Turn t, int column, int row)
{
    const float dx = column - t.middle_x, dy = row - t.middle_y;
    return make_float2(fmaf(t.cosine, dx, fmaf(-t.sine, dy, t.middle_x)),
                       fmaf(t.sine, dx, fmaf(t.cosine, dy, t.middle_y)));
}

// --- The read-only path three ways -------------------------------------------------------------

// Each thread computes one pixel of the turned image, from the four pixels around its source. min
// and max replace a pixel outside by the nearest one inside.
__global__ void turn_plain(const real *x, real *y, int M, int N, Turn turn)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 source = source_of(turn, column, row);
        const int i = floorf(source.y), j = floorf(source.x);
        const real a = (real)source.x - j, b = (real)source.y - i;
        const size_t top = min(max(i, 0), M - 1), bottom = min(max(i + 1, 0), M - 1);
        const int left = min(max(j, 0), N - 1), right = min(max(j + 1, 0), N - 1);
        const real above = (1 - a) * x[top * N + left] + a * x[top * N + right];
        const real below = (1 - a) * x[bottom * N + left] + a * x[bottom * N + right];
        y[(size_t)row * N + column] = (1 - b) * above + b * below;
    }
}

void run_plain(void) { turn_plain<<<grid, block>>>(d_x, d_y, M, N, turn); }

// __ldg promises for one load that no thread writes to its address while the kernel runs.
__global__ void turn_ldg(const real *x, real *y, int M, int N, Turn turn)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 source = source_of(turn, column, row);
        const int i = floorf(source.y), j = floorf(source.x);
        const real a = (real)source.x - j, b = (real)source.y - i;
        const size_t top = min(max(i, 0), M - 1), bottom = min(max(i + 1, 0), M - 1);
        const int left = min(max(j, 0), N - 1), right = min(max(j + 1, 0), N - 1);
        const real above = (1 - a) * __ldg(&x[top * N + left]) + a * __ldg(&x[top * N + right]);
        const real below =
            (1 - a) * __ldg(&x[bottom * N + left]) + a * __ldg(&x[bottom * N + right]);
        y[(size_t)row * N + column] = (1 - b) * above + b * below;
    }
}

void run_ldg(void) { turn_ldg<<<grid, block>>>(d_x, d_y, M, N, turn); }

// const and __restrict__ promise the same for all loads from x. The compiler makes the same
// instruction of them.
__global__ void turn_restrict(const real *__restrict__ x, real *__restrict__ y, int M, int N,
                              Turn turn)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 source = source_of(turn, column, row);
        const int i = floorf(source.y), j = floorf(source.x);
        const real a = (real)source.x - j, b = (real)source.y - i;
        const size_t top = min(max(i, 0), M - 1), bottom = min(max(i + 1, 0), M - 1);
        const int left = min(max(j, 0), N - 1), right = min(max(j + 1, 0), N - 1);
        const real above = (1 - a) * x[top * N + left] + a * x[top * N + right];
        const real below = (1 - a) * x[bottom * N + left] + a * x[bottom * N + right];
        y[(size_t)row * N + column] = (1 - b) * above + b * below;
    }
}

void run_restrict(void) { turn_restrict<<<grid, block>>>(d_x, d_y, M, N, turn); }

// --- Textures and surfaces ---------------------------------------------------------------------

// The texture finds the address, and gives the nearest pixel where there is none. In a texture's
// coordinates pixel 0 reaches from 0 to 1, so its middle is at 0.5. The pixels lie in a CUDA array.
// It is stored so that neighbours in both dimensions are near each other in memory.
__global__ void turn_fetch(cudaTextureObject_t texture, real *y, int M, int N, Turn turn)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 source = source_of(turn, column, row);
        const int i = floorf(source.y), j = floorf(source.x);
        const real a = (real)source.x - j, b = (real)source.y - i;
        const float left = j + 0.5f, right = j + 1 + 0.5f, top = i + 0.5f, bottom = i + 1 + 0.5f;
        const real above =
            (1 - a) * tex2D<float>(texture, left, top) + a * tex2D<float>(texture, right, top);
        const real below = (1 - a) * tex2D<float>(texture, left, bottom) +
                           a * tex2D<float>(texture, right, bottom);
        y[(size_t)row * N + column] = (1 - b) * above + b * below;
    }
}

void run_fetch(void) { turn_fetch<<<grid, block>>>(nearest, d_y, M, N, turn); }

// The texture interpolates as well. That takes a quarter of the fetches and no arithmetic. But the
// weights have 8 bits only.
__global__ void turn_linear(cudaTextureObject_t texture, real *y, int M, int N, Turn turn)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 source = source_of(turn, column, row);
        y[(size_t)row * N + column] = tex2D<float>(texture, source.x + 0.5f, source.y + 0.5f);
    }
}

void run_linear(void) { turn_linear<<<grid, block>>>(linear, d_y, M, N, turn); }

// A texture can only be read. A surface is a CUDA array that a kernel can also write. The surface
// finds the address too, but it counts x in bytes, and it has no borders and no interpolation. A
// later kernel could read the turned image through a texture, without a copy.
__global__ void turn_surface(cudaTextureObject_t texture, cudaSurfaceObject_t surface, int M, int N,
                             Turn turn)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 source = source_of(turn, column, row);
        const float pixel = tex2D<float>(texture, source.x + 0.5f, source.y + 0.5f);
        surf2Dwrite(pixel, surface, column * (int)sizeof(float), row);
    }
}

void run_surface(void) { turn_surface<<<grid, block>>>(linear, surface, M, N, turn); }

// --- The table ---------------------------------------------------------------------------------

void check_exact(void)
{
    g_error = largest_error(h_y, exact, size);
    check_true(g_row, g_error <= 8 * REAL_EPSILON);
    g_result = h_y[size / 2];
}

void check_linear(void)
{
    check_true(g_row, largest_error(h_y, model, size) <= texture_bound(M, N));
    g_result = h_y[size / 2];
    g_error = largest_error(h_y, exact, size);
}

void check_surface(void)
{
    const size_t row_bytes = N * sizeof(float);
    const cudaArray_t written = target.resource.res.array.array;
    float *h_written = (float *)malloc(M * row_bytes);
    CHECK(cudaMemcpy2DFromArray(h_written, row_bytes, written, 0, 0, row_bytes, M,
                                cudaMemcpyDeviceToHost));
    check_true(g_row, largest_error(h_written, model, size) <= texture_bound(M, N));
    g_result = h_written[size / 2];
    g_error = largest_error(h_written, exact, size);

    // The table poisons only its own outputs, so the array is poisoned here.
    poison(h_written, M * row_bytes);
    CHECK(cudaMemcpy2DToArray(written, 0, 0, h_written, row_bytes, row_bytes, M,
                              cudaMemcpyHostToDevice));
    free(h_written);
}

void make_textures(void)
{
    image = make_array("2-D array", pixels, M, N, 2);
    nearest = make_texture(image.resource, cudaAddressModeClamp, cudaFilterModePoint, false);
    linear = make_texture(image.resource, cudaAddressModeClamp, cudaFilterModeLinear, false);

    // An array that is to be a surface says so when it is allocated.
    float *poisoned = (float *)malloc(size * sizeof(float));
    poison(poisoned, size * sizeof(float));
    target = make_array("surface", poisoned, M, N, 2, cudaArraySurfaceLoadStore);
    CHECK(cudaCreateSurfaceObject(&surface, &target.resource));
    free(poisoned);
}

void free_textures(void)
{
    CHECK(cudaDestroyTextureObject(nearest));
    CHECK(cudaDestroyTextureObject(linear));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(image.resource.res.array.array));
    CHECK(cudaFreeArray(target.resource.res.array.array));
}

const Version VERSIONS[] = {
    {"plain", "an image turned about its middle by ordinary loads: each pixel is made of four",
     run_plain, check_exact},
    {"ldg", "the same loads by __ldg", run_ldg, check_exact},
    {"restrict", "the same loads through const and __restrict__", run_restrict, check_exact},
    {"fetch", "four fetches from a texture, which knows what lies outside", run_fetch, check_exact,
     ON_DEVICE, NULL, "", false, "fetches of a texture are not counted"},
    {"linear", "one fetch: the texture interpolates too, with weights of 8 bits", run_linear,
     check_linear, ON_DEVICE, NULL, "", false, "fetches of a texture are not counted"},
    {"surface", "as linear, but the result is written to a surface", run_surface, check_surface,
     ON_DEVICE, NULL, "", false, "fetches of a texture are not counted"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// The turned image, computed on the host: exactly, and with weights of 8 bits. The turn is computed
// once more, in double, to check source_of.
void fill_references(double radians)
{
    const double middle_x = (N - 1) / 2.0, middle_y = (M - 1) / 2.0;
    const double cosine = cos(radians), sine = sin(radians);
    double most_off = 0.0;
    for (size_t n = 0; n < size; ++n)
    {
        const int column = n % N, row = n / N;
        const float2 source = source_of(turn, column, row);
        exact[n] = interpolate_reference(pixels, M, N, source.x, source.y, CLAMP, false);
        model[n] = interpolate_reference(pixels, M, N, source.x, source.y, CLAMP, true);
        const double x = middle_x + cosine * (column - middle_x) - sine * (row - middle_y);
        const double y = middle_y + sine * (column - middle_x) + cosine * (row - middle_y);
        most_off = fmax(most_off, hypot(x - source.x, y - source.y));
    }
    check_true("each pixel comes from where the turn puts it", most_off <= 1e-6 * (M + N));
}

int main(int argc, char **argv)
{
    size_t angle = 30;
    args.M = default_size(3001, 256);
    args.N = default_size(4001, 256);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real) + 2 * sizeof(float);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(float) + 2 * sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    add_number("angle", &angle, 0, 360, "by how many degrees the image is turned");
    parse_args(argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "texture: the read-only path three ways, and a texture, which also interpolates");
    if (args.M > MAX_ROWS || args.N > MAX_COLUMNS)
    {
        usage_error("a texture has at most %zu rows and %zu columns", MAX_ROWS, MAX_COLUMNS);
    }
    M = args.M;
    N = args.N;
    size = args.M * args.N;
    block = dim3(args.block_x, args.block_y);
    grid = dim3((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    const double radians = angle * M_PI / 180.0;
    turn = {(float)cos(radians), (float)sin(radians), (N - 1) / 2.0f, (M - 1) / 2.0f};

    const size_t bytes = size * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    pixels = (float *)malloc(size * sizeof(float));
    exact = (double *)malloc(size * sizeof(double));
    model = (double *)malloc(size * sizeof(double));
    fill_random(h_x, size, args.seed);
    fill_random(pixels, size, args.seed);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    fill_references(radians);
    make_textures();

    Table table = {};
    table.outputs[0] = {h_y, d_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    free_textures();
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(pixels);
    free(exact);
    free(model);
    return verdict();
}
