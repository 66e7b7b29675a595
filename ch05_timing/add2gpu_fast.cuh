// What add2gpu has beyond the book: kernels whose threads load and store 16 bytes in one access.
#pragma once
#include "../common/real.cuh"

// Up to compute capability 9.0, 16 bytes is the most that one instruction loads or stores. The same
// number of bytes is under way with a quarter (double: half) of the instructions and threads.
#ifdef USE_DP
typedef double2 Vector;

__device__ inline Vector add_elements(Vector a, Vector b)
{
    return make_double2(a.x + b.x, a.y + b.y);
}
#else
typedef float4 Vector;

__device__ inline Vector add_elements(Vector a, Vector b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
#endif

const size_t WIDTH = sizeof(Vector) / sizeof(real);

// The last N % WIDTH elements do not fill a vector. The first threads of the grid add them.
__device__ inline void add_tail(const real *x, const real *y, real *z, size_t N)
{
    const size_t first = N - N % WIDTH + (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    for (size_t n = first; n < N; n += (size_t)blockDim.x * gridDim.x)
    {
        z[n] = x[n] + y[n];
    }
}

// Each thread adds COUNT vectors. They lie blockDim.x vectors apart, so each access of a warp is
// one piece of memory. The thread asks for all of them before it waits for the first.
template <int COUNT>
__global__ void add_vector(const real *x, const real *y, real *z, size_t N)
{
    const size_t first = (size_t)blockDim.x * COUNT * blockIdx.x + threadIdx.x;
    const size_t num_vectors = N / WIDTH;
    Vector a[COUNT] = {}, b[COUNT] = {};
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
    {
        const size_t n = first + (size_t)blockDim.x * i;
        if (n < num_vectors)
        {
            a[i] = ((const Vector *)x)[n]; // cudaMalloc aligns to 256 bytes, a vector needs 16
            b[i] = ((const Vector *)y)[n];
        }
    }
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
    {
        const size_t n = first + (size_t)blockDim.x * i;
        if (n < num_vectors)
        {
            ((Vector *)z)[n] = add_elements(a[i], b[i]);
        }
    }
    add_tail(x, y, z, N);
}

// __ldcs and __stcs load and store with the hint cs, "cache streaming": the data will not be used
// again, so the caches may drop them first.
__global__ void add_stream(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N / WIDTH)
    {
        const Vector a = __ldcs((const Vector *)x + n);
        const Vector b = __ldcs((const Vector *)y + n);
        __stcs((Vector *)z + n, add_elements(a, b));
    }
    add_tail(x, y, z, N);
}

// The launchers. They count at least one block, because all elements may belong to the tail.

template <int COUNT>
void launch_vector(const real *d_x, const real *d_y, real *d_z, size_t N, unsigned int block_size)
{
    const size_t of_block = block_size * COUNT * WIDTH;
    const unsigned int grid_size = (N + of_block - 1) / of_block;
    add_vector<COUNT><<<grid_size, block_size>>>(d_x, d_y, d_z, N);
}

inline void launch_stream(const real *d_x, const real *d_y, real *d_z, size_t N,
                          unsigned int block_size)
{
    const size_t of_block = block_size * WIDTH;
    const unsigned int grid_size = (N + of_block - 1) / of_block;
    add_stream<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
}
