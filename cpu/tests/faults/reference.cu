// Kernels with a reference for a parameter. The kernel follows it, as a pointer.
//
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

// case: local
// stderr: CPU backend: FILE:LAUNCH:\n  kernel scale is not launched: its parameter factor refers to 0x\w+, which is a local variable of the host: pass a value
// fault: kernel given a reference to a local variable or to the heap of the host | found at the launch, with its line
__global__ void scale(float *x, const float &factor)
{
    x[threadIdx.x] *= factor;
}
CASE(local)
{
    float factor = 2.0f;
    scale<<<1, 32>>>(device_array<float>(32), factor); // LAUNCH
}

// case: null_first
// fault: kernel given a reference to a local variable or to the heap of the host | found at the launch, with its line
// stderr: CPU backend: FILE:SECOND:\n  kernel scale is not launched: its parameter factor refers to
CASE(null_first)
{
    float factor = 2.0f;
    scale<<<1, 32>>>(NULL, factor); // SECOND
}
