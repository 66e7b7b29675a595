// thrust-algorithms: Thrust's five classes of algorithms: transform, reduce, scan, sort, reorder
//
// From:    section 16.1.3, section 16.2.4, which repeats it
// Compile: nvcc -O3 thrust-algorithms.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --csv
// Versions:
//   transform  y[i] = 2 x[i] + z[i]
//   reduce     the sum of x
//   largest    where the largest element is
//   squares    the sum of the squares, in double: transform and reduce in one
//   scan       y[i] = x[0] + ... + x[i]
//   sort       x in ascending order
//   search     for each x[i], how many elements are smaller: a binary search in sorted x
//   copy-if    the elements that are at least 0
//   replace    0 in place of the negative elements
//   remove     the negative elements: those that are at least 0 are left out
//   partition  the elements that are at least 0, then the others; each group in its old order
//   unique     sorted x, each value once
// Uses:    Thrust
// Faults:  initcheck (max_element copies a float and its index, with the gap between the two)
// Checks:  33
// Sizes:   1 33 64 1000 30011 262145
// Chinese: Thrust 的五类算法各举几例：变换、归约、前缀和、排序与搜索、重排
//
// Eight numbers come first, with a result of each class. Then comes a table for any N. Each result
// is compared with what a plain loop on the host finds.
//
// The elements are whole numbers, about half of them negative, and many occur several times. The
// ceiling is the rate at which a copy would move the elements.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include "../common/args.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"

const double EXACT = 16777216.0; // up to here float holds all whole numbers

struct TwiceAndAdd
{
    __host__ __device__ real operator()(real x, real z) const
    {
        return 2 * x + z;
    }
};

struct Square
{
    __host__ __device__ double operator()(real x) const
    {
        return (double)x * (double)x;
    }
};

struct IsNegative
{
    __host__ __device__ bool operator()(real x) const
    {
        return x < 0;
    }
};

struct IsAtLeast0
{
    __host__ __device__ bool operator()(real x) const
    {
        return x >= 0;
    }
};

struct IsEven
{
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 == 0;
    }
};

void print_numbers(const char *name, const thrust::device_vector<int> &y, const int *expected)
{
    print_note("%-10s", name);
    bool right = true;
    for (size_t i = 0; i < y.size(); ++i)
    {
        printf(" %d", (int)y[i]);
        right = right && y[i] == expected[i];
    }
    printf("\n");
    check_true(name, right);
}

// One of each class.
void show_eight_numbers(void)
{
    const int numbers[] = {3, 1, 4, 1, 5, 9, 2, 6};
    const thrust::device_vector<int> x(numbers, numbers + 8);
    thrust::device_vector<int> result(8);
    print_numbers("x", x, numbers);

    thrust::transform(x.begin(), x.end(), x.begin(), result.begin(), thrust::multiplies<int>());
    const int squares[] = {9, 1, 16, 1, 25, 81, 4, 36};
    print_numbers("transform", result, squares);

    const int sum = thrust::reduce(x.begin(), x.end());
    print_note("%-10s %d\n", "reduce", sum);
    check_true("reduce", sum == 31);

    thrust::inclusive_scan(x.begin(), x.end(), result.begin());
    const int sums[] = {3, 4, 8, 9, 14, 23, 25, 31};
    print_numbers("scan", result, sums);

    result = x;
    thrust::sort(result.begin(), result.end());
    const int sorted[] = {1, 1, 2, 3, 4, 5, 6, 9};
    print_numbers("sort", result, sorted);
    const int smaller =
        (int)(thrust::lower_bound(result.begin(), result.end(), 4) - result.begin());
    print_note("%-10s %d are smaller than 4\n", "search", smaller);
    check_true("search", smaller == 4);

    result = x;
    thrust::stable_partition(result.begin(), result.end(), IsEven());
    const int partitioned[] = {4, 2, 6, 3, 1, 1, 5, 9};
    print_numbers("partition", result, partitioned);
}

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    size_t N = 0;
    real *h_x = NULL, *h_z = NULL, *h_sorted = NULL, *h_y = NULL;
    int *h_positions = NULL;
    double *reference = NULL;
    thrust::device_vector<real> x, z, sorted, y;
    thrust::device_vector<int> positions;
    real sum = 0;
    double squares = 0.0;
    size_t count = 0; // elements of the result, or the place of the largest

    // Compares the first `expected` elements of y with the reference, and their number.
    const auto check_first = [&](size_t expected)
    {
        char text[128];
        snprintf(text, sizeof(text), "%s: there are %zu elements, not %zu", ladder.checking, count,
                 expected);
        if (count != expected || expected == 0)
        {
            check_true(text, count == expected);
            return;
        }
        check_elements(ladder.checking, h_y, reference, expected);
    };
    // A sum on the device goes through fewer additions than N. Thrust does not say how many.
    const auto additions = [&]
    {
        return ON_GPU ? 256.0 + N / 256 : 1.0 + N;
    };

    const Version versions[] = {
        on_device(
            "transform",
            [&] { thrust::transform(x.begin(), x.end(), z.begin(), y.begin(), TwiceAndAdd()); },
            [&]
            {
                for (size_t n = 0; n < N; ++n)
                {
                    reference[n] = 2.0 * h_x[n] + h_z[n];
                }
                check_elements("transform", h_y, reference, N, REAL_EPSILON / 2);
            }),
        // The type of the initial value is the type of the sum.
        on_device(
            "reduce", [&] { sum = thrust::reduce(x.begin(), x.end(), (real)0); },
            [&]
            {
                double sum_abs = 0.0;
                for (size_t n = 0; n < N; ++n)
                {
                    sum_abs += fabs((double)h_x[n]);
                }
                check_sum("reduce", sum, sum_compensated(h_x, N), sum_abs, additions(),
                          REAL_EPSILON);
                ladder.result = sum;
            }),
        on_device(
            "largest", [&] { count = thrust::max_element(x.begin(), x.end()) - x.begin(); },
            [&]
            {
                const real largest = *std::max_element(h_x, h_x + N);
                check_true("largest", count < N && h_x[count] == largest);
                ladder.result = largest;
            }),
        on_device(
            "squares",
            [&] {
                squares = thrust::transform_reduce(x.begin(), x.end(), Square(), 0.0,
                                                   thrust::plus<double>());
            },
            [&]
            {
                double expected = 0.0;
                for (size_t n = 0; n < N; ++n)
                {
                    expected += (double)h_x[n] * h_x[n];
                }
                check_sum("squares", squares, expected, expected, N + additions(), DBL_EPSILON);
                ladder.result = squares;
            }),
        on_device(
            "scan", [&] { thrust::inclusive_scan(x.begin(), x.end(), y.begin()); },
            [&]
            {
                // The error of a sum may be as large as the rounding of all that was added.
                double expected = 0.0, sum_abs = 0.0;
                size_t wrong = 0;
                for (size_t n = 0; n < N; ++n)
                {
                    expected += h_x[n];
                    sum_abs += fabs((double)h_x[n]);
                    const double bound = additions() * REAL_EPSILON * sum_abs;
                    wrong += !(fabs(h_y[n] - expected) <= (sum_abs <= EXACT ? 0.0 : bound));
                }
                check_true("scan", wrong == 0);
            }),
        // The copy of x is timed with the sort.
        on_device(
            "sort",
            [&]
            {
                thrust::copy(x.begin(), x.end(), y.begin());
                thrust::sort(y.begin(), y.end());
            },
            [&] { check_elements("sort", h_y, h_sorted, N); }),
        on_device(
            "search",
            [&] {
                thrust::lower_bound(sorted.begin(), sorted.end(), x.begin(), x.end(),
                                    positions.begin());
            },
            [&]
            {
                size_t wrong = 0;
                for (size_t n = 0; n < N; ++n)
                {
                    const size_t place = h_positions[n]; // the first that is not smaller
                    wrong += !(place < N && h_sorted[place] == h_x[n] &&
                               (place == 0 || h_sorted[place - 1] < h_x[n]));
                }
                check_true("search", wrong == 0);
            }),
        on_device(
            "copy-if",
            [&]
            { count = thrust::copy_if(x.begin(), x.end(), y.begin(), IsAtLeast0()) - y.begin(); },
            [&]
            {
                size_t expected = 0;
                for (size_t n = 0; n < N; ++n)
                {
                    if (h_x[n] >= 0)
                    {
                        reference[expected++] = h_x[n];
                    }
                }
                check_first(expected);
            }),
        on_device(
            "replace",
            [&] { thrust::replace_copy_if(x.begin(), x.end(), y.begin(), IsNegative(), (real)0); },
            [&]
            {
                for (size_t n = 0; n < N; ++n)
                {
                    reference[n] = h_x[n] < 0 ? 0 : h_x[n];
                }
                check_elements("replace", h_y, reference, N);
            }),
        on_device(
            "remove",
            [&] {
                count =
                    thrust::remove_copy_if(x.begin(), x.end(), y.begin(), IsAtLeast0()) - y.begin();
            },
            [&]
            {
                size_t expected = 0;
                for (size_t n = 0; n < N; ++n)
                {
                    if (h_x[n] < 0)
                    {
                        reference[expected++] = h_x[n];
                    }
                }
                check_first(expected);
            }),
        on_device(
            "partition",
            [&]
            {
                thrust::copy(x.begin(), x.end(), y.begin());
                count = thrust::stable_partition(y.begin(), y.end(), IsAtLeast0()) - y.begin();
            },
            [&]
            {
                size_t place = 0;
                for (const bool negative : {false, true})
                {
                    for (size_t n = 0; n < N; ++n)
                    {
                        if ((h_x[n] < 0) == negative)
                        {
                            reference[place++] = h_x[n];
                        }
                    }
                }
                size_t expected = 0;
                for (size_t n = 0; n < N; ++n)
                {
                    expected += h_x[n] >= 0;
                }
                if (check_true("partition: the number of the first ones", count == expected))
                {
                    check_elements("partition", h_y, reference, N);
                }
            }),
        on_device(
            "unique",
            [&]
            { count = thrust::unique_copy(sorted.begin(), sorted.end(), y.begin()) - y.begin(); },
            [&]
            {
                size_t expected = 0;
                for (size_t n = 0; n < N; ++n)
                {
                    if (n == 0 || h_sorted[n] != h_sorted[n - 1])
                    {
                        reference[expected++] = h_sorted[n];
                    }
                }
                check_first(expected);
            }),
    };

    args.N = default_size(10000000, 100000);
    args.bytes_per_element = 7 * sizeof(real) + sizeof(int); // 4 of ours, the rest is Thrust's
    args.bytes_on_host = 4 * sizeof(real) + sizeof(int) + sizeof(double);
    args.versions = version_names(versions);
    parse_args(
        &args, argc, argv, "-n N -r R -s S -k NAME --csv",
        "thrust-algorithms: Thrust's five classes of algorithms: transform, reduce, scan, sort, "
        "reorder");
    report_thrust_errors();
    if (args.N > 0x7fffffff)
    {
        usage_error(&args, "a position is an int: -n is at most %d", 0x7fffffff);
    }
    show_eight_numbers();

    N = args.N;
    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_z = (real *)malloc(bytes);
    h_sorted = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_positions = (int *)malloc(N * sizeof(int));
    reference = (double *)malloc(N * sizeof(double));
    const uint32_t num_values = (uint32_t)std::min(N / 4 + 2, (size_t)1 << 20);
    for (size_t n = 0; n < N; ++n)
    {
        h_x[n] = (real)random_below(args.seed, n, num_values) - (real)(num_values / 2);
    }
    fill_random(h_z, N, args.seed + 1);
    std::copy(h_x, h_x + N, h_sorted);
    std::sort(h_sorted, h_sorted + N);
    x.assign(h_x, h_x + N);
    z.assign(h_z, h_z + N);
    sorted.assign(h_sorted, h_sorted + N);
    y.resize(N);
    positions.resize(N);

    ladder.setup = [&]
    {
        count = N + 1;
        sum = NAN;
        squares = NAN;
    };
    ladder.outputs[0] = {h_y, thrust::raw_pointer_cast(y.data()), bytes};
    ladder.outputs[1] = {h_positions, thrust::raw_pointer_cast(positions.data()), N * sizeof(int)};
    ladder.operations = (double)N;
    ladder.each = 1e-3;
    ladder.unit = "Melem/s";
    ladder.other_ceiling = copy_ceiling(2 * bytes) / (2.0 * sizeof(real));
    run_versions(&args, &ladder, versions);

    free(h_x);
    free(h_z);
    free(h_sorted);
    free(h_y);
    free(h_positions);
    free(reference);
    return verdict(); // the vectors free their memory themselves
}
