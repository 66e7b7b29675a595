// Wrong kernels: memory that the program allocates.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

__global__ void fill(int *x, long shift)
{
    x[blockIdx.x * blockDim.x + threadIdx.x + shift] = 1; // FILL
}

__global__ void sum(const int *x, int *total, long shift)
{
    atomicAdd(total, x[threadIdx.x + shift]); // READ
}

// case: write_past
// fault: write past an allocation, within 255 bytes | found after the kernel
// stderr: kernel fill wrote outside an allocation of 4000 bytes, .*: CUDACPU_EXACT=1 finds the line$
CASE(write_past)
{
    fill<<<8, 128>>>(device_array<int>(1000), 0);
}

// case: write_past_exact
// fault: the same with `CUDACPU_EXACT=1`, more than 15 bytes past it | found with its line
// env: CUDACPU_EXACT=1
// stderr: kernel fill, block \(7,0,0\), thread \(104,0,0\), FILE:FILL:
// stderr: write of 0x\w+, 0 bytes past the end of a device allocation of 4000 bytes
CASE(write_past_exact)
{
    fill<<<8, 128>>>(device_array<int>(1000), 0);
}

// case: read_past
// fault: read past an allocation, within 255 bytes | not found
// out: 0 cudaSuccess
CASE(read_past)
{
    sum<<<1, 32>>>(device_array<int>(1000), device_array<int>(1), 1000 - 31);
}

// case: read_past_exact
// fault: the same read with `CUDACPU_EXACT=1`, more than 15 bytes past it | found with its line
// env: CUDACPU_EXACT=1
// stderr: thread \(31,0,0\), FILE:READ:\n.*read of 0x\w+, 0 bytes past the end of a device allocation
CASE(read_past_exact)
{
    sum<<<1, 32>>>(device_array<int>(1000), device_array<int>(1), 1000 - 31);
}

// case: read_slack_exact
// fault: the same read with `CUDACPU_EXACT=1`, within 15 bytes | not found
// env: CUDACPU_EXACT=1
// out: 0 cudaSuccess
CASE(read_slack_exact)
{
    sum<<<1, 32>>>(device_array<int>(999), device_array<int>(1), 999 - 31);
}

// case: write_slack_exact
// fault: write past an allocation within 15 bytes, with `CUDACPU_EXACT=1` | found after the kernel
// env: CUDACPU_EXACT=1
// stderr: kernel fill wrote outside an allocation of 3996 bytes, less than a page away from it$
CASE(write_slack_exact)
{
    fill<<<1, 32>>>(device_array<int>(999), 999 - 31);
}

// case: far_past
// fault: access past an allocation, beyond its last page | found with its line
// stderr: FILE:FILL:\n.*write of 0x\w+, 400\d bytes past the end of a device allocation of 4000 bytes
CASE(far_past)
{
    fill<<<1, 1>>>(device_array<int>(1000), 2000);
}

// case: before
// fault: access before an allocation, beyond its first page | found with its line
// stderr: FILE:FILL:\n.*write of 0x\w+, \d+ bytes before a device allocation of 4000 bytes
CASE(before)
{
    fill<<<1, 1>>>(device_array<int>(1000), -2000);
}

// case: just_before
// fault: write before an allocation, within its first page | found after the kernel
// stderr: kernel fill wrote outside an allocation of 2000 bytes
CASE(just_before)
{
    fill<<<1, 1>>>(device_array<int>(500), -1);
}

// case: managed_past
// fault: access past managed memory, up to its guard page | found with its line
// env: CUDACPU_EXACT=1
// stderr: FILE:FILL:\n.*0 bytes past the end of a managed allocation of 4000 bytes
CASE(managed_past)
{
    int *x;
    cudaMallocManaged(&x, 4000);
    fill<<<1, 1>>>(x, 1000);
}

// case: managed_slack
// fault: write past managed or pinned memory, within 64 bytes | found after the kernel
// stderr: kernel fill wrote outside an allocation of 4000 bytes, .*: CUDACPU_EXACT=1 finds the line$
CASE(managed_slack)
{
    int *x;
    cudaMallocManaged(&x, 4000);
    fill<<<1, 1>>>(x, 1000);
}

// case: pinned_past
// env: CUDACPU_EXACT=1
// stderr: FILE:FILL:\n.*0 bytes past the end of a pinned host allocation of 4000 bytes
CASE(pinned_past)
{
    int *x;
    cudaMallocHost(&x, 4000);
    fill<<<1, 1>>>(x, 1000);
}

// case: async_past
// env: CUDACPU_EXACT=1
// stderr: FILE:FILL:\n.*0 bytes past the end of a device allocation of 4000 bytes
CASE(async_past)
{
    int *x;
    cudaMallocAsync(&x, 4000, 0);
    fill<<<1, 1>>>(x, 1000);
}

// case: pitch_as_width
// fault: row of a pitched array taken for packed, or too long | found if it leaves the allocation
// env: CUDACPU_EXACT=1
// stderr: FILE:ROWS:\n.*past the end of a device allocation of 2048 bytes
__global__ void rows(char *x, size_t pitch)
{
    x[threadIdx.x * pitch] = 1; // ROWS
}
CASE(pitch_as_width)
{
    char *x;
    size_t pitch;
    cudaMallocPitch(&x, &pitch, 100, 4);
    rows<<<1, 4>>>(x, sizeof(int) * pitch);
}

// case: use_after_free
// fault: access to memory that was freed | found with its line
// stderr: FILE:FILL:\n.*write of 0x\w+, in memory of 4000 bytes that was freed
CASE(use_after_free)
{
    int *d_x = device_array<int>(1000);
    cudaFree(d_x);
    fill<<<1, 1>>>(d_x, 0);
}

// case: free_async
// stderr: FILE:FILL:\n.*in memory of 4000 bytes that was freed
CASE(free_async)
{
    int *d_x = device_array<int>(1000);
    cudaFreeAsync(d_x, 0);
    fill<<<1, 1>>>(d_x, 0);
}

// case: double_free
// fault: memory freed twice | found with its line
// stderr: cudaFree, FILE:TWICE:\n  this memory of 16 bytes was freed before
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(double_free)
{
    int *d_x = device_array<int>(4);
    cudaFree(d_x);
    say(cudaFree(d_x)); // TWICE
}

// case: double_free_async
// stderr: cudaFreeAsync, FILE:TWICE_ASYNC:\n  this memory of 16 bytes was freed before
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(double_free_async)
{
    int *d_x = device_array<int>(4);
    cudaFreeAsync(d_x, 0);
    say(cudaFreeAsync(d_x, 0)); // TWICE_ASYNC
}

// case: free_inside
// fault: free of an address that no allocation begins at | found with its line
// stderr: cudaFree, FILE:INSIDE:\n  0x\w+ is not the start of the device allocation of 16 bytes
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(free_inside)
{
    say(cudaFree(device_array<int>(4) + 1)); // INSIDE
}

// case: free_host
// fault: free by the wrong function | found with its line
// stderr: cudaFree, FILE:FREE_HOST:\n  0x\w+ is not the address of an allocation
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(free_host)
{
    say(cudaFree(malloc(4))); // FREE_HOST
}

// case: free_pinned
// stderr: cudaFree, FILE:FREE_PINNED:\n  0x\w+ is pinned host memory, which cudaFreeHost frees
// stderr: cudaFreeHost, FILE:FREE_DEVICE:\n  0x\w+ is device memory, which cudaFree frees
// out: 1 cudaErrorInvalidValue
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(free_pinned)
{
    int *x;
    cudaMallocHost(&x, 4);
    say(cudaFree(x));                        // FREE_PINNED
    say(cudaFreeHost(device_array<int>(4))); // FREE_DEVICE
}
