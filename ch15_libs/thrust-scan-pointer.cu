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
#include "../common/versions_data.cuh"

enum Kind
{
    INCLUSIVE, // y[n] is the result of x[0] to x[n] ...
    EXCLUSIVE  // ... or of those before x[n]
};

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

struct Data
{
    size_t N;
    bool is_exact; // no sum of these numbers is rounded
    const real *h_x, *h_factors, *d_x, *d_factors;
    real *h_y, *d_y;
    double *reference;
    cudaStream_t stream;
};

void scan_on_host(Data *data)
{
    real sum = 0.0;
    for (size_t n = 0; n < data->N; ++n)
    {
        sum += data->h_x[n];
        data->h_y[n] = sum;
    }
}

// No policy is needed: these pointers say by their type that the memory is the device's.
void scan_device_ptr(Data *data)
{
    const thrust::device_ptr<const real> x(data->d_x);
    const thrust::device_ptr<real> y(data->d_y);
    thrust::inclusive_scan(x, x + data->N, y);
}

// The input is copied each time, and the copy is timed with the scan.
void scan_in_place(Data *data)
{
    real *y = data->d_y;
    CHECK(cudaMemcpyAsync(y, data->d_x, data->N * sizeof(real), cudaMemcpyDeviceToDevice));
    thrust::inclusive_scan(thrust::device, y, y + data->N, y);
}

double plus(double a, double b) { return a + b; }

double plus_square(double a, double b) { return a + b * b; }

double times(double a, double b) { return a * b; }

void check_cpu(Table<Data> *table, const Data *data)
{
    scan_reference(data->h_x, data->reference, data->N, plus, 0.0, INCLUSIVE);
    check_elements(table->checking, data->h_y, data->reference, data->N,
                   data->is_exact ? 0.0 : data->N * REAL_EPSILON);
}

// A sum on the device goes through fewer additions than N. Thrust does not say how many.
double rounding(const Data *data)
{
    return (ON_GPU ? 256.0 + data->N / 256 : 1.0 + data->N) * REAL_EPSILON;
}

void check_inclusive(Table<Data> *table, const Data *data)
{
    scan_reference(data->h_x, data->reference, data->N, plus, 0.0, INCLUSIVE);
    check_elements(table->checking, data->h_y, data->reference, data->N,
                   data->is_exact ? 0.0 : rounding(data));
}

void check_exclusive(Table<Data> *table, const Data *data)
{
    scan_reference(data->h_x, data->reference, data->N, plus, 0.0, EXCLUSIVE);
    check_elements(table->checking, data->h_y, data->reference, data->N,
                   data->is_exact ? 0.0 : rounding(data));
}

void check_products(Table<Data> *table, const Data *data)
{
    scan_reference(data->h_factors, data->reference, data->N, times, 1.0, INCLUSIVE);
    check_elements(table->checking, data->h_y, data->reference, data->N);
}

// Sums of squares may be too large to be exact.
void check_squares(Table<Data> *table, const Data *data)
{
    scan_reference(data->h_x, data->reference, data->N, plus_square, 0.0, INCLUSIVE);
    check_elements(table->checking, data->h_y, data->reference, data->N, rounding(data));
}

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "a loop on the host", ON_HOST, scan_on_host, check_cpu},
    {"policy", "thrust::device, and pointers as they are", ON_DEVICE,
     [](D d) { thrust::inclusive_scan(thrust::device, d->d_x, d->d_x + d->N, d->d_y); },
     check_inclusive},
    {"device-ptr", "no policy: thrust::device_ptr says that a pointer is the device's", ON_DEVICE,
     scan_device_ptr, check_inclusive},
    {"stream", "thrust::cuda::par.on(stream): in a stream, and the call returns when it is done",
     ON_DEVICE,
     [](D d)
     { thrust::inclusive_scan(thrust::cuda::par.on(d->stream), d->d_x, d->d_x + d->N, d->d_y); },
     check_inclusive},
    // The event that ends the timing is in the default stream, which waits for this stream.
    {"nosync", "thrust::cuda::par_nosync.on(stream): the call may return before", ON_DEVICE,
     [](D d) {
         thrust::inclusive_scan(thrust::cuda::par_nosync.on(d->stream), d->d_x, d->d_x + d->N,
                                d->d_y);
     },
     check_inclusive},
    {"in-place", "the sums take the place of the numbers", ON_DEVICE, scan_in_place,
     check_inclusive},
    {"exclusive", "y[i] = x[0] + ... + x[i-1], and y[0] = 0", ON_DEVICE,
     [](D d) { thrust::exclusive_scan(thrust::device, d->d_x, d->d_x + d->N, d->d_y); },
     check_exclusive},
    {"product", "y[i] = f[0] * ... * f[i]", ON_DEVICE,
     [](D d)
     {
         thrust::inclusive_scan(thrust::device, d->d_factors, d->d_factors + d->N, d->d_y,
                                thrust::multiplies<real>());
     },
     check_products},
    {"squares", "y[i] = x[0]^2 + ... + x[i]^2, without an array of squares", ON_DEVICE,
     [](D d)
     {
         thrust::transform_inclusive_scan(thrust::device, d->d_x, d->d_x + d->N, d->d_y, Square(),
                                          thrust::plus<real>());
     },
     check_squares},
};

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 300000);
    args.bytes_per_element = 3 * sizeof(real) + 1; // and 1 for what Thrust allocates itself
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-scan-pointer: scans of memory from cudaMalloc; an execution policy says "
               "where it is");
    report_thrust_errors();
    scan_ten_numbers();

    const size_t N = args.N, bytes = N * sizeof(real);
    real *h_x = (real *)malloc(bytes);
    real *h_factors = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    real *d_x, *d_factors, *d_y;
    cudaStream_t stream;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_factors, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaStreamCreate(&stream));
    fill_integers(h_x, N, args.seed);
    fill_factors(h_factors, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_factors, h_factors, bytes, cudaMemcpyHostToDevice));

    Data data = {N, true, h_x, h_factors, d_x, d_factors, h_y, d_y, reference, stream};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_y, d_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling;
    check_versions(&table, VERSIONS);

    fill_random(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    data.is_exact = false;
    run_versions(&table, VERSIONS);

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
