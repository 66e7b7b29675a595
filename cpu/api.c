// Errors, and the device as a whole.
#include "runtime.h"
#include <stdlib.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

// --- errors ----------------------------------------------------------------------------------

// An error of a call is noted for its host thread until it is asked for. An error of a kernel
// stays: every later call returns it, until cudaDeviceReset.
static __thread cudaError_t last_error;
enum
{
    NOT_LOOKED = -1
};
static atomic_int sticky = NOT_LOOKED;

// Without a device every call returns that, as after a kernel's error.
cudaError_t sticky_error(void)
{
    const int error = atomic_load_explicit(&sticky, memory_order_relaxed);
    if (error != NOT_LOOKED)
    {
        return (cudaError_t)error;
    }
    set_sticky_error(device_is_visible() ? cudaSuccess : cudaErrorNoDevice);
    return sticky_error();
}

void set_sticky_error(cudaError_t error)
{
    atomic_store(&sticky, error);
}

cudaError_t api_error(cudaError_t error)
{
    if (error != cudaSuccess)
    {
        last_error = error;
    }
    return error;
}

// A function that the device calls on the host must not ask the device for anything.
static __thread bool forbidden;

void api_forbid(bool yes)
{
    forbidden = yes;
}

// Whether calls do anything at all just now; if not, api_status() is what they return.
bool api_ready(void)
{
    return !forbidden && sticky_error() == cudaSuccess;
}

cudaError_t api_status(void)
{
    return api_error(forbidden ? cudaErrorNotPermitted : sticky_error());
}

cudaError_t cudaPeekAtLastError(void)
{
    return sticky_error() != cudaSuccess ? sticky_error() : last_error;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudacpu_error(cudaError_t error)
{
    return api_error(error);
}

// For launches that are functions and have to return what <<< >>> would only note.
cudaError_t cudacpu_exchange_error(cudaError_t error)
{
    const cudaError_t before = last_error;
    last_error = error;
    return before;
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch (error)
    {
#define X(code, name, text) \
    case name:              \
        return #name;
#include "cudacpu_errors.h"
#undef X
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error)
    {
#define X(code, name, text) \
    case name:              \
        return text;
#include "cudacpu_errors.h"
#undef X
    }
    return "unrecognized error code";
}

// --- the device as a whole -----------------------------------------------------------------------

cudaError_t cudaDeviceSynchronize(void)
{
    if (!forbidden)
    {
        queue_wait(queue_last());
    }
    return api_status();
}

// A real device may or may not recover from a kernel's fault this way. This one does.
cudaError_t cudaDeviceReset(void)
{
    if (forbidden || sticky_error() == cudaErrorNoDevice)
    {
        return api_status();
    }
    queue_wait(queue_last());
    memory_reset();
    variable_reset();
    stream_reset();
    device_reset();
    kernel_reset();
    set_sticky_error(cudaSuccess);
    last_error = cudaSuccess;
    return cudaSuccess;
}
