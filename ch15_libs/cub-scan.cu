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
#include <algorithm>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/largest_error.cuh"
#include "../common/real.cuh"
#include "../common/versions_data.cuh"

const size_t BOOK_N = 10;
const int BLOCK_SIZE = 128;
const int MOST_DOUBLINGS = 20;           // the sizes that are checked: 2^0 - 1 to 2^20 + 1 ...
const size_t LARGEST_CHECKED = 10000000; // ... and N, or this if N is larger

const unsigned POISON = 0x01010101u * POISON_BYTE; // four such bytes

// An operator is a class with this function. CUB calls it on the device. It must be associative:
// (a op b) op c = a op (b op c). It need not commute.
struct Product
{
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const { return a * b; }
};

struct Maximum
{
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};

// y -> a y + b
struct Line
{
    unsigned a, b;
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
    check_true("book: too little storage, and nothing is written",
               std::count(h_y, h_y + BOOK_N, POISON) == (ptrdiff_t)BOOK_N);
    CHECK(cudaFree(d_storage));
}

// Temporary storage for one scan after the other. cudaMalloc takes longer than a small scan, so the
// storage is kept, and replaced only where it is too small.
struct Storage
{
    void *d_data;
    size_t bytes;
};

// Both calls: call(d_storage, bytes).
template <typename Call>
void call_twice(Storage *storage, Call call)
{
    size_t bytes = 0;
    CHECK(call(NULL, bytes));
    if (bytes > storage->bytes)
    {
        CHECK(cudaFree(storage->d_data));
        CHECK(cudaMalloc(&storage->d_data, bytes));
        storage->bytes = bytes;
    }
    CHECK(call(storage->d_data, bytes));
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

    const size_t bytes = scan_in_two_calls(d_x, d_y);
    check_row("inclusive", d_y, sums + 1);
    scan_in_too_little_storage(d_x, d_y, bytes);

    Storage storage = {};
    call_twice(&storage, [=](void *d_storage, size_t &bytes)
               { return cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_x, d_y, BOOK_N); });
    check_row("exclusive", d_y, sums);

    call_twice(
        &storage, [=](void *d_storage, size_t &bytes)
        { return cub::DeviceScan::InclusiveScan(d_storage, bytes, d_x, d_y, Product(), BOOK_N); });
    check_row("products", d_y, products);

    CHECK(cudaFree(storage.d_data));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}

// ---- Scans of the first n elements, for many n

// Unsigned numbers wrap around at 2^32, so all results are exact, in whatever order CUB adds. The
// host computes each scan once, for the largest n. The scan of fewer elements is the beginning of
// it.
struct Scans
{
    unsigned *h_x, *h_y;
    Line *h_lines;
    unsigned *sums; // sums[n]: of n elements
    unsigned *products, *maxima, *solution;
    unsigned *d_x, *d_y;
    Line *d_lines;
    Storage storage;
};

void compute_references(Scans *s, size_t largest, uint64_t seed)
{
    unsigned sum = 0, product = 1, maximum = 0, y = 0;
    s->sums[0] = 0;
    for (size_t n = 0; n < largest; ++n)
    {
        const unsigned x = (unsigned)hash_bits(seed, n) | 1; // odd: 32 even factors would give 0
        const Line line = {x, (unsigned)hash_bits(seed + 1, n)};
        s->h_x[n] = x;
        s->h_lines[n] = line;
        s->maxima[n] = maximum; // exclusive
        sum += x;
        product *= x;
        maximum = std::max(maximum, x);
        y = line.a * y + line.b;
        s->sums[n + 1] = sum;
        s->products[n] = product;
        s->solution[n] = y;
    }
}

void poison_y(Scans *s, size_t n)
{
    CHECK(cudaMemset(s->d_y, POISON_BYTE, (n + 1) * sizeof(unsigned)));
}

// The element behind the last one must stay as it was.
void check_y(const char *what, const Scans *s, const unsigned *reference, size_t n)
{
    char text[64];
    snprintf(text, sizeof(text), "%s of %zu elements", what, n);
    CHECK(cudaMemcpy(s->h_y, s->d_y, (n + 1) * sizeof(unsigned), cudaMemcpyDeviceToHost));
    const bool is_right = n == 0 || memcmp(s->h_y, reference, n * sizeof(unsigned)) == 0;
    check_true(text, is_right && s->h_y[n] == POISON);
}

void check_sums(Scans *s, size_t n)
{
    const unsigned *d_x = s->d_x;
    unsigned *d_y = s->d_y;
    poison_y(s, n);
    call_twice(&s->storage, [=](void *d_storage, size_t &bytes)
               { return cub::DeviceScan::InclusiveSum(d_storage, bytes, d_x, d_y, n); });
    check_y("inclusive sums", s, s->sums + 1, n);

    poison_y(s, n);
    call_twice(&s->storage, [=](void *d_storage, size_t &bytes)
               { return cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_x, d_y, n); });
    check_y("exclusive sums", s, s->sums, n);

    poison_y(s, n);
    CHECK(cudaMemcpy(d_y, d_x, n * sizeof(unsigned), cudaMemcpyDeviceToDevice));
    call_twice(&s->storage, [=](void *d_storage, size_t &bytes)
               { return cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_y, d_y, n); });
    check_y("exclusive sums in place", s, s->sums, n);
}

void check_other_operators(Scans *s, size_t n)
{
    const unsigned *d_x = s->d_x;
    unsigned *d_y = s->d_y;
    Line *d_lines = s->d_lines;
    poison_y(s, n);
    call_twice(&s->storage,
               [=](void *d_storage, size_t &bytes) {
                   return cub::DeviceScan::InclusiveScan(d_storage, bytes, d_x, d_y, Product(), n);
               });
    check_y("inclusive products", s, s->products, n);

    // The initial value, 0u, is the first result. No x is below it.
    poison_y(s, n);
    call_twice(
        &s->storage, [=](void *d_storage, size_t &bytes)
        { return cub::DeviceScan::ExclusiveScan(d_storage, bytes, d_x, d_y, Maximum(), 0u, n); });
    check_y("exclusive maxima", s, s->maxima, n);

    poison_y(s, n);
    CHECK(cudaMemcpy(d_lines, s->h_lines, n * sizeof(Line), cudaMemcpyHostToDevice));
    call_twice(&s->storage,
               [=](void *d_storage, size_t &bytes) {
                   return cub::DeviceScan::InclusiveScan(d_storage, bytes, d_lines, d_lines,
                                                         Compose(), n);
               });
    if (n > 0)
    {
        take_solution<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_lines, d_y, n);
        CHECK_LAUNCH();
    }
    check_y("recurrence", s, s->solution, n);
}

// No element, sizes around each power of 2, and `largest`.
void check_sizes(size_t largest, uint64_t seed)
{
    const size_t bytes = largest * sizeof(unsigned);
    Scans s = {};
    s.h_x = (unsigned *)malloc(bytes);
    s.h_y = (unsigned *)malloc(bytes + sizeof(unsigned));
    s.h_lines = (Line *)malloc(largest * sizeof(Line));
    s.sums = (unsigned *)malloc(bytes + sizeof(unsigned));
    s.products = (unsigned *)malloc(bytes);
    s.maxima = (unsigned *)malloc(bytes);
    s.solution = (unsigned *)malloc(bytes);
    CHECK(cudaMalloc(&s.d_x, bytes));
    CHECK(cudaMalloc(&s.d_y, bytes + sizeof(unsigned)));
    CHECK(cudaMalloc(&s.d_lines, largest * sizeof(Line)));
    compute_references(&s, largest, seed);
    CHECK(cudaMemcpy(s.d_x, s.h_x, bytes, cudaMemcpyHostToDevice));

    for (int doublings = 0; doublings <= MOST_DOUBLINGS; ++doublings)
    {
        const size_t power = (size_t)1 << doublings;
        for (size_t n = power - 1; n <= power + 1; ++n)
        {
            check_sums(&s, n);
            check_other_operators(&s, n);
        }
    }
    check_sums(&s, largest);
    check_other_operators(&s, largest);

    CHECK(cudaFree(s.storage.d_data));
    CHECK(cudaFree(s.d_x));
    CHECK(cudaFree(s.d_y));
    CHECK(cudaFree(s.d_lines));
    free(s.h_x);
    free(s.h_y);
    free(s.h_lines);
    free(s.sums);
    free(s.products);
    free(s.maxima);
    free(s.solution);
}

// ---- The table

struct Data
{
    size_t N;
    bool is_exact; // every partial sum is a number of the type
    const real *h_x;
    real *h_y, *d_x, *d_y;
    double *sums; // sums[n]: of the first n elements
    real *maxima;
    void *d_storage; // for any of the scans
    size_t bytes;
};

// After h_x has changed: the copy on the device, and what the scans should be.
void take_numbers(Data *data, bool is_exact)
{
    const size_t N = data->N;
    const real *x = data->h_x;
    CHECK(cudaMemcpy(data->d_x, x, N * sizeof(real), cudaMemcpyHostToDevice));
    data->sums[0] = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        data->sums[n + 1] = data->sums[n] + x[n];
        data->maxima[n] = n > 0 ? std::max(data->maxima[n - 1], x[n]) : x[n];
    }
    data->is_exact = is_exact;
}

// The set-up of each run, for the scan in place.
void copy_x_to_y(Data *data)
{
    CHECK(cudaMemcpyAsync(data->d_y, data->d_x, data->N * sizeof(real), cudaMemcpyDeviceToDevice));
}

void scan_on_host(Data *data)
{
    real sum = 0.0;
    for (size_t n = 0; n < data->N; ++n)
    {
        sum += data->h_x[n];
        data->h_y[n] = sum;
    }
}

void check_scan(Table<Data> *table, const Data *data, const double *reference, double additions)
{
    check_elements(table->checking, data->h_y, reference, data->N,
                   data->is_exact ? 0.0 : additions * REAL_EPSILON);
    table->result = (double)data->h_y[data->N - 1];
    table->error = largest_error(data->h_y, reference, data->N);
}

void check_cpu(Table<Data> *table, const Data *data)
{
    check_scan(table, data, data->sums + 1, data->N);
}

// CUB does not say how it adds. An element passes through its tile, and the total of each tile
// through those after it.
double most_additions(size_t N) { return 2048.0 + N / 1024; }

void check_inclusive(Table<Data> *table, const Data *data)
{
    check_scan(table, data, data->sums + 1, most_additions(data->N));
}

void check_exclusive(Table<Data> *table, const Data *data)
{
    check_scan(table, data, data->sums, most_additions(data->N));
}

void check_maximum(Table<Data> *table, const Data *data)
{
    check_elements(table->checking, data->h_y, data->maxima, data->N);
    table->result = (double)data->h_y[data->N - 1];
    table->error = largest_error(data->h_y, data->maxima, data->N);
}

using cub::DeviceScan;

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "one after the other, on the host", ON_HOST, scan_on_host, check_cpu},
    {"inclusive", "cub::DeviceScan::InclusiveSum", ON_DEVICE,
     [](D d) { CHECK(DeviceScan::InclusiveSum(d->d_storage, d->bytes, d->d_x, d->d_y, d->N)); },
     check_inclusive},
    {"exclusive", "cub::DeviceScan::ExclusiveSum", ON_DEVICE,
     [](D d) { CHECK(DeviceScan::ExclusiveSum(d->d_storage, d->bytes, d->d_x, d->d_y, d->N)); },
     check_exclusive},
    {"in-place", "the exclusive sums take the place of the elements", ON_DEVICE,
     [](D d) { CHECK(DeviceScan::ExclusiveSum(d->d_storage, d->bytes, d->d_y, d->d_y, d->N)); },
     check_exclusive},
    {"maximum", "cub::DeviceScan::InclusiveScan with an operator of our own", ON_DEVICE,
     [](D d)
     { CHECK(DeviceScan::InclusiveScan(d->d_storage, d->bytes, d->d_x, d->d_y, Maximum(), d->N)); },
     check_maximum},
};

// The storage that the largest of these scans needs, found by a first call of each.
size_t storage_for(const Data *data)
{
    const real *d_x = data->d_x;
    real *d_y = data->d_y;
    size_t bytes[3];
    CHECK(DeviceScan::InclusiveSum(NULL, bytes[0], d_x, d_y, data->N));
    CHECK(DeviceScan::ExclusiveSum(NULL, bytes[1], d_x, d_y, data->N));
    CHECK(DeviceScan::InclusiveScan(NULL, bytes[2], d_x, d_y, Maximum(), data->N));
    return *std::max_element(bytes, bytes + 3);
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 1000000);
    // Of the table: x, y and the storage. Of check_sizes: three arrays, the lines of two numbers.
    args.bytes_per_element = std::max(2 * sizeof(real) + 1, 4 * sizeof(unsigned) + 1);
    args.bytes_on_host = std::max(3 * sizeof(real) + sizeof(double), 8 * sizeof(unsigned));
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cub-scan: scans of a whole array by CUB, whose every call is made twice");
    const size_t N = args.N, x_bytes = N * sizeof(real);
    if (CUB_VERSION < 300000 && N > INT_MAX)
    {
        usage_error("the DeviceScan of CUDA 12 counts in int: at most %d elements", INT_MAX);
    }

    scan_book();
    const size_t largest_power = ((size_t)1 << MOST_DOUBLINGS) + 1;
    check_sizes(std::max(largest_power, std::min(N, LARGEST_CHECKED)), args.seed);

    real *h_x = (real *)malloc(x_bytes);
    Data data = {};
    data.N = N;
    data.h_x = h_x;
    data.h_y = (real *)malloc(x_bytes);
    data.maxima = (real *)malloc(x_bytes);
    data.sums = (double *)malloc((N + 1) * sizeof(double));
    CHECK(cudaMalloc(&data.d_x, x_bytes));
    CHECK(cudaMalloc(&data.d_y, x_bytes));
    data.bytes = storage_for(&data);
    CHECK(cudaMalloc(&data.d_storage, data.bytes));
    print_note("temporary storage for %zu elements: %zu bytes\n", N, data.bytes);

    Table<Data> table;
    table.data = &data;
    table.setup = copy_x_to_y;
    table.outputs[0] = {data.h_y, data.d_y, x_bytes};
    table.bytes = 2.0 * x_bytes;
    table.ceiling = copy_ceiling;

    fill_integers(h_x, N, args.seed);
    take_numbers(&data, true);
    check_versions(&table, VERSIONS);

    fill_random(h_x, N, args.seed);
    take_numbers(&data, false);
    run_versions(&table, VERSIONS);

    CHECK(cudaFree(data.d_x));
    CHECK(cudaFree(data.d_y));
    CHECK(cudaFree(data.d_storage));
    free(h_x);
    free(data.h_y);
    free(data.maxima);
    free(data.sums);
    return verdict();
}
