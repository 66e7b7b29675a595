// Conforms to: inline PTX with integers, bits, comparisons, real numbers that are rounded, conversions.
//
// Each line has an instruction and a number made of its results, for many operands.
#include "expect.cuh"

typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

__constant__ const u64 c_values[] = {
    0,
    1,
    2,
    3,
    7,
    15,
    16,
    17,
    31,
    32,
    33,
    63,
    64,
    100,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x007fffff, // float: a subnormal number
    0x00800000, // the least normal one
    0x3f000000, // 0.5
    0x3f800000, // 1
    0xbfc00000, // -1.5
    0x40200000, // 2.5
    0x4b7fffff, // 2^24 - 1
    0x4effffff, // just below 2^31
    0xcf000001, // beyond -2^31
    0x7f7fffff, // the largest one
    0x7f800000, // infinity
    0xff800000, //
    0x7fc00001, // NaN
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xffffffff,
    0xdeadbeef12345678,
    0x8000000000000000,
    0x7fffffffffffffff,
    0xffffffffffffffff,
    0x3fe0000000000000, // double: 0.5
    0x3ff0000000000001, // just above 1
    0xbff8000000000000, // -1.5
    0x4004000000000000, // 2.5
    0x41dfffffffe00000, // 2^31 - 0.5
    0xc1e0000000100000, // just beyond -2^31
    0x43f0000000000000, // 2^64
    0x47efffffe0000001, // just above the largest float
    0x380fffffffffffff, // just below the least normal float
    0x7ff0000000000000, // infinity
    0x7ff8000000000001, // NaN
};
const int COUNT = sizeof(c_values) / sizeof(c_values[0]);

template <typename T>
__device__ T from(u64 bits)
{
    return (T)bits;
}
template <>
__device__ float from<float>(u64 bits)
{
    return __uint_as_float((u32)bits);
}
template <>
__device__ double from<double>(u64 bits)
{
    return __longlong_as_double((long long)bits);
}

// All NaNs are one.
template <typename T>
__device__ u64 bits_of(T x)
{
    return x;
}
__device__ u64 bits_of(float x)
{
    return x != x ? 0x7fffffff : __float_as_uint(x);
}
__device__ u64 bits_of(double x)
{
    return x != x ? 0x7fffffff : (u64)__double_as_longlong(x);
}

__device__ void mix(u64 *sum, u64 value)
{
    *sum = (*sum ^ value) * 0x9e3779b97f4a7c15u;
    *sum ^= *sum >> 29;
}

// F::of(a, b, c): unused operands are 0.
template <typename F, typename A, typename B, typename C>
__global__ void try_all(u64 *result, int steps_b, int steps_c)
{
    u64 sum = 0;
    for (int i = 0; i < COUNT; ++i)
    {
        for (int k = 0; k < COUNT; k += steps_b)
        {
            for (int l = 0; l < COUNT; l += steps_c)
            {
                const A a = from<A>(c_values[i]);
                const B b = from<B>(c_values[k]);
                const C c = from<C>(c_values[l]);
                mix(&sum, bits_of(F::of(a, b, c)));
            }
        }
    }
    *result = sum;
}

static u64 *result;

struct Test
{
    const char *name;
    void (*run)();
};
static Test tests[300];
static int num_tests;

struct Added
{
    Added(const char *name, void (*run)())
    {
        tests[num_tests].name = name;
        tests[num_tests++].run = run;
    }
};

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define CONSTRAINT_u16 "h"
#define CONSTRAINT_u32 "r"
#define CONSTRAINT_u64 "l"
#define CONSTRAINT_float "f"
#define CONSTRAINT_double "d"

#define TEST(name, R, A, B, C, steps_b, steps_c, text)                                     \
    struct JOIN(Instruction, __LINE__)                                                     \
    {                                                                                      \
        static __device__ R of(A a, B b, C c)                                              \
        {                                                                                  \
            R d;                                                                           \
            asm(text                                                                       \
                : "=" CONSTRAINT_##R(d)                                                    \
                : CONSTRAINT_##A(a), CONSTRAINT_##B(b), CONSTRAINT_##C(c));                \
            return d;                                                                      \
        }                                                                                  \
    };                                                                                     \
    static void JOIN(run, __LINE__)()                                                      \
    {                                                                                      \
        try_all<JOIN(Instruction, __LINE__), A, B, C><<<1, 1>>>(result, steps_b, steps_c); \
    }                                                                                      \
    static Added JOIN(added, __LINE__)(name, JOIN(run, __LINE__));
#define TEST1(name, R, A) TEST(name, R, A, u32, u32, COUNT, COUNT, name " %0, %1;")
#define TEST2(name, R, A, B) TEST(name, R, A, B, u32, 1, COUNT, name " %0, %1, %2;")
#define TEST3(name, R, A, B, C) TEST(name, R, A, B, C, 3, 3, name " %0, %1, %2, %3;")
#define COMPARE(operation, A)                         \
    TEST("setp." operation, u32, A, A, u32, 1, COUNT, \
         "{ .reg .pred p; setp." operation " p, %1, %2; selp.u32 %0, 1, 0, p; }")

TEST2("add.s16", u16, u16, u16)
TEST2("add.u32", u32, u32, u32)
TEST2("add.sat.s32", u32, u32, u32)
TEST2("add.s64", u64, u64, u64)
TEST2("sub.u16", u16, u16, u16)
TEST2("sub.s32", u32, u32, u32)
TEST2("sub.sat.s32", u32, u32, u32)
TEST2("sub.u64", u64, u64, u64)
TEST2("mul.lo.s16", u16, u16, u16)
TEST2("mul.hi.s16", u16, u16, u16)
TEST2("mul.hi.u16", u16, u16, u16)
TEST2("mul.wide.s16", u32, u16, u16)
TEST2("mul.wide.u16", u32, u16, u16)
TEST2("mul.lo.u32", u32, u32, u32)
TEST2("mul.hi.u32", u32, u32, u32)
TEST2("mul.hi.s32", u32, u32, u32)
TEST2("mul.wide.u32", u64, u32, u32)
TEST2("mul.wide.s32", u64, u32, u32)
TEST2("mul.lo.s64", u64, u64, u64)
TEST2("mul.hi.s64", u64, u64, u64)
TEST2("mul.hi.u64", u64, u64, u64)
TEST2("mul24.lo.u32", u32, u32, u32)
TEST2("mul24.lo.s32", u32, u32, u32)
TEST2("mul24.hi.u32", u32, u32, u32)
TEST2("mul24.hi.s32", u32, u32, u32)
TEST3("mad.lo.s16", u16, u16, u16, u16)
TEST3("mad.lo.u32", u32, u32, u32, u32)
TEST3("mad.hi.s32", u32, u32, u32, u32)
TEST3("mad.wide.u32", u64, u32, u32, u64)
TEST3("mad.wide.s32", u64, u32, u32, u64)
TEST3("mad.lo.u64", u64, u64, u64, u64)
TEST3("mad.hi.u64", u64, u64, u64, u64)
TEST3("mad24.lo.s32", u32, u32, u32, u32)
TEST3("sad.u32", u32, u32, u32, u32)
TEST3("sad.s32", u32, u32, u32, u32)
TEST("div.u32", u32, u32, u32, u32, 1, COUNT,
     "{ .reg .u32 t; or.b32 t, %2, 1; div.u32 %0, %1, t; }")
TEST("rem.s32", u32, u32, u32, u32, 1, COUNT,
     "{ .reg .b32 t; or.b32 t, %2, 1; and.b32 t, t, 0xffff; rem.s32 %0, %1, t; }")
TEST("div.s64", u64, u64, u64, u32, 1, COUNT,
     "{ .reg .b64 t; or.b64 t, %2, 1; and.b64 t, t, 0xffffffffff; div.s64 %0, %1, t; }")
TEST("rem.u64", u64, u64, u64, u32, 1, COUNT,
     "{ .reg .b64 t; or.b64 t, %2, 1; rem.u64 %0, %1, t; }")
TEST2("min.s16", u16, u16, u16)
TEST2("min.u32", u32, u32, u32)
TEST2("max.s32", u32, u32, u32)
TEST2("max.u64", u64, u64, u64)
TEST1("abs.s32", u32, u32)
TEST1("abs.s64", u64, u64)
TEST1("neg.s32", u32, u32)
TEST1("neg.s16", u16, u16)
TEST2("and.b32", u32, u32, u32)
TEST2("or.b64", u64, u64, u64)
TEST2("xor.b16", u16, u16, u16)
TEST1("not.b32", u32, u32)
TEST1("not.b16", u16, u16)
TEST1("cnot.b32", u32, u32)
TEST2("shl.b16", u16, u16, u32)
TEST2("shl.b32", u32, u32, u32)
TEST2("shl.b64", u64, u64, u32)
TEST2("shr.b32", u32, u32, u32)
TEST2("shr.u16", u16, u16, u32)
TEST2("shr.s16", u16, u16, u32)
TEST2("shr.s32", u32, u32, u32)
TEST2("shr.s64", u64, u64, u32)
TEST2("shr.u64", u64, u64, u32)
TEST1("popc.b32", u32, u32)
TEST1("popc.b64", u32, u64)
TEST1("clz.b32", u32, u32)
TEST1("clz.b64", u32, u64)
TEST1("brev.b32", u32, u32)
TEST1("brev.b64", u64, u64)
TEST3("bfe.u32", u32, u32, u32, u32)
TEST3("bfe.s32", u32, u32, u32, u32)
// For fields that reach beyond bit 63 a GPU's results are not those of PTX's documentation.
#define FIELD_OF_64                                                    \
    "{ .reg .u32 p, n, most; and.b32 p, %2, 63; and.b32 n, %3, 127;\n" \
    "  sub.u32 most, 64, p; min.u32 n, n, most; "
TEST("bfe.u64", u64, u64, u32, u32, 3, 3, FIELD_OF_64 "bfe.u64 %0, %1, p, n; }")
TEST("bfe.s64", u64, u64, u32, u32, 3, 3, FIELD_OF_64 "bfe.s64 %0, %1, p, n; }")
TEST("bfi.b32", u32, u32, u32, u32, 3, 3,
     "{ .reg .u32 n; shr.u32 n, %3, 3; bfi.b32 %0, %1, %2, %3, n; }")
TEST("bfi.b64", u64, u64, u64, u32, 3, 3,
     "{ .reg .u32 n; shr.u32 n, %3, 2; bfi.b64 %0, %1, %2, %3, n; }")
TEST1("bfind.u32", u32, u32)
TEST1("bfind.s32", u32, u32)
TEST1("bfind.shiftamt.u32", u32, u32)
TEST1("bfind.s64", u32, u64)
TEST1("bfind.shiftamt.u64", u32, u64)
TEST3("prmt.b32", u32, u32, u32, u32)
TEST3("prmt.b32.f4e", u32, u32, u32, u32)
TEST3("prmt.b32.b4e", u32, u32, u32, u32)
TEST3("prmt.b32.rc8", u32, u32, u32, u32)
TEST3("prmt.b32.ecl", u32, u32, u32, u32)
TEST3("prmt.b32.ecr", u32, u32, u32, u32)
TEST3("prmt.b32.rc16", u32, u32, u32, u32)
TEST3("shf.l.wrap.b32", u32, u32, u32, u32)
TEST3("shf.l.clamp.b32", u32, u32, u32, u32)
TEST3("shf.r.wrap.b32", u32, u32, u32, u32)
TEST3("shf.r.clamp.b32", u32, u32, u32, u32)
TEST("lop3.b32", u32, u32, u32, u32, 3, 3,
     "{ .reg .b32 t; lop3.b32 t, %1, %2, %3, 0xe8; lop3.b32 %0, t, %2, %3, 0x96; }")
TEST3("dp4a.u32.u32", u32, u32, u32, u32)
TEST3("dp4a.s32.s32", u32, u32, u32, u32)
TEST3("dp4a.u32.s32", u32, u32, u32, u32)
TEST3("dp2a.lo.s32.u32", u32, u32, u32, u32)
TEST3("dp2a.hi.u32.u32", u32, u32, u32, u32)
TEST3("slct.u32.s32", u32, u32, u32, u32)
TEST3("slct.f32.f32", float, float, float, float)
TEST2("set.lt.u32.s32", u32, u32, u32)
TEST2("set.ge.f32.u32", float, u32, u32)
COMPARE("eq.s32", u32)
COMPARE("ne.u32", u32)
COMPARE("lt.s32", u32)
COMPARE("lt.u32", u32)
COMPARE("lo.u32", u32)
COMPARE("hs.u64", u64)
COMPARE("ge.s64", u64)
COMPARE("gt.s16", u16)
COMPARE("eq.f32", float)
COMPARE("ne.f32", float)
COMPARE("lt.f32", float)
COMPARE("lt.ftz.f32", float)
COMPARE("equ.f32", float)
COMPARE("neu.f32", float)
COMPARE("ltu.f32", float)
COMPARE("geu.f64", double)
COMPARE("leu.f64", double)
COMPARE("num.f32", float)
COMPARE("nan.f64", double)
TEST("setp.lt.and.s32 p|q", u32, u32, u32, u32, 3, 3,
     "{\n\t.reg .pred p, q, r;\n\tsetp.ne.u32 r, %3, 0;\n\tsetp.lt.and.s32 p|q, %1, %2, !r;\n\t"
     "selp.u32 %0, 1, 0, p;\n\t@q add.u32 %0, %0, 2;\n\t@!q add.u32 %0, %0, 4;\n\t}")
TEST("and.pred", u32, u32, u32, u32, 3, 3,
     "{ .reg .pred %%p<5>;\n"
     "  setp.gt.u32 %%p1, %1, %2; setp.gt.s32 %%p2, %2, %3;\n"
     "  and.pred %%p3, %%p1, %%p2; xor.pred %%p4, %%p1, %%p2; not.pred %%p4, %%p4;\n"
     "  or.pred %%p3, %%p3, %%p4; selp.b32 %0, %1, %2, %%p3; }")
TEST("add.cc", u64, u64, u64, u32, 1, COUNT,
     "{ .reg .u32 a0, a1, b0, b1, d0, d1;\n"
     "  mov.b64 {a0, a1}, %1; mov.b64 {b0, b1}, %2; // in two halves\n"
     "  add.cc.u32 d0, a0, b0; addc.u32 d1, a1, b1; mov.b64 %0, {d0, d1}; }")
TEST("sub.cc", u64, u64, u64, u32, 1, COUNT,
     "{ .reg .u32 a0, a1, b0, b1, d0, d1;\n"
     "  mov.b64 {a0, a1}, %1; mov.b64 {b0, b1}, %2;\n"
     "  sub.cc.u32 d0, a0, b0; subc.cc.u32 d1, a1, b1; subc.u32 a0, 0, 0; add.u32 d1, d1, a0;\n"
     "  mov.b64 %0, {d0, d1}; }")
TEST("mad.lo.cc", u64, u32, u32, u64, 3, 3,
     "{ .reg .u32 l, h;\n  mov.b64 {l, h}, %3; mad.lo.cc.u32 l, %1, %2, l;\n"
     "  madc.hi.cc.u32 h, %1, %2, h; addc.u32 l, l, 0; mov.b64 %0, {l, h}; }")
TEST("addc.cc.u64", u64, u64, u64, u64, 3, 3,
     "{ .reg .u64 t; add.cc.u64 t, %1, %2; addc.cc.u64 t, t, %3; addc.u64 %0, t, 0; }")
TEST("mov.b32 {}", u32, u32, u32, u32, 1, COUNT,
     "{ .reg .b16 l, h, m; mov.b32 {l, h}, %1; mov.b32 {m, _}, %2; mov.b32 %0, {h, m}; }")
TEST2("add.f32", float, float, float)
TEST2("add.rz.f32", float, float, float)
TEST2("add.rp.sat.f32", float, float, float)
TEST2("add.rn.ftz.f32", float, float, float)
TEST2("sub.rm.f32", float, float, float)
TEST2("mul.rp.f32", float, float, float)
TEST2("mul.ftz.f32", float, float, float)
TEST2("mul.rn.sat.f32", float, float, float)
TEST2("div.rn.f32", float, float, float)
TEST2("div.rz.f32", float, float, float)
TEST3("fma.rn.f32", float, float, float, float)
TEST3("fma.rm.f32", float, float, float, float)
TEST3("fma.rn.ftz.sat.f32", float, float, float, float)
TEST3("mad.rz.f32", float, float, float, float)
TEST1("rcp.rn.f32", float, float)
TEST1("rcp.rp.f32", float, float)
TEST1("sqrt.rn.f32", float, float)
TEST1("sqrt.rm.f32", float, float)
TEST2("add.rn.f64", double, double, double)
TEST2("sub.rp.f64", double, double, double)
TEST2("mul.rz.f64", double, double, double)
TEST2("div.rn.f64", double, double, double)
TEST3("fma.rm.f64", double, double, double, double)
TEST1("rcp.rn.f64", double, double)
TEST1("sqrt.rz.f64", double, double)
TEST2("min.f32", float, float, float)
TEST2("max.f64", double, double, double)
TEST2("max.ftz.f32", float, float, float)
TEST2("copysign.f32", float, float, float)
TEST1("abs.f32", float, float)
TEST1("neg.f64", double, double)
TEST("testp", u32, float, u32, u32, COUNT, COUNT,
     "{ .reg .pred p; .reg .u32 t;\n"
     "  testp.finite.f32 p, %1; selp.u32 t, 1, 0, p;\n"
     "  testp.infinite.f32 p, %1; @p or.b32 t, t, 2;\n"
     "  testp.notanumber.f32 p, %1; @p or.b32 t, t, 4;\n"
     "  testp.normal.f32 p, %1; @p or.b32 t, t, 8;\n"
     "  testp.subnormal.f32 p, %1; @p or.b32 t, t, 16; mov.u32 %0, t; }")
TEST1("cvt.u32.u16", u32, u16)
TEST1("cvt.s32.s16", u32, u16)
TEST1("cvt.s64.s32", u64, u32)
TEST1("cvt.u64.u32", u64, u32)
TEST1("cvt.u32.u64", u32, u64)
TEST1("cvt.u32.u8", u32, u32)
TEST1("cvt.s32.s8", u32, u32)
TEST1("cvt.sat.u8.s32", u32, u32)
TEST1("cvt.sat.s8.s32", u32, u32)
TEST1("cvt.sat.s16.u32", u16, u32)
TEST1("cvt.sat.u32.s64", u32, u64)
TEST1("cvt.rni.s32.f32", u32, float)
TEST1("cvt.rzi.u32.f32", u32, float)
TEST1("cvt.rmi.s32.f32", u32, float)
TEST1("cvt.rpi.s64.f32", u64, float)
TEST1("cvt.rzi.ftz.u32.f32", u32, float)
TEST1("cvt.rni.s32.f64", u32, double)
TEST1("cvt.rzi.u64.f64", u64, double)
TEST1("cvt.rzi.s16.f32", u16, float)
TEST1("cvt.rn.f32.s32", float, u32)
TEST1("cvt.rz.f32.u32", float, u32)
TEST1("cvt.rp.f32.s64", float, u64)
TEST1("cvt.rm.f32.u64", float, u64)
TEST1("cvt.rn.f64.s32", double, u32)
TEST1("cvt.rn.f64.u64", double, u64)
TEST1("cvt.rz.f64.s64", double, u64)
TEST1("cvt.f64.f32", double, float)
TEST1("cvt.rn.f32.f64", float, double)
TEST1("cvt.rz.f32.f64", float, double)
TEST1("cvt.rp.f32.f64", float, double)
TEST1("cvt.rm.ftz.f32.f64", float, double)
TEST1("cvt.rni.f32.f32", float, float)
TEST1("cvt.rpi.f64.f64", double, double)
TEST1("cvt.sat.f32.f32", float, float)

// ---- Approximations, which need not have the same bits ----

__device__ bool is_near(float a, float b)
{
    return fabsf(a - b) <= 1e-5f * fmaxf(1.0f, fabsf(b));
}

__global__ void approximate()
{
    for (float x = 0.25f; x < 20.0f; x *= 1.3f)
    {
        float y;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        EXPECT(is_near(y, 1.0f / x));
        asm("sqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
        EXPECT(is_near(y, sqrtf(x)));
        asm("rsqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
        EXPECT(is_near(y, 1.0f / sqrtf(x)));
        asm("lg2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
        EXPECT(is_near(y, log2f(x)));
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        EXPECT(is_near(y, exp2f(x)));
        asm("div.full.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "f"(3.0f));
        EXPECT(is_near(y, x / 3.0f));
        asm("div.approx.f32 %0, %1, 0f40400000;" : "=f"(y) : "f"(x)); // by 3
        EXPECT(is_near(y, x / 3.0f));
        if (x < 3.0f)
        {
            asm("sin.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
            EXPECT(is_near(y, sinf(x)));
            asm("cos.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
            EXPECT(is_near(y, cosf(x)));
        }
        double z;
        asm("rsqrt.approx.f64 %0, %1;" : "=d"(z) : "d"((double)x));
        EXPECT(is_near((float)z, 1.0f / sqrtf(x)));
        asm("fma.rn.f64 %0, %1, 0d4000000000000000, 1.5;" : "=d"(z) : "d"((double)x));
        EXPECT(z == 2.0 * x + 1.5);
    }
}

// What GPUs from 8.0 on have.
__global__ void later()
{
#if __CUDA_ARCH__ >= 800
    float x = 1.0f, nan = __int_as_float(0x7fc00000);
    asm("min.NaN.f32 %0, %0, %1;" : "+f"(x) : "f"(-2.0f));
    EXPECT(x == -2.0f);
    asm("max.NaN.f32 %0, %0, %1;" : "+f"(x) : "f"(nan));
    EXPECT(x != x);
#endif
}

// The carry stays from one asm to the next: 96 bits, a word in each.
__global__ void carries()
{
    u32 a = 0xffffffff, b = 0xffffffff, c = 5;
    asm volatile("add.cc.u32 %0, %0, %1;" : "+r"(a) : "r"(1));
    asm volatile("addc.cc.u32 %0, %0, 0;" : "+r"(b));
    asm volatile("addc.u32 %0, %0, 0;" : "+r"(c));
    EXPECT(a == 0 && b == 0 && c == 6);
}

int main()
{
    cudaMallocManaged(&result, sizeof(*result));
    for (int i = 0; i < num_tests; ++i)
    {
        tests[i].run();
        const cudaError_t error = cudaDeviceSynchronize();
        printf("%-22s %s %016llx\n", tests[i].name, cudaGetErrorName(error), *result);
    }
    approximate<<<1, 1>>>();
    report("approximations");
    later<<<1, 1>>>();
    report("GPUs from 8.0 on");
    carries<<<1, 1>>>();
    report("carries");
    cudaFree(result);
    return num_wrong;
}
