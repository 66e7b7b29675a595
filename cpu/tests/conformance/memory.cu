// Memory: every way to allocate it, copies and sets of one to three dimensions, variables of the
// device, memory of the host that the device can use, and what the calls say to nonsense.
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
#include "expect.cuh"

__global__ void add_number(int *x, int n, int number)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        x[i] += number;
    }
}

__global__ void number_cells(cudaPitchedPtr box, int width, int height, int depth)
{
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    if (x < width && y < height && z < depth)
    {
        char *row = (char *)box.ptr + (z * box.ysize + y) * box.pitch;
        ((int *)row)[x] += x + 100 * y + 10000 * z;
    }
}

// --- one dimension -------------------------------------------------------------------------------

static bool all_are(const int *x, int n, int value)
{
    for (int i = 0; i < n; ++i)
    {
        if (x[i] != value)
        {
            return false;
        }
    }
    return true;
}

static void try_plain()
{
    const int n = 1000;
    int *d_x = NULL, *d_y = NULL, h_x[n];
    bool right = cudaMalloc(&d_x, sizeof(h_x)) == cudaSuccess &&
                 cudaMalloc((void **)&d_y, sizeof(h_x)) == cudaSuccess;
    right = right && cudaMemset(d_x, 0, sizeof(h_x)) == cudaSuccess;
    add_number<<<(n + 127) / 128, 128>>>(d_x, n, 7);
    right = right && cudaMemcpy(d_y, d_x, sizeof(h_x), cudaMemcpyDeviceToDevice) == cudaSuccess &&
            cudaMemcpy(h_x, d_y, sizeof(h_x), cudaMemcpyDefault) == cudaSuccess;
    check("plain memory", right && all_are(h_x, n, 7));

    right = cudaMemcpyPeer(d_x, 0, d_y, 0, sizeof(h_x)) == cudaSuccess &&
            cudaMemcpyPeerAsync(d_y, 0, d_x, 0, sizeof(h_x)) == cudaSuccess;
    check("peer copies within a device", right);
    right = is_error(cudaMemcpy(d_x, h_x, sizeof(h_x), (cudaMemcpyKind)17),
                     cudaErrorInvalidMemcpyDirection) &&
            is_error(cudaMemcpy(NULL, h_x, sizeof(h_x), cudaMemcpyHostToDevice),
                     cudaErrorInvalidValue) &&
            is_error(cudaMemset(NULL, 0, 4), cudaErrorInvalidValue) &&
            is_error(cudaMalloc((void **)NULL, 4), cudaErrorInvalidValue) &&
            is_error(cudaMalloc(&d_x, (size_t)1 << 60), cudaErrorMemoryAllocation);
    check("nonsense", right);
    right = cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault) == cudaSuccess &&
            cudaFree(d_y) == cudaSuccess && cudaFree(NULL) == cudaSuccess &&
            cudaFreeHost(NULL) == cudaSuccess;
    check("nothing to do", right);
    void *none = &right;
    check("no bytes", cudaMalloc(&none, 0) == cudaSuccess && none == NULL);
}

// --- two and three dimensions ----------------------------------------------------------------------

static void try_2d()
{
    const size_t width = 37, height = 11;
    size_t pitch = 0;
    signed char *d_x = NULL, h_x[height][width], h_y[height][width + 3];
    bool right = cudaMallocPitch(&d_x, &pitch, width, height) == cudaSuccess && pitch >= width &&
                 pitch % 256 == 0 && d_x != NULL;
    check("cudaMallocPitch", right);
    for (size_t i = 0; i < height * width; ++i)
    {
        h_x[i / width][i % width] = (signed char)(i % 101);
    }
    memset(h_y, -1, sizeof(h_y));
    right = cudaMemcpy2D(d_x, pitch, h_x, width, width, height, cudaMemcpyHostToDevice) ==
                cudaSuccess &&
            cudaMemset2D(d_x + pitch + 1, pitch, 99, 5, 2) == cudaSuccess &&
            cudaMemcpy2DAsync(h_y, width + 3, d_x, pitch, width, height, cudaMemcpyDeviceToHost) ==
                cudaSuccess &&
            cudaDeviceSynchronize() == cudaSuccess;
    for (size_t y = 0; y < height; ++y)
    {
        for (size_t x = 0; x < width + 3; ++x)
        {
            const bool set = (y == 1 || y == 2) && x >= 1 && x < 6;
            const int wanted = x >= width ? -1 : set ? 99 : (int)((y * width + x) % 101);
            right = right && h_y[y][x] == wanted;
        }
    }
    check("two dimensions", right);
    right =
        is_error(cudaMemcpy2D(d_x, width - 1, h_x, width, width, height, cudaMemcpyHostToDevice),
                 cudaErrorInvalidPitchValue);
    check("a pitch less than the width", right);
    cudaFree(d_x);
}

static void try_3d()
{
    const int width = 5, height = 4, depth = 3;
    cudaPitchedPtr d_box;
    const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
    bool right = cudaMalloc3D(&d_box, extent) == cudaSuccess && d_box.ysize == (size_t)height &&
                 d_box.xsize == width * sizeof(int) &&
                 cudaMemset3D(d_box, 0, extent) == cudaSuccess;
    number_cells<<<dim3(height, depth), 32>>>(d_box, width, height, depth);
    // All of it, then a part into the middle of a larger box.
    static int h_all[3][4][5], h_part[6][6][6];
    cudaMemcpy3DParms p = {};
    p.srcPtr = d_box;
    p.dstPtr = make_cudaPitchedPtr(h_all, sizeof(h_all[0][0]), width, height);
    p.extent = extent;
    p.kind = cudaMemcpyDeviceToHost;
    right = right && cudaMemcpy3D(&p) == cudaSuccess;
    p.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    p.dstPtr = make_cudaPitchedPtr(h_part, sizeof(h_part[0][0]), 6, 6);
    p.dstPos = make_cudaPos(1 * sizeof(int), 2, 3);
    p.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
    right =
        right && cudaMemcpy3DAsync(&p, 0) == cudaSuccess && cudaStreamSynchronize(0) == cudaSuccess;
    for (int i = 0; i < width * height * depth; ++i)
    {
        const int x = i % width, y = i / width % height, z = i / width / height;
        right = right && h_all[z][y][x] == x + 100 * y + 10000 * z;
    }
    for (int i = 0; i < 6 * 6 * 6; ++i)
    {
        const int x = i % 6, y = i / 6 % 6, z = i / 36;
        const bool inside = x >= 1 && x < 4 && y >= 2 && y < 4 && z >= 3 && z < 5;
        const int wanted = inside ? (x + 1) + 100 * (y - 1) + 10000 * (z - 2) : 0;
        right = right && h_part[z][y][x] == wanted;
    }
    check("three dimensions", right);
    cudaFree(d_box.ptr);
}

// --- memory of the host --------------------------------------------------------------------------

static void try_pinned()
{
    const int n = 500;
    int *h_x = NULL, *d_x = NULL;
    unsigned int flags = 0;
    bool right = cudaHostAlloc(&h_x, n * sizeof(int),
                               cudaHostAllocMapped | cudaHostAllocPortable) == cudaSuccess &&
                 cudaHostGetDevicePointer(&d_x, h_x, 0) == cudaSuccess &&
                 cudaHostGetFlags(&flags, h_x) == cudaSuccess && flags & cudaHostAllocMapped &&
                 flags & cudaHostAllocPortable;
    memset(h_x, 0, n * sizeof(int));
    add_number<<<4, 128>>>(d_x, n, 3);
    right = right && cudaDeviceSynchronize() == cudaSuccess && all_are(h_x, n, 3);
    check("mapped memory", right);
    cudaPointerAttributes attributes;
    right = cudaPointerGetAttributes(&attributes, h_x + 1) == cudaSuccess &&
            attributes.type == cudaMemoryTypeHost && attributes.hostPointer == h_x + 1;
    check("its attributes", right);
    check("cudaFreeHost", cudaFreeHost(h_x) == cudaSuccess);
    check("unknown flags", is_error(cudaHostAlloc(&h_x, 4, 0xff00), cudaErrorInvalidValue));

    int *h_y = (int *)calloc(4096, sizeof(int)), *d_y = NULL;
    right = cudaHostRegister(h_y, 4096 * sizeof(int), cudaHostRegisterMapped) == cudaSuccess &&
            cudaHostGetDevicePointer(&d_y, h_y, 0) == cudaSuccess;
    add_number<<<32, 128>>>(d_y, 4096, 11);
    right = right && cudaDeviceSynchronize() == cudaSuccess && all_are(h_y, 4096, 11);
    check("registered memory", right);
    right = is_error(cudaHostRegister(h_y, 4096 * sizeof(int), 0),
                     cudaErrorHostMemoryAlreadyRegistered) &&
            cudaHostUnregister(h_y) == cudaSuccess &&
            is_error(cudaHostUnregister(h_y), cudaErrorHostMemoryNotRegistered);
    check("registered twice", right);
    free(h_y);
}

// --- managed memory --------------------------------------------------------------------------------

__managed__ int managed_number = 5;
__device__ int device_numbers[4] = {1, 2, 3, 4};
__constant__ int constant_number;

__global__ void use_variables(int *sum)
{
    managed_number += constant_number;
    for (int i = 0; i < 4; ++i)
    {
        *sum += device_numbers[i];
    }
}

// What has been advised can be asked for. The array is four megabytes, and the advice is about its
// first half or all of it.
static void try_advice()
{
    const size_t bytes = 4 << 20, half = bytes / 2;
    char *x = NULL;
#if CUDART_VERSION >= 13000
    cudaMemLocation device = {}, host = {};
    device.type = cudaMemLocationTypeDevice;
    host.type = cudaMemLocationTypeHost;
#else
    const int device = 0, host = cudaCpuDeviceId;
#endif
    const auto asked = [&x](cudaMemRangeAttribute which, size_t from, size_t length)
    {
        int value = -77;
        const cudaError_t error =
            cudaMemRangeGetAttribute(&value, sizeof(value), which, x + from, length);
        return error == cudaSuccess ? value : -99;
    };
    const cudaMemRangeAttribute mostly = cudaMemRangeAttributeReadMostly,
                                preferred = cudaMemRangeAttributePreferredLocation,
                                last = cudaMemRangeAttributeLastPrefetchLocation,
                                accessed = cudaMemRangeAttributeAccessedBy;
    bool right = cudaMallocManaged(&x, bytes) == cudaSuccess && asked(mostly, 0, bytes) == 0 &&
                 asked(preferred, 0, bytes) == cudaInvalidDeviceId &&
                 asked(last, 0, bytes) == cudaInvalidDeviceId &&
                 asked(accessed, 0, bytes) == cudaInvalidDeviceId;
    check("no advice yet", right);
    right = cudaMemAdvise(x, half, cudaMemAdviseSetReadMostly, device) == cudaSuccess &&
            asked(mostly, 0, half) == 1 && asked(mostly, half, half) == 0 &&
            asked(mostly, 0, bytes) == 0 &&
            cudaMemAdvise(x, bytes, cudaMemAdviseUnsetReadMostly, device) == cudaSuccess &&
            asked(mostly, 0, half) == 0;
    check("mostly read", right);
    right = cudaMemAdvise(x, bytes, cudaMemAdviseSetPreferredLocation, device) == cudaSuccess &&
            asked(preferred, 0, bytes) == 0 &&
            cudaMemAdvise(x, half, cudaMemAdviseSetPreferredLocation, host) == cudaSuccess &&
            asked(preferred, 0, half) == cudaCpuDeviceId && asked(preferred, half, half) == 0 &&
            asked(preferred, 0, bytes) == cudaInvalidDeviceId &&
            cudaMemAdvise(x, bytes, cudaMemAdviseUnsetPreferredLocation, device) == 0 &&
            asked(preferred, 0, half) == cudaInvalidDeviceId;
    check("where it should be", right);
    int list[3] = {};
    right = cudaMemAdvise(x, bytes, cudaMemAdviseSetAccessedBy, device) == cudaSuccess &&
            cudaMemRangeGetAttribute(list, sizeof(list), accessed, x, bytes) == cudaSuccess &&
            list[0] == 0 && list[1] == cudaInvalidDeviceId && list[2] == cudaInvalidDeviceId &&
            cudaMemAdvise(x, half, cudaMemAdviseUnsetAccessedBy, device) == cudaSuccess &&
            asked(accessed, 0, bytes) == cudaInvalidDeviceId && asked(accessed, half, half) == 0;
    check("who accesses it", right);
#if CUDART_VERSION >= 13000
    right = cudaMemPrefetchAsync(x, bytes, device, 0) == cudaSuccess &&
            asked(last, 0, bytes) == 0 && cudaMemPrefetchAsync(x, half, host, 0) == cudaSuccess &&
#else
    right = cudaMemPrefetchAsync(x, bytes, device) == cudaSuccess && asked(last, 0, bytes) == 0 &&
            cudaMemPrefetchAsync(x, half, host) == cudaSuccess &&
#endif
            asked(last, 0, half) == cudaCpuDeviceId && asked(last, half, half) == 0 &&
            asked(last, 0, bytes) == cudaInvalidDeviceId;
    check("where it was sent", right && cudaDeviceSynchronize() == cudaSuccess);
    check("the size of an answer",
          is_error(cudaMemRangeGetAttribute(list, 3, mostly, x, bytes), cudaErrorInvalidValue));
    cudaFree(x);
}

static void try_managed()
{
    const int n = 300;
    int *x = NULL;
    bool right = cudaMallocManaged(&x, n * sizeof(int)) == cudaSuccess;
    for (int i = 0; i < n; ++i)
    {
        x[i] = 1;
    }
    add_number<<<3, 128>>>(x, n, 41);
    right = right && cudaDeviceSynchronize() == cudaSuccess && all_are(x, n, 42);
    check("managed memory", right);
    cudaPointerAttributes attributes;
    check("its type", cudaPointerGetAttributes(&attributes, x) == cudaSuccess &&
                          attributes.type == cudaMemoryTypeManaged);
#if CUDART_VERSION >= 13000
    cudaMemLocation device = {};
    device.type = cudaMemLocationTypeDevice;
    right = cudaMemAdvise(x, n * sizeof(int), cudaMemAdviseSetReadMostly, device) == cudaSuccess &&
            cudaMemPrefetchAsync(x, n * sizeof(int), device, 0) == cudaSuccess;
#else
    right = cudaMemAdvise(x, n * sizeof(int), cudaMemAdviseSetReadMostly, 0) == cudaSuccess &&
            cudaMemPrefetchAsync(x, n * sizeof(int), 0) == cudaSuccess;
#endif
    check("advice and prefetch", right && cudaDeviceSynchronize() == cudaSuccess);
    check("no managed bytes", cudaMallocManaged(&x, 0) == cudaSuccess);
    try_advice();
}

static void try_symbols()
{
    int *d_sum = NULL, sum = 0, numbers[4];
    const int two[] = {20, 30}, six = 6;
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(int));
    bool right = cudaMemcpyToSymbol(constant_number, &six, sizeof(six)) == cudaSuccess &&
                 cudaMemcpyToSymbol(device_numbers, two, sizeof(two), sizeof(int)) == cudaSuccess &&
                 cudaMemcpyFromSymbol(numbers, device_numbers, sizeof(numbers)) == cudaSuccess &&
                 numbers[0] == 1 && numbers[1] == 20 && numbers[2] == 30 && numbers[3] == 4;
    use_variables<<<1, 1>>>(d_sum);
    cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost);
    check("symbols", right && sum == 55 && managed_number == 11);

    int *d_numbers = NULL;
    size_t bytes = 0;
    right = cudaGetSymbolAddress((void **)&d_numbers, device_numbers) == cudaSuccess &&
            cudaGetSymbolSize(&bytes, device_numbers) == cudaSuccess && bytes == 4 * sizeof(int);
    add_number<<<1, 32>>>(d_numbers, 4, 1);
    right =
        right &&
        cudaMemcpy(numbers, d_numbers, sizeof(numbers), cudaMemcpyDeviceToHost) == cudaSuccess &&
        numbers[0] == 2 && numbers[3] == 5;
    check("a symbol's address and size", right);
    right = is_error(cudaMemcpyToSymbol(device_numbers, numbers, 8, 12), cudaErrorInvalidValue) &&
            is_error(cudaMemcpyFromSymbol(numbers, device_numbers, 4, 0, cudaMemcpyHostToDevice),
                     cudaErrorInvalidMemcpyDirection);
    check("beyond a symbol", right);
    cudaFree(d_sum);
}

// --- in the order of a stream ----------------------------------------------------------------------

static void try_stream_ordered()
{
    const int n = 256;
    int *d_x = NULL, *h_x = NULL;
    cudaStream_t stream;
    cudaMemPool_t pool;
    cudaMallocHost(&h_x, n * sizeof(int));
    cudaStreamCreate(&stream);
    bool right = cudaMallocAsync(&d_x, n * sizeof(int), stream) == cudaSuccess &&
                 cudaMemsetAsync(d_x, 0, n * sizeof(int), stream) == cudaSuccess;
    add_number<<<2, 128, 0, stream>>>(d_x, n, 9);
    right =
        right &&
        cudaMemcpyAsync(h_x, d_x, n * sizeof(int), cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
        cudaFreeAsync(d_x, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess &&
        all_are(h_x, n, 9);
    check("stream-ordered memory", right);
    unsigned long long keep = 1 << 20, kept = 0;
    right = cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
            cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess &&
            cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) == cudaSuccess &&
            kept == keep && cudaMallocFromPoolAsync(&d_x, 64, pool, stream) == cudaSuccess &&
            cudaFree(d_x) == cudaSuccess && cudaMemPoolTrimTo(pool, 0) == cudaSuccess;
    check("the default pool", right);
    cudaStreamDestroy(stream);
    cudaFreeHost(h_x);
}

int main()
{
    try_plain();
    try_2d();
    try_3d();
    try_pinned();
    try_managed();
    try_symbols();
    try_stream_ordered();
    return num_wrong != 0;
}
