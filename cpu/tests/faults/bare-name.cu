// The name of a device variable where an address belongs. cudaMemcpyToSymbol takes names.
//
// fault: name of a `__device__` variable given to cudaMemcpy or cudaMemset, with `&` or without | found with its line, where no other variable has this name
// env: CUDACPU_LEAKS=
#include "cases.cuh"

__device__ int d_one, d_many[4];
__managed__ int m_one;

// case: to
// stderr: CPU backend: cudaMemcpy, FILE:DESTINATION:\n  the destination is the name of a device variable
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(to)
{
    int one = 3;
    say(cudaMemcpy(&d_one, &one, sizeof(int), cudaMemcpyHostToDevice)); // DESTINATION
}

// case: from
// stderr: CPU backend: cudaMemcpy, FILE:FROM:\n  the source is the name of a device variable
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(from)
{
    int many[4];
    say(cudaMemcpy(many, d_many, sizeof(many), cudaMemcpyDefault)); // FROM
}

// case: set
// stderr: CPU backend: cudaMemset, FILE:SET:\n  the destination is the name of a device variable
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
CASE(set)
{
    say(cudaMemset(d_many, 0, sizeof(d_many))); // SET
}

// case: right
// out: 0 cudaSuccess
// out: 0 cudaSuccess
CASE(right)
{
    int one = 3, *d_one = device_array<int>(1); // another one
    cudaMemcpy(d_one, &one, sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(&m_one, &one, sizeof(int), cudaMemcpyDefault);
    void *address;
    cudaGetSymbolAddress(&address, d_many);
    say(cudaMemset(address, 0, sizeof(d_many)));
}
