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
#include <string.h>
#include <algorithm>
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
#include "../common/versions.cuh"

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

static size_t N;              // of particles that are sorted: the first ones of each array
static Particle *h_particles; // unsorted
static Particle *h_sorted;    // room for what a version has made
static Particle *reference;   // the first N particles, sorted
// On the device: the unsorted particles, the array that a version sorts, and that to which it
// moves them. main makes the vectors with `new` and frees them with `delete`, because a static
// vector would free its memory after main, when CUDA itself has ended.
static thrust::device_vector<Particle> *aos_from, *aos, *aos_permuted;
static Particles *soa_from, *soa, *soa_permuted;
static thrust::device_vector<int> *order; // the numbers of the particles, sorted by key

// A function that Thrust calls on the device is an object with operator().
struct ByKey
{
    __host__ __device__ bool operator()(const Particle &a, const Particle &b) const
    {
        return a.key < b.key;
    }
};

// A template, because Thrust compares tuples of numbers, and tuples of references to numbers.
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

// The set-up of each run: the particles, unsorted.
void set_up(void)
{
    thrust::copy(aos_from->begin(), aos_from->begin() + N, aos->begin());
    thrust::copy(soa_from->key.begin(), soa_from->key.begin() + N, soa->key.begin());
    thrust::copy(soa_from->number.begin(), soa_from->number.begin() + N, soa->number.begin());
    thrust::copy(soa_from->x.begin(), soa_from->x.begin() + N, soa->x.begin());
    thrust::copy(soa_from->y.begin(), soa_from->y.begin() + N, soa->y.begin());
}

// ---- The versions

void run_cpu(void)
{
    memcpy(h_sorted, h_particles, N * sizeof(Particle));
    std::stable_sort(h_sorted, h_sorted + N, ByKey());
}

// Numbers are sorted digit by digit: a radix sort, which compares no keys.
void run_keys(void) { thrust::sort(soa->key.begin(), soa->key.begin() + N); }

// A comparison of our own: a merge sort, which moves whole structures.
void run_aos(void) { thrust::sort(aos->begin(), aos->begin() + N, ByKey()); }

void run_aos_stable(void) { thrust::stable_sort(aos->begin(), aos->begin() + N, ByKey()); }

void run_aos_permute(void)
{
    thrust::transform(aos->begin(), aos->begin() + N, soa->key.begin(), KeyOf());
    thrust::sequence(order->begin(), order->begin() + N);
    thrust::stable_sort_by_key(soa->key.begin(), soa->key.begin() + N, order->begin());
    thrust::gather(order->begin(), order->begin() + N, aos->begin(), aos_permuted->begin());
}

// The keys are numbers: a radix sort again. It moves tuples of a number, an x and a y.
void run_soa_zip(void)
{
    const auto values = thrust::make_zip_iterator(
        thrust::make_tuple(soa->number.begin(), soa->x.begin(), soa->y.begin()));
    thrust::stable_sort_by_key(soa->key.begin(), soa->key.begin() + N, values);
}

void run_soa_compare(void)
{
    const auto all = thrust::make_zip_iterator(
        thrust::make_tuple(soa->key.begin(), soa->number.begin(), soa->x.begin(), soa->y.begin()));
    thrust::sort(all, all + N, ByFirst());
}

void run_soa_permute(void)
{
    thrust::sequence(order->begin(), order->begin() + N);
    thrust::stable_sort_by_key(soa->key.begin(), soa->key.begin() + N, order->begin());
    thrust::gather(order->begin(), order->begin() + N, soa->number.begin(),
                   soa_permuted->number.begin());
    thrust::gather(order->begin(), order->begin() + N, soa->x.begin(), soa_permuted->x.begin());
    thrust::gather(order->begin(), order->begin() + N, soa->y.begin(), soa_permuted->y.begin());
}

// ---- The checks. Each first brings its particles to h_sorted.

enum Stability
{
    ANY_ORDER, // of equal keys
    STABLE     // equal keys stay in order
};

// The keys as in the reference, each particle once, its numbers still together. A stable sort has
// the very particles of the reference.
void check_particles(Stability stability)
{
    size_t wrong = 0;
    bool *seen = (bool *)calloc(N + 1, sizeof(bool)); // one more, because N may be 0
    for (size_t n = 0; n < N; ++n)
    {
        const Particle p = h_sorted[n], expected = reference[n];
        bool right = p.key == expected.key && p.number >= 0 && (size_t)p.number < N;
        right = right && !seen[p.number];
        right = right && (stability == ANY_ORDER || p.number == expected.number);
        if (right)
        {
            const Particle unsorted = h_particles[p.number];
            right = p.key == unsorted.key && p.x == unsorted.x && p.y == unsorted.y;
            seen[p.number] = true;
        }
        wrong += !right;
    }
    free(seen);
    char text[128];
    snprintf(text, sizeof(text), "%s: %zu of %zu particles are wrong", g_row, wrong, N);
    check_true(text, wrong == 0);
}

void check_cpu(void) { check_particles(STABLE); }

void check_keys(void)
{
    const thrust::host_vector<real> key(soa->key.begin(), soa->key.begin() + N);
    size_t wrong = 0;
    for (size_t n = 0; n < N; ++n)
    {
        wrong += !(key[n] == reference[n].key);
    }
    check_true(g_row, wrong == 0);
}

void check_aos(void)
{
    thrust::copy(aos->begin(), aos->begin() + N, h_sorted);
    check_particles(ANY_ORDER);
}

void check_aos_stable(void)
{
    thrust::copy(aos->begin(), aos->begin() + N, h_sorted);
    check_particles(STABLE);
}

void check_aos_permute(void)
{
    thrust::copy(aos_permuted->begin(), aos_permuted->begin() + N, h_sorted);
    check_particles(STABLE);
}

// The keys are sorted in their place, the other arrays may be elsewhere.
void get_arrays(const Particles *others)
{
    const thrust::host_vector<real> key(soa->key.begin(), soa->key.begin() + N);
    const thrust::host_vector<int> number(others->number.begin(), others->number.begin() + N);
    const thrust::host_vector<real> x(others->x.begin(), others->x.begin() + N);
    const thrust::host_vector<real> y(others->y.begin(), others->y.begin() + N);
    for (size_t n = 0; n < N; ++n)
    {
        h_sorted[n] = {key[n], number[n], x[n], y[n]};
    }
}

void check_soa_zip(void)
{
    get_arrays(soa);
    check_particles(STABLE);
}

void check_soa_compare(void)
{
    get_arrays(soa);
    check_particles(ANY_ORDER);
}

void check_soa_permute(void)
{
    get_arrays(soa_permuted);
    check_particles(STABLE);
}

const Version VERSIONS[] = {
    {"cpu", "std::stable_sort of the structures", run_cpu, check_cpu, ON_HOST},
    {"keys", "the keys alone", run_keys, check_keys, BY_LIBRARY},
    {"aos", "the array of structures, compared by their keys", run_aos, check_aos, BY_LIBRARY},
    {"aos-stable", "the same, and equal keys stay in order", run_aos_stable, check_aos_stable,
     BY_LIBRARY},
    {"aos-permute", "keys are sorted with their numbers, then the structures are gathered",
     run_aos_permute, check_aos_permute, BY_LIBRARY},
    {"soa-zip", "keys are sorted, and three arrays move with them", run_soa_zip, check_soa_zip,
     BY_LIBRARY},
    {"soa-compare", "the four arrays, zipped, are compared by their keys", run_soa_compare,
     check_soa_compare, BY_LIBRARY},
    {"soa-permute", "keys are sorted with their numbers, then each array is gathered",
     run_soa_permute, check_soa_permute, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// ---- Data

// Negative keys, too, and few enough to be exact as float.
void fill_particles(Particle *particles, size_t N, uint64_t seed)
{
    const uint32_t num_keys = N / 4 + 1 < 1 << 23 ? N / 4 + 1 : 1 << 23;
    for (size_t n = 0; n < N; ++n)
    {
        const double key = (double)random_below(seed, n, num_keys) - num_keys / 2;
        particles[n] = {(real)key, (int)n, (real)random_unit(seed + 1, n),
                        (real)random_unit(seed + 2, n)};
    }
}

Particles *make_arrays(const Particle *particles, size_t N)
{
    thrust::host_vector<real> key(N), x(N), y(N);
    for (size_t n = 0; n < N; ++n)
    {
        key[n] = particles[n].key;
        x[n] = particles[n].x;
        y[n] = particles[n].y;
    }
    Particles *arrays = new Particles;
    arrays->key = key; // a copy to the device
    arrays->number.resize(N);
    arrays->x = x;
    arrays->y = y;
    thrust::sequence(arrays->number.begin(), arrays->number.end());
    return arrays;
}

// Of two particles with the same key, the one with the lower number comes first. So this order is
// that of a stable sort.
int compare_particles(const void *a, const void *b)
{
    const Particle *p = (const Particle *)a, *q = (const Particle *)b;
    return p->key != q->key ? (p->key > q->key) - (p->key < q->key)
                            : (p->number > q->number) - (p->number < q->number);
}

// The next checks are of the first `count` particles: what they must give, and where they write.
void take_particles(Table *table, size_t count)
{
    N = count;
    memcpy(reference, h_particles, N * sizeof(Particle));
    qsort(reference, N, sizeof(Particle), compare_particles);
    table->outputs[0] = {h_sorted, NULL, N * sizeof(Particle)};
    table->outputs[1] = {NULL, thrust::raw_pointer_cast(aos_permuted->data()),
                         N * sizeof(Particle)};
    table->outputs[2] = {NULL, thrust::raw_pointer_cast(soa_permuted->number.data()),
                         N * sizeof(int)};
    table->outputs[3] = {NULL, thrust::raw_pointer_cast(order->data()), N * sizeof(int)};
}

// No particles, and sizes around each power of 2.
void check_sizes(Table *table)
{
    const size_t most = args.N;
    for (size_t power = 1; power == 1 || (power < most && power <= MOST_CHECKED); power *= 2)
    {
        for (size_t size = power - 1; size <= power + 1; ++size)
        {
            take_particles(table, size < most ? size : most);
            check_versions(table, VERSIONS, NUM_VERSIONS);
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
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "thrust-sort: sort by key: arrays of structures, structures of arrays, and a "
               "permutation");
    report_thrust_errors();
    const size_t bytes = args.N * sizeof(Particle);
    if (args.N > 0x7fffffff)
    {
        usage_error("the number of a particle is an int: -n is at most %d", 0x7fffffff);
    }
    sort_five_particles();
    check_comparisons();

    h_particles = (Particle *)malloc(bytes);
    h_sorted = (Particle *)malloc(bytes);
    reference = (Particle *)malloc(bytes);
    fill_particles(h_particles, args.N, args.seed);
    aos_from = new thrust::device_vector<Particle>(h_particles, h_particles + args.N);
    aos = new thrust::device_vector<Particle>(args.N);
    aos_permuted = new thrust::device_vector<Particle>(args.N);
    soa_from = make_arrays(h_particles, args.N);
    soa = new Particles(*soa_from); // a copy
    soa_permuted = new Particles(*soa_from);
    order = new thrust::device_vector<int>(args.N);

    Table table = {};
    table.set_up = set_up;
    check_sizes(&table);

    take_particles(&table, args.N);
    table.operations = (double)N;
    table.each = 1e-3;
    table.unit = "Mkey/s";
    table.ceiling = copy_ceiling(2 * bytes) / (2.0 * sizeof(Particle));
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    delete aos_from;
    delete aos;
    delete aos_permuted;
    delete soa_from;
    delete soa;
    delete soa_permuted;
    delete order;
    free(h_particles);
    free(h_sorted);
    free(reference);
    return verdict();
}
