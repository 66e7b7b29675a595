// A library is told of more than its arrays have.
//
// flags: -lcublas
// fault: too much asked of a library: columns, or a leading dimension, that the array does not have | found with the line of the call
// out: 700 cudaErrorIllegalAddress
#include <cublas_v2.h>
#include "cases.cuh"

static void multiply(int n)
{
    cublasHandle_t handle;
    cublasCreate(&handle);
    const float one = 1;
    const cublasOperation_t as_is = CUBLAS_OP_N;
    float *d_x = device_array<float>(65);
    cublasSgemm(handle, as_is, as_is, n, n, n, &one, d_x, n, d_x, n, &one, d_x, n); // CALL
    cudaDeviceSynchronize();
}

// case: far
// stderr: CPU backend: kernel gemm of cublasSgemm at FILE:CALL, block \(\d+,0,0\), thread \(0,0,0\):\n  illegal address: read
CASE(far)
{
    multiply(800);
}

// case: near
// env: CUDACPU_EXACT=
// stderr: CPU backend: kernel gemm of cublasSgemm at FILE:CALL wrote outside an allocation of 260 bytes
CASE(near)
{
    multiply(9);
}
