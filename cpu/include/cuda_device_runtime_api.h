// What kernels may call of the runtime API comes with cuda_runtime.h.
#ifndef CUDACPU_CUDA_DEVICE_RUNTIME_API_H
#define CUDACPU_CUDA_DEVICE_RUNTIME_API_H
#include "cuda_runtime.h"
#endif
