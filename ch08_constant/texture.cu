// texture: the read-only path three ways, and what only a texture does: interpolate, mind borders
//
// From:    Section 6.2.3; S1 3.3, 4.3.2
// Compile: nvcc -O3 texture.cu
// Run:     ./a.out -n 4001x3001 --angle 90
// Needs:   GPU, because a CPU has no texture units
// Versions:
//   plain     an image turned about its middle, each pixel made of four: by ordinary loads
//   ldg       the same by __ldg
//   restrict  the same through const and __restrict__
//   fetch     the same by four fetches from a texture, which knows what lies outside
//   linear    by one fetch: the texture unit interpolates as well, with weights of 8 bits
// Checks:  22
//
// After the table: four ways of continuing an image beyond its borders, in one and two dimensions,
// against a model on the host. A texture has no doubles: with USE_DP the first three rows are.

#include <stdio.h>
#include <stdlib.h>
#include "../common/data.cuh"
#include "../common/versions.cuh"

#if ON_GPU
#include "texture.cuh"

const size_t MAX_ROWS = 65000, MAX_COLUMNS = 131072; // of all kinds of texture used here
const int NUM_SAMPLES = 10000;

// Turned by an angle about the middle: pixel (column, row) comes from this place, between pixels.
// Each fmaf rounds once, so the host finds the very same place.
struct Turn
{
    float cosine, sine, middle_x, middle_y;
};

__host__ __device__ float2 source_of(Turn t, int column, int row)
{
    const float dx = column - t.middle_x, dy = row - t.middle_y;
    return make_float2(fmaf(t.cosine, dx, fmaf(-t.sine, dy, t.middle_x)),
                       fmaf(t.sine, dx, fmaf(t.cosine, dy, t.middle_y)));
}

__device__ size_t clamped(int row, int column, int M, int N)
{
    return (size_t)min(max(row, 0), M - 1) * N + min(max(column, 0), N - 1);
}

// A thread's pixel of the turned image. What pixel(row, column) does the kernels differ in.
template <typename Pixel>
__device__ void turn_image(real *y, int M, int N, Turn turn, Pixel pixel)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 at = source_of(turn, column, row);
        const int left = floorf(at.x), top = floorf(at.y);
        const real a = (real)at.x - left, b = (real)at.y - top;
        y[(size_t)row * N + column] =
            (1 - b) * ((1 - a) * pixel(top, left) + a * pixel(top, left + 1)) +
            b * ((1 - a) * pixel(top + 1, left) + a * pixel(top + 1, left + 1));
    }
}

__global__ void turn_plain(const real *x, real *y, int M, int N, Turn turn)
{
    turn_image(y, M, N, turn, [&](int i, int j) { return x[clamped(i, j, M, N)]; });
}

// Says of each load that nobody writes there while the kernel runs.
__global__ void turn_ldg(const real *x, real *y, int M, int N, Turn turn)
{
    turn_image(y, M, N, turn, [&](int i, int j) { return __ldg(&x[clamped(i, j, M, N)]); });
}

// Says it once, for all loads from x: the compiler makes the same instruction of them.
__global__ void turn_restrict(const real *__restrict__ x, real *__restrict__ y, int M, int N,
                              Turn turn)
{
    turn_image(y, M, N, turn, [&](int i, int j) { return x[clamped(i, j, M, N)]; });
}

// The texture unit finds the address and minds the border. In its coordinates pixel 0 reaches from
// 0 to 1, and its middle is at 0.5. An array is stored so that neighbours in 2-D are near.
__global__ void turn_fetch(cudaTextureObject_t texture, real *y, int M, int N, Turn turn)
{
    turn_image(y, M, N, turn,
               [&](int i, int j) { return tex2D<float>(texture, j + 0.5f, i + 0.5f); });
}

// A quarter of the fetches and no arithmetic, at the price of exactness.
__global__ void turn_linear(cudaTextureObject_t texture, real *y, int M, int N, Turn turn)
{
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = blockDim.y * blockIdx.y + threadIdx.y;
    if (row < M && column < N)
    {
        const float2 at = source_of(turn, column, row);
        y[(size_t)row * N + column] = tex2D<float>(texture, at.x + 0.5f, at.y + 0.5f);
    }
}

// In normalized coordinates, where the whole image reaches from 0 to 1: places in and around it.
__host__ __device__ float2 sample_place(uint64_t seed, int n)
{
    return make_float2(4.0 * random_unit(seed, 2 * n) - 1.5,
                       4.0 * random_unit(seed, 2 * n + 1) - 1.5);
}

template <int DIMENSIONS>
__global__ void sample(cudaTextureObject_t texture, uint64_t seed, float *values)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < NUM_SAMPLES)
    {
        const float2 at = sample_place(seed, n);
        values[n] =
            DIMENSIONS == 1 ? tex1D<float>(texture, at.x) : tex2D<float>(texture, at.x, at.y);
    }
}

struct Problem
{
    int M, N;
    Turn turn;
    dim3 grid, block;
    const real *d_x;
    real *d_y, *h_y;
    cudaTextureObject_t nearest, linear;
    double *exact, *model;
};

// Reading from whichever member of the problem the kernel takes.
template <typename Source, void (*KERNEL)(Source, real *, int, int, Turn), Source Problem::*FROM>
void launch(Problem *p)
{
    KERNEL<<<p->grid, p->block>>>(p->*FROM, p->d_y, p->M, p->N, p->turn);
}

const Version<Problem> VERSIONS[] = {
    {"plain", launch<const real *, turn_plain, &Problem::d_x>},
    {"ldg", launch<const real *, turn_ldg, &Problem::d_x>},
    {"restrict", launch<const real *, turn_restrict, &Problem::d_x>},
    {"fetch", launch<cudaTextureObject_t, turn_fetch, &Problem::nearest>},
    {"linear", launch<cudaTextureObject_t, turn_linear, &Problem::linear>},
};

Outcome check(const Problem *p, const Version<Problem> *version)
{
    const size_t pixels = (size_t)p->M * p->N;
    const bool is_linear = strcmp(version->name, "linear") == 0;
    const double bound = is_linear ? texture_bound(p->M, p->N) : 8 * REAL_EPSILON;
    check_true(version->name,
               largest_error(p->h_y, is_linear ? p->model : p->exact, pixels) <= bound);
    return {(double)p->h_y[pixels / 2], largest_error(p->h_y, p->exact, pixels)};
}

const struct
{
    const char *name;
    cudaTextureAddressMode mode;
} MODES[] = {{"clamp", cudaAddressModeClamp},
             {"border", cudaAddressModeBorder},
             {"wrap", cudaAddressModeWrap},
             {"mirror", cudaAddressModeMirror}};

// Samples far beyond the borders, in one kind of memory, with each way of going on there.
void check_borders(const Problem *p, const float *h_texels, const Storage &storage, uint64_t seed)
{
    const int M = storage.dimensions == 1 ? 1 : p->M;
    float *values;
    double *model = (double *)malloc(NUM_SAMPLES * sizeof(double));
    CHECK(cudaMallocManaged(&values, NUM_SAMPLES * sizeof(float)));
    for (const auto &way : MODES)
    {
        const cudaTextureObject_t texture = make_texture(
            storage.resource, way.mode, cudaFilterModeLinear, true, storage.dimensions);
        const auto kernel = storage.dimensions == 1 ? sample<1> : sample<2>;
        poison(values, NUM_SAMPLES * sizeof(float));
        kernel<<<(NUM_SAMPLES + 127) / 128, 128>>>(texture, seed, values);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaDestroyTextureObject(texture));
        double off[2];
        for (bool eight_bits : {false, true})
        {
            for (int n = 0; n < NUM_SAMPLES; ++n)
            {
                const float2 at = sample_place(seed, n);
                const double x = (double)at.x * p->N - 0.5;
                const double y = storage.dimensions == 1 ? 0.0 : (double)at.y * M - 0.5;
                model[n] = interpolate_reference(h_texels, M, p->N, x, y, way.mode, eight_bits);
            }
            off[eight_bits] = largest_error(values, model, NUM_SAMPLES);
        }
        printf("%s%-10s %-8s %16.2g %16.2g\n", g_verdict_prefix, storage.name, way.name, off[0],
               off[1]);
        check_true(way.name, off[1] <= texture_bound(M, p->N));
    }
    CHECK(cudaFree(values));
    free(model);
}

int run(const Args *args, size_t angle)
{
    if (args->M > MAX_ROWS || args->N > MAX_COLUMNS)
    {
        usage_error(args, "a texture has at most %zu rows and %zu columns", MAX_ROWS, MAX_COLUMNS);
    }
    const int M = args->M, N = args->N;
    const size_t pixels = (size_t)M * N, bytes = pixels * sizeof(real);
    const double radians = angle * M_PI / 180.0;

    Problem p = {};
    p.M = M;
    p.N = N;
    p.turn = {(float)cos(radians), (float)sin(radians), (N - 1) / 2.0f, (M - 1) / 2.0f};
    p.block = dim3(args->block_x, args->block_y);
    p.grid = dim3((N + p.block.x - 1) / p.block.x, (M + p.block.y - 1) / p.block.y);
    p.h_y = (real *)malloc(bytes);
    p.exact = (double *)malloc(pixels * sizeof(double));
    p.model = (double *)malloc(pixels * sizeof(double));
    real *h_x = (real *)malloc(bytes);
    float *h_texels = (float *)malloc(pixels * sizeof(float));
    fill_random(h_x, pixels, args->seed);
    fill_random(h_texels, pixels, args->seed); // the same: float holds them exactly
    for (size_t n = 0; n < pixels; ++n)
    {
        const float2 at = source_of(p.turn, n % N, n / N);
        const auto clamp = cudaAddressModeClamp;
        p.exact[n] = interpolate_reference(h_texels, M, N, at.x, at.y, clamp, false);
        p.model[n] = interpolate_reference(h_texels, M, N, at.x, at.y, clamp, true);
    }
    real *d_x;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&p.d_y, bytes));
    p.d_x = d_x;
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    const Storage storages[] = {make_array("1-D array", h_texels, M, N, 1),
                                make_array("2-D array", h_texels, M, N, 2),
                                make_pitched("pitched", h_texels, M, N)};
    const auto array = storages[1].resource;
    p.nearest = make_texture(array, cudaAddressModeClamp, cudaFilterModePoint, false);
    p.linear = make_texture(array, cudaAddressModeClamp, cudaFilterModeLinear, false);

    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {p.h_y, p.d_y, bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    run_versions(args, &ladder, VERSIONS);

    printf("%slargest difference from         the exact one    with 8 bits\n", g_verdict_prefix);
    for (const Storage &storage : storages)
    {
        check_borders(&p, h_texels, storage, args->seed + 1);
    }

    CHECK(cudaDestroyTextureObject(p.nearest));
    CHECK(cudaDestroyTextureObject(p.linear));
    CHECK(cudaFreeArray(storages[0].resource.res.array.array));
    CHECK(cudaFreeArray(storages[1].resource.res.array.array));
    CHECK(cudaFree(storages[2].resource.res.pitch2D.devPtr));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(p.d_y));
    free(h_x);
    free(h_texels);
    free(p.h_y);
    free(p.exact);
    free(p.model);
    return verdict();
}

#endif

int main(int argc, char **argv)
{
    size_t angle = 30;
    Args args;
    args.M = 3001;
    args.N = 4001;
    args.block_x = 32;
    args.block_y = 8;
    args.bytes_per_element = 2 * sizeof(real) + 2 * sizeof(float);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(float) + 2 * sizeof(double);
    args.versions = "plain ldg restrict fetch linear";
    add_number(&args, "angle", &angle, 0, 360, "by how many degrees the image is turned");
    parse_args(&args, argc, argv, "-n MxN -b BXxBY -r R -s S -k NAME --csv",
               "texture: the read-only path three ways, and what only a texture does: "
               "interpolate, mind borders");
#if ON_GPU
    return run(&args, angle);
#else
    fprintf(stderr, "texture: needs a GPU: a CPU has no texture units\n");
    return 77;
#endif
}
