// Texture and surface references, as programs had them until CUDA 12. Filtered values are printed in
// units of 1/256.
#include <cmath>
#include <cstdio>
#include <cstring>

texture<float, 1, cudaReadModeElementType> line;
texture<float, cudaTextureType2D> plane; // the mode may be left out, and so may the type
texture<uchar4, 2, cudaReadModeNormalizedFloat> colors;
texture<int> numbers;
static texture<float4, 3, cudaReadModeElementType> box(1, cudaFilterModeLinear,
                                                       cudaAddressModeWrap);
texture<float, cudaTextureType2DLayered, cudaReadModeElementType> layers;
texture<short2, 1, cudaReadModeElementType> pairs, unused;
surface<void, cudaSurfaceType2D> target;

__global__ void read_line(float *y, int n)
{
    const int i = threadIdx.x;
    if (i < n)
    {
        y[i] = tex1Dfetch(line, i - 1);
    }
}

__global__ void read_plane(float *y)
{
    y[threadIdx.x] = tex2D(plane, 0.5f + 0.25f * threadIdx.x, 1.0f);
}

__device__ float4 color_at(int i)
{
    return tex2D(colors, i + 0.5f, 0.5f);
}

__global__ void read_colors(float4 *y)
{
    y[threadIdx.x] = color_at(threadIdx.x);
}

template <int shift>
__global__ void read_numbers(int *y)
{
    y[threadIdx.x] = tex1Dfetch(numbers, (int)threadIdx.x + shift);
}

__global__ void read_box(float4 *y)
{
    y[threadIdx.x] = tex3D(box, 0.25f + 0.5f * threadIdx.x, 0.25f, 0.25f);
}

__global__ void read_layers(float *y)
{
    y[threadIdx.x] = tex2DLayered(layers, threadIdx.x + 0.5f, 0.5f, (int)threadIdx.x % 2);
}

__global__ void read_pairs(short2 *y)
{
    y[threadIdx.x] = tex1D(pairs, threadIdx.x + 0.5f);
}

__global__ void write_target(int W)
{
    surf2Dwrite((float)(threadIdx.x + 100 * blockIdx.x), target, threadIdx.x * 4, blockIdx.x);
    float value;
    surf2Dread(&value, target, threadIdx.x * 4, blockIdx.x);
    surf2Dwrite(value + surf2Dread<float>(target, threadIdx.x * 4, blockIdx.x), target,
                threadIdx.x * 4, blockIdx.x);
    (void)W;
}

template <class T>
static T *made(int n)
{
    T *x;
    cudaMallocManaged(&x, n * sizeof(T));
    memset((void *)x, 0, n * sizeof(T));
    return x;
}

static void print(const char *name, const float *y, int n)
{
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s:", error == cudaSuccess ? name : cudaGetErrorName(error));
    for (int i = 0; i < n; ++i)
    {
        printf(" %ld", lround(256.0 * y[i]));
    }
    printf("\n");
}

int main()
{
    float h_x[4 * 8];
    for (int i = 0; i < 32; ++i)
    {
        h_x[i] = i * i;
    }
    float *y = made<float>(64), *d_x, *other;
    cudaMalloc(&d_x, sizeof(h_x));
    cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice);

    // Linear memory. The second binding is another one for the second launch only.
    size_t offset = 99;
    cudaMalloc(&other, 4 * sizeof(float));
    cudaMemset(other, 0, 4 * sizeof(float));
    cudaBindTexture(&offset, line, d_x, 8 * sizeof(float));
    read_line<<<1, 10>>>(y, 10);
    cudaBindTexture(NULL, line, other);
    read_line<<<1, 6>>>(y + 16, 6);
    print("linear", y, 10);
    print("bound again", y + 16, 6);
    printf("offset %zu, %s\n", offset, cudaGetErrorName(cudaUnbindTexture(line)));

    // An array, with a filter.
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray *array;
    cudaMallocArray(&array, &format, 8, 4);
    cudaMemcpyToArray(array, 0, 0, h_x, sizeof(h_x), cudaMemcpyHostToDevice);
    plane.filterMode = cudaFilterModeLinear;
    plane.addressMode[0] = cudaAddressModeClamp;
    plane.addressMode[1] = cudaAddressModeClamp;
    plane.normalized = false;
    cudaBindTextureToArray(plane, array, format);
    read_plane<<<1, 12>>>(y);
    print("array", y, 12);
    cudaUnbindTexture(plane);
    cudaFreeArray(array);

    // Pitched memory.
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
    uchar4 h_colors[4] = {{0, 51, 102, 153}, {255, 204, 0, 51}, {51, 51, 51, 51}, {102, 0, 0, 255}};
    uchar4 *d_colors;
    size_t pitch;
    cudaMallocPitch(&d_colors, &pitch, sizeof(h_colors), 1);
    cudaMemcpy2D(d_colors, pitch, h_colors, sizeof(h_colors), sizeof(h_colors), 1,
                 cudaMemcpyHostToDevice);
    cudaBindTexture2D(NULL, &colors, d_colors, &bytes, 4, 1, pitch);
    float4 *y4 = made<float4>(16);
    read_colors<<<1, 4>>>(y4);
    print("colors", &y4->x, 16);
    cudaUnbindTexture(&colors);

    // A template, and a reference found by its address.
    int *x = made<int>(8), *z = made<int>(8);
    for (int i = 0; i < 8; ++i)
    {
        x[i] = 10 * i;
    }
    const textureReference *found;
    cudaGetTextureReference(&found, &numbers);
    const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    cudaBindTexture(NULL, found, x, &ints, 8 * sizeof(int));
    read_numbers<3><<<1, 8>>>(z);
    cudaDeviceSynchronize();
    printf("numbers: %d %d %d %d %d %d %d %d\n", z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7]);
    cudaUnbindTexture(numbers);

    // Three dimensions, normalized, by the constructor.
    const cudaChannelFormatDesc format4 = cudaCreateChannelDesc<float4>();
    cudaMalloc3DArray(&array, &format4, make_cudaExtent(2, 2, 2));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(h_x, 2 * sizeof(float4), 2, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(2, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaBindTextureToArray(box, array);
    read_box<<<1, 4>>>(y4);
    print("box", &y4->x, 16);
    cudaUnbindTexture(box);
    cudaFreeArray(array);

    cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 2, 2), cudaArrayLayered);
    copy.srcPtr = make_cudaPitchedPtr(h_x, 4 * sizeof(float), 4, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 2, 2);
    cudaMemcpy3D(&copy);
    cudaBindTextureToArray(layers, array);
    read_layers<<<1, 4>>>(y);
    print("layers", y, 4);
    cudaUnbindTexture(layers);
    cudaFreeArray(array);

    const cudaChannelFormatDesc shorts = cudaCreateChannelDesc<short2>();
    const short2 h_pairs[3] = {{1, -1}, {300, -300}, {32767, -32768}};
    short2 *p = made<short2>(3);
    cudaMallocArray(&array, &shorts, 3, 1); // one row, which tex1D reads
    cudaMemcpyToArray(array, 0, 0, h_pairs, sizeof(h_pairs), cudaMemcpyHostToDevice);
    cudaBindTextureToArray(pairs, array);
    read_pairs<<<1, 3>>>(p);
    cudaDeviceSynchronize();
    printf("pairs: %d %d %d %d %d %d\n", p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y);
    cudaUnbindTexture(pairs);
    cudaFreeArray(array);

    cudaMallocArray(&array, &format, 4, 2, cudaArraySurfaceLoadStore);
    cudaBindSurfaceToArray(target, array);
    write_target<<<2, 4>>>(4);
    cudaMemcpyFromArray(y, array, 0, 0, 8 * sizeof(float), cudaMemcpyDeviceToHost);
    print("surface", y, 8);
    cudaFreeArray(array);

    printf("%s\n",
           cudaGetErrorName(cudaBindTexture(NULL, line, d_x, cudaCreateChannelDesc<float3>())));
    cudaFree(d_x);
    cudaFree(other);
    cudaFree(d_colors);
    cudaFree(x);
    cudaFree(z);
    cudaFree(p);
    cudaFree(y);
    cudaFree(y4);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
