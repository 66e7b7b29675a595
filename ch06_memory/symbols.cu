// symbols: what the host can do with the name of a device variable: copy parts, ask for its address
//
// From:    section 6.2.1; S1 4.3.2
// Order:   after static
// Compile: nvcc -O3 symbols.cu
// Run:     ./a.out -n 1000003
//
// The host copies to a symbol and from it, wholly or from some byte on. It asks for the address and
// the size of the variable. A static variable can also be a pointer to memory that cudaMalloc made.
// Three kernels then compute the same polynomial: the first knows its coefficients by name, the
// second gets their address, and the third finds all it needs in static variables.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const int NUM_COEFFICIENTS = 4;
__device__ real static_coefficients[NUM_COEFFICIENTS];

// Pointers that lie in static memory themselves, and the number of elements they point to.
__device__ const real *static_points;
__device__ real *static_values;
__device__ size_t static_count;

// Variables of the host. No kernel can use them.
static size_t N;
static unsigned int grid_size, block_size;
static real *h_points, *d_points; // where the polynomial is evaluated
static real *h_values, *d_values; // its values there
static double *reference;         // what the values should be

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

void print_coefficients(const char *when, const real *c)
{
    printf("%-26s %-8.4g %-8.4g %-8.4g %.4g\n", when, c[0], c[1], c[2], c[3]);
}

// Copies to the coefficients and from them: how many bytes, and after them from which byte on.
void copy_parts(const real *h_coefficients)
{
    const size_t size = NUM_COEFFICIENTS * sizeof(real);
    const int last = NUM_COEFFICIENTS - 1;
    real h_back[NUM_COEFFICIENTS], h_last;
    CHECK(cudaMemcpyToSymbol(static_coefficients, h_coefficients, last * sizeof(real)));
    poison(h_back, size);
    CHECK(cudaMemcpyFromSymbol(h_back, static_coefficients, size));
    print_coefficients("after a copy of three:", h_back);
    check_elements("the first coefficients", h_back, h_coefficients, last);
    check_true("the last one, not copied yet, is zero", h_back[last] == 0);

    CHECK(cudaMemcpyToSymbol(static_coefficients, &h_coefficients[last], sizeof(real),
                             last * sizeof(real)));
    CHECK(cudaMemcpyFromSymbol(h_back, static_coefficients, size));
    print_coefficients("after a copy of the last:", h_back);
    check_elements("all coefficients", h_back, h_coefficients, NUM_COEFFICIENTS);
    poison(&h_last, sizeof(h_last));
    CHECK(cudaMemcpyFromSymbol(&h_last, static_coefficients, sizeof(real), last * sizeof(real)));
    check_elements("the last one alone", &h_last, &h_coefficients[last], 1);
}

// The address and the size of a symbol: both functions take its name, without an &.
real *find_coefficients(void)
{
    real *d_coefficients;
    size_t symbol_size;
    CHECK(cudaGetSymbolAddress((void **)&d_coefficients, static_coefficients));
    CHECK(cudaGetSymbolSize(&symbol_size, static_coefficients));
    printf("static_coefficients: %zu bytes at %p\n", symbol_size, (void *)d_coefficients);
    check_true("the symbol's size is the array's", symbol_size == NUM_COEFFICIENTS * sizeof(real));
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, d_coefficients));
    check_true("its address is one of device memory", attributes.type == cudaMemoryTypeDevice);
    return d_coefficients;
}

// A pointer in a symbol is copied like any other value.
void set_pointers(void)
{
    size_t poisoned; // a copy that leaves out a byte must not be right by chance
    poison(&poisoned, sizeof(poisoned));
    CHECK(cudaMemcpyToSymbol(static_points, &poisoned, sizeof(poisoned)));
    CHECK(cudaMemcpyToSymbol(static_values, &poisoned, sizeof(poisoned)));
    CHECK(cudaMemcpyToSymbol(static_count, &poisoned, sizeof(poisoned)));
    CHECK(cudaMemcpyToSymbol(static_points, &d_points, sizeof(d_points)));
    CHECK(cudaMemcpyToSymbol(static_values, &d_values, sizeof(d_values)));
    CHECK(cudaMemcpyToSymbol(static_count, &N, sizeof(N)));
}

void poison_values(void)
{
    CHECK(cudaMemset(d_values, POISON_BYTE, N * sizeof(real)));
    poison(h_values, N * sizeof(real));
}

// All terms are positive, so the relative error of the result is no larger than those of the six
// roundings together.
void check_values(const char *what)
{
    const double tolerance = 2 * (NUM_COEFFICIENTS - 1) * REAL_EPSILON;
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_values, d_values, N * sizeof(real), cudaMemcpyDeviceToHost));
    check_elements(what, h_values, reference, N, tolerance);
}

int main(int argc, char **argv)
{
    args.N = default_size(10000019, 1000003);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    parse_args(argc, argv, "-n N -b B -s S",
               "symbols: what the host can do with the name of a device variable: copy parts, ask "
               "for its address");
    N = args.N;
    block_size = args.block_x;
    if ((N - 1) / block_size >= INT_MAX)
    {
        usage_error("%zu elements need more than %d blocks of %u", N, INT_MAX, block_size);
    }
    grid_size = (N - 1) / block_size + 1;
    print_device();

    double coefficients[NUM_COEFFICIENTS];
    real h_coefficients[NUM_COEFFICIENTS];
    fill_random(coefficients, NUM_COEFFICIENTS, args.seed);
    fill_random(h_coefficients, NUM_COEFFICIENTS, args.seed);
    const size_t bytes = N * sizeof(real);
    h_points = (real *)malloc(bytes);
    h_values = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    fill_random(h_points, N, args.seed + 1);
    evaluate_reference(coefficients, h_points, reference, N);
    CHECK(cudaMalloc(&d_points, bytes));
    CHECK(cudaMalloc(&d_values, bytes));
    CHECK(cudaMemcpy(d_points, h_points, bytes, cudaMemcpyHostToDevice));

    copy_parts(h_coefficients);
    const real *d_coefficients = find_coefficients();
    set_pointers();

    // The same polynomial by name, by address, and through the pointers.
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
