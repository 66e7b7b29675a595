// Wrong kernels: misaligned addresses, without the check. tests/wrong-kernels.t says how to read this.
#include "wrong.cuh"

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
