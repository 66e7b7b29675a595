// What differs between the CUDA versions we compile with (12.0 to 13.x).
#pragma once

// Clock rates, compute mode and some others left cudaDeviceProp in CUDA 13. As attributes
// (cudaDevAttrClockRate in kHz, cudaDevAttrMemoryClockRate, ...) every version has them.
// 0 where the device does not say.
static inline int device_attribute(cudaDeviceAttr attribute, int device)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess ? value : 0;
}
