// Wrong kernels: what ends a thread by itself.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include <cassert>
#include "cases.cuh"

// case: divide
// fault: integer division by zero, or of the least number by -1 | found with its line, error 719
// processor: x86_64
// stderr: kernel divide, block \(0,0,0\), thread \(3,0,0\), FILE:DIVIDE:\n  integer division by zero
// out: 719 cudaErrorLaunchFailure
__global__ void divide(int *x, int by)
{
    x[threadIdx.x] = 12 / ((int)threadIdx.x - by); // DIVIDE
}
CASE(divide)
{
    divide<<<1, 8>>>(device_array<int>(8), 3);
}

// case: modulo
// processor: x86_64
// stderr: FILE:MODULO:\n  integer division by zero
// out: 719 cudaErrorLaunchFailure
__global__ void modulo(int *x)
{
    x[0] = 7 % x[1]; // MODULO
}
CASE(modulo)
{
    modulo<<<1, 1>>>(device_array<int>(2));
}

// case: least
// processor: x86_64
// stderr: FILE:LEAST:\n  integer division
// out: 719 cudaErrorLaunchFailure
__global__ void least(int *x, int by)
{
    x[0] = (x[0] + (-2147483647 - 1)) / by; // LEAST
}
CASE(least)
{
    least<<<1, 1>>>(device_array<int>(1), -1);
}

// case: trap
// fault: `__trap()` | found with its line, error 719
// stderr: kernel trap, block \(0,0,0\), thread \(0,0,0\), FILE:TRAP:\n  illegal instruction or __trap\(\)
// out: 719 cudaErrorLaunchFailure
__global__ void trap(int *x)
{
    if (x[0] == 0)
    {
        __trap(); // TRAP
    }
    x[0] = 1;
}
CASE(trap)
{
    trap<<<1, 1>>>(device_array<int>(1));
}

// case: failing_assert
// fault: `assert` that fails | found with its line, error 710
// stderr: FILE:ASSERT: void failing_assert\(int \*\): block: \[0,0,0\], thread: \[0,0,0\] Assertion `x\[0\] == 1' ?failed|Assertion `x\[0\] == 1` failed
// out: 710 cudaErrorAssert
__global__ void failing_assert(int *x)
{
    assert(x[0] == 1); // ASSERT
}
CASE(failing_assert)
{
    failing_assert<<<1, 1>>>(device_array<int>(1));
}

// case: race
// fault: data race, missing barrier, uninitialised memory | not found
// out: 0 cudaSuccess
__global__ void race(int *x)
{
    __shared__ int s_x[64], s_unset[64];
    s_x[threadIdx.x] = threadIdx.x;
    x[0] = s_x[63 - threadIdx.x] + s_unset[threadIdx.x];
    x[0] += 1;
}
CASE(race)
{
    race<<<2, 64>>>(device_array<int>(1));
}
