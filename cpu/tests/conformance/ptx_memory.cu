// Conforms to: inline PTX that loads and stores, that copies into shared memory, atomics, addresses.
#include "expect.cuh"

typedef unsigned int u32;
typedef unsigned long long u64;

static __device__ __forceinline__ u32 shared_address(const void *p)
{
    return static_cast<u32>(__cvta_generic_to_shared(p));
}

// ---- Loads and stores ----

#define LOAD(kind, constraint, y, p) \
    asm volatile("ld." kind " %0, [%1];" : "=" constraint(y) : "l"(p) : "memory")

__device__ __forceinline__ float4 load_once(const float4 *p)
{
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
    return v;
}

__global__ void loads(const int *x, const float4 *v, const double2 *d, const signed char *c)
{
    int y;
    LOAD("global.u32", "r", y, x + 1);
    EXPECT(y == -101);
    LOAD("global.ca.s32", "r", y, x + 2);
    EXPECT(y == -102);
    LOAD("global.cg.b32", "r", y, x + 3);
    EXPECT(y == -103);
    LOAD("global.cs.u32", "r", y, x + 4);
    EXPECT(y == -104);
    LOAD("global.cv.u32", "r", y, x + 5);
    EXPECT(y == -105);
    LOAD("global.nc.u32", "r", y, x + 6);
    EXPECT(y == -106);
    LOAD("volatile.global.u32", "r", y, x + 7);
    EXPECT(y == -107);
    LOAD("u32", "r", y, x + 8); // a generic address
    EXPECT(y == -108);
    LOAD("relaxed.gpu.global.u32", "r", y, x + 9);
    EXPECT(y == -109);
    LOAD("acquire.gpu.global.u32", "r", y, x + 10);
    EXPECT(y == -110);
    long long wide;
    LOAD("global.s32", "l", wide, x + 1); // into a wider register
    EXPECT(wide == -101);
    LOAD("global.u32", "l", wide, x + 1);
    EXPECT(wide == 4294967195);
    int small;
    LOAD("global.s8", "r", small, c + 1);
    EXPECT(small == -3);
    LOAD("global.u8", "r", small, c + 1);
    EXPECT(small == 253);
    unsigned short half;
    LOAD("global.u16", "h", half, c);
    EXPECT(half == 0xfd05);
    const float4 four = load_once(v + 1);
    EXPECT(four.x == 5 && four.y == 6 && four.z == 7 && four.w == 8);
    double2 two;
    asm("ld.global.v2.f64 {%0, %1}, [%2+-16];" : "=d"(two.x), "=d"(two.y) : "l"(d + 1));
    EXPECT(two.x == 0.5 && two.y == -0.25);
    u64 low, high;
    asm("ld.global.v2.u64 {%0, %1}, [%2+16];" : "=l"(low), "=l"(high) : "l"(v));
    EXPECT(low == 0x40c0000040a00000 && high == 0x4100000040e00000);
    if (threadIdx.x == 0)
    {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(x));
        asm volatile("prefetch.global.L1 [%0];" ::"l"(x));
    }
}

__global__ void stores(int *y, float4 *v, unsigned char *c)
{
    const int t = threadIdx.x;
    if (t == 0)
    {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(y), "r"(1) : "memory");
        asm volatile("st.global.wb.u32 [%0+4], %1;" ::"l"(y), "r"(2) : "memory");
        asm volatile("st.global.cg.u32 [%0+8], 3;" ::"l"(y) : "memory");
        asm volatile("st.global.cs.s32 [%0], %1;" ::"l"(y + 3), "r"(4) : "memory");
        asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(y + 4), "r"(5) : "memory");
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(y + 5), "r"(6) : "memory");
        asm volatile("st.f32 [%0], 0f3F800000;" ::"l"(y + 6) : "memory");
        asm volatile("st.global.v4.f32 [%0], {%1, %2, %2, %1};" ::"l"(v), "f"(1.5f), "f"(-2.0f)
                     : "memory");
        asm volatile("st.global.u8 [%0+1], %1;" ::"l"(c), "r"(0x1ff) : "memory");
        asm volatile("st.global.b16 [%0+2], %1;" ::"l"(c), "h"((unsigned short)0xabcd) : "memory");
    }
    __syncthreads();
    EXPECT(y[0] == 1 && y[1] == 2 && y[2] == 3 && y[3] == 4 && y[4] == 5 && y[5] == 6);
    EXPECT(y[6] == 0x3f800000);
    EXPECT(v->x == 1.5f && v->y == -2.0f && v->z == -2.0f && v->w == 1.5f);
    EXPECT(c[1] == 0xff && c[2] == 0xcd && c[3] == 0xab);
}

// ---- Shared memory ----

__global__ void shared_memory(const float *x)
{
    __shared__ int s[64];
    __shared__ __align__(16) float s_v[4 * 64];
    extern __shared__ float s_dynamic[];
    const int t = threadIdx.x;
    const u32 own = shared_address(&s[t]);
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(own), "r"(t * t) : "memory");
    asm volatile("st.shared::cta.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(&s_v[4 * t])),
                 "f"(t + 0.5f), "f"(t + 1.5f), "f"(t + 2.5f), "f"(t + 3.5f)
                 : "memory");
    asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(shared_address(s_dynamic + t)), "f"(x[t])
                 : "memory");
    __syncthreads();
    EXPECT(s[63 - t] == (63 - t) * (63 - t));
    EXPECT(s_v[t] == t / 4 + t % 4 + 0.5f);
    int next;
    asm volatile("ld.shared.s32 %0, [%1+4];" : "=r"(next) : "r"(shared_address(&s[t & 31])));
    EXPECT(next == ((t & 31) + 1) * ((t & 31) + 1));
    float a, b;
    asm volatile("ld.shared.v2.f32 {%0, _}, [%2]; ld.shared.f32 %1, [%3];"
                 : "=f"(a), "=f"(b)
                 : "r"(shared_address(&s_v[2 * t])), "r"(shared_address(s_dynamic + t)));
    EXPECT(a == s_v[2 * t] && b == x[t]);
    // The address in PTX: of 64 bits, and back.
    u64 address, generic;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(&s[t]));
    EXPECT(address == own);
    asm("{ .reg .u64 a; cvt.u64.u32 a, %1; cvta.shared.u64 %0, a; }" : "=l"(generic) : "r"(own));
    EXPECT((int *)generic == &s[t]);
    EXPECT(__cvta_shared_to_generic(own) == &s[t]);
    asm("cvta.to.global.u64 %0, %1;" : "=l"(address) : "l"(x));
    float z;
    asm("ld.global.f32 %0, [%1];" : "=f"(z) : "l"(address));
    EXPECT(z == x[0]);
    // Which space is it?
    int local = t, in_shared, in_global, in_local;
    const void *where[] = {&s[t], x, &local};
    for (int i = 0; i < 3; ++i)
    {
        asm("{ .reg .pred p; isspacep.shared p, %3; selp.u32 %0, 1, 0, p; isspacep.global p, %3;\n"
            "  selp.u32 %1, 1, 0, p; isspacep.local p, %3; selp.u32 %2, 1, 0, p; }"
            : "=r"(in_shared), "=r"(in_global), "=r"(in_local)
            : "l"(where[i]));
        EXPECT(in_shared == (i == 0) && in_global == (i == 1) && in_local == (i == 2));
        EXPECT((__isShared(where[i]) != 0) == (i == 0) && (__isGlobal(where[i]) != 0) == (i == 1));
        EXPECT((__isLocal(where[i]) != 0) == (i == 2));
    }
    EXPECT(local == t);
}

// ---- Asynchronous copies ----

template <int BYTES>
__device__ void copy_async(void *to, const void *from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(shared_address(to)), "l"(from),
                 "n"(BYTES)
                 : "memory");
#else
    memcpy(to, from, BYTES);
#endif
}

__global__ void copies(const float *x)
{
    __shared__ __align__(16) float s[4 * 32], s_next[4 * 32];
    const int t = threadIdx.x;
    copy_async<16>(&s[4 * t], &x[4 * t]);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;\n" ::: "memory");
#endif
    copy_async<4>(&s_next[t], &x[t + 1]);
    copy_async<8>(&s_next[32 + 2 * t], &x[2 * t]);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;\n" ::: "memory");
    __syncthreads();
    EXPECT(s[127 - t] == x[127 - t]);
    __shared__ __align__(16) float s_part[4 * 32];
    const int bytes = t % 2 * 16; // of 16; the others become zero
    asm volatile(
        "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;\n\tcp.async.wait_all;\n" ::"r"(
            shared_address(&s_part[4 * t])),
        "l"(&x[4 * t]), "r"(bytes)
        : "memory");
    __syncthreads();
    for (int i = 0; i < 4; ++i)
    {
        const int k = 4 * (31 - t) + i;
        EXPECT(s_part[k] == (k / 4 % 2 ? x[k] : 0.0f));
    }
#endif
    __syncthreads();
    EXPECT(s_next[31 - t] == x[32 - t] && s_next[32 + 63 - t] == x[63 - t]);
}

// ---- Atomics ----

__global__ void atomics(u32 *n, u64 *l, float *f, double *d)
{
    __shared__ u32 s_count;
    const u32 t = threadIdx.x;
    if (t == 0)
    {
        s_count = 0;
    }
    __syncthreads();
    u32 old;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(n), "r"(2) : "memory");
    EXPECT(old % 2 == 0 && old < 128);
    asm volatile("atom.shared.inc.u32 %0, [%1], 9;"
                 : "=r"(old)
                 : "r"(shared_address(&s_count))
                 : "memory");
    EXPECT(old < 10);
    asm volatile("red.global.max.s32 [%0], %1;" ::"l"(n + 1), "r"(t) : "memory");
    asm volatile("red.global.min.u32 [%0], %1;" ::"l"(n + 2), "r"(t + 5) : "memory");
    asm volatile("red.global.or.b32 [%0+12], %1;" ::"l"(n), "r"(1 << t % 32) : "memory");
    asm volatile("red.global.and.b32 [%0+16], %1;" ::"l"(n), "r"(~(1 << t % 32)) : "memory");
    asm volatile("red.xor.b32 [%0], 1;" ::"l"(n + 5) : "memory");
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(f), "f"(0.5f) : "memory");
    asm volatile("red.global.add.f64 [%0], %1;" ::"l"(d), "d"(0.25) : "memory");
    asm volatile("atom.add.release.gpu.global.u32 %0, [%1], 1;"
                 : "=r"(old)
                 : "l"(n + 6)
                 : "memory");
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(l), "l"(1ull << 32) : "memory");
    u64 seen;
    asm volatile("atom.acq_rel.sys.global.max.u64 %0, [%1], %2;"
                 : "=l"(seen)
                 : "l"(l + 1), "l"((u64)t << 40)
                 : "memory");
    EXPECT(seen <= 63ull << 40);
    if (t == 7)
    {
        asm volatile("atom.global.cas.b32 %0, [%1], 0, 123;" : "=r"(old) : "l"(n + 7) : "memory");
        EXPECT(old == 0);
        asm volatile("atom.global.cas.b32 %0, [%1], 0, 5;" : "=r"(old) : "l"(n + 7) : "memory");
        EXPECT(old == 123);
        asm volatile("atom.cta.global.exch.b32 %0, [%1], %2;"
                     : "=r"(old)
                     : "l"(n + 7), "r"(77)
                     : "memory");
        EXPECT(old == 123);
        asm volatile("atom.global.dec.u32 %0, [%1], 3;" : "=r"(old) : "l"(n + 8) : "memory");
        EXPECT(old == 0);
    }
    __syncthreads();
    EXPECT(s_count == 64 % 10);
}

// What one block writes another one reads: a flag, by release and acquire.
__global__ void publish(int *value, int *flag, int *seen)
{
    if (blockIdx.x == 0)
    {
        *value = 42;
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    }
    else
    {
        int ready = 0;
        while (ready == 0)
        {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                         : "=r"(ready)
                         : "l"(flag)
                         : "memory");
        }
        *seen = *value;
    }
}

int main()
{
    char *memory;
    cudaMallocManaged(&memory, 4096);
    int *x = (int *)memory;
    float4 *v = (float4 *)(memory + 256);
    double2 *d = (double2 *)(memory + 512);
    signed char *c = (signed char *)(memory + 768);
    float *f = (float *)(memory + 1024);
    for (int i = 0; i < 16; ++i)
    {
        x[i] = -100 - i;
    }
    v[0] = make_float4(1, 2, 3, 4);
    v[1] = make_float4(5, 6, 7, 8);
    d[0] = make_double2(0.5, -0.25);
    c[0] = 5;
    c[1] = -3;
    for (int i = 0; i < 160; ++i)
    {
        f[i] = i + 0.5f;
    }
    loads<<<1, 32>>>(x, v, d, c);
    report("loads");
    stores<<<1, 32>>>(x, v, (unsigned char *)c);
    report("stores");
    shared_memory<<<2, 64, 64 * sizeof(float)>>>(f);
    report("shared memory");
    copies<<<2, 32>>>(f);
    report("asynchronous copies");

    unsigned *n = (unsigned *)memory;
    memset(memory, 0, 4096);
    n[2] = 1000;
    n[4] = 0xffffffff;
    atomics<<<1, 64>>>(n, (u64 *)(memory + 256), f, (double *)d);
    report("atomics");
    for (int i = 0; i < 9; ++i)
    {
        printf("%u ", n[i]);
    }
    printf("%llu %llu %g %g\n", ((u64 *)(memory + 256))[0], ((u64 *)(memory + 256))[1], f[0], d->x);
    publish<<<2, 1>>>(x + 100, x + 101, x + 102);
    report("release and acquire");
    printf("%d\n", x[102]);
    cudaFree(memory);
    return num_wrong;
}
