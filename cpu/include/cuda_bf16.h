// __nv_bfloat16 and __nv_bfloat162: the upper half of a float.
#ifndef CUDACPU_CUDA_BF16_H
#define CUDACPU_CUDA_BF16_H
#ifdef __cplusplus
#include "cudacpu_narrow.h"

CUDACPU_NARROW_TYPE(__nv_bfloat16, __nv_bfloat162, 8, 7)
CUDACPU_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
CUDACPU_NARROW_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162)

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
#endif
