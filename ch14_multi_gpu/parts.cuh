// What the programs share that add up an array in parts: its size and its numbers.
#pragma once
#include <stdint.h>
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "devices.cuh"

// ---- The size ----

// -n is the size of the whole array. Its default depends on the number of devices, which is not
// known yet: SIZE_MAX in *N stands for it.
static inline void add_array_size(size_t *N)
{
    *N = SIZE_MAX;
    add_number("n", N, 1, SIZE_MAX - 1,
               ON_GPU ? "elements of the whole array (default: 4e9 bytes for each device)"
                      : "elements of the whole array (default: 1000000 for each device)");
}

// Without -n, what is free on each device decides.
static inline size_t choose_array_size(size_t given, size_t element, int num_devices)
{
    const size_t on_each = default_size((size_t)4000000000 / element, 1000000);
    return is_given("n")
               ? given
               : fit_devices(on_each * num_devices, (double)element / num_devices, num_devices);
}

static inline void print_array(size_t N, const char *type, int num_devices)
{
    print_device();
    print_note("%d device%s, %s, N = %zu\n", num_devices, num_devices == 1 ? "" : "s", type, N);
}

// ---- The numbers ----

const size_t PERIOD = 65536; // of the first term of a number
const size_t LAPS = 251;     // of the second one, in periods

// Element n of the array. In each period the first term takes all values from 0 to 65535 once, in
// an order that looks random. The second term tells one period from the next.
__host__ __device__ inline real number_of(size_t n, size_t seed)
{
    return (real)((n * 40503 + seed) % PERIOD + n / PERIOD % LAPS);
}
