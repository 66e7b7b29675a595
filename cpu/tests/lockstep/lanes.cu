// Warp-synchronous code as it was written before Volta: its lanes count on running in step, through
// volatile shared memory without barriers. A GPU of today need not give these results. With an
// argument, the turn is taken from lanes ever so often, between any two instructions.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

// --- reductions ----------------------------------------------------------------------------------

template <typename T>
__global__ void sum_pointer(const T *x, T *sums)
{
    __shared__ T s_x[128];
    const int tid = threadIdx.x;
    s_x[tid] = x[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    if (tid < 64)
    {
        s_x[tid] += s_x[tid + 64];
    }
    __syncthreads();
    if (tid < 32)
    {
        volatile T *v = s_x;
        v[tid] += v[tid + 32];
        v[tid] += v[tid + 16];
        v[tid] += v[tid + 8];
        v[tid] += v[tid + 4];
        v[tid] += v[tid + 2];
        v[tid] += v[tid + 1];
    }
    if (tid == 0)
    {
        sums[blockIdx.x] = s_x[0];
    }
}

template <typename T>
__global__ void sum_array(const T *x, T *sums)
{
    volatile __shared__ T s_x[128];
    const int tid = threadIdx.x;
    s_x[tid] = x[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (int offset = blockDim.x / 2; offset >= 32; offset >>= 1)
    {
        if (tid < offset)
        {
            s_x[tid] = s_x[tid] + s_x[tid + offset];
        }
        __syncthreads();
    }
    for (int offset = 16; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_x[tid] = s_x[tid] + s_x[tid + offset];
        }
    }
    if (tid == 0)
    {
        sums[blockIdx.x] = s_x[0];
    }
}

template <unsigned int BLOCK_SIZE, typename T>
__device__ void reduce_warp(volatile T *s, unsigned int tid)
{
    if (BLOCK_SIZE >= 64)
        s[tid] += s[tid + 32];
    if (BLOCK_SIZE >= 32)
        s[tid] += s[tid + 16];
    if (BLOCK_SIZE >= 16)
        s[tid] += s[tid + 8];
    if (BLOCK_SIZE >= 8)
        s[tid] += s[tid + 4];
    if (BLOCK_SIZE >= 4)
        s[tid] += s[tid + 2];
    if (BLOCK_SIZE >= 2)
        s[tid] += s[tid + 1];
}

template <unsigned int BLOCK_SIZE, typename T>
__global__ void sum_unrolled(const T *x, T *sums)
{
    extern __shared__ double s_dynamic[];
    T *s_x = (T *)s_dynamic;
    const unsigned int tid = threadIdx.x;
    s_x[tid] = x[blockIdx.x * BLOCK_SIZE + tid];
    __syncthreads();
    if (BLOCK_SIZE >= 128)
    {
        if (tid < 64)
        {
            s_x[tid] += s_x[tid + 64];
        }
        __syncthreads();
    }
    if (tid < 32)
    {
        reduce_warp<BLOCK_SIZE>(s_x, tid);
    }
    if (tid == 0)
    {
        sums[blockIdx.x] = s_x[0];
    }
}

// As in the samples of CUDA 5: the sum is in a register as well.
template <typename T>
__global__ void sum_in_register(const T *x, T *sums)
{
    __shared__ T s_x[128];
    const int tid = threadIdx.x;
    T sum = x[blockIdx.x * blockDim.x + tid];
    s_x[tid] = sum;
    __syncthreads();
    if (tid < 64)
    {
        s_x[tid] = sum = sum + s_x[tid + 64];
    }
    __syncthreads();
    if (tid < 32)
    {
        volatile T *smem = s_x;
        smem[tid] = sum = sum + smem[tid + 32];
        smem[tid] = sum = sum + smem[tid + 16];
        smem[tid] = sum = sum + smem[tid + 8];
        smem[tid] = sum = sum + smem[tid + 4];
        smem[tid] = sum = sum + smem[tid + 2];
        smem[tid] = sum = sum + smem[tid + 1];
    }
    if (tid == 0)
    {
        sums[blockIdx.x] = s_x[0];
    }
}

// Through casts, and through a pointer that is moved.
__global__ void sum_cast(const int *x, int *sums)
{
    __shared__ int s_x[128];
    const int tid = threadIdx.x;
    s_x[tid] = x[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    if (tid < 64)
    {
        s_x[tid] += s_x[tid + 64];
    }
    __syncthreads();
    if (tid < 32)
    {
        ((volatile int *)s_x)[tid] += ((volatile int *)s_x)[tid + 32];
        *(volatile int *)&s_x[tid] += *(volatile int *)&s_x[tid + 16];
        volatile int *mine = s_x + tid;
        *mine += *(mine + 8);
        *mine = *mine + mine[4];
        *mine += mine[2];
        *mine += mine[1];
    }
    if (tid == 0)
    {
        sums[blockIdx.x] = s_x[0];
    }
}

// Each warp has a row of its own.
__global__ void sum_of_each_warp(const int *x, int *sums)
{
    __shared__ volatile int s_x[4][64];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    s_x[warp][lane + 32] = 0;
    s_x[warp][lane] = x[blockIdx.x * blockDim.x + threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
    {
        s_x[warp][lane] += s_x[warp][lane + offset];
    }
    if (lane == 0)
    {
        atomicAdd(&sums[blockIdx.x], s_x[warp][0]);
    }
}

// --- more --------------------------------------------------------------------------------------

// Lanes take different branches: an inclusive scan.
__device__ int scan_warp(volatile int *s, int i)
{
    const int lane = i & 31;
    if (lane >= 1)
        s[i] = s[i - 1] + s[i];
    if (lane >= 2)
        s[i] = s[i - 2] + s[i];
    if (lane >= 4)
        s[i] = s[i - 4] + s[i];
    if (lane >= 8)
        s[i] = s[i - 8] + s[i];
    if (lane >= 16)
        s[i] = s[i - 16] + s[i];
    return s[i];
}

__global__ void scan(const int *x, int *out)
{
    __shared__ int s_x[128];
    const int tid = threadIdx.x;
    s_x[tid] = x[tid];
    out[tid] = scan_warp(s_x, tid);
}

// The histogram of CUDA's first samples, without atomics: the lane whose write has lasted goes on.
__global__ void histogram(const int *x, unsigned int *counts, int n)
{
    __shared__ volatile unsigned int s_counts[8];
    const unsigned int tag = threadIdx.x << 27;
    if (threadIdx.x < 8)
    {
        s_counts[threadIdx.x] = 0;
    }
    for (int i = threadIdx.x; i < n; i += 32)
    {
        unsigned int count;
        do
        {
            count = tag | ((s_counts[x[i] & 7] & 0x07ffffff) + 1);
            s_counts[x[i] & 7] = count;
        } while (s_counts[x[i] & 7] != count);
    }
    if (threadIdx.x < 8)
    {
        counts[threadIdx.x] = s_counts[threadIdx.x] & 0x07ffffff;
    }
}

// All lanes write one variable, and all see the same lane's number.
__global__ void elect(int *num_elected)
{
    volatile __shared__ int s_leader;
    s_leader = threadIdx.x;
    if (s_leader == (int)threadIdx.x)
    {
        atomicAdd(num_elected, 1);
    }
}

// Pipelines: the warps of a block, and the lanes of a warp, wait for flags in shared memory.
__global__ void pass_on(int *out)
{
    __shared__ volatile int s_turn;
    if (threadIdx.x == 0)
    {
        s_turn = 0;
    }
    __syncthreads();
    while (s_turn != (int)threadIdx.x)
    {
    }
    out[threadIdx.x] = s_turn;
    s_turn = threadIdx.x + 1;
}

// --- what must stay as it is -------------------------------------------------------------------

struct Pair
{
    int a, b;
};

__device__ void exchange(volatile int &a, volatile int &b)
{
    const int old = a;
    a = b;
    b = old;
}

template <typename T>
__device__ T twice(T x)
{
    return x + x;
}

// Everything that can be done with an element.
__global__ void use(int *out, volatile int *global)
{
    __shared__ volatile int s_x[32];
    __shared__ volatile Pair s_pair[32];
    volatile int local[2] = {3, 4};
    volatile int *v = s_x, *end = v + 32, *const third = &v[2];
    const int tid = threadIdx.x;
    v[tid] = tid;
    s_pair[tid].a = tid;
    s_pair[tid].b = s_pair[tid].a + 1;
    if (tid == 0)
    {
        exchange(v[0], v[1]);
        const auto first = v[0];
        v[0] = 7;
        ++v[3];
        v[3]++;
        v[3]--;
        v[4] <<= 2;
        v[5] = v[6] = 9;
        *third = -1;
        int sum = first + twice(v[0]) + max(v[1], v[3]) + (v[4] >= 16) + (v[5] == v[6]) + *third;
        atomicAdd((int *)&v[7], 1);
        for (volatile int *p = s_x; p < end; p++)
        {
            sum += *p;
        }
        sum += s_pair[3].b + local[0] * local[1] + (int)sizeof(v[0]) + (v[7] ? 100 : 200);
        global[1] = *global + sum;
        *out = global[1];
    }
}

// --- the checks ----------------------------------------------------------------------------------

const int N = 6 * 128;

template <typename T, typename Launch>
void check_sums(const char *what, int block, Launch launch)
{
    T h_x[N], h_sums[N / 32] = {}, *d_x, *d_sums;
    for (int n = 0; n < N; ++n)
    {
        h_x[n] = (T)(n * 37 % 101);
    }
    cudaMalloc(&d_x, sizeof(h_x));
    cudaMalloc(&d_sums, sizeof(h_sums));
    cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice);
    cudaMemset(d_sums, 0, sizeof(h_sums));
    launch(N / block, d_x, d_sums);
    cudaMemcpy(h_sums, d_sums, sizeof(h_sums), cudaMemcpyDeviceToHost);
    int num_right = 0;
    for (int b = 0; b < N / block; ++b)
    {
        T sum = 0;
        for (int n = 0; n < block; ++n)
        {
            sum += h_x[b * block + n];
        }
        num_right += sum == h_sums[b];
    }
    printf("%s: %d of %d sums\n", what, num_right, N / block);
    cudaFree(d_x);
    cudaFree(d_sums);
}

template <typename T>
void check_reductions(const char *type)
{
    char what[80];
    snprintf(what, sizeof(what), "%s, pointer", type);
    check_sums<T>(what, 128, [](int n, T *x, T *s) { sum_pointer<<<n, 128>>>(x, s); });
    snprintf(what, sizeof(what), "%s, array", type);
    check_sums<T>(what, 128, [](int n, T *x, T *s) { sum_array<<<n, 128>>>(x, s); });
    snprintf(what, sizeof(what), "%s, unrolled", type);
    check_sums<T>(what, 128, [](int n, T *x, T *s) { sum_unrolled<128><<<n, 128, 1024>>>(x, s); });
    check_sums<T>(what, 64, [](int n, T *x, T *s) { sum_unrolled<64><<<n, 64, 512>>>(x, s); });
    check_sums<T>(what, 32, [](int n, T *x, T *s) { sum_unrolled<32><<<n, 32, 512>>>(x, s); });
    snprintf(what, sizeof(what), "%s, in a register", type);
    check_sums<T>(what, 128, [](int n, T *x, T *s) { sum_in_register<<<n, 128>>>(x, s); });
}

// Sends the watch's signal to all OS threads, much more often than the watch does.
void disturb()
{
    auto next = std::chrono::steady_clock::now();
    for (;;)
    {
        while (std::chrono::steady_clock::now() < next)
        {
        }
        next = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
        DIR *tasks = opendir("/proc/self/task");
        for (const dirent *task = readdir(tasks); task != NULL; task = readdir(tasks))
        {
            if (task->d_name[0] != '.')
            {
                syscall(SYS_tgkill, getpid(), atoi(task->d_name), SIGURG);
            }
        }
        closedir(tasks);
    }
}

int main(int argc, char **)
{
    if (argc > 1)
    {
        std::thread(disturb).detach();
    }
    check_reductions<int>("int");
    check_reductions<float>("float");
    check_reductions<double>("double");
    check_sums<int>("casts", 128, [](int n, int *x, int *s) { sum_cast<<<n, 128>>>(x, s); });
    check_sums<int>("warps", 128,
                    [](int n, int *x, int *s) { sum_of_each_warp<<<n, 128>>>(x, s); });

    int h[128], *d;
    cudaMalloc(&d, sizeof(h));
    for (int n = 0; n < 128; ++n)
    {
        h[n] = n % 5;
    }
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    scan<<<1, 128>>>(d, d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("scan: %d %d %d %d\n", h[1], h[31], h[63], h[127]);

    for (int n = 0; n < 128; ++n)
    {
        h[n] = n % 11;
    }
    unsigned int counts[8], *d_counts;
    cudaMalloc(&d_counts, sizeof(counts));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    histogram<<<1, 32>>>(d, d_counts, 128);
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    printf("histogram: %u %u %u %u\n", counts[0], counts[1], counts[3], counts[7]);

    cudaMemset(d, 0, sizeof(h));
    elect<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
    printf("elected: %d\n", h[0]);

    pass_on<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("passed on: %d %d %d\n", h[0], h[33], h[127]);

    cudaMemset(d, 0, sizeof(h));
    use<<<1, 32>>>(d + 2, d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("uses: %d\n", h[2]);
    cudaFree(d);
    cudaFree(d_counts);
    return 0;
}
