// What the CPU backend itself costs: nanoseconds a thread, a barrier, a shuffle; microseconds a
// launch. Run by `make bench`; CUDACPU_THREADS=1 gives the figures for one core. Each figure
// is the best of several runs: the least that other work on the machine has disturbed.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(call)                                                              \
    do                                                                           \
    {                                                                            \
        const cudaError_t error = (call);                                        \
        if (error != cudaSuccess)                                                \
        {                                                                        \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
            exit(3);                                                             \
        }                                                                        \
    } while (0)

const int RUNS = 9;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

template <typename Work>
double best_time(Work work)
{
    double best = 1e30;
    for (int run = 0; run < RUNS; ++run)
    {
        const double start = seconds();
        work();
        const double time = seconds() - start;
        best = time < best ? time : best;
    }
    return best;
}

__global__ void empty()
{
}

__global__ void add(const double *x, const double *y, double *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

__attribute__((noinline)) void add_on_host(const double *x, const double *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

__global__ void wait_at_barriers(int count)
{
    for (int i = 0; i < count; ++i)
    {
        __syncthreads();
    }
}

__global__ void shuffle(int count, int *y)
{
    int sum = threadIdx.x;
    for (int i = 0; i < count; ++i)
    {
        sum += __shfl_xor_sync(0xffffffff, sum, 1);
    }
    y[threadIdx.x] = sum;
}

__global__ void reduce_shared(const float *x, float *y)
{
    __shared__ float s_x[128];
    const int tid = threadIdx.x;
    s_x[tid] = x[blockIdx.x * 128 + tid];
    __syncthreads();
    for (int offset = 64; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_x[tid] += s_x[tid + offset];
        }
        __syncthreads();
    }
    if (tid == 0)
    {
        y[blockIdx.x] = s_x[0];
    }
}

// Arrays that stay in the first-level cache, so that what remains is the thread's own cost.
static void bench_threads(void)
{
    const size_t N = 1000, launches = 10000;
    double *d_x, *d_y, *d_z, *h_x = (double *)calloc(3 * N, sizeof(double));
    CHECK(cudaMalloc(&d_x, N * sizeof(double)));
    CHECK(cudaMalloc(&d_y, N * sizeof(double)));
    CHECK(cudaMalloc(&d_z, N * sizeof(double)));
    CHECK(cudaMemset(d_x, 0, N * sizeof(double)));
    CHECK(cudaMemset(d_y, 0, N * sizeof(double)));
    const double host = best_time(
        [&]
        {
            for (size_t i = 0; i < launches; ++i)
            {
                add_on_host(h_x, h_x + N, h_x + 2 * N, N);
            }
        });
    const double device = best_time(
        [&]
        {
            for (size_t i = 0; i < launches; ++i)
            {
                add<<<8, 128>>>(d_x, d_y, d_z, N);
            }
            CHECK(cudaDeviceSynchronize());
        });
    printf("add, beyond the host's loop       %8.2f ns a thread (the loop: %.2f)\n",
           1e9 * (device - host) / (N * launches), 1e9 * host / (N * launches));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
}

static void bench_barriers(void)
{
    const int count = 2000;
    for (int block_size = 128; block_size <= 1024; block_size *= 2)
    {
        const double time = best_time(
            [&]
            {
                wait_at_barriers<<<1, block_size>>>(count);
                CHECK(cudaDeviceSynchronize());
            });
        printf("__syncthreads, blocks of %-4d      %8.2f ns a thread\n", block_size,
               1e9 * time / count / block_size);
    }
    int *d_y;
    CHECK(cudaMalloc(&d_y, 128 * sizeof(int)));
    const double time = best_time(
        [&]
        {
            shuffle<<<1, 128>>>(count, d_y);
            CHECK(cudaDeviceSynchronize());
        });
    printf("__shfl_xor_sync                   %8.2f ns a thread\n", 1e9 * time / count / 128);
    CHECK(cudaFree(d_y));
}

static void bench_launches(void)
{
    const int count = 1000;
    const double time = best_time(
        [&]
        {
            for (int i = 0; i < count; ++i)
            {
                empty<<<1, 1>>>();
                CHECK(cudaDeviceSynchronize());
            }
        });
    printf("launch and cudaDeviceSynchronize  %8.2f us\n", 1e6 * time / count);
}

static void bench_reduction(void)
{
    const int blocks = 78125, N = 128 * blocks; // 10^7
    float *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, N * sizeof(float)));
    CHECK(cudaMalloc(&d_y, blocks * sizeof(float)));
    CHECK(cudaMemset(d_x, 0, N * sizeof(float)));
    const double time = best_time(
        [&]
        {
            reduce_shared<<<blocks, 128>>>(d_x, d_y);
            CHECK(cudaDeviceSynchronize());
        });
    printf("10^7 floats summed in shared memory %6.2f s\n", time);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}

int main(void)
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    printf("%s\n", properties.name);
    bench_threads();
    bench_barriers();
    bench_launches();
    bench_reduction();
    return 0;
}
