// make_cudaExtent and its kin are in cuda_runtime_api.h.
#ifndef CUDACPU_DRIVER_FUNCTIONS_H
#define CUDACPU_DRIVER_FUNCTIONS_H
#include "cuda_runtime_api.h"
#endif
