// Textures with layers and faces: 1-D and 2-D layers, cubemaps, layers of cubemaps, a view of some
// layers; gathers; and the functions that name a level of detail.
#include <cuda_runtime.h>
#include <math.h>
#include <stdlib.h>
#include <vector>
#include "expect.cuh"

// An array whose elements are 100 * slice + 10 * row + column.
static cudaArray_t numbered_array(cudaExtent extent, unsigned flags)
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const size_t rows = extent.height > 0 ? extent.height : 1;
    const size_t slices = extent.depth > 0 ? extent.depth : 1;
    std::vector<float> cells;
    for (size_t k = 0; k < slices; ++k)
    {
        for (size_t j = 0; j < rows; ++j)
        {
            for (size_t i = 0; i < extent.width; ++i)
            {
                cells.push_back(100.0f * k + 10.0f * j + i);
            }
        }
    }
    cudaArray_t array = NULL;
    bool right = cudaMalloc3DArray(&array, &format, extent, flags) == cudaSuccess;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr =
        make_cudaPitchedPtr(cells.data(), extent.width * sizeof(float), extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    right = right && cudaMemcpy3D(&copy) == cudaSuccess;
    check("an array", right);
    return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, bool linear, bool normalized,
                                      const cudaResourceViewDesc *view = NULL, int seamless = 0)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.normalizedCoords = normalized;
    how.seamlessCubemap = seamless;
    cudaTextureObject_t texture = 0;
    check("  its texture", cudaCreateTextureObject(&texture, &resource, &how, view) == cudaSuccess);
    return texture;
}

enum What
{
    LINES,
    LINES_LOD,
    PLANES,
    PLANES_LOD,
    CUBE,
    CUBE_LOD,
    CUBES,
    GATHER,
    PLANE_LOD,
    BOX_LOD,
    LINE_LOD,
    PLANE_GRAD
};

__global__ void sample(cudaTextureObject_t t, What what, const float4 *at, float4 *values)
{
    const float4 p = at[threadIdx.x];
    const int layer = (int)p.w;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    switch (what)
    {
    case LINES:
        v.x = tex1DLayered<float>(t, p.x, layer);
        break;
    case LINES_LOD:
        v.x = tex1DLayeredLod<float>(t, p.x, layer, 0.0f);
        break;
    case PLANES:
        v.x = tex2DLayered<float>(t, p.x, p.y, layer);
        break;
    case PLANES_LOD:
        tex2DLayeredLod(&v.x, t, p.x, p.y, layer, 0.0f);
        break;
    case CUBE:
        v.x = texCubemap<float>(t, p.x, p.y, p.z);
        break;
    case CUBE_LOD:
        texCubemapLod(&v.x, t, p.x, p.y, p.z, 0.0f);
        break;
    case CUBES:
        v.x = texCubemapLayered<float>(t, p.x, p.y, p.z, layer);
        break;
    case GATHER:
        v = tex2Dgather<float4>(t, p.x, p.y);
        break;
    case PLANE_LOD:
        v.x = tex2DLod<float>(t, p.x, p.y, 0.0f);
        break;
    case BOX_LOD:
        v.x = tex3DLod<float>(t, p.x, p.y, p.z, 0.0f);
        break;
    case LINE_LOD:
        v.x = tex1DLod<float>(t, p.x, 0.0f);
        break;
    case PLANE_GRAD:
        v.x = tex2DGrad<float>(t, p.x, p.y, make_float2(0.0f, 0.0f), make_float2(0.0f, 0.0f));
        break;
    }
    values[threadIdx.x] = v;
}

static void show(const char *name, cudaTextureObject_t texture, What what,
                 const std::vector<float4> &at)
{
    float4 *places, *values;
    cudaMallocManaged(&places, at.size() * sizeof(float4));
    cudaMallocManaged(&values, at.size() * sizeof(float4));
    for (size_t i = 0; i < at.size(); ++i)
    {
        places[i] = at[i];
    }
    sample<<<1, (unsigned)at.size()>>>(texture, what, places, values);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s:", error == cudaSuccess ? name : cudaGetErrorName(error));
    for (size_t i = 0; error == cudaSuccess && i < at.size(); ++i)
    {
        printf(" %ld", lround(256.0 * values[i].x));
        if (what == GATHER)
        {
            printf(" %ld %ld %ld,", lround(256.0 * values[i].y), lround(256.0 * values[i].z),
                   lround(256.0 * values[i].w));
        }
    }
    printf("\n");
    num_wrong += error != cudaSuccess;
    cudaFree(places);
    cudaFree(values);
}

static void try_layers()
{
    std::vector<float4> at;
    for (int i = 0; i < 12; ++i)
    {
        at.push_back(make_float4(-1.0f + 0.875f * i, 3.5f - 0.375f * i, 0.0f, i % 3));
    }
    cudaArray_t array = numbered_array(make_cudaExtent(8, 0, 3), cudaArrayLayered);
    for (bool linear : {false, true})
    {
        const cudaTextureObject_t texture = texture_of(array, linear, false);
        show("1-D layers", texture, LINES, at);
        show("1-D layers, level 0", texture, LINES_LOD, at);
        cudaDestroyTextureObject(texture);
    }
    cudaFreeArray(array);

    array = numbered_array(make_cudaExtent(8, 4, 3), cudaArrayLayered);
    for (bool linear : {false, true})
    {
        const cudaTextureObject_t texture = texture_of(array, linear, false);
        show("2-D layers", texture, PLANES, at);
        show("2-D layers, level 0", texture, PLANES_LOD, at);
        cudaDestroyTextureObject(texture);
    }
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatFloat1;
    view.width = 8;
    view.height = 4;
    view.depth = 3;
    view.firstLayer = 1;
    view.lastLayer = 2;
    const cudaTextureObject_t texture = texture_of(array, false, false, &view);
    for (float4 &p : at)
    {
        p.w = (int)p.w % 2;
    }
    show("a view of layers 1 and 2", texture, PLANES, at);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

// Directions to the middles of the elements of a face, and between them. None is on an edge.
static std::vector<float4> directions(int layer)
{
    std::vector<float4> at;
    for (int face = 0; face < 6; ++face)
    {
        for (int i = 0; i < 4; ++i)
        {
            const float s = -0.75f + 0.5f * i, t = 0.625f - 0.375f * i, scale = 1.0f + i;
            const float4 all[6] = {{1.0f, t, s, 0.0f},  {-1.0f, t, s, 0.0f}, {s, 1.0f, t, 0.0f},
                                   {s, -1.0f, t, 0.0f}, {s, t, 1.0f, 0.0f},  {s, t, -1.0f, 0.0f}};
            const float4 p = all[face];
            at.push_back(make_float4(scale * p.x, scale * p.y, scale * p.z, layer));
        }
    }
    return at;
}

static void try_cubes()
{
    cudaArray_t array = numbered_array(make_cudaExtent(4, 4, 6), cudaArrayCubemap);
    for (bool linear : {false, true})
    {
        const cudaTextureObject_t texture = texture_of(array, linear, true);
        show("cubemap", texture, CUBE, directions(0));
        show("cubemap, level 0", texture, CUBE_LOD, directions(0));
        cudaDestroyTextureObject(texture);
    }
    const cudaTextureObject_t seamless = texture_of(array, true, true, NULL, 1);
    // Near edges, where the elements of two faces are mixed.
    show("cubemap without seams", seamless, CUBE,
         {{1.0f, 0.25f, 0.875f, 0.0f},
          {1.0f, 0.25f, -0.875f, 0.0f},
          {1.0f, 0.875f, 0.25f, 0.0f},
          {-1.0f, -0.875f, 0.25f, 0.0f},
          {0.25f, 1.0f, 0.875f, 0.0f},
          {0.875f, 0.25f, -1.0f, 0.0f}});
    cudaDestroyTextureObject(seamless);
    cudaFreeArray(array);

    array = numbered_array(make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered);
    for (bool linear : {false, true})
    {
        const cudaTextureObject_t texture = texture_of(array, linear, true);
        show("layer 0 of cubemaps", texture, CUBES, directions(0));
        show("layer 1 of cubemaps", texture, CUBES, directions(1));
        cudaDestroyTextureObject(texture);
    }
    cudaFreeArray(array);
}

static void try_gather()
{
    cudaArray_t array = numbered_array(make_cudaExtent(8, 4, 0), cudaArrayTextureGather);
    const cudaTextureObject_t texture = texture_of(array, false, false);
    show("gather", texture, GATHER,
         {{1.25f, 1.25f, 0.0f, 0.0f},
          {1.75f, 1.25f, 0.0f, 0.0f},
          {5.0f, 2.0f, 0.0f, 0.0f},
          {0.25f, 0.25f, 0.0f, 0.0f},
          {7.75f, 3.75f, 0.0f, 0.0f},
          {-3.0f, 1.75f, 0.0f, 0.0f}});
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

static void try_levels()
{
    std::vector<float4> at;
    for (int i = 0; i < 8; ++i)
    {
        at.push_back(
            make_float4((0.5f + i) / 8, (0.625f + 0.375f * i) / 4, 0.25f + 0.0625f * i, 0.0f));
    }
    cudaArray_t array = numbered_array(make_cudaExtent(8, 4, 0), cudaArrayDefault);
    cudaTextureObject_t texture = texture_of(array, true, true);
    show("2-D, level 0", texture, PLANE_LOD, at);
    show("2-D, gradient 0", texture, PLANE_GRAD, at);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    array = numbered_array(make_cudaExtent(8, 4, 2), cudaArrayDefault);
    texture = texture_of(array, true, true);
    show("3-D, level 0", texture, BOX_LOD, at);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    array = numbered_array(make_cudaExtent(8, 0, 0), cudaArrayDefault);
    texture = texture_of(array, true, true);
    show("1-D, level 0", texture, LINE_LOD, at);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

int main()
{
    try_layers();
    try_cubes();
    try_gather();
    try_levels();
    return num_wrong > 0;
}
