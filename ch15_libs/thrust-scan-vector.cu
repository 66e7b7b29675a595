// thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the device
//
// From:    Listings 16.1, 16.3; sections 16.1.1, 16.1.2, 16.1.4; sections 16.2.3 to 16.2.5, which
//          repeat them; file thrust-scan-vector.cu
// Compile: nvcc -O3 thrust-scan-vector.cu
// Run:     ./a.out -n 100000000
// Uses:    Thrust
//
// This folder has the libraries of the book's chapters 15 to 20. Thrust is in chapter 16.
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
#include "../common/versions.cuh"

const int NUM_READ = 1000; // elements that the host reads one by one

enum Kind
{
    INCLUSIVE, // y[n] is the result of x[0] to x[n] ...
    EXCLUSIVE  // ... or of those before x[n]
};

static size_t N;                    // of numbers
static bool is_exact;               // no sum of these numbers is rounded
static real *h_x, *h_factors, *h_y; // the numbers, the factors of the products, a result
static double *reference;           // what h_y should be
// A vector frees its memory at the end of its scope. The scope of a static vector ends after main,
// when CUDA itself has ended. So main makes these with `new`, and frees them with `delete`.
static thrust::device_vector<real> *d_x, *d_factors, *d_y;

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

// `&`: the function gets the vector itself, not a copy of it.
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
    const thrust::host_vector<int> on_host = y; // copies y from the device
    check_elements(name, &on_host[0], expected, on_host.size());
}

// Listing 16.1, with the other two scans of section 16.1.4. begin() and end() stand for pointers to
// the first element and behind the last one. multiplies<int>() is an object that multiplies two
// ints.
void scan_ten_numbers(void)
{
    const int TEN = 10;
    thrust::device_vector<int> x(TEN, 0);
    thrust::device_vector<int> y(TEN, 0);
    for (size_t i = 0; i < x.size(); ++i)
    {
        x[i] = i + 1; // a copy of one element to the device each time
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

void run_cpu(void)
{
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += h_x[n];
        h_y[n] = sum;
    }
}

void run_inclusive(void) { thrust::inclusive_scan(d_x->begin(), d_x->end(), d_y->begin()); }
void run_exclusive(void) { thrust::exclusive_scan(d_x->begin(), d_x->end(), d_y->begin()); }

// The type of the initial value is the type of all sums: (real)100, because an int 100 would
// make them int.
void run_initial_value(void)
{
    thrust::exclusive_scan(d_x->begin(), d_x->end(), d_y->begin(), (real)100);
}

// multiplies<real>() is an object that multiplies two reals.
void run_product(void)
{
    thrust::inclusive_scan(d_factors->begin(), d_factors->end(), d_y->begin(),
                           thrust::multiplies<real>());
}

// An exclusive scan of another operator needs its initial value, too: here 1 and not 0.
void run_before(void)
{
    thrust::exclusive_scan(d_factors->begin(), d_factors->end(), d_y->begin(), (real)1,
                           thrust::multiplies<real>());
}

void run_maximum(void)
{
    thrust::inclusive_scan(d_x->begin(), d_x->end(), d_y->begin(), thrust::maximum<real>());
}

double plus(double a, double b) { return a + b; }
double times(double a, double b) { return a * b; }
double larger(double a, double b) { return a > b ? a : b; }

void check_cpu(void)
{
    scan_reference(h_x, reference, N, plus, 0.0, INCLUSIVE);
    check_elements(g_row, h_y, reference, N, is_exact ? 0.0 : N * REAL_EPSILON);
}

// A sum on the device goes through fewer additions than N. Thrust does not say how many. This
// guess is generous: all numbers of a tile of 256 are added one after the other, and so are the
// sums of all tiles.
void check_sums(double first, Kind kind)
{
    const double additions = ON_GPU ? 256.0 + N / 256 : 1.0 + N;
    scan_reference(h_x, reference, N, plus, first, kind);
    check_elements(g_row, h_y, reference, N, is_exact ? 0.0 : additions * REAL_EPSILON);
}

void check_inclusive(void) { check_sums(0.0, INCLUSIVE); }
void check_exclusive(void) { check_sums(0.0, EXCLUSIVE); }
void check_initial_value(void) { check_sums(100.0, EXCLUSIVE); }

void check_products(Kind kind)
{
    scan_reference(h_factors, reference, N, times, 1.0, kind);
    check_elements(g_row, h_y, reference, N);
}

void check_product(void) { check_products(INCLUSIVE); }
void check_before(void) { check_products(EXCLUSIVE); }

void check_maximum(void)
{
    scan_reference(h_x, reference, N, larger, -INFINITY, INCLUSIVE);
    check_elements(g_row, h_y, reference, N);
}

const Version VERSIONS[] = {
    {"cpu", "a loop on the host", run_cpu, check_cpu, ON_HOST},
    {"inclusive", "y[i] = x[0] + ... + x[i]", run_inclusive, check_inclusive, BY_LIBRARY},
    {"exclusive", "y[i] = x[0] + ... + x[i-1], and y[0] = 0", run_exclusive, check_exclusive,
     BY_LIBRARY},
    {"initial-value", "the same, but all sums begin with 100", run_initial_value,
     check_initial_value, BY_LIBRARY},
    {"product", "y[i] = x[0] * ... * x[i]", run_product, check_product, BY_LIBRARY},
    {"before", "y[i] = x[0] * ... * x[i-1], and y[0] = 1", run_before, check_before, BY_LIBRARY},
    {"maximum", "y[i] = the largest of x[0] ... x[i]", run_maximum, check_maximum, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// Each d_y[i] on the host is a copy of one element. thrust::copy copies a range at once.
void compare_copies(void)
{
    const int count = N < NUM_READ ? (int)N : NUM_READ;
    real one_by_one[NUM_READ], together[NUM_READ];
    poison(one_by_one, sizeof(one_by_one));
    memset(together, 0, sizeof(together));

    Timer reads = new_host_timer(args.repeats);
    while (next_run(&reads))
    {
        for (int i = 0; i < count; ++i)
        {
            one_by_one[i] = (*d_y)[i];
        }
    }
    Timer copies = new_host_timer(args.repeats);
    while (next_run(&copies))
    {
        thrust::copy(d_y->begin(), d_y->begin() + count, together);
    }

    check_elements("elements read one by one", one_by_one, together, count);
    print_note("%d elements of y, copied to the host\n", count);
    const Column COLUMNS[] = {{"copies", "%-12s"}, {TIME_UNIT, "%8.4g"}};
    begin_timed_table(COLUMNS, 2, "copies ");
    put_text("one by one");
    put_timed(reads.median);
    end_row();
    put_text("together");
    put_timed(copies.median);
    end_row();
}

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 300000);
    args.bytes_per_element = 3 * sizeof(real) + 1; // and 1 for what Thrust allocates itself
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the "
               "device");
    report_thrust_errors(); // Thrust returns no status: it throws exceptions
    scan_ten_numbers();

    N = args.N;
    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_factors = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    fill_integers(h_x, N, args.seed);
    fill_factors(h_factors, N, args.seed);
    // `new` allocates as malloc does, and makes the vector: here a copy of h_x, on the device.
    d_x = new thrust::device_vector<real>(h_x, h_x + N);
    d_factors = new thrust::device_vector<real>(h_factors, h_factors + N);
    d_y = new thrust::device_vector<real>(N);

    Table table = {};
    real *const in_d_y = thrust::raw_pointer_cast(d_y->data()); // the vector's device pointer
    table.outputs[0] = {h_y, in_d_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    is_exact = true;
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    fill_random(h_x, N, args.seed);
    d_x->assign(h_x, h_x + N);
    is_exact = false;
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    compare_copies();

    delete d_x;
    delete d_factors;
    delete d_y;
    free(h_x);
    free(h_factors);
    free(h_y);
    free(reference);
    return verdict();
}
