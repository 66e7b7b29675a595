// Arrays, textures and surfaces: what copies, kernels and surfaces write, and who reads it in what
// order.
#include <cstdio>

__global__ void never_written(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 1.5f); // never-written:array
}

// The elements that have no weight are not read: the second row was never written.
__global__ void first_row(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f);
}

__global__ void rows_of_blocks(cudaSurfaceObject_t s)
{
    surf2Dwrite((float)threadIdx.x, s, 4 * threadIdx.x, blockIdx.x);
}

__global__ void row_of_another_block(cudaSurfaceObject_t s, float *y)
{
    surf2Dwrite(1.0f, s, 4 * threadIdx.x, blockIdx.x);         // race:surface
    y[16 * blockIdx.x + threadIdx.x] =                         //
        surf2Dread<float>(s, 4 * threadIdx.x, 1 - blockIdx.x); // race:surface
}

__global__ void neighbour(cudaSurfaceObject_t s)
{
    surf1Dwrite(2, s, 4 * threadIdx.x); // race:line
    const int next = (threadIdx.x + 40) % 64;
    const int value = surf1Dread<int>(s, 4 * next); // race:line
    __syncthreads();
    surf1Dwrite(value + 1, s, 4 * threadIdx.x);
}

__global__ void neighbour_after_a_barrier(cudaSurfaceObject_t s)
{
    surf1Dwrite(2, s, 4 * threadIdx.x);
    __syncthreads();
    const int value = surf1Dread<int>(s, 4 * ((threadIdx.x + 40) % 64));
    __syncthreads();
    surf1Dwrite(value + 1, s, 4 * threadIdx.x);
}

__global__ void write_while_read(cudaTextureObject_t t, cudaSurfaceObject_t s)
{
    const float x = tex2D<float>(t, 15.5f - threadIdx.x, 1.5f - blockIdx.x); // race:both
    surf2Dwrite(x, s, 4 * threadIdx.x, blockIdx.x);                          // race:both
}

__global__ void read(cudaTextureObject_t t, float *y)
{
    y[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); // race:streams
}

__global__ void elements(cudaTextureObject_t t, float *x)
{
    x[threadIdx.x] = tex1Dfetch<float>(t, (threadIdx.x + 40) % 64); // race:linear
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource,
                                      cudaTextureFilterMode filter)
{
    cudaTextureDesc how = {};
    how.filterMode = filter;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    return texture;
}

int main()
{
    const int W = 16, H = 2;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(),
                                ints = cudaCreateChannelDesc<int>();
    cudaArray_t array, line;
    float *y, *pinned;
    cudaMalloc(&y, 64 * sizeof(float));
    cudaMallocHost(&pinned, W * H * sizeof(float));
    for (int n = 0; n < W * H; ++n)
    {
        pinned[n] = n;
    }
    cudaMallocArray(&array, &format, W, H, cudaArraySurfaceLoadStore);
    cudaMallocArray(&line, &ints, 64, 0, cudaArraySurfaceLoadStore);
    const cudaResourceDesc resource = resource_of(array), of_line = resource_of(line);
    const cudaTextureObject_t point = texture_of(resource, cudaFilterModePoint),
                              linear = texture_of(resource, cudaFilterModeLinear);
    cudaSurfaceObject_t surface, line_surface;
    cudaCreateSurfaceObject(&surface, &resource);
    cudaCreateSurfaceObject(&line_surface, &of_line);

    cudaMemcpy2DToArray(array, 0, 0, pinned, W * 4, W * 4, 1, cudaMemcpyHostToDevice);
    first_row<<<1, W>>>(linear, y);
    never_written<<<1, W>>>(point, y);

    // One kernel writes it, and the next one reads it.
    rows_of_blocks<<<H, W>>>(surface);
    first_row<<<1, W>>>(linear, y);
    row_of_another_block<<<H, W>>>(surface, y);
    neighbour<<<1, 64>>>(line_surface);
    neighbour_after_a_barrier<<<1, 64>>>(line_surface);
    write_while_read<<<H, W>>>(point, surface);
    cudaDeviceSynchronize();

    // A copy to the array in one stream, and a kernel in another one.
    cudaStream_t one, other;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    const cudaMemcpyKind kind = cudaMemcpyHostToDevice;
    cudaMemcpy2DToArrayAsync(array, 0, 0, pinned, W * 4, W * 4, H, kind, one); // race:streams
    read<<<1, W, 0, other>>>(point, y);
    cudaStreamSynchronize(one);
    cudaStreamSynchronize(other);

    // A texture of the memory that the kernel writes.
    cudaMemset(y, 0, 64 * sizeof(float));
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = y;
    memory.res.linear.desc = format;
    memory.res.linear.sizeInBytes = 64 * sizeof(float);
    const cudaTextureObject_t same = texture_of(memory, cudaFilterModePoint);
    elements<<<1, 64>>>(same, y);
    cudaDeviceSynchronize();

    cudaDestroyTextureObject(same);
    cudaDestroyTextureObject(point);
    cudaDestroyTextureObject(linear);
    cudaDestroySurfaceObject(surface);
    cudaDestroySurfaceObject(line_surface);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
    cudaFreeArray(array);
    cudaFreeArray(line);
    cudaFreeHost(pinned);
    cudaFree(y);
    return 0;
}
