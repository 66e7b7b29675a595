// What clangd includes first where make builds for the CPU, so that it understands CUDA's language from
// the CPU backend's headers. Nothing is ever compiled with this file.
#include <ctype.h>
#include <functional>
#include <iterator>
#include <memory> // which has its own use for the word __noinline__
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <time.h>

// To clang a plain C++ function is the host's alone. The backend's may be called from everywhere, and
// so may those of the C library that the backend takes as they are. Its kernels are called without
// <<<>>>, as plain functions.
#define __CLANG_CUDA_WRAPPERS_NEW // clang's own <new> comes with the program
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <string.h>
#include "cuda_runtime.h"
#undef __host__
#undef __device__
#undef __constant__
#undef __managed__
#undef __global__
#undef __shared__
#define __host__
#define __device__
#define __constant__
#define __managed__
#define __global__
#define __shared__
#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cooperative_groups/reduce.h"
#include "cooperative_groups/scan.h"
#include "cub/cub.cuh"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_pipeline.h"
#include "cudacpu_texture.h"
#include "curand_kernel.h"
#pragma clang force_cuda_host_device end
#undef __CLANG_CUDA_WRAPPERS_NEW

// In the program these are the words that the backend leaves to its rewriter.
#undef __CUDA__ // the headers of Thrust then do with a host compiler
#undef __host__
#undef __device__
#undef __constant__
#undef __global__
#undef __shared__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))

// Of the C library, what is known above as the host's.
extern "C" __device__ int printf(const char *format, ...);
extern "C" __device__ int abs(int value);

// What clang turns <<<...>>> into a call of.
extern "C" int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                           cudaStream_t stream = 0);
