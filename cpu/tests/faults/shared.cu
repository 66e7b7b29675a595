// Wrong kernels: shared memory.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

// case: static_end
// fault: access past the end of a `__shared__` array, as far as its guard page | found with its line
// stderr: kernel static_end, block \(0,0,0\), thread \(63,0,0\), FILE:STATIC_END:
// stderr: write of 0x\w+, 0 bytes past the end of __shared__ variable s_x \(256 bytes\)
__global__ void static_end()
{
    __shared__ int s_x[64];
    s_x[threadIdx.x + 1] = 1; // STATIC_END
}
CASE(static_end)
{
    static_end<<<1, 64>>>();
}

// case: static_read
// stderr: FILE:STATIC_READ:\n.*read of 0x\w+, 3744 bytes past the end of __shared__ variable s_x
__global__ void static_read(int *out)
{
    __shared__ int s_x[64];
    s_x[threadIdx.x] = 1;
    out[0] = s_x[threadIdx.x + 1000]; // STATIC_READ
}
CASE(static_read)
{
    static_read<<<1, 64>>>(device_array<int>(1));
}

// case: static_slack
// fault: write past the end of one `__shared__` array towards the next | found after the block, with the variable's name
// stderr: kernel static_slack, block \(1,0,0\) wrote outside shared memory:
// stderr: 0 bytes past the end of __shared__ variable s_second \(256 bytes\)
__global__ void static_slack()
{
    __shared__ int s_first[64];
    __shared__ int s_second[64];
    s_first[threadIdx.x] = 1;
    s_second[threadIdx.x + blockIdx.x] = 2;
}
CASE(static_slack)
{
    static_slack<<<2, 64>>>();
}

// case: second_launch
// stderr: kernel static_slack, block \(1,0,0\) wrote outside shared memory:
CASE(second_launch)
{
    for (int i = 0; i < 20; ++i)
    {
        static_slack<<<1, 64>>>();
        cudaDeviceSynchronize();
    }
    static_slack<<<2, 64>>>();
}

// case: static_before
// fault: write before the start of a `__shared__` array | found after the block, with the variable's name
// stderr: 4 bytes before the start of __shared__ variable s_x
__global__ void static_before()
{
    __shared__ int s_x[64];
    s_x[(int)threadIdx.x - 1] = 1;
}
CASE(static_before)
{
    static_before<<<1, 64>>>();
}

// case: static_near
// fault: read beyond a `__shared__` array, within 64 bytes before the next one | not found
// out: 0 cudaSuccess
__global__ void static_near(int *out)
{
    __shared__ int s_first[64];
    __shared__ int s_second[64];
    s_first[threadIdx.x] = s_second[threadIdx.x] = 1;
    out[0] = s_second[64] + s_first[0];
}
CASE(static_near)
{
    static_near<<<1, 64>>>(device_array<int>(1));
}

// case: static_jump
// fault: write past a `__shared__` array into another one | not found
// out: 0 cudaSuccess
__global__ void static_jump()
{
    __shared__ int s_first[64];
    __shared__ int s_second[64];
    s_first[threadIdx.x] = s_second[threadIdx.x] = 1;
    s_second[threadIdx.x + 64 + 16] = 2;
}
CASE(static_jump)
{
    static_jump<<<1, 48>>>();
}

// case: of_function
// stderr: kernel of_function, block \(0,0,0\), thread \(32,0,0\), FILE:OF_FUNCTION:
// stderr: 0 bytes past the end of __shared__ variable s_sums
__device__ void store(int i)
{
    __shared__ double s_sums[32];
    s_sums[i] = 1; // OF_FUNCTION
}
__global__ void of_function()
{
    store(threadIdx.x);
}
CASE(of_function)
{
    of_function<<<1, 64>>>();
}

// case: of_file
// stderr: FILE:OF_FILE:\n.*past the end of __shared__ variable s_of_file
__shared__ int s_of_file[64];
__global__ void of_file()
{
    s_of_file[2 * threadIdx.x] = 1; // OF_FILE
}
CASE(of_file)
{
    of_file<<<1, 64>>>();
}

// case: two_dimensions
// stderr: FILE:TWO_DIMENSIONS:\n.*past the end of __shared__ variable s_tile \(1024 bytes\)
__global__ void two_dimensions()
{
    __shared__ float s_tile[16][16];
    s_tile[threadIdx.y + 1][threadIdx.x] = 1; // TWO_DIMENSIONS
}
CASE(two_dimensions)
{
    two_dimensions<<<1, dim3(16, 16)>>>();
}

// case: one_variable
// stderr: 0 bytes past the end of __shared__ variable s_count \(4 bytes\)
__global__ void one_variable()
{
    __shared__ int s_count;
    int *counts = &s_count;
    counts[threadIdx.x] = 0;
}
CASE(one_variable)
{
    one_variable<<<1, 4>>>();
}

// case: dynamic_end
// fault: access past the dynamic shared memory of the launch | found with its line
// stderr: kernel dynamic_use, block \(0,0,0\), thread \(32,0,0\), FILE:DYNAMIC:
// stderr: write of 0x\w+, 0 bytes past the end of the dynamic shared memory that <<< >>> gives \(128 bytes\)
__global__ void dynamic_use(int shift)
{
    extern __shared__ int s_x[];
    s_x[(int)threadIdx.x + shift] = 1; // DYNAMIC
}
CASE(dynamic_end)
{
    dynamic_use<<<1, 64, 32 * sizeof(int)>>>(0);
}

// case: dynamic_none
// fault: dynamic shared memory, and a launch that gives none | found with its line
// stderr: thread \(0,0,0\), FILE:DYNAMIC:\n.*of which the launch gives none
CASE(dynamic_none)
{
    dynamic_use<<<1, 64>>>(0);
}

// case: dynamic_slack
// fault: write past dynamic shared memory, by at most 15 bytes | found after the block
// stderr: 0 bytes past the end of the dynamic shared memory that <<< >>> gives \(252 bytes\)
CASE(dynamic_slack)
{
    dynamic_use<<<1, 64, 63 * sizeof(int)>>>(0);
}

// case: dynamic_before
// fault: write before the start of dynamic shared memory | found after the block
// stderr: 8 bytes before the start of the dynamic shared memory
CASE(dynamic_before)
{
    dynamic_use<<<1, 64, 64 * sizeof(int)>>>(-2);
}

// case: dynamic_bytes
// fault: dynamic shared memory counted in elements, not in bytes | found with its line
// stderr: thread \(16,0,0\), FILE:DYNAMIC:\n.*past the end of the dynamic shared memory
CASE(dynamic_bytes)
{
    dynamic_use<<<1, 64, 64>>>(0);
}
