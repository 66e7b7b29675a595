// reduce-functor: a reduction of any type by any operator, with a function on the way in
//
// From:    S2, file functionReduce.h, file testPre.cu, Table 6.1
// Compile: nvcc -O3 reduce-functor.cu
// Run:     ./a.out -n 100000000
// Checks:  100 (228 on a GPU)
// Sizes:   4097 1 1000 300007 33
//
// reduce(storage, bytes, x, N, result, op, map) computes map(x[0]) op map(x[1]) op ..., where the
// order of the operands must not matter. As with CUB, a call without storage asks how many bytes
// of it are wanted; they are to be zero once, and each call leaves them zero. S2 starts each of
// its threads from an initial value, which is then counted as often as there are threads. Here a
// thread starts from an element of its own, so that an operator needs no neutral one.
//
// Times are until the result is on the host: Thrust returns it, `result` is memory of the host.

#include <limits>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "fold.cuh"
#include "launch.cuh"
#if ON_GPU
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>
#endif

// Into a type of its own: squares of float are added up in double.
struct Square
{
    template <typename T>
    __host__ __device__ double operator()(T x) const
    {
        return (double)x * (double)x;
    }
};

// The reference: on the host, in long double, in groups so that no sum is of very many addends.
template <typename T, typename Op, typename Map>
long double reduce_reference(const T *x, size_t N, Op op, Map map)
{
    const size_t group = 4096;
    long double total = 0.0;
    for (size_t first = 0; first < N; first += group)
    {
        long double y = map(x[first]);
        for (size_t n = first + 1; n < N && n < first + group; ++n)
        {
            y = op(y, (long double)map(x[n]));
        }
        total = first > 0 ? op(total, y) : y;
    }
    return total;
}

// Thread number t begins with element t, and the grid goes on through the rest. There are so few
// blocks that each has an element; in the last one some threads may be without.
template <int COUNT, bool PREFETCH, typename R, typename T, typename Op, typename Map>
__global__ void __launch_bounds__(1024)
    reduce_functor(const T *x, size_t N, Slot<R> *slots, R *result, Op op, Map map)
{
    take_turn();
    const size_t threads = (size_t)blockDim.x * gridDim.x;
    const size_t first = (size_t)blockDim.x * blockIdx.x, n = first + threadIdx.x;
    R y = map(x[n < N ? n : 0]);
    if (threads < N)
    {
        y = fold_vectors<COUNT, PREFETCH>(y, x + threads, N - threads, op, map);
    }
    y = fold_block(y, N - first < blockDim.x ? N - first : blockDim.x, op);
    y = fold_grid(y, slots, op);
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0)
    {
        *result = y;
    }
}

unsigned int most_blocks(void)
{
    int device;
    CHECK(cudaGetDevice(&device));
    return 4 * device_attribute(cudaDevAttrMultiProcessorCount, device);
}

// Small arrays are done sooner by more threads that each ask for less.
template <bool PREFETCH = false, typename R, typename T, typename Op, typename Map>
cudaError_t reduce(void *storage, size_t *bytes, const T *x, size_t N, R *result, Op op, Map map)
{
    static const unsigned int most = most_blocks();
    const size_t wanted = most * sizeof(Slot<R>);
    if (storage == NULL)
    {
        *bytes = wanted;
        return cudaSuccess;
    }
    if (N == 0 || *bytes < wanted || (uintptr_t)x % 16 != 0)
    {
        return cudaErrorInvalidValue;
    }
    const bool little = N * sizeof(T) < (16 << 20);
    const unsigned int block_size = little ? 512 : 1024;
    const size_t in_block = block_size * (1 + (little ? 2 : 4) * 16 / sizeof(T));
    const size_t enough = (N + in_block - 1) / in_block;
    launch_early(little ? reduce_functor<2, PREFETCH, R, T, Op, Map>
                        : reduce_functor<4, PREFETCH, R, T, Op, Map>,
                 enough < most ? enough : most, block_size, 0, x, N, (Slot<R> *)storage, result, op,
                 map);
    return cudaSuccess;
}

#if ON_GPU
template <typename R>
thrust::plus<R> thrust_operator(Plus)
{
    return {};
}

template <typename R>
thrust::minimum<R> thrust_operator(Min)
{
    return {};
}

template <typename R>
thrust::maximum<R> thrust_operator(Max)
{
    return {};
}

template <typename T, typename Op>
T reduce_thrust(const T *x, size_t N, T start, Op op, Same)
{
    return thrust::reduce(thrust::device, x, x + N, start, thrust_operator<T>(op));
}

template <typename R, typename T, typename Op, typename Map>
R reduce_thrust(const T *x, size_t N, R start, Op op, Map map)
{
    return thrust::transform_reduce(thrust::device, x, x + N, map, start, thrust_operator<R>(op));
}
#endif

template <typename T>
struct Problem
{
    const char *type;
    size_t N, repeats;
    T *h_x, *d_x;
    void *d_storage, *result; // result: pinned memory of the host, where a kernel can write, too
    size_t bytes;
    bool small_integers; // these have one sum, in whatever order
};

// A sum's error is bounded by the additions that an element passes through. Else there is none.
template <typename R, typename Op>
void check(const char *what, R result, long double reference, size_t bytes, bool exact, Op)
{
    if (exact || !std::is_floating_point<R>::value || !std::is_same<Op, Plus>::value)
    {
        const R should = reference;
        check_elements(what, &result, &should, 1);
        return;
    }
    const double chain = bytes / (16.0 * 512 * most_blocks()) + 80;
    check_sum(what, result, reference, fabs((double)reference), chain,
              std::numeric_limits<R>::epsilon());
}

// us until the result is on the host, where work() returns it and it is checked.
template <typename R, typename T, typename Op, typename Work>
double measure(const Problem<T> &p, size_t N, const char *name, long double reference, Op op,
               R *result, Work work)
{
    poison(result, sizeof(R));
    *result = work();
    const double ms = p.small_integers ? NAN : time_host(work, p.repeats).median;
    check(name, *result, reference, N * sizeof(T), p.small_integers, op);
    return 1e3 * ms;
}

// One type, operator and function, for the first N elements: ours, ours with prefetches, Thrust.
template <typename R, typename T, typename Op, typename Map>
void run(const Problem<T> &p, size_t N, const char *name, Op op, Map map)
{
    R *const result = (R *)p.result;
    size_t bytes = p.bytes;
    const long double reference = reduce_reference(p.h_x, N, op, map);
    const auto plain = [&]
    {
        CHECK(reduce(p.d_storage, &bytes, p.d_x, N, result, op, map));
        CHECK(cudaStreamSynchronize(0));
        return *result;
    };
    const auto ahead = [&]
    {
        CHECK(reduce<true>(p.d_storage, &bytes, p.d_x, N, result, op, map));
        CHECK(cudaStreamSynchronize(0));
        return *result;
    };
    const double ours = measure(p, N, name, reference, op, result, plain);
    const double prefetch = measure(p, N, name, reference, op, result, ahead);
    if (p.small_integers)
    {
        return;
    }
    printf("%-9s  %-14s  %10zu  %14.9g %10.2f %10.2f", p.type, name, N, (double)*result, ours,
           prefetch);
#if ON_GPU
    const R start = std::is_same<Op, Plus>::value ? (R)0 : (R)map(p.h_x[0]);
    const auto thrust = [&]
    {
        return reduce_thrust(p.d_x, N, start, op, map);
    };
    const double theirs = measure(p, N, name, reference, op, result, thrust);
    printf(" %10.2f %6.2f", theirs, fmin(ours, prefetch) / theirs);
#endif
    printf("  %8.1f\n", N * sizeof(T) / fmin(ours, prefetch) * 1e-3);
}

template <typename R, typename T, typename Op, typename Map = Same>
void run_sizes(const Problem<T> &p, const char *name, Op op, Map map = Map())
{
    for (size_t N = 10000; N < p.N && N <= 1000000 && !p.small_integers; N *= 10)
    {
        run<R>(p, N, name, op, map);
    }
    run<R>(p, p.N, name, op, map);
}

template <typename T>
void run_type(const char *type, const Args *args, double (*random)(uint64_t, uint64_t))
{
    Problem<T> p = {};
    p.type = type;
    p.N = args->N;
    p.repeats = args->repeats;
    p.h_x = (T *)malloc(p.N * sizeof(T));
    CHECK(cudaMalloc(&p.d_x, p.N * sizeof(T)));
    CHECK(reduce(NULL, &p.bytes, p.d_x, p.N, (double *)NULL, Plus(), Same()));
    CHECK(cudaMalloc(&p.d_storage, p.bytes));
    CHECK(cudaMemset(p.d_storage, 0, p.bytes));
    CHECK(cudaMallocHost(&p.result, sizeof(double)));
    for (const bool small_integers : {true, false})
    {
        p.small_integers = small_integers;
        small_integers ? fill_integers(p.h_x, p.N, args->seed) : (void)0;
        for (size_t n = 0; n < p.N && !small_integers; ++n)
        {
            p.h_x[n] = (T)random(args->seed, n);
        }
        CHECK(cudaMemcpy(p.d_x, p.h_x, p.N * sizeof(T), cudaMemcpyHostToDevice));
        run_sizes<T>(p, "plus", Plus());
        run_sizes<T>(p, "min", Min());
        run_sizes<T>(p, "max", Max());
        run_sizes<double>(p, "sum of squares", Plus(), Square());
    }
    check_emptied(p.d_storage, p.bytes);
    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_storage));
    CHECK(cudaFreeHost(p.result));
    free(p.h_x);
}

double random_int(uint64_t seed, uint64_t index)
{
    return random_below(seed, index, 2001) - 1000.0;
}

double random_long(uint64_t seed, uint64_t index)
{
    return (double)((long long)hash_bits(seed, index) >> 20);
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000, 50000);
    args.bytes_per_element = sizeof(double);
    parse_args(&args, argc, argv, "-n N -r R -s S",
               "reduce-functor: a reduction of any type by any operator, with a function on the "
               "way in");
    print_device();
    printf("median of %zu repeats, in %s\n", args.repeats, ON_GPU ? "us" : "CPU us");
    printf("type       operator                 N          result        ours   prefetch%s      "
           "GB/s\n",
           ON_GPU ? "     Thrust  ratio" : "");
    run_type<int>("int", &args, random_int);
    run_type<long long>("long long", &args, random_long);
    run_type<float>("float", &args, random_unit);
    run_type<double>("double", &args, random_unit);
    return verdict();
}
