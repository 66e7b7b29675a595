// thrust-scan-pointer: scans of memory from cudaMalloc; an execution policy says where it is
//
// From:    Listings 16.2, 16.4; section 16.1.4; section 16.2.5, which repeats it; file
//          thrust-scan-pointer.cu
// Compile: nvcc -O3 thrust-scan-pointer.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --csv
// Versions:
//   cpu         a loop on the host
//   policy      thrust::device, and pointers as they are
//   device-ptr  no policy: thrust::device_ptr says that a pointer is the device's
//   stream      thrust::cuda::par.on(stream): in a stream, and the call returns when it is done
//   nosync      thrust::cuda::par_nosync.on(stream): the call may return before
//   in-place    the sums take the place of the numbers
//   exclusive   y[i] = x[0] + ... + x[i-1], and y[0] = 0
//   product     y[i] = f[0] * ... * f[i]
//   squares     y[i] = x[0]^2 + ... + x[i]^2, without an array of squares
// Uses:    Thrust
// Checks:  28
// Chinese: 对 cudaMalloc 分配的数组求前缀和：由执行策略说明数据在设备中
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
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"

// The reference, in double: y[n] is the result of all elements before x[n], or up to x[n].
template <typename Op>
void scan_reference(const real *x, double *y, size_t N, Op op, double first, bool is_exclusive)
{
    double running = first;
    for (size_t n = 0; n < N; ++n)
    {
        const double before = running;
        running = op(running, (double)x[n]);
        y[n] = is_exclusive ? before : running;
    }
}

// 2 to the power of a random number from -3 to 3. Factor n is power_of_two(n) divided by
// power_of_two(n - 1). So the product of the factors 0 to n is power_of_two(n).
double power_of_two(uint64_t seed, size_t n)
{
    return ldexp(1.0, (int)random_below(seed, n, 7) - 3);
}

// A function that Thrust calls on the device is an object with operator().
struct Square
{
    __host__ __device__ real operator()(real x) const
    {
        return x * x;
    }
};

// Listing 16.2
void scan_ten_numbers(void)
{
    const int N = 10;
    int *x, *y;
    CHECK(cudaMalloc((void **)&x, sizeof(int) * N));
    CHECK(cudaMalloc((void **)&y, sizeof(int) * N));
    int h_x[N], h_y[N];
    for (int i = 0; i < N; ++i)
    {
        h_x[i] = i + 1;
    }
    CHECK(cudaMemcpy(x, h_x, sizeof(int) * N, cudaMemcpyHostToDevice));

    thrust::inclusive_scan(thrust::device, x, x + N, y);

    poison(h_y, sizeof(h_y));
    CHECK(cudaMemcpy(h_y, y, sizeof(int) * N, cudaMemcpyDeviceToHost));
    print_note("inclusive ");
    bool right = true;
    for (int i = 0; i < N; ++i)
    {
        printf(" %d", h_y[i]);
        right = right && h_y[i] == (i + 1) * (i + 2) / 2;
    }
    printf("\n");
    check_true("the inclusive scan of 1 ... 10", right);

    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
}

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    size_t N = 0;
    bool is_exact = true; // the data are such that no sum is rounded
    real *h_x = NULL, *h_factors = NULL, *h_y = NULL, *d_x = NULL, *d_factors = NULL, *d_y = NULL;
    double *reference = NULL;
    cudaStream_t stream = NULL;

    // A sum on the device goes through fewer additions than N. Thrust does not say how many.
    const auto rounding = [&]
    {
        return (ON_GPU ? 256.0 + N / 256 : 1.0 + N) * REAL_EPSILON;
    };
    const auto check =
        [&](const real *from, auto op, double first, bool is_exclusive, double tolerance)
    {
        scan_reference(from, reference, N, op, first, is_exclusive);
        check_elements(ladder.checking, h_y, reference, N, tolerance);
    };
    const auto plus = [](double a, double b)
    {
        return a + b;
    };
    const auto times = [](double a, double b)
    {
        return a * b;
    };
    const auto plus_square = [](double a, double b)
    {
        return a + b * b;
    };

    const Version versions[] = {
        on_host(
            "cpu",
            [&]
            {
                real sum = 0.0;
                for (size_t n = 0; n < N; ++n)
                {
                    sum += h_x[n];
                    h_y[n] = sum;
                }
            },
            [&]
            {
                scan_reference(h_x, reference, N, plus, 0.0, false);
                check_elements("cpu", h_y, reference, N, is_exact ? 0.0 : N * REAL_EPSILON);
            }),
        on_device("policy", [&] { thrust::inclusive_scan(thrust::device, d_x, d_x + N, d_y); }),
        on_device("device-ptr",
                  [&]
                  {
                      const thrust::device_ptr<real> x(d_x), y(d_y);
                      thrust::inclusive_scan(x, x + N, y);
                  }),
        on_device("stream",
                  [&] { thrust::inclusive_scan(thrust::cuda::par.on(stream), d_x, d_x + N, d_y); }),
        // The event that ends the timing is in the default stream, which waits for this stream.
        on_device(
            "nosync", [&]
            { thrust::inclusive_scan(thrust::cuda::par_nosync.on(stream), d_x, d_x + N, d_y); }),
        // The input is copied each time, and the copy is timed with it.
        on_device("in-place",
                  [&]
                  {
                      CHECK(cudaMemcpyAsync(d_y, d_x, N * sizeof(real), cudaMemcpyDeviceToDevice));
                      thrust::inclusive_scan(thrust::device, d_y, d_y + N, d_y);
                  }),
        on_device(
            "exclusive", [&] { thrust::exclusive_scan(thrust::device, d_x, d_x + N, d_y); },
            [&] { check(h_x, plus, 0.0, true, is_exact ? 0.0 : rounding()); }),
        on_device(
            "product",
            [&]
            {
                thrust::inclusive_scan(thrust::device, d_factors, d_factors + N, d_y,
                                       thrust::multiplies<real>());
            },
            [&] { check(h_factors, times, 1.0, false, 0.0); }),
        // Sums of squares may be too large to be exact.
        on_device(
            "squares",
            [&]
            {
                thrust::transform_inclusive_scan(thrust::device, d_x, d_x + N, d_y, Square(),
                                                 thrust::plus<real>());
            },
            [&] { check(h_x, plus_square, 0.0, false, rounding()); }),
    };

    args.N = default_size(10000000, 300000);
    args.bytes_per_element = 3 * sizeof(real) + 1; // and 1 for what Thrust allocates itself
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --csv",
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
    for (size_t n = 0; n < N; ++n)
    {
        const double before = n > 0 ? power_of_two(args.seed, n - 1) : 1.0;
        h_factors[n] = (real)(power_of_two(args.seed, n) / before);
    }
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_factors, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMemcpy(d_factors, h_factors, bytes, cudaMemcpyHostToDevice));

    ladder.check = [&]
    {
        check(h_x, plus, 0.0, false, is_exact ? 0.0 : rounding());
    };
    ladder.outputs[0] = {h_y, d_y, bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    fill_integers(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    check_versions(&args, &ladder, versions);

    is_exact = false;
    fill_random(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    run_versions(&args, &ladder, versions);

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
