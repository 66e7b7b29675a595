// thrust-algorithms: Thrust's five classes of algorithms: transform, reduce, scan, sort, reorder
//
// From:    section 16.1.3, section 16.2.4, which repeats it
// Compile: nvcc -O3 thrust-algorithms.cu
// Run:     ./a.out -n 100000000
// Uses:    Thrust
//
// Eight numbers come first, with a result of each class. Then comes a table for any N. Each result
// is compared with what a plain loop on the host finds.
//
// The elements are whole numbers, about half of them negative, and many occur several times. The
// ceiling is the rate at which a copy would move the elements.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
#include "../common/ceiling.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions.cuh"

const double EXACT = 16777216.0; // up to here float holds all whole numbers

static size_t N;                   // of numbers
static real *h_x, *h_z, *h_sorted; // h_sorted: the numbers of x in ascending order
static real *h_y;                  // an array that a version made ...
static int *h_positions;           // ... or the positions that it found
static double *reference;          // room for what a check expects
static struct
{
    real sum;
    double squares;
    size_t place; // of the largest element, or how many elements a result has
} returned;       // by a version
// The same on the device. main makes the vectors with `new` and frees them with `delete`, because
// a static vector would free its memory after main, when CUDA itself has ended.
static thrust::device_vector<real> *d_x, *d_z, *d_sorted, *d_y;
static thrust::device_vector<int> *d_positions;

// A function that Thrust calls on the device is an object with operator().
struct TwiceAndAdd
{
    __host__ __device__ real operator()(real x, real z) const { return 2 * x + z; }
};

struct Square
{
    __host__ __device__ double operator()(real x) const { return (double)x * (double)x; }
};

struct IsNegative
{
    __host__ __device__ bool operator()(real x) const { return x < 0; }
};

struct IsAtLeast0
{
    __host__ __device__ bool operator()(real x) const { return x >= 0; }
};

struct IsEven
{
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

// `&`: the function gets the vector itself, not a copy of it.
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

// ---- Transform, reduce, scan

void run_transform(void)
{
    thrust::transform(d_x->begin(), d_x->end(), d_z->begin(), d_y->begin(), TwiceAndAdd());
}

void check_transform(void)
{
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = 2.0 * h_x[n] + h_z[n];
    }
    check_elements(g_row, h_y, reference, N, REAL_EPSILON / 2);
}

// The type of the initial value is the type of the sum.
void run_reduce(void) { returned.sum = thrust::reduce(d_x->begin(), d_x->end(), (real)0); }

// A sum on the device goes through fewer additions than N. Thrust does not say how many.
double most_additions(size_t N) { return ON_GPU ? 256.0 + N / 256 : 1.0 + N; }

void check_reduce(void)
{
    double sum_abs = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum_abs += fabs((double)h_x[n]);
    }
    check_sum(g_row, returned.sum, sum_compensated(h_x, N), sum_abs, most_additions(N),
              REAL_EPSILON);
    g_result = returned.sum;
}

void run_largest(void)
{
    returned.place = thrust::max_element(d_x->begin(), d_x->end()) - d_x->begin();
}

void check_largest(void)
{
    const size_t place = returned.place;
    const real largest = h_sorted[N - 1];
    check_true(g_row, place < N && h_x[place] == largest);
    g_result = largest;
}

void run_squares(void)
{
    returned.squares =
        thrust::transform_reduce(d_x->begin(), d_x->end(), Square(), 0.0, thrust::plus<double>());
}

void check_squares(void)
{
    double expected = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        expected += (double)h_x[n] * h_x[n];
    }
    check_sum(g_row, returned.squares, expected, expected, N + most_additions(N), DBL_EPSILON);
    g_result = returned.squares;
}

void run_scan(void) { thrust::inclusive_scan(d_x->begin(), d_x->end(), d_y->begin()); }

// The error of a sum may be as large as the rounding of all that was added.
void check_scan(void)
{
    double expected = 0.0, sum_abs = 0.0;
    size_t wrong = 0;
    for (size_t n = 0; n < N; ++n)
    {
        expected += h_x[n];
        sum_abs += fabs((double)h_x[n]);
        const double bound = most_additions(N) * REAL_EPSILON * sum_abs;
        wrong += !(fabs(h_y[n] - expected) <= (sum_abs <= EXACT ? 0.0 : bound));
    }
    check_true(g_row, wrong == 0);
}

// ---- Sort, search

void run_sort(void)
{
    thrust::copy(d_x->begin(), d_x->end(), d_y->begin());
    thrust::sort(d_y->begin(), d_y->end());
}

void check_sort(void) { check_elements(g_row, h_y, h_sorted, N); }

void run_search(void)
{
    thrust::lower_bound(d_sorted->begin(), d_sorted->end(), d_x->begin(), d_x->end(),
                        d_positions->begin());
}

void check_search(void)
{
    size_t wrong = 0;
    for (size_t n = 0; n < N; ++n)
    {
        const size_t place = h_positions[n]; // the first that is not smaller
        wrong += !(place < N && h_sorted[place] == h_x[n] &&
                   (place == 0 || h_sorted[place - 1] < h_x[n]));
    }
    check_true(g_row, wrong == 0);
}

// ---- Reorder

void run_copy_if(void)
{
    returned.place =
        thrust::copy_if(d_x->begin(), d_x->end(), d_y->begin(), IsAtLeast0()) - d_y->begin();
}

void run_replace(void)
{
    thrust::replace_copy_if(d_x->begin(), d_x->end(), d_y->begin(), IsNegative(), (real)0);
}

void run_remove(void)
{
    returned.place =
        thrust::remove_copy_if(d_x->begin(), d_x->end(), d_y->begin(), IsNegative()) - d_y->begin();
}

void run_partition(void)
{
    thrust::copy(d_x->begin(), d_x->end(), d_y->begin());
    returned.place =
        thrust::stable_partition(d_y->begin(), d_y->end(), IsAtLeast0()) - d_y->begin();
}

void run_unique(void)
{
    returned.place =
        thrust::unique_copy(d_sorted->begin(), d_sorted->end(), d_y->begin()) - d_y->begin();
}

// Appends the elements of x that are negative, or those that are not, to the reference.
size_t append(bool negative, size_t count)
{
    for (size_t n = 0; n < N; ++n)
    {
        if ((h_x[n] < 0) == negative)
        {
            reference[count++] = h_x[n];
        }
    }
    return count;
}

// Compares the first `expected` elements of y with the reference, and their number.
void check_first(size_t expected)
{
    const size_t count = returned.place;
    if (count == expected && expected > 0)
    {
        check_elements(g_row, h_y, reference, expected);
        return;
    }
    char text[128];
    snprintf(text, sizeof(text), "%s: there are %zu elements, not %zu", g_row, count, expected);
    check_true(text, count == expected);
}

void check_at_least_0(void) { check_first(append(false, 0)); }

void check_replace(void)
{
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = fmax(h_x[n], 0.0);
    }
    check_elements(g_row, h_y, reference, N);
}

void check_partition(void)
{
    const size_t expected = append(false, 0);
    append(true, expected);
    if (check_true("partition: the number of the first ones", returned.place == expected))
    {
        check_elements(g_row, h_y, reference, N);
    }
}

void check_unique(void)
{
    size_t count = 0;
    for (size_t n = 0; n < N; ++n)
    {
        if (n == 0 || h_sorted[n] != h_sorted[n - 1])
        {
            reference[count++] = h_sorted[n];
        }
    }
    check_first(count);
}

const Version VERSIONS[] = {
    {"transform", "y[i] = 2 x[i] + z[i]", run_transform, check_transform, BY_LIBRARY},
    {"reduce", "the sum of x", run_reduce, check_reduce, BY_LIBRARY},
    {"largest", "where the largest element is", run_largest, check_largest, BY_LIBRARY},
    {"squares", "the sum of the squares, in double: transform and reduce in one", run_squares,
     check_squares, BY_LIBRARY},
    {"scan", "y[i] = x[0] + ... + x[i]", run_scan, check_scan, BY_LIBRARY},
    {"sort", "x in ascending order; the copy of x is timed with it", run_sort, check_sort,
     BY_LIBRARY},
    {"search", "for each x[i], how many elements are smaller: a binary search in sorted x",
     run_search, check_search, BY_LIBRARY},
    {"copy-if", "the elements that are at least 0", run_copy_if, check_at_least_0, BY_LIBRARY},
    {"replace", "0 in place of the negative elements", run_replace, check_replace, BY_LIBRARY},
    {"remove", "x without its negative elements", run_remove, check_at_least_0, BY_LIBRARY},
    {"partition", "the elements that are at least 0, then the others; each group in its old order",
     run_partition, check_partition, BY_LIBRARY},
    {"unique", "sorted x, each value once", run_unique, check_unique, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// ---- Data

// Whole numbers, about half of them negative. Most of them occur several times, and 0 does too.
void fill_whole_numbers(real *x, size_t N, uint64_t seed)
{
    const uint32_t num_values = N / 4 + 2 < 1 << 20 ? N / 4 + 2 : 1 << 20;
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (real)random_below(seed, n, num_values) - (real)(num_values / 2);
    }
    x[N / 2] = 0;
}

int compare_reals(const void *a, const void *b)
{
    const real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 100000);
    args.bytes_per_element = 7 * sizeof(real) + sizeof(int); // 4 of ours, the rest is Thrust's
    args.bytes_on_host = 4 * sizeof(real) + sizeof(int) + sizeof(double);
    args.columns =
        "  Melem/s    millions of elements of x in a second; the ceiling is a copy's rate\n"
        "  result     what Thrust returns, if that is a sum or an element\n";
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "thrust-algorithms: Thrust's five classes of algorithms: transform, reduce, scan, sort, "
        "reorder");
    report_thrust_errors();
    N = args.N;
    const size_t bytes = N * sizeof(real);
    if (N > 0x7fffffff)
    {
        usage_error("a position is an int: -n is at most %d", 0x7fffffff);
    }
    show_eight_numbers();

    h_x = (real *)malloc(bytes);
    h_z = (real *)malloc(bytes);
    h_sorted = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_positions = (int *)malloc(N * sizeof(int));
    reference = (double *)malloc(N * sizeof(double));
    fill_whole_numbers(h_x, N, args.seed);
    fill_random(h_z, N, args.seed + 1);
    memcpy(h_sorted, h_x, bytes);
    qsort(h_sorted, N, sizeof(real), compare_reals);
    d_x = new thrust::device_vector<real>(h_x, h_x + N); // a copy of h_x, on the device
    d_z = new thrust::device_vector<real>(h_z, h_z + N);
    d_sorted = new thrust::device_vector<real>(h_sorted, h_sorted + N);
    d_y = new thrust::device_vector<real>(N);
    d_positions = new thrust::device_vector<int>(N);

    Table table = {};
    table.outputs[0] = {h_y, thrust::raw_pointer_cast(d_y->data()), bytes};
    table.outputs[1] = {h_positions, thrust::raw_pointer_cast(d_positions->data()),
                        N * sizeof(int)};
    table.outputs[2] = {&returned, NULL, sizeof(returned)};
    table.operations = (double)N;
    table.each = 1e-3;
    table.unit = "Melem/s";
    table.ceiling = copy_ceiling(2 * bytes) / (2.0 * sizeof(real));
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    delete d_x;
    delete d_z;
    delete d_sorted;
    delete d_y;
    delete d_positions;
    free(h_x);
    free(h_z);
    free(h_sorted);
    free(h_y);
    free(h_positions);
    free(reference);
    return verdict();
}
