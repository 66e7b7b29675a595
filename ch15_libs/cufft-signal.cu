// cufft-signal: the discrete Fourier transform: there, a filter, and back
//
// From:    Chapter 20, sections 20.1, 20.2 and 20.3, where the book is empty
// Compile: nvcc -O3 cufft-signal.cu -lcufft
// Run:     ./a.out -n 2048x4096
// Libs:    -lcufft
//
// The discrete Fourier transform of N numbers x gives N numbers X. They are called bins:
//
//     X[k] = sum over n of x[n] exp(-2 pi i k n / N)
//
// X[k] says how much x contains of the wave with k periods. The inverse transform has the other
// sign in the exponent, and it divides by N. cuFFT leaves this division to its user. The book's
// chapter on cuFFT is empty, so this program begins with an example of its own: four numbers, whose
// transform can be done by hand.
//
// Then a low-pass filter takes noise out of a signal. With -o the program writes the signal to the
// file lowpass.txt. At the end it filters M signals of N numbers each, and measures what that
// costs. With -DUSE_DP the numbers are doubles. See cufft-lengths.cu for signals of any length, and
// cufft-shapes.cu for images and columns.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/options.cuh"
#include "../common/output.cuh"
#include "../common/require_memory.cuh"
#include "dft.cuh"

const int BLOCK_SIZE = 128;
const int LENGTH = 1024; // of the noisy signal

// Two waves and noise. The waves are in the bins 3 and 8, the noise is in all bins. So most of the
// noise goes if only the bins up to the cutoff stay.
static real clean[LENGTH], noisy[LENGTH], filtered[LENGTH];

// M signals of N numbers each:
static size_t M, N;
static int width, keep; // bins of a signal, and the last one that the filter keeps
static cufftHandle forward_plan, inverse_plan; // they share one work area
static size_t work_bytes;
static void *d_work;
static real *h_x;    // the signals
static Complex *h_X; // bins, from the device
static real *d_x, *d_back;
static Complex *d_X;

// ---- The kernel: a low-pass filter ----

// Keeps the bins 0 ... cutoff of each row and sets the others to 0. It also divides by N, because
// the inverse transform does not. A row has `width` bins. A grid has at most 65535 blocks in y, so
// a thread takes several rows if there are more.
__global__ void low_pass(Complex *X, size_t num_rows, int width, int cutoff, real N)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < width)
    {
        for (size_t row = blockIdx.y; row < num_rows; row += gridDim.y)
        {
            Complex *bin = &X[row * width + k];
            Complex kept = {0, 0};
            if (k <= cutoff)
            {
                kept.x = bin->x / N;
                kept.y = bin->y / N;
            }
            *bin = kept;
        }
    }
}

dim3 grid_of(size_t num_rows, int width)
{
    return dim3((width - 1) / BLOCK_SIZE + 1, num_rows < 65535 ? (unsigned)num_rows : 65535);
}

// ---- Four numbers ----

void print_complex(const char *what, const cufftComplex *z, int count)
{
    print_note("%-10s", what);
    for (int k = 0; k < count; ++k)
    {
        char text[32];
        snprintf(text, sizeof(text), fabsf(z[k].y) < 0.5f ? "%.0f" : "%.0f%+.0fi", z[k].x, z[k].y);
        printf(" %6s", text);
    }
    printf("\n");
}

void compare_by_hand(const char *what, const cufftComplex *result, const cufftComplex *should,
                     int count)
{
    print_complex(what, result, count);
    Error error = {};
    for (int k = 0; k < count; ++k)
    {
        add_error(&error, result[k].x, should[k].x);
        add_error(&error, result[k].y, should[k].y);
    }
    const double relative = relative_error(&error);
    char text[64];
    snprintf(text, sizeof(text), "%s, by hand: relative error %.3g", what, relative);
    check_true(text, relative <= 1e-6); // these are floats, also with -DUSE_DP
}

// exp(-2 pi i / 4) = -i, so the bins need no calculator:
//     X[0] = 1 + 2 + 3 + 4, X[1] = 1 - 2i - 3 + 4i, X[2] = 1 - 2 + 3 - 4, X[3] = 1 + 2i - 3 - 4i
void transform_four_numbers(void)
{
    const int N = 4;
    const cufftComplex x[N] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
    const cufftComplex by_hand[N] = {{10, 0}, {-2, 2}, {-2, 0}, {-2, -2}};
    const cufftComplex back[N] = {{4, 0}, {8, 0}, {12, 0}, {16, 0}};
    cufftComplex result[N];
    cufftComplex *d_x, *d_X;
    CHECK(cudaMalloc(&d_x, sizeof(x)));
    CHECK(cudaMalloc(&d_X, sizeof(x)));
    CHECK(cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_X, POISON_BYTE, sizeof(x)));
    print_complex("x", x, N);

    // A plan is made for a length, a type, and a number of signals. It may be used many times.
    cufftHandle plan;
    CHECK_CUFFT(cufftPlan1d(&plan, N, CUFFT_C2C, 1));
    CHECK_CUFFT(cufftExecC2C(plan, d_x, d_X, CUFFT_FORWARD));
    poison(result, sizeof(result));
    CHECK(cudaMemcpy(result, d_X, sizeof(x), cudaMemcpyDeviceToHost));
    compare_by_hand("forward", result, by_hand, N);

    CHECK(cudaMemset(d_x, POISON_BYTE, sizeof(x)));
    CHECK_CUFFT(cufftExecC2C(plan, d_X, d_x, CUFFT_INVERSE));
    poison(result, sizeof(result));
    CHECK(cudaMemcpy(result, d_x, sizeof(x), cudaMemcpyDeviceToHost));
    compare_by_hand("inverse", result, back, N);
    print_note("cuFFT does not scale: forward and inverse together multiply by N = %d\n", N);
    CHECK_CUFFT(cufftDestroy(plan));

    // Of real numbers X[N - k] is the conjugate of X[k]. So N/2 + 1 bins are all there is to know.
    const float reals[N] = {1, 2, 3, 4};
    CHECK(cudaMemcpy(d_x, reals, sizeof(reals), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_X, POISON_BYTE, sizeof(x)));
    CHECK_CUFFT(cufftPlan1d(&plan, N, CUFFT_R2C, 1));
    CHECK_CUFFT(cufftExecR2C(plan, (cufftReal *)d_x, d_X));
    poison(result, sizeof(result));
    CHECK(cudaMemcpy(result, d_X, (N / 2 + 1) * sizeof(cufftComplex), cudaMemcpyDeviceToHost));
    compare_by_hand("R2C", result, by_hand, N / 2 + 1);
    CHECK_CUFFT(cufftDestroy(plan));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
}

// ---- A noisy signal ----

void make_signal(uint64_t seed)
{
    RootTables roots = make_root_tables(LENGTH);
    for (int n = 0; n < LENGTH; ++n)
    {
        const double2 slow = root_at(&roots, 3 * n % LENGTH),
                      fast = root_at(&roots, 8 * n % LENGTH);
        const double waves = -slow.y - 0.5 * fast.y; // sines
        clean[n] = (real)waves;
        noisy[n] = clean[n] + (real)(3.0 * random_unit(seed, n) - 1.5);
    }
    free_root_tables(&roots);
}

// There, the filter, and back.
void filter_on_device(int cutoff)
{
    const int N = LENGTH, width = N / 2 + 1;
    real *d_x;
    Complex *d_X;
    cufftHandle forward, inverse;
    CHECK(cudaMalloc(&d_x, N * sizeof(real)));
    CHECK(cudaMalloc(&d_X, width * sizeof(Complex)));
    CHECK(cudaMemcpy(d_x, noisy, N * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_X, POISON_BYTE, width * sizeof(Complex)));
    CHECK_CUFFT(cufftPlan1d(&forward, N, R2C, 1));
    CHECK_CUFFT(cufftPlan1d(&inverse, N, C2R, 1));

    CHECK_CUFFT(execute(forward, d_x, d_X));
    low_pass<<<grid_of(1, width), BLOCK_SIZE>>>(d_X, 1, width, cutoff, (real)N);
    CHECK_LAUNCH();
    CHECK(cudaMemset(d_x, POISON_BYTE, N * sizeof(real)));
    CHECK_CUFFT(execute(inverse, d_X, d_x));

    poison(filtered, N * sizeof(real));
    CHECK(cudaMemcpy(filtered, d_x, N * sizeof(real), cudaMemcpyDeviceToHost));
    CHECK_CUFFT(cufftDestroy(forward));
    CHECK_CUFFT(cufftDestroy(inverse));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
}

// The same on the host: the bins that stay, and the sum of their waves.
void filter_on_host(int cutoff, double *sum)
{
    const int N = LENGTH;
    RootTables roots = make_root_tables(N);
    Complex complex_noisy[N];
    for (int n = 0; n < N; ++n)
    {
        complex_noisy[n] = {noisy[n], 0};
        sum[n] = 0.0;
    }
    for (int k = 0; k <= cutoff; ++k)
    {
        const double2 bin = direct_bin(complex_noisy, 1, k, &roots);
        const double waves = k == 0 || 2 * k == N ? 1.0 : 2.0; // k and N - k
        for (int n = 0; n < N; ++n)
        {
            const double2 w = root_at(&roots, (size_t)k * n % N);
            sum[n] += waves * (bin.x * w.x + bin.y * w.y) / N;
        }
    }
    free_root_tables(&roots);
}

void compare_filtered(int cutoff)
{
    double should[LENGTH];
    filter_on_host(cutoff, should);
    Error error = {}, noise_before = {}, noise_after = {};
    for (int n = 0; n < LENGTH; ++n)
    {
        add_error(&error, filtered[n], should[n]);
        add_error(&noise_before, noisy[n], clean[n]);
        add_error(&noise_after, filtered[n], clean[n]);
    }
    check_error("low-pass", "against the host", &error);
    print_note("%d numbers, bins 0 to %d kept; noise / signal: %.3f before, %.3f after\n", LENGTH,
               cutoff, relative_error(&noise_before), relative_error(&noise_after));
}

const int PICTURE_COLUMNS = 64, PICTURE_ROWS = 15;

// The row of the picture that shows a value: 3 is at the top, -3 at the bottom.
int picture_row(real value)
{
    const double place = (3.0 - (double)value) / 6.0 * PICTURE_ROWS;
    return place < 0.0 ? 0 : place < PICTURE_ROWS ? (int)place : PICTURE_ROWS - 1;
}

// A column of the picture has 16 numbers: dots for the noisy ones, a star for the filtered one.
void print_picture(void)
{
    const int EACH = LENGTH / PICTURE_COLUMNS;
    char picture[PICTURE_ROWS][PICTURE_COLUMNS + 1];
    memset(picture, ' ', sizeof(picture));
    for (int n = 0; n < LENGTH; ++n)
    {
        picture[picture_row(noisy[n])][n / EACH] = '.';
    }
    for (int column = 0; column < PICTURE_COLUMNS; ++column)
    {
        picture[picture_row(filtered[column * EACH + EACH / 2])][column] = '*';
    }
    for (int row = 0; row < PICTURE_ROWS; ++row)
    {
        picture[row][PICTURE_COLUMNS] = '\0';
        print_note("  %s\n", picture[row]);
    }
}

void write_figure(Output *figure)
{
    fprintf(figure->file, "# n  noisy  filtered  clean\n");
    for (int n = 0; n < LENGTH; ++n)
    {
        fprintf(figure->file, "%d %.6g %.6g %.6g\n", n, noisy[n], filtered[n], clean[n]);
    }
    close_output(figure);
}

// ---- M signals of N numbers each ----

size_t bin_bytes(void) { return M * width * sizeof(Complex); }

// Makes a plan without a work area of its own, and returns how many bytes it needs.
size_t make_plan(cufftHandle *plan, cufftType type)
{
    size_t bytes;
    CHECK_CUFFT(cufftCreate(plan));
    CHECK_CUFFT(cufftSetAutoAllocation(*plan, 0));
    CHECK_CUFFT(cufftMakePlan1d(*plan, (int)N, type, (int)M, &bytes));
    return bytes;
}

void run_filter(void)
{
    low_pass<<<grid_of(M, width), BLOCK_SIZE>>>(d_X, M, width, keep, (real)N);
    CHECK_LAUNCH();
}

void run_low_pass(void)
{
    CHECK_CUFFT(execute(forward_plan, d_x, d_X));
    run_filter();
    CHECK_CUFFT(execute(inverse_plan, d_X, d_back));
}

void copy_bins(void)
{
    poison(h_X, bin_bytes());
    CHECK(cudaMemcpy(h_X, d_X, bin_bytes(), cudaMemcpyDeviceToHost));
}

// The bins of the signals, of which the filter keeps the first ones. Each is divided by `divisor`.
Complex *expected_bins(real divisor)
{
    CHECK(cudaMemset(d_X, POISON_BYTE, bin_bytes()));
    CHECK_CUFFT(execute(forward_plan, d_x, d_X));
    copy_bins();
    Complex *bins = (Complex *)malloc(bin_bytes());
    for (size_t n = 0; n < M * width; ++n)
    {
        const bool stays = (int)(n % width) <= keep;
        bins[n].x = stays ? h_X[n].x / divisor : 0;
        bins[n].y = stays ? h_X[n].y / divisor : 0;
    }
    return bins;
}

// What the kernel must make of the bins is known exactly.
void check_filter(void)
{
    Complex *should = expected_bins((real)N);
    run_filter();
    copy_bins();
    check_elements("the filter", &h_X[0].x, &should[0].x, 2 * M * width, REAL_EPSILON);
    free(should);
}

// After the low pass a signal has its first bins, and no others.
void check_low_pass(void)
{
    Complex *should = expected_bins(1);
    CHECK(cudaMemset(d_back, POISON_BYTE, M * N * sizeof(real)));
    run_low_pass();
    CHECK_CUFFT(execute(forward_plan, d_back, d_X));
    copy_bins();
    compare_back("low-pass", "its bins", &h_X[0].x, &should[0].x, 2 * M * width, 1.0);
    free(should);
}

void show_rates(void)
{
    const double numbers = (double)M * N;
    const double transform_bytes = numbers * sizeof(real) + bin_bytes();
    const double filter_bytes = (double)M * (width + keep + 1) * sizeof(Complex);
    const Ceilings ceilings = measure_ceilings(2.0 * numbers * sizeof(Complex));
    print_rate_titles(&ceilings);
    time_and_print(&ceilings, "filter", 2.0 * M * (keep + 1), filter_bytes, run_filter);
    time_and_print(&ceilings, "low-pass", 5.0 * numbers * log2((double)N),
                   2.0 * transform_bytes + filter_bytes, run_low_pass);
}

// The M signals, their plans, and room for what comes out.
void make_rows(void)
{
    M = args.M;
    N = args.N;
    width = (int)N / 2 + 1;
    keep = (int)N / 8;
    const size_t forward_work = make_plan(&forward_plan, R2C);
    const size_t inverse_work = make_plan(&inverse_plan, C2R);
    work_bytes = forward_work > inverse_work ? forward_work : inverse_work;
    work_bytes = work_bytes > 0 ? work_bytes : 1;
    const size_t real_bytes = M * N * sizeof(real), bytes = bin_bytes();
    require_memory((double)real_bytes + 2.0 * bytes, 2.0 * real_bytes + bytes + work_bytes);
    h_x = (real *)malloc(real_bytes);
    h_X = (Complex *)malloc(bytes);
    CHECK(cudaMalloc(&d_work, work_bytes));
    CHECK(cudaMalloc(&d_x, real_bytes));
    CHECK(cudaMalloc(&d_back, real_bytes));
    CHECK(cudaMalloc(&d_X, bytes));
    CHECK_CUFFT(cufftSetWorkArea(forward_plan, d_work));
    CHECK_CUFFT(cufftSetWorkArea(inverse_plan, d_work));

    fill_signal(h_x, M * N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, real_bytes, cudaMemcpyHostToDevice));
}

void free_rows(void)
{
    CHECK_CUFFT(cufftDestroy(forward_plan));
    CHECK_CUFFT(cufftDestroy(inverse_plan));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_back));
    CHECK(cudaFree(d_X));
    free(h_x);
    free(h_X);
}

int main(int argc, char **argv)
{
    args.M = default_size(2048, 256);
    args.N = default_size(4096, 512);
    size_t cutoff = 16;
    add_number("cutoff", &cutoff, 0, LENGTH / 2, "the last bin that the low-pass filter keeps");
    args.bytes_per_element = 2 * sizeof(Complex);
    args.bytes_on_host = 3 * sizeof(Complex);
    args.columns = RATE_COLUMNS;
    parse_args(argc, argv, "-n MxN -r R -s S -o PREFIX --csv",
               "cufft-signal: the discrete Fourier transform: there, a filter, and back");
    if (args.M > INT_MAX / args.N) // no product: it could overflow
    {
        usage_error("a plan has at most %d numbers here, not %zux%zu", INT_MAX, args.M, args.N);
    }
    const bool wants_figure = *args.prefix != '\0';
    Output figure;
    if (wants_figure)
    {
        figure = open_output("lowpass.txt");
    }
    print_library();

    transform_four_numbers();

    make_signal(args.seed);
    filter_on_device((int)cutoff);
    compare_filtered((int)cutoff);
    print_picture();
    if (wants_figure)
    {
        write_figure(&figure);
    }

    make_rows();
    check_filter();
    check_low_pass();
    show_rates();
    free_rows();
    return verdict();
}
