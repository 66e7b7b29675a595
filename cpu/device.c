// The one device there is, and what it says of itself.
#include "runtime.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// "model name : AMD EPYC" of /proc/cpuinfo, without the key; "" where the kernel does not say.
static void read_cpuinfo(const char *key, char *value, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(value, size, "%s", "");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
    {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) == 0 && colon != NULL)
        {
            snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " "));
            value[strcspn(value, "\n")] = '\0';
            break;
        }
    }
    if (file != NULL)
    {
        fclose(file);
    }
}

static int cpu_clock_khz(void)
{
    char text[64];
    double mhz = 0.0;
    read_cpuinfo("cpu MHz", text, sizeof(text));
    return sscanf(text, "%lf", &mhz) == 1 ? (int)(mhz * 1000.0) : 0;
}

static int last_level_cache(void)
{
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (int)bytes : (int)sysconf(_SC_LEVEL2_CACHE_SIZE);
}

static cudaError_t check_device(int device)
{
    return device == 0 ? sticky_error() : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (count == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return api_error(check_device(device));
}

cudaError_t cudaGetDevice(int *device)
{
    if (device == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *device = 0;
    return api_error(sticky_error());
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags;
    return api_error(sticky_error());
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    if (value == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (check_device(device) != cudaSuccess)
    {
        return api_error(check_device(device));
    }
    switch (attribute)
    {
#define X(number, name, answer) \
    case name:                  \
        *value = answer;        \
        return cudaSuccess;
#include "cudacpu_attributes.h"
#undef X
    }
    return api_error(cudaErrorInvalidValue);
}

static int attribute(cudaDeviceAttr which)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, which, 0);
    return value;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    if (p == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (check_device(device) != cudaSuccess)
    {
        return api_error(check_device(device));
    }
    char model[128];
    size_t free_bytes, total_bytes;
    read_cpuinfo("model name", model, sizeof(model));
    cudaMemGetInfo(&free_bytes, &total_bytes);
    memset(p, 0, sizeof(*p));
    snprintf(p->name, sizeof(p->name), "CPU backend (%s%s%d core%s)", model, *model ? ", " : "",
             number_of_workers(), number_of_workers() == 1 ? "" : "s");
    p->totalGlobalMem = total_bytes;
    p->sharedMemPerBlock = attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    p->regsPerBlock = attribute(cudaDevAttrMaxRegistersPerBlock);
    p->warpSize = WARP_SIZE;
    p->memPitch = attribute(cudaDevAttrMaxPitch);
    p->maxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    p->maxThreadsDim[0] = attribute(cudaDevAttrMaxBlockDimX);
    p->maxThreadsDim[1] = attribute(cudaDevAttrMaxBlockDimY);
    p->maxThreadsDim[2] = attribute(cudaDevAttrMaxBlockDimZ);
    p->maxGridSize[0] = attribute(cudaDevAttrMaxGridDimX);
    p->maxGridSize[1] = attribute(cudaDevAttrMaxGridDimY);
    p->maxGridSize[2] = attribute(cudaDevAttrMaxGridDimZ);
    p->clockRate = attribute(cudaDevAttrClockRate);
    p->totalConstMem = attribute(cudaDevAttrTotalConstantMemory);
    p->major = attribute(cudaDevAttrComputeCapabilityMajor);
    p->minor = attribute(cudaDevAttrComputeCapabilityMinor);
    p->textureAlignment = attribute(cudaDevAttrTextureAlignment);
    p->texturePitchAlignment = 32;
    p->deviceOverlap = 1;
    p->multiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    p->integrated = 1;
    p->canMapHostMemory = 1;
    p->asyncEngineCount = attribute(cudaDevAttrAsyncEngineCount);
    p->unifiedAddressing = 1;
    p->l2CacheSize = attribute(cudaDevAttrL2CacheSize);
    p->maxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->sharedMemPerMultiprocessor = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->regsPerMultiprocessor = attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    p->managedMemory = p->concurrentManagedAccess = 1;
    p->singleToDoublePrecisionPerfRatio = 2;
    p->hostNativeAtomicSupported = p->directManagedMemAccessFromHost = 1;
    p->canUseHostPointerForRegisteredMem = p->hostRegisterSupported = 1;
    p->sharedMemPerBlockOptin = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p->maxBlocksPerMultiProcessor = attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->reservedSharedMemPerBlock = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    return cudaSuccess;
}

// A kernel here is a function like any other: it has no registers of its own to count.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel)
{
    if (attributes == NULL || kernel == NULL)
    {
        return api_error(attributes == NULL ? cudaErrorInvalidValue
                                            : cudaErrorInvalidDeviceFunction);
    }
    memset(attributes, 0, sizeof(*attributes));
    attributes->maxThreadsPerBlock = MAX_BLOCK_THREADS;
    attributes->binaryVersion = attributes->ptxVersion =
        10 * attribute(cudaDevAttrComputeCapabilityMajor) +
        attribute(cudaDevAttrComputeCapabilityMinor);
    attributes->maxDynamicSharedSizeBytes = STATIC_SHARED_LIMIT;
    return api_error(sticky_error());
}
