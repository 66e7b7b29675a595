// How many requests a copy of a vector or a structure is. Each kernel runs with 128 threads: 4 warps.
#include <stdio.h>

struct Three
{
    float a, b, c;
};

struct Four
{
    float a, b, c, d;
};

struct __align__(16) Aligned
{
    float a, b, c, d;
};

__global__ void float2s(const float2 *x, float2 *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // global load 8: 4 32 32; global store 8: 4 32 32
}

__global__ void float4s(const float4 *x, float4 *y)
{
    float4 v = x[threadIdx.x]; // g++: global load 16: 4 64 64
    v.x += v.y;
    v.z += v.w;
    y[threadIdx.x] = v; // g++: global store 16: 4 64 64
}

// Members of one vector are one access.
__global__ void members(const float4 *v, float *y)
{
    const int n = threadIdx.x;
    y[n] = v[n].x + v[n].y + v[n].z + v[n].w; // global load 16: 4 64 64; global store 4: 4 16 16
}

// A store between them may change what is read. So the first two are one access, and the other four.
__global__ void two_times(const float4 *v, float *y)
{
    const int n = threadIdx.x;
    y[n] = v[n].x + v[n].y; // global load 8: 4 64 32; global store 4: 4 16 16
    const float sum = v[n].x + v[n].y + v[n].z + v[n].w; // global load 16: 4 64 64
    y[n + 128] = sum;                                    // global store 4: 4 16 16
}

__global__ void one_member(const float4 *v, float *y)
{
    y[threadIdx.x] = v[threadIdx.x].z; // global load 4: 4 64 16; global store 4: 4 16 16
}

// Four floats side by side are four accesses: their type says nothing of an alignment of 16.
__global__ void floats(const float *x, float *y)
{
    const float *row = x + 4 * threadIdx.x;
    float sum = row[0];   // global load 4: 4 64 16
    sum += row[1];        // global load 4: 4 64 16
    sum += row[2];        // global load 4: 4 64 16
    sum += row[3];        // global load 4: 4 64 16
    y[threadIdx.x] = sum; // global store 4: 4 16 16
}

__global__ void three(const Three *x, Three *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // global load 4: 12 144 48; global store 4: 12 144 48
}

__global__ void three_changed(const Three *x, Three *y)
{
    Three v = x[threadIdx.x]; // global load 4: 12 144 48
    v.a += v.b;
    y[threadIdx.x] = v; // global store 4: 12 144 48
}

__global__ void four(const Four *x, Four *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // g++: global load 4: 16 256 64; global store 4: 16 256 64
}

__global__ void aligned(const Aligned *x, Aligned *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // global load 16: 4 64 64; global store 16: 4 64 64
}

__global__ void cast(const float *x, float *y)
{
    const float4 *from = reinterpret_cast<const float4 *>(x);
    float4 *to = reinterpret_cast<float4 *>(y);
    to[threadIdx.x] = from[threadIdx.x]; // global load 16: 4 64 64; global store 16: 4 64 64
}

__global__ void made(const float *x, float4 *y)
{
    const float a = x[threadIdx.x];                       // global load 4: 4 16 16
    y[threadIdx.x] = make_float4(a, 2 * a, 3 * a, 4 * a); // g++: global store 16: 4 64 64
}

// In shared memory 16 bytes go in four quarters of a warp, and 8 bytes in two halves.
__global__ void in_shared(const float4 *x, float4 *y)
{
    __shared__ float4 s[128];
    s[threadIdx.x] = x[threadIdx.x]; // global load 16: 4 64 64; shared store 16: 4 16 16
    __syncthreads();
    y[threadIdx.x] = s[127 - threadIdx.x]; // global store 16: 4 64 64; shared load 16: 4 16 16
}

__global__ void in_shared_2(const float2 *x, float2 *y)
{
    __shared__ float2 s[32][4];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[lane][warp] = x[threadIdx.x]; // global load 8: 4 32 32; shared store 8: 4 32 8
    __syncthreads();
    y[threadIdx.x] = s[lane][warp]; // global store 8: 4 32 32; shared load 8: 4 32 8
}

// Four numbers one by one, from the members of a vector: no member is stored to.
__global__ void taken_apart(const float4 *x, float *y)
{
    const float4 a = x[threadIdx.x]; // g++: global load 16: 4 64 64
    float *to = y + 4 * threadIdx.x;
    to[0] = 1 - a.x; // global store 4: 4 64 16
    to[1] = 1 - a.y; // global store 4: 4 64 16
    to[2] = 1 - a.z; // global store 4: 4 64 16
    to[3] = 1 - a.w; // global store 4: 4 64 16
}

// They go together where each lane shares its place with the lane beside it or the one behind that: then 8
// bytes are one wavefront and 16 bytes two.
__global__ void places_shared(const float4 *x, float4 *y)
{
    __shared__ float4 s[32];
    __shared__ float2 s2[32];
    const int t = threadIdx.x;
    s[t % 32] = x[t];               // global load 16: 4 64 64; shared store 16: 4 16 16
    s2[t % 32] = make_float2(0, 0); // g++: shared store 8: 4 8 8
    __syncthreads();
    y[t] = s[t / 32];                 // shared load 16: 4 8 8; global store 16: 4 64 64
    y[t] = s[t % 32 / 2];             // shared load 16: 4 8 8; global store 16: 4 64 64
    y[t] = s[t % 2 + t % 32 / 4 * 2]; // shared load 16: 4 8 8; global store 16: 4 64 64
    y[t] = s[t % 4];                  // shared load 16: 4 16 16; global store 16: 4 64 64
    float2 *const y2 = (float2 *)y;
    y2[t] = s2[t / 32];                 // shared load 8: 4 4 4; global store 8: 4 32 32
    y2[t] = s2[t % 32 / 2];             // shared load 8: 4 4 4; global store 8: 4 32 32
    y2[t] = s2[t % 32 / 2 * 2];         // shared load 8: 4 8 4; global store 8: 4 32 32
    y2[t] = s2[t % 2 + t % 32 / 4 * 2]; // shared load 8: 4 4 4; global store 8: 4 32 32
    y2[t] = s2[t % 16];                 // shared load 8: 4 8 8; global store 8: 4 32 32
    if (t % 2 == 0)
    {
        y2[t] = s2[t / 2 % 16]; // shared load 8: 4 4 4; global store 8: 4 32 16
    }
}

int main()
{
    char *x, *y;
    cudaMalloc((void **)&x, 1 << 16);
    cudaMalloc((void **)&y, 1 << 16);
    cudaMemset(x, 0, 1 << 16);
    float2s<<<1, 128>>>((float2 *)x, (float2 *)y);
    float4s<<<1, 128>>>((float4 *)x, (float4 *)y);
    members<<<1, 128>>>((float4 *)x, (float *)y);
    two_times<<<1, 128>>>((float4 *)x, (float *)y);
    one_member<<<1, 128>>>((float4 *)x, (float *)y);
    floats<<<1, 128>>>((float *)x, (float *)y);
    three<<<1, 128>>>((Three *)x, (Three *)y);
    three_changed<<<1, 128>>>((Three *)x, (Three *)y);
    four<<<1, 128>>>((Four *)x, (Four *)y);
    aligned<<<1, 128>>>((Aligned *)x, (Aligned *)y);
    cast<<<1, 128>>>((float *)x, (float *)y);
    made<<<1, 128>>>((float *)x, (float4 *)y);
    taken_apart<<<1, 128>>>((float4 *)x, (float *)y);
    in_shared<<<1, 128>>>((float4 *)x, (float4 *)y);
    in_shared_2<<<1, 128>>>((float2 *)x, (float2 *)y);
    places_shared<<<1, 128>>>((float4 *)x, (float4 *)y);
    const cudaError_t error = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return error;
}
