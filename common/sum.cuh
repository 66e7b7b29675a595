// The two checks of a sum.
//
// Small integers come first. Their sum is exact in any order, so a version that adds one element
// too few or too many cannot hide behind rounding. Then come the random numbers that are timed. The
// sum of these may be off by the rounding of each addition on the longest way into the total.
//
//     fill_integers(h_x, N, args.seed);
//     total = total_of(h_x, N, IS_EXACT);
//     check_versions(&table, VERSIONS, NUM_VERSIONS);
//
//     fill_random(h_x, N, args.seed);
//     total = total_of(h_x, N, IS_ROUNDED);
//     run_versions(&table, VERSIONS, NUM_VERSIONS);
//
// Both times the check of a version is check_total(sum, &total, additions).
#pragma once
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include "compare.cuh"
#include "real.cuh"

// The numbers of --book, whose sum shows how float loses digits.
template <typename T>
void fill_constant(T *x, size_t N, T value)
{
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = value;
    }
}

// Sum in double with the rounding errors carried along (Neumaier): the reference for sums.
template <typename T>
double sum_compensated(const T *x, size_t N)
{
    double sum = 0.0, lost = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        const double term = (double)x[n];
        const double total = sum + term;
        lost += fabs(sum) >= fabs(term) ? (sum - total) + term : (term - total) + sum;
        sum = total;
    }
    return sum + lost;
}

enum Addition
{
    IS_EXACT,  // every partial sum is a number of the type: the result must be equal
    IS_ROUNDED // an addition may round
};

// What an array adds up to.
struct Total
{
    double sum = 0.0, sum_abs = 0.0; // of the elements, of their absolute values
    Addition addition = IS_ROUNDED;
};

template <typename T>
Total total_of(const T *x, size_t N, Addition addition)
{
    Total total = {sum_compensated(x, N), 0.0, addition};
    for (size_t n = 0; n < N; ++n)
    {
        total.sum_abs += fabs((double)x[n]);
    }
    return total;
}

// A sum against a compensated reference. An element passes through at most `chain` additions on its
// way to the total. Each addition rounds by at most epsilon * sum_abs, where sum_abs is the sum of
// the absolute values. So a right program is off by at most chain * epsilon * sum_abs. With a long
// chain in float this bound is wide, so sums of small integers are compared too.
static inline bool check_sum(const char *what, double sum, double reference, double sum_abs,
                             double chain, double epsilon)
{
    const double bound = chain * epsilon * sum_abs;
    const bool right = fabs(sum - reference) <= bound && bound <= DBL_MAX;
    char text[256];
    snprintf(text, sizeof(text), said("%s: sum is %.17g, not %.17g (within %.3g)"), said(what), sum,
             reference, bound);
    return check_true(text, right);
}

// One check of the total. `additions` is the most additions that one element passes through on its
// way into the sum.
template <typename T>
void check_total(const char *what, T sum, const Total *total, double additions)
{
    const double result = (double)sum;
    if (total->addition == IS_EXACT)
    {
        check_elements(what, &result, &total->sum, 1);
    }
    else
    {
        check_sum(what, result, total->sum, total->sum_abs, additions, REAL_EPSILON);
    }
}

// The check of the row of a table, which also shows its result and error.
static inline void check_total(double sum, const Total *total, double additions)
{
    check_total(g_row, sum, total, additions);
    g_result = sum;
    g_error = fabs(g_result - total->sum) / total->sum_abs;
}
