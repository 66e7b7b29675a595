// thrust-sort: sort by key: arrays of structures, structures of arrays, and a permutation
//
// From:    section 16.1.3; S2 SoA, AoS and other structures
// Compile: nvcc -O3 thrust-sort.cu
// Run:     ./a.out -n 10000000
// Options: -n N -r R -s S -k NAME --csv
// Versions:
//   cpu          std::stable_sort of the structures
//   keys         the keys alone
//   aos          the array of structures, compared by their keys
//   aos-stable   the same, and equal keys stay in order
//   aos-permute  keys are sorted with their numbers, then the structures are gathered
//   soa-zip      keys are sorted, and three arrays move with them
//   soa-compare  the four arrays, zipped, are compared by their keys
//   soa-permute  keys are sorted with their numbers, then each array is gathered
// Uses:    Thrust
// Checks:  378 (378 or more on a GPU)
// Sizes:   1 33 64 1000 4097 16385
// Chinese: 按键排序：结构体数组、数组结构体，以及先求排列再收集
//
// A particle has a key (the cell that it is in, say), a number and two coordinates. About four of
// them share a key, so the program can see which versions keep the order of equal keys.
//
// Every version is checked for sizes around all powers of 2, and for no particles at all. Then all
// are timed for N particles. Each timing begins with unsorted particles. Copying them back into the
// arrays is timed only in the row cpu. The ceiling is the rate at which a copy would move the
// particles.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
#include "../common/thrust_in_order.cuh"
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>
#include "../common/args.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_old.cuh"

const size_t MOST_CHECKED = 1 << 20; // the largest power of 2 that sizes are checked around

// An array of these is an "array of structures".
struct Particle
{
    real key;
    int number; // in the unsorted array
    real x, y;
};

// A "structure of arrays"
struct Particles
{
    thrust::device_vector<real> key;
    thrust::device_vector<int> number;
    thrust::device_vector<real> x, y;
};

struct ByKey
{
    __host__ __device__ bool operator()(const Particle &a, const Particle &b) const
    {
        return a.key < b.key;
    }
};

struct ByFirst
{
    template <typename Tuple1, typename Tuple2>
    __host__ __device__ bool operator()(const Tuple1 &a, const Tuple2 &b) const
    {
        return thrust::get<0>(a) < thrust::get<0>(b);
    }
};

struct KeyOf
{
    __host__ __device__ real operator()(const Particle &particle) const
    {
        return particle.key;
    }
};

// Five particles, sorted as soa-permute does it.
void sort_five_particles(void)
{
    const int keys[] = {5, 2, 9, 2, 7};
    thrust::device_vector<int> key(keys, keys + 5), order(5);
    thrust::sequence(order.begin(), order.end());
    thrust::stable_sort_by_key(key.begin(), key.end(), order.begin());
    const int sorted[] = {2, 2, 5, 7, 9}, from[] = {1, 3, 0, 4, 2};
    print_note("keys  5 2 9 2 7, sorted:");
    bool right = true;
    for (int i = 0; i < 5; ++i)
    {
        printf(" %d", (int)key[i]);
        right = right && key[i] == sorted[i] && order[i] == from[i];
    }
    printf("\n");
    print_note("order 0 1 2 3 4, sorted:");
    for (int i = 0; i < 5; ++i)
    {
        printf(" %d", (int)order[i]);
    }
    printf("\n");
    check_true("five particles", right);
}

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    size_t N = 0;
    std::vector<Particle> h_particles, h_sorted, reference; // unsorted, sorted by a row, expected
    std::vector<real> h_key, h_x, h_y;                      // the unsorted particles, as arrays
    thrust::device_vector<Particle> from, particles, permuted;
    Particles soa_from, soa, soa_permuted;
    thrust::device_vector<int> order;

    // Every row ends with its particles here.
    const auto get_particles = [&](const thrust::device_vector<Particle> &d_particles)
    {
        thrust::copy(d_particles.begin(), d_particles.begin() + N, h_sorted.begin());
    };
    const auto get_arrays = [&](const Particles &d_arrays)
    {
        const thrust::host_vector<real> key(d_arrays.key.begin(), d_arrays.key.begin() + N);
        const thrust::host_vector<int> number(d_arrays.number.begin(), d_arrays.number.begin() + N);
        const thrust::host_vector<real> x(d_arrays.x.begin(), d_arrays.x.begin() + N);
        const thrust::host_vector<real> y(d_arrays.y.begin(), d_arrays.y.begin() + N);
        for (size_t n = 0; n < N; ++n)
        {
            h_sorted[n] = {key[n], number[n], x[n], y[n]};
        }
    };

    // Takes the first N particles: what each row must give, and where it writes.
    const auto take_reference = [&]
    {
        reference.assign(h_particles.begin(), h_particles.begin() + N);
        std::stable_sort(reference.begin(), reference.end(), ByKey());
        ladder.outputs[0] = {h_sorted.data(), NULL, N * sizeof(Particle)};
        ladder.outputs[1] = {NULL, thrust::raw_pointer_cast(permuted.data()), N * sizeof(Particle)};
        ladder.outputs[2] = {NULL, thrust::raw_pointer_cast(soa_permuted.number.data()),
                             N * sizeof(int)};
        ladder.outputs[3] = {NULL, thrust::raw_pointer_cast(order.data()), N * sizeof(int)};
    };

    // The keys as std::stable_sort sorts them, each particle once, its numbers still together. A
    // stable sort has the very particles of the reference.
    const auto check_particles = [&](bool is_stable)
    {
        size_t wrong = 0;
        std::vector<bool> seen(N, false);
        for (size_t n = 0; n < N; ++n)
        {
            const Particle &p = h_sorted[n];
            bool right = p.key == reference[n].key && p.number >= 0 && (size_t)p.number < N;
            right = right && !seen[p.number] && (!is_stable || p.number == reference[n].number);
            if (right)
            {
                const Particle &unsorted = h_particles[p.number];
                right = p.key == unsorted.key && p.x == unsorted.x && p.y == unsorted.y;
                seen[p.number] = true;
            }
            wrong += !right;
        }
        char text[128];
        snprintf(text, sizeof(text), "%s: %zu of %zu particles are wrong", ladder.checking, wrong,
                 N);
        check_true(text, wrong == 0);
    };

    const Version versions[] = {
        on_host(
            "cpu",
            [&]
            {
                std::copy(h_particles.begin(), h_particles.begin() + N, h_sorted.begin());
                std::stable_sort(h_sorted.begin(), h_sorted.begin() + N, ByKey());
            },
            [&] { check_particles(true); }),
        // Numbers are sorted digit by digit: a radix sort, which compares no keys.
        on_device(
            "keys", [&] { thrust::sort(soa.key.begin(), soa.key.begin() + N); },
            [&]
            {
                const thrust::host_vector<real> key(soa.key.begin(), soa.key.begin() + N);
                size_t wrong = 0;
                for (size_t n = 0; n < N; ++n)
                {
                    wrong += !(key[n] == reference[n].key);
                }
                check_true("keys", wrong == 0);
            }),
        // A comparison of our own: a merge sort, which moves whole structures.
        on_device(
            "aos", [&] { thrust::sort(particles.begin(), particles.begin() + N, ByKey()); },
            [&]
            {
                get_particles(particles);
                check_particles(false);
            }),
        on_device(
            "aos-stable",
            [&] { thrust::stable_sort(particles.begin(), particles.begin() + N, ByKey()); },
            [&]
            {
                get_particles(particles);
                check_particles(true);
            }),
        on_device(
            "aos-permute",
            [&]
            {
                thrust::transform(particles.begin(), particles.begin() + N, soa.key.begin(),
                                  KeyOf());
                thrust::sequence(order.begin(), order.begin() + N);
                thrust::stable_sort_by_key(soa.key.begin(), soa.key.begin() + N, order.begin());
                thrust::gather(order.begin(), order.begin() + N, particles.begin(),
                               permuted.begin());
            },
            [&]
            {
                get_particles(permuted);
                check_particles(true);
            }),
        // The keys are numbers: a radix sort again. It moves tuples of a number, an x and a y.
        on_device(
            "soa-zip",
            [&]
            {
                const auto values = thrust::make_zip_iterator(
                    thrust::make_tuple(soa.number.begin(), soa.x.begin(), soa.y.begin()));
                thrust::stable_sort_by_key(soa.key.begin(), soa.key.begin() + N, values);
            },
            [&]
            {
                get_arrays(soa);
                check_particles(true);
            }),
        on_device(
            "soa-compare",
            [&]
            {
                const auto all = thrust::make_zip_iterator(thrust::make_tuple(
                    soa.key.begin(), soa.number.begin(), soa.x.begin(), soa.y.begin()));
                thrust::sort(all, all + N, ByFirst());
            },
            [&]
            {
                get_arrays(soa);
                check_particles(false);
            }),
        on_device(
            "soa-permute",
            [&]
            {
                thrust::sequence(order.begin(), order.begin() + N);
                thrust::stable_sort_by_key(soa.key.begin(), soa.key.begin() + N, order.begin());
                thrust::gather(order.begin(), order.begin() + N, soa.number.begin(),
                               soa_permuted.number.begin());
                thrust::gather(order.begin(), order.begin() + N, soa.x.begin(),
                               soa_permuted.x.begin());
                thrust::gather(order.begin(), order.begin() + N, soa.y.begin(),
                               soa_permuted.y.begin());
            },
            [&]
            {
                thrust::copy(soa.key.begin(), soa.key.begin() + N, soa_permuted.key.begin());
                get_arrays(soa_permuted);
                check_particles(true);
            }),
    };

    args.N = default_size(1000000, 20000);
    args.bytes_per_element = 9 * sizeof(Particle); // 7 of ours, and 2 for what Thrust allocates
    args.bytes_on_host = 6 * sizeof(Particle);
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-sort: sort by key: arrays of structures, structures of arrays, and a "
               "permutation");
    report_thrust_errors();
    if (args.N > 0x7fffffff)
    {
        usage_error(&args, "the number of a particle is an int: -n is at most %d", 0x7fffffff);
    }
    sort_five_particles();

    // Negative keys, too, and few enough to be exact as float.
    const size_t most = args.N;
    const uint32_t num_keys = (uint32_t)std::min(most / 4 + 1, (size_t)1 << 23);
    h_particles.resize(most);
    h_sorted.resize(most);
    for (size_t n = 0; n < most; ++n)
    {
        const double key = (double)random_below(args.seed, n, num_keys) - num_keys / 2;
        h_particles[n] = {(real)key, (int)n, (real)random_unit(args.seed + 1, n),
                          (real)random_unit(args.seed + 2, n)};
    }
    from = h_particles;
    particles = permuted = from;
    for (Particles *arrays : {&soa_from, &soa, &soa_permuted})
    {
        arrays->key.resize(most);
        arrays->number.resize(most);
        arrays->x.resize(most);
        arrays->y.resize(most);
    }
    order.resize(most);
    for (const Particle &particle : h_particles)
    {
        h_key.push_back(particle.key);
        h_x.push_back(particle.x);
        h_y.push_back(particle.y);
    }
    soa_from.key = h_key;
    soa_from.x = h_x;
    soa_from.y = h_y;
    thrust::sequence(soa_from.number.begin(), soa_from.number.end());

    ladder.setup = [&]
    {
        thrust::copy(from.begin(), from.begin() + N, particles.begin());
        thrust::copy(soa_from.key.begin(), soa_from.key.begin() + N, soa.key.begin());
        thrust::copy(soa_from.number.begin(), soa_from.number.begin() + N, soa.number.begin());
        thrust::copy(soa_from.x.begin(), soa_from.x.begin() + N, soa.x.begin());
        thrust::copy(soa_from.y.begin(), soa_from.y.begin() + N, soa.y.begin());
    };
    // 0, and around each power of 2
    for (size_t power = 1; power == 1 || (power < most && power <= MOST_CHECKED); power *= 2)
    {
        for (const size_t size : {power - 1, power, power + 1})
        {
            N = size < most ? size : most;
            take_reference();
            check_versions(&args, &ladder, versions);
        }
    }

    N = most;
    take_reference();
    ladder.operations = (double)N;
    ladder.each = 1e-3;
    ladder.unit = "Mkey/s";
    const double bytes = (double)N * sizeof(Particle);
    ladder.other_ceiling = copy_ceiling((size_t)(2.0 * bytes)) / (2.0 * sizeof(Particle));
    // A sort needs an order in which nothing comes before itself.
    const Particle one = {1, 2, 3, 4};
    const auto tuple = thrust::make_tuple(1, 2, 3, 4);
    check_true("nothing comes before itself", !ByKey()(one, one) && !ByFirst()(tuple, tuple));
    run_versions(&args, &ladder, versions);
    return verdict(); // the vectors free their memory themselves
}
