// Functions for host and device that end the program in their part for the host, which a kernel has here.
// fault: a function of both sides ends the program in its part for the host, behind `#ifdef __CUDA_ARCH__` | found with its line; the program ends
// out: ...
// env: CUDACPU_LEAKS=
#include <cstdlib>
#include <cstring>
#include <stdexcept>

__host__ __device__ int next_by_abort(int x)
{
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    abort();                                      // ABORT
#endif
}

__host__ __device__ int next_by_throw(int x)
{
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    throw std::runtime_error("for kernels only"); // THROW
#endif
}

__host__ __device__ int next_by_exit(int x)
{
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    exit(3);                                      // EXIT
#endif
}

__global__ void next(int *y, int how)
{
    *y = how == 0 ? next_by_abort(*y) : how == 1 ? next_by_throw(*y) : next_by_exit(*y);
}

// case: abort
// stderr: kernel next, block \(0,0,0\), thread \(0,0,0\), FILE:ABORT:\n  the program is ended here: by abort\(\)
// stderr: asks whether __CUDA_ARCH__ is defined\. It is not
// status: ABRT
// case: throw
// stderr: FILE:THROW:\n  the program is ended here: .*an exception that nobody catches
// stderr: asks whether __CUDA_ARCH__ is defined\. It is not
// status: ABRT
// case: exit
// stderr: kernel next, block \(0,0,0\), thread \(0,0,0\), FILE:EXIT:\n  the program is ended here, by exit\(3\)
// stderr: asks whether __CUDA_ARCH__ is defined\. It is not
// status: 3
int main(int, char **arguments)
{
    int *y;
    cudaMalloc(&y, sizeof(*y));
    cudaMemset(y, 0, sizeof(*y));
    next<<<1, 1>>>(y, strcmp(arguments[1], "abort") == 0   ? 0
                      : strcmp(arguments[1], "throw") == 0 ? 1
                                                           : 2);
    cudaDeviceSynchronize();
    return cudaFree(y);
}
