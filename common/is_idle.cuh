// Whether a stream has nothing left to do.
#pragma once
#include "error.cuh"

// The host's clock is right only if the host has waited for the stream. A check asks this after a
// measurement.
static inline bool is_idle(cudaStream_t stream)
{
    const cudaError_t status = cudaStreamQuery(stream);
    if (status == cudaErrorNotReady)
    {
        cudaGetLastError(); // it is no error, but some versions note it as one
        return false;
    }
    CHECK(status);
    return true;
}
