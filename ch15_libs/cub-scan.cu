// cub-scan: scans of a whole array by CUB, whose every call is made twice
//
// From:    sections 16.2, 16.2.1 and 16.2.2
// Compile: nvcc -O3 cub-scan.cu
// Run:     ./a.out -n 100000000
//
// The draft of section 16.2 repeats the text on Thrust. This program does the book's example of a
// scan (16.1.4) by CUB. The program scan of chapter 11 has scans written by hand.

#include <cub/device/device_scan.cuh>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/largest_error.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const size_t BOOK_N = 10;
const int BLOCK_SIZE = 128;
const int MOST_DOUBLINGS = 20;           // the sizes that are checked: 2^0 - 1 to 2^20 + 1 ...
const size_t LARGEST_CHECKED = 10000000; // ... and N, or this if N is larger

const unsigned POISON = 0x01010101u * POISON_BYTE; // four such bytes

// y -> a y + b
struct Line
{
    unsigned a, b;
};

// Of the table:
static size_t N;
static real *h_x, *h_y, *d_x, *d_y; // the elements; their scan
static double *sums;                // sums[n]: of the first n elements
static real *maxima;                // maxima[n]: of the first n + 1 elements
static bool is_exact;               // every partial sum is a number of the type

// Of the scans of the first n numbers, for many n:
static unsigned *h_numbers, *d_numbers;
static unsigned *h_scan, *d_scan; // what a scan has written
static unsigned *number_sums;     // number_sums[n]: of n numbers
static unsigned *products, *number_maxima, *solution;
static Line *h_lines, *d_lines;

static void *d_storage; // temporary storage for any scan
static size_t storage_bytes;

// An operator is a class with this function. CUB calls it on the device. It must be associative:
// (a op b) op c = a op (b op c). It need not commute.
struct Product
{
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a * b; }
};

struct Maximum
{
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a < b ? b : a; }
    __host__ __device__ real operator()(real a, real b) const { return a < b ? b : a; }
};

// Two lines one after the other are a line again. The order matters: `first` is the one on the
// left. The scan of the lines y -> a[n] y + b[n] solves y[n] = a[n] y[n - 1] + b[n], where each
// number needs the one before it.
struct Compose
{
    __host__ __device__ Line operator()(Line first, Line second) const
    {
        return {second.a * first.a, second.a * first.b + second.b};
    }
};

// The number before y[0] is 0. So y[n] is the b of line n after the scan.
__global__ void take_solution(const Line *d_lines, unsigned *d_y, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        d_y[n] = d_lines[n].b;
    }
}

// ---- The book's example by CUB: the numbers 1 to 10

void print_row(const char *what, const unsigned *y, size_t N)
{
    print_note("%-14s", what);
    for (size_t n = 0; n < N; ++n)
    {
        printf(" %u", y[n]);
    }
    printf("\n");
}

void check_row(const char *what, const unsigned *d_y, const unsigned *expected)
{
    unsigned h_y[BOOK_N];
    CHECK(cudaMemcpy(h_y, d_y, sizeof(h_y), cudaMemcpyDeviceToHost));
    check_elements(what, h_y, expected, BOOK_N);
    print_row(what, h_y, BOOK_N);
}

// CUB never allocates memory itself. The first call has no storage. It scans nothing and writes to
// `bytes` how much storage the second one needs. The second call is the same, and scans. Returns
// these bytes.
size_t scan_in_two_calls(const unsigned *d_x, unsigned *d_y)
{
    void *d_storage = NULL;
    size_t bytes = 0;
    CHECK(cub::DeviceScan::InclusiveSum(d_storage, bytes, d_x, d_y, BOOK_N));
    CHECK(cudaMalloc(&d_storage, bytes));
    CHECK(cub::DeviceScan::InclusiveSum(d_storage, bytes, d_x, d_y, BOOK_N));
    CHECK(cudaFree(d_storage));
    return bytes;
}

// One byte less is an error, and nothing is written.
void scan_in_too_little_storage(const unsigned *d_x, unsigned *d_y, size_t bytes)
{
    const size_t y_bytes = BOOK_N * sizeof(unsigned);
    unsigned h_y[BOOK_N];
    size_t too_few = bytes - 1;
    void *d_storage;
    CHECK(cudaMalloc(&d_storage, bytes));
    CHECK(cudaMemset(d_y, POISON_BYTE, y_bytes));
    const cudaError_t refused = cub::DeviceScan::InclusiveSum(d_storage, too_few, d_x, d_y, BOOK_N);
    check_true("book: too little storage is refused", refused == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    size_t untouched = 0;
    for (size_t n = 0; n < BOOK_N; ++n)
    {
        untouched += h_y[n] == POISON;
    }
    check_true("book: too little storage, and nothing is written", untouched == BOOK_N);
    CHECK(cudaFree(d_storage));
}

// Temporary storage for one scan after the other. cudaMalloc takes longer than a small scan, so the
// storage is kept, and replaced only where it is too small.
void grow_storage(size_t bytes)
{
    if (bytes > storage_bytes)
    {
        CHECK(cudaFree(d_storage));
        CHECK(cudaMalloc(&d_storage, bytes));
        storage_bytes = bytes;
    }
}

void free_storage(void)
{
    CHECK(cudaFree(d_storage));
    d_storage = NULL;
    storage_bytes = 0;
}

// Section 16.1.4
void scan_book(void)
{
    const unsigned h_x[BOOK_N] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const unsigned sums[] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
    const unsigned products[] = {1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800};
    unsigned *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, sizeof(h_x)));
    CHECK(cudaMalloc(&d_y, sizeof(h_x)));
    CHECK(cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice));
    print_row("x", h_x, BOOK_N);

    size_t bytes = scan_in_two_calls(d_x, d_y);
    check_row("inclusive", d_y, sums + 1);
    scan_in_too_little_storage(d_x, d_y, bytes);

    CHECK(cub::DeviceScan::ExclusiveSum(NULL, bytes, d_x, d_y, BOOK_N));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_x, d_y, BOOK_N));
    check_row("exclusive", d_y, sums);

    CHECK(cub::DeviceScan::InclusiveScan(NULL, bytes, d_x, d_y, Product(), BOOK_N));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::InclusiveScan(d_storage, bytes, d_x, d_y, Product(), BOOK_N));
    check_row("products", d_y, products);

    free_storage();
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}

// ---- Scans of the first n elements, for many n

// Unsigned numbers wrap around at 2^32, so all results are exact, in whatever order CUB adds. The
// host computes each scan once, for the largest n. The scan of fewer elements is the beginning of
// it.
void compute_references(size_t largest, uint64_t seed)
{
    unsigned sum = 0, product = 1, maximum = 0, y = 0;
    number_sums[0] = 0;
    for (size_t n = 0; n < largest; ++n)
    {
        const unsigned x = (unsigned)hash_bits(seed, n) | 1; // odd: 32 even factors would give 0
        const Line line = {x, (unsigned)hash_bits(seed + 1, n)};
        h_numbers[n] = x;
        h_lines[n] = line;
        number_maxima[n] = maximum; // exclusive
        sum += x;
        product *= x;
        maximum = x > maximum ? x : maximum;
        y = line.a * y + line.b;
        number_sums[n + 1] = sum;
        products[n] = product;
        solution[n] = y;
    }
}

void poison_scan(size_t n) { CHECK(cudaMemset(d_scan, POISON_BYTE, (n + 1) * sizeof(unsigned))); }

// The element behind the last one must stay as it was.
void check_y(const char *what, const unsigned *reference, size_t n)
{
    char text[64];
    snprintf(text, sizeof(text), "%s of %zu elements", what, n);
    CHECK(cudaMemcpy(h_scan, d_scan, (n + 1) * sizeof(unsigned), cudaMemcpyDeviceToHost));
    const bool is_right = n == 0 || memcmp(h_scan, reference, n * sizeof(unsigned)) == 0;
    check_true(text, is_right && h_scan[n] == POISON);
}

void check_sums(size_t n)
{
    size_t bytes = 0;
    poison_scan(n);
    CHECK(cub::DeviceScan::InclusiveSum(NULL, bytes, d_numbers, d_scan, n));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::InclusiveSum(d_storage, bytes, d_numbers, d_scan, n));
    check_y("inclusive sums", number_sums + 1, n);

    poison_scan(n);
    CHECK(cub::DeviceScan::ExclusiveSum(NULL, bytes, d_numbers, d_scan, n));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_numbers, d_scan, n));
    check_y("exclusive sums", number_sums, n);

    poison_scan(n);
    CHECK(cudaMemcpy(d_scan, d_numbers, n * sizeof(unsigned), cudaMemcpyDeviceToDevice));
    CHECK(cub::DeviceScan::ExclusiveSum(NULL, bytes, d_scan, d_scan, n));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_scan, d_scan, n));
    check_y("exclusive sums in place", number_sums, n);
}

void check_other_operators(size_t n)
{
    size_t bytes = 0;
    poison_scan(n);
    CHECK(cub::DeviceScan::InclusiveScan(NULL, bytes, d_numbers, d_scan, Product(), n));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::InclusiveScan(d_storage, bytes, d_numbers, d_scan, Product(), n));
    check_y("inclusive products", products, n);

    // The initial value, 0u, is the first result. No x is below it.
    poison_scan(n);
    CHECK(cub::DeviceScan::ExclusiveScan(NULL, bytes, d_numbers, d_scan, Maximum(), 0u, n));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::ExclusiveScan(d_storage, bytes, d_numbers, d_scan, Maximum(), 0u, n));
    check_y("exclusive maxima", number_maxima, n);

    poison_scan(n);
    CHECK(cudaMemcpy(d_lines, h_lines, n * sizeof(Line), cudaMemcpyHostToDevice));
    CHECK(cub::DeviceScan::InclusiveScan(NULL, bytes, d_lines, d_lines, Compose(), n));
    grow_storage(bytes);
    CHECK(cub::DeviceScan::InclusiveScan(d_storage, bytes, d_lines, d_lines, Compose(), n));
    if (n > 0)
    {
        take_solution<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_lines, d_scan, n);
        CHECK_LAUNCH();
    }
    check_y("recurrence", solution, n);
}

// No element, sizes around each power of 2, and `largest`.
void check_sizes(size_t largest, uint64_t seed)
{
    const size_t bytes = largest * sizeof(unsigned);
    h_numbers = (unsigned *)malloc(bytes);
    h_scan = (unsigned *)malloc(bytes + sizeof(unsigned));
    h_lines = (Line *)malloc(largest * sizeof(Line));
    number_sums = (unsigned *)malloc(bytes + sizeof(unsigned));
    products = (unsigned *)malloc(bytes);
    number_maxima = (unsigned *)malloc(bytes);
    solution = (unsigned *)malloc(bytes);
    CHECK(cudaMalloc(&d_numbers, bytes));
    CHECK(cudaMalloc(&d_scan, bytes + sizeof(unsigned)));
    CHECK(cudaMalloc(&d_lines, largest * sizeof(Line)));
    compute_references(largest, seed);
    CHECK(cudaMemcpy(d_numbers, h_numbers, bytes, cudaMemcpyHostToDevice));

    for (int doublings = 0; doublings <= MOST_DOUBLINGS; ++doublings)
    {
        const size_t power = (size_t)1 << doublings;
        for (size_t n = power - 1; n <= power + 1; ++n)
        {
            check_sums(n);
            check_other_operators(n);
        }
    }
    check_sums(largest);
    check_other_operators(largest);

    free_storage();
    CHECK(cudaFree(d_numbers));
    CHECK(cudaFree(d_scan));
    CHECK(cudaFree(d_lines));
    free(h_numbers);
    free(h_scan);
    free(h_lines);
    free(number_sums);
    free(products);
    free(number_maxima);
    free(solution);
}

// ---- The table

// After h_x has changed: the copy on the device, and what the scans should be.
void take_numbers(bool sums_are_exact)
{
    CHECK(cudaMemcpy(d_x, h_x, N * sizeof(real), cudaMemcpyHostToDevice));
    sums[0] = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sums[n + 1] = sums[n] + h_x[n];
        maxima[n] = n > 0 && maxima[n - 1] > h_x[n] ? maxima[n - 1] : h_x[n];
    }
    is_exact = sums_are_exact;
}

// The set-up of each run, for the scan in place.
void copy_x_to_y(void)
{
    CHECK(cudaMemcpyAsync(d_y, d_x, N * sizeof(real), cudaMemcpyDeviceToDevice));
}

void run_cpu(void)
{
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += h_x[n];
        h_y[n] = sum;
    }
}

// Each is the second call. The storage has been found by storage_for_table.
void run_inclusive(void)
{
    CHECK(cub::DeviceScan::InclusiveSum(d_storage, storage_bytes, d_x, d_y, N));
}

void run_exclusive(void)
{
    CHECK(cub::DeviceScan::ExclusiveSum(d_storage, storage_bytes, d_x, d_y, N));
}

void run_in_place(void)
{
    CHECK(cub::DeviceScan::ExclusiveSum(d_storage, storage_bytes, d_y, d_y, N));
}

void run_maximum(void)
{
    CHECK(cub::DeviceScan::InclusiveScan(d_storage, storage_bytes, d_x, d_y, Maximum(), N));
}

// The storage that the largest of these scans needs, found by a first call of each.
size_t storage_for_table(void)
{
    size_t inclusive, exclusive, maximum;
    CHECK(cub::DeviceScan::InclusiveSum(NULL, inclusive, d_x, d_y, N));
    CHECK(cub::DeviceScan::ExclusiveSum(NULL, exclusive, d_x, d_y, N));
    CHECK(cub::DeviceScan::InclusiveScan(NULL, maximum, d_x, d_y, Maximum(), N));
    const size_t larger = inclusive > exclusive ? inclusive : exclusive;
    return larger > maximum ? larger : maximum;
}

void check_scan(const double *reference, double additions)
{
    check_elements(g_row, h_y, reference, N, is_exact ? 0.0 : additions * REAL_EPSILON);
    g_result = (double)h_y[N - 1];
    g_error = largest_error(h_y, reference, N);
}

// CUB does not say how it adds. An element passes through its tile, and the total of each tile
// through those after it.
double most_additions(size_t N) { return 2048.0 + N / 1024; }

void check_cpu(void) { check_scan(sums + 1, N); }
void check_inclusive(void) { check_scan(sums + 1, most_additions(N)); }
void check_exclusive(void) { check_scan(sums, most_additions(N)); }

void check_maximum(void)
{
    check_elements(g_row, h_y, maxima, N);
    g_result = (double)h_y[N - 1];
    g_error = largest_error(h_y, maxima, N);
}

const Version VERSIONS[] = {
    {"cpu", "one after the other, on the host", run_cpu, check_cpu, ON_HOST},
    {"inclusive", "cub::DeviceScan::InclusiveSum", run_inclusive, check_inclusive, BY_LIBRARY},
    {"exclusive", "cub::DeviceScan::ExclusiveSum", run_exclusive, check_exclusive, BY_LIBRARY},
    {"in-place", "the exclusive sums take the place of the elements", run_in_place, check_exclusive,
     BY_LIBRARY},
    {"maximum", "cub::DeviceScan::InclusiveScan with an operator of our own", run_maximum,
     check_maximum, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 1000000);
    // Of the table: x, y and the storage. Of check_sizes: three arrays, the lines of two numbers.
    const size_t of_table = 2 * sizeof(real) + 1, of_sizes = 4 * sizeof(unsigned) + 1;
    const size_t table_host = 3 * sizeof(real) + sizeof(double), sizes_host = 8 * sizeof(unsigned);
    args.bytes_per_element = of_table > of_sizes ? of_table : of_sizes;
    args.bytes_on_host = table_host > sizes_host ? table_host : sizes_host;
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cub-scan: scans of a whole array by CUB, whose every call is made twice");
    N = args.N;
    if (CUB_VERSION < 300000 && N > INT_MAX)
    {
        usage_error("the DeviceScan of CUDA 12 counts in int: at most %d elements", INT_MAX);
    }

    scan_book();
    const size_t largest_power = ((size_t)1 << MOST_DOUBLINGS) + 1;
    const size_t wanted = N < LARGEST_CHECKED ? N : LARGEST_CHECKED;
    check_sizes(wanted > largest_power ? wanted : largest_power, args.seed);

    const size_t x_bytes = N * sizeof(real);
    h_x = (real *)malloc(x_bytes);
    h_y = (real *)malloc(x_bytes);
    maxima = (real *)malloc(x_bytes);
    sums = (double *)malloc((N + 1) * sizeof(double));
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, x_bytes));
    grow_storage(storage_for_table());
    print_note("temporary storage for %zu elements: %zu bytes\n", N, storage_bytes);

    Table table = {};
    table.set_up = copy_x_to_y;
    table.outputs[0] = {h_y, d_y, x_bytes};
    table.bytes = 2.0 * x_bytes;
    table.ceiling = copy_ceiling(2 * x_bytes);

    fill_integers(h_x, N, args.seed);
    take_numbers(true);
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    fill_random(h_x, N, args.seed);
    take_numbers(false);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free_storage();
    free(h_x);
    free(h_y);
    free(maxima);
    free(sums);
    return verdict();
}
