// Pictures for grayscale and blur: binary PGM (grey) and PPM (colour), read and written, and one
// drawn by formula. A file is not to be trusted: whatever is wrong with it ends the program with
// one line and status 2.
#pragma once
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/output.cuh"

struct Image
{
    size_t width, height;
    size_t channels;       // 1: grey; 3: red, green, blue
    int maxval;            // the sample that means full brightness, 1 to 255
    unsigned char *pixels; // row after row from the top; the channels of a pixel side by side
};

static inline bool take_file(const char *text)
{
    const bool has_room = args.num_files < MAX_FILES && *text != '\0';
    if (has_room)
    {
        args.files[args.num_files++] = text;
    }
    return has_room;
}

// For parse_args: arguments without a dash are files.
static inline void add_files(void)
{
    strcat(args.arguments, " [FILE ...]");
    args.take_argument = take_file;
}

static inline size_t num_samples(const Image *image)
{
    return image->width * image->height * image->channels;
}

// Room for the pixels, once it is known that all the arrays and the grid of the program will fit.
// From here on args.M and args.N are the picture's height and width.
static inline void allocate_pixels(Image *image)
{
    const size_t MAX_GRID_Y = 65535;
    args.M = image->height;
    args.N = image->width;
    check_memory(true);
    if ((image->height - 1) / args.block_y >= MAX_GRID_Y)
    {
        usage_error("%zu rows need more than %zu blocks in y: take a higher block, as -b 1x1024",
                    image->height, MAX_GRID_Y);
    }
    image->pixels = (unsigned char *)malloc(num_samples(image));
    if (image->pixels == NULL)
    {
        usage_error("no memory for %zu x %zu pixels", image->width, image->height);
    }
}

// The next character of a header. A comment, from # to the end of its line, reads as that end.
static inline int header_char(FILE *file)
{
    int c = getc(file);
    if (c == '#')
    {
        while (c != '\n' && c != '\r' && c != EOF)
        {
            c = getc(file);
        }
    }
    return c;
}

// Reads a number and the one white space after it. Returns 0 if the header has something else.
static inline size_t header_number(FILE *file)
{
    const size_t TOO_LARGE = (size_t)1 << 40; // stay there, however many digits follow
    int c = header_char(file);
    while (isspace(c))
    {
        c = header_char(file);
    }
    size_t number = 0;
    for (; isdigit(c); c = header_char(file))
    {
        number = number < TOO_LARGE ? 10 * number + (c - '0') : TOO_LARGE;
    }
    return isspace(c) ? number : 0;
}

static inline Image read_image(const char *path)
{
    Image image = {};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
    {
        usage_error("cannot read %s: %s", path, strerror(errno));
    }
    const int letter = getc(file), digit = getc(file);
    if (ferror(file)) // a directory can be opened; reading it fails
    {
        usage_error("cannot read %s: %s", path, strerror(errno));
    }
    if (letter != 'P' || (digit != '5' && digit != '6'))
    {
        usage_error("%s is no binary PGM or PPM picture (P5 or P6)", path);
    }
    image.channels = digit == '5' ? 1 : 3;
    image.width = isspace(header_char(file)) ? header_number(file) : 0;
    image.height = header_number(file);
    const size_t maxval = header_number(file);
    if (image.width == 0 || image.height == 0 || maxval == 0)
    {
        usage_error("the header of %s is broken: it wants width, height and maxval, each 1 or more",
                    path);
    }
    if (maxval > 255)
    {
        usage_error("%s has two bytes a sample (maxval %zu): save it with 255 or less", path,
                    maxval);
    }
    image.maxval = maxval;
    allocate_pixels(&image);
    const size_t samples = num_samples(&image);
    const size_t read = fread(image.pixels, 1, samples, file);
    if (read < samples)
    {
        usage_error("%s is cut off: %zu of %zu bytes of pixels are there", path, read, samples);
    }
    fclose(file);
    for (size_t n = 0; n < samples; ++n)
    {
        if (image.pixels[n] > image.maxval)
        {
            usage_error("%s has a sample of %d, above its own maxval %d", path, image.pixels[n],
                        image.maxval);
        }
    }
    return image;
}

// Writes the picture and closes its file.
static inline void write_image(Output *output, const Image *image)
{
    fprintf(output->file, "P%c\n%zu %zu\n%d\n", image->channels == 1 ? '5' : '6', image->width,
            image->height, image->maxval);
    fwrite(image->pixels, 1, num_samples(image), output->file); // close_output sees any error
    close_output(output);
}

// The sun going down behind mountains: smooth slopes, sharp edges, and grain from `seed` all over,
// so that no two places look the same to a kernel with a wrong index.
static inline Image draw_image(size_t width, size_t height, size_t seed)
{
    Image image = {width, height, 3, 255, NULL};
    allocate_pixels(&image);
    const double sky[3] = {38, 50, 110}, glow[3] = {250, 140, 60}, sun[3] = {255, 236, 170};
    const double far[3] = {96, 66, 110}, near[3] = {34, 30, 52};
    for (size_t row = 0; row < height; ++row)
    {
        for (size_t column = 0; column < width; ++column)
        {
            const double x = (column + 0.5) / width, y = (row + 0.5) / height;
            const double distance = hypot((x - 0.62) * width / height, y - 0.45);
            const double far_ridge = 0.60 + 0.08 * sin(9 * x + 1) + 0.03 * sin(31 * x);
            const double near_ridge = 0.80 + 0.07 * sin(6 * x + 4) + 0.02 * sin(47 * x);
            const double light = exp(-2.5 * distance) + 0.3 * y;
            for (int c = 0; c < 3; ++c)
            {
                double value = sky[c] + (glow[c] - sky[c]) * light;
                value = distance < 0.16 ? sun[c] : value;
                value = y > far_ridge ? far[c] * (0.6 + light) : value;
                value = y > near_ridge ? near[c] : value;
                const size_t n = (row * width + column) * 3 + c;
                value += (double)random_below(seed, n, 17) - 8;
                image.pixels[n] = value < 0 ? 0 : value > 255 ? 255 : (unsigned char)value;
            }
        }
    }
    return image;
}

// The picture a program works on: FILE, or one it draws, of M rows and N columns.
static inline Image open_image(void)
{
    if (args.num_files > 1)
    {
        usage_error("one FILE at a time, not also %s", args.files[1]);
    }
    return args.num_files == 1 ? read_image(args.files[0]) : draw_image(args.N, args.M, args.seed);
}
