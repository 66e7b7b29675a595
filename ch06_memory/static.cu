// static: device variables that no cudaMalloc made, and four ways for the host to reach them
//
// From:    Listing 6.1, section 6.2.1, file static.cu; S1 4.3.2
// Chinese: 静态全局内存变量，以及主机访问它们的四种方法
// Compile: nvcc -O3 static.cu
// Run:     ./a.out -n 1000003
// Options: -n N -b B -s S
// Checks:  10
//
// A variable declared `__device__` outside all functions lies in global memory for as long as the
// program runs. Every kernel of the file can use it without a parameter. The host cannot use it
// directly: the host knows only its name (its symbol). By this name the host can copy to the
// variable and from it, wholly or in part, and ask for its address and its size. A static variable
// can also be a pointer to memory that cudaMalloc made.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

__device__ int d_x = 1; // gets its value when the program is loaded
__device__ int d_y[2];  // zeros

const int NUM_COEFFICIENTS = 4;
__device__ real static_coefficients[NUM_COEFFICIENTS];

// Pointers that lie in static memory themselves, and the number of elements they point to.
__device__ const real *static_points;
__device__ real *static_values;
__device__ size_t static_count;

void evaluate_reference(const double *coefficients, const real *points, double *values, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        double value = 0.0, power = 1.0;
        for (int i = 0; i < NUM_COEFFICIENTS; ++i)
        {
            value += coefficients[i] * power;
            power *= points[n];
        }
        values[n] = value;
    }
}

// Listing 6.1. The kernel has no parameter, and still reads d_x and writes d_y.
__global__ void add_static(void)
{
    d_y[0] += d_x;
    d_y[1] += d_x;
    printf("d_x = %d, d_y[0] = %d, d_y[1] = %d.\n", d_x, d_y[0], d_y[1]);
}

// A polynomial whose coefficients are known by their name. The kernel can use no others.
__global__ void evaluate_named(const real *points, real *values, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const real x = points[n];
        const real *c = static_coefficients;
        values[n] = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    }
}

// The coefficients come as an address. For the kernel this is memory like any other.
__global__ void evaluate_addressed(const real *coefficients, const real *points, real *values,
                                   size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const real x = points[n];
        const real *c = coefficients;
        values[n] = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    }
}

// No parameters at all. Each thread first has to load the pointers from global memory.
__global__ void evaluate_pointed(void)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < static_count)
    {
        const real x = static_points[n];
        const real *c = static_coefficients;
        static_values[n] = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    }
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(10000019, 1000003);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    parse_args(&args, argc, argv, "-n N -b B -s S",
               "static: device variables that no cudaMalloc made, and four ways for the host to "
               "reach them");
    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);
    if ((N - 1) / args.block_x >= INT_MAX)
    {
        usage_error(&args, "%zu elements need more than %d blocks of %zu", N, INT_MAX,
                    args.block_x);
    }
    print_device();

    // ---- Listing 6.1: copies to a symbol and from it ----

    int h_y[2] = {10, 20};
    CHECK(cudaMemcpyToSymbol(d_y, h_y, sizeof(int) * 2));

    add_static<<<1, 1>>>();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());

    poison(h_y, sizeof(h_y));
    CHECK(cudaMemcpyFromSymbol(h_y, d_y, sizeof(int) * 2));
    printf("h_y[0] = %d, h_y[1] = %d.\n", h_y[0], h_y[1]);
    check_true("the kernel added d_x to both elements of d_y", h_y[0] == 11 && h_y[1] == 21);

    // ---- Copies of a part: how many bytes, and after them from which byte on ----

    const size_t size = NUM_COEFFICIENTS * sizeof(real);
    const int last = NUM_COEFFICIENTS - 1;
    double coefficients[NUM_COEFFICIENTS];
    real h_coefficients[NUM_COEFFICIENTS], h_back[NUM_COEFFICIENTS], h_last;
    fill_random(coefficients, NUM_COEFFICIENTS, args.seed);
    fill_random(h_coefficients, NUM_COEFFICIENTS, args.seed);

    CHECK(cudaMemcpyToSymbol(static_coefficients, h_coefficients, last * sizeof(real)));
    poison(h_back, size);
    CHECK(cudaMemcpyFromSymbol(h_back, static_coefficients, size));
    check_elements("the first coefficients", h_back, h_coefficients, last);
    check_true("the last one, not copied yet, is zero", h_back[last] == 0);

    CHECK(cudaMemcpyToSymbol(static_coefficients, &h_coefficients[last], sizeof(real),
                             last * sizeof(real)));
    CHECK(cudaMemcpyFromSymbol(h_back, static_coefficients, size));
    check_elements("all coefficients", h_back, h_coefficients, NUM_COEFFICIENTS);
    poison(&h_last, sizeof(h_last));
    CHECK(cudaMemcpyFromSymbol(&h_last, static_coefficients, sizeof(real), last * sizeof(real)));
    check_elements("the last one alone", &h_last, &h_coefficients[last], 1);

    // ---- The address and the size of a symbol: its name, without an & ----

    real *d_coefficients;
    size_t symbol_size;
    CHECK(cudaGetSymbolAddress((void **)&d_coefficients, static_coefficients));
    CHECK(cudaGetSymbolSize(&symbol_size, static_coefficients));
    check_true("the symbol's size is the array's", symbol_size == size);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, d_coefficients));
    check_true("its address is one of device memory", attributes.type == cudaMemoryTypeDevice);

    // ---- A pointer in a symbol: it is copied like any other value ----

    real *d_points, *d_values;
    CHECK(cudaMalloc(&d_points, bytes));
    CHECK(cudaMalloc(&d_values, bytes));
    size_t poisoned; // a copy that leaves out a byte must not be right by chance
    poison(&poisoned, sizeof(poisoned));
    CHECK(cudaMemcpyToSymbol(static_points, &poisoned, sizeof(poisoned)));
    CHECK(cudaMemcpyToSymbol(static_values, &poisoned, sizeof(poisoned)));
    CHECK(cudaMemcpyToSymbol(static_count, &poisoned, sizeof(poisoned)));
    CHECK(cudaMemcpyToSymbol(static_points, &d_points, sizeof(d_points)));
    CHECK(cudaMemcpyToSymbol(static_values, &d_values, sizeof(d_values)));
    CHECK(cudaMemcpyToSymbol(static_count, &N, sizeof(N)));

    // ---- The same polynomial by name, by address, and through the pointers ----

    real *h_points = (real *)malloc(bytes);
    real *h_values = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    fill_random(h_points, N, args.seed + 1);
    evaluate_reference(coefficients, h_points, reference, N);
    CHECK(cudaMemcpy(d_points, h_points, bytes, cudaMemcpyHostToDevice));

    // All terms are positive, so the relative error of the result is no larger than those of the
    // six roundings together.
    const double tolerance = 2 * last * REAL_EPSILON;
    const auto poison_values = [&]
    {
        CHECK(cudaMemset(d_values, POISON_BYTE, bytes));
        poison(h_values, bytes);
    };
    const auto check_values = [&](const char *what)
    {
        CHECK_LAUNCH();
        CHECK(cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost));
        check_elements(what, h_values, reference, N, tolerance);
    };
    const unsigned int block_size = args.block_x;
    const unsigned int grid_size = (N - 1) / block_size + 1;

    poison_values();
    evaluate_named<<<grid_size, block_size>>>(d_points, d_values, N);
    check_values("named");

    poison_values();
    evaluate_addressed<<<grid_size, block_size>>>(d_coefficients, d_points, d_values, N);
    check_values("addressed");

    poison_values();
    evaluate_pointed<<<grid_size, block_size>>>();
    check_values("pointed");

    CHECK(cudaFree(d_points));
    CHECK(cudaFree(d_values));
    free(h_points);
    free(h_values);
    free(reference);
    return verdict();
}
