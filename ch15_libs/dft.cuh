// What the programs on cuFFT share: its names for `real`, the transform as a sum on the host, and
// the error of a result.
#pragma once
#include <cufft.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/multiply_add.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "check_cufft.cuh"

// ---- cuFFT's names for the two precisions: C and R are of float, Z and D of double ----

#ifdef USE_DP
typedef cufftDoubleComplex Complex;
#else
typedef cufftComplex Complex;
#endif
const bool IS_FLOAT = sizeof(real) == sizeof(float);
const cufftType C2C = IS_FLOAT ? CUFFT_C2C : CUFFT_Z2Z;
const cufftType R2C = IS_FLOAT ? CUFFT_R2C : CUFFT_D2Z;
const cufftType C2R = IS_FLOAT ? CUFFT_C2R : CUFFT_Z2D;

// Of the errors, in the L2 norm: sqrt(sum |is - should|^2 / sum |should|^2).
const double TOLERANCE = IS_FLOAT ? 1e-6 : 5e-15;

static inline cufftResult execute(cufftHandle plan, cufftComplex *in, cufftComplex *out,
                                  int direction)
{
    return cufftExecC2C(plan, in, out, direction);
}

static inline cufftResult execute(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                                  int direction)
{
    return cufftExecZ2Z(plan, in, out, direction);
}

static inline cufftResult execute(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return cufftExecR2C(plan, in, out);
}

static inline cufftResult execute(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return cufftExecD2Z(plan, in, out);
}

static inline cufftResult execute(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return cufftExecC2R(plan, in, out);
}

static inline cufftResult execute(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return cufftExecZ2D(plan, in, out);
}

// ---- The reference: the sum itself, in double ----

// Sums millions of terms to double's last digits: what an addition rounds off is added to `lost`.
struct Sum
{
    double sum, lost;
};

static inline void add_term(Sum *sum, double term)
{
    const double total = sum->sum + term;
    sum->lost +=
        fabs(sum->sum) >= fabs(term) ? (sum->sum - total) + term : (term - total) + sum->sum;
    sum->sum = total;
}

static inline double value_of(const Sum *sum) { return sum->sum + sum->lost; }

// exp(-2 pi i k / n) for all k below n: the product of one of two short tables each.
struct RootTables
{
    size_t n;
    int shift; // 2^shift roots are in `fine`
    double2 *coarse, *fine;
};

static inline double2 compute_root(size_t k, size_t n)
{
    const double angle = -2.0 * 3.14159265358979323846 * ((double)k / (double)n);
    return {cos(angle), sin(angle)};
}

static inline RootTables make_root_tables(size_t n)
{
    RootTables roots = {n, 0, NULL, NULL};
    while (((size_t)1 << 2 * roots.shift) < n)
    {
        ++roots.shift;
    }
    const size_t num_fine = (size_t)1 << roots.shift, num_coarse = (n - 1) / num_fine + 1;
    roots.fine = (double2 *)malloc(num_fine * sizeof(double2));
    roots.coarse = (double2 *)malloc(num_coarse * sizeof(double2));
    for (size_t k = 0; k < num_fine; ++k)
    {
        roots.fine[k] = compute_root(k, n);
    }
    for (size_t k = 0; k < num_coarse; ++k)
    {
        roots.coarse[k] = compute_root(k * num_fine, n);
    }
    return roots;
}

static inline double2 root_at(const RootTables *roots, size_t k)
{
    const double2 a = roots->coarse[k >> roots->shift];
    const double2 b = roots->fine[k & (((size_t)1 << roots->shift) - 1)];
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

static inline void free_root_tables(RootTables *roots)
{
    free(roots->coarse);
    free(roots->fine);
}

// One bin of n numbers that lie `stride` apart.
static inline double2 direct_bin(const Complex *x, size_t stride, size_t k, const RootTables *roots)
{
    Sum re = {}, im = {};
    size_t turns = 0; // k j modulo n
    for (size_t j = 0; j < roots->n; ++j)
    {
        const double2 w = root_at(roots, turns);
        const double x_re = x[j * stride].x, x_im = x[j * stride].y;
        add_term(&re, x_re * w.x - x_im * w.y);
        add_term(&im, x_re * w.y + x_im * w.x);
        turns += k;
        turns -= turns >= roots->n ? roots->n : 0;
    }
    return {value_of(&re), value_of(&im)};
}

// Collects squares for a relative error.
struct Error
{
    double difference, size;
};

static inline void add_error(Error *error, double is, double should)
{
    error->difference += (is - should) * (is - should);
    error->size += should * should;
}

static inline void add_complex_error(Error *error, double2 is, double2 should)
{
    add_error(error, is.x, should.x);
    add_error(error, is.y, should.y);
}

static inline double relative_error(const Error *error)
{
    return sqrt(error->difference / error->size);
}

// ---- What the programs on cuFFT share ----

static inline double2 as_double(Complex z) { return {z.x, z.y}; }

static inline double check_error(const char *what, const char *when, const Error *error)
{
    char text[128];
    const double relative = relative_error(error);
    snprintf(text, sizeof(text), "%s, %s: relative error %.3g", what, when, relative);
    check_true(text, relative <= TOLERANCE);
    return relative;
}

// Random numbers between -0.5 and 0.5: all bins are then about equally large.
static inline void fill_signal(real *x, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (real)(random_unit(seed, n) - 0.5);
    }
}

// What came back, against what was there.
static inline double compare_back(const char *what, const char *when, const real *back,
                                  const real *x, size_t count, double N)
{
    Error error = {};
    for (size_t n = 0; n < count; ++n)
    {
        add_error(&error, (double)back[n] / N, (double)x[n]);
    }
    return check_error(what, when, &error);
}

// The device, and the version of the library.
static inline void print_library(void)
{
    int version;
    CHECK_CUFFT(cufftGetVersion(&version));
    print_device();
    print_note("cuFFT %d.%d.%d, %s\n", version / 1000, version / 100 % 10, version % 100,
               REAL_NAME);
}

// ---- The rates: a table whose rows have different bytes and operations ----

static const char *const RATE_COLUMNS =
    "  ms                the median time of a run\n"
    "  GB/s, % of it     the bytes of input and output, each read or written once, over the time;\n"
    "                    in percent of the rate of a copy\n"
    "  GFLOP/s, % of it  5 N log2 N operations for N numbers, half as many for real numbers, over\n"
    "                    the time; in percent of the ceiling of multiply-adds\n";

struct Ceilings
{
    double copies, multiply_adds;
};

static inline Ceilings measure_ceilings(double bytes)
{
    return {copy_ceiling(bytes), ON_GPU ? multiply_add_ceiling<real>() : NAN};
}

static inline void print_rate_titles(const Ceilings *ceilings)
{
    print_timed_note(
        "%s, M x N = %zu x %zu, median of %zu repeats, ceiling %.1f GB/s, %.0f GFLOP/s\n",
        REAL_NAME, args.M, args.N, args.repeats, ceilings->copies, ceilings->multiply_adds);
    static const Column COLUMNS[] = {{"version", "%-12s"}, {TIME_UNIT, "%10.4g"},
                                     {"GB/s", "%9.1f"},    {"% of GB/s", "%8.1f", "% of it"},
                                     {"GFLOP/s", "%9.1f"}, {"% of GFLOP/s", "%8.1f", "% of it"}};
    begin_timed_table(COLUMNS, 6, sizeof(real) == 8 ? "double, M x N" : "float, M x N");
}

static inline void time_and_print(const Ceilings *ceilings, const char *name, double operations,
                                  double bytes, void (*run)(void))
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        run();
    }
    const double ms = timer.median;
    const double gbytes = rate_of(bytes, ms), gflops = rate_of(operations, ms);
    put_text(name);
    put(ms);
    put(gbytes);
    put(percent_of(gbytes, ceilings->copies));
    put(gflops);
    put(percent_of(gflops, ceilings->multiply_adds));
    end_row();
}
