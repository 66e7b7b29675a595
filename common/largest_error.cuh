// How far a result is from its reference, to print beside it.
#pragma once
#include <math.h>
#include <stddef.h>

// The largest |result - reference|. NaN if one of them is NaN.
template <typename T, typename R>
double largest_error(const T *result, const R *reference, size_t N)
{
    double largest = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        const double error = fabs((double)result[n] - (double)reference[n]);
        largest = error <= largest ? largest : error; // NaN comes in ...
        if (isnan(largest))
        {
            break; // ... and nothing would replace it
        }
    }
    return largest;
}
