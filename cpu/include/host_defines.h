// __host__, __device__ and their kin are in cuda_runtime.h.
#ifndef CUDACPU_HOST_DEFINES_H
#define CUDACPU_HOST_DEFINES_H
#include "cuda_runtime.h"
#endif
