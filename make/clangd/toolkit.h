// What clangd includes first where there is a toolkit: clang's own header for CUDA. Nothing is ever
// compiled with this file.

// Textures before CUDA 12, which clang's header still knows.
template <typename T, int type, int mode>
struct texture;
#include <__clang_cuda_runtime_wrapper.h>
#include <functional>
#include <memory> // which has its own use for the word __noinline__
#include <string>
#define __noinline__ __attribute__((noinline))
#include "../clang.h"

// What clang's header has for newer GPUs only.
__device__ int __reduce_add_sync(unsigned int mask, int value);
__device__ int __reduce_min_sync(unsigned int mask, int value);
__device__ int __reduce_max_sync(unsigned int mask, int value);
__device__ unsigned int __reduce_add_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_min_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_max_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_and_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_or_sync(unsigned int mask, unsigned int value);
__device__ unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value);
