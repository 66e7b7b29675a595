// What a texture gives: at a place between its elements, beyond its borders, in its layers. All as
// the programming guide has it in its chapter on texture fetches.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "check.h"
#include "report.h"
#include "texture.h"

#define CALLER ((char *)__builtin_return_address(0) - 1)
#define INSIDE_KERNELS CALLED_BY_KERNELS static

enum
{
    NOWHERE = -1, // the border's color is there
    ONE = 256     // a weight of 1: weights have eight bits after the point
};

// Elements next to a place, along one dimension, and the weight of the second one.
typedef struct Neighbours
{
    int at[2];
    unsigned weight;
} Neighbours;

static inline long long floor_of(double x) // of at most 2^62; 0 where x is no number
{
    const long long i = x == x ? (long long)x : 0;
    return i - (x < (double)i);
}

// --- one dimension -------------------------------------------------------------------------------

// The element that stands at place i of N; i is at most N beyond an end.
INSIDE_KERNELS int place(long long i, long long N, cudaTextureAddressMode mode, bool normalized)
{
    if (i >= 0 && i < N)
    {
        return (int)i;
    }
    if (mode == cudaAddressModeBorder)
    {
        return NOWHERE;
    }
    if (normalized && mode == cudaAddressModeWrap)
    {
        return (int)((i % N + N) % N);
    }
    if (normalized && mode == cudaAddressModeMirror)
    {
        const long long inside = (i % (2 * N) + 2 * N) % (2 * N);
        return (int)(inside < N ? inside : 2 * N - 1 - inside);
    }
    return (int)(i < 0 ? 0 : N - 1);
}

// Where a coordinate lies, counted in elements.
static inline double unfold(float coordinate, long long N, cudaTextureAddressMode mode,
                            bool normalized)
{
    double x = coordinate;
    if (!normalized && fabs(x) < 0x1p30)
    {
        return x;
    }
    if (!(fabs(x) <= 1e18)) // nor is it a number
    {
        x = x > 0.0 ? 1e18 : x < 0.0 ? -1e18 : 0.0;
    }
    if (normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
    {
        const long long whole = floor_of(x);
        x -= (double)whole;
        x = mode == cudaAddressModeMirror && (whole & 1) != 0 ? 1.0 - x : x;
    }
    x = normalized ? x * (double)N : x;
    const double far = 2.0 * (double)N + 2.0;
    return x < -far ? -far : x > far ? far : x;
}

INSIDE_KERNELS Neighbours find_neighbours(const Texture *t, int dimension, float coordinate)
{
    const long long N = (long long)t->size[dimension];
    const cudaTextureAddressMode mode = t->how.addressMode[dimension];
    const bool normalized = t->how.normalizedCoords != 0;
    const double x = unfold(coordinate, N, mode, normalized);
    if (t->how.filterMode != cudaFilterModeLinear)
    {
        const int at = place(floor_of(x), N, mode, normalized);
        return (Neighbours){{at, at}, 0};
    }
    const long long fixed = floor_of((x - 0.5) * ONE + 0.5);
    const long long first = fixed >> 8;
    return (Neighbours){{place(first, N, mode, normalized), place(first + 1, N, mode, normalized)},
                        (unsigned)(fixed & (ONE - 1))};
}

// --- elements ------------------------------------------------------------------------------------

static inline cudacpu_Texel element(const Texture *t, int x, int y, int z, size_t layer,
                                    const void *pc)
{
    if (x == NOWHERE || y == NOWHERE || z == NOWHERE)
    {
        return t->border;
    }
    const char *at = t->data + ((size_t)z + layer) * t->slice + (size_t)y * t->pitch +
                     (size_t)x * t->format.bytes;
    check_access(at, t->format.bytes, false, pc);
    if (t->format.type == FLOAT_32 && t->format.num_channels == 1)
    {
        cudacpu_Texel texel = {{0, 0, 0, 0x3f800000}};
        memcpy(&texel.channel[0], at, sizeof(float));
        return texel;
    }
    return texel_read(&t->format, at, t->normalized, t->how.sRGB != 0);
}

typedef struct Sum
{
    double channel[4];
} Sum;

static inline float float_of(unsigned bits)
{
    float x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static inline unsigned bits_of(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

static inline void add(const Texture *t, Sum *sum, cudacpu_Texel texel, double weight)
{
    for (unsigned i = 0; i < t->format.num_channels; ++i)
    {
        sum->channel[i] += weight * float_of(texel.channel[i]);
    }
}

// The channels that the format lacks are 0, and the fourth is 1.
static inline cudacpu_Texel texel_of(const Texture *t, const Sum *sum)
{
    cudacpu_Texel texel = {{0, 0, 0, bits_of(1.0f)}};
    for (unsigned i = 0; i < t->format.num_channels; ++i)
    {
        texel.channel[i] = bits_of((float)sum->channel[i]);
    }
    return texel;
}

static const Neighbours FIRST = {{0, 0}, 0};

// What has no weight is not read.
INSIDE_KERNELS cudacpu_Texel mix(const Texture *t, Neighbours x, Neighbours y, Neighbours z,
                                 size_t layer, const void *pc)
{
    if (x.weight == 0 && y.weight == 0 && z.weight == 0)
    {
        return element(t, x.at[0], y.at[0], z.at[0], layer, pc);
    }
    Sum sum = {{0.0}};
    for (int k = 0; k <= (z.weight != 0); ++k)
    {
        const unsigned wz = k == 0 ? ONE - z.weight : z.weight;
        for (int j = 0; j <= (y.weight != 0); ++j)
        {
            const unsigned wy = wz * (j == 0 ? ONE - y.weight : y.weight);
            for (int i = 0; i <= (x.weight != 0); ++i)
            {
                const unsigned weight = wy * (i == 0 ? ONE - x.weight : x.weight);
                add(t, &sum, element(t, x.at[i], y.at[j], z.at[k], layer, pc), weight * 0x1p-24);
            }
        }
    }
    return texel_of(t, &sum);
}

// The same in a box of eight elements. Each of their weights has eight bits: the weights along x are
// shared out along y, and these along z, each time rounded to eight bits. That gives what an H200 gave
// for weights of 1/16. (Products of two such weights have eight bits, so a plane and the first step
// were not seen to be rounded.)
INSIDE_KERNELS cudacpu_Texel mix_box(const Texture *t, Neighbours x, Neighbours y, Neighbours z,
                                     const void *pc)
{
    if (x.weight == 0 && y.weight == 0 && z.weight == 0)
    {
        return element(t, x.at[0], y.at[0], z.at[0], 0, pc);
    }
    Sum sum = {{0.0}};
    for (int n = 0; n < 8; ++n)
    {
        const int i = n & 1, j = n >> 1 & 1, k = n >> 2;
        const unsigned of_x = i == 0 ? ONE - x.weight : x.weight;
        const unsigned second_y = (of_x * y.weight + ONE / 2) / ONE;
        const unsigned of_y = j == 0 ? of_x - second_y : second_y;
        const unsigned second_z = (of_y * z.weight + ONE / 2) / ONE;
        const unsigned weight = k == 0 ? of_y - second_z : second_z;
        if (weight != 0)
        {
            add(t, &sum, element(t, x.at[i], y.at[j], z.at[k], 0, pc), weight * 0x1p-8);
        }
    }
    return texel_of(t, &sum);
}

// --- one and two dimensions, layers --------------------------------------------------------------

// An index of a layer is cut off at both ends.
INSIDE_KERNELS size_t layer_of(const Texture *t, int layer)
{
    const size_t most = t->num_layers > 0 ? t->num_layers - 1 : 0;
    return layer < 0 ? 0 : (size_t)layer > most ? most : (size_t)layer;
}

// For a GPU a line is a single row that is read along its upper edge. With the border's color above
// it, half of each value is that (as seen on an H100).
INSIDE_KERNELS Neighbours edge_of_line(const Texture *t)
{
    const bool half = t->dimensions == 1 && t->how.filterMode == cudaFilterModeLinear &&
                      t->how.addressMode[1] == cudaAddressModeBorder;
    return half ? (Neighbours){{NOWHERE, 0}, ONE / 2} : FIRST;
}

INSIDE_KERNELS cudacpu_Texel sample_line(const Texture *t, float x, size_t layer, const void *pc)
{
    return mix(t, find_neighbours(t, 0, x), edge_of_line(t), FIRST, layer, pc);
}

INSIDE_KERNELS cudacpu_Texel sample_plane(const Texture *t, float x, float y, size_t layer,
                                          const void *pc)
{
    return mix(t, find_neighbours(t, 0, x), find_neighbours(t, 1, y), FIRST, layer, pc);
}

// --- cubemaps ------------------------------------------------------------------------------------

// A place on the cube: the face, and where on it, from -1 to 1.
typedef struct OnCube
{
    int face;
    double s, t;
} OnCube;

INSIDE_KERNELS OnCube on_cube(double x, double y, double z)
{
    const double ax = fabs(x), ay = fabs(y), az = fabs(z);
    if (ax >= ay && ax >= az)
    {
        return x >= 0.0 ? (OnCube){0, -z / ax, -y / ax} : (OnCube){1, z / ax, -y / ax};
    }
    if (ay >= az)
    {
        return y >= 0.0 ? (OnCube){2, x / ay, z / ay} : (OnCube){3, x / ay, -z / ay};
    }
    return z >= 0.0 ? (OnCube){4, x / az, -y / az} : (OnCube){5, -x / az, -y / az};
}

// The other way round: a direction that leads to it.
INSIDE_KERNELS OnCube beside_face(OnCube at)
{
    switch (at.face)
    {
    case 0:
        return on_cube(1.0, -at.t, -at.s);
    case 1:
        return on_cube(-1.0, -at.t, at.s);
    case 2:
        return on_cube(at.s, 1.0, at.t);
    case 3:
        return on_cube(at.s, -1.0, -at.t);
    case 4:
        return on_cube(at.s, -at.t, 1.0);
    default:
        return on_cube(-at.s, -at.t, -1.0);
    }
}

// Element (i, j) of a face, where i or j may be one beyond its end: then it is one of the face there.
INSIDE_KERNELS cudacpu_Texel element_of_cube(const Texture *t, size_t first_face, int face, int i,
                                             int j, const void *pc)
{
    const int N = (int)t->size[0];
    if (i >= 0 && i < N && j >= 0 && j < N)
    {
        return element(t, i, j, 0, first_face + (size_t)face, pc);
    }
    const OnCube at = beside_face(
        (OnCube){face, (2.0 * i + 1.0 - N) / (double)N, (2.0 * j + 1.0 - N) / (double)N});
    const int column = (int)((at.s + 1.0) / 2.0 * N), row = (int)((at.t + 1.0) / 2.0 * N);
    return element(t, column < N ? column : N - 1, row < N ? row : N - 1, 0,
                   first_face + (size_t)at.face, pc);
}

// Three faces meet at a corner, so the fourth element there is the mean of the other three.
INSIDE_KERNELS void add_element_of_cube(Sum *sum, const Texture *t, size_t first_face, int face,
                                        int i, int j, double weight, const void *pc)
{
    const int N = (int)t->size[0];
    const int inner_i = i < 0 ? 0 : i < N ? i : N - 1, inner_j = j < 0 ? 0 : j < N ? j : N - 1;
    if (i == inner_i || j == inner_j)
    {
        add(t, sum, element_of_cube(t, first_face, face, i, j, pc), weight);
        return;
    }
    add(t, sum, element_of_cube(t, first_face, face, inner_i, inner_j, pc), weight / 3.0);
    add(t, sum, element_of_cube(t, first_face, face, i, inner_j, pc), weight / 3.0);
    add(t, sum, element_of_cube(t, first_face, face, inner_i, j, pc), weight / 3.0);
}

INSIDE_KERNELS cudacpu_Texel sample_across_faces(const Texture *t, OnCube at, size_t first_face,
                                                 const void *pc)
{
    const double N = (double)t->size[0];
    const long long x = floor_of(((at.s + 1.0) / 2.0 * N - 0.5) * ONE + 0.5);
    const long long y = floor_of(((at.t + 1.0) / 2.0 * N - 0.5) * ONE + 0.5);
    const unsigned wx = (unsigned)(x & (ONE - 1)), wy = (unsigned)(y & (ONE - 1));
    Sum sum = {{0.0}};
    for (int n = 0; n < 4; ++n)
    {
        const unsigned weight = (n & 1 ? wx : ONE - wx) * (n & 2 ? wy : ONE - wy);
        if (weight != 0)
        {
            add_element_of_cube(&sum, t, first_face, at.face, (int)(x >> 8) + (n & 1),
                                (int)(y >> 8) + (n >> 1), weight * 0x1p-16, pc);
        }
    }
    return texel_of(t, &sum);
}

INSIDE_KERNELS cudacpu_Texel sample_cube(const Texture *t, float x, float y, float z, size_t cube,
                                         const void *pc)
{
    const OnCube at = on_cube(x, y, z);
    if (t->how.seamlessCubemap && t->how.filterMode == cudaFilterModeLinear)
    {
        return sample_across_faces(t, at, 6 * cube, pc);
    }
    return sample_plane(t, (float)((at.s + 1.0) / 2.0), (float)((at.t + 1.0) / 2.0),
                        6 * cube + (size_t)at.face, pc);
}

// --- what kernels call ---------------------------------------------------------------------------

INSIDE_KERNELS bool fits(const Texture *t, int type)
{
    const bool is_layered = (t->flags & cudaArrayLayered) != 0;
    const bool is_cube = (t->flags & cudaArrayCubemap) != 0;
    const bool is_plain = !is_layered && !is_cube;
    switch (type)
    {
    case cudaTextureType1D: // a 2-D array's first row, too
    case cudaTextureType2D: // an array of one dimension is one row
        return is_plain && t->dimensions <= 2 && t->resource_type != cudaResourceTypeLinear;
    case cudaTextureType3D:
        return is_plain && t->dimensions == 3;
    case cudaTextureType1DLayered:
        return is_layered && !is_cube && t->dimensions == 1;
    case cudaTextureType2DLayered:
        return is_layered && !is_cube && t->dimensions == 2;
    case cudaTextureTypeCubemap:
        return is_cube && !is_layered;
    default:
        return is_cube && is_layered;
    }
}

static const char *name_of_type(int type)
{
    return type == cudaTextureType1D          ? "tex1D"
           : type == cudaTextureType2D        ? "tex2D"
           : type == cudaTextureType3D        ? "tex3D"
           : type == cudaTextureType1DLayered ? "tex1DLayered"
           : type == cudaTextureType2DLayered ? "tex2DLayered"
           : type == cudaTextureTypeCubemap   ? "texCubemap"
                                              : "texCubemapLayered";
}

_Noreturn static void fail_type(const Texture *t, const char *function, const void *pc)
{
    char what[200];
    texture_describe(t, what, sizeof(what));
    texture_fail(pc, cudaErrorLaunchFailure, "%s cannot read this texture, which is %s", function,
                 what);
}

INSIDE_KERNELS const Texture *texture_of(cudaTextureObject_t handle, const void *pc)
{
    const Texture *t = texture_find(handle, TEXTURE);
    if (__builtin_expect(t == NULL, 0))
    {
        texture_fail_object(pc, handle, TEXTURE);
    }
    return t;
}

// tex1Dfetch. What is outside is 0.
CALLED_BY_KERNELS cudacpu_Texel cudacpu_texture_element(cudaTextureObject_t handle, int x)
{
    const Texture *t = texture_of(handle, CALLER);
    if (__builtin_expect(t->resource_type != cudaResourceTypeLinear, 0))
    {
        if (!fits(t, cudaTextureType1D))
        {
            fail_type(t, "tex1Dfetch", CALLER);
        }
    }
    if (x < 0 || (size_t)x >= t->size[0])
    {
        return (cudacpu_Texel){{0, 0, 0, 0}};
    }
    return element(t, x, 0, 0, 0, CALLER);
}

// All other fetches. `type` is one of cudaTextureType1D and so on.
CALLED_BY_KERNELS cudacpu_Texel cudacpu_texture(cudaTextureObject_t handle, int type, float x,
                                                float y, float z, int layer)
{
    const Texture *t = texture_of(handle, CALLER);
    if (__builtin_expect(!fits(t, type), 0))
    {
        fail_type(t, name_of_type(type), CALLER);
    }
    switch (type)
    {
    case cudaTextureType1D:
        return sample_line(t, x, 0, CALLER);
    case cudaTextureType2D:
        return sample_plane(t, x, y, 0, CALLER);
    case cudaTextureType3D:
        return mix_box(t, find_neighbours(t, 0, x), find_neighbours(t, 1, y),
                       find_neighbours(t, 2, z), CALLER);
    case cudaTextureType1DLayered:
        return sample_line(t, x, layer_of(t, layer), CALLER);
    case cudaTextureType2DLayered:
        return sample_plane(t, x, y, layer_of(t, layer), CALLER);
    default:
    {
        const size_t last = t->num_layers / 6 - 1;
        const size_t cube = layer < 0 ? 0 : (size_t)layer < last ? (size_t)layer : last;
        return sample_cube(t, x, y, z, cube, CALLER);
    }
    }
}

// One channel of the four elements around a place: below left, below right, above right, above left,
// where y grows from above to below.
CALLED_BY_KERNELS cudacpu_Texel cudacpu_texture_gather(cudaTextureObject_t handle, float x, float y,
                                                       int channel)
{
    const Texture *t = texture_of(handle, CALLER);
    if (!fits(t, cudaTextureType2D) || (t->flags & cudaArrayTextureGather) == 0)
    {
        char what[200];
        texture_describe(t, what, sizeof(what));
        texture_fail(CALLER, cudaErrorLaunchFailure,
                     "tex2Dgather needs a 2-D array made with cudaArrayTextureGather; this texture "
                     "is %s",
                     what);
    }
    Texture linear = *t; // the elements that a linear filter reads
    linear.how.filterMode = cudaFilterModeLinear;
    const Neighbours nx = find_neighbours(&linear, 0, x), ny = find_neighbours(&linear, 1, y);
    const unsigned which = channel < 0 || channel > 3 ? 0 : (unsigned)channel;
    return (cudacpu_Texel){{element(t, nx.at[0], ny.at[1], 0, 0, CALLER).channel[which],
                            element(t, nx.at[1], ny.at[1], 0, 0, CALLER).channel[which],
                            element(t, nx.at[1], ny.at[0], 0, 0, CALLER).channel[which],
                            element(t, nx.at[0], ny.at[0], 0, 0, CALLER).channel[which]}};
}
