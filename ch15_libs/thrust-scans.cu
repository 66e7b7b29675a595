// thrust-scans: scans of any length by Thrust: of vectors and of pointers, with other operators, in
// streams
//
// From:    section 16.1.4; section 16.2.5, which repeats it
// Compile: nvcc -O3 thrust-scans.cu
// Run:     ./a.out -n 100000000
// Order:   after thrust-scan-pointer
// Uses:    Thrust
//
// The first rows scan vectors, as Listing 16.1 does. From the row `policy` on the rows scan the
// same elements by pointers, as Listing 16.2 does.
//
// First x holds small integers, and each sum must be exact. Then x holds random numbers, whose sums
// are rounded. The factors of the products are powers of 2, and each product lies from 1/8 to 8. So
// no product is rounded, and none is too large.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
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
static real *p_x, *p_factors, *p_y; // pointers to the elements of these vectors
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

void run_cpu(void)
{
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += h_x[n];
        h_y[n] = sum;
    }
}

// ---- Scans of vectors

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

// ---- Scans of the same elements by pointers

void run_policy(void) { thrust::inclusive_scan(thrust::device, p_x, p_x + N, p_y); }

// No policy is needed: these pointers say by their type that the memory is the device's.
void run_device_ptr(void)
{
    const thrust::device_ptr<const real> x(p_x);
    const thrust::device_ptr<real> y(p_y);
    thrust::inclusive_scan(x, x + N, y);
}

void run_stream(void) { thrust::inclusive_scan(thrust::cuda::par.on(stream), p_x, p_x + N, p_y); }

// The event that ends the timing is in the default stream, which waits for this stream.
void run_nosync(void)
{
    thrust::inclusive_scan(thrust::cuda::par_nosync.on(stream), p_x, p_x + N, p_y);
}

// The input is copied each time, and the copy is timed with the scan.
void run_in_place(void)
{
    CHECK(cudaMemcpyAsync(p_y, p_x, N * sizeof(real), cudaMemcpyDeviceToDevice));
    thrust::inclusive_scan(thrust::device, p_y, p_y + N, p_y);
}

void run_policy_exclusive(void) { thrust::exclusive_scan(thrust::device, p_x, p_x + N, p_y); }

void run_policy_product(void)
{
    thrust::inclusive_scan(thrust::device, p_factors, p_factors + N, p_y,
                           thrust::multiplies<real>());
}

void run_squares(void)
{
    thrust::transform_inclusive_scan(thrust::device, p_x, p_x + N, p_y, Square(),
                                     thrust::plus<real>());
}

// ---- The checks

double plus(double a, double b) { return a + b; }
double plus_square(double a, double b) { return a + b * b; }
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
double rounding(void) { return (ON_GPU ? 256.0 + N / 256 : 1.0 + N) * REAL_EPSILON; }

void check_sums(double first, Kind kind)
{
    scan_reference(h_x, reference, N, plus, first, kind);
    check_elements(g_row, h_y, reference, N, is_exact ? 0.0 : rounding());
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

// Sums of squares may be too large to be exact.
void check_squares(void)
{
    scan_reference(h_x, reference, N, plus_square, 0.0, INCLUSIVE);
    check_elements(g_row, h_y, reference, N, rounding());
}

// ---- The table

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

    {"policy", "thrust::device, and pointers as they are", run_policy, check_inclusive, BY_LIBRARY,
     NULL, NULL, true},
    {"device-ptr", "no policy: thrust::device_ptr says that a pointer is the device's",
     run_device_ptr, check_inclusive, BY_LIBRARY},
    {"stream", "thrust::cuda::par.on(stream): in a stream, and the call returns when it is done",
     run_stream, check_inclusive, BY_LIBRARY},
    {"nosync", "thrust::cuda::par_nosync.on(stream): the call may return before", run_nosync,
     check_inclusive, BY_LIBRARY},
    {"in-place", "the sums take the place of the numbers", run_in_place, check_inclusive,
     BY_LIBRARY},
    {"policy-exclusive", "y[i] = x[0] + ... + x[i-1], by pointers", run_policy_exclusive,
     check_exclusive, BY_LIBRARY},
    {"policy-product", "y[i] = x[0] * ... * x[i], by pointers", run_policy_product, check_product,
     BY_LIBRARY},
    {"squares", "y[i] = x[0]^2 + ... + x[i]^2, without an array of squares", run_squares,
     check_squares, BY_LIBRARY},
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
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "thrust-scans: scans of any length by Thrust: of vectors and of pointers, with other "
        "operators, in streams");
    report_thrust_errors();

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
    p_x = thrust::raw_pointer_cast(d_x->data());
    p_factors = thrust::raw_pointer_cast(d_factors->data());
    p_y = thrust::raw_pointer_cast(d_y->data());
    CHECK(cudaStreamCreate(&stream));

    Table table = {};
    table.outputs[0] = {h_y, p_y, bytes};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    is_exact = true;
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    fill_random(h_x, N, args.seed);
    d_x->assign(h_x, h_x + N); // no more elements than before, so they stay where p_x points
    is_exact = false;
    run_versions(&table, VERSIONS, NUM_VERSIONS);
    compare_copies();

    CHECK(cudaStreamDestroy(stream));
    delete d_x;
    delete d_factors;
    delete d_y;
    free(h_x);
    free(h_factors);
    free(h_y);
    free(reference);
    return verdict();
}
