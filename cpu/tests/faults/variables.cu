// Wrong kernels: variables of the device.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

__device__ int d_array[100];
__device__ int d_first[3] = {1, 2, 3}, d_second[1024];
__constant__ int c_table[4] = {1, 2, 3, 4};
__constant__ const int c_fixed[2] = {5, 6};
__managed__ int m_array[10];
struct Pair
{
    int first, second;
};
__device__ Pair d_pairs[2];

__global__ void set(int which, int i)
{
    int *const arrays[] = {d_array, d_first, m_array, (int *)d_pairs, d_second};
    arrays[which][i] = 1; // SET
}

// case: device_slack
// fault: write past a `__device__` or `__managed__` variable, within 64 bytes | found after the kernel, with the variable's name
// stderr: kernel set wrote outside the variable d_array of 400 bytes
CASE(device_slack)
{
    set<<<1, 1>>>(0, 100);
}

// case: managed_slack
// stderr: kernel set wrote outside the variable m_array of 40 bytes
CASE(managed_slack)
{
    set<<<1, 1>>>(2, 10);
}

// case: struct_slack
// stderr: kernel set wrote outside the variable d_pairs of 16 bytes
CASE(struct_slack)
{
    set<<<1, 1>>>(3, 5);
}

// case: first_slack
// stderr: kernel set wrote outside the variable d_first of 12 bytes
CASE(first_slack)
{
    set<<<1, 1>>>(1, 3);
}

// case: device_page
// fault: the same, as far as the end of its page | found with `CUDACPU_EXACT=1` only
// env: CUDACPU_EXACT=1
// stderr: kernel set wrote outside the variable d_array of 400 bytes
CASE(device_page)
{
    set<<<1, 1>>>(0, 500);
}

// case: device_page_unseen
// out: 0 cudaSuccess
CASE(device_page_unseen)
{
    set<<<1, 1>>>(0, 500);
}

// case: device_far
// fault: access past a `__device__` or `__managed__` variable, beyond its page | found with its line
// stderr: FILE:SET:\n.*write of 0x\w+, 3700 bytes past the end of the static variable d_array of 400 bytes
CASE(device_far)
{
    set<<<1, 1>>>(0, 1025);
}

// case: managed_far
// stderr: FILE:SET:\n.*write of 0x\w+, 4060 bytes past the end of the managed variable m_array of 40 bytes
CASE(managed_far)
{
    set<<<1, 1>>>(2, 1025);
}

// case: whole_page
// stderr: FILE:SET:\n.*write of 0x\w+, 0 bytes past the end of the static variable d_second of 4096 bytes
CASE(whole_page)
{
    set<<<1, 1>>>(4, 1024);
}

// case: write_constant
// fault: write to a `__constant__` variable in a kernel | found with its line
// stderr: FILE:CONSTANT:\n.*write of 0x\w+, in the constant variable c_table of 16 bytes, which kernels can only read
__global__ void write_constant()
{
    c_table[threadIdx.x] = 7; // CONSTANT
}
CASE(write_constant)
{
    write_constant<<<1, 1>>>();
}

// case: write_copied_constant
// stderr: FILE:CONSTANT:\n.*in the constant variable c_table of 16 bytes, which kernels can only read
CASE(write_copied_constant)
{
    const int nine = 9;
    cudaMemcpyToSymbol(c_table, &nine, sizeof(int));
    write_constant<<<1, 1>>>();
}

// case: write_fixed
// stderr: FILE:FIXED:\n.*write of 0x\w+, in a static allocation of 8 bytes, which kernels can only read
__global__ void write_fixed(int *fixed)
{
    fixed[0] = 7; // FIXED
}
CASE(write_fixed)
{
    int *fixed;
    cudaGetSymbolAddress(&fixed, c_fixed);
    write_fixed<<<1, 1>>>(fixed);
}

// case: past_constant
// fault: read past a `__constant__` variable, beyond its page | found with its line
// stderr: FILE:PAST_CONSTANT:\n.*read of 0x\w+, 4080 bytes past the end of the constant variable c_table
__global__ void past_constant(int i)
{
    d_array[0] = c_table[i]; // PAST_CONSTANT
}
CASE(past_constant)
{
    past_constant<<<1, 1>>>(1024);
}

// case: constant_is_set
// out: 9
// out: 0 cudaSuccess
__global__ void read_constant(int *out)
{
    out[0] = c_table[1];
}
CASE(constant_is_set)
{
    const int nine = 9;
    int out = 0, *d_out = device_array<int>(1);
    cudaMemcpyToSymbol(c_table, &nine, sizeof(int), sizeof(int));
    read_constant<<<1, 1>>>(d_out);
    cudaMemcpy(&out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", out);
}

// case: host_writes_constant
// fault: a variable of the device, or its memory, written by the host | found with its line if it is constant or from `cudaMalloc`
// stderr: host code at FILE:HOST: write of address 0x\w+, in the constant variable c_table
// status: SEGV
CASE(host_writes_constant)
{
    int *table = c_table; // the compiler refuses `c_table[0] = 8`
    table[0] = 8;         // HOST
}
