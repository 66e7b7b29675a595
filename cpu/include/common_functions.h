// clock() and its like come with cuda_runtime.h.
#ifndef CUDACPU_COMMON_FUNCTIONS_H
#define CUDACPU_COMMON_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
