// variables: of the device, as pointers see them, and after a reset.
//
// Conforms to: the CUDA Runtime API, cudaPointerGetAttributes and cudaDeviceReset; the CUDA C++
// Programming Guide, "Device Memory" and "__managed__".
#include "expect.cuh"

__managed__ int m_number = 5;
__device__ __managed__ float m_array[3], m_other = 2.5f;
__device__ int d_number = 7, d_zeros[1000];
__device__ const int d_primes[] = {2, 3, 5};
__constant__ int c_table[3] = {1, 2, 3};
static __device__ volatile int d_flag = 4;

namespace space
{
struct Pair
{
    int first;
    double second;
};
__device__ Pair d_pair = {3, 0.5};
} // namespace space

__global__ void change()
{
    m_number += 10;
    m_array[2] += m_other;
    d_number = 70 + d_primes[2];
    d_zeros[999] = 71;
    d_flag = 72;
    space::d_pair.first = 73;
}

__global__ void read(int *out)
{
    out[0] = d_number;
    out[1] = d_zeros[999];
    out[2] = c_table[1];
    out[3] = d_flag;
    out[4] = space::d_pair.first;
    out[5] = d_primes[1];
}

static bool read_are(int a, int b, int c, int d, int e)
{
    int *d_out, out[6];
    cudaMalloc(&d_out, sizeof(out));
    read<<<1, 1>>>(d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    return out[0] == a && out[1] == b && out[2] == c && out[3] == d && out[4] == e && out[5] == 3;
}

static void try_attributes()
{
    cudaPointerAttributes attributes;
    bool right = cudaPointerGetAttributes(&attributes, &m_number) == cudaSuccess &&
                 attributes.type == cudaMemoryTypeManaged && attributes.hostPointer != NULL &&
                 attributes.devicePointer != NULL;
    check("a managed variable", right);
    right = cudaPointerGetAttributes(&attributes, &m_array[1]) == cudaSuccess &&
            attributes.type == cudaMemoryTypeManaged &&
            cudaPointerGetAttributes(&attributes, &m_other) == cudaSuccess &&
            attributes.type == cudaMemoryTypeManaged;
    check("a managed array", right);
    void *address = NULL;
    right = cudaGetSymbolAddress(&address, d_number) == cudaSuccess &&
            cudaPointerGetAttributes(&attributes, address) == cudaSuccess &&
            attributes.type == cudaMemoryTypeDevice && attributes.hostPointer == NULL;
    check("a device variable", right);
}

static void try_reset()
{
    const int table[3] = {4, 5, 6};
    check("first values", read_are(7, 0, 2, 4, 3));
    cudaMemcpyToSymbol(c_table, table, sizeof(table));
    change<<<1, 1>>>();
    check("changed", read_are(75, 71, 5, 72, 73));
    check("managed variables", m_number == 15 && m_array[2] == 2.5f);
    check("cudaDeviceReset", cudaDeviceReset() == cudaSuccess);
    check("first values again", read_are(7, 0, 2, 4, 3));
}

int main()
{
    try_attributes();
    try_reset();
    return num_wrong != 0;
}
