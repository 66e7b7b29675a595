// What kernels do with textures and surfaces is in cudacpu_texture.h.
#ifndef CUDACPU_SURFACE_FUNCTIONS_H
#define CUDACPU_SURFACE_FUNCTIONS_H
#include "cuda_runtime.h"
#ifdef __CUDACC__
#include "cudacpu_texture.h"
#endif
#endif
