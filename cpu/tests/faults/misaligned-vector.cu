// fault: misaligned access that the processor traps: of 16 bytes at once, on x86-64 | found with its line, error 716
// processor: x86_64
//
// case: write
// stderr: kernel store, block \(0,0,0\), thread \(0,0,0\), FILE:STORE:
// stderr: misaligned address: write of 0x[0-9a-f]*4, no multiple
// status: 204
// case: read
// stderr: kernel load, block \(0,0,0\), thread \(0,0,0\), FILE:LOAD:
// stderr: misaligned address: read of 0x[0-9a-f]*8, no multiple
// status: 204
#include <cstring>

__global__ void store(float *p)
{
    *(float4 *)(p + 1) = make_float4(1.0f, 2.0f, 3.0f, 4.0f); // STORE
}

__global__ void load(float *p)
{
    *(float4 *)p = *(float4 *)(p + 2); // LOAD
}

int main(int argc, char **argv)
{
    float *d_p;
    cudaMalloc(&d_p, 100 * sizeof(float));
    if (argc > 1 && strcmp(argv[1], "read") == 0)
    {
        load<<<1, 1>>>(d_p);
    }
    else
    {
        store<<<1, 1>>>(d_p);
    }
    return cudaDeviceSynchronize() - 512; // 716, in the 8 bits of a status
}
