// Structures of the program's own. nvcc moves one in pieces as large as its alignment, at most 16 bytes, also where
// its members are used afterwards.
#include <stdio.h>

struct alignas(16) Body
{
    float x, y, z, m;
};

struct __align__(16) Wide
{
    double x, y, z, m;
};

struct Three
{
    double a, b, c;
};

typedef struct
{
    float a[5];
} Five;

template <class T>
struct alignas(2 * sizeof(T)) Pair
{
    T e[2];
};

// Two of one size: the kernel's parameters say which one it copies.
struct Plain
{
    float a[8];
};

struct alignas(16) Whole
{
    float a[8];
};

__device__ float weight(Body body)
{
    return body.x + body.m;
}

__global__ void bodies(const Body *x, Body *y, float *sum)
{
    const Body own = x[threadIdx.x]; // g++: global load 16: 4 64 64
    sum[threadIdx.x] = weight(own);  // global store 4: 4 16 16
    y[threadIdx.x] = own;            // g++: global store 16: 4 64 64
}

__global__ void wide(const Wide *x, Wide *y)
{
    Wide own = x[threadIdx.x]; // g++: global load 16: 8 256 128
    own.z += 1;
    y[threadIdx.x] = own; // g++: global store 16: 8 256 128
}

// The type has 32 bytes, and a number of it 8.
__global__ void double4s(const double4_16a *x, double4_16a *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // g++: global load 16: 8 256 128; global store 16: 8 256 128
}

__global__ void threes(const Three *x, Three *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // g++: global load 8: 12 288 96; global store 8: 12 288 96
}

__global__ void fives(const Five *x, Five *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // g++: global load 4: 20 400 80; global store 4: 20 400 80
}

__global__ void pairs(const Pair<float> *x, float *y)
{
    const Pair<float> pair = x[threadIdx.x]; // g++: global load 8: 4 32 32
    y[threadIdx.x] = pair.e[0] + pair.e[1];  // global store 4: 4 16 16
}

__global__ void plains(const Plain *x, Plain *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // g++: global load 4: 32 1024 128; global store 4: 32 1024 128
}

__global__ void wholes(const Whole *x, Whole *y)
{
    y[threadIdx.x] = x[threadIdx.x]; // g++: global load 16: 8 256 128; global store 16: 8 256 128
}

int main()
{
    char *x, *y;
    cudaMalloc((void **)&x, 1 << 16);
    cudaMalloc((void **)&y, 1 << 16);
    cudaMemset(x, 0, 1 << 16);
    bodies<<<1, 128>>>((Body *)x, (Body *)y, (float *)(x + (1 << 15)));
    wide<<<1, 128>>>((Wide *)x, (Wide *)y);
    double4s<<<1, 128>>>((double4_16a *)x, (double4_16a *)y);
    threes<<<1, 128>>>((Three *)x, (Three *)y);
    fives<<<1, 128>>>((Five *)x, (Five *)y);
    pairs<<<1, 128>>>((Pair<float> *)x, (float *)y);
    plains<<<1, 128>>>((Plain *)x, (Plain *)y);
    wholes<<<1, 128>>>((Whole *)x, (Whole *)y);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    cudaFree(x);
    cudaFree(y);
    return error != cudaSuccess;
}
