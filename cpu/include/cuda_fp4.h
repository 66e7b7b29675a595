// __nv_fp4_e2m1, its pair and its four, and the conversions. It has neither infinity nor NaN. A pair
// is one byte.
#ifndef CUDACPU_CUDA_FP4_H
#define CUDACPU_CUDA_FP4_H
#ifdef __cplusplus
#include "cuda_fp6.h"

typedef unsigned char __nv_fp4_storage_t;
typedef unsigned char __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t
{
    __NV_E2M1
} __nv_fp4_interpretation_t;

namespace cudacpu
{
typedef Tiny<2, 1, 0x7, 0x7, 0x7> E2M1;

static inline unsigned int fp4_encode(double x, __nv_fp4_interpretation_t, cudaRoundMode rounding)
{
    return E2M1::encode(x, true, rounding);
}

static inline double fp4_decode(unsigned int bits, __nv_fp4_interpretation_t)
{
    return E2M1::decode(bits);
}
} // namespace cudacpu

#define CUDACPU_HOW const __nv_fp4_interpretation_t kind, const enum cudaRoundMode rounding
#define CUDACPU_HOW_NAMES kind, rounding
CUDACPU_TINY_CONVERSIONS(fp4, 4)
#undef CUDACPU_HOW
#undef CUDACPU_HOW_NAMES

#define CUDACPU_SATURATED(x) cudacpu::E2M1::encode(x, true, cudaRoundNearest)
CUDACPU_TINY_TYPES(__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, __nv_fp4_storage_t,
                   __nv_fp4x2_storage_t, __nv_fp4x4_storage_t, 4, CUDACPU_SATURATED,
                   cudacpu::E2M1::decode)
#undef CUDACPU_SATURATED

#endif
#endif
