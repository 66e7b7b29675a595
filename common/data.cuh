// Data for the programs: the same bits on every machine for the same seed.
//
// The generator is a hash of (seed, index), so element n does not depend on how many were made
// before it, and a host and a device can make the same array without talking to each other.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Mixes a 64-bit counter until every input bit reaches every output bit (splitmix64's finisher).
__host__ __device__ inline uint64_t hash_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = (seed + 1) * 0x9e3779b97f4a7c15ull + index * 0xd1b54a32d192ed03ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

// Uniform in [0, 1). 24 bits: float and double hold the very same number.
__host__ __device__ inline double random_unit(uint64_t seed, uint64_t index)
{
    return (double)(hash_bits(seed, index) >> 40) / 16777216.0;
}

// Uniform in 0 ... bound - 1.
__host__ __device__ inline uint32_t random_below(uint64_t seed, uint64_t index, uint32_t bound)
{
    return (uint32_t)(((hash_bits(seed, index) >> 32) * bound) >> 32);
}

// Floating point only: as integers, numbers below 1 would all be 0.
template <typename T>
void fill_random(T *x, size_t N, uint64_t seed)
{
    static_assert((T)0.5 != (T)0, "integers are filled by fill_integers");
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (T)random_unit(seed, n);
    }
}

// Small integers -8 ... 8: any sums of up to 2^21 of them are exact in float, in every order. Far
// longer ones are too in practice, because the partial sums of random signs stay small.
template <typename T>
void fill_integers(T *x, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = (T)((int)random_below(seed, n, 17) - 8);
    }
}
