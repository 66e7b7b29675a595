// static: device variables that no cudaMalloc made, and four ways for the host to reach them
//
// From:    Listing 6.1, section 6.2.1; S1 4.3.2
// Compile: nvcc -O3 static.cu
// Run:     ./a.out -n 1000003
// Checks:  10
//
// A variable declared `__device__` outside every function lies in global memory for as long as the
// program runs, and every kernel of the file sees it, without a parameter. The host knows it by
// its name only: it may copy to and from that name, wholly or from some byte on, ask for its
// address and size, or keep in it a pointer to memory that cudaMalloc did make.

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const int DEGREE = 3;

__device__ int d_x = 1; // initialized as the program is loaded
__device__ int d_y[2];  // without a value: zero

__device__ real static_coefficients[DEGREE + 1];

// Pointers, themselves in static memory, and how many elements they point to.
__device__ const real *static_points;
__device__ real *static_values;
__device__ size_t static_count;

void evaluate_reference(const double *coefficients, const real *points, double *values, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        double value = 0.0, power = 1.0;
        for (int i = 0; i <= DEGREE; ++i)
        {
            value += coefficients[i] * power;
            power *= points[n];
        }
        values[n] = value;
    }
}

// Listing 6.1's: no parameter, and yet it reads and writes.
__global__ void add_static()
{
    d_y[0] += d_x;
    d_y[1] += d_x;
    printf("d_x = %d, d_y[0] = %d, d_y[1] = %d.\n", d_x, d_y[0], d_y[1]);
}

__device__ real polynomial(const real *coefficients, real x)
{
    real value = coefficients[DEGREE];
    for (int i = DEGREE - 1; i >= 0; --i)
    {
        value = value * x + coefficients[i];
    }
    return value;
}

// The coefficients by their name: this kernel can use these and no others.
__global__ void evaluate_named(const real *points, real *values, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        values[n] = polynomial(static_coefficients, points[n]);
    }
}

// By their address: an ordinary kernel, which need not know that it was given static memory.
__global__ void evaluate_addressed(const real *coefficients, const real *points, real *values,
                                   size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        values[n] = polynomial(coefficients, points[n]);
    }
}

// No parameters at all. Each thread pays for it: it loads the pointers before what they point to.
__global__ void evaluate_pointed()
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < static_count)
    {
        static_values[n] = polynomial(static_coefficients, static_points[n]);
    }
}

void listing_6_1()
{
    int h_y[2] = {10, 20};
    CHECK(cudaMemcpyToSymbol(d_y, h_y, sizeof(h_y)));
    add_static<<<1, 1>>>();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    poison(h_y, sizeof(h_y));
    CHECK(cudaMemcpyFromSymbol(h_y, d_y, sizeof(h_y)));
    printf("h_y[0] = %d, h_y[1] = %d.\n", h_y[0], h_y[1]);
    check_true("the kernel added d_x to both elements of d_y", h_y[0] == 11 && h_y[1] == 21);
}

// The last two arguments count bytes: how many, and from which on.
void copy_with_offset(const real *h_coefficients)
{
    real h_back[DEGREE + 1], h_last;
    CHECK(cudaMemcpyToSymbol(static_coefficients, h_coefficients, DEGREE * sizeof(real)));
    poison(h_back, sizeof(h_back));
    CHECK(cudaMemcpyFromSymbol(h_back, static_coefficients, sizeof(h_back)));
    check_elements("the first coefficients", h_back, h_coefficients, DEGREE);
    check_true("the last one, not copied yet, is zero", h_back[DEGREE] == 0);

    CHECK(cudaMemcpyToSymbol(static_coefficients, &h_coefficients[DEGREE], sizeof(real),
                             DEGREE * sizeof(real)));
    CHECK(cudaMemcpyFromSymbol(h_back, static_coefficients, sizeof(h_back)));
    check_elements("all coefficients", h_back, h_coefficients, DEGREE + 1);
    poison(&h_last, sizeof(h_last));
    CHECK(cudaMemcpyFromSymbol(&h_last, static_coefficients, sizeof(real), DEGREE * sizeof(real)));
    check_elements("the last one alone", &h_last, &h_coefficients[DEGREE], 1);
}

real *address_of_coefficients()
{
    void *d_address;
    size_t bytes;
    CHECK(cudaGetSymbolAddress(&d_address, static_coefficients)); // the name, without an &
    CHECK(cudaGetSymbolSize(&bytes, static_coefficients));
    check_true("the symbol's size is the array's", bytes == (DEGREE + 1) * sizeof(real));

    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, d_address));
    check_true("its address is one of device memory", attributes.type == cudaMemoryTypeDevice);
    return (real *)d_address;
}

// A pointer is copied into its symbol like any other value: sizeof(points) bytes of it, an address.
void point_at(const real *points, real *values, size_t N)
{
    CHECK(cudaMemcpyToSymbol(static_points, &points, sizeof(points)));
    CHECK(cudaMemcpyToSymbol(static_values, &values, sizeof(values)));
    CHECK(cudaMemcpyToSymbol(static_count, &N, sizeof(N)));
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

    listing_6_1();

    double coefficients[DEGREE + 1];
    real h_coefficients[DEGREE + 1];
    fill_random(coefficients, DEGREE + 1, args.seed);
    fill_random(h_coefficients, DEGREE + 1, args.seed);
    copy_with_offset(h_coefficients);
    const real *d_address = address_of_coefficients();

    real *h_points = (real *)malloc(bytes);
    real *h_values = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    fill_random(h_points, N, args.seed + 1);
    evaluate_reference(coefficients, h_points, reference, N);

    real *d_points, *d_values;
    CHECK(cudaMalloc(&d_points, bytes));
    CHECK(cudaMalloc(&d_values, bytes));
    CHECK(cudaMemcpy(d_points, h_points, bytes, cudaMemcpyHostToDevice));
    point_at(d_points, d_values, N);

    const unsigned int block_size = args.block_x, grid_size = (N - 1) / block_size + 1;
    const char *const names[] = {"named", "addressed", "pointed"};
    for (int way = 0; way < 3; ++way)
    {
        CHECK(cudaMemset(d_values, POISON_BYTE, bytes));
        switch (way)
        {
        case 0:
            evaluate_named<<<grid_size, block_size>>>(d_points, d_values, N);
            break;
        case 1:
            evaluate_addressed<<<grid_size, block_size>>>(d_address, d_points, d_values, N);
            break;
        default:
            evaluate_pointed<<<grid_size, block_size>>>();
        }
        CHECK_LAUNCH();
        poison(h_values, bytes);
        CHECK(cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost));
        // All terms are positive, so each of the six roundings is relative to the result at most.
        check_elements(names[way], h_values, reference, N, 2 * DEGREE * REAL_EPSILON);
    }

    CHECK(cudaFree(d_points));
    CHECK(cudaFree(d_values));
    free(h_points);
    free(h_values);
    free(reference);
    return verdict();
}
