// What sort has on the host beside its program: memory for records, kinds of data, and a reference
// for the results.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "digits.cuh"

// ---- Memory ----

inline Records allocate_on_host(size_t N)
{
    return {(uint32_t *)malloc(N * sizeof(uint32_t)), (uint32_t *)malloc(N * sizeof(uint32_t))};
}

inline Records allocate_on_device(size_t N, bool has_values)
{
    Records records = {NULL, NULL};
    CHECK(cudaMalloc(&records.keys, N * sizeof(uint32_t)));
    if (has_values)
    {
        CHECK(cudaMalloc(&records.values, N * sizeof(uint32_t)));
    }
    return records;
}

inline void free_on_host(Records records)
{
    free(records.keys);
    free(records.values);
}

inline void free_on_device(Records records)
{
    CHECK(cudaFree(records.keys));
    CHECK(cudaFree(records.values));
}

// ---- Data: key n of N. ----

inline uint32_t random_key(size_t n, size_t) { return (uint32_t)(hash_bits(args.seed, n) >> 32); }

inline uint32_t key_of_few(size_t n, size_t)
{
    return 0x01010101 * random_below(args.seed, n, 256);
}

inline uint32_t equal_key(size_t, size_t) { return LAST_KEY; }

inline uint32_t ascending_key(size_t n, size_t N)
{
    return (uint32_t)(n * (0xffffffff / (double)N));
}

inline uint32_t descending_key(size_t n, size_t N) { return ascending_key(N - 1 - n, N); }

struct Data
{
    const char *name;
    uint32_t (*key)(size_t n, size_t N);
};

const Data DATA[] = {{"random", random_key},
                     {"few", key_of_few},
                     {"equal", equal_key},
                     {"ascending", ascending_key},
                     {"descending", descending_key}};
const int NUM_DATA = sizeof(DATA) / sizeof(DATA[0]);

// ---- The reference ----

// Moves the records to the order of 16 bits of their keys: counts how often each number of 16 bits
// is there, and adds the counts up to the places where its records go.
inline void sort_by_half(Records from, Records to, size_t N, int shift)
{
    size_t *places = (size_t *)calloc(65536 + 1, sizeof(size_t));
    for (size_t n = 0; n < N; ++n)
    {
        ++places[(from.keys[n] >> shift & 65535) + 1];
    }
    for (int i = 0; i < 65536; ++i)
    {
        places[i + 1] += places[i];
    }
    for (size_t n = 0; n < N; ++n)
    {
        const size_t place = places[from.keys[n] >> shift & 65535]++;
        to.keys[place] = from.keys[n];
        to.values[place] = from.values[n];
    }
    free(places);
}

// By the lower half of the keys, then by the upper one.
inline void sort_reference(Records x, Records y, Records other, size_t N)
{
    sort_by_half(x, other, N, 0);
    sort_by_half(other, y, N, 16);
}

// Whether y is x, sorted and stable. The places ascend where keys are equal, and each has its key.
// So no place is there twice, and all records are there.
inline bool is_sorted(Records x, Records y, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        const uint32_t key = y.keys[n], place = y.values[n];
        const bool is_after =
            n == 0 || key > y.keys[n - 1] || (key == y.keys[n - 1] && place > y.values[n - 1]);
        if (!is_after || place >= N || x.keys[place] != key)
        {
            return false;
        }
    }
    return true;
}
