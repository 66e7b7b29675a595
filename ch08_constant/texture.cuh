// A model of what a texture computes, and how a texture is made: for texture.cu and
// texture-borders.cu.
#pragma once
#include <float.h>
#include <math.h>
#include <stdint.h>
#include "../common/error.cuh"

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
inline int64_t place_reference(int64_t i, int64_t N, Border border)
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
inline double interpolate_reference(const float *pixels, int64_t M, int64_t N, double x, double y,
                                    Border border, bool eight_bits)
{
    const int64_t left = floor(x), top = floor(y);
    double weights[2][2] = {{0.0, y - top}, {0.0, x - left}}, sum = 0.0;
    for (int i = 0; i < 2; ++i)
    {
        const double weight = weights[i][1];
        weights[i][1] = eight_bits ? floor(256.0 * weight + 0.5) / 256.0 : weight;
        weights[i][0] = 1.0 - weights[i][1];
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
inline double texture_bound(int64_t M, int64_t N)
{
    return 2.0 / 256.0 + 2.0 / 65536.0 + 4.0 * FLT_EPSILON * (M + N);
}

// A texture object is a resource, that is memory of some kind, and a description of how to read it.
// For the device a 1-D texture is a single row, which it reads along its upper edge. With a border
// of 0 above this row, half of every value would be that border (as seen on an H100).
inline cudaTextureObject_t make_texture(cudaResourceDesc resource, cudaTextureAddressMode mode,
                                        cudaTextureFilterMode filter, bool normalized,
                                        int dimensions = 2)
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

inline Storage make_array(const char *name, const float *pixels, int M, int N, int dimensions,
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

inline Storage make_pitched(const char *name, const float *pixels, size_t M, size_t N)
{
    Storage storage = {name, 2, {}};
    void **memory = &storage.resource.res.pitch2D.devPtr;
    size_t *pitch = &storage.resource.res.pitch2D.pitchInBytes;
    storage.resource.resType = cudaResourceTypePitch2D;
    storage.resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    storage.resource.res.pitch2D.width = N;
    storage.resource.res.pitch2D.height = M;
    const size_t bytes = N * sizeof(float);
    CHECK(cudaMallocPitch(memory, pitch, bytes, M));
    CHECK(cudaMemcpy2D(*memory, *pitch, pixels, bytes, bytes, M, cudaMemcpyHostToDevice));
    return storage;
}
