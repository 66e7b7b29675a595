// reduce-functor: a reduction of any type by any operator, with a function on the way in
//
// From:    S2, file functionReduce.h and its Examples 6.1 to 6.10, file testPre.cu and its Examples
//          6.11 to 6.16, Table 6.1
// Compile: nvcc -O3 reduce-functor.cu
// Run:     ./a.out -n 100000000
//
// reduce(storage, &bytes, x, N, result, op, map) computes map(x[0]) op map(x[1]) op ... for any
// operator whose operands may come in any order. Like CUB it works in two calls: a call without
// storage only says how many bytes of it are needed. The program sets these bytes to zero once, and
// each call leaves them zero.
//
// In S2 each thread starts from an initial value, so this value is counted once for each thread.
// Here each thread starts from an element of its own. So the operator needs no neutral element.
//
// The times last until the result is on the host. Thrust returns its result to the host. Our kernel
// writes it into pinned memory of the host.

#include <limits>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/launch.cuh"
#include "../common/sum.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "fold.cuh"
#if ON_GPU
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>
#endif

// The sum of squares of floats is a double.
struct Square
{
    template <typename T>
    __host__ __device__ double operator()(T x) const
    {
        return (double)x * (double)x;
    }
};

// The reference, in long double. It adds groups of 4096 elements and then the groups' results, so
// that little is rounded.
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

// Thread t of the grid starts from element t. Then the grid goes through the other elements. The
// launch makes so few blocks that each of them has an element to start from. In the last block some
// threads may have none.
template <int COUNT, bool PREFETCH, typename R, typename T, typename Op, typename Map>
__global__ void __launch_bounds__(1024)
    reduce_functor(const T *x, size_t N, Slot<R> *slots, R *result, Op op, Map map)
{
    let_next_launch_begin();
    wait_for_previous_launch();
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

unsigned int most_blocks(void) { return 4 * number_of_multiprocessors(); }

template <bool PREFETCH = false, typename R, typename T, typename Op, typename Map>
cudaError_t reduce(void *storage, size_t *bytes, const T *x, size_t N, R *result, Op op, Map map)
{
    static const unsigned int most = most_blocks();
    const size_t needed = most * sizeof(Slot<R>);
    if (storage == NULL)
    {
        *bytes = needed;
        return cudaSuccess;
    }
    if (N == 0 || *bytes < needed || (uintptr_t)x % 16 != 0)
    {
        return cudaErrorInvalidValue;
    }
    // Small arrays take less time with more threads that each load less.
    const bool is_small = N * sizeof(T) < (16 << 20);
    const unsigned int block_size = is_small ? 512 : 1024;
    const size_t in_block = block_size * (1 + (is_small ? 2 : 4) * 16 / sizeof(T));
    const size_t enough = (N + in_block - 1) / in_block;
    const unsigned int grid_size = enough < most ? enough : most;
    launch_early(is_small ? reduce_functor<2, PREFETCH, R, T, Op, Map>
                          : reduce_functor<4, PREFETCH, R, T, Op, Map>,
                 grid_size, block_size, 0, x, N, (Slot<R> *)storage, result, op, map);
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

// An array and the memory that its reductions use.
template <typename T>
struct Data
{
    const char *type;
    T *h_x, *d_x;
    void *d_storage;
    size_t storage_bytes;
    void *result;        // pinned memory of the host, where a kernel can write, too
    bool small_integers; // their sum is the same in any order; they are checked and not timed
};

// Only a sum of floating-point numbers may be rounded. All elements are positive there. Each
// addition that an element passes through rounds by at most epsilon of the sum.
template <typename R, typename Op>
void check(const char *what, R result, long double reference, size_t bytes, bool is_exact, Op)
{
    if (is_exact || !std::is_floating_point<R>::value || !std::is_same<Op, Plus>::value)
    {
        const R expected = reference;
        check_elements(what, &result, &expected, 1);
    }
    else
    {
        const double additions = bytes / (16.0 * 512 * most_blocks()) + 80;
        check_sum(what, result, reference, fabs((double)reference), additions,
                  std::numeric_limits<R>::epsilon());
    }
}

enum Way
{
    OURS,
    OURS_WITH_PREFETCHES,
    THRUST
};

// One reduction of the first N elements, until the result is on the host.
template <typename R, typename T, typename Op, typename Map>
void run(Way way, const Data<T> *data, size_t N, Op op, Map map)
{
    R *const result = (R *)data->result;
    size_t bytes = data->storage_bytes;
    if (way == OURS)
    {
        CHECK(reduce(data->d_storage, &bytes, data->d_x, N, result, op, map));
        CHECK(cudaStreamSynchronize(0));
    }
    else if (way == OURS_WITH_PREFETCHES)
    {
        CHECK(reduce<true>(data->d_storage, &bytes, data->d_x, N, result, op, map));
        CHECK(cudaStreamSynchronize(0));
    }
#if ON_GPU
    else
    {
        const R start = std::is_same<Op, Plus>::value ? (R)0 : (R)map(data->h_x[0]);
        *result = reduce_thrust(data->d_x, N, start, op, map);
    }
#endif
}

// Runs and checks one way. Returns the time in us, or NAN where there is no GPU.
template <typename R, typename T, typename Op, typename Map>
double measure(Way way, const Data<T> *data, size_t N, const char *name, long double reference,
               Op op, Map map)
{
    double us = NAN;
    poison(data->result, sizeof(R));
    run<R>(way, data, N, op, map);
    if (ON_GPU && !data->small_integers)
    {
        Timer timer = new_host_timer(args.repeats);
        while (next_run(&timer))
        {
            run<R>(way, data, N, op, map);
        }
        us = 1e3 * timer.median;
    }
    check(name, *(R *)data->result, reference, N * sizeof(T), data->small_integers, op);
    return us;
}

// The first N elements, reduced by one operator and one function: by our kernel, by our kernel with
// prefetches, by Thrust.
template <typename R, typename T, typename Op, typename Map>
void run_size(const Data<T> *data, size_t N, const char *name, Op op, Map map)
{
    const long double reference = reduce_reference(data->h_x, N, op, map);
    const double ours = measure<R>(OURS, data, N, name, reference, op, map);
    const double prefetch = measure<R>(OURS_WITH_PREFETCHES, data, N, name, reference, op, map);
    if (data->small_integers)
    {
        return;
    }
    const double best = fmin(ours, prefetch), result = (double)*(R *)data->result;
    const double thrust = ON_GPU ? measure<R>(THRUST, data, N, name, reference, op, map) : NAN;
    put_text(data->type);
    put_text(name);
    put(N);
    put(result);
    put(ours);
    put(prefetch);
    put(thrust);
    put(times_as_fast(best, thrust));
    put(rate_of(N * sizeof(T), 1e-3 * best));
    end_row();
}

template <typename R, typename T, typename Op, typename Map>
void run_sizes(const Data<T> *data, const char *name, Op op, Map map)
{
    if (!data->small_integers)
    {
        for (size_t N = 10000; N < args.N && N <= 1000000; N *= 10)
        {
            run_size<R>(data, N, name, op, map);
        }
    }
    run_size<R>(data, args.N, name, op, map);
}

template <typename T>
void run_operators(const Data<T> *data)
{
    CHECK(cudaMemcpy(data->d_x, data->h_x, args.N * sizeof(T), cudaMemcpyHostToDevice));
    run_sizes<T>(data, "plus", Plus(), Same());
    run_sizes<T>(data, "min", Min(), Same());
    run_sizes<T>(data, "max", Max(), Same());
    run_sizes<double>(data, "sum of squares", Plus(), Square());
}

template <typename T>
void run_type(const char *type, double (*random)(uint64_t, uint64_t))
{
    const size_t N = args.N;
    Data<T> data = {};
    data.type = type;
    data.h_x = (T *)malloc(N * sizeof(T));
    CHECK(cudaMalloc(&data.d_x, N * sizeof(T)));
    CHECK(reduce(NULL, &data.storage_bytes, data.d_x, N, (double *)NULL, Plus(), Same()));
    CHECK(cudaMalloc(&data.d_storage, data.storage_bytes));
    CHECK(cudaMemset(data.d_storage, 0, data.storage_bytes));
    CHECK(cudaMallocHost(&data.result, sizeof(double)));

    fill_integers(data.h_x, N, args.seed);
    data.small_integers = true;
    run_operators(&data);

    for (size_t n = 0; n < N; ++n)
    {
        data.h_x[n] = (T)random(args.seed, n);
    }
    data.small_integers = false;
    run_operators(&data);

    check_emptied(data.d_storage, data.storage_bytes);
    CHECK(cudaFree(data.d_x));
    CHECK(cudaFree(data.d_storage));
    CHECK(cudaFreeHost(data.result));
    free(data.h_x);
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
    args.N = default_size(100000000, 50000);
    args.bytes_per_element = sizeof(double);
    args.columns = "  result    of the reduction\n"
                   "  ours      the time of our kernel\n"
                   "  prefetch  the time of our kernel with prefetches\n"
                   "  Thrust    the time of Thrust, on a GPU\n"
                   "  ratio     our shorter time over that of Thrust\n"
                   "  GB/s      bytes of the array over our shorter time\n";
    parse_args(argc, argv, "-n N -r R -s S --csv",
               "reduce-functor: a reduction of any type by any operator, with a function on the "
               "way in");
    print_device();
    print_timed_note("median of %zu repeats, in us\n", args.repeats);
    const Column COLUMNS[] = {{"type", "%-10s"},    {"operator", "%-15s"}, {"N", "%10.0f"},
                              {"result", "%15.9g"}, {"ours", "%10.2f"},    {"prefetch", "%10.2f"},
                              {"Thrust", "%10.2f"}, {"ratio", "%6.2f"},    {"GB/s", "%9.1f"}};
    begin_timed_table(COLUMNS, 9);
    run_type<int>("int", random_int);
    run_type<long long>("long long", random_long);
    run_type<float>("float", random_unit);
    run_type<double>("double", random_unit);
    return verdict();
}
