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
#include <complex>
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/versions_data.cuh"
#include "texture.cuh"

// A turn by an angle about the middle of the image.
struct Turn
{
    float cosine, sine, middle_x, middle_y;
};

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

#if ON_GPU
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
#endif

// --- The table ---------------------------------------------------------------------------------

// What the versions work on. A texture has floats, and `pixels` are the same numbers as h_x.
struct Data
{
    int M, N;
    size_t size;
    Turn turn;
    dim3 grid, block;
    const real *d_x;
    real *h_y, *d_y;
    const float *pixels;
    double *exact, *model; // interpolated exactly, and with weights of 8 bits
#if ON_GPU
    Storage image, target; // the image, and the array that the surface writes to
    cudaTextureObject_t nearest, linear;
    cudaSurfaceObject_t surface;
#endif
};

void check_exact(Table<Data> *table, const Data *d)
{
    const double error = largest_error(d->h_y, d->exact, d->size);
    check_true(table->checking, error <= 8 * REAL_EPSILON);
    table->result = (double)d->h_y[d->size / 2];
    table->error = error;
}

void check_linear(Table<Data> *table, const Data *d)
{
    const double bound = texture_bound(d->M, d->N);
    check_true(table->checking, largest_error(d->h_y, d->model, d->size) <= bound);
    table->result = (double)d->h_y[d->size / 2];
    table->error = largest_error(d->h_y, d->exact, d->size);
}

#if ON_GPU
void launch_fetch(Data *d)
{
    turn_fetch<<<d->grid, d->block>>>(d->nearest, d->d_y, d->M, d->N, d->turn);
}

void launch_linear(Data *d)
{
    turn_linear<<<d->grid, d->block>>>(d->linear, d->d_y, d->M, d->N, d->turn);
}

void launch_surface(Data *d)
{
    turn_surface<<<d->grid, d->block>>>(d->linear, d->surface, d->M, d->N, d->turn);
}

void check_surface(Table<Data> *table, const Data *d)
{
    const size_t row_bytes = d->N * sizeof(float);
    const cudaArray_t written = d->target.resource.res.array.array;
    float *h_written = (float *)malloc(d->M * row_bytes);
    CHECK(cudaMemcpy2DFromArray(h_written, row_bytes, written, 0, 0, row_bytes, d->M,
                                cudaMemcpyDeviceToHost));
    const double bound = texture_bound(d->M, d->N);
    check_true(table->checking, largest_error(h_written, d->model, d->size) <= bound);
    table->result = (double)h_written[d->size / 2];
    table->error = largest_error(h_written, d->exact, d->size);

    // The table poisons only its own outputs, so the array is poisoned here.
    poison(h_written, d->M * row_bytes);
    CHECK(cudaMemcpy2DToArray(written, 0, 0, h_written, row_bytes, row_bytes, d->M,
                              cudaMemcpyHostToDevice));
    free(h_written);
}

void make_textures(Data *d)
{
    d->image = make_array("2-D array", d->pixels, d->M, d->N, 2);
    d->nearest = make_texture(d->image.resource, cudaAddressModeClamp, cudaFilterModePoint, false);
    d->linear = make_texture(d->image.resource, cudaAddressModeClamp, cudaFilterModeLinear, false);

    // An array that is to be a surface says so when it is allocated.
    float *poisoned = (float *)malloc(d->size * sizeof(float));
    poison(poisoned, d->size * sizeof(float));
    d->target = make_array("surface", poisoned, d->M, d->N, 2, cudaArraySurfaceLoadStore);
    CHECK(cudaCreateSurfaceObject(&d->surface, &d->target.resource));
    free(poisoned);
}

void free_textures(Data *d)
{
    CHECK(cudaDestroyTextureObject(d->nearest));
    CHECK(cudaDestroyTextureObject(d->linear));
    CHECK(cudaDestroySurfaceObject(d->surface));
    CHECK(cudaFreeArray(d->image.resource.res.array.array));
    CHECK(cudaFreeArray(d->target.resource.res.array.array));
}
#else
void (*const launch_fetch)(Data *) = NULL;
void (*const launch_linear)(Data *) = NULL;
void (*const launch_surface)(Data *) = NULL;
void (*const check_surface)(Table<Data> *, const Data *) = NULL;

void make_textures(Data *) {}

void free_textures(Data *) {}
#endif

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"plain", "an image turned about its middle by ordinary loads: each pixel is made of four",
     ON_DEVICE, [](D d) { turn_plain<<<d->grid, d->block>>>(d->d_x, d->d_y, d->M, d->N, d->turn); },
     check_exact},
    {"ldg", "the same loads by __ldg", ON_DEVICE,
     [](D d) { turn_ldg<<<d->grid, d->block>>>(d->d_x, d->d_y, d->M, d->N, d->turn); },
     check_exact},
    {"restrict", "the same loads through const and __restrict__", ON_DEVICE,
     [](D d) { turn_restrict<<<d->grid, d->block>>>(d->d_x, d->d_y, d->M, d->N, d->turn); },
     check_exact},
    {"fetch", "four fetches from a texture, which knows what lies outside", ON_DEVICE, launch_fetch,
     check_exact, NULL, "a GPU's texture units"},
    {"linear", "one fetch: the texture interpolates too, with weights of 8 bits", ON_DEVICE,
     launch_linear, check_linear, NULL, "a GPU's texture units"},
    {"surface", "as linear, but the result is written to a surface", ON_DEVICE, launch_surface,
     check_surface, NULL, "a GPU's texture units"},
};

// The turned image, computed on the host: exactly, and with weights of 8 bits. A turn of the plane
// is a product of complex numbers, if the middle of the image is 0.
void fill_references(const Data *d, double radians)
{
    const std::complex<double> middle((d->N - 1) / 2.0, (d->M - 1) / 2.0);
    const std::complex<double> factor = std::polar(1.0, radians);
    double most_off = 0.0;
    for (size_t n = 0; n < d->size; ++n)
    {
        const int column = n % d->N, row = n / d->N;
        const float2 source = source_of(d->turn, column, row);
        d->exact[n] =
            interpolate_reference(d->pixels, d->M, d->N, source.x, source.y, CLAMP, false);
        d->model[n] = interpolate_reference(d->pixels, d->M, d->N, source.x, source.y, CLAMP, true);
        const std::complex<double> pixel(column, row), turned = middle + (pixel - middle) * factor;
        most_off = fmax(most_off, std::abs(turned - std::complex<double>(source.x, source.y)));
    }
    check_true("each pixel comes from where the turn puts it", most_off <= 1e-6 * (d->M + d->N));
}

int main(int argc, char **argv)
{
    size_t angle = 30;
    args.M = default_size(3001, 301);
    args.N = default_size(4001, 401);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real) + 2 * sizeof(float);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(float) + 2 * sizeof(double);
    add_versions(VERSIONS);
    add_number("angle", &angle, 0, 360, "by how many degrees the image is turned");
    parse_args(argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "texture: the read-only path three ways, and a texture, which also interpolates");
    if (args.M > MAX_ROWS || args.N > MAX_COLUMNS)
    {
        usage_error("a texture has at most %zu rows and %zu columns", MAX_ROWS, MAX_COLUMNS);
    }
    const int M = args.M, N = args.N;
    const size_t size = args.M * args.N, bytes = size * sizeof(real);
    const dim3 block(args.block_x, args.block_y);
    const dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    const double radians = angle * M_PI / 180.0;
    const Turn turn = {(float)cos(radians), (float)sin(radians), (N - 1) / 2.0f, (M - 1) / 2.0f};

    real *h_x = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    float *pixels = (float *)malloc(size * sizeof(float));
    double *exact = (double *)malloc(size * sizeof(double));
    double *model = (double *)malloc(size * sizeof(double));
    fill_random(h_x, size, args.seed);
    fill_random(pixels, size, args.seed);
    real *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    Data data = {M, N, size, turn, grid, block, d_x, h_y, d_y, pixels, exact, model};
    fill_references(&data, radians);
    make_textures(&data);

    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_y, d_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling;
    run_versions(&table, VERSIONS);

    free_textures(&data);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(pixels);
    free(exact);
    free(model);
    return verdict();
}
