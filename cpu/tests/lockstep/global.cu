// Warp-synchronous sums in global memory, as old books have them after `volatile int *v = g`. Its lanes
// count on running in step. The kernels at the end use volatile global memory and count on nothing.
#include <cstdio>

template <typename T>
__global__ void sum_pointer(T *x, T *sums)
{
    T *const own = x + blockIdx.x * blockDim.x;
    const int tid = threadIdx.x;
    for (int offset = blockDim.x / 2; offset > 32; offset >>= 1)
    {
        if (tid < offset)
        {
            own[tid] += own[tid + offset];
        }
        __syncthreads();
    }
    if (tid < 32)
    {
        volatile T *v = own;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0)
    {
        sums[blockIdx.x] = own[0];
    }
}

template <typename T>
__global__ void sum_parameter(volatile T *v, T *sums)
{
    const int tid = threadIdx.x, first = blockIdx.x * blockDim.x;
    for (int offset = 16; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            v[first + tid] = v[first + tid] + v[first + tid + offset];
        }
    }
    if (tid == 0)
    {
        sums[blockIdx.x] = v[first];
    }
}

template <typename T>
__device__ void fold(volatile T *v, int tid)
{
    T sum = v[tid];
    v[tid] = sum = sum + v[tid + 16];
    v[tid] = sum = sum + v[tid + 8];
    v[tid] = sum = sum + v[tid + 4];
    v[tid] = sum = sum + v[tid + 2];
    v[tid] = sum = sum + v[tid + 1];
}

template <typename T>
__global__ void sum_function(T *x, T *sums)
{
    fold(x + blockIdx.x * blockDim.x, threadIdx.x);
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = x[blockIdx.x * blockDim.x];
    }
}

// The rows of a matrix, a warp each.
__global__ void sum_rows(int (*x)[64], int *sums)
{
    volatile int(*v)[64] = x;
    const int tid = threadIdx.x, row = threadIdx.y;
    v[row][tid] += v[row][tid + 32];
    v[row][tid] += v[row][tid + 16];
    v[row][tid] += v[row][tid + 8];
    v[row][tid] += v[row][tid + 4];
    v[row][tid] += v[row][tid + 2];
    v[row][tid] += v[row][tid + 1];
    if (tid == 0)
    {
        sums[row] = v[row][0];
    }
}

// --- right by today's rules ----------------------------------------------------------------------

__global__ void chain(volatile int *done, volatile int *partial)
{
    if (threadIdx.x == 0)
    {
        while (done[blockIdx.x] == 0)
        {
        }
        __threadfence();
        partial[blockIdx.x + 1] = partial[blockIdx.x] + 1;
        __threadfence();
        done[blockIdx.x + 1] = 1;
    }
}

__global__ void synchronized(volatile int *v)
{
    const int tid = threadIdx.x;
    for (int offset = 16; offset > 0; offset >>= 1)
    {
        const int other = v[tid + offset];
        __syncwarp();
        v[tid] += other;
        __syncwarp();
    }
}

__global__ void apart(volatile float *v, int n)
{
    float *const unused = nullptr;
    for (int i = 1; i < n && unused == nullptr; ++i)
    {
        v[threadIdx.x * n + i] = v[threadIdx.x * n + i - 1] + 1;
    }
}

template <typename T, typename X>
static void check(const char *what, void (*kernel)(X *, T *), int threads)
{
    const int blocks = 5;
    T *x, *sums;
    cudaMallocManaged(&x, (blocks * threads + 32) * sizeof(T));
    cudaMallocManaged(&sums, blocks * sizeof(T));
    T expected[blocks] = {};
    for (int i = 0; i < blocks * threads + 32; ++i)
    {
        x[i] = (T)(i * 7 % 11);
        if (i < blocks * threads)
        {
            expected[i / threads] += x[i];
        }
    }
    kernel<<<blocks, threads>>>(x, sums);
    cudaDeviceSynchronize();
    int right = 0;
    for (int i = 0; i < blocks; ++i)
    {
        right += sums[i] == expected[i];
    }
    printf("%s: %d of %d sums\n", what, right, blocks);
    cudaFree(x);
    cudaFree(sums);
}

int main()
{
    check("pointer, int", sum_pointer<int>, 128);
    check("pointer, float", sum_pointer<float>, 64);
    check("pointer, double", sum_pointer<double>, 256);
    check("parameter, int", sum_parameter<int>, 32);
    check("parameter, double", sum_parameter<double>, 32);

    int *x;
    cudaMallocManaged(&x, 8 * 64 * sizeof(int));
    for (int i = 0; i < 8 * 64; ++i)
    {
        x[i] = i < 48 ? 1 : 0;
    }
    int *sums;
    cudaMallocManaged(&sums, 8 * sizeof(int));
    sum_function<<<1, 32>>>(x, sums);
    cudaDeviceSynchronize();
    printf("function: %d\n", sums[0]);
    for (int i = 0; i < 8 * 64; ++i)
    {
        x[i] = i / 64 + (i % 64 < 3);
    }
    sum_rows<<<1, dim3(32, 4)>>>((int(*)[64])x, sums);
    cudaDeviceSynchronize();
    printf("rows: %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);

    int *done, *partial;
    cudaMallocManaged(&done, 65 * sizeof(int));
    cudaMallocManaged(&partial, 65 * sizeof(int));
    for (int i = 0; i < 65; ++i)
    {
        done[i] = i == 0;
        partial[i] = 0;
    }
    chain<<<64, 64>>>(done, partial);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
    {
        x[i] = i < 32;
    }
    synchronized<<<1, 32>>>(x);
    float *f;
    cudaMallocManaged(&f, 64 * 100 * sizeof(float));
    for (int i = 0; i < 64 * 100; ++i)
    {
        f[i] = (float)(i / 100);
    }
    apart<<<1, 64>>>(f, 100);
    cudaDeviceSynchronize();
    printf("right: %d %d %g\n", partial[64], x[0], f[63 * 100 + 99]);
    cudaFree(x);
    cudaFree(sums);
    cudaFree(done);
    cudaFree(partial);
    cudaFree(f);
    return cudaGetLastError();
}
