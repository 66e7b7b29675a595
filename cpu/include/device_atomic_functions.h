// Atomic functions come with cuda_runtime.h.
#ifndef CUDACPU_DEVICE_ATOMIC_FUNCTIONS_H
#define CUDACPU_DEVICE_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
