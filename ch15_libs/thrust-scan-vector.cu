// thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the device
//
// From:    Listings 16.1, 16.3; sections 16.1.1, 16.1.2, 16.1.4; sections 16.2.3 to 16.2.5, which
//          repeat them; file thrust-scan-vector.cu
// Compile: nvcc -O3 thrust-scan-vector.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --csv
// Versions:
//   cpu            a loop on the host
//   inclusive      y[i] = x[0] + ... + x[i]
//   exclusive      y[i] = x[0] + ... + x[i-1], and y[0] = 0
//   initial-value  the same, but all sums begin with 100
//   product        y[i] = x[0] * ... * x[i]
//   before         y[i] = x[0] * ... * x[i-1], and y[0] = 1
//   maximum        y[i] = the largest of x[0] ... x[i]
// Uses:    Thrust
// Checks:  25
// Chinese: 用设备矢量求前缀和：包含扫描、非包含扫描，以及换成乘法等其他运算
//
// The book's ten numbers come first, with the three results that section 16.1.4 prints. Then comes
// a table for any N.
//
// First x holds small integers, and each sum must be exact. Then x holds random numbers, whose sums
// are rounded. The factors of the products are powers of 2, and each product lies from 1/8 to 8. So
// no product is rounded, and none is too large.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include "../common/args.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"

const int NUM_READ = 1000; // elements that the host reads one by one

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

void print_vector(const char *name, const thrust::device_vector<int> &y)
{
    print_note("%-10s", name);
    for (size_t i = 0; i < y.size(); ++i)
    {
        printf(" %d", (int)y[i]); // y[i] is no int: it stands for an element on the device
    }
    printf("\n");
}

// Listing 16.1, with the other two scans of section 16.1.4.
void scan_ten_numbers(void)
{
    const int N = 10;
    thrust::device_vector<int> x(N, 0);
    thrust::device_vector<int> y(N, 0);
    for (int i = 0; i < N; ++i)
    {
        x[i] = i + 1;
    }
    print_vector("x", x);

    thrust::inclusive_scan(x.begin(), x.end(), y.begin());
    print_vector("inclusive", y);
    bool right = true;
    for (int i = 0; i < N; ++i)
    {
        right = right && y[i] == (i + 1) * (i + 2) / 2;
    }
    check_true("the inclusive scan of 1 ... 10", right);

    thrust::exclusive_scan(x.begin(), x.end(), y.begin());
    print_vector("exclusive", y);
    right = true;
    for (int i = 0; i < N; ++i)
    {
        right = right && y[i] == i * (i + 1) / 2;
    }
    check_true("the exclusive scan of 1 ... 10", right);

    thrust::inclusive_scan(x.begin(), x.end(), y.begin(), thrust::multiplies<int>());
    print_vector("product", y);
    right = true;
    for (int i = 0, factorial = 1; i < N; ++i)
    {
        factorial *= i + 1;
        right = right && y[i] == factorial;
    }
    check_true("the products of 1 ... 10", right);
}

// Each d_y[i] on the host is a copy of one element. thrust::copy copies a range at once.
void compare_copies(const Args *args, const thrust::device_vector<real> &d_y)
{
    const int count = d_y.size() < NUM_READ ? (int)d_y.size() : NUM_READ;
    thrust::host_vector<real> one_by_one(count), together(count);
    const auto read_elements = [&]
    {
        for (int i = 0; i < count; ++i)
        {
            one_by_one[i] = d_y[i];
        }
    };
    const auto copy_range = [&]
    {
        thrust::copy(d_y.begin(), d_y.begin() + count, together.begin());
    };
    const double ms[] = {time_host(read_elements, args->repeats).median,
                         time_host(copy_range, args->repeats).median};
    check_elements("elements read one by one", &one_by_one[0], &together[0], count);
    print_note("%d elements of y, copied to the host\n", count);
    printf(args->csv ? "copies,%s\n" : "copies       %8s\n", TIME_UNIT);
    printf(args->csv ? "one by one,%.6g\ntogether,%.6g\n"
                     : "one by one   %8.4g\ntogether     %8.4g\n",
           ms[0], ms[1]);
}

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    size_t N = 0;
    bool is_exact = true; // the data are such that no sum is rounded
    real *h_x = NULL, *h_factors = NULL, *h_y = NULL;
    double *reference = NULL;
    thrust::device_vector<real> x, factors, y;

    // A sum on the device goes through fewer additions than N. Thrust does not say how many.
    const auto check = [&](const real *from, auto op, double first, bool is_exclusive, bool rounds)
    {
        scan_reference(from, reference, N, op, first, is_exclusive);
        const double additions = ON_GPU ? 256.0 + N / 256 : 1.0 + N;
        check_elements(ladder.checking, h_y, reference, N,
                       rounds && !is_exact ? additions * REAL_EPSILON : 0.0);
    };
    const auto plus = [](double a, double b)
    {
        return a + b;
    };
    const auto times = [](double a, double b)
    {
        return a * b;
    };
    const auto larger = [](double a, double b)
    {
        return a > b ? a : b;
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
        on_device(
            "inclusive", [&] { thrust::inclusive_scan(x.begin(), x.end(), y.begin()); },
            [&] { check(h_x, plus, 0.0, false, true); }),
        on_device(
            "exclusive", [&] { thrust::exclusive_scan(x.begin(), x.end(), y.begin()); },
            [&] { check(h_x, plus, 0.0, true, true); }),
        // The type of the initial value is the type of all sums: (real)100, because an int 100
        // would make them int.
        on_device(
            "initial-value",
            [&] { thrust::exclusive_scan(x.begin(), x.end(), y.begin(), (real)100); },
            [&] { check(h_x, plus, 100.0, true, true); }),
        on_device(
            "product",
            [&] {
                thrust::inclusive_scan(factors.begin(), factors.end(), y.begin(),
                                       thrust::multiplies<real>());
            },
            [&] { check(h_factors, times, 1.0, false, false); }),
        // An exclusive scan of another operator needs its initial value, too: here 1 and not 0.
        on_device(
            "before",
            [&]
            {
                thrust::exclusive_scan(factors.begin(), factors.end(), y.begin(), (real)1,
                                       thrust::multiplies<real>());
            },
            [&] { check(h_factors, times, 1.0, true, false); }),
        on_device(
            "maximum",
            [&] { thrust::inclusive_scan(x.begin(), x.end(), y.begin(), thrust::maximum<real>()); },
            [&] { check(h_x, larger, -INFINITY, false, false); }),
    };

    args.N = default_size(10000000, 300000);
    args.bytes_per_element = 3 * sizeof(real) + 1; // and 1 for what Thrust allocates itself
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the "
               "device");
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
    factors.assign(h_factors, h_factors + N);
    y.resize(N);

    ladder.outputs[0] = {h_y, thrust::raw_pointer_cast(y.data()), bytes};
    ladder.bytes = 2.0 * bytes;
    ladder.ceiling = COPY_CEILING;
    fill_integers(h_x, N, args.seed);
    x.assign(h_x, h_x + N);
    check_versions(&args, &ladder, versions);

    is_exact = false;
    fill_random(h_x, N, args.seed);
    x.assign(h_x, h_x + N);
    run_versions(&args, &ladder, versions);
    compare_copies(&args, y);

    free(h_x);
    free(h_factors);
    free(h_y);
    free(reference);
    return verdict(); // the vectors free their memory themselves
}
