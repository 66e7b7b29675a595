// Conforms to: integer intrinsics, conversions and arithmetic with a rounding in their names, min
// and max of mixed types, and the functions that C does not have.
#include <math_constants.h>
#include "expect.cuh"

__global__ void bits()
{
    EXPECT(__popc(0xf0f0f001) == 13 && __popcll(~0ull) == 64 && __popc(0) == 0);
    EXPECT(__clz(0) == 32 && __clz(1) == 31 && __clz(-1) == 0);
    EXPECT(__clzll(0) == 64 && __clzll(1ll << 40) == 23);
    EXPECT(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 63) == 64);
    EXPECT(__brev(1) == 0x80000000 && __brev(0x12345678) == 0x1e6a2c48);
    EXPECT(__brevll(1) == 1ull << 63 && __brevll(0x12345678) == 0x1e6a2c4800000000);
    EXPECT(__byte_perm(0x33221100, 0x77665544, 0x3210) == 0x33221100);
    EXPECT(__byte_perm(0x33221100, 0x77665544, 0x0246) == 0x00224466);
    EXPECT(__funnelshift_l(0x80000000, 1, 4) == 0x18 &&
           __funnelshift_r(0x10, 0xf, 4) == 0xf0000001);
    EXPECT(__funnelshift_l(7, 9, 32) == 9 && __funnelshift_lc(7, 9, 32) == 7);
    EXPECT(__funnelshift_r(7, 9, 32) == 7 && __funnelshift_rc(7, 9, 99) == 9);
}

__global__ void integers()
{
    EXPECT(__mulhi(-1, 5) == -1 && __mulhi(1 << 30, 12) == 3);
    EXPECT(__umulhi(0xffffffff, 0xffffffff) == 0xfffffffe);
    EXPECT(__mul64hi(-1ll, 5) == -1 && __umul64hi(1ull << 63, 6) == 3);
    EXPECT(__mul24(-3, 5) == -15 && __mul24(0x01000002, 3) == 6 && __umul24(0xff000002, 3) == 6);
    EXPECT(__sad(-3, 4, 10) == 17 && __usad(3, 10, 1) == 8);
    EXPECT(__hadd(-3, 4) == 0 && __rhadd(-3, 4) == 1 && __uhadd(0xffffffff, 1) == 0x80000000);
    EXPECT(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40490fdb) == CUDART_PI_F);
    EXPECT(__float_as_uint(-0.0f) == 0x80000000 && __uint_as_float(0x7f800000) == CUDART_INF_F);
    EXPECT(__double_as_longlong(1.0) == 0x3ff0000000000000 && __double2hiint(2.0) == 0x40000000);
    EXPECT(__hiloint2double(0x40000000, 0) == 2.0 && __double2loint(1.0 / 3) == 0x55555555);
}

__global__ void conversions()
{
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_rn(-3.5f) == -4);
    EXPECT(__float2int_rz(-2.7f) == -2 && __float2int_ru(-2.7f) == -2);
    EXPECT(__float2int_rd(-2.7f) == -3 && __float2int_ru(2.1f) == 3);
    EXPECT(__float2int_rz(1e20f) == 0x7fffffff && __float2int_rz(-1e20f) == -0x7fffffff - 1);
    EXPECT(__float2uint_rz(-5.0f) == 0 && __float2uint_rn(4e9f) == 4000000000u);
    EXPECT(__float2ll_rd(-1.5f) == -2 && __float2ull_ru(1e10f) == 10000000000ull);
    EXPECT(__double2int_rn(0.5) == 0 && __double2int_rn(1.5) == 2 && __double2int_rz(-1.9) == -1);
    EXPECT(__double2uint_rd(3.9) == 3 && __double2ll_rn(-1e15 - 0.5) == -1000000000000000);
    EXPECT(__double2ull_rz(1.8e19) == 18000000000000000000ull);
    const int big = 0x1000001; // between two floats
    EXPECT(__int2float_rn(big) == 16777216.0f && __int2float_rz(big) == 16777216.0f);
    EXPECT(__int2float_ru(big) == 16777218.0f && __int2float_rd(-big) == -16777218.0f);
    EXPECT(__uint2float_rd(0xffffffff) == 4294967040.0f && __uint2float_ru(7) == 7.0f);
    EXPECT(__ll2float_ru((1ll << 40) + 1) == 1099511758848.0f);
    EXPECT(__ull2float_rz(~0ull) == 18446742974197923840.0f);
    EXPECT(__ll2double_rd((1ll << 53) + 1) == 9007199254740992.0);
    EXPECT(__ull2double_ru((1ull << 53) + 1) == 9007199254740994.0);
    EXPECT(__double2float_rz(1.0 + 1e-9) == 1.0f && __double2float_ru(1.0 + 1e-9) > 1.0f);
    EXPECT(__int2double_rn(-7) == -7.0 && __uint2double_rn(~0u) == 4294967295.0);
}

// The number next to 1 above and below.
__global__ void directed(float tiny, double tiny2)
{
    const float above = 1.0f + 0x1p-23f, below = 1.0f - 0x1p-24f;
    EXPECT(__fadd_rn(1.0f, tiny) == 1.0f && __fadd_ru(1.0f, tiny) == above);
    EXPECT(__fadd_rd(1.0f, -tiny) == below && __fadd_rz(1.0f, -tiny) == below);
    EXPECT(__fadd_rz(-1.0f, tiny) == -below && __fadd_rd(-1.0f, -tiny) == -above);
    EXPECT(__fsub_ru(1.0f, -tiny) == above && __fsub_rn(1.0f, tiny) == 1.0f);
    EXPECT(__fmul_rd(above, above) == 1.0f + 0x1p-22f && __fmul_ru(above, above) > 1.0f + 0x1p-22f);
    EXPECT(__fdiv_rn(1.0f, 3.0f) == 1.0f / 3.0f && __fdiv_rd(1.0f, 3.0f) < __fdiv_ru(1.0f, 3.0f));
    EXPECT(__frcp_rd(3.0f) < __frcp_ru(3.0f) && __frcp_rn(4.0f) == 0.25f);
    EXPECT(__fsqrt_rn(2.0f) == 1.41421356f && __fsqrt_rd(2.0f) < __fsqrt_ru(2.0f));
    EXPECT(__fsqrt_rz(4.0f) == 2.0f && __fsqrt_ru(4.0f) == 2.0f);
    EXPECT(__fmaf_rn(above, above, -1.0f) == 0x1p-22f + 0x1p-46f);
    EXPECT(__fmaf_ru(tiny, tiny, 1.0f) == above && __fmaf_rd(tiny, tiny, 1.0f) == 1.0f);

    const double above2 = 1.0 + 0x1p-52, below2 = 1.0 - 0x1p-53;
    EXPECT(__dadd_rn(1.0, tiny2) == 1.0 && __dadd_ru(1.0, tiny2) == above2);
    EXPECT(__dadd_rz(1.0, -tiny2) == below2 && __dsub_rd(1.0, tiny2) == below2);
    EXPECT(__dmul_rd(above2, above2) == 1.0 + 0x1p-51 && __dmul_ru(above2, above2) > 1.0 + 0x1p-51);
    EXPECT(__ddiv_rd(1.0, 3.0) < __ddiv_ru(1.0, 3.0) && __drcp_rn(8.0) == 0.125);
    EXPECT(__dsqrt_rd(2.0) < __dsqrt_ru(2.0) && __dsqrt_rn(2.25) == 1.5);
    EXPECT(__fma_rn(above2, above2, -1.0) == 0x1p-51 + 0x1p-104);
    EXPECT(__fma_ru(tiny2, tiny2, 1.0) == above2 && __fma_rz(tiny2, tiny2, 1.0) == 1.0);
}

__global__ void smaller_and_larger()
{
    EXPECT(min(-1, 1) == -1 && max(-1, 1) == 1 && min(3u, 2u) == 2);
    EXPECT(max(-1, 1u) == 0xffffffff && min(2u, -1) == 2); // the int becomes unsigned
    EXPECT(min(1ll << 40, -1ll) == -1 && max(5ull, 1ull << 40) == 1ull << 40);
    EXPECT(max(5l, 7l) == 7 && min(5ul, 7ul) == 5);
    EXPECT(min(1.5f, 2.5) == 1.5 && max(1.5, 2.5f) == 2.5);
    EXPECT(fminf(CUDART_NAN_F, 2.0f) == 2.0f && max(CUDART_NAN, 2.0) == 2.0);
    EXPECT(umin(3, 4) == 3 && umax(3, 4) == 4 && llmax(-1, 1) == 1 && ullmin(~0ull, 1) == 1);
    EXPECT(abs(-3) == 3 && abs(-2.5f) == 2.5f && abs(-2.5) == 2.5 &&
           llabs(-(1ll << 40)) == 1ll << 40);
    EXPECT(fabsf(-1.0f) == 1.0f && fabs(-1.0) == 1.0 && labs(-3l) == 3);
    EXPECT(__saturatef(1.5f) == 1.0f && __saturatef(-2.0f) == 0.0f && __saturatef(0.25f) == 0.25f);
    EXPECT(isnan(CUDART_NAN) && !isnan(1.0f) && isinf(-CUDART_INF) && !isfinite(CUDART_INF_F));
    EXPECT(signbit(-0.0f) && !signbit(1.0));
}

__device__ bool near(double x, double y, double tolerance)
{
    return fabs(x - y) <= tolerance * fabs(y);
}

__global__ void functions()
{
    const double d = 1e-13;
    const float f = 1e-6f;
    EXPECT(near(rsqrt(4.0), 0.5, d) && near(rsqrtf(16.0f), 0.25, f) && near(rsqrt(0.25f), 2.0, f));
    EXPECT(near(rcbrt(27.0), 1.0 / 3, d) && near(rcbrtf(8.0f), 0.5, f) && near(cbrt(-8.0), -2, d));
    EXPECT(sinpi(1.0) == 0.0 && cospi(0.5) == 0.0 && sinpi(-0.5) == -1.0 && cospi(3.0) == -1.0);
    EXPECT(near(sinpi(1.0 / 6), 0.5, d) && near(cospif(2.25f), sqrt(0.5), f));
    double s, c;
    float sf, cf;
    sincos(1.0, &s, &c);
    EXPECT(near(s, 0.8414709848078965, d) && near(c, 0.5403023058681398, d));
    sincosf(1.0f, &sf, &cf);
    EXPECT(near(sf, s, f) && near(cf, c, f));
    sincospi(0.25, &s, &c);
    EXPECT(near(s, sqrt(0.5), d) && near(c, sqrt(0.5), d));
    EXPECT(near(exp10(3.0), 1000, d) && near(exp10f(-2.0f), 0.01, f) && near(exp2(10.0), 1024, d));
    EXPECT(near(hypot(3.0, 4.0), 5, d) && near(rhypot(3.0, 4.0), 0.2, d));
    EXPECT(near(hypotf(3e30f, 4e30f), 5e30, f) && near(rhypotf(3.0f, 4.0f), 0.2, f));
    EXPECT(near(norm3d(2.0, 3.0, 6.0), 7, d) && near(norm4d(1.0, 1.0, 1.0, 1.0), 2, d));
    EXPECT(near(norm3df(2.0f, 3.0f, 6.0f), 7, f) && near(rnorm3d(2.0, 3.0, 6.0), 1.0 / 7, d));
    const double x[] = {1, 4, 8, 12};
    const float xf[] = {1, 4, 8, 12};
    EXPECT(near(norm(4, x), 15, d) && near(normf(4, xf), 15, f) && near(rnorm(4, x), 1 / 15.0, d));
    EXPECT(near(erfinv(0.5), 0.4769362762044699, d) && near(erfcinv(1e-10), 4.572824967389486, d));
    EXPECT(near(erfinvf(-0.9f), -1.163087, f) && near(erfcx(2.0), 0.2553956763105057, d));
    EXPECT(near(normcdf(1.0), 0.8413447460685429, d) && normcdf(0.0) == 0.5);
    EXPECT(near(normcdfinv(0.975), 1.959963984540054, d) && near(normcdff(-1.0f), 0.1586553, f));
    EXPECT(near(erfcx(30.0), 0.018795888861416751, d) && near(erf(0.3), 0.3286267594591274, d));
    EXPECT(near(tgamma(5.0), 24, d) && near(lgamma(10.0), 12.801827480081469, d));
    EXPECT(fma(2.0, 3.0, 4.0) == 10 && fmaf(2.0f, 3.0f, 4.0f) == 10 && fmod(7.5, 2.0) == 1.5);
    EXPECT(ldexp(0.75, 4) == 12 && scalbn(3.0f, 2) == 12 && ilogb(9.0) == 3 && logb(9.0) == 3);
    EXPECT(rint(2.5) == 2 && nearbyintf(3.5f) == 4 && round(2.5) == 3 && trunc(-2.7) == -2);
    EXPECT(lrintf(2.5f) == 2 && llrint(-3.5) == -4 && lround(-2.5) == -3 && ceilf(1.1f) == 2);
    EXPECT(copysign(3.0, -1.0) == -3 && fdim(5.0, 3.0) == 2 && remainder(7.0, 4.0) == -1);
    int e;
    EXPECT(frexp(12.0, &e) == 0.75 && e == 4);
    double whole;
    EXPECT(modf(3.25, &whole) == 0.25 && whole == 3);
    EXPECT(near(__expf(1.0f), 2.7182818, f) && near(__logf(10.0f), 2.3025851, f));
    EXPECT(near(__sinf(1.0f), 0.841471, f) && near(__powf(2.0f, 10.0f), 1024, f));
    EXPECT(near(__fdividef(7.0f, 2.0f), 3.5, f) && near(pow(2.0, 0.5), sqrt(2.0), d));
    EXPECT(powf(2.0f, 3.0f) == 8 && near(atan2(1.0, -1.0), 0.75 * CUDART_PI, d));
}

int main()
{
    bits<<<1, 1>>>();
    report("bits");
    integers<<<1, 1>>>();
    report("integers");
    conversions<<<1, 1>>>();
    report("conversions");
    directed<<<1, 1>>>(1e-10f, 1e-20);
    report("directed rounding");
    smaller_and_larger<<<1, 1>>>();
    report("min, max, abs");
    functions<<<1, 1>>>();
    report("functions");
    return num_wrong;
}
