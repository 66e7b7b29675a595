// The rest of the runtime API: the device and its limits, what can be asked of a kernel, launches
// that are functions, occupancy, peers, errors that stay and errors that do not.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <string.h>
#include "expect.cuh"

struct Pair
{
    double first;
    char second;
};

__global__ void store(int *x, Pair pair, float scale)
{
    x[threadIdx.x] = (int)(scale * (float)pair.first) + pair.second + (int)threadIdx.x;
}

template <class T>
__global__ void fill(T *x, T value, bool really = true)
{
    if (really)
    {
        x[blockIdx.x * blockDim.x + threadIdx.x] = value;
    }
}

// The last word of the dynamic shared memory it is given.
__global__ void use_shared(int *x, int words)
{
    extern __shared__ int s_words[];
    s_words[words - 1] = 77;
    __syncthreads();
    *x = s_words[words - 1];
}

__global__ void use_more_shared(int *x, int words)
{
    extern __shared__ int s_words[];
    s_words[words - 1] = 78;
    *x = s_words[words - 1];
}

__global__ void nothing()
{
}

static int *d_x, h_x[64];

static void fetch()
{
    cudaMemcpy(h_x, d_x, sizeof(h_x), cudaMemcpyDeviceToHost);
}

// --- the device ------------------------------------------------------------------------------------

static void try_device()
{
    int count = 0, device = -1, value = -1;
    bool right = cudaGetDeviceCount(&count) == cudaSuccess && count > 0 &&
                 cudaSetDevice(0) == cudaSuccess && cudaGetDevice(&device) == cudaSuccess &&
                 device == 0 && is_error(cudaSetDevice(-1), cudaErrorInvalidDevice) &&
                 is_error(cudaSetDevice(count), cudaErrorInvalidDevice);
    check("device numbers", right);
    cudaDeviceProp properties;
    right = cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.warpSize == 32 &&
            cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess &&
            value == properties.maxThreadsPerBlock && value == 1024 &&
            is_error(cudaGetDeviceProperties(&properties, count), cudaErrorInvalidDevice) &&
            is_error(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
    check("properties and attributes", right);
    char bus[32];
    device = -1;
    right = cudaDeviceGetPCIBusId(bus, sizeof(bus), 0) == cudaSuccess &&
            cudaDeviceGetByPCIBusId(&device, bus) == cudaSuccess && device == 0 &&
            cudaChooseDevice(&device, &properties) == cudaSuccess;
    check("other ways to name a device", right);
    size_t bytes = 0, total = 0;
    right = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20) == cudaSuccess &&
            cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess &&
            bytes >= 32 << 20 && cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess &&
            cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaSuccess && bytes == 4096 &&
            is_error(cudaDeviceGetLimit(NULL, cudaLimitStackSize), cudaErrorInvalidValue);
    check("limits", right);
    cudaFuncCache config = cudaFuncCachePreferNone;
    right = cudaDeviceSetCacheConfig(cudaFuncCachePreferL1) == cudaSuccess &&
            cudaDeviceGetCacheConfig(&config) == cudaSuccess;
    check("cache configuration", right);
    right = cudaMemGetInfo(&bytes, &total) == cudaSuccess && bytes > 0 && bytes <= total;
    check("how much memory", right);
    int runtime = 0, driver = 0;
    right = cudaRuntimeGetVersion(&runtime) == cudaSuccess && runtime == CUDART_VERSION &&
            cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
    check("versions", right);
    right = cudaProfilerStart() == cudaSuccess && cudaProfilerStop() == cudaSuccess;
    check("profiler", right);
    int can = -1;
    right = cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess && can == 0 &&
            is_error(cudaDeviceCanAccessPeer(&can, 0, count), cudaErrorInvalidDevice) &&
            is_error(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    check("no peer of its own", right);
}

// --- kernels ---------------------------------------------------------------------------------------

static void try_attributes()
{
    cudaFuncAttributes attributes;
    bool right = cudaFuncGetAttributes(&attributes, store) == cudaSuccess &&
                 attributes.maxThreadsPerBlock >= 32 && attributes.maxThreadsPerBlock <= 1024 &&
                 cudaFuncGetAttributes(&attributes, (const void *)fill<double>) == cudaSuccess &&
                 cudaFuncSetCacheConfig(fill<int>, cudaFuncCachePreferShared) == cudaSuccess;
    check("a kernel's attributes", right);
    right = is_error(cudaFuncGetAttributes(&attributes, (const void *)NULL),
                     cudaErrorInvalidDeviceFunction);
    check("no kernel", right);
}

static void try_shared()
{
    const int words = 15000, bytes = words * sizeof(int); // more than 48 KB
    use_shared<<<1, 32, bytes>>>(d_x, words);
    check("much shared memory, unasked", cudaGetLastError() == cudaErrorInvalidValue);
    bool right = cudaFuncSetAttribute(use_more_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      bytes) == cudaSuccess;
    use_more_shared<<<1, 32, bytes>>>(d_x, words);
    right = right && cudaGetLastError() == cudaSuccess;
    fetch();
    check("much shared memory", right && h_x[0] == 78);
    right = is_error(
        cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
        cudaErrorInvalidValue);
    check("too much shared memory", right);
}

__host__ __device__ size_t bytes_of_block(int size)
{
    return size * sizeof(float);
}

static void try_occupancy()
{
    int blocks = 0, fewer = 0, grid = 0, block = 0;
    size_t bytes = 0;
    bool right =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 128, 0) == cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, nothing, 128, 40000) == cudaSuccess &&
        blocks > fewer && fewer >= 1;
    check("blocks of a multiprocessor", right);
    right = cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing) == cudaSuccess &&
            block % 32 == 0 && block >= 32 && block <= 1024 && grid >= 1 &&
            cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 96) == cudaSuccess &&
            block <= 96 &&
            cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, nothing,
                                                           bytes_of_block) == cudaSuccess &&
            block >= 32;
    check("block sizes", right);
    right = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 1, 128) == cudaSuccess &&
            bytes >= 48 * 1024 - 1024;
    check("shared memory of a block", right);
}

// --- launches that are functions ---------------------------------------------------------------------

static void try_launches()
{
    Pair pair = {21.0, 2};
    float scale = 2.0f;
    void *arguments[] = {&d_x, &pair, &scale};
    bool right = cudaLaunchKernel(store, dim3(1), dim3(64), arguments, 0, 0) == cudaSuccess;
    fetch();
    for (int i = 0; i < 64; ++i)
    {
        right = right && h_x[i] == 44 + i;
    }
    check("cudaLaunchKernel", right);
    void (*pointer)(int *, int, bool) = fill<int>;
    pointer<<<2, 32>>>(d_x, 5, true);
    fetch();
    check("a kernel through a pointer", h_x[0] == 5 && h_x[63] == 5);
#if CUDART_VERSION >= 11080
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(32);
    right = cudaLaunchKernelEx(&config, fill<int>, d_x, 6, true) == cudaSuccess;
    fetch();
    check("cudaLaunchKernelEx", right && h_x[0] == 6 && h_x[63] == 6);
#endif
    right = cudaLaunchKernel(store, dim3(1), dim3(2048), arguments, 0, 0) != cudaSuccess &&
            cudaGetLastError() != cudaSuccess && cudaGetLastError() == cudaSuccess;
    check("a block too large", right);
}

// --- errors ------------------------------------------------------------------------------------------

static void try_errors()
{
    cudaSetDevice(-1);
    const cudaError_t seen = cudaPeekAtLastError();
    nothing<<<1, 1>>>();
    check("an error waits to be asked for", seen == cudaErrorInvalidDevice &&
                                                cudaGetLastError() == seen &&
                                                cudaGetLastError() == cudaSuccess);
    check("names and texts", strcmp(cudaGetErrorName(seen), "cudaErrorInvalidDevice") == 0 &&
                                 strcmp(cudaGetErrorString(seen), "invalid device ordinal") == 0);
    check("no such error",
          strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code") == 0);
    // A new start: old memory is gone, and new memory works.
    bool right = cudaDeviceReset() == cudaSuccess && cudaMalloc(&d_x, sizeof(h_x)) == cudaSuccess;
    fill<<<2, 32>>>(d_x, 8);
    fetch();
    check("after cudaDeviceReset", right && h_x[0] == 8 && h_x[63] == 8);
    size_t bytes = 0;
    cudaDeviceGetLimit(&bytes, cudaLimitStackSize);
    check("and its limits", bytes == 1024);
}

int main()
{
    try_device();
    cudaMalloc(&d_x, sizeof(h_x));
    try_attributes();
    try_shared();
    try_occupancy();
    try_launches();
    try_errors();
    cudaFree(d_x);
    return num_wrong != 0;
}
