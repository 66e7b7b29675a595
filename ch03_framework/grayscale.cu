// grayscale: a colour picture turns grey, a thread for each pixel; some threads have no pixel
//
// From:    S4 3.2 and Fig. 3.2 to 3.5
// Compile: nvcc -O3 grayscale.cu
// Run:     ./a.out -o my- photo.ppm
//
// Without a FILE the program draws a picture of M rows and N columns: 62 x 76 by default, S4's
// 76 pixels wide and 62 high. The grid is rounded up to whole blocks in both directions, so four
// regions of blocks differ in the number of threads that have a pixel: inside, at the right edge,
// at the bottom edge, in the corner.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "image.cuh"

// L = 0.21 r + 0.72 g + 0.07 b, rounded to the nearest whole number, a half upwards. The weights
// sum to 1, so white stays white. The sum in hundredths is a whole number, so it is exact.
void grayscale_reference(const unsigned char *rgb, unsigned char *gray, size_t pixels)
{
    for (size_t n = 0; n < pixels; ++n)
    {
        const double hundredths = 21.0 * rgb[3 * n] + 72.0 * rgb[3 * n + 1] + 7.0 * rgb[3 * n + 2];
        gray[n] = (unsigned char)floor(hundredths / 100.0 + 0.5);
    }
}

// The kernel computes with whole numbers, so host and device agree in every pixel. With weights
// like 0.21f a sum near a half could round up on one side and down on the other.
__global__ void grayscale(const unsigned char *rgb, unsigned char *gray, unsigned char *working,
                          size_t width, size_t height)
{
    const size_t column = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t row = (size_t)blockDim.y * blockIdx.y + threadIdx.y;
    const bool has_pixel = column < width && row < height;
    if (has_pixel)
    {
        const size_t pixel = row * width + column;
        const int r = rgb[3 * pixel];
        const int g = rgb[3 * pixel + 1];
        const int b = rgb[3 * pixel + 2];
        gray[pixel] = (21 * r + 72 * g + 7 * b + 50) / 100;
    }

    // Every thread reports if it had a pixel. The reports lie in memory block after block.
    const size_t block = (size_t)gridDim.x * blockIdx.y + blockIdx.x;
    const size_t thread = (size_t)blockDim.x * threadIdx.y + threadIdx.x;
    working[block * blockDim.x * blockDim.y + thread] = has_pixel;
}

// Counts the threads that worked, and prints a line for each region. True if the count is right
// for every block.
bool count_working(const unsigned char *working, dim3 grid, dim3 block, size_t width, size_t height)
{
    const char *const names[4] = {"inside", "right edge", "bottom edge", "corner"};
    const size_t threads = block.x * block.y;
    size_t blocks[4] = {}, working_in[4] = {};
    bool right = true;
    for (size_t y = 0; y < grid.y; ++y)
    {
        for (size_t x = 0; x < grid.x; ++x)
        {
            size_t count = 0;
            for (size_t thread = 0; thread < threads; ++thread)
            {
                count += working[(y * grid.x + x) * threads + thread];
            }
            // what is left of the picture from this block's first column and row on
            const size_t columns = width - x * block.x, rows = height - y * block.y;
            const int region = (columns < block.x) + 2 * (rows < block.y);
            ++blocks[region];
            working_in[region] = count;
            right = right && count == (columns < block.x ? columns : block.x) *
                                          (rows < block.y ? rows : block.y);
        }
    }
    printf("region       blocks  threads in each  working  idle\n");
    for (int region = 0; region < 4; ++region)
    {
        if (blocks[region] > 0)
        {
            printf("%-11s  %6zu  %15zu  %7zu  %4zu\n", names[region], blocks[region], threads,
                   working_in[region], threads - working_in[region]);
        }
    }
    return right;
}

int main(int argc, char **argv)
{
    args.M = 62;
    args.N = 76;
    args.block_x = 16;
    args.block_y = 16;
    args.bytes_per_element = 6; // rgb and gray are 4; the rest is for one mark a thread
    args.columns = "  blocks   how many blocks lie in this region of the picture\n"
                   "  threads  of each of these blocks; working: with a pixel; idle: without one\n";
    add_files();
    parse_args(argc, argv, "-n MxN -b BXxBY -s S -o PREFIX [FILE]",
               "grayscale: a colour picture turns grey, a thread for each pixel; some threads have "
               "no pixel");
    const Image image = open_image();
    if (image.channels == 1)
    {
        usage_error("%s is grey already: it wants a colour picture (P6)", args.files[0]);
    }
    Output picture = open_output("grayscale.pgm");
    const size_t width = image.width, height = image.height, pixels = width * height;

    const dim3 block(args.block_x, args.block_y);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    const size_t threads = (size_t)grid.x * grid.y * block.x * block.y;
    printf(said("%zu x %zu pixels (width x height): %u x %u blocks of %u x %u threads\n"), width,
           height, grid.x, grid.y, block.x, block.y);

    Image gray = image;
    gray.channels = 1;
    gray.pixels = (unsigned char *)malloc(pixels);
    unsigned char *reference = (unsigned char *)malloc(pixels);
    unsigned char *h_working = (unsigned char *)malloc(threads);
    grayscale_reference(image.pixels, reference, pixels);

    unsigned char *d_rgb, *d_gray, *d_working;
    cudaMalloc(&d_rgb, 3 * pixels);
    cudaMalloc(&d_gray, pixels);
    cudaMalloc(&d_working, threads);
    cudaMemcpy(d_rgb, image.pixels, 3 * pixels, cudaMemcpyHostToDevice);
    poison(gray.pixels, pixels);
    poison(h_working, threads);
    cudaMemcpy(d_gray, gray.pixels, pixels, cudaMemcpyHostToDevice);
    cudaMemcpy(d_working, h_working, threads, cudaMemcpyHostToDevice);

    grayscale<<<grid, block>>>(d_rgb, d_gray, d_working, width, height);

    cudaMemcpy(gray.pixels, d_gray, pixels, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_working, d_working, threads, cudaMemcpyDeviceToHost);
    end_if_failed(cudaGetLastError());
    check_elements("gray", gray.pixels, reference, pixels);
    check_true("the threads working in each block",
               count_working(h_working, grid, block, width, height));
    write_image(&picture, &gray);

    cudaFree(d_rgb);
    cudaFree(d_gray);
    cudaFree(d_working);
    free(image.pixels);
    free(gray.pixels);
    free(reference);
    free(h_working);
    return verdict();
}
