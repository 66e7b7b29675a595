// outside: what programs written elsewhere do that the other conformance programs do not.
//
// Conforms to: the CUDA C++ Programming Guide, "Execution Configuration" and "__global__ Function
// Argument Processing"; the names of the headers' guards, which programs test with #ifdef.
#include <cooperative_groups.h>
#include <stdio.h>
#include "expect.cuh"

// --- every thread runs once, however often the threads take turns --------------------------------

__global__ void count_itself(unsigned long long *sum, unsigned *runs)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    runs[n]++;
    atomicAdd(sum, 1ull);
}

__global__ void expect_one_run(const unsigned *runs, unsigned times)
{
    EXPECT(runs[blockIdx.x * blockDim.x + threadIdx.x] == times);
}

static void each_thread_once()
{
    const int blocks = 8192, threads = 256, times = 20;
    unsigned long long *sum, h_sum;
    unsigned *runs;
    cudaMalloc(&sum, sizeof(*sum));
    cudaMalloc(&runs, blocks * threads * sizeof(*runs));
    cudaMemset(sum, 0, sizeof(*sum));
    cudaMemset(runs, 0, blocks * threads * sizeof(*runs));
    for (int i = 0; i < times; ++i)
    {
        count_itself<<<blocks, threads>>>(sum, runs);
    }
    expect_one_run<<<blocks, threads>>>(runs, times);
    cudaMemcpy(&h_sum, sum, sizeof(h_sum), cudaMemcpyDeviceToHost);
    printf("sum of many short threads: %s\n",
           h_sum == 1ull * blocks * threads * times ? "ok" : "wrong");
    num_wrong += h_sum != 1ull * blocks * threads * times;
    report("each thread runs once");
    cudaFree(sum);
    cudaFree(runs);
}

// --- who is active is told the same by all, however often the threads take turns ------------------

__global__ void count_together(int *sum, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
        const cooperative_groups::coalesced_group group = cooperative_groups::coalesced_threads();
        int before = 0;
        if (group.thread_rank() == 0)
        {
            before = atomicAdd(sum, group.size());
        }
        before = group.shfl(before, 0);
        EXPECT(before + (int)group.size() <= n);
    }
}

static void active_threads()
{
    const int n = 1000001;
    int *sum, h_sum;
    cudaMalloc(&sum, sizeof(*sum));
    cudaMemset(sum, 0, sizeof(*sum));
    count_together<<<200, 512>>>(sum, n);
    cudaMemcpy(&h_sum, sum, sizeof(h_sum), cudaMemcpyDeviceToHost);
    printf("sum by active groups: %s\n", h_sum == n ? "ok" : "wrong");
    num_wrong += h_sum != n;
    report("active groups");
    cudaFree(sum);
}

// --- launches as some editors format them --------------------------------------------------------

template <int N, class T>
__global__ void add_to(T *sum, T value)
{
    atomicAdd(sum, N * value);
}

struct Stream
{
    int total;
};
template <class T>
Stream &operator<<(Stream &stream, T value)
{
    stream.total += value;
    return stream;
}

static void spaced_launches()
{
    int *sum;
    cudaMallocManaged(&sum, sizeof(*sum));
    *sum = 0;
    // clang-format off
    add_to<1> << <1, 1 >> > (sum, 1);
    add_to<10, int><< <dim3(1, 1), dim3(2) >> >(sum, 1);
    add_to<100, int> <<	<1 << 1, 64 >> 6>> > (sum, 1024 >> 10);
    Stream stream = {0};
    operator<< <int>(stream, 1) << 2;
    // clang-format on
    cudaDeviceSynchronize();
    printf("<< <...>> >: %d, %d\n", *sum, stream.total);
    num_wrong += *sum != 221 || stream.total != 3;
    report("<< <...>> >");
    cudaFree(sum);
}

// --- parameters that are references, to what both sides can reach ----------------------------------

struct Pair
{
    int a, b;
};

__global__ void change(Pair &pair, int (&array)[3], const int &by, int unused)
{
    pair.a += by;
    pair.b -= by;
    array[2] = by;
}

template <typename T>
__global__ void change_template(T &__restrict__ value)
{
    value = 5;
}

static void references()
{
    struct All
    {
        Pair pair;
        int array[3], by;
    } * all;
    cudaMallocManaged(&all, sizeof(*all));
    *all = {{1, 2}, {3, 4, 5}, 7};
    change<<<1, 1>>>(all->pair, all->array, all->by, 0);
    change_template<<<1, 1>>>(all->array[0]);
    cudaDeviceSynchronize();
    printf("references: %d %d, %d %d %d\n", all->pair.a, all->pair.b, all->array[0], all->array[1],
           all->array[2]);
    num_wrong += all->pair.a != 8 || all->pair.b != -5 || all->array[0] != 5 || all->array[2] != 7;
    report("references");
    cudaFree(all);
}

// --- what programs ask the headers ---------------------------------------------------------------

static void guards()
{
#if defined(__CUDA_RUNTIME_H__) && defined(__CUDA_RUNTIME_API_H__) && \
    defined(__DRIVER_TYPES_H__) && defined(__VECTOR_TYPES_H__)
    printf("the headers' guards: ok\n");
#else
    printf("the headers' guards: missing\n");
    num_wrong++;
#endif
}

// --- code for some architectures -----------------------------------------------------------------

#if __CUDA_ARCH__ >= 700
static __device__ int only_for_some()
{
    return 3;
}
#endif

__global__ void for_some(int *value)
{
#if __CUDA_ARCH__ >= 700
    *value = only_for_some();
#endif
}

static void architecture()
{
    int *value;
    cudaMallocManaged(&value, sizeof(*value));
    *value = 0;
    for_some<<<1, 1>>>(value);
    cudaDeviceSynchronize();
    printf("#if __CUDA_ARCH__ >= 700: %s\n", *value == 3 ? "ok" : "left out");
    num_wrong += *value != 3;
    cudaFree(value);
}

int main()
{
    each_thread_once();
    active_threads();
    spaced_launches();
    references();
    guards();
    architecture();
    return num_wrong > 0;
}
