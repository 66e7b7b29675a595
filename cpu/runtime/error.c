// An error of a call is noted for its host thread until the thread asks for it. An error of a
// kernel stays with its device: every later call returns it, until cudaDeviceReset.
#include "error.h"
#include "device.h"

enum
{
    NOT_LOOKED = -1
};
static atomic_int of_device[MAX_DEVICES] = {[0 ... MAX_DEVICES - 1] = NOT_LOOKED};
static THREAD_LOCAL cudaError_t last;
static THREAD_LOCAL bool forbidden;

// Notes an error of a call, and returns it.
cudaError_t error_note(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        last = error;
    }
    return error;
}

cudaError_t error_last(void)
{
    return last;
}

// Notes `error` instead of the last error, which it returns.
cudaError_t error_exchange(cudaError_t error)
{
    const cudaError_t before = last;
    last = error;
    return before;
}

// Without a device every call returns cudaErrorNoDevice, as if a kernel had failed so.
cudaError_t error_of_device(int device)
{
    const int error = atomic_load_explicit(&of_device[device], memory_order_relaxed);
    if (error != NOT_LOOKED)
    {
        return (cudaError_t)error;
    }
    error_set_device(device, device < number_of_devices() ? cudaSuccess : cudaErrorNoDevice);
    return error_of_device(device);
}

void error_set_device(int device, cudaError_t error)
{
    atomic_store(&of_device[device], error);
}

// A function that the device calls on the host must not ask the device for anything.
void error_forbid(bool yes)
{
    forbidden = yes;
}

bool error_forbidden(void)
{
    return forbidden;
}

// Whether calls may do their work now. If not, they return error_status().
bool error_none(void)
{
    return !forbidden && error_of_device(this_device) == cudaSuccess;
}

cudaError_t error_status_of(int device)
{
    return error_note(forbidden ? cudaErrorNotPermitted : error_of_device(device));
}

cudaError_t error_status(void)
{
    return error_status_of(this_device);
}
