// __nv_fp6_e2m3 and __nv_fp6_e3m2, their pairs and fours, and the conversions. They have neither
// infinity nor NaN.
#ifndef CUDACPU_CUDA_FP6_H
#define CUDACPU_CUDA_FP6_H
#ifdef __cplusplus
#include "cuda_fp8.h"

typedef unsigned char __nv_fp6_storage_t;
typedef unsigned short __nv_fp6x2_storage_t;
typedef unsigned int __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t
{
    __NV_E2M3,
    __NV_E3M2
} __nv_fp6_interpretation_t;

namespace cudacpu
{
typedef Tiny<2, 3, 0x1f, 0x1f, 0x1f> E2M3;
typedef Tiny<3, 2, 0x1f, 0x1f, 0x1f> E3M2;

static inline unsigned int fp6_encode(double x, __nv_fp6_interpretation_t kind,
                                      cudaRoundMode rounding)
{
    return kind == __NV_E2M3 ? E2M3::encode(x, true, rounding) : E3M2::encode(x, true, rounding);
}

static inline double fp6_decode(unsigned int bits, __nv_fp6_interpretation_t kind)
{
    return kind == __NV_E2M3 ? E2M3::decode(bits) : E3M2::decode(bits);
}
} // namespace cudacpu

#define CUDACPU_HOW const __nv_fp6_interpretation_t kind, const enum cudaRoundMode rounding
#define CUDACPU_HOW_NAMES kind, rounding
CUDACPU_TINY_CONVERSIONS(fp6, 8)
#undef CUDACPU_HOW
#undef CUDACPU_HOW_NAMES

#define CUDACPU_SATURATED(x) cudacpu::E2M3::encode(x, true, cudaRoundNearest)
CUDACPU_TINY_TYPES(__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, __nv_fp6_storage_t,
                   __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, 8, CUDACPU_SATURATED,
                   cudacpu::E2M3::decode)
#undef CUDACPU_SATURATED
#define CUDACPU_SATURATED(x) cudacpu::E3M2::encode(x, true, cudaRoundNearest)
CUDACPU_TINY_TYPES(__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, __nv_fp6_storage_t,
                   __nv_fp6x2_storage_t, __nv_fp6x4_storage_t, 8, CUDACPU_SATURATED,
                   cudacpu::E3M2::decode)
#undef CUDACPU_SATURATED

#endif
#endif
