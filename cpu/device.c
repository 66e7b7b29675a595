// The one device there is, and what it says of itself.
#include "runtime.h"
#include <stdio.h>
#include <stdlib.h>
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

// Unset, or a list that begins with our device: by its number, or by its UUID or the start of it.
bool device_is_visible(void)
{
    static const char UUID[] = "GPU-00000000-0000-0000-0000-000000000000";
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (list == NULL || strncmp(list, "GPU-", 4) == 0)
    {
        return list == NULL || strncmp(list, UUID, strcspn(list, ",")) == 0;
    }
    char *end;
    return strtol(list, &end, 10) == 0 && end > list && (*end == '\0' || *end == ',');
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (count == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *count = sticky_error() != cudaErrorNoDevice;
    return *count > 0 ? cudaSuccess : api_error(cudaErrorNoDevice);
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

static atomic_uint device_flags = cudaDeviceMapHost;

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    const unsigned int schedule = flags & cudaDeviceScheduleMask;
    if (flags & ~cudaDeviceMask || (schedule & (schedule - 1)) != 0)
    {
        return api_error(cudaErrorInvalidValue);
    }
    device_flags = flags | cudaDeviceMapHost;
    return api_status();
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    if (flags == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *flags = device_flags;
    return api_status();
}

cudaError_t cudaInitDevice(int device, unsigned int flags_wanted, unsigned int flags)
{
    if (check_device(device) != cudaSuccess || flags > cudaInitDeviceFlagsAreValid)
    {
        return api_error(flags > cudaInitDeviceFlagsAreValid ? cudaErrorInvalidValue
                                                             : check_device(device));
    }
    return flags == cudaInitDeviceFlagsAreValid ? cudaSetDeviceFlags(flags_wanted) : api_status();
}

// The only one there is, whatever is asked for.
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties)
{
    return properties == NULL ? api_error(cudaErrorInvalidValue) : cudaGetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    if (count < 0 || count > 1 || (devices == NULL && count > 0))
    {
        return api_error(cudaErrorInvalidValue);
    }
    return count == 0 ? api_status() : api_error(check_device(devices[0]));
}

cudaError_t cudaDriverGetVersion(int *version)
{
    if (version == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (version == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
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
    }
    return api_error(cudaErrorInvalidValue);
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
#define X(number, name, value)
#define P(number, name, value, member) p->member = value;
#include "cudacpu_attributes.h"
    p->texturePitchAlignment = 32;
    p->unifiedFunctionPointers = 1;
    return cudaSuccess;
}

// --- limits and preferences --------------------------------------------------------------------------

enum
{
    NUM_LIMITS = cudaLimitPersistingL2CacheSize + 1
};
static const size_t FIRST_LIMITS[NUM_LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
static size_t limits[NUM_LIMITS] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
static cudaFuncCache cache_config;
static cudaSharedMemConfig bank_config;

void device_reset(void)
{
    memcpy(limits, FIRST_LIMITS, sizeof(limits));
    cache_config = cudaFuncCachePreferNone;
    bank_config = cudaSharedMemBankSizeDefault;
    device_flags = cudaDeviceMapHost;
}

static bool is_limit(cudaLimit limit)
{
    return (unsigned)limit < NUM_LIMITS && limit != cudaLimitDevRuntimeSyncDepth;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
    if (!is_limit(limit))
    {
        return api_error(limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit
                                                               : cudaErrorInvalidValue);
    }
    const size_t most_local = 512 * 1024, most_granularity = 128;
    if ((limit == cudaLimitStackSize && value > most_local) ||
        (limit == cudaLimitMaxL2FetchGranularity && value > most_granularity))
    {
        return api_error(cudaErrorInvalidValue);
    }
    limits[limit] = limit == cudaLimitStackSize ? (value + 15) / 16 * 16 : value;
    return api_status();
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit)
{
    if (value == NULL || !is_limit(limit))
    {
        return api_error(limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit
                                                               : cudaErrorInvalidValue);
    }
    *value = limits[limit];
    return api_status();
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config)
{
    if ((unsigned)config > cudaFuncCachePreferEqual)
    {
        return api_error(cudaErrorInvalidValue);
    }
    cache_config = config;
    return api_status();
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config)
{
    if (config == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *config = cache_config;
    return api_status();
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config)
{
    if ((unsigned)config > cudaSharedMemBankSizeEightByte)
    {
        return api_error(cudaErrorInvalidValue);
    }
    bank_config = config;
    return api_status();
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config)
{
    if (config == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *config = bank_config;
    return api_status();
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return api_status();
}

cudaError_t cudaProfilerStart(void)
{
    return api_status();
}

cudaError_t cudaProfilerStop(void)
{
    return api_status();
}

// --- where it is, and its neighbours, of whom there are none ---------------------------------------

static const char BUS_ID[] = "0000:00:00.0";

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    if (text == NULL || size < (int)sizeof(BUS_ID))
    {
        return api_error(cudaErrorInvalidValue);
    }
    if (check_device(device) == cudaSuccess)
    {
        memcpy(text, BUS_ID, sizeof(BUS_ID));
    }
    return api_error(check_device(device));
}

// "domain:bus:device.function", of which the first and the last may be missing.
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    unsigned domain = 0, bus = 0, slot = 0;
    if (device == NULL || text == NULL ||
        (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
         (domain = 0, sscanf(text, "%x:%x", &bus, &slot)) != 2))
    {
        return api_error(cudaErrorInvalidValue);
    }
    *device = 0;
    return domain == 0 && bus == 0 && slot == 0 ? api_status() : api_error(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (can == NULL)
    {
        return api_error(cudaErrorInvalidValue);
    }
    *can = 0;
    return api_error(device != 0 ? check_device(device) : check_device(peer));
}

// A device is no peer of its own.
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    return api_error(flags != cudaPeerAccessDefault ? cudaErrorInvalidValue
                     : peer == 0                    ? cudaErrorPeerAccessUnsupported
                                                    : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    return api_error(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr which, int device, int peer)
{
    (void)device, (void)peer; // equal, or one of them does not exist
    return api_error(value == NULL || which < cudaDevP2PAttrPerformanceRank ||
                             which > cudaDevP2PAttrCudaArrayAccessSupported
                         ? cudaErrorInvalidValue
                         : cudaErrorInvalidDevice);
}
