// Intrinsics of double come with cuda_runtime.h.
#ifndef CUDACPU_DEVICE_DOUBLE_FUNCTIONS_H
#define CUDACPU_DEVICE_DOUBLE_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
