// thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the device
//
// From:    Listings 16.1, 16.3; sections 16.1.1, 16.1.2, 16.1.4; sections 16.2.3 to 16.2.5, which
//          repeat them; file thrust-scan-vector.cu
// Compile: nvcc -O3 thrust-scan-vector.cu
// Run:     ./a.out -n 100000000
// Uses:    Thrust
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
#include "../common/ceiling.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_data.cuh"

const int NUM_READ = 1000; // elements that the host reads one by one

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

// ---- The book's example: the numbers 1 to 10

void print_vector(const char *name, const thrust::device_vector<int> &y)
{
    print_note("%-10s", name);
    for (size_t i = 0; i < y.size(); ++i)
    {
        printf(" %d", (int)y[i]); // y[i] is no int: it stands for an element on the device
    }
    printf("\n");
}

void check_vector(const char *name, const thrust::device_vector<int> &y, const int *expected)
{
    const thrust::host_vector<int> h_y = y;
    check_elements(name, &h_y[0], expected, h_y.size());
}

// Listing 16.1, with the other two scans of section 16.1.4.
void scan_ten_numbers(void)
{
    const int N = 10;
    thrust::device_vector<int> x(N, 0);
    thrust::device_vector<int> y(N, 0);
    for (size_t i = 0; i < x.size(); ++i)
    {
        x[i] = i + 1;
    }
    print_vector("x", x);

    thrust::inclusive_scan(x.begin(), x.end(), y.begin());
    print_vector("inclusive", y);
    const int sums[] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
    check_vector("the inclusive scan of 1 ... 10", y, sums + 1);

    thrust::exclusive_scan(x.begin(), x.end(), y.begin());
    print_vector("exclusive", y);
    check_vector("the exclusive scan of 1 ... 10", y, sums);

    thrust::inclusive_scan(x.begin(), x.end(), y.begin(), thrust::multiplies<int>());
    print_vector("product", y);
    const int products[] = {1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800};
    check_vector("the products of 1 ... 10", y, products);
}

// ---- A table for any N

typedef thrust::device_vector<real> Vector;

struct Data
{
    size_t N;
    bool is_exact; // no sum of these numbers is rounded
    const real *h_x, *h_factors;
    real *h_y;
    double *reference;
    Vector x, factors, y; // on the device
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

double plus(double a, double b) { return a + b; }

double times(double a, double b) { return a * b; }

double larger(double a, double b) { return a > b ? a : b; }

void check_cpu(Table<Data> *table, const Data *data)
{
    scan_reference(data->h_x, data->reference, data->N, plus, 0.0, INCLUSIVE);
    check_elements(table->checking, data->h_y, data->reference, data->N,
                   data->is_exact ? 0.0 : data->N * REAL_EPSILON);
}

// A sum on the device goes through fewer additions than N. Thrust does not say how many.
void check_sums(Table<Data> *table, const Data *data, double first, Kind kind)
{
    const double additions = ON_GPU ? 256.0 + data->N / 256 : 1.0 + data->N;
    scan_reference(data->h_x, data->reference, data->N, plus, first, kind);
    check_elements(table->checking, data->h_y, data->reference, data->N,
                   data->is_exact ? 0.0 : additions * REAL_EPSILON);
}

void check_products(Table<Data> *table, const Data *data, Kind kind)
{
    scan_reference(data->h_factors, data->reference, data->N, times, 1.0, kind);
    check_elements(table->checking, data->h_y, data->reference, data->N);
}

void check_maxima(Table<Data> *table, const Data *data)
{
    scan_reference(data->h_x, data->reference, data->N, larger, -INFINITY, INCLUSIVE);
    check_elements(table->checking, data->h_y, data->reference, data->N);
}

typedef Data *D;
typedef Table<Data> *T;
const Version<Data> VERSIONS[] = {
    {"cpu", "a loop on the host", ON_HOST, scan_on_host, check_cpu},
    {"inclusive", "y[i] = x[0] + ... + x[i]", ON_DEVICE,
     [](D d) { thrust::inclusive_scan(d->x.begin(), d->x.end(), d->y.begin()); },
     [](T t, const Data *d)
     {
         check_sums(t, d, 0.0, INCLUSIVE);
     }},
    {"exclusive", "y[i] = x[0] + ... + x[i-1], and y[0] = 0", ON_DEVICE,
     [](D d) { thrust::exclusive_scan(d->x.begin(), d->x.end(), d->y.begin()); },
     [](T t, const Data *d)
     {
         check_sums(t, d, 0.0, EXCLUSIVE);
     }},
    // The type of the initial value is the type of all sums: (real)100, because an int 100 would
    // make them int.
    {"initial-value", "the same, but all sums begin with 100", ON_DEVICE,
     [](D d) { thrust::exclusive_scan(d->x.begin(), d->x.end(), d->y.begin(), (real)100); },
     [](T t, const Data *d)
     {
         check_sums(t, d, 100.0, EXCLUSIVE);
     }},
    {"product", "y[i] = x[0] * ... * x[i]", ON_DEVICE,
     [](D d)
     {
         thrust::inclusive_scan(d->factors.begin(), d->factors.end(), d->y.begin(),
                                thrust::multiplies<real>());
     },
     [](T t, const Data *d)
     {
         check_products(t, d, INCLUSIVE);
     }},
    // An exclusive scan of another operator needs its initial value, too: here 1 and not 0.
    {"before", "y[i] = x[0] * ... * x[i-1], and y[0] = 1", ON_DEVICE,
     [](D d)
     {
         thrust::exclusive_scan(d->factors.begin(), d->factors.end(), d->y.begin(), (real)1,
                                thrust::multiplies<real>());
     },
     [](T t, const Data *d)
     {
         check_products(t, d, EXCLUSIVE);
     }},
    {"maximum", "y[i] = the largest of x[0] ... x[i]", ON_DEVICE,
     [](D d)
     { thrust::inclusive_scan(d->x.begin(), d->x.end(), d->y.begin(), thrust::maximum<real>()); },
     check_maxima},
};

// Each d_y[i] on the host is a copy of one element. thrust::copy copies a range at once.
void compare_copies(const thrust::device_vector<real> &d_y)
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
    const double ms[] = {time_host(read_elements, args.repeats).median,
                         time_host(copy_range, args.repeats).median};
    check_elements("elements read one by one", &one_by_one[0], &together[0], count);
    print_note("%d elements of y, copied to the host\n", count);
    printf(args.csv ? "copies,%s\n" : "copies       %8s\n", TIME_UNIT);
    printf(args.csv ? "one by one,%.6g\ntogether,%.6g\n"
                    : "one by one   %8.4g\ntogether     %8.4g\n",
           ms[0], ms[1]);
}

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 300000);
    args.bytes_per_element = 3 * sizeof(real) + 1; // and 1 for what Thrust allocates itself
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the "
               "device");
    report_thrust_errors();
    scan_ten_numbers();

    const size_t N = args.N, bytes = N * sizeof(real);
    real *h_x = (real *)malloc(bytes);
    real *h_factors = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    fill_integers(h_x, N, args.seed);
    fill_factors(h_factors, N, args.seed);

    Data data = {N,
                 true,
                 h_x,
                 h_factors,
                 h_y,
                 reference,
                 Vector(h_x, h_x + N),
                 Vector(h_factors, h_factors + N),
                 Vector(N)};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_y, thrust::raw_pointer_cast(data.y.data()), bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling;
    check_versions(&table, VERSIONS);

    fill_random(h_x, N, args.seed);
    data.x.assign(h_x, h_x + N);
    data.is_exact = false;
    run_versions(&table, VERSIONS);
    compare_copies(data.y);

    free(h_x);
    free(h_factors);
    free(h_y);
    free(reference);
    return verdict(); // the vectors free their memory themselves
}
