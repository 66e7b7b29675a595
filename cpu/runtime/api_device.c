// The calls about devices: how many, which one, what it says of itself, where it is.
#include "api_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "call_log.h"
#include "capture.h"
#include "check.h"
#include "device.h"
#include "error.h"
#include "grid.h"
#include "machine.h"
#include "memory.h"
#include "queue.h"
#include "report.h"

// cudaErrorInvalidDevice if there is no such device; else the error of the device.
cudaError_t api_check_device(int device)
{
    const bool exists = device == 0 || (device > 0 && device < number_of_devices());
    return exists ? error_of_device(device) : cudaErrorInvalidDevice;
}

// The same, noted. Once, a line says how there would be such a device.
static cudaError_t note_device(int device)
{
    static atomic_bool said;
    const cudaError_t error = api_check_device(device);
    if (error == cudaErrorInvalidDevice && number_of_devices() > 0 && device > 0 &&
        device < MAX_DEVICES && getenv("CUDA_VISIBLE_DEVICES") == NULL &&
        !atomic_exchange(&said, true))
    {
        return report_call(error,
                           "there is no device %d: CUDACPU_DEVICES=%d would show %d devices, on "
                           "the same cores",
                           device, device + 1, device + 1);
    }
    return error_note(error);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    if (count == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(count, number_of_devices());
    return *count > 0 ? cudaSuccess : error_note(cudaErrorNoDevice);
}

static cudaError_t set_device(int device)
{
    const cudaError_t error = note_device(device);
    if (error != cudaErrorInvalidDevice)
    {
        this_device = device;
        // Another device's work may still have to be waited for.
        __atomic_fetch_add(&cudacpu_issued, 1, __ATOMIC_RELEASE);
    }
    return error;
}

cudaError_t cudaSetDevice(int device)
{
    return CALL(set_device(device), "cudaSetDevice(%d)", device);
}

cudaError_t cudaGetDevice(int *device)
{
    if (device == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(device, this_device);
    return error_note(error_of_device(this_device));
}

static cudaError_t device_synchronize(void)
{
    const cudaError_t allowed = capture_any() ? capture_allows_device(this_device) : cudaSuccess;
    if (allowed != cudaSuccess)
    {
        return error_note(allowed);
    }
    if (!error_forbidden())
    {
        queue_wait_all(this_device);
    }
    return error_status();
}

cudaError_t cudaDeviceSynchronize(void)
{
    return CALL(device_synchronize(), "cudaDeviceSynchronize()");
}

cudaError_t cudaInitDevice(int device, unsigned int flags_wanted, unsigned int flags)
{
    if (api_check_device(device) != cudaSuccess || flags > cudaInitDeviceFlagsAreValid)
    {
        return error_note(flags > cudaInitDeviceFlagsAreValid ? cudaErrorInvalidValue
                                                              : api_check_device(device));
    }
    return flags == cudaInitDeviceFlagsAreValid ? cudaSetDeviceFlags(flags_wanted) : error_status();
}

// The first device, whatever the program asks for.
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties)
{
    if (device == NULL || properties == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(device, 0);
    return error_note(error_of_device(0));
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    if (count < 0 || count > number_of_devices() || (devices == NULL && count > 0))
    {
        return error_note(cudaErrorInvalidValue);
    }
    for (int i = 0; i < count; ++i)
    {
        if (api_check_device(devices[i]) != cudaSuccess)
        {
            return error_note(api_check_device(devices[i]));
        }
    }
    return error_status();
}

cudaError_t cudaDriverGetVersion(int *version)
{
    if (version == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(version, CUDART_VERSION);
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (version == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    GIVE(version, CUDART_VERSION);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    if (value == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (api_check_device(device) != cudaSuccess)
    {
        return note_device(device);
    }
    switch (attribute)
    {
#define X(number, name, answer) \
    case name:                  \
        GIVE(value, answer);    \
        return cudaSuccess;
#include "cudacpu_attributes.h"
    }
    return error_note(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    if (p == NULL)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (api_check_device(device) != cudaSuccess)
    {
        return note_device(device);
    }
    char model[128];
    size_t free_bytes, total_bytes;
    machine_model(model, sizeof(model));
    memory_available(device, &free_bytes, &total_bytes);
    memset(p, 0, sizeof(*p));
    snprintf(p->name, sizeof(p->name), "CPU backend (%s%s%d core%s)", model, *model ? ", " : "",
             number_of_workers(), number_of_workers() == 1 ? "" : "s");
    p->totalGlobalMem = total_bytes;
#define X(number, name, value)
#define P(number, name, value, member) p->member = value;
#include "cudacpu_attributes.h"
    p->deviceNumaId = p->hostNumaId = -1;
    p->unifiedFunctionPointers = 1;
    p->uuid.bytes[15] = (char)device_slot(device);
    check_given(p, sizeof(*p));
    return cudaSuccess;
}

// --- where it is --------------------------------------------------------------------------------

enum
{
    BUS_ID_BYTES = sizeof("0000:00:00.0")
};

// Each device is on a bus of its own.
cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device)
{
    if (text == NULL || size < BUS_ID_BYTES)
    {
        return error_note(cudaErrorInvalidValue);
    }
    if (api_check_device(device) == cudaSuccess)
    {
        snprintf(text, size, "0000:%02X:00.0", (unsigned char)device_slot(device));
        check_given(text, BUS_ID_BYTES);
    }
    return error_note(api_check_device(device));
}

// The text is "domain:bus:device.function"; the domain and the function may be missing.
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
    unsigned domain = 0, bus = 0, slot = 0;
    if (device == NULL || text == NULL ||
        (sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
         (domain = 0, sscanf(text, "%x:%x", &bus, &slot)) != 2))
    {
        return error_note(cudaErrorInvalidValue);
    }
    for (int i = 0; i < number_of_devices(); ++i)
    {
        if (domain == 0 && bus == (unsigned)device_slot(i) && slot == 0)
        {
            GIVE(device, i);
            return error_status();
        }
    }
    return error_note(number_of_devices() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice);
}
