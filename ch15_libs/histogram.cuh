// A histogram in text, and checks of the numbers in it: for curand-host1 and curand-host2.
#pragma once
#include <math.h>
#include <stdio.h>
#include "../common/compare.cuh"

const int NUM_BARS = 20;
const int MOST_STARS = 40;
const double MOST_DEVIATION = 5.0; // a bar may be off by so many standard errors

static inline bool all_between(const double *x, int N, double smallest, double largest)
{
    for (int n = 0; n < N; ++n)
    {
        if (!(x[n] > smallest && x[n] <= largest))
        {
            return false;
        }
    }
    return true;
}

// Divides what lies between `from` and `to` into bars of the same width. The first and the last bar
// have the numbers beyond them, too. below(x) is the probability of a number below x.
//
// If a number lies in a bar with the probability p, p N of N numbers are expected in it. The count
// scatters around this with a standard error of sqrt(N p (1 - p)).
static inline void show_histogram(const double *x, int N, double from, double to,
                                  double (*below)(double))
{
    const double width = (to - from) / NUM_BARS;
    int counts[NUM_BARS] = {}, largest = 1;
    for (int n = 0; n < N; ++n)
    {
        int bar = 0;
        while (bar < NUM_BARS - 1 && x[n] > from + (bar + 1) * width)
        {
            ++bar;
        }
        ++counts[bar];
        largest = counts[bar] > largest ? counts[bar] : largest;
    }

    printf("%s", said("  from    to   numbers  expected\n"));
    bool all_right = true;
    for (int bar = 0; bar < NUM_BARS; ++bar)
    {
        const double left = from + bar * width, right = left + width;
        const double before = bar > 0 ? below(left) : 0.0;
        const double p = (bar < NUM_BARS - 1 ? below(right) : 1.0) - before;
        const double deviation = fabs(counts[bar] - p * N) / sqrt(N * p * (1.0 - p));
        all_right = all_right && deviation <= MOST_DEVIATION;
        printf("%6.2f%6.2f%10d%10.1f  ", left, right, counts[bar], p * N);
        const int stars = (counts[bar] * MOST_STARS + largest / 2) / largest; // rounded
        for (int star = 0; star < stars; ++star)
        {
            printf("*");
        }
        printf("\n");
    }
    check_true("each bar has about as many numbers as expected", all_right);
}
