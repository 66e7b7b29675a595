// CUDA's mathematical functions that C does not have. The fast ones are the accurate ones: on a
// CPU there is nothing to be gained by less.
#ifndef CUDACPU_MATH_H
#define CUDACPU_MATH_H
#include <math.h>
#include <stdlib.h>

#ifdef __cplusplus
#include "cudacpu_bits.h"
#include "cudacpu_rounding.h"

// glibc declares some of these names itself, so they are macros.
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __tanhf(x) tanhf(x)
#define __sincosf(x, sine, cosine) sincosf(x, sine, cosine)
#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __fdividef(x, y) fdividef(x, y)
#define __saturatef(x) fminf(1.0f, fmaxf(0.0f, (x)))

static inline float fdividef(float x, float y)
{
    return x / y;
}

static inline double fdivide(double x, double y)
{
    return x / y;
}

// A function of doubles under all three of CUDA's names: f(double), ff(float), f(float).
#define CUDACPU_FLOAT_NAMES(name)        \
    static inline float name##f(float x) \
    {                                    \
        return (float)name((double)x);   \
    }                                    \
    static inline float name(float x)    \
    {                                    \
        return (float)name((double)x);   \
    }

// Newer C libraries have a few of them.
#if !__GLIBC_PREREQ(2, 42)
static inline double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

static inline float rsqrtf(float x)
{
    return (float)rsqrt((double)x);
}
#endif

static inline float rsqrt(float x)
{
    return rsqrtf(x);
}

static inline double rcbrt(double x)
{
    return 1.0 / cbrt(x);
}
CUDACPU_FLOAT_NAMES(rcbrt)

static inline float exp10(float x)
{
    return exp10f(x);
}

// sin and cos of pi x, exact where they are 0, 1 or -1: the nearest multiple of pi/2 is taken off
// before pi comes in.
static inline void sincospi(double x, double *sine, double *cosine)
{
    const double quarters = rint(2.0 * x), rest = x - 0.5 * quarters;
    const double s = sin(3.14159265358979323846 * rest), c = cos(3.14159265358979323846 * rest);
    const double within = fmod(quarters, 4.0); // -3 ... 3
    const int turn = within != within ? 0 : ((int)within + 4) % 4;
    *sine = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
    *cosine = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
}

static inline void sincospif(float x, float *sine, float *cosine)
{
    double s, c;
    sincospi((double)x, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}

static inline void sincospi(float x, float *sine, float *cosine)
{
    sincospif(x, sine, cosine);
}

static inline void sincos(float x, float *sine, float *cosine)
{
    sincosf(x, sine, cosine);
}

#if !__GLIBC_PREREQ(2, 41)
static inline double sinpi(double x)
{
    double sine, cosine;
    sincospi(x, &sine, &cosine);
    return sine;
}

static inline double cospi(double x)
{
    double sine, cosine;
    sincospi(x, &sine, &cosine);
    return cosine;
}
CUDACPU_FLOAT_NAMES(sinpi)
CUDACPU_FLOAT_NAMES(cospi)
#endif

// --- lengths -----------------------------------------------------------------------------------

static inline double norm3d(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}

static inline double norm4d(double x, double y, double z, double w)
{
    return hypot(hypot(x, y), hypot(z, w));
}

static inline double norm(int dimensions, const double *x)
{
    double length = 0.0;
    for (int i = 0; i < dimensions; ++i)
    {
        length = hypot(length, x[i]);
    }
    return length;
}

static inline double rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}

static inline double rnorm3d(double x, double y, double z)
{
    return 1.0 / norm3d(x, y, z);
}

static inline double rnorm4d(double x, double y, double z, double w)
{
    return 1.0 / norm4d(x, y, z, w);
}

static inline double rnorm(int dimensions, const double *x)
{
    return 1.0 / norm(dimensions, x);
}

// In float, squares need no scaling: double has room for them.
static inline float norm3df(float x, float y, float z)
{
    return (float)sqrt((double)x * x + (double)y * y + (double)z * z);
}

static inline float norm4df(float x, float y, float z, float w)
{
    return (float)sqrt((double)x * x + (double)y * y + (double)z * z + (double)w * w);
}

static inline float normf(int dimensions, const float *x)
{
    double squares = 0.0;
    for (int i = 0; i < dimensions; ++i)
    {
        squares += (double)x[i] * x[i];
    }
    return (float)sqrt(squares);
}

static inline float rhypotf(float x, float y)
{
    return (float)(1.0 / sqrt((double)x * x + (double)y * y));
}

static inline float rnorm3df(float x, float y, float z)
{
    return (float)(1.0 / sqrt((double)x * x + (double)y * y + (double)z * z));
}

static inline float rnorm4df(float x, float y, float z, float w)
{
    return (float)(1.0 / sqrt((double)x * x + (double)y * y + (double)z * z + (double)w * w));
}

static inline float rnormf(int dimensions, const float *x)
{
    return 1.0f / normf(dimensions, x);
}

// --- the normal distribution -------------------------------------------------------------------

// A rational approximation (Abramowitz and Stegun, 26.2.23), then Halley's method.
static inline double erfcinv(double y)
{
    if (!(y > 0.0 && y < 2.0))
    {
        return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : NAN;
    }
    if (y > 1.0)
    {
        return -erfcinv(2.0 - y);
    }
    const double t = sqrt(-2.0 * log(0.5 * y));
    double x =
        0.70710678118654752 * (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                                       (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; ++i)
    {
        const double error = erfc(x) - y;
        x += error / (1.12837916709551257 * exp(-x * x) - x * error);
    }
    return x;
}

static inline double erfinv(double y)
{
    if (fabs(y) > 0.5)
    {
        return y > 0.0 ? erfcinv(1.0 - y) : -erfcinv(1.0 + y);
    }
    double x = 0.88622692545275801 * y;
    for (int i = 0; i < 5; ++i)
    {
        const double error = erf(x) - y;
        x -= error / (1.12837916709551257 * exp(-x * x) + x * error);
    }
    return x;
}

// exp(x*x) erfc(x), also where the two would over- and underflow: there by its series in 1/x.
static inline double erfcx(double x)
{
    if (x < 25.0)
    {
        return exp(x * x) * erfc(x);
    }
    const double h = 0.5 / (x * x);
    return 0.56418958354775629 / x *
           (1.0 - h * (1.0 - 3.0 * h * (1.0 - 5.0 * h * (1.0 - 7.0 * h))));
}

static inline double normcdf(double x)
{
    return 0.5 * erfc(-0.70710678118654752 * x);
}

static inline double normcdfinv(double y)
{
    return -1.41421356237309505 * erfcinv(2.0 * y);
}

// --- Bessel functions ----------------------------------------------------------------------------

namespace cudacpu
{
// The modified Bessel function of order 0 or 1 at x >= 0: by its series in x * x, or by that in 1 / x.
static inline double bessel_i(int order, double x)
{
    double term = order == 0 ? 1.0 : 0.5 * x, sum = term;
    if (x > 1000.0)
    {
        return HUGE_VAL;
    }
    if (x < 20.0)
    {
        for (int k = 1; term > 1e-17 * sum; ++k)
        {
            term *= 0.25 * x * x / ((double)k * (k + order));
            sum += term;
        }
        return sum;
    }
    term = sum = 1.0;
    for (int k = 1; k < 40 && fabs(term) > 1e-17; ++k)
    {
        term *= ((2.0 * k - 1.0) * (2.0 * k - 1.0) - 4.0 * order) / (8.0 * k * x);
        sum += term;
    }
    const double half = exp(0.5 * x); // exp(x) may be infinite where the result is not
    return half / sqrt(6.28318530717958648 * x) * sum * half;
}
} // namespace cudacpu

static inline double cyl_bessel_i0(double x)
{
    return x != x ? x : cudacpu::bessel_i(0, fabs(x));
}

static inline double cyl_bessel_i1(double x)
{
    return x != x ? x : copysign(cudacpu::bessel_i(1, fabs(x)), x);
}

static inline float cyl_bessel_i0f(float x)
{
    return (float)cyl_bessel_i0((double)x);
}

static inline float cyl_bessel_i1f(float x)
{
    return (float)cyl_bessel_i1((double)x);
}

CUDACPU_FLOAT_NAMES(erfcinv)
CUDACPU_FLOAT_NAMES(erfinv)
CUDACPU_FLOAT_NAMES(erfcx)
CUDACPU_FLOAT_NAMES(normcdf)
CUDACPU_FLOAT_NAMES(normcdfinv)
#undef CUDACPU_FLOAT_NAMES

#endif
#endif
