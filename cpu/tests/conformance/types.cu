// Conforms to: vector types, their sizes and alignments, structures as arguments, unions, bit-fields,
// what integers do, printf of every kind of argument.
#include <cuComplex.h>
#include "expect.cuh"

#define SIZES(type, size1, size2, size3, size4, align4)                           \
    static_assert(sizeof(type##1) == size1 && sizeof(type##2) == size2, #type);   \
    static_assert(sizeof(type##3) == size3 && sizeof(type##4) == size4, #type);   \
    static_assert(alignof(type##1) == size1 && alignof(type##2) == size2, #type); \
    static_assert(alignof(type##3) == size1 && alignof(type##4) == align4, #type);
SIZES(char, 1, 2, 3, 4, 4)
SIZES(uchar, 1, 2, 3, 4, 4)
SIZES(short, 2, 4, 6, 8, 8)
SIZES(ushort, 2, 4, 6, 8, 8)
SIZES(int, 4, 8, 12, 16, 16)
SIZES(uint, 4, 8, 12, 16, 16)
SIZES(float, 4, 8, 12, 16, 16)
static_assert(sizeof(longlong2) == 16 && alignof(longlong2) == 16, "longlong2");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16 && sizeof(double3) == 24, "double2");
static_assert(sizeof(dim3) == 12 && sizeof(void *) == 8 && sizeof(long) == 8, "dim3");
#if CUDART_VERSION >= 13000
static_assert(sizeof(double4_16a) == 32 && alignof(double4_16a) == 16, "double4_16a");
static_assert(sizeof(double4_32a) == 32 && alignof(double4_32a) == 32, "double4_32a");
static_assert(sizeof(long4_16a) == 32 && alignof(ulonglong4_32a) == 32, "long4_16a");
#endif

struct __align__(16) Particle
{
    float3 position;
    float mass;
};
static_assert(sizeof(Particle) == 16 && alignof(Particle) == 16, "Particle");

__host__ __device__ inline float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__global__ void vectors(const float *x, Particle p, const int3 cell)
{
    const float4 v = reinterpret_cast<const float4 *>(x)[threadIdx.x];
    EXPECT(v.x == 4 * threadIdx.x && v.w == 4 * threadIdx.x + 3);
    const float2 w = __ldg((const float2 *)x + 1);
    EXPECT(w.x == 2 && w.y == 3 && __ldg(x + 5) == 5 && __ldcs((const float4 *)x).z == 2);
    const float3 sum = p.position + make_float3(1, 2, 3);
    EXPECT(sum.x == 2 && sum.y == 4 && sum.z == 6 && p.mass == 0.5f);
    EXPECT(cell.x == 7 && cell.y == -8 && cell.z == 9);
    p.mass = threadIdx.x; // each thread has its own
    __syncthreads();
    EXPECT(p.mass == threadIdx.x);
    const uchar4 color = make_uchar4(255, 128, 1, 0);
    EXPECT(color.x + color.y == 383);
    uchar4 sum4 = color;
    sum4.x += 2;
    EXPECT(sum4.x == 1);
#if CUDART_VERSION >= 13000
    const double4_16a d = make_double4_16a(1, 2, 3, 4);
    EXPECT(d.x + d.w == 5);
#endif
    const dim3 one(5), from_index = threadIdx;
    EXPECT(one.x == 5 && one.y == 1 && one.z == 1 && from_index.x == threadIdx.x);
    const uint3 index = blockIdx;
    EXPECT(index.x == 0 && index.z == 0);
    const cuDoubleComplex z = cuCmul(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -1));
    EXPECT(cuCreal(z) == 5 && cuCimag(z) == 5 && cuCabsf(make_cuComplex(3, 4)) == 5);
    EXPECT(cuCdiv(z, make_cuDoubleComplex(0, 1)).x == 5 && cuConj(z).y == -5);
}

union Word
{
    unsigned int whole;
    unsigned char bytes[4];
    struct
    {
        unsigned int low : 5, middle : 7;
        int high : 20;
    } fields;
};

enum class Color : unsigned char
{
    red = 1,
    green
};

__global__ void integers(int minus7, unsigned one, int thirty)
{
    EXPECT(minus7 / 2 == -3 && minus7 % 2 == -1 && minus7 >> 1 == -4);
    EXPECT(one - 2 == 0xffffffff && (one << thirty << 2) == 0 && -1 > (int)one - 3);
    EXPECT((unsigned)minus7 > one && (signed char)200 == -56 && (unsigned char)300 == 44);
    EXPECT((short)(one * 40000) == -25536 && (long long)minus7 * (1 << thirty) == -7516192768ll);
    EXPECT((size_t)one << 40 == 1099511627776ull && (int)2.9f == 2 && (int)-2.9 == -2);
    EXPECT((float)16777217 == 16777216.0f && 0.1f != 0.1 && 1 / 2 == 0 && 1 / 2.0f == 0.5f);
    EXPECT(true + true == 2 && (!minus7) == 0 && (~one & 0xff) == 0xfe);
    Word word;
    word.whole = 0x80000000 | 3 << 5 | 17;
    EXPECT(word.bytes[3] == 0x80 && word.fields.low == 17 && word.fields.middle == 3);
    EXPECT(word.fields.high == -(1 << 19) && sizeof(Color) == 1 && (int)Color::green == 2);
    int local[16];
    for (int i = 0; i < 16; ++i)
    {
        local[(i * 7 + (int)threadIdx.x) % 16] = i;
    }
    int sum = 0;
    for (int i = 0; i < 16; ++i)
    {
        sum += local[i] << (i & 1);
    }
    EXPECT(sum >= 120 && sum <= 240);
}

__global__ void print(const char *text)
{
    printf("%d %i %u %x %X %o %c %%|%5d|%-5d|%05d|%+d\n", -1, 2, 3000000000u, 255, 255, 8, 'c', 42,
           42, 42, 42);
    printf("%ld %lu %lld %llu %llx %hd\n", -1l, 1ul << 63, -(1ll << 40), ~0ull, 1ull << 60,
           (short)7);
    printf("%f %.3f %8.2f %e %.1e %g %g %G\n", 1.5f, 2.0 / 3, 3.14159, 12345.678, 0.00012, 0.5,
           1e20, 1e-10);
    printf("%s|%10s|%-10s|%s\n", text == NULL ? "none" : text, "right", "left", "");
    printf("%6d %.2f\n", 123, 2.71828);
    printf("no argument\n");
}

int main()
{
    float h_x[128], *d_x;
    for (int i = 0; i < 128; ++i)
    {
        h_x[i] = i;
    }
    cudaMalloc(&d_x, sizeof(h_x));
    cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice);
    const Particle particle = {{1, 2, 3}, 0.5f};
    vectors<<<1, 32>>>(d_x, particle, make_int3(7, -8, 9));
    report("vector types");
    integers<<<1, 32>>>(-7, 1, 30);
    report("integers");
    print<<<1, 1>>>(NULL);
    report("printf");
    cudaFree(d_x);
    return num_wrong;
}
