// Intrinsics come with cuda_runtime.h.
#ifndef CUDACPU_SM_35_INTRINSICS_H
#define CUDACPU_SM_35_INTRINSICS_H
#include "cuda_runtime.h"
#endif
