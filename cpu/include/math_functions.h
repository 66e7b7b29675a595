// Mathematical functions come with cuda_runtime.h.
#ifndef CUDACPU_MATH_FUNCTIONS_H
#define CUDACPU_MATH_FUNCTIONS_H
#include "cuda_runtime.h"
#endif
