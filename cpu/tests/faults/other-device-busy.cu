// Both devices run kernels at the same time, so the memory of device 0 is in use while a kernel of
// device 1 writes there.
//
// env: CUDACPU_DEVICES=3
// stderr: kernel write, block \(0,0,0\), thread \(5,0,0\), FILE:WRITE:
// stderr: illegal address: write of 0x\w+, in a device allocation of 4096 bytes, which belongs to device 0; device 2 may not
// out: device 0: no error
// out: device 2: an illegal memory access was encountered
#include <cstdio>

__global__ void work(int *x)
{
    for (int i = 0; i < 10000; ++i)
    {
        x[blockIdx.x * blockDim.x + threadIdx.x] += i;
    }
}

__global__ void write(int *x)
{
    if (threadIdx.x == 5)
    {
        x[threadIdx.x] = 1; // WRITE
    }
}

int main()
{
    int *d_x;
    cudaMalloc(&d_x, 1024 * sizeof(int));
    work<<<8, 128>>>(d_x);
    work<<<8, 128>>>(d_x);
    cudaSetDevice(2);
    write<<<1, 32>>>(d_x);
    cudaSetDevice(0);
    printf("device 0: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaSetDevice(2);
    printf("device 2: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
