// The runtime API's types are in cuda_runtime_api.h.
#ifndef CUDACPU_DRIVER_TYPES_H
#define CUDACPU_DRIVER_TYPES_H
#include "cuda_runtime_api.h"
#endif
