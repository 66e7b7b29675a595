// The two checks of a sum.
//
// Small integers come first. Their sum is exact in any order, so a version that adds one element
// too few or too many cannot hide behind rounding. Then come the random numbers that are timed. The
// sum of these may be off by the rounding of each addition on the longest way into the total.
//
//     fill_integers(h_x, N, args.seed);
//     total = total_of(h_x, N, IS_EXACT);
//     check_versions(&args, &table, VERSIONS);
//
//     fill_random(h_x, N, args.seed);
//     total = total_of(h_x, N, IS_ROUNDED);
//     run_versions(&args, &table, VERSIONS);
//
// Both times the check of a version is check_total(table, data->sum, &data->total, additions).
#pragma once
#include "compare.cuh"
#include "real.cuh"

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

// The check of a version in a table, which also shows its result and error.
template <typename Table, typename T>
void check_total(Table *table, T sum, const Total *total, double additions)
{
    check_total(table->checking, sum, total, additions);
    table->result = (double)sum;
    table->error = fabs(table->result - total->sum) / total->sum_abs;
}
