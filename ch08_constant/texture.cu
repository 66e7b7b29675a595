// texture: the read-only path three ways, and what only a texture does: interpolate, mind borders
//
// From:    Section 6.2.3; S1 3.3, 4.3.2
// Compile: nvcc -O3 texture.cu
// Run:     ./a.out -n 4001x3001 --angle 90
// Options: -n MxN -b BXxBY -r R -s S -k NAME --csv --angle N
// Chinese: 只读数据的三种读法；纹理独有的插值与边界处理；表面内存
// Versions:
//   plain     an image turned about its middle by ordinary loads: each pixel is made of four
//   ldg       the same loads by __ldg
//   restrict  the same loads through const and __restrict__
//   fetch     four fetches from a texture, which knows what lies outside (needs a GPU)
//   linear    one fetch: the texture interpolates too, with weights of 8 bits (needs a GPU)
//   surface   as linear, but the result is written to a surface (needs a GPU)
// Checks:  7 (25 on a GPU)
//
// After the table: four ways to continue an image beyond its borders, in one and two dimensions,
// against a model on the host. There are no textures of doubles: with USE_DP the last three rows
// still read floats.

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <complex>
#include "../common/data.cuh"
#include "../common/versions_old.cuh"

const size_t MAX_ROWS = 65000, MAX_COLUMNS = 131072; // of all kinds of texture used here

// What stands beyond the borders of an image.
enum Border
{
    CLAMP,       // the nearest pixel
    ZERO_BORDER, // 0
    WRAP,        // the image again
    MIRROR,      // the image mirrored
    NUM_BORDERS
};

// The pixel that stands at place i of N, wherever i is. -1 means none: it counts as 0.
int64_t place_reference(int64_t i, int64_t N, Border border)
{
    const int64_t period = border == MIRROR ? 2 * N : N;
    const int64_t inside = (i % period + period) % period;
    switch (border)
    {
    case WRAP:
        return inside;
    case MIRROR:
        return inside < N ? inside : period - 1 - inside;
    case CLAMP:
        return i < 0 ? 0 : i < N ? i : N - 1;
    default:
        return i == inside ? i : -1;
    }
}

// The value between four pixels, at (x, y), where pixel (0, 0) is at the origin. A texture keeps 8
// bits of each weight: it is one of 0/256, 1/256 ... 256/256.
double interpolate_reference(const float *pixels, int64_t M, int64_t N, double x, double y,
                             Border border, bool eight_bits)
{
    const int64_t left = floor(x), top = floor(y);
    double weights[2][2] = {{0.0, y - top}, {0.0, x - left}}, sum = 0.0;
    for (double(&weight)[2] : weights)
    {
        weight[1] = eight_bits ? floor(256.0 * weight[1] + 0.5) / 256.0 : weight[1];
        weight[0] = 1.0 - weight[1];
    }
    for (int i = 0; i < 2; ++i)
    {
        for (int j = 0; j < 2; ++j)
        {
            const int64_t row = place_reference(top + i, M, border);
            const int64_t column = place_reference(left + j, N, border);
            const bool exists = row >= 0 && column >= 0;
            sum += weights[0][i] * weights[1][j] * (exists ? pixels[row * N + column] : 0.0);
        }
    }
    return sum;
}

// How far a texture may be from that model if pixels lie between 0 and 1. The documents do not say
// how weights are rounded, so each weight may be off by its last bit. Rounded coordinates add the
// last term.
double texture_bound(int64_t M, int64_t N)
{
    return 2.0 / 256.0 + 2.0 / 65536.0 + 4.0 * FLT_EPSILON * (M + N);
}

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

// A texture object is a resource, that is memory of some kind, and a description of how to read it.
// For the device a 1-D texture is a single row, which it reads along its upper edge. With a border
// of 0 above this row, half of every value would be that border (as seen on an H100).
cudaTextureObject_t make_texture(cudaResourceDesc resource, cudaTextureAddressMode mode,
                                 cudaTextureFilterMode filter, bool normalized, int dimensions = 2)
{
    cudaTextureObject_t texture;
    cudaTextureDesc description = {};
    description.addressMode[0] = mode;
    description.addressMode[1] = dimensions == 1 ? cudaAddressModeClamp : mode;
    description.filterMode = filter;
    description.readMode = cudaReadModeElementType; // as it is, not scaled to 0 ... 1
    description.normalizedCoords = normalized;      // the whole image from 0 to 1
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, NULL));
    return texture;
}

// Pixels in a kind of memory that a texture can interpolate in.
struct Storage
{
    const char *name;
    int dimensions;
    cudaResourceDesc resource;
};

Storage make_array(const char *name, const float *pixels, int M, int N, int dimensions,
                   unsigned flags = cudaArrayDefault)
{
    Storage storage = {name, dimensions, {}};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const size_t bytes = N * sizeof(float);
    cudaArray_t *array = &storage.resource.res.array.array;
    storage.resource.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(array, &format, N, dimensions == 1 ? 0 : M, flags));
    CHECK(cudaMemcpy2DToArray(*array, 0, 0, pixels, bytes, bytes, dimensions == 1 ? 1 : M,
                              cudaMemcpyHostToDevice));
    return storage;
}

Storage make_pitched(const char *name, const float *pixels, size_t M, size_t N)
{
    Storage storage = {name, 2, {}};
    auto &pitched = storage.resource.res.pitch2D;
    storage.resource.resType = cudaResourceTypePitch2D;
    pitched.desc = cudaCreateChannelDesc<float>();
    pitched.width = N;
    pitched.height = M;
    const size_t bytes = N * sizeof(float);
    CHECK(cudaMallocPitch(&pitched.devPtr, &pitched.pitchInBytes, bytes, M));
    CHECK(cudaMemcpy2D(pitched.devPtr, pitched.pitchInBytes, pixels, bytes, bytes, M,
                       cudaMemcpyHostToDevice));
    return storage;
}

// --- Beyond the borders ------------------------------------------------------------------------

const int NUM_SAMPLES = 10000;
const cudaTextureAddressMode MODES[NUM_BORDERS] = {cudaAddressModeClamp, cudaAddressModeBorder,
                                                   cudaAddressModeWrap, cudaAddressModeMirror};
const char *const MODE_NAMES[NUM_BORDERS] = {"clamp", "border", "wrap", "mirror"};

// Random places in and around the image, in normalized coordinates: it reaches from 0 to 1.
__host__ __device__ float2 sample_place(uint64_t seed, int n)
{
    return make_float2(4.0 * random_unit(seed, 2 * n) - 1.5,
                       4.0 * random_unit(seed, 2 * n + 1) - 1.5);
}

__global__ void sample_line(cudaTextureObject_t texture, uint64_t seed, float *values)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < NUM_SAMPLES)
    {
        values[n] = tex1D<float>(texture, sample_place(seed, n).x);
    }
}

__global__ void sample_image(cudaTextureObject_t texture, uint64_t seed, float *values)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < NUM_SAMPLES)
    {
        const float2 at = sample_place(seed, n);
        values[n] = tex2D<float>(texture, at.x, at.y);
    }
}

// Samples the pixels in one kind of memory, with each kind of border.
void check_borders(const Storage &storage, const float *pixels, int M, int N, uint64_t seed)
{
    const bool is_line = storage.dimensions == 1;
    const int grid_size = (NUM_SAMPLES + 127) / 128, rows = is_line ? 1 : M;
    float *values;
    double *model = (double *)malloc(NUM_SAMPLES * sizeof(double));
    CHECK(cudaMallocManaged(&values, NUM_SAMPLES * sizeof(float)));
    for (int border = 0; border < NUM_BORDERS; ++border)
    {
        const cudaTextureObject_t texture = make_texture(
            storage.resource, MODES[border], cudaFilterModeLinear, true, storage.dimensions);
        poison(values, NUM_SAMPLES * sizeof(float));
        if (is_line)
        {
            sample_line<<<grid_size, 128>>>(texture, seed, values);
        }
        else
        {
            sample_image<<<grid_size, 128>>>(texture, seed, values);
        }
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaDestroyTextureObject(texture));

        double errors[2];
        for (const bool eight_bits : {false, true})
        {
            for (int n = 0; n < NUM_SAMPLES; ++n)
            {
                const float2 at = sample_place(seed, n);
                const double x = (double)at.x * N - 0.5;
                const double y = is_line ? 0.0 : (double)at.y * rows - 0.5;
                model[n] = interpolate_reference(pixels, rows, N, x, y, (Border)border, eight_bits);
            }
            errors[eight_bits] = largest_error(values, model, NUM_SAMPLES);
        }
        print_note("%-10s %-8s %16.2g %16.2g\n", storage.name, MODE_NAMES[border], errors[false],
                   errors[true]);
        check_true(MODE_NAMES[border], errors[true] <= texture_bound(rows, N));
    }
    CHECK(cudaFree(values));
    free(model);
}
#endif

int main(int argc, char **argv)
{
    int M = 0, N = 0;
    size_t angle = 30, size = 0;
    Turn turn = {};
    dim3 grid, block;
    real *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL;
    float *pixels = NULL; // the same as h_x: float holds these numbers exactly
    double *exact = NULL;
    Ladder ladder;

#if ON_GPU
    cudaTextureObject_t nearest = 0, linear = 0;
    cudaSurfaceObject_t surface = 0;
    cudaArray_t written = NULL; // by the surface
    float *h_written = NULL;
    double *model = NULL; // interpolated with weights of 8 bits
    const auto check_linear = [&]
    {
        check_true(ladder.checking, largest_error(h_y, model, size) <= texture_bound(M, N));
        ladder.result = (double)h_y[size / 2];
        ladder.error = largest_error(h_y, exact, size);
    };
    const auto check_surface = [&]
    {
        const size_t row_bytes = N * sizeof(float);
        CHECK(cudaMemcpy2DFromArray(h_written, row_bytes, written, 0, 0, row_bytes, M,
                                    cudaMemcpyDeviceToHost));
        check_true(ladder.checking, largest_error(h_written, model, size) <= texture_bound(M, N));
        ladder.result = (double)h_written[size / 2];
        ladder.error = largest_error(h_written, exact, size);

        // The table poisons only its own outputs, so the array is poisoned here.
        poison(h_written, M * row_bytes);
        CHECK(cudaMemcpy2DToArray(written, 0, 0, h_written, row_bytes, row_bytes, M,
                                  cudaMemcpyHostToDevice));
    };
#endif
    const Version versions[] = {
        on_device("plain", [&] { turn_plain<<<grid, block>>>(d_x, d_y, M, N, turn); }),
        on_device("ldg", [&] { turn_ldg<<<grid, block>>>(d_x, d_y, M, N, turn); }),
        on_device("restrict", [&] { turn_restrict<<<grid, block>>>(d_x, d_y, M, N, turn); }),
#if ON_GPU
        on_device("fetch", [&] { turn_fetch<<<grid, block>>>(nearest, d_y, M, N, turn); }),
        on_device(
            "linear", [&] { turn_linear<<<grid, block>>>(linear, d_y, M, N, turn); }, check_linear),
        on_device(
            "surface", [&] { turn_surface<<<grid, block>>>(linear, surface, M, N, turn); },
            check_surface),
#else
        skipped("fetch", "a GPU's texture units"),
        skipped("linear", "a GPU's texture units"),
        skipped("surface", "a GPU's texture units"),
#endif
    };

    Args args;
    args.M = default_size(3001, 301);
    args.N = default_size(4001, 401);
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real) + 3 * sizeof(float);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(float) + 2 * sizeof(double);
    args.versions = version_names(versions);
    add_number(&args, "angle", &angle, 0, 360, "by how many degrees the image is turned");
    parse_args(&args, argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "texture: the read-only path three ways, and what only a texture does: "
               "interpolate, mind borders");
    if (args.M > MAX_ROWS || args.N > MAX_COLUMNS)
    {
        usage_error(&args, "a texture has at most %zu rows and %zu columns", MAX_ROWS, MAX_COLUMNS);
    }
    M = args.M;
    N = args.N;
    size = (size_t)M * N;
    block = dim3(args.block_x, args.block_y);
    grid = dim3((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    const double radians = angle * M_PI / 180.0;
    turn = {(float)cos(radians), (float)sin(radians), (N - 1) / 2.0f, (M - 1) / 2.0f};

    const size_t bytes = size * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    pixels = (float *)malloc(size * sizeof(float));
    exact = (double *)malloc(size * sizeof(double));
    fill_random(h_x, size, args.seed);
    fill_random(pixels, size, args.seed);
    // A turn of the plane is a product of complex numbers, if the middle of the image is 0.
    const std::complex<double> middle((N - 1) / 2.0, (M - 1) / 2.0),
        factor = std::polar(1.0, radians);
    double most_off = 0.0;
    for (size_t n = 0; n < size; ++n)
    {
        const float2 source = source_of(turn, n % N, n / N);
        exact[n] = interpolate_reference(pixels, M, N, source.x, source.y, CLAMP, false);
        const std::complex<double> pixel(n % N, n / N), turned = middle + (pixel - middle) * factor;
        most_off = fmax(most_off, std::abs(turned - std::complex<double>(source.x, source.y)));
    }
    check_true("each pixel comes from where the turn puts it", most_off <= 1e-6 * (M + N));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

#if ON_GPU
    h_written = (float *)malloc(size * sizeof(float));
    model = (double *)malloc(size * sizeof(double));
    for (size_t n = 0; n < size; ++n)
    {
        const float2 source = source_of(turn, n % N, n / N);
        model[n] = interpolate_reference(pixels, M, N, source.x, source.y, CLAMP, true);
    }
    const Storage storages[] = {make_array("1-D array", pixels, M, N, 1),
                                make_array("2-D array", pixels, M, N, 2),
                                make_pitched("pitched", pixels, M, N)};
    const cudaResourceDesc image = storages[1].resource;
    nearest = make_texture(image, cudaAddressModeClamp, cudaFilterModePoint, false);
    linear = make_texture(image, cudaAddressModeClamp, cudaFilterModeLinear, false);

    // An array that is to be a surface says so when it is allocated.
    poison(h_written, size * sizeof(float));
    const Storage target = make_array("surface", h_written, M, N, 2, cudaArraySurfaceLoadStore);
    written = target.resource.res.array.array;
    CHECK(cudaCreateSurfaceObject(&surface, &target.resource));
#endif

    ladder.check = [&]
    {
        check_true(ladder.checking, largest_error(h_y, exact, size) <= 8 * REAL_EPSILON);
        ladder.result = (double)h_y[size / 2];
        ladder.error = largest_error(h_y, exact, size);
    };
    ladder.outputs[0] = {h_y, d_y, bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    run_versions(&args, &ladder, versions);

#if ON_GPU
    print_note("largest difference from         the exact one    with 8 bits\n");
    for (const Storage &storage : storages)
    {
        check_borders(storage, pixels, M, N, args.seed + 1);
    }

    CHECK(cudaDestroyTextureObject(nearest));
    CHECK(cudaDestroyTextureObject(linear));
    CHECK(cudaDestroySurfaceObject(surface));
    for (cudaArray_t array :
         {storages[0].resource.res.array.array, storages[1].resource.res.array.array, written})
    {
        CHECK(cudaFreeArray(array));
    }
    CHECK(cudaFree(storages[2].resource.res.pitch2D.devPtr));
    free(h_written);
    free(model);
#endif
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(pixels);
    free(exact);
    return verdict();
}
