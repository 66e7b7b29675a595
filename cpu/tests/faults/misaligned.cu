// Wrong kernels: misaligned addresses, without the check.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

// case: unchecked
// fault: misaligned access, in other programs | not found
// out: 0 cudaSuccess
__global__ void unchecked(char *bytes)
{
    *(int *)(bytes + 2) = 1;
}
CASE(unchecked)
{
    unchecked<<<1, 1>>>(device_array<char>(16));
}
