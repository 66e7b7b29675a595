// Tests of random numbers: for curand-generators.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/compare.cuh"

// What is known of a distribution before a number is drawn.
struct Distribution
{
    double mean, deviation;    // of x; the powers below are those of (x - mean) / deviation
    double power[4];           // mean values of the first four powers: 0, 1, skewness, kurtosis
    double power_variance[4];  // and how much one number's power scatters around it
    double smallest, largest;  // between which all numbers lie
    double (*below)(double x); // the probability of a number below x
};

const int NUM_BINS = 1000;
const size_t ENOUGH = 10000; // numbers for a test: ten in each bin
const double MOST_ERRORS = 5.0;

// Mean, variance, skewness and kurtosis of N numbers. Returns by how many standard errors the worst
// of them is off. The standard error of a mean of N independent numbers is the square root of
// (variance / N).
static inline double worst_moment(const double *x, size_t N, const Distribution *distribution)
{
    double sums[4] = {};
    for (size_t n = 0; n < N; ++n)
    {
        const double z = (x[n] - distribution->mean) / distribution->deviation;
        sums[0] += z;
        sums[1] += z * z;
        sums[2] += z * z * z;
        sums[3] += z * z * z * z;
    }
    double worst = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        const double off = fabs(sums[i] / N - distribution->power[i]);
        const double errors = off / sqrt(distribution->power_variance[i] / N);
        worst = errors > worst || isnan(errors) ? errors : worst; // NaN stays
    }
    return worst;
}

// The chi-square of 1000 bins that are all equally probable: the sum of (count - expected)^2 /
// expected.
static inline double chi_square(const double *x, size_t N, const Distribution *distribution)
{
    size_t *counts = (size_t *)calloc(NUM_BINS, sizeof(size_t));
    for (size_t n = 0; n < N; ++n)
    {
        const int bin = (int)(distribution->below(x[n]) * NUM_BINS);
        counts[bin < 0 ? 0 : bin < NUM_BINS ? bin : NUM_BINS - 1]++;
    }
    const double expected = (double)N / NUM_BINS;
    double sum = 0.0;
    for (int bin = 0; bin < NUM_BINS; ++bin)
    {
        sum += (counts[bin] - expected) * (counts[bin] - expected) / expected;
    }
    free(counts);
    return sum;
}

// A true random sequence has a larger chi-square once in a million times. (The cube root of
// chi-square is nearly normal: Wilson and Hilferty. 4.753 deviations are one in a million.)
static inline double largest_chi_square(void)
{
    const double freedom = NUM_BINS - 1, v = 2.0 / (9.0 * freedom);
    return freedom * pow(1.0 - v + 4.753 * sqrt(v), 3.0);
}

static inline bool all_in_range(const double *x, size_t N, const Distribution *distribution)
{
    for (size_t n = 0; n < N; ++n)
    {
        if (!(x[n] >= distribution->smallest && x[n] <= distribution->largest))
        {
            return false;
        }
    }
    return true;
}

static inline double itself(double x) { return x; }

// A test that finds nothing wrong may be a wrong test. So the three tests above get numbers for
// which their results are known.
static inline void check_tests(void)
{
    // (7 - 3) / 2 is 2, whose powers are 2, 4, 8 and 16. One of them at a time is expected to be
    // larger by 1. With 64 numbers of variance 4 that is four standard errors.
    const size_t N = 64;
    double sevens[N];
    for (size_t n = 0; n < N; ++n)
    {
        sevens[n] = 7.0;
    }
    bool right = true;
    for (int i = 0; i < 4; ++i)
    {
        Distribution seven = {3.0, 2.0, {2.0, 4.0, 8.0, 16.0}, {1.0, 1.0, 1.0, 1.0}, 7.0,
                              7.0, NULL};
        right = right && worst_moment(sevens, N, &seven) == 0.0;
        seven.power[i] += 1.0;
        seven.power_variance[i] = 4.0;
        right = right && worst_moment(sevens, N, &seven) == 4.0;
    }
    check_true("the test of the moments finds each that is off", right);

    // Two numbers in each bin give 0. If all numbers lie in one bin, be it the first or the last,
    // each gives 999.
    const Distribution uniform = {0.5, 1.0, {}, {}, 0.0, 1.0, itself};
    double even[2 * NUM_BINS], zeros[2 * NUM_BINS] = {}, ones[2 * NUM_BINS];
    for (int n = 0; n < 2 * NUM_BINS; ++n)
    {
        even[n] = (n + 0.5) / (2 * NUM_BINS);
        ones[n] = 1.0;
    }
    const double largest = 2.0 * NUM_BINS * (NUM_BINS - 1);
    check_true("chi-square of even and of equal numbers",
               chi_square(even, 2 * NUM_BINS, &uniform) == 0.0 &&
                   chi_square(zeros, 2 * NUM_BINS, &uniform) == largest &&
                   chi_square(ones, 2 * NUM_BINS, &uniform) == largest);

    const double inside[2] = {0.0, 1.0}, above[2] = {0.5, 1.5}, below[2] = {-0.5, 0.5};
    check_true("a number out of range is found", all_in_range(inside, 2, &uniform) &&
                                                     !all_in_range(above, 2, &uniform) &&
                                                     !all_in_range(below, 2, &uniform));
}

// Pseudo-random numbers: the range, and the two tests if there are numbers enough. Their results go
// to the table.
static inline void check_pseudo(const char *name, const double *x, size_t N,
                                const Distribution *distribution)
{
    char what[128];
    snprintf(what, sizeof(what), "%s: all numbers from %g to %g", name, distribution->smallest,
             distribution->largest);
    if (!check_true(what, N > 0 && all_in_range(x, N, distribution)) || N < ENOUGH)
    {
        return;
    }
    const double worst = worst_moment(x, N, distribution), bins = chi_square(x, N, distribution);
    snprintf(what, sizeof(what), "%s: a moment is off by %.3g standard errors, more than %g", name,
             worst, MOST_ERRORS);
    check_true(what, worst <= MOST_ERRORS);
    snprintf(what, sizeof(what), "%s: chi-square is %.5g, more than %.5g", name, bins,
             largest_chi_square());
    check_true(what, bins <= largest_chi_square());
    g_result = bins;
    g_error = worst;
}

static inline int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Quasi-random numbers are no independent numbers: they fill the interval evenly. Cut the sequence
// into blocks of 2^k numbers, and the interval into 2^k parts that are equally probable. Then one
// number of each block lies in each part, so the i-th smallest number of a block lies in part i.
// `position` is the place of x[0] in the sequence. `rounding` is the error of a probability that is
// computed from a number.
static inline void check_quasi(const char *name, const double *x, size_t N, size_t position,
                               const Distribution *distribution, double rounding)
{
    const size_t MOST = 1 << 20;
    size_t count = 1, wrong = 0;
    while (4 * count <= N + 1 && count < MOST)
    {
        count *= 2;
    }
    const size_t first = (count - position % count) % count; // x[first] begins a block
    char what[128];
    snprintf(what, sizeof(what), "%s: all numbers from %g to %g", name, distribution->smallest,
             distribution->largest);
    check_true(what, all_in_range(x, N, distribution));
    double *part = (double *)malloc(count * sizeof(double));
    for (size_t n = 0; n < count; ++n)
    {
        part[n] = distribution->below(x[first + n]);
    }
    qsort(part, count, sizeof(double), compare_numbers);
    for (size_t i = 0; i < count; ++i)
    {
        const double from = (double)i / count, to = (double)(i + 1) / count;
        wrong += !(part[i] >= from - rounding && part[i] <= to + rounding);
    }
    free(part);
    snprintf(what, sizeof(what), "%s: %zu of %zu numbers miss their part", name, wrong, count);
    check_true(what, wrong == 0);
}
