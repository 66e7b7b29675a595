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
#include "../common/ceiling.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions_data.cuh"

const double EXACT = 16777216.0; // up to here float holds all whole numbers

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

typedef thrust::device_vector<real> Vector;

// What the versions work on, and what they return.
struct Data
{
    size_t N;
    const real *h_x, *h_z, *h_sorted; // h_sorted: the numbers of x in ascending order
    real *h_y;
    int *h_positions;
    double *reference; // room for what a check expects
    Vector x, z, sorted, y;
    thrust::device_vector<int> positions;
    struct
    {
        real sum;
        double squares;
        size_t place; // of the largest element, or how many elements a result has
    } returned;
};

// ---- Transform, reduce, scan

void check_transform(Table<Data> *table, const Data *data)
{
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = 2.0 * data->h_x[n] + data->h_z[n];
    }
    check_elements(table->checking, data->h_y, data->reference, data->N, REAL_EPSILON / 2);
}

// A sum on the device goes through fewer additions than N. Thrust does not say how many.
double most_additions(size_t N) { return ON_GPU ? 256.0 + N / 256 : 1.0 + N; }

void check_reduce(Table<Data> *table, const Data *data)
{
    double sum_abs = 0.0;
    for (size_t n = 0; n < data->N; ++n)
    {
        sum_abs += fabs((double)data->h_x[n]);
    }
    check_sum(table->checking, data->returned.sum, sum_compensated(data->h_x, data->N), sum_abs,
              most_additions(data->N), REAL_EPSILON);
    table->result = data->returned.sum;
}

void check_largest(Table<Data> *table, const Data *data)
{
    const size_t place = data->returned.place;
    const real largest = *std::max_element(data->h_x, data->h_x + data->N);
    check_true(table->checking, place < data->N && data->h_x[place] == largest);
    table->result = largest;
}

void check_squares(Table<Data> *table, const Data *data)
{
    double expected = 0.0;
    for (size_t n = 0; n < data->N; ++n)
    {
        expected += (double)data->h_x[n] * data->h_x[n];
    }
    check_sum(table->checking, data->returned.squares, expected, expected,
              data->N + most_additions(data->N), DBL_EPSILON);
    table->result = data->returned.squares;
}

// The error of a sum may be as large as the rounding of all that was added.
void check_scan(Table<Data> *table, const Data *data)
{
    double expected = 0.0, sum_abs = 0.0;
    size_t wrong = 0;
    for (size_t n = 0; n < data->N; ++n)
    {
        expected += data->h_x[n];
        sum_abs += fabs((double)data->h_x[n]);
        const double bound = most_additions(data->N) * REAL_EPSILON * sum_abs;
        wrong += !(fabs(data->h_y[n] - expected) <= (sum_abs <= EXACT ? 0.0 : bound));
    }
    check_true(table->checking, wrong == 0);
}

// ---- Sort, search

void copy_and_sort(Data *data)
{
    thrust::copy(data->x.begin(), data->x.end(), data->y.begin());
    thrust::sort(data->y.begin(), data->y.end());
}

void check_sort(Table<Data> *table, const Data *data)
{
    check_elements(table->checking, data->h_y, data->h_sorted, data->N);
}

void check_search(Table<Data> *table, const Data *data)
{
    const real *sorted = data->h_sorted;
    size_t wrong = 0;
    for (size_t n = 0; n < data->N; ++n)
    {
        const size_t place = data->h_positions[n]; // the first that is not smaller
        wrong += !(place < data->N && sorted[place] == data->h_x[n] &&
                   (place == 0 || sorted[place - 1] < data->h_x[n]));
    }
    check_true(table->checking, wrong == 0);
}

// ---- Reorder

void copy_and_partition(Data *data)
{
    Vector &y = data->y;
    thrust::copy(data->x.begin(), data->x.end(), y.begin());
    data->returned.place = thrust::stable_partition(y.begin(), y.end(), IsAtLeast0()) - y.begin();
}

// Appends the elements of x that are negative, or those that are not, to the reference.
size_t append(const Data *data, bool negative, size_t count)
{
    for (size_t n = 0; n < data->N; ++n)
    {
        if ((data->h_x[n] < 0) == negative)
        {
            data->reference[count++] = data->h_x[n];
        }
    }
    return count;
}

// Compares the first `expected` elements of y with the reference, and their number.
void check_first(Table<Data> *table, const Data *data, size_t expected)
{
    const size_t count = data->returned.place;
    if (count == expected && expected > 0)
    {
        check_elements(table->checking, data->h_y, data->reference, expected);
        return;
    }
    char text[128];
    snprintf(text, sizeof(text), "%s: there are %zu elements, not %zu", table->checking, count,
             expected);
    check_true(text, count == expected);
}

void check_at_least_0(Table<Data> *table, const Data *data)
{
    check_first(table, data, append(data, false, 0));
}

void check_replace(Table<Data> *table, const Data *data)
{
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = fmax(data->h_x[n], 0.0);
    }
    check_elements(table->checking, data->h_y, data->reference, data->N);
}

void check_partition(Table<Data> *table, const Data *data)
{
    const size_t expected = append(data, false, 0);
    append(data, true, expected);
    if (check_true("partition: the number of the first ones", data->returned.place == expected))
    {
        check_elements(table->checking, data->h_y, data->reference, data->N);
    }
}

void check_unique(Table<Data> *table, const Data *data)
{
    const double *end = std::unique_copy(data->h_sorted, data->h_sorted + data->N, data->reference);
    check_first(table, data, end - data->reference);
}

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"transform", "y[i] = 2 x[i] + z[i]", ON_DEVICE,
     [](D d)
     { thrust::transform(d->x.begin(), d->x.end(), d->z.begin(), d->y.begin(), TwiceAndAdd()); },
     check_transform},
    // The type of the initial value is the type of the sum.
    {"reduce", "the sum of x", ON_DEVICE,
     [](D d) { d->returned.sum = thrust::reduce(d->x.begin(), d->x.end(), (real)0); },
     check_reduce},
    {"largest", "where the largest element is", ON_DEVICE,
     [](D d) { d->returned.place = thrust::max_element(d->x.begin(), d->x.end()) - d->x.begin(); },
     check_largest},
    {"squares", "the sum of the squares, in double: transform and reduce in one", ON_DEVICE,
     [](D d)
     {
         d->returned.squares = thrust::transform_reduce(d->x.begin(), d->x.end(), Square(), 0.0,
                                                        thrust::plus<double>());
     },
     check_squares},
    {"scan", "y[i] = x[0] + ... + x[i]", ON_DEVICE,
     [](D d) { thrust::inclusive_scan(d->x.begin(), d->x.end(), d->y.begin()); }, check_scan},
    {"sort", "x in ascending order; the copy of x is timed with it", ON_DEVICE, copy_and_sort,
     check_sort},
    {"search", "for each x[i], how many elements are smaller: a binary search in sorted x",
     ON_DEVICE,
     [](D d)
     {
         thrust::lower_bound(d->sorted.begin(), d->sorted.end(), d->x.begin(), d->x.end(),
                             d->positions.begin());
     },
     check_search},
    {"copy-if", "the elements that are at least 0", ON_DEVICE,
     [](D d)
     {
         d->returned.place =
             thrust::copy_if(d->x.begin(), d->x.end(), d->y.begin(), IsAtLeast0()) - d->y.begin();
     },
     check_at_least_0},
    {"replace", "0 in place of the negative elements", ON_DEVICE,
     [](D d)
     { thrust::replace_copy_if(d->x.begin(), d->x.end(), d->y.begin(), IsNegative(), (real)0); },
     check_replace},
    {"remove", "x without its negative elements", ON_DEVICE,
     [](D d)
     {
         d->returned.place =
             thrust::remove_copy_if(d->x.begin(), d->x.end(), d->y.begin(), IsNegative()) -
             d->y.begin();
     },
     check_at_least_0},
    {"partition", "the elements that are at least 0, then the others; each group in its old order",
     ON_DEVICE, copy_and_partition, check_partition},
    {"unique", "sorted x, each value once", ON_DEVICE,
     [](D d)
     {
         d->returned.place =
             thrust::unique_copy(d->sorted.begin(), d->sorted.end(), d->y.begin()) - d->y.begin();
     },
     check_unique},
};

// Whole numbers, about half of them negative. Most of them occur several times, and 0 does too.
void fill_whole_numbers(real *x, size_t N, uint64_t seed)
{
    const uint32_t num_values = (uint32_t)std::min(N / 4 + 2, (size_t)1 << 20);
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (real)random_below(seed, n, num_values) - (real)(num_values / 2);
    }
    x[N / 2] = 0;
}

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 100000);
    args.bytes_per_element = 7 * sizeof(real) + sizeof(int); // 4 of ours, the rest is Thrust's
    args.bytes_on_host = 4 * sizeof(real) + sizeof(int) + sizeof(double);
    args.columns =
        "  Melem/s    millions of elements of x in a second; the ceiling is a copy's rate\n"
        "  result     what Thrust returns, if that is a sum or an element\n";
    add_versions(VERSIONS);
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "thrust-algorithms: Thrust's five classes of algorithms: transform, reduce, scan, sort, "
        "reorder");
    report_thrust_errors();
    const size_t N = args.N, bytes = N * sizeof(real);
    if (N > 0x7fffffff)
    {
        usage_error("a position is an int: -n is at most %d", 0x7fffffff);
    }
    show_eight_numbers();

    real *h_x = (real *)malloc(bytes);
    real *h_z = (real *)malloc(bytes);
    real *h_sorted = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    int *h_positions = (int *)malloc(N * sizeof(int));
    double *reference = (double *)malloc(N * sizeof(double));
    fill_whole_numbers(h_x, N, args.seed);
    fill_random(h_z, N, args.seed + 1);
    std::copy(h_x, h_x + N, h_sorted);
    std::sort(h_sorted, h_sorted + N);

    Data data = {N,
                 h_x,
                 h_z,
                 h_sorted,
                 h_y,
                 h_positions,
                 reference,
                 Vector(h_x, h_x + N),
                 Vector(h_z, h_z + N),
                 Vector(h_sorted, h_sorted + N),
                 Vector(N),
                 thrust::device_vector<int>(N)};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_y, thrust::raw_pointer_cast(data.y.data()), bytes};
    table.outputs[1] = {h_positions, thrust::raw_pointer_cast(data.positions.data()),
                        N * sizeof(int)};
    table.outputs[2] = {&data.returned, NULL, sizeof(data.returned)};
    table.operations = (double)N;
    table.each = 1e-3;
    table.unit = "Melem/s";
    table.other_ceiling = copy_ceiling(2 * bytes) / (2.0 * sizeof(real));
    run_versions(&table, VERSIONS);

    free(h_x);
    free(h_z);
    free(h_sorted);
    free(h_y);
    free(h_positions);
    free(reference);
    return verdict(); // the vectors free their memory themselves
}
