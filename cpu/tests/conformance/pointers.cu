// pointers: kernels of which no more than the address is known, as void * in variables, tables,
// structures and parameters.
//
// Conforms to: the CUDA Runtime API, "Execution Control": what cudaLaunchKernel and its kin take is
// an address, and the arguments' addresses; the types of both are the kernel's alone.
#include <string.h>
#include "expect.cuh"

static int *d_sum;

static int taken()
{
    int sum = -1;
    cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost);
    cudaMemset(d_sum, 0, sizeof(sum));
    return sum;
}

__global__ void add(int *sum, int x)
{
    atomicAdd(sum, x);
}

__global__ void add_twice(int *sum, int x)
{
    atomicAdd(sum, 2 * x);
}

static void *the_add = (void *)add; // before main

static void try_variables()
{
    int x = 5;
    void *arguments[] = {&d_sum, &x};
    void *f = (void *)add;
    const void *g = (const void *)&add_twice;
    void *h = reinterpret_cast<void *>(add);
    bool right = cudaLaunchKernel(f, dim3(2), dim3(3), arguments, 0, 0) == cudaSuccess &&
                 cudaLaunchKernel(g, 2, 3, arguments, 0, NULL) == cudaSuccess &&
                 cudaLaunchKernel(h, dim3(1), dim3(1), arguments, 0, 0) == cudaSuccess &&
                 cudaLaunchKernel(the_add, dim3(1), dim3(1), arguments, 0, 0) == cudaSuccess;
    check("variables", right && taken() == 5 * (6 + 12 + 1 + 1));
    right = cudaLaunchKernel(f, dim3(1), dim3(1), arguments, 0, 0) == cudaSuccess;
    x = 0; // the launch has its copy
    check("arguments are read at the launch", right && taken() == 5);
}

static cudaError_t launch(const void *kernel, int threads, void **arguments)
{
    return cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments, 0, 0);
}

struct Step
{
    const char *name;
    const void *kernel;
};

static const void *find(const Step *steps, int n, const char *name)
{
    for (int i = 0; i < n; ++i)
    {
        if (strcmp(steps[i].name, name) == 0)
        {
            return steps[i].kernel;
        }
    }
    return NULL;
}

static void try_tables()
{
    static const void *const kernels[] = {(const void *)add, (const void *)add_twice};
    const Step steps[] = {{"twice", (const void *)add_twice}, {"once", (const void *)add}};
    int x = 7;
    void *arguments[] = {&d_sum, &x};
    bool right = true;
    for (int i = 0; i < 2; ++i)
    {
        right = right && launch(kernels[i], 4, arguments) == cudaSuccess;
    }
    check("a table", right && taken() == 7 * 12);
    right = launch(find(steps, 2, "once"), 1, arguments) == cudaSuccess && taken() == 7 &&
            launch(find(steps, 2, "twice"), 1, arguments) == cudaSuccess && taken() == 14;
    check("found by name", right);
}

// --- templates -----------------------------------------------------------------------------------

template <class T>
__global__ void add_value(int *sum, T value, T factor = T(2))
{
    atomicAdd(sum, (int)(value * factor) + (int)sizeof(T));
}

template <class T, int N>
struct Array
{
    T values[N];
};

template <class T, int N>
__global__ void add_array(int *sum, Array<T, N> array, int from = (1 << 3) - 8,
                          Array<T, N> other = Array<T, N>{}, int = 1 < 2)
{
    for (int i = from; i < N; ++i)
    {
        atomicAdd(sum, (int)array.values[i] + (int)other.values[i]);
    }
}

template <class... T>
__global__ void add_sizes(int *sum, T... values)
{
    const int sizes[] = {(int)sizeof(values)...};
    for (int size : sizes)
    {
        atomicAdd(sum, size);
    }
}

template <class T>
static void *pointer_to()
{
    return (void *)add_value<T>;
}

static void try_templates()
{
    float x = 1.5f, two = 2.0f;
    double y = 2.5, four = 4.0;
    void *floats[] = {&d_sum, &x, &two}, *doubles[] = {&d_sum, &y, &four};
    void *f = (void *)add_value<float>;
    bool right = launch(f, 1, floats) == cudaSuccess && taken() == 3 + 4 &&
                 launch(pointer_to<double>(), 1, doubles) == cudaSuccess && taken() == 10 + 8;
    check("a template's instances", right);
    Array<double, 3> array = {{1, 2, 3}}, other = {{10, 20, 30}};
    int from = 1, unused = 0;
    void *arrays[] = {&d_sum, &array, &from, &other, &unused};
    right = launch((const void *)add_array<double, 3>, 2, arrays) == cudaSuccess;
    check("structures and default arguments", right && taken() == 2 * 55);
    char c = 1;
    void *pack[] = {&d_sum, &c, &y, &from};
    void (*sizes)(int *, char, double, int) = add_sizes;
    right = launch((const void *)sizes, 1, pack) == cudaSuccess;
    check("a pack of parameters", right && taken() == 1 + 8 + 4);
}

// --- parameters of every form ----------------------------------------------------------------------

namespace space
{
struct Pair
{
    int a, b;
};
static __global__ void add_pair(int *__restrict__ sum, const Pair pair, const int[], bool b, char,
                                unsigned long long u, float (*)[4], int (*)(int, int))
{
    atomicAdd(sum, 100 * pair.a + 10 * pair.b + b + (int)u);
}
} // namespace space

__global__ void overloaded(int *sum, int x)
{
    atomicAdd(sum, x);
}

__global__ void overloaded(int *sum, double x)
{
    atomicAdd(sum, (int)(10 * x));
}

extern "C" __global__ void plain_c(void)
{
}

// The last of 100 words of shared memory that the launch gives.
__global__ void use_shared(int *sum)
{
    extern __shared__ int s_words[];
    s_words[99 - threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    atomicAdd(sum, s_words[99 - threadIdx.x]);
}

static void try_parameters()
{
    space::Pair pair = {3, 4};
    bool b = true;
    char c = 9;
    unsigned long long u = 5;
    void *null = NULL;
    void *arguments[] = {&d_sum, &pair, &null, &b, &c, &u, &null, &null};
    void *f = (void *)space::add_pair;
    check("parameters of every form",
          launch(f, 1, arguments) == cudaSuccess && taken() == 300 + 40 + 1 + 5);
    int x = 3;
    double y = 1.5;
    void (*of_int)(int *, int) = overloaded;
    void (*of_double)(int *, double) = overloaded;
    void *ints[] = {&d_sum, &x}, *doubles[] = {&d_sum, &y};
    bool right = launch((void *)of_int, 1, ints) == cudaSuccess && taken() == 3 &&
                 launch((void *)of_double, 1, doubles) == cudaSuccess && taken() == 15;
    check("overloads", right);
    check("no parameters", launch((void *)plain_c, 1, NULL) == cudaSuccess);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    f = (void *)use_shared;
    right = cudaLaunchKernel(f, dim3(1), dim3(32), arguments, 400, stream) == cudaSuccess &&
            cudaStreamSynchronize(stream) == cudaSuccess;
    check("shared memory and a stream", right && taken() == 31 * 16);
    cudaStreamDestroy(stream);
}

// --- what else takes a kernel's address ------------------------------------------------------------

static void try_other_calls()
{
    void *f = (void *)use_shared;
    const void *g = (const void *)add_value<double>;
    cudaFuncAttributes attributes;
    int blocks = 0, grid = 0, block = 0;
    bool right = cudaFuncGetAttributes(&attributes, f) == cudaSuccess &&
                 attributes.maxThreadsPerBlock >= 32 &&
                 cudaFuncGetAttributes(&attributes, g) == cudaSuccess;
    check("attributes", right);
    right = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 128, 0) == cudaSuccess &&
            blocks >= 1 && cudaOccupancyMaxPotentialBlockSize(&grid, &block, g) == cudaSuccess &&
            block >= 32;
    check("occupancy", right);
    void *arguments[] = {&d_sum};
    const int bytes = 60000; // more than 48 KB
    right = cudaLaunchKernel(f, dim3(1), dim3(1), arguments, bytes, 0) == cudaErrorInvalidValue &&
            cudaGetLastError() == cudaErrorInvalidValue &&
            cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) ==
                cudaSuccess &&
            cudaLaunchKernel(f, dim3(1), dim3(32), arguments, bytes, 0) == cudaSuccess;
    check("much shared memory", right && taken() == 31 * 16);
#if CUDART_VERSION >= 11080
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    config.dynamicSmemBytes = 400;
    right = cudaLaunchKernelExC(&config, f, arguments) == cudaSuccess;
    check("cudaLaunchKernelExC", right && taken() == 31 * 16);
#else
    check("cudaLaunchKernelExC", true);
#endif
    right = is_error(cudaLaunchKernel((void *)NULL, dim3(1), dim3(1), arguments, 0, 0),
                     cudaErrorInvalidDeviceFunction);
    check("no kernel", right);
    right = cudaLaunchKernel(f, dim3(1), dim3(2048), arguments, 0, 0) != cudaSuccess &&
            cudaGetLastError() != cudaSuccess && cudaGetLastError() == cudaSuccess;
    check("a block too large", right);
}

// printf's value is the number of its arguments; what it prints is on the next lines.
__global__ void count_arguments(int *counts)
{
    counts[0] = printf("nothing to count\n");
    counts[1] = printf("%d %s: 100%%\n", 1, "two");
    counts[2] = printf("%5.2f|%-4d|%#x|%c|%llu\n", 1.5, 2, 3, 'd', 5ull);
}

static void try_printf()
{
    int *d_counts, counts[3];
    cudaMalloc(&d_counts, sizeof(counts));
    void *f = (void *)count_arguments, *arguments[] = {&d_counts};
    const bool right = launch(f, 1, arguments) == cudaSuccess;
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    check("what printf returns", right && counts[0] == 0 && counts[1] == 2 && counts[2] == 5);
    cudaFree(d_counts);
}

int main()
{
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(int));
    try_variables();
    try_tables();
    try_templates();
    try_parameters();
    try_other_calls();
    try_printf();
    cudaFree(d_sum);
    return num_wrong != 0;
}
