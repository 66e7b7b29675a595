// The calls about errors, their names and texts.
#include "call_log.h"
#include "device.h"
#include "error.h"

static cudaError_t peek(void)
{
    const cudaError_t error = error_of_device(this_device);
    return error != cudaSuccess ? error : error_last();
}

cudaError_t cudaPeekAtLastError(void)
{
    return CALL(peek(), "cudaPeekAtLastError()");
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = peek();
    error_exchange(cudaSuccess);
    return CALL(error, "cudaGetLastError()");
}

cudaError_t cudacpu_error(cudaError_t error)
{
    return error_note(error);
}

// A launch by a function returns the error that <<< >>> only notes.
cudaError_t cudacpu_exchange_error(cudaError_t error)
{
    return error_exchange(error);
}

const char *cudaGetErrorName(cudaError_t error)
{
    switch ((int)error)
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
    switch ((int)error)
    {
#define X(code, name, text) \
    case name:              \
        return text;
#include "cudacpu_errors.h"
#undef X
    }
    return "unrecognized error code";
}
