// Conforms to: __half and __nv_bfloat16, alone and in pairs: conversion, arithmetic, comparison.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "expect.cuh"

__global__ void convert()
{
    EXPECT(__half_as_ushort(__float2half(1.0f)) == 0x3c00 &&
           __half2float(__float2half(0.1f)) != 0.1f);
    EXPECT(__half_as_ushort(__float2half(-2.5f)) == 0xc100);
    EXPECT(__half_as_ushort(__float2half(65504.0f)) == 0x7bff);
    EXPECT(__half_as_ushort(__float2half(65520.0f)) == 0x7c00); // infinity
    EXPECT(__half_as_ushort(__float2half_rz(1e6f)) == 0x7bff);
    EXPECT(__half_as_ushort(__float2half(5.9604645e-8f)) == 1); // the smallest number
    EXPECT(__half_as_ushort(__float2half(2.9802322e-8f)) == 0 &&
           __hisinf(__float2half(-1e9f)) == -1);
    const float above = 1.0f + 0x1p-11f; // halfway between two
    EXPECT(__half_as_ushort(__float2half_rn(above)) == 0x3c00);
    EXPECT(__half_as_ushort(__float2half_ru(above)) == 0x3c01);
    EXPECT(__half_as_ushort(__float2half_rd(-above)) == 0xbc01);
    EXPECT(__half_as_ushort(__float2half_rz(-above)) == 0xbc00);
    EXPECT(__half2int_rn(__float2half(2.5f)) == 2 && __half2int_rz(__float2half(-2.5f)) == -2);
    EXPECT(__half2float(__int2half_rn(2049)) == 2048.0f);
    for (int i = threadIdx.x; i < 0x7c00; i += blockDim.x) // there and back again
    {
        EXPECT(__half_as_ushort(__float2half(__half2float(__ushort_as_half(i)))) == i);
    }
    EXPECT(__bfloat16_as_ushort(__float2bfloat16(1.0f)) == 0x3f80);
    EXPECT(__bfloat162float(__float2bfloat16(3.14159f)) == 3.140625f);
    EXPECT(__bfloat162float(__float2bfloat16(1e38f)) > 9e37f);
    EXPECT(__hisnan(__float2half(NAN)) && !__hisnan(__float2half(1.0f)));
}

template <typename T>
__global__ void arithmetic(T three, T half)
{
    EXPECT((float)__hadd(three, half) == 3.5f && (float)__hsub(half, three) == -2.5f);
    EXPECT((float)__hmul(three, half) == 1.5f && (float)__hdiv(half, half) == 1.0f);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    EXPECT((float)__hfma(three, three, half) == 9.5f);
#endif
    EXPECT((float)__hneg(three) == -3.0f);
    EXPECT((float)__habs(__hneg(half)) == 0.5f && __hgt(three, half) && !__heq(three, half));
    EXPECT((float)__hmax(three, half) == 3.0f && (float)__hmin(three, half) == 0.5f);
    EXPECT((float)(three + half * half) == 3.25f && (float)(-three / half) == -6.0f);
    T sum = three;
    sum += half;
    sum *= half;
    EXPECT((float)sum == 1.75f && sum < three && sum >= half && sum != half);
    EXPECT((float)hsqrt(__hmul(half, half)) == 0.5f && (float)hfloor(sum) == 1.0f);
    EXPECT((float)__shfl_sync(0xffffffff, threadIdx.x == 3 ? half : three, 3) == 0.5f);
}

__global__ void pairs()
{
    const __half2 a = __floats2half2_rn(1.0f, 2.0f), b = __float2half2_rn(0.5f);
    const float2 sum = __half22float2(__hadd2(a, b));
    EXPECT(sum.x == 1.5f && sum.y == 2.5f && sizeof(a) == 4 && alignof(__half2) == 4);
    const __half2 c = __hfma2(a, a, b);
    EXPECT(__low2float(c) == 1.5f && __high2float(c) == 4.5f);
    EXPECT((float)__low2half(a) == 1.0f && (float)__high2half(a) == 2.0f);
    const __half2 d = __halves2half2(__high2half(a), __low2half(a)) * b;
    EXPECT(__low2float(d) == 1.0f && __high2float(d) == 0.5f);
    EXPECT((float)__hgt2(a, d).y == 1.0f && (float)__hgt2(a, d).x == 0.0f);
}

int main()
{
    convert<<<1, 128>>>();
    report("conversions");
    arithmetic<<<1, 32>>>(__float2half(3.0f), __float2half(0.5f));
    report("__half");
    arithmetic<<<1, 32>>>(__float2bfloat16(3.0f), __float2bfloat16(0.5f));
    report("__nv_bfloat16");
    pairs<<<1, 32>>>();
    report("__half2");
    return num_wrong;
}
