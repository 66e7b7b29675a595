// __half and __half2: one bit of sign, five of exponent, ten of mantissa.
#ifndef CUDACPU_CUDA_FP16_H
#define CUDACPU_CUDA_FP16_H
#ifdef __cplusplus
#include "cudacpu_narrow.h"

CUDACPU_NARROW_TYPE(__half, __half2, 5, 10)
CUDACPU_NARROW_FUNCTIONS(__half, __half2)
CUDACPU_NARROW_CONVERSIONS(__half, __half2, half, half2)

typedef __half half, nv_half;
typedef __half2 half2, nv_half2;

#endif
#endif
