// Textures of floats: both filters, the four address modes, normalized coordinates or not, in arrays
// of one to three dimensions and in pitched memory. Filtered values are printed in units of 1/256.
// They are also compared with a model: 1/256 of the neighbours' difference may be between them.
#include <cuda_runtime.h>
#include <math.h>
#include <stdlib.h>
#include "expect.cuh"

const int W = 8, H = 4, D = 2, NUM = 16, NUM_RANDOM = 2000;
const cudaTextureAddressMode MODES[4] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                         cudaAddressModeMirror, cudaAddressModeBorder};
const char *const MODE_NAMES[4] = {"wrap", "clamp", "mirror", "border"};

static float cells[D][H][W];

static cudaTextureObject_t make_texture(const cudaResourceDesc &resource, int mode, bool linear,
                                        bool normalized, float border, bool is_line)
{
    cudaTextureDesc how = {};
    for (int i = 0; i < 3; ++i)
    {
        how.addressMode[i] = is_line && i > 0 ? cudaAddressModeClamp : MODES[mode];
        how.borderColor[i] = border;
    }
    how.borderColor[3] = border;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    how.normalizedCoords = normalized;
    cudaTextureObject_t texture = 0;
    if (cudaCreateTextureObject(&texture, &resource, &how, NULL) != cudaSuccess)
    {
        check("a texture is made", false);
    }
    return texture;
}

__global__ void sample(cudaTextureObject_t texture, int dimensions, const float4 *at, float *values,
                       int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        values[i] = dimensions == 1   ? tex1D<float>(texture, at[i].x)
                    : dimensions == 2 ? tex2D<float>(texture, at[i].x, at[i].y)
                                      : tex3D<float>(texture, at[i].x, at[i].y, at[i].z);
    }
}

// --- the model -----------------------------------------------------------------------------------

struct Around
{
    int at[2]; // -1: the border's color
    double weight;
};

static int place(int i, int N, int mode, bool normalized)
{
    if (i >= 0 && i < N)
    {
        return i;
    }
    if (mode == 3)
    {
        return -1;
    }
    if (normalized && mode == 0)
    {
        return ((i % N) + N) % N;
    }
    if (normalized && mode == 2)
    {
        const int inside = ((i % (2 * N)) + 2 * N) % (2 * N);
        return inside < N ? inside : 2 * N - 1 - inside;
    }
    return i < 0 ? 0 : N - 1;
}

static Around around(float coordinate, int N, int mode, bool linear, bool normalized)
{
    const double x = normalized ? (double)coordinate * N : coordinate;
    const double xB = linear ? x - 0.5 : x;
    const int i = (int)floor(xB);
    return {{place(i, N, mode, normalized), place(i + 1, N, mode, normalized)},
            linear ? xB - i : 0.0};
}

// The value there, and in *difference the largest one between the cells around.
static double model(float4 at, int dimensions, int mode, bool linear, bool normalized, float border,
                    double *difference)
{
    const Around x = around(at.x, W, mode, linear, normalized);
    const Around none = {{0, 0}, 0.0};
    const Around y = dimensions > 1 ? around(at.y, H, mode, linear, normalized) : none;
    const Around z = dimensions > 2 ? around(at.z, D, mode, linear, normalized) : none;
    double sum = 0.0, least = 1e30, most = -1e30;
    for (int n = 0; n < 8; ++n)
    {
        const int i = x.at[n & 1], j = y.at[n >> 1 & 1], k = z.at[n >> 2];
        const double weight = (n & 1 ? x.weight : 1 - x.weight) *
                              (n >> 1 & 1 ? y.weight : 1 - y.weight) *
                              (n >> 2 ? z.weight : 1 - z.weight);
        const double cell = i < 0 || j < 0 || k < 0 ? border : cells[k][j][i];
        sum += weight * cell;
        least = fmin(least, cell);
        most = fmax(most, cell);
    }
    *difference = most - least;
    return sum;
}

static float random_unit()
{
    return (float)rand() / (float)RAND_MAX;
}

// --- one texture ---------------------------------------------------------------------------------

static float4 *places, *random_places;
static float *values;

static void try_texture(const char *name, const cudaResourceDesc &resource, int dimensions,
                        int mode, bool linear, bool normalized)
{
    const float border = mode == 3 ? 5.0f : 0.0f;
    const cudaTextureObject_t texture =
        make_texture(resource, mode, linear, normalized, border, dimensions == 1);
    // Places from 6 before the start to 9 behind the end, in steps that are no whole numbers.
    for (int i = 0; i < NUM; ++i)
    {
        const float x = -6.0f + 1.625f * i + 0.0625f, y = -3.0f + 0.75f * i + 0.0625f,
                    z = -1.5f + 0.375f * i + 0.0625f;
        places[i] =
            normalized ? make_float4(x / W, y / H, z / D, 0.0f) : make_float4(x, y, z, 0.0f);
    }
    sample<<<1, NUM>>>(texture, dimensions, places, values, NUM);
    cudaDeviceSynchronize();
    printf("%s %s%s%s:", name, MODE_NAMES[mode], linear ? " linear" : "",
           normalized ? " normalized" : "");
    for (int i = 0; i < NUM; ++i)
    {
        printf(" %ld", lround(256.0 * values[i]));
    }
    printf("\n");

    for (int i = 0; i < NUM_RANDOM; ++i)
    {
        const float x = 24.0f * random_unit() - 8.0f, y = 12.0f * random_unit() - 4.0f,
                    z = 6.0f * random_unit() - 2.0f;
        random_places[i] =
            normalized ? make_float4(x / W, y / H, z / D, 0.0f) : make_float4(x, y, z, 0.0f);
    }
    sample<<<(NUM_RANDOM + 127) / 128, 128>>>(texture, dimensions, random_places, values,
                                              NUM_RANDOM);
    const bool ran = cudaDeviceSynchronize() == cudaSuccess;
    int num_off = 0;
    for (int i = 0; i < NUM_RANDOM; ++i)
    {
        double difference;
        const double wanted =
            model(random_places[i], dimensions, mode, linear, normalized, border, &difference);
        num_off += !(fabs(values[i] - wanted) <= dimensions * difference / 256.0 + 1e-3);
    }
    // A place that lies on the edge of two cells may round to either one.
    check("  as the model has it", ran && num_off <= (linear ? 0 : 2));
    cudaDestroyTextureObject(texture);
}

static void try_resource(const char *name, const cudaResourceDesc &resource, int dimensions)
{
    for (int mode = 0; mode < 4; ++mode)
    {
        for (int how = 0; how < 4; ++how)
        {
            try_texture(name, resource, dimensions, mode, how & 1, how >> 1);
        }
    }
}

int main()
{
    cudaMallocManaged(&places, NUM * sizeof(*places));
    cudaMallocManaged(&random_places, NUM_RANDOM * sizeof(*random_places));
    cudaMallocManaged(&values, NUM_RANDOM * sizeof(*values));
    for (int k = 0; k < D; ++k)
    {
        for (int j = 0; j < H; ++j)
        {
            for (int i = 0; i < W; ++i)
            {
                const int n = (k * H + j) * W + i;
                cells[k][j][i] = (n * n * 7 + 3 * n) % 50; // neighbours differ by any numbers
            }
        }
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaArray_t array;

    bool right = cudaMallocArray(&array, &format, W) == cudaSuccess &&
                 cudaMemcpy2DToArray(array, 0, 0, cells, sizeof(cells[0][0]), sizeof(cells[0][0]),
                                     1, cudaMemcpyHostToDevice) == cudaSuccess;
    check("a 1-D array", right);
    resource.res.array.array = array;
    try_resource("1-D", resource, 1);
    cudaFreeArray(array);

    right = cudaMallocArray(&array, &format, W, H) == cudaSuccess &&
            cudaMemcpy2DToArray(array, 0, 0, cells, sizeof(cells[0][0]), sizeof(cells[0][0]), H,
                                cudaMemcpyHostToDevice) == cudaSuccess;
    check("a 2-D array", right);
    resource.res.array.array = array;
    try_resource("2-D", resource, 2);
    cudaFreeArray(array);

    cudaMemcpy3DParms copy = {};
    right = cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, D)) == cudaSuccess;
    copy.srcPtr = make_cudaPitchedPtr(cells, sizeof(cells[0][0]), W, H);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(W, H, D);
    copy.kind = cudaMemcpyHostToDevice;
    right = right && cudaMemcpy3D(&copy) == cudaSuccess;
    check("a 3-D array", right);
    resource.res.array.array = array;
    try_resource("3-D", resource, 3);
    cudaFreeArray(array);

    void *memory;
    size_t pitch;
    right = cudaMallocPitch(&memory, &pitch, W * sizeof(float), H) == cudaSuccess &&
            cudaMemcpy2D(memory, pitch, cells, sizeof(cells[0][0]), sizeof(cells[0][0]), H,
                         cudaMemcpyHostToDevice) == cudaSuccess;
    check("pitched memory", right);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = W;
    resource.res.pitch2D.height = H;
    resource.res.pitch2D.pitchInBytes = pitch;
    try_resource("pitched", resource, 2);

    cudaFree(memory);
    cudaFree(places);
    cudaFree(random_places);
    cudaFree(values);
    return num_wrong > 0;
}
