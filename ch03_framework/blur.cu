// blur: each pixel becomes the average of the box around it, at the edges of the picture too
//
// From:    S4 3.3 and Fig. 3.6 to 3.9
// Compile: nvcc -O3 blur.cu
// Run:     ./a.out --radius 5 -o my- photo.ppm
//
// A box of radius R has 2 R + 1 pixels a side. At the edges of the picture it has fewer: only
// pixels that exist are added, and the sum is divided by their number. With R = 1 a pixel in a
// corner becomes the average of 4 pixels, not 9.
// Without a FILE the program draws a picture of M rows and N columns.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/options.cuh"
#include "image.cuh"

// The reference works in another way than the kernel. sums[y][x] is the sum of all pixels above
// and to the left of (x, y). The sum of any box then follows from four such numbers. All numbers
// are whole, so the results must be equal.
void blur_reference(const Image *image, unsigned char *result, size_t radius)
{
    const size_t width = image->width, height = image->height, channels = image->channels;
    uint64_t *sums = (uint64_t *)calloc((width + 1) * (height + 1), sizeof(uint64_t));
    for (size_t channel = 0; channel < channels; ++channel)
    {
        for (size_t y = 0; y < height; ++y)
        {
            uint64_t row_sum = 0;
            for (size_t x = 0; x < width; ++x)
            {
                row_sum += image->pixels[(y * width + x) * channels + channel];
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row_sum;
            }
        }
        for (size_t y = 0; y < height; ++y)
        {
            const size_t top = y < radius ? 0 : y - radius;
            const size_t bottom = y + radius < height ? y + radius + 1 : height;
            for (size_t x = 0; x < width; ++x)
            {
                const size_t left = x < radius ? 0 : x - radius;
                const size_t right = x + radius < width ? x + radius + 1 : width;
                const uint64_t sum =
                    sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right] -
                    sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left];
                const uint64_t count = (bottom - top) * (right - left);
                result[(y * width + x) * channels + channel] = (sum + count / 2) / count;
            }
        }
    }
    free(sums);
}

// Each thread loops over the box around its own pixel. For each place it asks if there is a pixel,
// as in S4. The coordinates are signed, because they can be less than 0.
__global__ void blur_box(const unsigned char *input, unsigned char *output, int64_t width,
                         int64_t height, int channels, int radius)
{
    const int64_t column = (int64_t)blockDim.x * blockIdx.x + threadIdx.x;
    const int64_t row = (int64_t)blockDim.y * blockIdx.y + threadIdx.y;
    if (column >= width || row >= height)
    {
        return;
    }
    for (int channel = 0; channel < channels; ++channel)
    {
        int sum = 0, count = 0;
        for (int64_t y = row - radius; y <= row + radius; ++y)
        {
            for (int64_t x = column - radius; x <= column + radius; ++x)
            {
                if (x >= 0 && x < width && y >= 0 && y < height)
                {
                    sum += input[(y * width + x) * channels + channel];
                    ++count;
                }
            }
        }
        // Integer division rounds down, which would darken the picture. Adding half the divisor
        // first rounds to the nearest number.
        output[(row * width + column) * channels + channel] = (sum + count / 2) / count;
    }
}

int main(int argc, char **argv)
{
    size_t radius = 3;
    args.M = default_size(1080, 270);
    args.N = default_size(1920, 480);
    args.block_x = 16;
    args.block_y = 16;
    args.bytes_per_element = 6;
    args.bytes_on_host = 3 * 3 + sizeof(uint64_t);
    add_number("radius", &radius, 0, 1000, "how far a pixel looks in each direction");
    add_files();
    parse_args(argc, argv, "-n MxN -b BXxBY -s S -o PREFIX [--radius R] [FILE]",
               "blur: each pixel becomes the average of the box around it, at the edges of the "
               "picture too");
    const Image image = open_image();
    Output picture = open_output(image.channels == 1 ? "blur.pgm" : "blur.ppm");
    const size_t width = image.width, height = image.height, bytes = num_samples(&image);

    const dim3 block(args.block_x, args.block_y);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    const size_t corner_x = radius < width ? radius + 1 : width;
    const size_t corner_y = radius < height ? radius + 1 : height;
    printf(
        "%zu x %zu pixels (width x height): boxes of %zu pixels, of which %zu exist in a corner\n",
        width, height, (2 * radius + 1) * (2 * radius + 1), corner_x * corner_y);

    Image blurred = image;
    blurred.pixels = (unsigned char *)malloc(bytes);
    unsigned char *reference = (unsigned char *)malloc(bytes);
    blur_reference(&image, reference, radius);

    unsigned char *d_input, *d_output;
    cudaMalloc(&d_input, bytes);
    cudaMalloc(&d_output, bytes);
    cudaMemcpy(d_input, image.pixels, bytes, cudaMemcpyHostToDevice);

    // A box of radius 0 holds the pixel alone: the picture must come back as it was.
    poison(blurred.pixels, bytes);
    cudaMemcpy(d_output, blurred.pixels, bytes, cudaMemcpyHostToDevice);
    blur_box<<<grid, block>>>(d_input, d_output, width, height, image.channels, 0);
    cudaMemcpy(blurred.pixels, d_output, bytes, cudaMemcpyDeviceToHost);
    end_if_failed(cudaGetLastError());
    check_elements("blurred with radius 0", blurred.pixels, image.pixels, bytes);

    poison(blurred.pixels, bytes);
    cudaMemcpy(d_output, blurred.pixels, bytes, cudaMemcpyHostToDevice);
    blur_box<<<grid, block>>>(d_input, d_output, width, height, image.channels, radius);
    cudaMemcpy(blurred.pixels, d_output, bytes, cudaMemcpyDeviceToHost);
    end_if_failed(cudaGetLastError());
    check_elements("blurred", blurred.pixels, reference, bytes);
    write_image(&picture, &blurred);

    cudaFree(d_input);
    cudaFree(d_output);
    free(image.pixels);
    free(blurred.pixels);
    free(reference);
    return verdict();
}
