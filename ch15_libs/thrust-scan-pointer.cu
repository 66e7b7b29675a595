// thrust-scan-pointer: scans of memory from cudaMalloc; an execution policy says where it is
//
// From:    Listings 16.2, 16.4; section 16.1.4; section 16.2.5, which repeats it; file
//          thrust-scan-pointer.cu
// Compile: nvcc -O3 thrust-scan-pointer.cu
// Run:     ./a.out -n 100000000
// Uses:    Thrust
//
// The book's ten numbers come first. d_x and d_y come from cudaMalloc, so kernels of your own can
// use the same arrays. Thrust needs no copy of them.
//
// The data are small integers first, whose sums are exact, then random numbers. The factors of the
// products are powers of 2, and each product lies from 1/8 to 8. So no product is rounded.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform_scan.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

enum Kind
{
    INCLUSIVE, // y[n] is the result of x[0] to x[n] ...
    EXCLUSIVE  // ... or of those before x[n]
};

static size_t N;                    // of numbers
static bool is_exact;               // no sum of these numbers is rounded
static real *h_x, *d_x;             // the numbers
static real *h_factors, *d_factors; // of the products
static real *h_y, *d_y;             // a result
static double *reference;           // what h_y should be
static cudaStream_t stream;

// The reference, in double.
void scan_reference(const real *x, double *y, size_t N, double (*op)(double, double), double first,
                    Kind kind)
{
    double running = first;
    for (size_t n = 0; n < N; ++n)
    {
        const double before = running;
        running = op(running, (double)x[n]);
        y[n] = kind == EXCLUSIVE ? before : running;
    }
}

// 2 to the power of a random number from -3 to 3.
double power_of_two(uint64_t seed, size_t n)
{
    return ldexp(1.0, (int)random_below(seed, n, 7) - 3);
}

// Factor n is power_of_two(n) divided by power_of_two(n - 1). So the product of the factors 0 to n
// is power_of_two(n).
void fill_factors(real *factors, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        const double before = n > 0 ? power_of_two(seed, n - 1) : 1.0;
        factors[n] = (real)(power_of_two(seed, n) / before);
    }
}

// A function that Thrust calls on the device is an object with operator().
struct Square
{
    __host__ __device__ real operator()(real x) const { return x * x; }
};

// ---- The book's example

// Listing 16.2: the numbers 1 to 10.
void scan_ten_numbers(void)
{
    const int N = 10;
    int *x, *y;
    CHECK(cudaMalloc((void **)&x, sizeof(int) * N));
    CHECK(cudaMalloc((void **)&y, sizeof(int) * N));
    int *h_x = (int *)malloc(sizeof(int) * N);
    for (int i = 0; i < N; ++i)
    {
        h_x[i] = i + 1;
    }
    CHECK(cudaMemcpy(x, h_x, sizeof(int) * N, cudaMemcpyHostToDevice));

    thrust::inclusive_scan(thrust::device, x, x + N, y);

    int *h_y = (int *)malloc(sizeof(int) * N);
    poison(h_y, sizeof(int) * N);
    CHECK(cudaMemcpy(h_y, y, sizeof(int) * N, cudaMemcpyDeviceToHost));
    print_note("inclusive ");
    for (int i = 0; i < N; ++i)
    {
        printf(" %d", h_y[i]);
    }
    printf("\n");
    const int sums[] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
    check_elements("the inclusive scan of 1 ... 10", h_y, sums, N);

    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    free(h_x);
    free(h_y);
}

// ---- A table for any N

void run_cpu(void)
{
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += h_x[n];
        h_y[n] = sum;
    }
}

void run_policy(void) { thrust::inclusive_scan(thrust::device, d_x, d_x + N, d_y); }

// No policy is needed: these pointers say by their type that the memory is the device's.
void run_device_ptr(void)
{
    const thrust::device_ptr<const real> x(d_x);
    const thrust::device_ptr<real> y(d_y);
    thrust::inclusive_scan(x, x + N, y);
}

void run_stream(void) { thrust::inclusive_scan(thrust::cuda::par.on(stream), d_x, d_x + N, d_y); }

// The event that ends the timing is in the default stream, which waits for this stream.
void run_nosync(void)
{
    thrust::inclusive_scan(thrust::cuda::par_nosync.on(stream), d_x, d_x + N, d_y);
}

// The input is copied each time, and the copy is timed with the scan.
void run_in_place(void)
{
    CHECK(cudaMemcpyAsync(d_y, d_x, N * sizeof(real), cudaMemcpyDeviceToDevice));
    thrust::inclusive_scan(thrust::device, d_y, d_y + N, d_y);
}

void run_exclusive(void) { thrust::exclusive_scan(thrust::device, d_x, d_x + N, d_y); }

void run_product(void)
{
    thrust::inclusive_scan(thrust::device, d_factors, d_factors + N, d_y,
                           thrust::multiplies<real>());
}

void run_squares(void)
{
    thrust::transform_inclusive_scan(thrust::device, d_x, d_x + N, d_y, Square(),
                                     thrust::plus<real>());
}

double plus(double a, double b) { return a + b; }
double plus_square(double a, double b) { return a + b * b; }
double times(double a, double b) { return a * b; }

void check_cpu(void)
{
    scan_reference(h_x, reference, N, plus, 0.0, INCLUSIVE);
    check_elements(g_row, h_y, reference, N, is_exact ? 0.0 : N * REAL_EPSILON);
}

// A sum on the device goes through fewer additions than N. Thrust does not say how many.
double rounding(void) { return (ON_GPU ? 256.0 + N / 256 : 1.0 + N) * REAL_EPSILON; }

void check_inclusive(void)
{
    scan_reference(h_x, reference, N, plus, 0.0, INCLUSIVE);
    check_elements(g_row, h_y, reference, N, is_exact ? 0.0 : rounding());
}

void check_exclusive(void)
{
    scan_reference(h_x, reference, N, plus, 0.0, EXCLUSIVE);
    check_elements(g_row, h_y, reference, N, is_exact ? 0.0 : rounding());
}

void check_product(void)
{
    scan_reference(h_factors, reference, N, times, 1.0, INCLUSIVE);
    check_elements(g_row, h_y, reference, N);
}

// Sums of squares may be too large to be exact.
void check_squares(void)
{
    scan_reference(h_x, reference, N, plus_square, 0.0, INCLUSIVE);
    check_elements(g_row, h_y, reference, N, rounding());
}

const Version VERSIONS[] = {
    {"cpu", "a loop on the host", run_cpu, check_cpu, ON_HOST},
    {"policy", "thrust::device, and pointers as they are", run_policy, check_inclusive, BY_LIBRARY},
    {"device-ptr", "no policy: thrust::device_ptr says that a pointer is the device's",
     run_device_ptr, check_inclusive, BY_LIBRARY},
    {"stream", "thrust::cuda::par.on(stream): in a stream, and the call returns when it is done",
     run_stream, check_inclusive, BY_LIBRARY},
    {"nosync", "thrust::cuda::par_nosync.on(stream): the call may return before", run_nosync,
     check_inclusive, BY_LIBRARY},
    {"in-place", "the sums take the place of the numbers", run_in_place, check_inclusive,
     BY_LIBRARY},
    {"exclusive", "y[i] = x[0] + ... + x[i-1], and y[0] = 0", run_exclusive, check_exclusive,
     BY_LIBRARY},
    {"product", "y[i] = f[0] * ... * f[i]", run_product, check_product, BY_LIBRARY},
    {"squares", "y[i] = x[0]^2 + ... + x[i]^2, without an array of squares", run_squares,
     check_squares, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 300000);
    args.bytes_per_element = 3 * sizeof(real) + 1; // and 1 for what Thrust allocates itself
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-scan-pointer: scans of memory from cudaMalloc; an execution policy says "
               "where it is");
    report_thrust_errors();
    scan_ten_numbers();

    N = args.N;
    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_factors = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_factors, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaStreamCreate(&stream));
    fill_integers(h_x, N, args.seed);
    fill_factors(h_factors, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_factors, h_factors, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.outputs[0] = {h_y, d_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    is_exact = true;
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    fill_random(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    is_exact = false;
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_factors));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_factors);
    free(h_y);
    free(reference);
    return verdict();
}
