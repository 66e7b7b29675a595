// Conforms to: numbers of 8, 6 and 4 bits (fp8, fp6, fp4): each code has its value, what lies between
// two codes goes to the nearer one, and halfway to the even one. On the host and in a kernel.
#pragma GCC diagnostic ignored "-Wunused-parameter" // nvcc's own header has one
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <math.h>
#include "expect.cuh"

// The value of a code, by the definition of the format.
template <int EXPONENT_BITS, int MANTISSA_BITS>
__host__ __device__ double value_of(int code)
{
    const int mantissa = code % (1 << MANTISSA_BITS), exponent = code >> MANTISSA_BITS;
    const int bias = (1 << (EXPONENT_BITS - 1)) - 1;
    double value = exponent == 0 ? mantissa : mantissa + (1 << MANTISSA_BITS);
    for (int i = exponent == 0 ? 1 : exponent; i < bias + MANTISSA_BITS; ++i)
    {
        value /= 2;
    }
    for (int i = bias + MANTISSA_BITS; i < exponent; ++i)
    {
        value *= 2;
    }
    return value;
}

// Wrong conversions among all codes of a type: from its numbers, from what lies between, and back.
template <class T, class Pair, class Four, int EXPONENT_BITS, int MANTISSA_BITS, int LARGEST>
__host__ __device__ int wrong_codes()
{
    int wrong = 0;
    const int sign = 1 << (EXPONENT_BITS + MANTISSA_BITS);
    for (int code = 0; code <= LARGEST; ++code)
    {
        const double x = value_of<EXPONENT_BITS, MANTISSA_BITS>(code);
        T t, minus;
        t.__x = code;
        minus.__x = code | sign;
        wrong += (float)t != (float)x || (double)minus != -x || (int)t != (int)x;
        wrong += (float)(__half)t != (float)x || (float)(__nv_bfloat16)minus != -(float)x;
        wrong += T((float)x).__x != code || T(-x).__x != (code | sign);
        wrong += T(__float2half((float)x)).__x != code || T(__float2bfloat16((float)x)).__x != code;
        wrong += (bool)t != (x != 0) || (x < 32768 && (short)minus != (short)-x);
        if (code < LARGEST)
        {
            const double next = value_of<EXPONENT_BITS, MANTISSA_BITS>(code + 1),
                         middle = (x + next) / 2;
            wrong += T(middle).__x != code + code % 2 ||
                     T((float)-middle).__x != ((code + code % 2) | sign);
            wrong += T(middle * (1 - 1e-15)).__x != code || T(middle * (1 + 1e-15)).__x != code + 1;
            wrong += T(nextafterf((float)middle, 0.f)).__x != code;
            wrong += T(nextafterf((float)middle, 1e9f)).__x != code + 1;
        }
        const float2 pair = (float2)Pair(make_float2((float)x, -1.f));
        const float4 four = (float4)Four(make_float4(1.f, (float)x, 2.f, -(float)x));
        wrong += pair.x != (float)x || pair.y != -1.f;
        wrong += four.x != 1.f || four.y != (float)x || four.z != 2.f || four.w != -(float)x;
    }
    wrong +=
        T(1e30f).__x != LARGEST || T(-1e300).__x != (LARGEST | sign) || T(1000000).__x != LARGEST;
    wrong += T(3).__x != T(3.f).__x || T(2ULL).__x != T(2.0).__x || T((short)-1).__x != T(-1.f).__x;
    return wrong;
}

__host__ __device__ int wrong_specials()
{
    const __nv_saturation_t finite = __NV_SATFINITE, none = __NV_NOSAT;
    int wrong = 0;
    wrong += __nv_cvt_float_to_fp8(NAN, finite, __NV_E4M3) != 0x7f;
    wrong += __nv_cvt_float_to_fp8(NAN, none, __NV_E5M2) != 0x7f;
    wrong += __nv_cvt_float_to_fp8(INFINITY, finite, __NV_E4M3) != 0x7e;
    wrong += __nv_cvt_float_to_fp8(-INFINITY, none, __NV_E4M3) != 0xff;
    wrong += __nv_cvt_float_to_fp8(INFINITY, finite, __NV_E5M2) != 0x7b;
    wrong += __nv_cvt_double_to_fp8(-INFINITY, none, __NV_E5M2) != 0xfc;
    wrong += __nv_cvt_float_to_fp8(464.f, none, __NV_E4M3) != 0x7e;
    wrong += __nv_cvt_float_to_fp8(465.f, none, __NV_E4M3) != 0x7f;
    wrong += __nv_cvt_float_to_fp8(61439.f, none, __NV_E5M2) != 0x7b;
    wrong += __nv_cvt_float_to_fp8(61440.f, none, __NV_E5M2) != 0x7c;
    wrong += __nv_cvt_float_to_fp8(-0.f, none, __NV_E4M3) != 0x80;
    wrong += __nv_cvt_float2_to_fp8x2(make_float2(1.f, -448.f), finite, __NV_E4M3) != 0xfe38;
    wrong += __nv_cvt_double2_to_fp8x2(make_double2(1., -2.), finite, __NV_E5M2) != 0xc03c;
    wrong += __nv_cvt_float_to_fp6(NAN, __NV_E2M3, cudaRoundNearest) != 0x1f;
    wrong += __nv_cvt_float_to_fp6(-100.f, __NV_E3M2, cudaRoundNearest) != 0x3f;
    wrong += __nv_cvt_float_to_fp4(NAN, __NV_E2M1, cudaRoundNearest) != 7;
    wrong += __nv_cvt_float2_to_fp4x2(make_float2(-6.f, 1.5f), __NV_E2M1, cudaRoundNearest) != 0x3f;
    const __half_raw one = __nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3);
    const __half2_raw two = __nv_cvt_fp8x2_to_halfraw2(0x403c, __NV_E5M2);
    wrong += one.x != 0x3c00 || two.x != 0x3c00 || two.y != 0x4000;
    wrong += __nv_cvt_halfraw_to_fp8(one, finite, __NV_E5M2) != 0x3c;
    wrong += __nv_cvt_halfraw2_to_fp8x2(two, finite, __NV_E4M3) != 0x4038;
    __nv_fp8_e4m3 nan;
    nan.__x = 0x7f;
    __nv_fp8_e5m2 infinite;
    infinite.__x = 0xfc;
    wrong += (float)nan == (float)nan || (int)nan != 0 || (float)infinite != -INFINITY;
    wrong += (int)infinite != -2147483647 - 1 || (unsigned char)infinite != 0;
    return wrong;
}

__host__ __device__ int wrong_powers() // of 2, up to 2^127
{
    int wrong = 0;
    for (int code = 0; code < 255; ++code)
    {
        const double x = ldexp(1.0, code - 127);
        __nv_fp8_e8m0 t;
        t.__x = code;
        wrong += (double)t != x || __nv_fp8_e8m0(-x).__x != code;
        wrong += __nv_cvt_double_to_e8m0(1.5 * x, __NV_SATFINITE, cudaRoundZero) != code;
        wrong += __nv_fp8_e8m0(1.5 * x).__x != (code < 254 ? code + 1 : 254);
    }
    wrong += __nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundPosInf) != 255;
    wrong += __nv_cvt_float_to_e8m0(NAN, __NV_SATFINITE, cudaRoundPosInf) != 255;
    return wrong;
}

__host__ __device__ int wrong_of(int what)
{
    switch (what)
    {
    case 0:
        return wrong_codes<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, 4, 3, 0x7e>();
    case 1:
        return wrong_codes<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, 5, 2, 0x7b>();
    case 2:
        return wrong_codes<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, 2, 3, 0x1f>();
    case 3:
        return wrong_codes<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, 3, 2, 0x1f>();
    case 4:
        return wrong_codes<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, 2, 1, 7>();
    case 5:
        return wrong_powers();
    default:
        return wrong_specials();
    }
}

__global__ void in_kernel()
{
    EXPECT(wrong_of(threadIdx.x) == 0);
}

// A sum of products as a layer of a network has it: stored in 8 bits, added in float.
__global__ void multiply(const __nv_fp8_e4m3 *a, const __nv_fp8_e5m2 *b, float *sum)
{
    atomicAdd(sum, (float)a[threadIdx.x] * (float)b[threadIdx.x]);
}

int main()
{
    const char *const names[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "e8m0", "special numbers"};
    for (int what = 0; what < 7; ++what)
    {
        check(names[what], wrong_of(what) == 0);
    }
    in_kernel<<<1, 7>>>();
    report("in a kernel");

    __nv_fp8_e4m3 a[32], *d_a;
    __nv_fp8_e5m2 b[32], *d_b;
    float expected = 0, sum, *d_sum;
    for (int i = 0; i < 32; ++i)
    {
        a[i] = __nv_fp8_e4m3(0.3f * i);
        b[i] = __nv_fp8_e5m2(2.f - i);
        expected += (float)a[i] * (float)b[i];
    }
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_sum, sizeof(sum));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof(sum));
    multiply<<<1, 32>>>(d_a, d_b, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost);
    check("products", sum == expected);
    printf("sum %g, sizes %zu %zu %zu %zu %zu\n", sum, sizeof(a), sizeof(__nv_fp8x2_e4m3),
           sizeof(__nv_fp8x4_e5m2), sizeof(__nv_fp6x4_e2m3), sizeof(__nv_fp4x4_e2m1));
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_sum);
    return num_wrong;
}
