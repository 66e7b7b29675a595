// What arithmetic1cpu and arithmetic2gpu share: the host's function, its data, and what must come
// out, found without a single square root.
#pragma once
#include <math.h>
#include <stddef.h>
#include "../common/data.cuh"
#include "../common/real.cuh"

const real X0 = 100.0;
const size_t STEPS = 10000; // that an element takes from the start to X0 squared, or one less

// From 0 to 2 in steps of 1/64: with them every number on the way to 10000 is exact, in float too.
inline void fill_start(real *x, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (real)(random_below(seed, n, 128) / 64.0);
    }
}

// The root is below X0 until x has reached X0 squared: all steps at once.
inline void arithmetic_reference(const real *x, double *result, size_t N)
{
    const double target = (double)X0 * (double)X0;
    for (size_t n = 0; n < N; ++n)
    {
        result[n] = x[n] + ceil(target - x[n]);
    }
}

// Listing 5.2, the host's half.
inline void arithmetic_cpu(real *x, real x0, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        real x_tmp = x[n];
        while (sqrt(x_tmp) < x0)
        {
            ++x_tmp;
        }
        x[n] = x_tmp;
    }
}
