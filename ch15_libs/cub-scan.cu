// cub-scan: scans of a whole array by CUB, whose every call is made twice
//
// From:    sections 16.2, 16.2.1 and 16.2.2
// Compile: nvcc -O3 cub-scan.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --csv
// Versions:
//   cpu        one after the other, on the host
//   inclusive  cub::DeviceScan::InclusiveSum
//   exclusive  cub::DeviceScan::ExclusiveSum
//   in-place   the exclusive sums take the place of the elements
//   maximum    cub::DeviceScan::InclusiveScan with an operator of our own
// Checks:  404
// Chinese: 用 CUB 对整个数组做扫描：每个函数要调用两次，第一次只问需要多少临时存储
//
// The draft of section 16.2 repeats the text on Thrust. This program does the book's example of a
// scan (16.1.4) by CUB. The program scan of chapter 11 has scans written by hand.

#include <cub/device/device_scan.cuh>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"

const size_t BOOK_N = 10;
const int BLOCK_SIZE = 128;
const int MOST_DOUBLINGS = 20;           // the sizes that are checked: 2^0 - 1 to 2^20 + 1 ...
const size_t LARGEST_CHECKED = 10000000; // ... and N, or this if N is larger

const unsigned POISON = 0x01010101u * POISON_BYTE; // four such bytes

// An operator is a class with this function. CUB calls it on the device. It must be associative:
// (a op b) op c = a op (b op c). It need not commute.
struct Product
{
    __host__ __device__ unsigned operator()(unsigned a, unsigned b) const
    {
        return a * b;
    }
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

void print_row(const char *what, const unsigned *y, size_t N)
{
    printf("%-14s", what);
    for (size_t n = 0; n < N; ++n)
    {
        printf(" %u", y[n]);
    }
    printf("\n");
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

// The book's example: the numbers 1 to 10.
void scan_book(bool prints)
{
    const unsigned sums[] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
    const unsigned products[] = {1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800};
    const size_t x_bytes = BOOK_N * sizeof(unsigned);
    unsigned h_x[BOOK_N], h_y[BOOK_N], *d_x, *d_y;
    for (size_t n = 0; n < BOOK_N; ++n)
    {
        h_x[n] = n + 1;
    }
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, x_bytes));
    CHECK(cudaMemcpy(d_x, h_x, x_bytes, cudaMemcpyHostToDevice));

    // CUB never allocates memory itself. The first call has no storage. It scans nothing and writes
    // to `bytes` how much storage the second one needs. The second call is the same, and scans.
    void *d_storage = NULL;
    size_t bytes = 0;
    CHECK(cub::DeviceScan::InclusiveSum(d_storage, bytes, d_x, d_y, BOOK_N));
    CHECK(cudaMalloc(&d_storage, bytes));
    CHECK(cub::DeviceScan::InclusiveSum(d_storage, bytes, d_x, d_y, BOOK_N));
    CHECK(cudaMemcpy(h_y, d_y, x_bytes, cudaMemcpyDeviceToHost));
    check_elements("book: inclusive sums", h_y, sums + 1, BOOK_N);
    if (prints)
    {
        print_row("x", h_x, BOOK_N);
        print_row("inclusive", h_y, BOOK_N);
    }

    // One byte less is an error, and nothing is written.
    poison(h_y, x_bytes);
    CHECK(cudaMemcpy(d_y, h_y, x_bytes, cudaMemcpyHostToDevice));
    size_t too_few = bytes - 1;
    const cudaError_t refused = cub::DeviceScan::InclusiveSum(d_storage, too_few, d_x, d_y, BOOK_N);
    check_true("book: too little storage is refused", refused == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(h_y, d_y, x_bytes, cudaMemcpyDeviceToHost));
    check_true("book: too little storage, and nothing is written",
               std::count(h_y, h_y + BOOK_N, POISON) == (ptrdiff_t)BOOK_N);
    CHECK(cudaFree(d_storage));

    Storage storage = {};
    call_twice(&storage, [&](void *d_storage, size_t &bytes)
               { return cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_x, d_y, BOOK_N); });
    CHECK(cudaMemcpy(h_y, d_y, x_bytes, cudaMemcpyDeviceToHost));
    check_elements("book: exclusive sums", h_y, sums, BOOK_N);
    if (prints)
    {
        print_row("exclusive", h_y, BOOK_N);
    }

    call_twice(
        &storage, [&](void *d_storage, size_t &bytes)
        { return cub::DeviceScan::InclusiveScan(d_storage, bytes, d_x, d_y, Product(), BOOK_N); });
    CHECK(cudaMemcpy(h_y, d_y, x_bytes, cudaMemcpyDeviceToHost));
    check_elements("book: inclusive products", h_y, products, BOOK_N);
    if (prints)
    {
        print_row("products", h_y, BOOK_N);
    }
    CHECK(cudaFree(storage.d_data));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
}

// Scans of the first n elements, for many n. Unsigned numbers wrap around at 2^32, so all results
// are exact, in whatever order CUB adds. The host computes each scan once, for the largest n. The
// scan of fewer elements is the beginning of it.
void check_sizes(size_t largest, size_t seed)
{
    const size_t bytes = largest * sizeof(unsigned);
    unsigned *h_x = (unsigned *)malloc(bytes), *h_y = (unsigned *)malloc(bytes + sizeof(unsigned));
    unsigned *sums = (unsigned *)malloc(bytes + sizeof(unsigned)); // sums[n]: of n elements
    unsigned *products = (unsigned *)malloc(bytes), *maxima = (unsigned *)malloc(bytes);
    unsigned *solution = (unsigned *)malloc(bytes);
    Line *h_lines = (Line *)malloc(largest * sizeof(Line));
    unsigned sum = 0, product = 1, maximum = 0, y = 0;
    sums[0] = 0;
    for (size_t n = 0; n < largest; ++n)
    {
        h_x[n] = (unsigned)hash_bits(seed, n) | 1; // odd: a product of 32 even numbers would be 0
        h_lines[n] = {h_x[n], (unsigned)hash_bits(seed + 1, n)};
        maxima[n] = maximum; // exclusive
        sum += h_x[n];
        product *= h_x[n];
        maximum = std::max(maximum, h_x[n]);
        y = h_lines[n].a * y + h_lines[n].b;
        sums[n + 1] = sum;
        products[n] = product;
        solution[n] = y;
    }

    unsigned *d_x, *d_y;
    Line *d_lines;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes + sizeof(unsigned)));
    CHECK(cudaMalloc(&d_lines, largest * sizeof(Line)));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    // The element behind the last one must stay as it was.
    Storage storage = {};
    size_t n = 0;
    const auto check = [&](const char *what, const unsigned *reference)
    {
        char text[64];
        snprintf(text, sizeof(text), "%s of %zu elements", what, n);
        CHECK(cudaMemcpy(h_y, d_y, (n + 1) * sizeof(unsigned), cudaMemcpyDeviceToHost));
        const bool is_right = n == 0 || memcmp(h_y, reference, n * sizeof(unsigned)) == 0;
        check_true(text, is_right && h_y[n] == POISON);
    };
    const auto poison_y = [&]
    {
        CHECK(cudaMemset(d_y, POISON_BYTE, (n + 1) * sizeof(unsigned)));
    };
    const auto check_all = [&]
    {
        poison_y();
        call_twice(&storage,
                   [&](void *d_storage, size_t &storage_bytes) {
                       return cub::DeviceScan::InclusiveSum(d_storage, storage_bytes, d_x, d_y, n);
                   });
        check("inclusive sums", sums + 1);

        poison_y();
        call_twice(&storage,
                   [&](void *d_storage, size_t &storage_bytes) {
                       return cub::DeviceScan::ExclusiveSum(d_storage, storage_bytes, d_x, d_y, n);
                   });
        check("exclusive sums", sums);

        poison_y();
        CHECK(cudaMemcpy(d_y, d_x, n * sizeof(unsigned), cudaMemcpyDeviceToDevice));
        call_twice(&storage,
                   [&](void *d_storage, size_t &storage_bytes) {
                       return cub::DeviceScan::ExclusiveSum(d_storage, storage_bytes, d_y, d_y, n);
                   });
        check("exclusive sums in place", sums);

        poison_y();
        call_twice(&storage,
                   [&](void *d_storage, size_t &storage_bytes) {
                       return cub::DeviceScan::InclusiveScan(d_storage, storage_bytes, d_x, d_y,
                                                             Product(), n);
                   });
        check("inclusive products", products);

        // The number before the size is the first result. No x is below it.
        poison_y();
        call_twice(&storage,
                   [&](void *d_storage, size_t &storage_bytes) {
                       return cub::DeviceScan::ExclusiveScan(d_storage, storage_bytes, d_x, d_y,
                                                             Maximum(), 0u, n);
                   });
        check("exclusive maxima", maxima);

        poison_y();
        CHECK(cudaMemcpy(d_lines, h_lines, n * sizeof(Line), cudaMemcpyHostToDevice));
        call_twice(&storage,
                   [&](void *d_storage, size_t &storage_bytes)
                   {
                       return cub::DeviceScan::InclusiveScan(d_storage, storage_bytes, d_lines,
                                                             d_lines, Compose(), n);
                   });
        if (n > 0)
        {
            take_solution<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_lines, d_y, n);
            CHECK_LAUNCH();
        }
        check("recurrence", solution);
    };
    for (int doublings = 0; doublings <= MOST_DOUBLINGS; ++doublings)
    {
        for (n = ((size_t)1 << doublings) - 1; n <= ((size_t)1 << doublings) + 1; ++n)
        {
            check_all();
        }
    }
    n = largest;
    check_all();

    CHECK(cudaFree(storage.d_data));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_lines));
    free(h_x);
    free(h_y);
    free(sums);
    free(products);
    free(maxima);
    free(solution);
    free(h_lines);
}

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    size_t N = 0;
    real *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL;
    double *sums = NULL; // sums[n]: of the first n elements
    real *maxima = NULL;
    void *d_storage = NULL;
    size_t bytes = 0;      // of the storage
    bool is_exact = false; // whether every partial sum is a number of the type
    const auto check_sums = [&](const double *reference, double additions)
    {
        check_elements(ladder.checking, h_y, reference, N,
                       is_exact ? 0.0 : additions * REAL_EPSILON);
        ladder.result = (double)h_y[N - 1];
        ladder.error = largest_error(h_y, reference, N);
    };
    // CUB does not say how it adds. An element passes through its tile, and the total of each tile
    // through those after it.
    const auto most_additions = [&]
    {
        return 2048.0 + N / 1024;
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
            [&] { check_sums(sums + 1, N); }),
        on_device(
            "inclusive",
            [&] { CHECK(cub::DeviceScan::InclusiveSum(d_storage, bytes, d_x, d_y, N)); },
            [&] { check_sums(sums + 1, most_additions()); }),
        on_device(
            "exclusive",
            [&] { CHECK(cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_x, d_y, N)); },
            [&] { check_sums(sums, most_additions()); }),
        on_device(
            "in-place",
            [&] { CHECK(cub::DeviceScan::ExclusiveSum(d_storage, bytes, d_y, d_y, N)); },
            [&] { check_sums(sums, most_additions()); }),
        on_device(
            "maximum",
            [&]
            { CHECK(cub::DeviceScan::InclusiveScan(d_storage, bytes, d_x, d_y, Maximum(), N)); },
            [&]
            {
                check_elements(ladder.checking, h_y, maxima, N);
                ladder.result = (double)h_y[N - 1];
                ladder.error = largest_error(h_y, maxima, N);
            }),
    };

    args.N = default_size(100000000, 1000000);
    // Of the table: x, y and the storage. Of check_sizes: three arrays, the lines of two numbers.
    args.bytes_per_element = std::max(2 * sizeof(real) + 1, 4 * sizeof(unsigned) + 1);
    args.bytes_on_host = std::max(3 * sizeof(real) + sizeof(double), 8 * sizeof(unsigned));
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --csv",
               "cub-scan: scans of a whole array by CUB, whose every call is made twice");
    N = args.N;
    if (CUB_VERSION < 300000 && N > INT_MAX)
    {
        usage_error(&args, "the DeviceScan of CUDA 12 counts in int: at most %d elements", INT_MAX);
    }

    scan_book(!args.csv);
    const size_t largest_power = ((size_t)1 << MOST_DOUBLINGS) + 1;
    check_sizes(std::max(largest_power, std::min(N, LARGEST_CHECKED)), args.seed);

    const size_t x_bytes = N * sizeof(real);
    h_x = (real *)malloc(x_bytes);
    h_y = (real *)malloc(x_bytes);
    maxima = (real *)malloc(x_bytes);
    sums = (double *)malloc((N + 1) * sizeof(double));
    CHECK(cudaMalloc(&d_x, x_bytes));
    CHECK(cudaMalloc(&d_y, x_bytes));

    // One storage for all scans: as large as the largest needs.
    size_t needed[3];
    CHECK(cub::DeviceScan::InclusiveSum(NULL, needed[0], d_x, d_y, N));
    CHECK(cub::DeviceScan::ExclusiveSum(NULL, needed[1], d_x, d_y, N));
    CHECK(cub::DeviceScan::InclusiveScan(NULL, needed[2], d_x, d_y, Maximum(), N));
    bytes = *std::max_element(needed, needed + 3);
    CHECK(cudaMalloc(&d_storage, bytes));
    print_note("temporary storage for %zu elements: %zu bytes\n", N, bytes);

    const auto take_data = [&]
    {
        CHECK(cudaMemcpy(d_x, h_x, x_bytes, cudaMemcpyHostToDevice));
        sums[0] = 0.0;
        for (size_t n = 0; n < N; ++n)
        {
            sums[n + 1] = sums[n] + h_x[n];
            maxima[n] = n > 0 ? std::max(maxima[n - 1], h_x[n]) : h_x[n];
        }
    };
    ladder.setup = [&]
    {
        CHECK(cudaMemcpyAsync(d_y, d_x, x_bytes, cudaMemcpyDeviceToDevice)); // for in-place
    };
    ladder.outputs[0] = {h_y, d_y, x_bytes};
    ladder.bytes = 2.0 * x_bytes;
    ladder.ceiling = COPY_CEILING;

    fill_integers(h_x, N, args.seed);
    take_data();
    is_exact = true;
    check_versions(&args, &ladder, versions);

    fill_random(h_x, N, args.seed);
    take_data();
    is_exact = false;
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_storage));
    free(h_x);
    free(h_y);
    free(maxima);
    free(sums);
    return verdict();
}
