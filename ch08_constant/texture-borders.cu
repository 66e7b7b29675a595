// texture-borders: what a texture gives beyond the borders of its image, against a model
//
// From:    Section 6.2.3; S1 4.3.2
// Order:   after texture
// Compile: nvcc -O3 texture-borders.cu
// Run:     ./a.out -n 301x401
//
// A texture continues its image in four ways: by the nearest pixel, by 0, by the image again, by
// the image mirrored. Each is tried in one and in two dimensions, and in pitched memory, at random
// places in and around the image.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/timing.cuh"
#include "texture.cuh"

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
void check_borders(const Storage *storage, const float *pixels, int M, int N, uint64_t seed)
{
    const bool is_line = storage->dimensions == 1;
    const int grid_size = (NUM_SAMPLES + 127) / 128, rows = is_line ? 1 : M;
    float *values;
    double *model = (double *)malloc(NUM_SAMPLES * sizeof(double));
    CHECK(cudaMallocManaged(&values, NUM_SAMPLES * sizeof(float)));
    for (int border = 0; border < NUM_BORDERS; ++border)
    {
        const cudaTextureObject_t texture = make_texture(
            storage->resource, MODES[border], cudaFilterModeLinear, true, storage->dimensions);
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
        for (int eight_bits = 0; eight_bits < 2; ++eight_bits)
        {
            for (int n = 0; n < NUM_SAMPLES; ++n)
            {
                const float2 at = sample_place(seed, n);
                const double x = (double)at.x * N - 0.5;
                const double y = is_line ? 0.0 : (double)at.y * rows - 0.5;
                model[n] =
                    interpolate_reference(pixels, rows, N, x, y, (Border)border, eight_bits == 1);
            }
            errors[eight_bits] = largest_error(values, model, NUM_SAMPLES);
        }
        print_note("%-10s %-8s %16.2g %16.2g\n", storage->name, MODE_NAMES[border], errors[0],
                   errors[1]);
        check_true(MODE_NAMES[border], errors[1] <= texture_bound(rows, N));
    }
    CHECK(cudaFree(values));
    free(model);
}

void check_storages(void)
{
    const size_t size = args.M * args.N;
    float *pixels = (float *)malloc(size * sizeof(float));
    fill_random(pixels, size, args.seed);
    const Storage storages[] = {make_array("1-D array", pixels, args.M, args.N, 1),
                                make_array("2-D array", pixels, args.M, args.N, 2),
                                make_pitched("pitched", pixels, args.M, args.N)};

    printf("largest difference from         the exact one    with 8 bits\n");
    for (int i = 0; i < 3; ++i)
    {
        check_borders(&storages[i], pixels, args.M, args.N, args.seed + 1);
    }

    CHECK(cudaFreeArray(storages[0].resource.res.array.array));
    CHECK(cudaFreeArray(storages[1].resource.res.array.array));
    CHECK(cudaFree(storages[2].resource.res.pitch2D.devPtr));
    free(pixels);
}

int main(int argc, char **argv)
{
    args.M = 301;
    args.N = 401;
    args.bytes_per_element = 3 * sizeof(float);
    parse_args(argc, argv, "-n MxN -s S",
               "texture-borders: what a texture gives beyond the borders of its image, against a "
               "model");
    if (args.M > MAX_ROWS || args.N > MAX_COLUMNS)
    {
        usage_error("a texture has at most %zu rows and %zu columns", MAX_ROWS, MAX_COLUMNS);
    }
    print_device();
    check_storages();
    return verdict();
}
