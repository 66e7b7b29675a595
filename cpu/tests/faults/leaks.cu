// Memory that is never freed.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

// case: leak
// fault: memory never freed, with `CUDACPU_LEAKS=1` | listed at the program's end, each with its line
// env: CUDACPU_LEAKS=1
// stderr: cudaMalloc, FILE:LEAK:\n  4000 bytes of device memory were never freed\n
// stderr: cudaMallocHost, FILE:PINNED:\n  12 bytes of pinned host memory were never freed\n
// stderr: cudaMallocManaged, FILE:MANAGED:\n  16 bytes of managed memory were never freed\n$
// out: 0 cudaSuccess
CASE(leak)
{
    void *a, *b, *c, *d;
    cudaMalloc(&a, 4000); // LEAK
    cudaMalloc(&b, 8);
    cudaMallocHost(&c, 12);    // PINNED
    cudaMallocManaged(&d, 16); // MANAGED
    cudaFree(b);
}

// case: no_leak
// env: CUDACPU_LEAKS=1
// out: 0 cudaSuccess
CASE(no_leak)
{
    void *a, *b;
    cudaMalloc(&a, 4000);
    cudaMallocAsync(&b, 4000, 0);
    cudaFree(a);
    cudaFreeAsync(b, 0);
}

// case: reset
// env: CUDACPU_LEAKS=1
// out: 0 cudaSuccess
CASE(reset)
{
    void *a;
    cudaMalloc(&a, 4000);
    cudaDeviceReset();
}

// The program's own error is all that it says.
// case: ends_by_error
// out: ...
// env: CUDACPU_LEAKS=1
// status: 3
CASE(ends_by_error)
{
    void *a;
    cudaMalloc(&a, 4000);
    exit(3);
}

__global__ void write(int *x)
{
    *x = 1; // WRITE
}

// Nothing can be freed after it.
// case: fault
// env: CUDACPU_LEAKS=1
// stderr: \ACPU backend: kernel write, .* FILE:WRITE:\n.*null pointer\n\z
CASE(fault)
{
    void *a;
    cudaMalloc(&a, 4000);
    write<<<1, 1>>>(NULL);
    cudaDeviceSynchronize();
}

// case: freed_at_exit
// env: CUDACPU_LEAKS=1
// out: 0 cudaSuccess
CASE(freed_at_exit)
{
    static struct Kept
    {
        void *d_x;
        ~Kept()
        {
            cudaFree(d_x);
        }
    } kept;
    cudaMalloc(&kept.d_x, 4000);
}
