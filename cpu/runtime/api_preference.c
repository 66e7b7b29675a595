// The calls that set and get what a device should prefer: its flags, limits, caches and banks.
#include "api_preference.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "heap.h"

enum
{
    NUM_LIMITS = cudaLimitPersistingL2CacheSize + 1
};

typedef struct Preferences
{
    unsigned int flags;
    size_t limits[NUM_LIMITS];
    cudaFuncCache cache;
    cudaSharedMemConfig banks;
} Preferences;

#define FIRST_PREFERENCES                                                                \
    {                                                                                    \
        .flags = cudaDeviceMapHost, .limits = { 1024, 1 << 20, 8 << 20, 2, 2048, 64, 0 } \
    }
static Preferences preferences[MAX_DEVICES] = {[0 ... MAX_DEVICES - 1] = FIRST_PREFERENCES};

void api_preference_reset(int device)
{
    preferences[device] = (Preferences)FIRST_PREFERENCES;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    const unsigned int schedule = flags & cudaDeviceScheduleMask;
    if (flags & ~cudaDeviceMask || (schedule & (schedule - 1)) != 0)
    {
        return error_note(cudaErrorInvalidValue);
    }
    preferences[this_device].flags = flags | cudaDeviceMapHost;
    return error_status();
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    if (flags == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(flags, preferences[this_device].flags);
    return error_status();
}

static bool is_limit(cudaLimit limit)
{
    return (unsigned)limit < NUM_LIMITS && limit != cudaLimitDevRuntimeSyncDepth;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value)
{
    if (!is_limit(limit))
    {
        return error_note(limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit
                                                                : cudaErrorInvalidValue);
    }
    const size_t most_local = 512 * 1024, most_granularity = 128;
    if ((limit == cudaLimitStackSize && value > most_local) ||
        (limit == cudaLimitMaxL2FetchGranularity && value > most_granularity))
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (limit == cudaLimitMallocHeapSize && !heap_set_limit(this_device, value))
    {
        return error_note(cudaErrorInvalidValue); // kernels use it already
    }
    preferences[this_device].limits[limit] =
        limit == cudaLimitStackSize ? (value + 15) / 16 * 16 : value;
    return error_status();
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit)
{
    if (value == NULL || !is_limit(limit))
    {
        return error_note(limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit
                                                                : cudaErrorInvalidValue);
    }
    GIVE(value, preferences[this_device].limits[limit]);
    return error_status();
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config)
{
    if ((unsigned)config > cudaFuncCachePreferEqual)
    {
        return error_note(cudaErrorInvalidValue);
    }
    preferences[this_device].cache = config;
    return error_status();
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config)
{
    if (config == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(config, preferences[this_device].cache);
    return error_status();
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config)
{
    if ((unsigned)config > cudaSharedMemBankSizeEightByte)
    {
        return error_note(cudaErrorInvalidValue);
    }
    preferences[this_device].banks = config;
    return error_status();
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config)
{
    if (config == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(config, preferences[this_device].banks);
    return error_status();
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return error_status();
}

cudaError_t cudaProfilerStart(void)
{
    return error_status();
}

cudaError_t cudaProfilerStop(void)
{
    return error_status();
}
