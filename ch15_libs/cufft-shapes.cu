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

static size_t M, N;
static size_t bytes, real_bytes; // of M N complex numbers, and of as many reals
static Complex *h_x, *h_X;       // the numbers, and what came back from the device
static real *h_real;             // their real parts
static Complex *d_x, *d_X, *d_back;
static real *d_real;

static cufftHandle complex_plans[NUM_SHAPES]; // forward and inverse
static cufftHandle forward_plans[NUM_SHAPES]; // of real numbers; none for COLUMNS
static cufftHandle inverse_plans[NUM_SHAPES];
static size_t work_bytes;
static void *d_work; // one work area for all plans

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
    Sum energy = {};
    for (size_t n = 0; n < count; ++n)
    {
        const double re = x[n].x, im = x[n].y;
        add_term(&energy, re * re + im * im);
    }
    return value_of(&energy);
}

// Bin (row, column) of an image: first the bin of each row of numbers, then the sum of these.
double2 image_bin(const Complex *x, size_t M, size_t N, size_t row, size_t column)
{
    RootTables along = make_root_tables(N), down = make_root_tables(M);
    Sum re = {}, im = {};
    for (size_t m = 0; m < M; ++m)
    {
        const double2 bin = direct_bin(x + m * N, 1, column, &along);
        const double2 w = root_at(&down, row * m % M);
        add_term(&re, bin.x * w.x - bin.y * w.y);
        add_term(&im, bin.x * w.y + bin.y * w.x);
    }
    free_root_tables(&along);
    free_root_tables(&down);
    return {value_of(&re), value_of(&im)};
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
    RootTables roots = make_root_tables(shape == COLUMNS ? M : shape == LONG ? M * N : N);
    Error error = {};
    for (int i = 0; i < NUM_BINS; ++i)
    {
        const size_t row = i == 0 ? height - 1 : random_below(seed, 2 * i, (uint32_t)height);
        const size_t column = i == 0 ? width - 1 : random_below(seed, 2 * i + 1, (uint32_t)width);
        double2 should;
        if (shape == COLUMNS)
        {
            should = direct_bin(x + column, N, row, &roots);
        }
        else if (shape == IMAGE)
        {
            should = image_bin(x, M, N, row, column);
        }
        else
        {
            should = direct_bin(x + row * N, 1, column, &roots);
        }
        add_complex_error(&error, as_double(X[row * width + column]), should);
    }
    free_root_tables(&roots);
    error.size = NUM_BINS * energy_of(x, M * N) / (double)(M * N) * length_of(shape, M, N);
    return check_error(what, "bins", &error);
}

// Parseval's theorem: sum |X|^2 = N sum |x|^2. Of real numbers only the bins 0 ... N/2 are there.
// Each of them counts twice, for k and N - k. Only bin 0 and bin N/2 (if N is even) count once.
double compare_energy(const char *what, Shape shape, const Complex *X, const Complex *x, size_t M,
                      size_t N, bool of_reals)
{
    const size_t width = width_of(shape, M, N, of_reals), height = shape == LONG ? 1 : M;
    const size_t row_length = shape == LONG ? M * N : N;
    Sum is = {};
    for (size_t n = 0; n < height * width; ++n)
    {
        const size_t k = n % width;
        const bool twice = of_reals && k > 0 && 2 * k != row_length;
        const double re = X[n].x, im = X[n].y;
        add_term(&is, (twice ? 2.0 : 1.0) * (re * re + im * im));
    }
    const double wanted = energy_of(x, M * N) * (double)length_of(shape, M, N);
    const double error = fabs(value_of(&is) - wanted) / wanted;
    char text[128];
    snprintf(text, sizeof(text), "%s, Parseval: relative error %.3g", what, error);
    check_true(text, error <= TOLERANCE);
    return error;
}

// ---- The plans and the arrays ----

// Complex numbers of every shape have a plan, and real numbers too, but for columns.
bool has_real_plan(int shape) { return shape != COLUMNS; }

void make_plans(void)
{
    work_bytes = 1;
    for (int i = 0; i < NUM_SHAPES; ++i)
    {
        const Shape shape = (Shape)i;
        size_t needed[3] = {make_plan(&complex_plans[i], shape, C2C, (int)M, (int)N), 0, 0};
        if (has_real_plan(i))
        {
            needed[1] = make_plan(&forward_plans[i], shape, R2C, (int)M, (int)N);
            needed[2] = make_plan(&inverse_plans[i], shape, C2R, (int)M, (int)N);
        }
        for (int k = 0; k < 3; ++k)
        {
            work_bytes = needed[k] > work_bytes ? needed[k] : work_bytes;
        }
    }
}

// One work area for all plans, so they must not run at the same time.
void share_work_area(void)
{
    CHECK(cudaMalloc(&d_work, work_bytes));
    for (int i = 0; i < NUM_SHAPES; ++i)
    {
        CHECK_CUFFT(cufftSetWorkArea(complex_plans[i], d_work));
        if (has_real_plan(i))
        {
            CHECK_CUFFT(cufftSetWorkArea(forward_plans[i], d_work));
            CHECK_CUFFT(cufftSetWorkArea(inverse_plans[i], d_work));
        }
    }
}

void destroy_plans(void)
{
    for (int i = 0; i < NUM_SHAPES; ++i)
    {
        CHECK_CUFFT(cufftDestroy(complex_plans[i]));
        if (has_real_plan(i))
        {
            CHECK_CUFFT(cufftDestroy(forward_plans[i]));
            CHECK_CUFFT(cufftDestroy(inverse_plans[i]));
        }
    }
    CHECK(cudaFree(d_work));
}

void copy_back(const void *device, size_t copied)
{
    poison(h_X, bytes);
    CHECK(cudaMemcpy(h_X, device, copied, cudaMemcpyDeviceToHost));
}

// Bytes of the bins of real numbers.
size_t bin_bytes(Shape shape)
{
    const size_t rows = shape == LONG ? 1 : M;
    return rows * width_of(shape, M, N, true) * sizeof(Complex);
}

// ---- The transforms ----

void run_complex(Shape shape)
{
    CHECK_CUFFT(execute(complex_plans[shape], d_x, d_X, CUFFT_FORWARD));
}

void run_reals(Shape shape) { CHECK_CUFFT(execute(forward_plans[shape], d_real, d_X)); }

// Complex numbers: forward and inverse, into other arrays and in place.
void transform_complex(Shape shape)
{
    const char *name = SHAPE_NAMES[shape];
    const double length = (double)length_of(shape, M, N);
    const cufftHandle plan = complex_plans[shape];
    CHECK(cudaMemset(d_X, POISON_BYTE, bytes));
    run_complex(shape);
    copy_back(d_X, bytes);
    const double bins = compare_bins(name, shape, h_X, h_x, M, N, false, args.seed);
    const double energy = compare_energy(name, shape, h_X, h_x, M, N, false);

    CHECK(cudaMemset(d_back, POISON_BYTE, bytes));
    CHECK_CUFFT(execute(plan, d_X, d_back, CUFFT_INVERSE));
    copy_back(d_back, bytes);
    const double back = compare_back(name, "back", &h_X[0].x, &h_x[0].x, 2 * M * N, length);

    CHECK(cudaMemcpy(d_back, d_x, bytes, cudaMemcpyDeviceToDevice));
    CHECK_CUFFT(execute(plan, d_back, d_back, CUFFT_FORWARD));
    copy_back(d_back, bytes);
    compare_bins(name, shape, h_X, h_x, M, N, false, args.seed + 1);
    CHECK_CUFFT(execute(plan, d_back, d_back, CUFFT_INVERSE));
    copy_back(d_back, bytes);
    const double in_place =
        compare_back(name, "back in place", &h_X[0].x, &h_x[0].x, 2 * M * N, length);
    print_note("%-12s %9.2g %9.2g %9.2g %9.2g\n", name, bins, energy, back, in_place);
}

// From here on the numbers have no imaginary parts.
void drop_imaginary_parts(void)
{
    for (size_t n = 0; n < M * N; ++n)
    {
        h_real[n] = h_x[n].x;
        h_x[n].y = 0;
    }
    CHECK(cudaMemcpy(d_real, h_real, real_bytes, cudaMemcpyHostToDevice));
}

void transform_reals(Shape shape)
{
    char name[32];
    snprintf(name, sizeof(name), "%s-real", SHAPE_NAMES[shape]);
    const double length = (double)length_of(shape, M, N);
    CHECK(cudaMemset(d_X, POISON_BYTE, bytes));
    run_reals(shape);
    copy_back(d_X, bin_bytes(shape));
    const double bins = compare_bins(name, shape, h_X, h_x, M, N, true, args.seed);
    const double energy = compare_energy(name, shape, h_X, h_x, M, N, true);

    // C2R may use its input as work space: after it d_X has no meaning.
    CHECK(cudaMemset(d_back, POISON_BYTE, bytes));
    CHECK_CUFFT(execute(inverse_plans[shape], d_X, (real *)d_back));
    copy_back(d_back, real_bytes);
    const double back = compare_back(name, "back", (real *)h_X, h_real, M * N, length);
    print_note("%-12s %9.2g %9.2g %9.2g\n", name, bins, energy, back);
}

// In place, a row of N reals must have room for its N/2 + 1 bins: 2 (N/2 + 1) reals.
void transform_reals_in_place(void)
{
    const size_t row = N * sizeof(real);
    const size_t padded = 2 * width_of(IMAGE, M, N, true) * sizeof(real);
    CHECK(cudaMemset(d_back, POISON_BYTE, bytes));
    CHECK(cudaMemcpy2D(d_back, padded, d_real, row, row, M, cudaMemcpyDeviceToDevice));
    CHECK_CUFFT(execute(forward_plans[IMAGE], (real *)d_back, d_back));
    copy_back(d_back, M * padded);
    compare_bins("image-real in place", IMAGE, h_X, h_x, M, N, true, args.seed + 1);
}

// ---- The rates ----

void run_rows(void) { run_complex(ROWS); }
void run_columns(void) { run_complex(COLUMNS); }
void run_image(void) { run_complex(IMAGE); }
void run_long(void) { run_complex(LONG); }
void run_rows_real(void) { run_reals(ROWS); }
void run_image_real(void) { run_reals(IMAGE); }
void run_long_real(void) { run_reals(LONG); }

void show_rates(void)
{
    const double log_N = log2((double)N), log_M = log2((double)M), log_MN = log_M + log_N;
    const double numbers = (double)M * N, two = 2.0 * bytes, from_reals = real_bytes;
    const Ceilings c = measure_ceilings(2.0 * bytes);
    print_rate_titles(&c);
    time_and_print(&c, "rows", 5.0 * numbers * log_N, two, run_rows);
    time_and_print(&c, "columns", 5.0 * numbers * log_M, two, run_columns);
    time_and_print(&c, "image", 5.0 * numbers * log_MN, two, run_image);
    time_and_print(&c, "long", 5.0 * numbers * log_MN, two, run_long);
    time_and_print(&c, "rows-real", 2.5 * numbers * log_N, from_reals + bin_bytes(ROWS),
                   run_rows_real);
    time_and_print(&c, "image-real", 2.5 * numbers * log_MN, from_reals + bin_bytes(IMAGE),
                   run_image_real);
    time_and_print(&c, "long-real", 2.5 * numbers * log_MN, from_reals + bin_bytes(LONG),
                   run_long_real);
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

    M = args.M;
    N = args.N;
    bytes = M * N * sizeof(Complex);
    real_bytes = M * N * sizeof(real);
    make_plans();
    require_memory(2.0 * bytes + 2.0 * real_bytes, 3.0 * bytes + real_bytes + work_bytes);
    share_work_area();
    h_x = (Complex *)malloc(bytes);
    h_X = (Complex *)malloc(bytes);
    h_real = (real *)malloc(real_bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_X, bytes));
    CHECK(cudaMalloc(&d_back, bytes));
    CHECK(cudaMalloc(&d_real, real_bytes));

    print_note("M x N = %zu x %zu, work area %.4g MB; relative errors:\n", M, N, work_bytes * 1e-6);
    print_note("%-12s %9s %9s %9s %9s\n", "", "bins", "Parseval", "back", "in place");
    fill_signal(&h_x[0].x, 2 * M * N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    transform_complex(ROWS);
    transform_complex(COLUMNS);
    transform_complex(IMAGE);
    transform_complex(LONG);
    drop_imaginary_parts();
    transform_reals(ROWS);
    transform_reals(IMAGE);
    transform_reals(LONG);
    transform_reals_in_place();
    show_rates();

    destroy_plans();
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
    CHECK(cudaFree(d_back));
    CHECK(cudaFree(d_real));
    free(h_x);
    free(h_X);
    free(h_real);
    return verdict();
}
