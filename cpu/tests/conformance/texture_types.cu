// What textures are made of: each type of element, read as it is or as a number from 0 to 1 (or -1 to
// 1), halves, sRGB, what an object tells of itself, and the functions that write to a pointer.
#include <cuda_runtime.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "expect.cuh"

const int N = 8;

// --- the elements as they are --------------------------------------------------------------------

template <class T>
__global__ void fetch_linear(cudaTextureObject_t texture, T *y)
{
    y[threadIdx.x] = tex1Dfetch<T>(texture, (int)threadIdx.x - 2); // two before, two behind
}

template <class T>
__global__ void fetch_array(cudaTextureObject_t texture, T *y)
{
    T value;
    tex1D(&value, texture, threadIdx.x - 1.5f);
    y[threadIdx.x] = value;
}

template <class T>
static cudaTextureObject_t linear_texture(T *memory, int n, cudaTextureReadMode mode)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = n * sizeof(T);
    cudaTextureDesc how = {};
    how.readMode = mode;
    cudaTextureObject_t texture = 0;
    check("  of linear memory",
          cudaCreateTextureObject(&texture, &resource, &how, NULL) == cudaSuccess);
    return texture;
}

static cudaTextureObject_t array_texture(cudaArray_t array, cudaTextureReadMode mode,
                                         cudaTextureFilterMode filter = cudaFilterModePoint,
                                         int srgb = 0, const cudaResourceViewDesc *view = NULL)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.readMode = mode;
    how.filterMode = filter;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.sRGB = srgb;
    cudaTextureObject_t texture = 0;
    check("  of an array", cudaCreateTextureObject(&texture, &resource, &how, view) == cudaSuccess);
    return texture;
}

template <class T>
static cudaArray_t array_of(const T *elements, int n, cudaChannelFormatDesc format)
{
    cudaArray_t array = NULL;
    check("  an array", cudaMallocArray(&array, &format, n) == cudaSuccess &&
                            cudaMemcpy2DToArray(array, 0, 0, elements, n * sizeof(T), n * sizeof(T),
                                                1, cudaMemcpyHostToDevice) == cudaSuccess);
    return array;
}

template <class T>
static void try_type(const char *name)
{
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    printf("%s: %d %d %d %d %d\n", name, format.x, format.y, format.z, format.w, (int)format.f);
    T h_x[N], h_y[N + 4];
    for (size_t i = 0; i < sizeof(h_x); ++i)
    {
        ((unsigned char *)h_x)[i] = 3 + 29 * i % 120; // no infinity, no NaN
    }
    T *d_x, *d_y;
    cudaMalloc(&d_x, sizeof(h_x));
    cudaMalloc(&d_y, sizeof(h_y));
    cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice);
    const cudaTextureObject_t linear = linear_texture(d_x, N, cudaReadModeElementType);
    fetch_linear<<<1, N + 4>>>(linear, d_y);
    cudaMemcpy(h_y, d_y, sizeof(h_y), cudaMemcpyDeviceToHost);
    T zero;
    memset(&zero, 0, sizeof(zero));
    bool right = memcmp(h_y + 2, h_x, sizeof(h_x)) == 0;
    for (int i : {0, 1, N + 2, N + 3})
    {
        right = right && memcmp(&h_y[i], &zero, sizeof(zero)) == 0;
    }
    check("  tex1Dfetch, and 0 outside", right);

    const cudaArray_t array = array_of(h_x, N, format);
    const cudaTextureObject_t texture = array_texture(array, cudaReadModeElementType);
    fetch_array<<<1, N + 4>>>(texture, d_y);
    cudaMemcpy(h_y, d_y, sizeof(h_y), cudaMemcpyDeviceToHost);
    right = true;
    for (int i = 0; i < N + 4; ++i)
    {
        const int at = i - 2 < 0 ? 0 : i - 2 < N ? i - 2 : N - 1;
        right = right && memcmp(&h_y[i], &h_x[at], sizeof(T)) == 0;
    }
    check("  tex1D to a pointer", right);
    cudaDestroyTextureObject(linear);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    cudaFree(d_x);
    cudaFree(d_y);
}

// --- read as other numbers -----------------------------------------------------------------------

__global__ void fetch_floats(cudaTextureObject_t texture, float4 *y, float first, float step)
{
    y[threadIdx.x] = tex1D<float4>(texture, first + step * threadIdx.x);
}

static void print_floats(const char *name, cudaTextureObject_t texture, int channels, float first,
                         float step, double unit, int n)
{
    float4 h_y[32], *d_y;
    cudaMalloc(&d_y, sizeof(h_y));
    fetch_floats<<<1, n>>>(texture, d_y, first, step);
    check(name, cudaMemcpy(h_y, d_y, n * sizeof(*h_y), cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < n; ++i)
    {
        const float values[4] = {h_y[i].x, h_y[i].y, h_y[i].z, h_y[i].w};
        for (int c = 0; c < channels; ++c)
        {
            printf(" %ld", lround(unit * values[c]));
        }
    }
    printf("\n");
    cudaFree(d_y);
}

template <class T>
static void try_normalized(const char *name, const T *elements, int channels)
{
    const cudaArray_t array = array_of(elements, 4, cudaCreateChannelDesc<T>());
    cudaTextureObject_t texture = array_texture(array, cudaReadModeNormalizedFloat);
    print_floats(name, texture, channels, 0.5f, 1.0f, 65536.0, 4);
    cudaDestroyTextureObject(texture);
    texture = array_texture(array, cudaReadModeNormalizedFloat, cudaFilterModeLinear);
    print_floats(name, texture, channels, 0.5f, 0.25f, 256.0, 13);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

// A GPU has a table of few bits: within 1/1024 of the formula. The fourth channel is no colour.
static bool is_near_srgb(cudaTextureObject_t texture, const uchar4 *colors)
{
    float4 h_y[4], *d_y;
    cudaMalloc(&d_y, sizeof(h_y));
    fetch_floats<<<1, 4>>>(texture, d_y, 0.5f, 1.0f);
    bool near = cudaMemcpy(h_y, d_y, sizeof(h_y), cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int i = 0; i < 4; ++i)
    {
        const unsigned char bytes[3] = {colors[i].x, colors[i].y, colors[i].z};
        const float values[3] = {h_y[i].x, h_y[i].y, h_y[i].z};
        for (int c = 0; c < 3; ++c)
        {
            const double v = bytes[c] / 255.0;
            const double linear = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
            near = near && fabs(values[c] - linear) <= 1.0 / 1024;
        }
        near = near && fabs(h_y[i].w - colors[i].w / 255.0) < 1e-6;
    }
    cudaFree(d_y);
    return near;
}

static void try_all_normalized()
{
    const unsigned char bytes[4] = {0, 1, 128, 255};
    const signed char signed_bytes[4] = {-128, -127, 0, 127};
    const unsigned short shorts[4] = {0, 1, 32768, 65535};
    const short signed_shorts[4] = {-32768, -32767, 1, 32767};
    const uchar4 colors[4] = {
        {0, 50, 100, 255}, {10, 60, 200, 0}, {255, 128, 64, 32}, {1, 2, 3, 4}};
    const short2 pairs[4] = {{-5, 3000}, {32767, -32767}, {100, 200}, {-20000, 20000}};
    try_normalized("uchar", bytes, 1);
    try_normalized("signed char", signed_bytes, 1);
    try_normalized("ushort", shorts, 1);
    try_normalized("short", signed_shorts, 1);
    try_normalized("uchar4", colors, 4);
    try_normalized("short2", pairs, 2);

    const cudaArray_t array = array_of(colors, 4, cudaCreateChannelDesc<uchar4>());
    const cudaTextureObject_t texture =
        array_texture(array, cudaReadModeNormalizedFloat, cudaFilterModePoint, 1);
    check("sRGB", is_near_srgb(texture, colors));
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

// Halves are read as floats.
static void try_half()
{
    const unsigned short halves[8] = {0x3c00, 0xc000, 0x3555, 0x0001,
                                      0x7bff, 0x8000, 0x4248, 0x3800};
    const cudaArray_t array = array_of(halves, 8, cudaCreateChannelDescHalf());
    cudaTextureObject_t texture = array_texture(array, cudaReadModeElementType);
    print_floats("half", texture, 1, 0.5f, 1.0f, 16777216.0, 8);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    const ushort2 pairs[4] = {{0x3c00, 0x4000}, {0x4400, 0x4800}, {0, 0}, {0xbc00, 0x3c00}};
    const cudaArray_t second = array_of(pairs, 4, cudaCreateChannelDescHalf2());
    texture = array_texture(second, cudaReadModeElementType, cudaFilterModeLinear);
    print_floats("half2, linear", texture, 2, 0.5f, 0.25f, 256.0, 13);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(second);
}

// --- what an object tells of itself --------------------------------------------------------------

static void try_view()
{
    const unsigned words[4] = {0x04030201, 0x08070605, 0xff00ff00, 0x12345678};
    const cudaArray_t array = array_of(words, 4, cudaCreateChannelDesc<unsigned>());
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatUnsignedChar4;
    view.width = 4;
    const cudaTextureObject_t texture =
        array_texture(array, cudaReadModeElementType, cudaFilterModePoint, 0, &view);
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaResourceViewDesc same;
    check("the resource of an object",
          cudaGetTextureObjectResourceDesc(&resource, texture) == cudaSuccess &&
              resource.resType == cudaResourceTypeArray && resource.res.array.array == array);
    check("the description of an object",
          cudaGetTextureObjectTextureDesc(&how, texture) == cudaSuccess &&
              how.addressMode[0] == cudaAddressModeClamp && how.filterMode == cudaFilterModePoint &&
              how.normalizedCoords == 0);
    check("the view of an object",
          cudaGetTextureObjectResourceViewDesc(&same, texture) == cudaSuccess &&
              same.format == cudaResViewFormatUnsignedChar4 && same.width == 4);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

__global__ void fetch_ints(cudaTextureObject_t texture, int *y)
{
    y[threadIdx.x] = tex1D<int>(texture, threadIdx.x - 0.5f);
}

// The border's color of a texture of integers is made of the bits of four floats.
static void try_integer_border()
{
    const int numbers[4] = {1, -2, 3, -4}, color = -77;
    const cudaArray_t array = array_of(numbers, 4, cudaCreateChannelDesc<int>());
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = cudaAddressModeBorder;
    how.addressMode[1] = cudaAddressModeClamp;
    memcpy(&how.borderColor[0], &color, sizeof(color));
    cudaTextureObject_t texture;
    check("a border of integers",
          cudaCreateTextureObject(&texture, &resource, &how, NULL) == cudaSuccess);
    int h_y[6], *d_y;
    cudaMalloc(&d_y, sizeof(h_y));
    fetch_ints<<<1, 6>>>(texture, d_y);
    cudaMemcpy(h_y, d_y, sizeof(h_y), cudaMemcpyDeviceToHost);
    printf(" %d %d %d %d %d %d\n", h_y[0], h_y[1], h_y[2], h_y[3], h_y[4], h_y[5]);
    cudaFree(d_y);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}

int main()
{
    try_type<signed char>("signed char");
    try_type<char1>("char1");
    try_type<char2>("char2");
    try_type<char4>("char4");
    try_type<unsigned char>("unsigned char");
    try_type<uchar1>("uchar1");
    try_type<uchar2>("uchar2");
    try_type<uchar4>("uchar4");
    try_type<short>("short");
    try_type<short1>("short1");
    try_type<short2>("short2");
    try_type<short4>("short4");
    try_type<unsigned short>("unsigned short");
    try_type<ushort2>("ushort2");
    try_type<ushort4>("ushort4");
    try_type<int>("int");
    try_type<int1>("int1");
    try_type<int2>("int2");
    try_type<int4>("int4");
    try_type<unsigned int>("unsigned int");
    try_type<uint2>("uint2");
    try_type<uint4>("uint4");
    try_type<float>("float");
    try_type<float1>("float1");
    try_type<float2>("float2");
    try_type<float4>("float4");
    try_all_normalized();
    try_half();
    try_view();
    try_integer_border();
    return num_wrong > 0;
}
