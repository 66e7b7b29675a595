// convolution-line: a convolution in one dimension, and what lies outside of the line
//
// From:    Chapter 8
// Order:   after constant
// Compile: nvcc -O3 convolution-line.cu
// Run:     ./a.out -n 10000000 --mask 31
//
// A convolution turns the mask round: what lies right of a pixel meets what lies left in the mask,
//     y[n] = mask[0] x[n + C] + mask[1] x[n + C - 1] + ... + mask[2 C] x[n - C],
// for a mask of 2 C + 1 numbers. Outside of the line all pixels are 0, or, in the version clamp,
// equal to the nearest pixel inside. All numbers are small integers, so every sum is exact, and
// each result must be equal to the reference's.

#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/options.cuh"
#include "../common/versions.cuh"

const int MAX_MASK = 31; // numbers of a mask

static int64_t N;                          // pixels of the line
static size_t mask_size = 9;               // numbers of the mask
static real *h_x, *d_x;                    // the line
static real *h_y, *d_y;                    // the convolution
static double *reference, *clamped;        // what it should be, with each border
static unsigned int grid_size, block_size; // a thread for each pixel

// Makes a longer copy of the line, with the border at both ends. So the loop over the mask needs no
// test.
void convolve_reference(const real *x, const real *mask, double *y, int64_t N, int mask_size,
                        bool clamp)
{
    const int border = mask_size / 2;
    double *padded = (double *)malloc((N + 2 * border) * sizeof(double));
    for (int64_t n = 0; n < N; ++n)
    {
        padded[border + n] = x[n];
    }
    for (int j = 0; j < border; ++j)
    {
        padded[j] = clamp ? x[0] : 0.0;
        padded[border + N + j] = clamp ? x[N - 1] : 0.0;
    }
    for (int64_t n = 0; n < N; ++n)
    {
        y[n] = 0.0;
        for (int j = 0; j < mask_size; ++j)
        {
            y[n] += (double)mask[j] * padded[n + mask_size - 1 - j];
        }
    }
    free(padded);
}

// The mask. The host fills it by cudaMemcpyToSymbol.
__constant__ real c_mask[MAX_MASK];

// Pixels outside are 0. Every thread computes one sum. At the
// ends of the line a part of the mask meets no pixel.
__global__ void convolve_line(const real *x, real *y, int64_t N, int mask_size)
{
    const int64_t n = (int64_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
        for (int j = 0; j < mask_size; ++j)
        {
            const int64_t from = n + mask_size / 2 - j; // signed, because a place may be -1
            if (from >= 0 && from < N)
            {
                sum += c_mask[j] * x[from];
            }
        }
        y[n] = sum;
    }
}

void run_zero(void) { convolve_line<<<grid_size, block_size>>>(d_x, d_y, N, mask_size); }

// The same, but pixels outside are equal to the nearest pixel inside. Each place is moved to the
// nearest one inside, so every number of the mask meets a pixel.
__global__ void convolve_line_clamp(const real *x, real *y, int64_t N, int mask_size)
{
    const int64_t n = (int64_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real sum = 0;
        for (int j = 0; j < mask_size; ++j)
        {
            const int64_t from = n + mask_size / 2 - j;
            sum += c_mask[j] * x[from < 0 ? 0 : from < N ? from : N - 1];
        }
        y[n] = sum;
    }
}

void run_clamp(void) { convolve_line_clamp<<<grid_size, block_size>>>(d_x, d_y, N, mask_size); }

void check_line(const double *expected)
{
    check_elements(g_row, h_y, expected, N);
    g_result = h_y[0]; // at the border
    g_error = largest_error(h_y, expected, N);
}

void check_zero(void) { check_line(reference); }
void check_clamp(void) { check_line(clamped); }

const Version VERSIONS[] = {
    {"zero", "pixels outside are 0: a test for each number of the mask", run_zero, check_zero},
    {"clamp", "pixels outside are equal to the nearest one inside", run_clamp, check_clamp},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 16384);
    args.block_x = 256;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + 3 * sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    add_number("mask", &mask_size, 1, MAX_MASK, "numbers of the mask, odd");
    parse_args(
        argc, argv, "-n N -b B -r R -s S -k NAME --csv",
        "convolution-line: a convolution in one dimension, and what lies outside of the line");
    if (mask_size % 2 == 0)
    {
        usage_error("--mask takes odd numbers, so that there is a middle");
    }
    N = args.N;
    block_size = args.block_x;
    grid_size = (N + block_size - 1) / block_size;

    const size_t bytes = N * sizeof(real);
    real h_mask[MAX_MASK];
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    clamped = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    fill_integers(h_x, N, args.seed);
    fill_integers(h_mask, mask_size, args.seed + 1);
    convolve_reference(h_x, h_mask, reference, N, mask_size, false);
    convolve_reference(h_x, h_mask, clamped, N, mask_size, true);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(c_mask, h_mask, mask_size * sizeof(real)));

    Table table = {};
    table.outputs[0] = {h_y, d_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    table.shows_result = true;
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    print_note("result: y[0], at the border of the line\n");

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(reference);
    free(clamped);
    return verdict();
}
