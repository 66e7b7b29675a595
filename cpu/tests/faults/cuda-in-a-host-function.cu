// fault: a host function in a stream calls CUDA, which is not permitted | error of the call
// stderr: cudaErrorNotPermitted
// out: ...
#include <cstdio>

static void CUDART_CB call(void *pointer)
{
    const cudaError_t error = cudaMalloc((void **)pointer, 4);
    fprintf(stderr, "%s\n", cudaGetErrorName(error));
}

int main()
{
    void *d_x = NULL;
    cudaLaunchHostFunc(0, call, &d_x);
    return cudaDeviceSynchronize();
}
