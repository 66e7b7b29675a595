// Texture references, which CUDA 12 has removed, are in cudacpu_texture_reference.h.
#ifndef CUDACPU_CUDA_SURFACE_TYPES_H
#define CUDACPU_CUDA_SURFACE_TYPES_H
#include "cuda_runtime.h"
#ifdef __CUDACC__
#include "cudacpu_texture_reference.h"
#endif
#endif
