// Surfaces: each kind of array written and read by bytes, the types, the modes at the boundary, and
// a texture of what a surface has written.
#include <cuda_runtime.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "expect.cuh"

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
    cudaResourceDesc resource = {}, its = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    check("  a surface", cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess &&
                             cudaGetSurfaceObjectResourceDesc(&its, surface) == cudaSuccess &&
                             its.res.array.array == array);
    return surface;
}

static cudaArray_t array_of(cudaChannelFormatDesc format, cudaExtent extent, unsigned flags = 0)
{
    cudaArray_t array = NULL;
    check("  an array", cudaMalloc3DArray(&array, &format, extent,
                                          flags | cudaArraySurfaceLoadStore) == cudaSuccess);
    return array;
}

// --- kinds: each element becomes 10000 * z + 100 * y + x, and is read back -----------------------

enum Kind
{
    LINE,
    PLANE,
    BOX,
    LINES,
    PLANES,
    CUBE,
    CUBES
};

__global__ void write(cudaSurfaceObject_t s, Kind kind, int W, int H)
{
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    const int value = 10000 * z + 100 * y + x, at = x * (int)sizeof(int);
    if (x >= W || y >= H)
    {
        return;
    }
    switch (kind)
    {
    case LINE:
        surf1Dwrite(value, s, at);
        break;
    case PLANE:
        surf2Dwrite(value, s, at, y);
        break;
    case BOX:
        surf3Dwrite(value, s, at, y, z);
        break;
    case LINES:
        surf1DLayeredwrite(value, s, at, z);
        break;
    case PLANES:
        surf2DLayeredwrite(value, s, at, y, z);
        break;
    case CUBE:
        surfCubemapwrite(value, s, at, y, z);
        break;
    case CUBES:
        surfCubemapLayeredwrite(value, s, at, y, z);
        break;
    }
}

__global__ void read(cudaSurfaceObject_t s, Kind kind, int W, int H)
{
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    const int wanted = 10000 * z + 100 * y + x, at = x * (int)sizeof(int);
    if (x >= W || y >= H)
    {
        return;
    }
    int value = -1;
    switch (kind)
    {
    case LINE:
        value = surf1Dread<int>(s, at);
        break;
    case PLANE:
        surf2Dread(&value, s, at, y);
        break;
    case BOX:
        value = surf3Dread<int>(s, at, y, z);
        break;
    case LINES:
        value = surf1DLayeredread<int>(s, at, z);
        break;
    case PLANES:
        surf2DLayeredread(&value, s, at, y, z);
        break;
    case CUBE:
        value = surfCubemapread<int>(s, at, y, z);
        break;
    case CUBES:
        value = surfCubemapLayeredread<int>(s, at, y, z);
        break;
    }
    EXPECT(value == wanted);
}

static void try_kind(const char *name, Kind kind, cudaExtent extent, unsigned flags)
{
    const cudaArray_t array = array_of(cudaCreateChannelDesc<int>(), extent, flags);
    const cudaSurfaceObject_t surface = surface_of(array);
    const int W = (int)extent.width, H = extent.height > 0 ? (int)extent.height : 1,
              D = extent.depth > 0 ? (int)extent.depth : 1;
    write<<<dim3(H, D), W>>>(surface, kind, W, H);
    read<<<dim3(H, D), W>>>(surface, kind, W, H);
    report(name);
    int *h_x = (int *)malloc(W * H * D * sizeof(int));
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(h_x, W * sizeof(int), W, H);
    copy.extent = make_cudaExtent(W, H, D);
    copy.kind = cudaMemcpyDeviceToHost;
    bool right = cudaMemcpy3D(&copy) == cudaSuccess;
    for (int n = 0; n < W * H * D; ++n)
    {
        right = right && h_x[n] == 10000 * (n / (W * H)) + 100 * (n / W % H) + n % W;
    }
    check("  what it has written", right);
    free(h_x);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}

// --- types ---------------------------------------------------------------------------------------

template <class T>
__global__ void double_up(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    const int x = threadIdx.x * (int)sizeof(T);
    const T value = surf2Dread<T>(from, x, 1);
    surf2Dwrite(value, to, x, 0);
    surf2Dwrite<T>(value, to, x, 1);
}

template <class T>
static void try_type(const char *name, cudaChannelFormatDesc format)
{
    const int N = 16;
    T rows[2][N], back[2][N];
    for (size_t i = 0; i < sizeof(rows); ++i)
    {
        ((unsigned char *)rows)[i] = 7 * i % 251;
    }
    const cudaArray_t a = array_of(format, make_cudaExtent(N, 2, 0)),
                      b = array_of(format, make_cudaExtent(N, 2, 0));
    const cudaSurfaceObject_t from = surface_of(a), to = surface_of(b);
    cudaMemcpy2DToArray(a, 0, 0, rows, sizeof(rows[0]), sizeof(rows[0]), 2, cudaMemcpyHostToDevice);
    double_up<T><<<1, N>>>(from, to);
    const bool right = cudaMemcpy2DFromArray(back, sizeof(back[0]), b, 0, 0, sizeof(back[0]), 2,
                                             cudaMemcpyDeviceToHost) == cudaSuccess &&
                       memcmp(back[0], rows[1], sizeof(back[0])) == 0 &&
                       memcmp(back[1], rows[1], sizeof(back[0])) == 0;
    check(name, right);
    cudaDestroySurfaceObject(from);
    cudaDestroySurfaceObject(to);
    cudaFreeArray(a);
    cudaFreeArray(b);
}

// --- the boundary --------------------------------------------------------------------------------

__global__ void beyond(cudaSurfaceObject_t s, int W, int H, int *values)
{
    const int i = threadIdx.x;
    const int x = (i % (W + 4) - 2) * (int)sizeof(int), y = i / (W + 4) - 2;
    values[2 * i] = surf2Dread<int>(s, x, y, cudaBoundaryModeZero);
    values[2 * i + 1] = surf2Dread<int>(s, x, y, cudaBoundaryModeClamp);
}

__global__ void write_beyond(cudaSurfaceObject_t s, int W)
{
    const int i = threadIdx.x;
    surf2Dwrite(-5, s, (i % (W + 4) - 2) * (int)sizeof(int), i / (W + 4) - 2, cudaBoundaryModeZero);
}

static void try_boundary()
{
    const int W = 6, H = 3, N = (W + 4) * (H + 4);
    const cudaArray_t array = array_of(cudaCreateChannelDesc<int>(), make_cudaExtent(W, H, 0));
    const cudaSurfaceObject_t surface = surface_of(array);
    int *values;
    cudaMallocManaged(&values, 2 * N * sizeof(int));
    write<<<dim3(H, 1), W>>>(surface, PLANE, W, H);
    beyond<<<1, N>>>(surface, W, H, values);
    cudaDeviceSynchronize();
    for (int i = 0; i < 2 * N; ++i)
    {
        printf("%d%c", values[i], i % (2 * (W + 4)) == 2 * (W + 4) - 1 ? '\n' : ' ');
    }
    write_beyond<<<1, N>>>(surface, W);
    int h_x[W * H];
    bool right = cudaMemcpy2DFromArray(h_x, W * sizeof(int), array, 0, 0, W * sizeof(int), H,
                                       cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int n = 0; n < W * H; ++n)
    {
        right = right && h_x[n] == -5;
    }
    check("writes beyond the boundary are left out", right);
    cudaFree(values);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}

// --- a texture of what a surface has written -----------------------------------------------------

__global__ void fill(cudaSurfaceObject_t s, int W)
{
    surf2Dwrite((float)(threadIdx.x * threadIdx.x), s, threadIdx.x * (int)sizeof(float),
                blockIdx.x);
}

__global__ void between(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2D<float>(t, threadIdx.x + 1.0f, 1.5f);
}

static void try_texture()
{
    const int W = 16, H = 4;
    const cudaArray_t array = array_of(cudaCreateChannelDesc<float>(), make_cudaExtent(W, H, 0));
    const cudaSurfaceObject_t surface = surface_of(array);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    check("  a texture of it",
          cudaCreateTextureObject(&texture, &resource, &how, NULL) == cudaSuccess);
    float *y;
    cudaMallocManaged(&y, W * sizeof(float));
    fill<<<H, W>>>(surface, W);
    between<<<1, W>>>(texture, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < W; ++i)
    {
        printf("%ld%c", lround(256.0 * y[i]), i == W - 1 ? '\n' : ' ');
    }
    cudaFree(y);
    cudaDestroyTextureObject(texture);
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}

int main()
{
    try_kind("1-D", LINE, make_cudaExtent(20, 0, 0), 0);
    try_kind("2-D", PLANE, make_cudaExtent(20, 10, 0), 0);
    try_kind("3-D", BOX, make_cudaExtent(20, 10, 5), 0);
    try_kind("1-D layers", LINES, make_cudaExtent(20, 0, 5), cudaArrayLayered);
    try_kind("2-D layers", PLANES, make_cudaExtent(20, 10, 5), cudaArrayLayered);
    try_kind("cubemap", CUBE, make_cudaExtent(20, 20, 6), cudaArrayCubemap);
    try_kind("layers of cubemaps", CUBES, make_cudaExtent(20, 20, 12),
             cudaArrayCubemap | cudaArrayLayered);
    try_type<unsigned char>("unsigned char", cudaCreateChannelDesc<unsigned char>());
    try_type<uchar4>("uchar4", cudaCreateChannelDesc<uchar4>());
    try_type<short2>("short2", cudaCreateChannelDesc<short2>());
    try_type<ushort4>("ushort4", cudaCreateChannelDesc<ushort4>());
    try_type<int>("int", cudaCreateChannelDesc<int>());
    try_type<float>("float", cudaCreateChannelDesc<float>());
    try_type<float2>("float2", cudaCreateChannelDesc<float2>());
    try_type<float4>("float4", cudaCreateChannelDesc<float4>());
    try_type<long long>("long long in int2", cudaCreateChannelDesc<int2>());
    try_type<ulonglong2>("ulonglong2 in uint4", cudaCreateChannelDesc<uint4>());
    try_boundary();
    try_texture();
    return num_wrong > 0;
}
