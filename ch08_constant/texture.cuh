// What texture needs on the host: how texture objects are made, and a model of what they give.
#pragma once
#include <float.h>
#include <math.h>
#include <stdint.h>
#include "../common/error.cuh"

// To the texture unit a 1-D texture is one row, and it reads along the row's upper edge: were there
// a border above it, half of every value would be the border's 0 (as seen on an H100).
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

// The same pixels in the three kinds of memory that a texture can interpolate in.
struct Storage
{
    const char *name;
    int dimensions;
    cudaResourceDesc resource;
};

Storage make_array(const char *name, const float *h_texels, int M, int N, int dimensions)
{
    Storage storage = {name, dimensions, {}};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const size_t bytes = N * sizeof(float);
    cudaArray_t *array = &storage.resource.res.array.array;
    storage.resource.resType = cudaResourceTypeArray;
    CHECK(cudaMallocArray(array, &format, N, dimensions == 1 ? 0 : M));
    CHECK(cudaMemcpy2DToArray(*array, 0, 0, h_texels, bytes, bytes, dimensions == 1 ? 1 : M,
                              cudaMemcpyHostToDevice));
    return storage;
}

Storage make_pitched(const char *name, const float *h_texels, size_t M, size_t N)
{
    Storage storage = {name, 2, {}};
    auto &pitched = storage.resource.res.pitch2D;
    storage.resource.resType = cudaResourceTypePitch2D;
    pitched.desc = cudaCreateChannelDesc<float>();
    pitched.width = N;
    pitched.height = M;
    const size_t bytes = N * sizeof(float);
    CHECK(cudaMallocPitch(&pitched.devPtr, &pitched.pitchInBytes, bytes, M));
    CHECK(cudaMemcpy2D(pitched.devPtr, pitched.pitchInBytes, h_texels, bytes, bytes, M,
                       cudaMemcpyHostToDevice));
    return storage;
}

// The pixel that stands at place i of N, wherever i is; -1: none does, it counts as 0.
int64_t place_reference(int64_t i, int64_t N, cudaTextureAddressMode mode)
{
    const int64_t period = mode == cudaAddressModeMirror ? 2 * N : N;
    const int64_t inside = (i % period + period) % period;
    switch (mode)
    {
    case cudaAddressModeWrap:
        return inside;
    case cudaAddressModeMirror:
        return inside < N ? inside : period - 1 - inside;
    case cudaAddressModeClamp:
        return i < 0 ? 0 : i < N ? i : N - 1;
    default:
        return i == inside ? i : -1;
    }
}

// Between four pixels, at (x, y) with pixel (0, 0) at the origin. The texture unit keeps 8 bits of
// each weight, which may then be any of 0/256, 1/256 ... 256/256.
double interpolate_reference(const float *texels, int64_t M, int64_t N, double x, double y,
                             cudaTextureAddressMode mode, bool eight_bits)
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
            const int64_t row = place_reference(top + i, M, mode);
            const int64_t column = place_reference(left + j, N, mode);
            const bool exists = row >= 0 && column >= 0;
            sum += weights[0][i] * weights[1][j] * (exists ? texels[row * N + column] : 0.0);
        }
    }
    return sum;
}

// How far the texture unit may be from that model of pixels between 0 and 1: by a last bit of each
// weight, as it is not said how they are rounded, and by what rounding a coordinate changes.
double texture_bound(int64_t M, int64_t N)
{
    return 2.0 / 256.0 + 2.0 / 65536.0 + 4.0 * FLT_EPSILON * (M + N);
}
