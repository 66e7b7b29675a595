// The data of arithmetic1cpu and arithmetic2gpu, and the right answer.
#pragma once
#include <math.h>
#include <stddef.h>
#include "../common/data.cuh"
#include "../common/real.cuh"

const real X0 = 100.0;
const size_t STEPS = 10000; // an element takes so many steps to X0 squared, or one less

// Numbers from 0 to 2 in steps of 1/64. From each of them to 10000, every number on the way is
// exact, in float too.
inline void fill_start(real *x, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (real)(random_below(seed, n, 128) / 64.0);
    }
}

// The root of x is below X0 until x has reached X0 squared. So all steps can be added at once, and
// no square root is needed.
inline void arithmetic_reference(const real *x, double *result, size_t N)
{
    const double target = (double)X0 * (double)X0;
    for (size_t n = 0; n < N; ++n)
    {
        result[n] = x[n] + ceil(target - x[n]);
    }
}
