// Atomic functions come with cuda_runtime.h.
#ifndef CUDACPU_SM_35_ATOMIC_FUNCTIONS_H
#define CUDACPU_SM_35_ATOMIC_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
