// managed-static: variables that host and device both use by their names
//
// From:    Listing 13.2, section 13.2.2
// Compile: nvcc -O3 managed-static.cu
// Run:     ./a.out -n 1000003
//
// A `__device__` variable can be used by name in kernels only: the host has to copy to it and from
// it (static of chapter 6). With `__managed__` the host uses the name too, like that of any other
// variable. It can be a number, an array, or a pointer. The host still has to wait for the kernel
// before it reads what the kernel writes. On a device without concurrentManagedAccess the host may
// touch no managed variable at all while a kernel runs, not even one that the kernel does not use.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "unified.cuh"

const int NUM_RET = 1000;
const int NUM_COEFFICIENTS = 4;

__device__ __managed__ int ret[NUM_RET]; // Listing 13.2

// A number with a first value, a number that starts at 0, and an array.
__device__ __managed__ int largest_power = 3;
__device__ __managed__ unsigned int num_evaluated;
__device__ __managed__ real coefficients[NUM_COEFFICIENTS];

// The pointers are managed, so that both sides can read them. What they point to is managed too.
__device__ __managed__ real *points;
__device__ __managed__ real *values;
__device__ __managed__ size_t num_points;

void evaluate_reference(const double *c, const real *x, double *y, int powers, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        double value = 0.0, power = 1.0;
        for (int i = 0; i <= powers; ++i)
        {
            value += c[i] * power;
            power *= x[n];
        }
        y[n] = value;
    }
}

__global__ void AplusB(int a, int b) { ret[threadIdx.x] = a + b + threadIdx.x; }

// No parameters: all data are variables that the host uses by the same names.
__global__ void evaluate_managed(void)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < num_points)
    {
        const real x = points[n];
        real value = 0;
        for (int i = largest_power; i >= 0; --i)
        {
            value = value * x + coefficients[i];
        }
        values[n] = value;
        atomicAdd(&num_evaluated, 1);
    }
}

// The address of a managed variable is the same on both sides, so the host may pass it.
__global__ void double_addressed(real *c) { c[threadIdx.x] *= 2; }

// Listing 13.2. It prints all 1000 numbers, and this function three of them.
void show_ret(void)
{
    int expected[NUM_RET];
    for (int i = 0; i < NUM_RET; ++i)
    {
        expected[i] = 10 + 100 + i;
    }
    poison(ret, sizeof(ret));

    AplusB<<<1, NUM_RET>>>(10, 100);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize()); // always, and not only for the first generation

    const int shown[] = {0, 1, NUM_RET - 1};
    for (int i = 0; i < 3; ++i)
    {
        printf("%d: A+B = %d\n", shown[i], ret[shown[i]]);
    }
    check_elements("ret", ret, expected, NUM_RET);
}

// The host has set variables by their names. The kernel reads them, and counts in another one.
// All terms are positive, so the relative error is no larger than those of the six roundings.
void check_polynomial(const char *what, const double *c, int powers, size_t N, size_t block_size)
{
    double *reference = (double *)malloc(N * sizeof(double));
    evaluate_reference(c, points, reference, powers, N);
    poison(values, N * sizeof(real));

    const unsigned int grid_size = (N - 1) / block_size + 1;
    evaluate_managed<<<grid_size, block_size>>>();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());

    check_elements(what, values, reference, N, 6 * REAL_EPSILON);
    check_true("the device counted in num_evaluated", num_evaluated == N);
    free(reference);
}

// The address of a managed variable is that of the host, and a kernel may use it.
void check_address(size_t seed)
{
    real *address, expected[NUM_COEFFICIENTS];
    cudaPointerAttributes attributes;
    CHECK(cudaGetSymbolAddress((void **)&address, coefficients));
    CHECK(cudaPointerGetAttributes(&attributes, coefficients));
    check_true("the symbol's address is that of the host", address == coefficients);
    check_true("it is managed memory", attributes.type == cudaMemoryTypeManaged);

    double_addressed<<<1, NUM_COEFFICIENTS>>>(coefficients);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());

    fill_random(expected, NUM_COEFFICIENTS, seed);
    for (int i = 0; i < NUM_COEFFICIENTS; ++i)
    {
        expected[i] *= 2;
    }
    check_elements("coefficients, doubled", coefficients, expected, NUM_COEFFICIENTS);
}

int main(int argc, char **argv)
{
    args.N = default_size(10000019, 100003);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    parse_args(argc, argv, "-n N -b B -s S",
               "managed-static: variables that host and device both use by their names");
    const size_t N = args.N, bytes = N * sizeof(real);
    if (N > UINT_MAX)
    {
        usage_error("-n is at most %u: the kernel counts in unsigned int", UINT_MAX);
    }
    if ((N - 1) / args.block_x >= INT_MAX)
    {
        usage_error("%zu elements need more than %d blocks of %zu", N, INT_MAX, args.block_x);
    }
    require_managed_memory();
    print_device();
    show_ret();

    // The host writes the variables by their names, the kernel reads them.
    check_true("the first values", largest_power == 3 && num_evaluated == 0);
    double reference_coefficients[NUM_COEFFICIENTS];
    fill_random(reference_coefficients, NUM_COEFFICIENTS, args.seed);
    fill_random(coefficients, NUM_COEFFICIENTS, args.seed);
    CHECK(cudaMallocManaged(&points, bytes)); // the address of a managed pointer, for the host
    CHECK(cudaMallocManaged(&values, bytes));
    fill_random(points, N, args.seed + 1);
    num_points = N;
    check_polynomial("values", reference_coefficients, 3, N, args.block_x);
    printf("num_evaluated = %u, values[0] = %g\n", num_evaluated, (double)values[0]);

    // The host changes two of them. Nothing is copied by hand.
    largest_power = 1;
    num_evaluated = 0;
    check_polynomial("values of a straight line", reference_coefficients, 1, N, args.block_x);

    check_address(args.seed);

    CHECK(cudaFree(points));
    CHECK(cudaFree(values));
    return verdict();
}
