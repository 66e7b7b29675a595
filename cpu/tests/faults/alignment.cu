// Wrong kernels: misaligned addresses.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
// flags: -G
#include "cases.cuh"

// case: as_float4
// fault: misaligned access, in programs built by `cpucc -G` | found with its line, error 716 (by g++ only if the offset is no constant)
// stderr: kernel as_float4, block \(0,0,0\), thread \([01],0,0\), FILE:AS_VECTOR:\n  misaligned address
// out: 716 cudaErrorMisalignedAddress
__global__ void as_float4(float *x)
{
    float4 *vectors = (float4 *)(x + 1);
    vectors[threadIdx.x].x = 1; // AS_VECTOR
}
CASE(as_float4)
{
    as_float4<<<1, 2>>>(device_array<float>(16));
}

// case: as_double
// stderr: FILE:AS_DOUBLE:\n  misaligned address
// out: 716 cudaErrorMisalignedAddress
__global__ void as_double(char *bytes, int n, double *sum)
{
    *sum = *(double *)(bytes + n); // AS_DOUBLE
}
CASE(as_double)
{
    as_double<<<1, 1>>>(device_array<char>(16), 4, device_array<double>(1));
}

// case: in_shared
// stderr: FILE:IN_SHARED:\n  misaligned address
// out: 716 cudaErrorMisalignedAddress
__global__ void in_shared(int n)
{
    extern __shared__ char s_bytes[];
    int *s_x = (int *)(s_bytes + n);
    s_x[0] = 1; // IN_SHARED
}
CASE(in_shared)
{
    in_shared<<<1, 1, 64>>>(2);
}
