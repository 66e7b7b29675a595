// cufft-shapes: M x N numbers transformed as rows, as columns, as an image, and as one long signal
//
// From:    section 20.3, where the book is empty
// Compile: nvcc -O3 cufft-shapes.cu -lcufft
// Run:     ./a.out -n 2048x4096
// Libs:    -lcufft
//
// A plan says how the numbers of a signal lie in memory. Some bins of each result are compared with
// the sum on the host, and all of them with Parseval's theorem. Then the program transforms back,
// and in place. The table at the end has the rates. With -DUSE_DP the numbers are doubles.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
#include "../common/require_memory.cuh"
#include "dft.cuh"

enum Shape
{
    ROWS,    // M signals of N numbers each
    COLUMNS, // N signals of M numbers each, which lie N apart
    IMAGE,   // two dimensions: first all rows, then all columns
    LONG,    // one signal of M N numbers
    NUM_SHAPES
};

const char *const SHAPE_NAMES[NUM_SHAPES] = {"rows", "columns", "image", "long"};

// A plan may need a work area. The plans here share one: make_plan makes none, and returns the size
// for this plan.
size_t make_plan(cufftHandle *plan, Shape shape, cufftType type, int M, int N)
{
    size_t bytes = 0;
    CHECK_CUFFT(cufftCreate(plan));
    CHECK_CUFFT(cufftSetAutoAllocation(*plan, 0));
    switch (shape)
    {
    case ROWS:
        CHECK_CUFFT(cufftMakePlan1d(*plan, N, type, M, &bytes));
        break;
    case COLUMNS: // the numbers of a signal are N apart, and the signals 1: on input and on output
        CHECK_CUFFT(cufftMakePlanMany(*plan, 1, &M, &M, N, 1, &M, N, 1, type, N, &bytes));
        break;
    case IMAGE:
        CHECK_CUFFT(cufftMakePlan2d(*plan, M, N, type, &bytes));
        break;
    default:
        CHECK_CUFFT(cufftMakePlan1d(*plan, M * N, type, 1, &bytes));
    }
    return bytes;
}

// The numbers in one signal, and in all its dimensions.
size_t length_of(Shape shape, size_t M, size_t N)
{
    return shape == ROWS ? N : shape == COLUMNS ? M : M * N;
}

// The bins that lie side by side. Of real numbers only the first half is there.
size_t width_of(Shape shape, size_t M, size_t N, bool of_reals)
{
    const size_t row = shape == LONG ? M * N : N;
    return of_reals ? row / 2 + 1 : row;
}

double energy_of(const Complex *x, size_t count)
{
    Sum energy;
    for (size_t n = 0; n < count; ++n)
    {
        const double re = x[n].x, im = x[n].y;
        energy.add(re * re + im * im);
    }
    return energy.value();
}

// Some bins against the sum on the host: the last one, and NUM_BINS - 1 random ones. A bin may be
// small by chance. So the error is relative to NUM_BINS bins of average size, which Parseval's
// theorem gives.
const int NUM_BINS = 4;

double compare_bins(const char *what, Shape shape, const Complex *X, const Complex *x, size_t M,
                    size_t N, bool of_reals, uint64_t seed)
{
    const size_t width = width_of(shape, M, N, of_reals);
    const size_t height = shape == LONG ? 1 : M;
    const Roots roots(shape == COLUMNS ? M : shape == LONG ? M * N : N), down(M);
    Error error;
    for (int i = 0; i < NUM_BINS; ++i)
    {
        const size_t row = i == 0 ? height - 1 : random_below(seed, 2 * i, (uint32_t)height);
        const size_t column = i == 0 ? width - 1 : random_below(seed, 2 * i + 1, (uint32_t)width);
        double2 should;
        if (shape == COLUMNS)
        {
            should = direct_bin(x + column, N, row, roots);
        }
        else if (shape == IMAGE)
        {
            std::vector<double2> bins(M);
            for (size_t m = 0; m < M; ++m)
            {
                bins[m] = direct_bin(x + m * N, 1, column, roots);
            }
            should = direct_bin(bins.data(), 1, row, down);
        }
        else
        {
            should = direct_bin(x + row * N, 1, column, roots);
        }
        error.add(as_double(X[row * width + column]), should);
    }
    error.size = NUM_BINS * energy_of(x, M * N) / (double)(M * N) * length_of(shape, M, N);
    return check_error(what, "bins", error);
}

// Parseval's theorem: sum |X|^2 = N sum |x|^2. Of real numbers only the bins 0 ... N/2 are there.
// Each of them counts twice, for k and N - k. Only bin 0 and bin N/2 (if N is even) count once.
double compare_energy(const char *what, Shape shape, const Complex *X, const Complex *x, size_t M,
                      size_t N, bool of_reals)
{
    const size_t width = width_of(shape, M, N, of_reals), height = shape == LONG ? 1 : M;
    const size_t row_length = shape == LONG ? M * N : N;
    Sum is;
    for (size_t n = 0; n < height * width; ++n)
    {
        const size_t k = n % width;
        const bool twice = of_reals && k > 0 && 2 * k != row_length;
        const double re = X[n].x, im = X[n].y;
        is.add((twice ? 2.0 : 1.0) * (re * re + im * im));
    }
    const double wanted = energy_of(x, M * N) * (double)length_of(shape, M, N);
    const double error = fabs(is.value() - wanted) / wanted;
    char text[128];
    snprintf(text, sizeof(text), "%s, Parseval: relative error %.3g", what, error);
    check_true(text, error <= TOLERANCE);
    return error;
}

// ---- The plans and the arrays ----

struct Plans
{
    cufftHandle complex[NUM_SHAPES];                      // forward and inverse
    cufftHandle forward[NUM_SHAPES], inverse[NUM_SHAPES]; // of real numbers; none for COLUMNS
    size_t work_bytes;
    void *d_work;
};

Plans make_plans(int M, int N)
{
    Plans plans;
    plans.work_bytes = 1;
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        size_t bytes = make_plan(&plans.complex[shape], shape, C2C, M, N);
        if (shape != COLUMNS)
        {
            bytes = std::max(bytes, make_plan(&plans.forward[shape], shape, R2C, M, N));
            bytes = std::max(bytes, make_plan(&plans.inverse[shape], shape, C2R, M, N));
        }
        plans.work_bytes = std::max(plans.work_bytes, bytes);
    }
    return plans;
}

// One work area for all plans, so they must not run at the same time.
void share_work_area(Plans *plans)
{
    CHECK(cudaMalloc(&plans->d_work, plans->work_bytes));
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        CHECK_CUFFT(cufftSetWorkArea(plans->complex[shape], plans->d_work));
        if (shape != COLUMNS)
        {
            CHECK_CUFFT(cufftSetWorkArea(plans->forward[shape], plans->d_work));
            CHECK_CUFFT(cufftSetWorkArea(plans->inverse[shape], plans->d_work));
        }
    }
}

void destroy_plans(const Plans *plans)
{
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        CHECK_CUFFT(cufftDestroy(plans->complex[shape]));
        if (shape != COLUMNS)
        {
            CHECK_CUFFT(cufftDestroy(plans->forward[shape]));
            CHECK_CUFFT(cufftDestroy(plans->inverse[shape]));
        }
    }
    CHECK(cudaFree(plans->d_work));
}

struct Data
{
    Plans plans;
    size_t M, N, bytes, real_bytes; // of M N complex numbers, and of as many reals
    uint64_t seed;
    Complex *h_x, *h_X; // the numbers, and what came back from the device
    real *h_real;       // their real parts
    Complex *d_x, *d_X, *d_back;
    real *d_real;
};

void copy_back(const Data *d, const void *device, size_t bytes)
{
    poison(d->h_X, d->bytes);
    CHECK(cudaMemcpy(d->h_X, device, bytes, cudaMemcpyDeviceToHost));
}

// Bytes of the bins of real numbers.
size_t bin_bytes(const Data *d, Shape shape)
{
    const size_t rows = shape == LONG ? 1 : d->M;
    return rows * width_of(shape, d->M, d->N, true) * sizeof(Complex);
}

// ---- The transforms ----

// Complex numbers: forward and inverse, into other arrays and in place.
void transform_complex(const Data *d, Shape shape)
{
    const char *name = SHAPE_NAMES[shape];
    const size_t M = d->M, N = d->N, bytes = d->bytes;
    const double length = (double)length_of(shape, M, N);
    const cufftHandle plan = d->plans.complex[shape];
    CHECK(cudaMemset(d->d_X, POISON_BYTE, bytes));
    CHECK_CUFFT(execute(plan, d->d_x, d->d_X, CUFFT_FORWARD));
    copy_back(d, d->d_X, bytes);
    const double bins = compare_bins(name, shape, d->h_X, d->h_x, M, N, false, d->seed);
    const double energy = compare_energy(name, shape, d->h_X, d->h_x, M, N, false);

    CHECK(cudaMemset(d->d_back, POISON_BYTE, bytes));
    CHECK_CUFFT(execute(plan, d->d_X, d->d_back, CUFFT_INVERSE));
    copy_back(d, d->d_back, bytes);
    const double back = compare_back(name, "back", &d->h_X[0].x, &d->h_x[0].x, 2 * M * N, length);

    CHECK(cudaMemcpy(d->d_back, d->d_x, bytes, cudaMemcpyDeviceToDevice));
    CHECK_CUFFT(execute(plan, d->d_back, d->d_back, CUFFT_FORWARD));
    copy_back(d, d->d_back, bytes);
    compare_bins(name, shape, d->h_X, d->h_x, M, N, false, d->seed + 1);
    CHECK_CUFFT(execute(plan, d->d_back, d->d_back, CUFFT_INVERSE));
    copy_back(d, d->d_back, bytes);
    const double in_place =
        compare_back(name, "back in place", &d->h_X[0].x, &d->h_x[0].x, 2 * M * N, length);
    print_note("%-12s %9.2g %9.2g %9.2g %9.2g\n", name, bins, energy, back, in_place);
}

// From here on the numbers have no imaginary parts.
void drop_imaginary_parts(const Data *d)
{
    for (size_t n = 0; n < d->M * d->N; ++n)
    {
        d->h_real[n] = d->h_x[n].x;
        d->h_x[n].y = 0;
    }
    CHECK(cudaMemcpy(d->d_real, d->h_real, d->real_bytes, cudaMemcpyHostToDevice));
}

void transform_reals(const Data *d, Shape shape)
{
    char name[32];
    snprintf(name, sizeof(name), "%s-real", SHAPE_NAMES[shape]);
    const size_t M = d->M, N = d->N;
    const double length = (double)length_of(shape, M, N);
    CHECK(cudaMemset(d->d_X, POISON_BYTE, d->bytes));
    CHECK_CUFFT(execute(d->plans.forward[shape], d->d_real, d->d_X));
    copy_back(d, d->d_X, bin_bytes(d, shape));
    const double bins = compare_bins(name, shape, d->h_X, d->h_x, M, N, true, d->seed);
    const double energy = compare_energy(name, shape, d->h_X, d->h_x, M, N, true);

    // C2R may use its input as work space: after it d_X has no meaning.
    CHECK(cudaMemset(d->d_back, POISON_BYTE, d->bytes));
    CHECK_CUFFT(execute(d->plans.inverse[shape], d->d_X, (real *)d->d_back));
    copy_back(d, d->d_back, d->real_bytes);
    const double back = compare_back(name, "back", (real *)d->h_X, d->h_real, M * N, length);
    print_note("%-12s %9.2g %9.2g %9.2g\n", name, bins, energy, back);
}

// In place, a row of N reals must have room for its N/2 + 1 bins: 2 (N/2 + 1) reals.
void transform_reals_in_place(const Data *d)
{
    const size_t M = d->M, N = d->N, row = N * sizeof(real);
    const size_t padded = 2 * width_of(IMAGE, M, N, true) * sizeof(real);
    CHECK(cudaMemset(d->d_back, POISON_BYTE, d->bytes));
    CHECK(cudaMemcpy2D(d->d_back, padded, d->d_real, row, row, M, cudaMemcpyDeviceToDevice));
    CHECK_CUFFT(execute(d->plans.forward[IMAGE], (real *)d->d_back, d->d_back));
    copy_back(d, d->d_back, M * padded);
    compare_bins("image-real in place", IMAGE, d->h_X, d->h_x, M, N, true, d->seed + 1);
}

// ---- The rates ----

void show_rates(const Data *d)
{
    const double numbers = (double)d->M * d->N;
    const double log_M = log2((double)d->M), log_N = log2((double)d->N);
    const double logs[NUM_SHAPES] = {log_N, log_M, log_M + log_N, log_M + log_N};
    const Ceilings ceilings = measure_ceilings(2.0 * d->bytes);
    print_rate_titles(ceilings);
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        const auto transform = [&]
        {
            CHECK_CUFFT(execute(d->plans.complex[shape], d->d_x, d->d_X, CUFFT_FORWARD));
        };
        time_and_print(ceilings, SHAPE_NAMES[shape], 5.0 * numbers * logs[shape], 2.0 * d->bytes,
                       transform);
    }
    for (const Shape shape : {ROWS, IMAGE, LONG})
    {
        char name[32];
        snprintf(name, sizeof(name), "%s-real", SHAPE_NAMES[shape]);
        const auto transform = [&]
        {
            CHECK_CUFFT(execute(d->plans.forward[shape], d->d_real, d->d_X));
        };
        time_and_print(ceilings, name, 2.5 * numbers * logs[shape],
                       (double)d->real_bytes + bin_bytes(d, shape), transform);
    }
}

int main(int argc, char **argv)
{
    args.M = default_size(2048, 256);
    args.N = default_size(4096, 512);
    args.bytes_per_element = 4 * sizeof(Complex) + sizeof(real);
    args.bytes_on_host = 3 * sizeof(Complex);
    args.columns = RATE_COLUMNS;
    parse_args(argc, argv, "-n MxN -r R -s S --csv",
               "cufft-shapes: M x N numbers transformed as rows, as columns, as an image, and as "
               "one long signal");
    if (args.M > INT_MAX / args.N) // no product: it could overflow
    {
        usage_error("a plan has at most %d numbers here, not %zux%zu", INT_MAX, args.M, args.N);
    }
    print_library();

    Data data;
    data.M = args.M;
    data.N = args.N;
    data.seed = args.seed;
    data.bytes = args.M * args.N * sizeof(Complex);
    data.real_bytes = args.M * args.N * sizeof(real);
    data.plans = make_plans((int)args.M, (int)args.N);
    require_memory(2.0 * data.bytes + 2.0 * data.real_bytes,
                   3.0 * data.bytes + data.real_bytes + data.plans.work_bytes);
    share_work_area(&data.plans);
    data.h_x = (Complex *)malloc(data.bytes);
    data.h_X = (Complex *)malloc(data.bytes);
    data.h_real = (real *)malloc(data.real_bytes);
    CHECK(cudaMalloc(&data.d_x, data.bytes));
    CHECK(cudaMalloc(&data.d_X, data.bytes));
    CHECK(cudaMalloc(&data.d_back, data.bytes));
    CHECK(cudaMalloc(&data.d_real, data.real_bytes));

    print_note("M x N = %zu x %zu, work area %.4g MB; relative errors:\n", args.M, args.N,
               data.plans.work_bytes * 1e-6);
    print_note("%-12s %9s %9s %9s %9s\n", "", "bins", "Parseval", "back", "in place");
    fill_signal(&data.h_x[0].x, 2 * args.M * args.N, args.seed);
    CHECK(cudaMemcpy(data.d_x, data.h_x, data.bytes, cudaMemcpyHostToDevice));
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        transform_complex(&data, shape);
    }
    drop_imaginary_parts(&data);
    for (const Shape shape : {ROWS, IMAGE, LONG})
    {
        transform_reals(&data, shape);
    }
    transform_reals_in_place(&data);
    show_rates(&data);

    destroy_plans(&data.plans);
    for (Complex *array : {data.d_x, data.d_X, data.d_back})
    {
        CHECK(cudaFree(array));
    }
    CHECK(cudaFree(data.d_real));
    free(data.h_x);
    free(data.h_X);
    free(data.h_real);
    return verdict();
}
