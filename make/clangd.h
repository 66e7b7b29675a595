// What clangd includes first where there is no toolkit, so that it understands CUDA's language from
// the CPU backend's headers. Nothing is ever compiled with this file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utility>

// To clang a plain C++ function is the host's alone. The backend's may be called from everywhere.
#pragma clang force_cuda_host_device begin
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device end

// Words that the backend ignores or leaves to its rewriter.
#undef __host__
#undef __device__
#undef __constant__
#undef __managed__
#undef __global__
#undef __shared__
#define __managed__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

extern "C" __device__ int printf(const char *format, ...);

// What clang turns <<<...>>> into a call of.
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                           cudaStream_t stream = 0);
