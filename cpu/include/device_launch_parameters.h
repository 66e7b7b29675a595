// threadIdx and its kin come with cuda_runtime.h.
#ifndef CUDACPU_DEVICE_LAUNCH_PARAMETERS_H
#define CUDACPU_DEVICE_LAUNCH_PARAMETERS_H
#include "cuda_runtime.h"
#endif
