// gpu-vector: a class that owns device memory and frees it exactly once
//
// From:    section 7.3, which the book only announces
// Compile: nvcc -O3 gpu-vector.cu
// Run:     ./a.out -n 1e8
//
// The class is in gpu_vector.cuh. Its constructor allocates and its destructor frees. `y = x` does
// not compile, because then two vectors would own the same memory. A kernel gets a span: a pointer
// and a size. Three kernels show what spans cost. Then each promise of the class is tried.
//
// What goes wrong at run time ends the program with status 3. --fail NAME shows one such failure.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <utility>
#include <vector>
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh" // brings args, compare, error, real and timing
#include "gpu_vector.cuh"

const real FACTOR = 2.5; // of x

static size_t N;
static unsigned int grid_size, block_size;
static Span<const real> x_view, y_view; // of the vectors of main, which own the memory
static Span<real> z_span;
static real *h_z;
static double *reference; // what z should be

void saxpy_reference(double a, const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = a * x[n] + y[n];
    }
}

__global__ void saxpy_pointer(real a, const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = a * x[n] + y[n];
    }
}

void run_pointer(void)
{
    saxpy_pointer<<<grid_size, block_size>>>(FACTOR, x_view.data, y_view.data, z_span.data, N);
}

// The size comes with the data, so it cannot be the size of another array.
__global__ void saxpy_span(real a, Span<const real> x, Span<const real> y, Span<real> z)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < z.size)
    {
        z[n] = a * x[n] + y[n];
    }
}

void run_span(void) { saxpy_span<<<grid_size, block_size>>>(FACTOR, x_view, y_view, z_span); }

// at() also checks that x and y are as long as z.
__global__ void saxpy_at(real a, Span<const real> x, Span<const real> y, Span<real> z)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < z.size)
    {
        z.at(n) = a * x.at(n) + y.at(n);
    }
}

void run_at(void) { saxpy_at<<<grid_size, block_size>>>(FACTOR, x_view, y_view, z_span); }

// ---- What the class promises, tried one by one ----

__global__ void negate(Span<real> x)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < x.size)
    {
        x[n] = -x[n];
    }
}

void promise(const char *what, bool is_kept)
{
    check_true(what, is_kept);
    print_note("%-7s %s\n", is_kept ? "kept" : "BROKEN", what);
}

bool holds(const GPUVector<real> &x, const std::vector<real> &expected)
{
    std::vector<real> h_x(expected.size());
    poison(h_x.data(), h_x.size() * sizeof(real));
    x.copy_to_host(h_x.data(), h_x.size());
    return h_x == expected; // false for NaN too
}

const size_t LEAK_BYTES = 16 << 20; // of a vector that comes and goes

// A leak of one vector in each turn would lose 128 or 256 MiB in every attempt. Other programs may
// take memory in the meantime, but not so much in all ten attempts. So one attempt without a loss
// shows that there is no leak.
bool leaks_nothing(void)
{
    const size_t size = LEAK_BYTES;
    const std::vector<char> zeros(size);
    for (int attempt = 0; attempt < 10; ++attempt)
    {
        size_t before, after, total;
        CHECK(cudaMemGetInfo(&before, &total));
        for (int turn = 0; turn < 16; ++turn)
        {
            GPUVector<char> x(zeros.data(), size), y(std::move(x));
            x = y.clone();
            x.resize(size / 2);
        }
        CHECK(cudaMemGetInfo(&after, &total));
        if (after + 4 * size > before)
        {
            return true;
        }
    }
    return false;
}

void try_promises(size_t N, uint64_t seed)
{
    typedef GPUVector<real> Vector;
    static_assert(!std::is_copy_constructible<Vector>::value, "two would own one piece of memory");
    static_assert(!std::is_copy_assignable<Vector>::value, "as above, and what it had would leak");
    static_assert(std::is_nothrow_move_constructible<Vector>::value, "std::vector then moves it");
    static_assert(!std::is_convertible<size_t, Vector>::value, "a number is no vector");
    std::vector<real> numbers(N), others(N + 1), negated(N);
    fill_random(numbers.data(), N, seed);
    fill_random(others.data(), N + 1, seed + 1);
    for (size_t n = 0; n < N; ++n)
    {
        negated[n] = -numbers[n];
    }

    Vector x(numbers.data(), N);
    promise("round trip: the elements come back from the device", holds(x, numbers));

    Vector empty(0), of_empty = empty.clone();
    empty.copy_from_host(NULL, 0);
    promise("zero size: nothing is owned, and copies of nothing work",
            empty.data() == NULL && of_empty.size() == 0 && holds(empty, {}));

    const real *const place = x.data();
    Vector y(std::move(x));
    promise("move: the memory goes over, and what is left is empty",
            y.data() == place && holds(y, numbers) && x.data() == NULL && x.size() == 0);

    x = Vector(others.data(), N + 1);
    x = std::move(y);
    promise("move assignment: the same, and what was there is freed",
            x.data() == place && x.size() == N && holds(x, numbers) && y.size() == 0);

    Vector &same = x;
    x = std::move(same);
    promise("self-move: nothing happens", x.data() == place && holds(x, numbers));

    y = Vector(others.data(), N + 1);
    std::swap(x, y);
    y.swap(y);
    promise("swap: they change places, sizes included",
            y.data() == place && y.size() == N && holds(y, numbers) && holds(x, others));

    Vector twin = y.clone();
    negate<<<(N + 31) / 32, 32>>>(twin.span());
    CHECK_LAUNCH();
    promise("clone: what happens to it does not happen to the original",
            holds(twin, negated) && holds(y, numbers));

    y.resize(3 * N + 5);
    const bool has_grown = y.size() == 3 * N + 5 && holds(y, numbers);
    y.resize(N);
    promise("resize: up and down again, the elements are kept",
            has_grown && y.size() == N && holds(y, numbers));

    std::vector<Vector> many;
    for (int i = 0; i < 100; ++i)
    {
        many.push_back(y.clone()); // now and then all of them move to a larger place
    }
    bool are_whole = true;
    for (const Vector &one : many)
    {
        are_whole = are_whole && holds(one, numbers);
    }
    promise("std::vector of 100: they survive its growth", are_whole);

    many.clear();
    promise("no leak: 48 vectors of 8 or 16 megabytes came and went", leaks_nothing());
}

// One failure. The program ends in here with status 3.
void show_failure(const char *name)
{
    typedef GPUVector<real> Vector;
    if (strcmp(name, "overflow") == 0)
    {
        Vector too_many(Vector::MAX_SIZE + 1); // its bytes are 2^64: in a size_t, 0
    }
    else if (strcmp(name, "memory") == 0)
    {
        Vector too_large(Vector::MAX_SIZE);
    }
    else if (strcmp(name, "count") == 0)
    {
        const real numbers[] = {1, 2, 3};
        Vector two(2);
        two.copy_from_host(numbers, 3);
    }
    else if (strcmp(name, "index") == 0)
    {
        Vector x(1), z(2);
        saxpy_at<<<1, 2>>>(1, x.view(), x.view(), z.span());
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    }
}

// ---- The table

void check_saxpy(void) { check_elements(g_row, h_z, reference, N, 2 * REAL_EPSILON); }

const Version VERSIONS[] = {
    {"pointer", "saxpy through bare pointers", run_pointer, check_saxpy},
    {"span", "through spans: a pointer and a size, passed by value", run_span, check_saxpy},
    {"at", "through spans whose every access is checked", run_at, check_saxpy},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    const char *failure = "none";
    args.N = default_size(100000000, 1 << 18);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    add_choice("fail", &failure, "none overflow memory count index",
               "show one failure: overflow, memory, count or index");
    parse_args(argc, argv, "-n N -b B -r R -s S -k NAME --csv",
               "gpu-vector: a class that owns device memory and frees it exactly once");
    if (strcmp(failure, "none") != 0)
    {
        show_failure(failure);
        return 1; // what should have failed has not
    }
    const double bytes = (double)args.N * sizeof(real);
    require_memory(3 * bytes + (double)args.N * sizeof(double) + LEAK_BYTES,
                   3 * bytes + 3.0 * LEAK_BYTES);

    N = args.N;
    block_size = args.block_x;
    grid_size = (N + block_size - 1) / block_size;
    real *h_x = (real *)malloc(N * sizeof(real));
    real *h_y = (real *)malloc(N * sizeof(real));
    h_z = (real *)malloc(N * sizeof(real));
    reference = (double *)malloc(N * sizeof(double));
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    saxpy_reference(FACTOR, h_x, h_y, reference, N);

    // The vectors allocate here, and free at the end of main. x and y are copied to the device.
    GPUVector<real> x(h_x, N), y(h_y, N), z(N);
    x_view = x.view();
    y_view = y.view();
    z_span = z.span();

    Table table = {};
    table.outputs[0] = {h_z, z.data(), N * sizeof(real)};
    table.bytes = 3.0 * N * sizeof(real);
    table.ceiling = copy_ceiling(3 * N * sizeof(real));
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    if (!only_counts()) // what has been counted is known by now
    {
        try_promises(N < 1000 ? N : 1000, args.seed);
    }
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
