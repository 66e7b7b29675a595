// thrust-sort: sort by key: arrays of structures, structures of arrays, and a permutation
//
// From:    section 16.1.3; S2 SoA, AoS and other structures
// Compile: nvcc -O3 thrust-sort.cu
// Run:     ./a.out -n 10000000
// Uses:    Thrust
//
// A particle has a key (the cell that it is in, say), a number and two coordinates. There are about
// four particles to each key, so the program can see which versions keep the order of equal keys.
//
// Every version is checked for sizes around all powers of 2, and for no particles at all. Then all
// are timed for N particles. Each timing begins with unsorted particles. Copying them back into the
// arrays is timed only in the row cpu. The ceiling is the rate at which a copy would move the
// particles.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
#include "thrust_in_order.cuh"
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
#include "../common/ceiling.cuh"
#include "../common/check_thrust.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions_data.cuh"

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
    __host__ __device__ real operator()(const Particle &particle) const { return particle.key; }
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

// What the versions work on. Each takes the first N particles, unsorted, from `particles` or `soa`.
struct Data
{
    size_t N;
    const Particle *h_particles; // unsorted
    Particle *h_sorted;          // room for what a version has made
    Particle *reference;         // the first N particles, sorted
    thrust::device_vector<Particle> from, particles, permuted;
    Particles soa_from, soa, soa_permuted;
    thrust::device_vector<int> order;
};

// The set-up of each run: the particles, unsorted.
void restore_particles(Data *data)
{
    const size_t N = data->N;
    const Particles &from = data->soa_from;
    Particles &soa = data->soa;
    thrust::copy(data->from.begin(), data->from.begin() + N, data->particles.begin());
    thrust::copy(from.key.begin(), from.key.begin() + N, soa.key.begin());
    thrust::copy(from.number.begin(), from.number.begin() + N, soa.number.begin());
    thrust::copy(from.x.begin(), from.x.begin() + N, soa.x.begin());
    thrust::copy(from.y.begin(), from.y.begin() + N, soa.y.begin());
}

// ---- The versions

void sort_on_host(Data *data)
{
    std::copy(data->h_particles, data->h_particles + data->N, data->h_sorted);
    std::stable_sort(data->h_sorted, data->h_sorted + data->N, ByKey());
}

// Numbers are sorted digit by digit: a radix sort, which compares no keys.
void sort_keys(Data *data)
{
    thrust::device_vector<real> &key = data->soa.key;
    thrust::sort(key.begin(), key.begin() + data->N);
}

// A comparison of our own: a merge sort, which moves whole structures.
void sort_aos(Data *data)
{
    thrust::device_vector<Particle> &particles = data->particles;
    thrust::sort(particles.begin(), particles.begin() + data->N, ByKey());
}

void sort_aos_stable(Data *data)
{
    thrust::device_vector<Particle> &particles = data->particles;
    thrust::stable_sort(particles.begin(), particles.begin() + data->N, ByKey());
}

void permute_aos(Data *data)
{
    const size_t N = data->N;
    const thrust::device_vector<Particle> &particles = data->particles;
    thrust::device_vector<real> &key = data->soa.key;
    thrust::device_vector<int> &order = data->order;
    thrust::transform(particles.begin(), particles.begin() + N, key.begin(), KeyOf());
    thrust::sequence(order.begin(), order.begin() + N);
    thrust::stable_sort_by_key(key.begin(), key.begin() + N, order.begin());
    thrust::gather(order.begin(), order.begin() + N, particles.begin(), data->permuted.begin());
}

// The keys are numbers: a radix sort again. It moves tuples of a number, an x and a y.
void sort_soa_with_values(Data *data)
{
    Particles &soa = data->soa;
    const auto values = thrust::make_zip_iterator(
        thrust::make_tuple(soa.number.begin(), soa.x.begin(), soa.y.begin()));
    thrust::stable_sort_by_key(soa.key.begin(), soa.key.begin() + data->N, values);
}

void compare_soa(Data *data)
{
    Particles &soa = data->soa;
    const auto all = thrust::make_zip_iterator(
        thrust::make_tuple(soa.key.begin(), soa.number.begin(), soa.x.begin(), soa.y.begin()));
    thrust::sort(all, all + data->N, ByFirst());
}

void permute_soa(Data *data)
{
    const size_t N = data->N;
    Particles &soa = data->soa, &permuted = data->soa_permuted;
    thrust::device_vector<int> &order = data->order;
    thrust::sequence(order.begin(), order.begin() + N);
    thrust::stable_sort_by_key(soa.key.begin(), soa.key.begin() + N, order.begin());
    thrust::gather(order.begin(), order.begin() + N, soa.number.begin(), permuted.number.begin());
    thrust::gather(order.begin(), order.begin() + N, soa.x.begin(), permuted.x.begin());
    thrust::gather(order.begin(), order.begin() + N, soa.y.begin(), permuted.y.begin());
}

// ---- The checks. Each first brings its particles to h_sorted.

enum Stability
{
    ANY_ORDER, // of equal keys
    STABLE     // equal keys stay in order
};

// The keys as std::stable_sort sorts them, each particle once, its numbers still together. A stable
// sort has the very particles of the reference.
void check_particles(Table<Data> *table, const Data *data, Stability stability)
{
    size_t wrong = 0;
    std::vector<bool> seen(data->N, false);
    for (size_t n = 0; n < data->N; ++n)
    {
        const Particle &p = data->h_sorted[n], &expected = data->reference[n];
        bool right = p.key == expected.key && p.number >= 0 && (size_t)p.number < data->N;
        right = right && !seen[p.number];
        right = right && (stability == ANY_ORDER || p.number == expected.number);
        if (right)
        {
            const Particle &unsorted = data->h_particles[p.number];
            right = p.key == unsorted.key && p.x == unsorted.x && p.y == unsorted.y;
            seen[p.number] = true;
        }
        wrong += !right;
    }
    char text[128];
    snprintf(text, sizeof(text), "%s: %zu of %zu particles are wrong", table->checking, wrong,
             data->N);
    check_true(text, wrong == 0);
}

void check_cpu(Table<Data> *table, const Data *data) { check_particles(table, data, STABLE); }

void check_keys(Table<Data> *table, const Data *data)
{
    const size_t N = data->N;
    const thrust::host_vector<real> key(data->soa.key.begin(), data->soa.key.begin() + N);
    size_t wrong = 0;
    for (size_t n = 0; n < N; ++n)
    {
        wrong += !(key[n] == data->reference[n].key);
    }
    check_true(table->checking, wrong == 0);
}

void check_aos(Table<Data> *table, const Data *data)
{
    thrust::copy(data->particles.begin(), data->particles.begin() + data->N, data->h_sorted);
    check_particles(table, data, ANY_ORDER);
}

void check_aos_stable(Table<Data> *table, const Data *data)
{
    thrust::copy(data->particles.begin(), data->particles.begin() + data->N, data->h_sorted);
    check_particles(table, data, STABLE);
}

void check_aos_permute(Table<Data> *table, const Data *data)
{
    thrust::copy(data->permuted.begin(), data->permuted.begin() + data->N, data->h_sorted);
    check_particles(table, data, STABLE);
}

// The keys are sorted in their place, the other arrays may be elsewhere.
void get_arrays(const Data *data, const Particles &others)
{
    const size_t N = data->N;
    const thrust::host_vector<real> key(data->soa.key.begin(), data->soa.key.begin() + N);
    const thrust::host_vector<int> number(others.number.begin(), others.number.begin() + N);
    const thrust::host_vector<real> x(others.x.begin(), others.x.begin() + N);
    const thrust::host_vector<real> y(others.y.begin(), others.y.begin() + N);
    for (size_t n = 0; n < N; ++n)
    {
        data->h_sorted[n] = {key[n], number[n], x[n], y[n]};
    }
}

void check_soa_zip(Table<Data> *table, const Data *data)
{
    get_arrays(data, data->soa);
    check_particles(table, data, STABLE);
}

void check_soa_compare(Table<Data> *table, const Data *data)
{
    get_arrays(data, data->soa);
    check_particles(table, data, ANY_ORDER);
}

void check_soa_permute(Table<Data> *table, const Data *data)
{
    get_arrays(data, data->soa_permuted);
    check_particles(table, data, STABLE);
}

const Version<Data> VERSIONS[] = {
    {"cpu", "std::stable_sort of the structures", ON_HOST, sort_on_host, check_cpu},
    {"keys", "the keys alone", ON_DEVICE, sort_keys, check_keys},
    {"aos", "the array of structures, compared by their keys", ON_DEVICE, sort_aos, check_aos},
    {"aos-stable", "the same, and equal keys stay in order", ON_DEVICE, sort_aos_stable,
     check_aos_stable},
    {"aos-permute", "keys are sorted with their numbers, then the structures are gathered",
     ON_DEVICE, permute_aos, check_aos_permute},
    {"soa-zip", "keys are sorted, and three arrays move with them", ON_DEVICE, sort_soa_with_values,
     check_soa_zip},
    {"soa-compare", "the four arrays, zipped, are compared by their keys", ON_DEVICE, compare_soa,
     check_soa_compare},
    {"soa-permute", "keys are sorted with their numbers, then each array is gathered", ON_DEVICE,
     permute_soa, check_soa_permute},
};

// ---- Data

// Negative keys, too, and few enough to be exact as float.
void fill_particles(Particle *particles, size_t N, uint64_t seed)
{
    const uint32_t num_keys = (uint32_t)std::min(N / 4 + 1, (size_t)1 << 23);
    for (size_t n = 0; n < N; ++n)
    {
        const double key = (double)random_below(seed, n, num_keys) - num_keys / 2;
        particles[n] = {(real)key, (int)n, (real)random_unit(seed + 1, n),
                        (real)random_unit(seed + 2, n)};
    }
}

Particles make_arrays(const Particle *particles, size_t N)
{
    thrust::host_vector<real> key(N), x(N), y(N);
    for (size_t n = 0; n < N; ++n)
    {
        key[n] = particles[n].key;
        x[n] = particles[n].x;
        y[n] = particles[n].y;
    }
    Particles arrays = {key, thrust::device_vector<int>(N), x, y};
    thrust::sequence(arrays.number.begin(), arrays.number.end());
    return arrays;
}

// The next checks are of the first N particles: what they must give, and where they write.
void take_particles(Table<Data> *table, size_t N)
{
    Data *data = table->data;
    data->N = N;
    std::copy(data->h_particles, data->h_particles + N, data->reference);
    std::stable_sort(data->reference, data->reference + N, ByKey());
    table->outputs[0] = {data->h_sorted, NULL, N * sizeof(Particle)};
    table->outputs[1] = {NULL, thrust::raw_pointer_cast(data->permuted.data()),
                         N * sizeof(Particle)};
    table->outputs[2] = {NULL, thrust::raw_pointer_cast(data->soa_permuted.number.data()),
                         N * sizeof(int)};
    table->outputs[3] = {NULL, thrust::raw_pointer_cast(data->order.data()), N * sizeof(int)};
}

// No particles, and sizes around each power of 2.
void check_sizes(Table<Data> *table)
{
    const size_t most = args.N;
    for (size_t power = 1; power == 1 || (power < most && power <= MOST_CHECKED); power *= 2)
    {
        for (const size_t size : {power - 1, power, power + 1})
        {
            take_particles(table, std::min(size, most));
            check_versions(table, VERSIONS);
        }
    }
}

// A sort needs an order in which nothing comes before itself.
void check_comparisons(void)
{
    const Particle one = {1, 2, 3, 4};
    const auto tuple = thrust::make_tuple(1, 2, 3, 4);
    check_true("nothing comes before itself", !ByKey()(one, one) && !ByFirst()(tuple, tuple));
}

int main(int argc, char **argv)
{
    args.N = default_size(1000000, 20000);
    args.bytes_per_element = 9 * sizeof(Particle); // 7 of ours, and 2 for what Thrust allocates
    args.bytes_on_host = 6 * sizeof(Particle);
    args.columns = "  Mkey/s     millions of keys in a second; the ceiling is a copy's rate\n";
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-sort: sort by key: arrays of structures, structures of arrays, and a "
               "permutation");
    report_thrust_errors();
    const size_t N = args.N, bytes = N * sizeof(Particle);
    if (N > 0x7fffffff)
    {
        usage_error("the number of a particle is an int: -n is at most %d", 0x7fffffff);
    }
    sort_five_particles();
    check_comparisons();

    Particle *h_particles = (Particle *)malloc(bytes);
    Particle *h_sorted = (Particle *)malloc(bytes);
    Particle *reference = (Particle *)malloc(bytes);
    fill_particles(h_particles, N, args.seed);

    Data data;
    data.h_particles = h_particles;
    data.h_sorted = h_sorted;
    data.reference = reference;
    data.from.assign(h_particles, h_particles + N);
    data.particles.resize(N);
    data.permuted.resize(N);
    data.soa_from = make_arrays(h_particles, N);
    data.soa = data.soa_permuted = data.soa_from;
    data.order.resize(N);
    Table<Data> table;
    table.data = &data;
    table.setup = restore_particles;
    check_sizes(&table);

    take_particles(&table, N);
    table.operations = (double)N;
    table.each = 1e-3;
    table.unit = "Mkey/s";
    table.other_ceiling = copy_ceiling(2 * bytes) / (2.0 * sizeof(Particle));
    run_versions(&table, VERSIONS);

    free(h_particles);
    free(h_sorted);
    free(reference);
    return verdict(); // the vectors free their memory themselves
}
