// cufft-signal: the discrete Fourier transform: there, a filter, and back; any length, one or two
// dimensions
//
// From:    Chapter 20, sections 20.1, 20.2 and 20.3, where the book is empty
// Compile: nvcc -O3 cufft-signal.cu -lcufft
// Run:     ./a.out -n 2048x4096
// Options: -n MxN -r R -s S -o PREFIX --csv --cutoff N --every
// Libs:    -lcufft
// Checks:  196
// Also:    -n 16x16 -r 1 --cutoff 512; -n 16x16 -r 1 --cutoff 0
// Sizes:   1x1 2x3 97x128 33x1009 64x64 128x1 1x65537
// Chinese: 离散傅里叶变换：变换、滤波、逆变换；任意长度，一维与二维
//
// The discrete Fourier transform of N numbers x gives N numbers X. They are called bins:
//
//     X[k] = sum over n of x[n] exp(-2 pi i k n / N)
//
// X[k] says how much x contains of the wave with k periods. The inverse transform has the other
// sign in the exponent, and it divides by N. cuFFT leaves this division to its user. The book's
// chapter on cuFFT is empty, so this page begins with an example of its own: four numbers, whose
// transform can be done by hand.
//
// The host computes the sum above, term by term. For lengths up to 1009 all bins are compared with
// it: for 40 lengths, and for every length with --every. For longer signals some bins are compared.
// Then a low-pass filter takes noise out of a signal. With -o the program writes the signal to the
// file lowpass.txt. At the end it transforms M x N numbers in four shapes: as M rows, as N columns,
// as an image, and as one long signal. With -DUSE_DP the numbers are doubles.

#include <cufft.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/output.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "../common/versions.cuh"
#include "check_cufft.cuh"

// ---- cuFFT's names for the two precisions: C and R are of float, Z and D of double ----

const bool IS_FLOAT = sizeof(real) == sizeof(float);
typedef std::conditional<IS_FLOAT, cufftComplex, cufftDoubleComplex>::type Complex;
const cufftType C2C = IS_FLOAT ? CUFFT_C2C : CUFFT_Z2Z;
const cufftType R2C = IS_FLOAT ? CUFFT_R2C : CUFFT_D2Z;
const cufftType C2R = IS_FLOAT ? CUFFT_C2R : CUFFT_Z2D;

// Of the errors, in the L2 norm: sqrt(sum |is - should|^2 / sum |should|^2).
const double TOLERANCE = IS_FLOAT ? 1e-6 : 5e-15;

inline cufftResult execute(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
    return cufftExecC2C(plan, in, out, direction);
}

inline cufftResult execute(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                           int direction)
{
    return cufftExecZ2Z(plan, in, out, direction);
}

inline cufftResult execute(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return cufftExecR2C(plan, in, out);
}

inline cufftResult execute(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return cufftExecD2Z(plan, in, out);
}

inline cufftResult execute(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return cufftExecC2R(plan, in, out);
}

inline cufftResult execute(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return cufftExecZ2D(plan, in, out);
}

// ---- The reference: the sum itself, in double ----

// Sums millions of terms to double's last digits: what an addition rounds off is added to `lost`.
struct Sum
{
    double sum = 0.0, lost = 0.0;

    void add(double term)
    {
        const double total = sum + term;
        lost += fabs(sum) >= fabs(term) ? (sum - total) + term : (term - total) + sum;
        sum = total;
    }
    double value(void) const
    {
        return sum + lost;
    }
};

// exp(-2 pi i k / n) for all k below n: the product of one of two short tables each.
struct Roots
{
    size_t n;
    int shift = 0;
    std::vector<double2> coarse, fine;

    explicit Roots(size_t length) : n(length)
    {
        while (((size_t)1 << 2 * shift) < n)
        {
            ++shift;
        }
        const size_t num_fine = (size_t)1 << shift;
        for (size_t k = 0; k < num_fine; ++k)
        {
            fine.push_back(root_of(k));
        }
        for (size_t k = 0; k < n; k += num_fine)
        {
            coarse.push_back(root_of(k));
        }
    }
    double2 root_of(size_t k) const
    {
        const double angle = -2.0 * 3.14159265358979323846 * ((double)k / (double)n);
        return {cos(angle), sin(angle)};
    }
    double2 operator[](size_t k) const
    {
        const double2 a = coarse[k >> shift], b = fine[k & (((size_t)1 << shift) - 1)];
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
    }
};

// One bin of n numbers that lie `stride` apart.
template <typename T>
double2 direct_bin(const T *x, size_t stride, size_t k, const Roots &roots)
{
    Sum re, im;
    size_t turns = 0; // k j modulo n
    for (size_t j = 0; j < roots.n; ++j)
    {
        const double2 w = roots[turns];
        const double x_re = x[j * stride].x, x_im = x[j * stride].y;
        re.add(x_re * w.x - x_im * w.y);
        im.add(x_re * w.y + x_im * w.x);
        turns += k;
        turns -= turns >= roots.n ? roots.n : 0;
    }
    return {re.value(), im.value()};
}

// Does work(0), work(1), ... below `count`: each core of the host takes the next that is left.
// Where there is no room for the stack of another thread, fewer share the work.
template <typename Work>
void share_out(size_t count, Work work)
{
    std::atomic<size_t> next(0);
    const auto take = [&]
    {
        for (size_t i = next++; i < count; i = next++)
        {
            work(i);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t)
    {
        try
        {
            threads.emplace_back(take);
        }
        catch (const std::system_error &)
        {
            break;
        }
    }
    take();
    for (std::thread &thread : threads)
    {
        thread.join();
    }
}

// Collects squares for a relative error.
struct Error
{
    double difference = 0.0, size = 0.0;

    void add(double is, double should)
    {
        difference += (is - should) * (is - should);
        size += should * should;
    }
    void add(double2 is, double2 should)
    {
        add(is.x, should.x);
        add(is.y, should.y);
    }
    double relative(void) const
    {
        return sqrt(difference / size);
    }
};

double2 as_double(Complex z)
{
    return {z.x, z.y};
}

double check_error(const char *what, const char *when, const Error &error)
{
    char text[128];
    const double relative = error.relative();
    snprintf(text, sizeof(text), "%s, %s: relative error %.3g", what, when, relative);
    check_true(text, relative <= TOLERANCE);
    return relative;
}

// Random numbers between -0.5 and 0.5: all bins are then about equally large.
void fill_signal(real *x, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (real)(random_unit(seed, n) - 0.5);
    }
}

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

void launch_low_pass(Complex *X, size_t num_rows, int width, int cutoff, size_t N)
{
    const dim3 grid((width - 1) / 128 + 1, (unsigned)std::min(num_rows, (size_t)65535));
    low_pass<<<grid, 128>>>(X, num_rows, width, cutoff, (real)N);
    CHECK_LAUNCH();
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
    const auto compare = [&](const char *what, const cufftComplex *should, int count)
    {
        print_complex(what, result, count);
        Error error;
        for (int k = 0; k < count; ++k)
        {
            error.add({result[k].x, result[k].y}, {should[k].x, should[k].y});
        }
        char text[64];
        snprintf(text, sizeof(text), "%s, by hand: relative error %.3g", what, error.relative());
        check_true(text, error.relative() <= 1e-6); // these are floats, also with -DUSE_DP
    };

    // A plan is made for a length, a type, and a number of signals. It may be used many times.
    cufftHandle plan;
    CHECK_CUFFT(cufftPlan1d(&plan, N, CUFFT_C2C, 1));
    CHECK_CUFFT(cufftExecC2C(plan, d_x, d_X, CUFFT_FORWARD));
    poison(result, sizeof(result));
    CHECK(cudaMemcpy(result, d_X, sizeof(x), cudaMemcpyDeviceToHost));
    compare("forward", by_hand, N);

    CHECK(cudaMemset(d_x, POISON_BYTE, sizeof(x)));
    CHECK_CUFFT(cufftExecC2C(plan, d_X, d_x, CUFFT_INVERSE));
    poison(result, sizeof(result));
    CHECK(cudaMemcpy(result, d_x, sizeof(x), cudaMemcpyDeviceToHost));
    compare("inverse", back, N);
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
    compare("R2C", by_hand, N / 2 + 1);
    CHECK_CUFFT(cufftDestroy(plan));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
}

// ---- All bins of short signals ----

// Powers of 2, 3, 5, 7; primes; products; each with a neighbour that cuFFT treats in another way.
const int LENGTHS[] = {1,   2,   3,   4,   5,   6,   7,   8,   11,  13,  16,   17,  25,  27,
                       31,  32,  49,  64,  81,  97,  100, 121, 127, 128, 131,  169, 210, 243,
                       256, 257, 343, 360, 499, 512, 625, 720, 729, 997, 1000, 1009};
const int LONGEST = 1009;

void compare_short_signals(const Args *args, bool every)
{
    const int BATCH = 2;
    std::vector<int> lengths(std::begin(LENGTHS), std::end(LENGTHS));
    if (every)
    {
        lengths.resize(LONGEST);
        std::iota(lengths.begin(), lengths.end(), 1); // 1, 2, 3, ...
    }
    Complex *d_x, *d_X;
    const size_t all_bytes = BATCH * LONGEST * sizeof(Complex);
    CHECK(cudaMalloc(&d_x, all_bytes));
    CHECK(cudaMalloc(&d_X, all_bytes));
    std::vector<Complex> x(BATCH * LONGEST), result(BATCH * LONGEST);
    std::vector<real> reals(BATCH * LONGEST), real_result(BATCH * LONGEST);

    // The sums take n^2 steps for a signal: with --every 700 million steps in all.
    std::vector<std::vector<double2>> all_bins(lengths.size());
    const auto compute_bins = [&](size_t l)
    {
        const int n = lengths[l];
        std::vector<Complex> signals(BATCH * n);
        fill_signal(&signals[0].x, 2 * BATCH * n, args->seed);
        const Roots roots(n);
        for (int i = 0; i < BATCH * n; ++i)
        {
            all_bins[l].push_back(direct_bin(&signals[i / n * n], 1, i % n, roots));
        }
    };
    share_out(lengths.size(), compute_bins);

    // A plan takes much longer than a short transform: cuFFT chooses kernels for it and loads them.
    // No plan is destroyed before the end, so kernels that another plan needs can stay loaded.
    std::vector<cufftHandle> plans;
    double plan_ms = 0.0;
    const auto make_plan = [&](int n, cufftType type)
    {
        cufftHandle plan;
        const double start = host_clock();
        CHECK_CUFFT(cufftPlan1d(&plan, n, type, BATCH));
        plan_ms += host_clock() - start;
        plans.push_back(plan);
        return plan;
    };

    double worst[4] = {};
    for (size_t l = 0; l < lengths.size(); ++l)
    {
        const int n = lengths[l];
        const std::vector<double2> &X = all_bins[l];
        char what[32];
        snprintf(what, sizeof(what), "n = %d", n);
        const size_t bytes = BATCH * n * sizeof(Complex);
        fill_signal(&x[0].x, 2 * BATCH * n, args->seed);
        for (int i = 0; i < BATCH * n; ++i)
        {
            reals[i] = x[i].x;
        }
        const auto poison_results = [&](Complex *d_result)
        {
            CHECK(cudaMemset(d_result, POISON_BYTE, all_bytes));
            poison(result.data(), all_bytes);
            poison(real_result.data(), all_bytes / 2);
        };

        // The inverse transform without the division is the forward transform at -k.
        const cufftHandle both_ways = make_plan(n, C2C);
        CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
        for (const bool inverse : {false, true})
        {
            poison_results(d_X);
            CHECK_CUFFT(execute(both_ways, d_x, d_X, inverse ? CUFFT_INVERSE : CUFFT_FORWARD));
            CHECK(cudaMemcpy(result.data(), d_X, bytes, cudaMemcpyDeviceToHost));
            Error error;
            for (int i = 0; i < BATCH * n; ++i)
            {
                const int k = i % n;
                error.add(as_double(result[i]), X[inverse ? i - k + (n - k) % n : i]);
            }
            const double e = check_error(what, inverse ? "inverse" : "forward", error);
            worst[inverse] = std::max(worst[inverse], e);
        }

        // The transform of the real parts is (X[k] + conjugate of X[N - k]) / 2.
        const int width = n / 2 + 1;
        const cufftHandle forward = make_plan(n, R2C);
        CHECK(cudaMemcpy(d_x, reals.data(), bytes / 2, cudaMemcpyHostToDevice));
        poison_results(d_X);
        CHECK_CUFFT(execute(forward, (real *)d_x, d_X));
        CHECK(cudaMemcpy(result.data(), d_X, BATCH * width * sizeof(Complex),
                         cudaMemcpyDeviceToHost));
        Error error;
        for (int i = 0; i < BATCH * width; ++i)
        {
            const double2 *signal = &X[i / width * n];
            const double2 a = signal[i % width], b = signal[(n - i % width) % n];
            error.add(as_double(result[i]), {(a.x + b.x) / 2, (a.y - b.y) / 2});
        }
        worst[2] = std::max(worst[2], check_error(what, "R2C", error));

        const cufftHandle inverse = make_plan(n, C2R);
        poison_results(d_x);
        CHECK_CUFFT(execute(inverse, d_X, (real *)d_x));
        CHECK(cudaMemcpy(real_result.data(), d_x, bytes / 2, cudaMemcpyDeviceToHost));
        Error error_back;
        for (int i = 0; i < BATCH * n; ++i)
        {
            error_back.add((double)real_result[i] / n, reals[i]);
        }
        worst[3] = std::max(worst[3], check_error(what, "R2C and C2R", error_back));
    }
    print_note("%zu lengths from 1 to %d against the sum on the host, relative errors at most:\n",
               lengths.size(), LONGEST);
    print_note("forward %.2g, inverse %.2g, R2C %.2g, R2C and C2R %.2g\n", worst[0], worst[1],
               worst[2], worst[3]);
    print_note("%zu plans were made, in %.3g ms each\n", plans.size(), plan_ms / plans.size());
    for (const cufftHandle plan : plans)
    {
        CHECK_CUFFT(cufftDestroy(plan));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
}

// ---- A noisy signal ----

// Two waves and noise. The waves are in the bins 3 and 8, the noise is in all bins. So most of the
// noise goes if only the bins up to the cutoff stay.
void filter_noisy_signal(const Args *args, int cutoff, Output *figure)
{
    const int N = 1024, width = N / 2 + 1;
    std::vector<real> clean(N), noisy(N), filtered(N);
    std::vector<Complex> as_complex(N);
    const Roots roots(N);
    for (int n = 0; n < N; ++n)
    {
        clean[n] = (real)(-roots[3 * n % N].y - 0.5 * roots[8 * n % N].y); // sines
        noisy[n] = clean[n] + (real)(3.0 * random_unit(args->seed, n) - 1.5);
        as_complex[n].x = noisy[n];
        as_complex[n].y = 0;
    }

    real *d_x;
    Complex *d_X;
    cufftHandle forward, inverse;
    CHECK(cudaMalloc(&d_x, N * sizeof(real)));
    CHECK(cudaMalloc(&d_X, width * sizeof(Complex)));
    CHECK(cudaMemcpy(d_x, noisy.data(), N * sizeof(real), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_X, POISON_BYTE, width * sizeof(Complex)));
    CHECK_CUFFT(cufftPlan1d(&forward, N, R2C, 1));
    CHECK_CUFFT(cufftPlan1d(&inverse, N, C2R, 1));
    CHECK_CUFFT(execute(forward, d_x, d_X));
    launch_low_pass(d_X, 1, width, cutoff, N);
    CHECK(cudaMemset(d_x, POISON_BYTE, N * sizeof(real)));
    CHECK_CUFFT(execute(inverse, d_X, d_x));
    poison(filtered.data(), N * sizeof(real));
    CHECK(cudaMemcpy(filtered.data(), d_x, N * sizeof(real), cudaMemcpyDeviceToHost));
    CHECK_CUFFT(cufftDestroy(forward));
    CHECK_CUFFT(cufftDestroy(inverse));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));

    // The same on the host: the bins that stay, and the sum of their waves.
    std::vector<double> sum(N, 0.0);
    for (int k = 0; k <= cutoff; ++k)
    {
        const double2 bin = direct_bin(as_complex.data(), 1, k, roots);
        const double waves = k == 0 || 2 * k == N ? 1.0 : 2.0; // k and N - k
        for (int n = 0; n < N; ++n)
        {
            const double2 w = roots[(size_t)k * n % N];
            sum[n] += waves * (bin.x * w.x + bin.y * w.y) / N;
        }
    }
    Error error, noise_before, noise_after;
    for (int n = 0; n < N; ++n)
    {
        error.add(filtered[n], sum[n]);
        noise_before.add(noisy[n], clean[n]);
        noise_after.add(filtered[n], clean[n]);
    }
    check_error("low-pass", "against the host", error);
    print_note("%d numbers, bins 0 to %d kept; noise / signal: %.3f before, %.3f after\n", N,
               cutoff, noise_before.relative(), noise_after.relative());

    // A column of the picture has 16 numbers: dots for the noisy ones, a star for the filtered one.
    const int COLUMNS = 64, ROWS = 15, EACH = N / COLUMNS;
    char picture[ROWS][COLUMNS + 1];
    memset(picture, ' ', sizeof(picture));
    const auto row_of = [&](real value)
    {
        const double place =
            (3.0 - (double)value) / 6.0 * ROWS; // 3 is at the top, -3 at the bottom
        return place >= 0.0 ? std::min((int)place, ROWS - 1) : 0;
    };
    for (int n = 0; n < N; ++n)
    {
        picture[row_of(noisy[n])][n / EACH] = '.';
    }
    for (int column = 0; column < COLUMNS; ++column)
    {
        picture[row_of(filtered[column * EACH + EACH / 2])][column] = '*';
    }
    for (char *row : picture)
    {
        row[COLUMNS] = '\0';
        print_note("  %s\n", row);
    }
    if (figure != NULL)
    {
        fprintf(figure->file, "# n  noisy  filtered  clean\n");
        for (int n = 0; n < N; ++n)
        {
            fprintf(figure->file, "%d %.6g %.6g %.6g\n", n, noisy[n], filtered[n], clean[n]);
        }
        close_output(figure);
    }
}

// ---- M x N numbers in four shapes ----

enum Shape
{
    ROWS,    // M signals of N numbers each
    COLUMNS, // N signals of M numbers each, which lie N apart
    IMAGE,   // two dimensions: first all rows, then all columns
    LONG,    // one signal of M N numbers
    NUM_SHAPES
};

const char *const SHAPE_NAMES[NUM_SHAPES] = {"rows", "columns", "image", "long"};

// A plan may need a work area. The plans here share one, so they must not run at the same time.
// Returns its size for this plan.
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

// What came back, against what was there.
template <typename T>
double compare_back(const char *what, const char *when, const T *back, const T *x, size_t count,
                    double N)
{
    Error error;
    for (size_t n = 0; n < count; ++n)
    {
        error.add((double)back[n] / N, (double)x[n]);
    }
    return check_error(what, when, error);
}

int main(int argc, char **argv)
{
    Args args;
    args.M = default_size(2048, 256);
    args.N = default_size(4096, 512);
    size_t cutoff = 16;
    bool every = false;
    add_number(&args, "cutoff", &cutoff, 0, 512, "the last bin that the low-pass filter keeps");
    add_flag(&args, "every", &every, "every length up to 1009 instead of some");
    args.bytes_per_element = 4 * sizeof(Complex) + sizeof(real);
    args.bytes_on_host = 3 * sizeof(Complex);
    parse_args(&args, argc, argv, "-n MxN -r R -s S -o PREFIX --csv",
               "cufft-signal: the discrete Fourier transform: there, a filter, and back; any "
               "length, one or two dimensions");
    const size_t M = args.M, N = args.N, MN = M * N, width = N / 2 + 1;
    if (M > INT_MAX / N) // no product: it could overflow
    {
        usage_error(&args, "a plan has at most %d numbers here, not %zux%zu", INT_MAX, M, N);
    }
    const bool wants_figure = *args.prefix != '\0';
    Output figure;
    if (wants_figure)
    {
        figure = open_output(&args, "lowpass.txt");
    }
    print_device();
    int version;
    CHECK_CUFFT(cufftGetVersion(&version));
    print_note("cuFFT %d.%d.%d, %s\n", version / 1000, version / 100 % 10, version % 100,
               REAL_NAME);

    transform_four_numbers();
    compare_short_signals(&args, every);
    filter_noisy_signal(&args, (int)cutoff, wants_figure ? &figure : NULL);

    // ---- Plans ----

    cufftHandle plans[NUM_SHAPES], forward_real[NUM_SHAPES], inverse_real[NUM_SHAPES];
    size_t work_bytes = 1;
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        const int rows = (int)M, columns = (int)N;
        work_bytes = std::max(work_bytes, make_plan(&plans[shape], shape, C2C, rows, columns));
        if (shape != COLUMNS)
        {
            for (const cufftType type : {R2C, C2R})
            {
                cufftHandle *plan = type == R2C ? &forward_real[shape] : &inverse_real[shape];
                work_bytes = std::max(work_bytes, make_plan(plan, shape, type, rows, columns));
            }
        }
    }
    const size_t bytes = MN * sizeof(Complex), real_bytes = MN * sizeof(real);
    require_memory(&args, 2.0 * bytes + 2.0 * real_bytes, 3.0 * bytes + real_bytes + work_bytes);
    void *d_work;
    CHECK(cudaMalloc(&d_work, work_bytes));
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        CHECK_CUFFT(cufftSetWorkArea(plans[shape], d_work));
        if (shape != COLUMNS)
        {
            CHECK_CUFFT(cufftSetWorkArea(forward_real[shape], d_work));
            CHECK_CUFFT(cufftSetWorkArea(inverse_real[shape], d_work));
        }
    }

    Complex *h_x = (Complex *)malloc(bytes), *h_X = (Complex *)malloc(bytes);
    real *h_real = (real *)malloc(real_bytes);
    Complex *d_x, *d_X, *d_back;
    real *d_real;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_X, bytes));
    CHECK(cudaMalloc(&d_back, bytes));
    CHECK(cudaMalloc(&d_real, real_bytes));
    const auto copy_back = [&](const void *device, size_t count)
    {
        poison(h_X, bytes);
        CHECK(cudaMemcpy(h_X, device, count, cudaMemcpyDeviceToHost));
    };

    // ---- Complex numbers: forward and inverse, into other arrays and in place ----

    print_note("M x N = %zu x %zu, work area %.4g MB; relative errors:\n", M, N, work_bytes * 1e-6);
    print_note("%-12s %9s %9s %9s %9s\n", "", "bins", "Parseval", "back", "in place");
    fill_signal(&h_x[0].x, 2 * MN, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        const char *name = SHAPE_NAMES[shape];
        const double length = (double)length_of(shape, M, N);
        const cufftHandle plan = plans[shape];
        CHECK(cudaMemset(d_X, POISON_BYTE, bytes));
        CHECK_CUFFT(execute(plan, d_x, d_X, CUFFT_FORWARD));
        copy_back(d_X, bytes);
        const double bins = compare_bins(name, shape, h_X, h_x, M, N, false, args.seed);
        const double energy = compare_energy(name, shape, h_X, h_x, M, N, false);

        CHECK(cudaMemset(d_back, POISON_BYTE, bytes));
        CHECK_CUFFT(execute(plan, d_X, d_back, CUFFT_INVERSE));
        copy_back(d_back, bytes);
        const double back = compare_back(name, "back", &h_X[0].x, &h_x[0].x, 2 * MN, length);

        CHECK(cudaMemcpy(d_back, d_x, bytes, cudaMemcpyDeviceToDevice));
        CHECK_CUFFT(execute(plan, d_back, d_back, CUFFT_FORWARD));
        copy_back(d_back, bytes);
        compare_bins(name, shape, h_X, h_x, M, N, false, args.seed + 1);
        CHECK_CUFFT(execute(plan, d_back, d_back, CUFFT_INVERSE));
        copy_back(d_back, bytes);
        const double in_place =
            compare_back(name, "back in place", &h_X[0].x, &h_x[0].x, 2 * MN, length);
        print_note("%-12s %9.2g %9.2g %9.2g %9.2g\n", name, bins, energy, back, in_place);
    }

    // ---- Real numbers: the input of R2C has no imaginary parts ----

    for (size_t n = 0; n < MN; ++n)
    {
        h_real[n] = h_x[n].x;
        h_x[n].y = 0;
    }
    CHECK(cudaMemcpy(d_real, h_real, real_bytes, cudaMemcpyHostToDevice));
    for (const Shape shape : {ROWS, IMAGE, LONG})
    {
        char name[32];
        snprintf(name, sizeof(name), "%s-real", SHAPE_NAMES[shape]);
        const size_t num_bins = shape == LONG ? MN / 2 + 1 : M * width;
        const double length = (double)length_of(shape, M, N);
        CHECK(cudaMemset(d_X, POISON_BYTE, bytes));
        CHECK_CUFFT(execute(forward_real[shape], d_real, d_X));
        copy_back(d_X, num_bins * sizeof(Complex));
        const double bins = compare_bins(name, shape, h_X, h_x, M, N, true, args.seed);
        const double energy = compare_energy(name, shape, h_X, h_x, M, N, true);

        // C2R may use its input as work space: after it d_X has no meaning.
        CHECK(cudaMemset(d_back, POISON_BYTE, bytes));
        CHECK_CUFFT(execute(inverse_real[shape], d_X, (real *)d_back));
        copy_back(d_back, real_bytes);
        const double back = compare_back(name, "back", (real *)h_X, h_real, MN, length);
        print_note("%-12s %9.2g %9.2g %9.2g\n", name, bins, energy, back);
    }

    // In place, a row of N reals must have room for its N/2 + 1 bins: 2 (N/2 + 1) reals.
    CHECK(cudaMemset(d_back, POISON_BYTE, bytes));
    const size_t padded = 2 * width * sizeof(real);
    CHECK(cudaMemcpy2D(d_back, padded, d_real, N * sizeof(real), N * sizeof(real), M,
                       cudaMemcpyDeviceToDevice));
    CHECK_CUFFT(execute(forward_real[IMAGE], (real *)d_back, d_back));
    copy_back(d_back, M * padded);
    compare_bins("image-real in place", IMAGE, h_X, h_x, M, N, true, args.seed + 1);

    // ---- The filter: what the kernel must make of these bins is known exactly ----

    const int keep = (int)N / 8;
    std::vector<Complex> filtered(M * width);
    for (size_t n = 0; n < M * width; ++n)
    {
        const bool stays = (int)(n % width) <= keep;
        filtered[n].x = stays ? h_X[n].x / (real)N : 0;
        filtered[n].y = stays ? h_X[n].y / (real)N : 0;
    }
    launch_low_pass(d_back, M, (int)width, keep, N);
    copy_back(d_back, M * padded);
    check_elements("the filter", &h_X[0].x, &filtered[0].x, 2 * M * width, REAL_EPSILON);

    // ---- Rates ----

    const double log_M = log2((double)M), log_N = log2((double)N);
    const double row_bytes = (double)real_bytes + M * width * sizeof(Complex);
    const double long_bytes = (double)real_bytes + (MN / 2 + 1) * sizeof(Complex);
    const double filter_bytes = (double)M * (width + keep + 1) * sizeof(Complex);
    const auto transform = [&](Shape shape)
    {
        CHECK_CUFFT(execute(plans[shape], d_x, d_X, CUFFT_FORWARD));
    };
    const auto transform_reals = [&](Shape shape)
    {
        CHECK_CUFFT(execute(forward_real[shape], d_real, d_X));
    };
    const auto filter = [&]
    {
        launch_low_pass(d_X, M, (int)width, keep, N);
    };
    const auto low_pass_rows = [&]
    {
        transform_reals(ROWS);
        filter();
        CHECK_CUFFT(execute(inverse_real[ROWS], d_X, (real *)d_back));
    };

    // After the low pass a row has its first bins, and no others.
    transform_reals(ROWS);
    copy_back(d_X, M * padded);
    for (size_t n = 0; n < M * width; ++n)
    {
        filtered[n] = (int)(n % width) <= keep ? h_X[n] : Complex{0, 0};
    }
    CHECK(cudaMemset(d_back, POISON_BYTE, bytes));
    low_pass_rows();
    CHECK_CUFFT(execute(forward_real[ROWS], (real *)d_back, d_X));
    copy_back(d_X, M * padded);
    compare_back("low-pass", "its bins", &h_X[0].x, &filtered[0].x, 2 * M * width, 1.0);

    const double copies = copy_ceiling(2 * bytes);
    // On a CPU this one takes longer than all the rest of the program.
    const double multiply_adds = ON_GPU ? multiply_add_ceiling<real>() : NAN;
    print_note("%s, M x N = %zu x %zu, median of %zu repeats, ceiling %.1f GB/s", REAL_NAME, M, N,
               args.repeats, copies);
    if (ON_GPU)
    {
        printf(", %.0f GFLOP/s", multiply_adds);
    }
    printf(args.csv ? "\nversion,%s,GB/s,%% of GB/s,GFLOP/s,%% of GFLOP/s\n"
                    : "\nversion      %10s      GB/s  %% of it   GFLOP/s  %% of it\n",
           TIME_UNIT);
    const auto print_row = [&](const char *name, double operations, double moved, auto work)
    {
        const double ms = time_kernel(work, args.repeats).median;
        const double gbytes = moved / ms * 1e-6, gflops = operations / ms * 1e-6;
        printf(args.csv ? "%s" : "%-12s", name);
        print_cell(args.csv, "%10.4g", ms);
        print_cell(args.csv, "%9.1f", gbytes);
        print_cell(args.csv, "%8.1f", 100.0 * gbytes / copies);
        print_cell(args.csv, "%9.1f", gflops);
        print_cell(args.csv, "%8.1f", 100.0 * gflops / multiply_adds);
        printf("\n");
        fflush(stdout);
    };
    print_row("rows", 5.0 * MN * log_N, 2.0 * bytes, [&] { transform(ROWS); });
    print_row("columns", 5.0 * MN * log_M, 2.0 * bytes, [&] { transform(COLUMNS); });
    print_row("image", 5.0 * MN * (log_M + log_N), 2.0 * bytes, [&] { transform(IMAGE); });
    print_row("long", 5.0 * MN * (log_M + log_N), 2.0 * bytes, [&] { transform(LONG); });
    print_row("rows-real", 2.5 * MN * log_N, row_bytes, [&] { transform_reals(ROWS); });
    print_row("image-real", 2.5 * MN * (log_M + log_N), row_bytes, [&] { transform_reals(IMAGE); });
    print_row("long-real", 2.5 * MN * (log_M + log_N), long_bytes, [&] { transform_reals(LONG); });
    print_row("filter", 2.0 * M * (keep + 1), filter_bytes, filter);
    print_row("low-pass", 5.0 * MN * log_N, 2.0 * row_bytes + filter_bytes, low_pass_rows);

    for (const Shape shape : {ROWS, COLUMNS, IMAGE, LONG})
    {
        CHECK_CUFFT(cufftDestroy(plans[shape]));
        if (shape != COLUMNS)
        {
            CHECK_CUFFT(cufftDestroy(forward_real[shape]));
            CHECK_CUFFT(cufftDestroy(inverse_real[shape]));
        }
    }
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
    CHECK(cudaFree(d_back));
    CHECK(cudaFree(d_real));
    free(h_x);
    free(h_X);
    free(h_real);
    return verdict();
}
