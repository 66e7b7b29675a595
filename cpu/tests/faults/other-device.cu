// A kernel of device 1 reads memory of device 0. Device 0 was allowed to reach device 1, but that
// is the other direction. The error stays with device 1 and not with device 0.
//
// env: CUDACPU_DEVICES=2
// stderr: kernel copy, block \(0,0,0\), thread \(0,0,0\), FILE:READ:
// stderr: illegal address: read of 0x\w+, in a device allocation of 400 bytes, which belongs to device 0; device 1 may not reach it before cudaDeviceEnablePeerAccess\(0, 0\)
// out: no error
// out: an illegal memory access was encountered
// out: an illegal memory access was encountered
// out: no error
// out: no error
// out: no error
#include <cstdio>

__global__ void copy(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // READ
}

static void say(cudaError_t error)
{
    puts(cudaGetErrorString(error));
}

int main()
{
    int *d_0, *d_1;
    cudaSetDevice(1);
    cudaMalloc(&d_1, 100 * sizeof(int));
    cudaSetDevice(0);
    cudaMalloc(&d_0, 100 * sizeof(int));
    cudaDeviceEnablePeerAccess(1, 0);
    copy<<<1, 100>>>(d_1, d_0);
    say(cudaDeviceSynchronize());
    cudaSetDevice(1);
    copy<<<1, 100>>>(d_0, d_1);
    say(cudaDeviceSynchronize());
    say(cudaMalloc(&d_1, 4));
    cudaSetDevice(0);
    say(cudaGetLastError() == cudaErrorIllegalAddress ? cudaSuccess : cudaErrorUnknown);
    say(cudaMemset(d_0, 0, 400));
    cudaSetDevice(1);
    cudaDeviceReset();
    say(cudaMalloc(&d_1, 4));
    return 0;
}
