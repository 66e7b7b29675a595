// __nv_fp8_e4m3, __nv_fp8_e5m2 and __nv_fp8_e8m0, their pairs and fours, and the conversions.
#ifndef CUDACPU_CUDA_FP8_H
#define CUDACPU_CUDA_FP8_H
#ifdef __cplusplus
#include "cudacpu_tiny.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t
{
    __NV_NOSAT,
    __NV_SATFINITE
} __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t
{
    __NV_E4M3,
    __NV_E5M2
} __nv_fp8_interpretation_t;

namespace cudacpu
{
typedef Tiny<4, 3, 0x7e, 0x7f, 0x7f> E4M3; // without infinity
typedef Tiny<5, 2, 0x7b, 0x7c, 0x7f> E5M2;

static inline unsigned int fp8_encode(double x, __nv_saturation_t saturation,
                                      __nv_fp8_interpretation_t kind)
{
    const bool saturates = saturation == __NV_SATFINITE;
    return kind == __NV_E4M3 ? E4M3::encode(x, saturates, cudaRoundNearest)
                             : E5M2::encode(x, saturates, cudaRoundNearest);
}

static inline double fp8_decode(unsigned int bits, __nv_fp8_interpretation_t kind)
{
    return kind == __NV_E4M3 ? E4M3::decode(bits) : E5M2::decode(bits);
}

// A power of 2, from 2^-127 up to 2^127, of which the last code is NaN. It has no sign and no zero.
static inline unsigned int e8m0_encode(double x, bool saturates, cudaRoundMode rounding)
{
    if (x != x)
    {
        return 0xff;
    }
    const double magnitude = fabs(x);
    if (magnitude <= ldexp(1.0, -127))
    {
        return 0;
    }
    if (magnitude > 1e300) // infinity, too
    {
        return saturates ? 0xfe : 0xff;
    }
    int exponent; // magnitude is from 2^(exponent - 1) on
    const bool is_power = frexp(magnitude, &exponent) == 0.5;
    const int code = exponent - 1 + 127 + (rounding == cudaRoundPosInf && !is_power);
    return code <= 0xfe ? code : saturates ? 0xfe : 0xff;
}

static inline double e8m0_decode(unsigned int bits)
{
    return bits == 0xff ? tiny_nan(0x7fffe00000000000) : ldexp(1.0, (int)bits - 127);
}
} // namespace cudacpu

#define CUDACPU_HOW const __nv_saturation_t saturation, const __nv_fp8_interpretation_t kind
#define CUDACPU_HOW_NAMES saturation, kind
CUDACPU_TINY_CONVERSIONS(fp8, 8)
#undef CUDACPU_HOW
#undef CUDACPU_HOW_NAMES

#define CUDACPU_SATURATED(x) cudacpu::E4M3::encode(x, true, cudaRoundNearest)
CUDACPU_TINY_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __nv_fp8_storage_t,
                   __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8, CUDACPU_SATURATED,
                   cudacpu::E4M3::decode)
#undef CUDACPU_SATURATED
#define CUDACPU_SATURATED(x) cudacpu::E5M2::encode(x, true, cudaRoundNearest)
CUDACPU_TINY_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __nv_fp8_storage_t,
                   __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8, CUDACPU_SATURATED,
                   cudacpu::E5M2::decode)
#undef CUDACPU_SATURATED
#define CUDACPU_SATURATED(x) cudacpu::e8m0_encode(x, true, cudaRoundPosInf)
CUDACPU_TINY_TYPES(__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0, __nv_fp8_storage_t,
                   __nv_fp8x2_storage_t, __nv_fp8x4_storage_t, 8, CUDACPU_SATURATED,
                   cudacpu::e8m0_decode)
#undef CUDACPU_SATURATED

#define CUDACPU_E8M0(T, T2, name, name2, value)                                                    \
    static inline __nv_fp8_storage_t name(const T x, const __nv_saturation_t saturation,           \
                                          const enum cudaRoundMode rounding)                       \
    {                                                                                              \
        return (__nv_fp8_storage_t)cudacpu::e8m0_encode(value(x), saturation == __NV_SATFINITE,    \
                                                        rounding);                                 \
    }                                                                                              \
    static inline __nv_fp8x2_storage_t name2(const T2 v, const __nv_saturation_t saturation,       \
                                             const enum cudaRoundMode rounding)                    \
    {                                                                                              \
        const bool saturates = saturation == __NV_SATFINITE;                                       \
        return (__nv_fp8x2_storage_t)(cudacpu::e8m0_encode(value(v.x), saturates, rounding) |      \
                                      cudacpu::e8m0_encode(value(v.y), saturates, rounding) << 8); \
    }
CUDACPU_E8M0(double, double2, __nv_cvt_double_to_e8m0, __nv_cvt_double2_to_e8m0x2, (double))
CUDACPU_E8M0(float, float2, __nv_cvt_float_to_e8m0, __nv_cvt_float2_to_e8m0x2, (double))
CUDACPU_E8M0(__nv_bfloat16_raw, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_e8m0,
             __nv_cvt_bfloat162raw_to_e8m0x2, cudacpu::bfloat16_value)
#undef CUDACPU_E8M0

static inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x)
{
    return __nv_bfloat16::from(cudacpu::e8m0_decode(x));
}

static inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x)
{
    return {__nv_bfloat16::from(cudacpu::e8m0_decode(x & 0xff)).bits,
            __nv_bfloat16::from(cudacpu::e8m0_decode(x >> 8)).bits};
}

#endif
#endif
