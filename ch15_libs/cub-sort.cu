// cub-sort: a block sorts a tile by cub::BlockRadixSort, alone and with values beside the keys
//
// From:    sections 16.2 and 16.2.2
// Order:   after cub-rows
// Compile: nvcc -O3 cub-sort.cu
// Run:     ./a.out -n 10000000
//
// See cub-block for what all collectives of a block have in common, and cub-rows for BlockLoad and
// BlockStore.

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_store.cuh>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/largest_error.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const int BLOCK_SIZE = 128;
const int ITEMS = 8;                 // elements of a thread
const int TILE = BLOCK_SIZE * ITEMS; // elements that a block sorts

// The sizes that are checked, beside the one of the table: where a thread or a tile ends.
const size_t SIZES[] = {1, 2, 7, 8, 9, 129, 1023, 1024, 1025, 3000};
const int NUM_SIZES = sizeof(SIZES) / sizeof(SIZES[0]);
const size_t MOST_CHECKED = 3000;

static size_t N;                               // elements
static unsigned num_tiles;                     // blocks
static real *h_x, *h_y, *d_x, *d_y;            // the keys; the sorted tiles
static double *reference;                      // what h_y should be
static unsigned *h_places, *d_places, *places; // see sort_pairs; what h_places should be

// A radix sort looks at a few bits of the keys at a time, from the lowest to the highest. It never
// compares two keys. Where a tile ends early, infinite keys fill it: they come last, and are not
// stored.
__global__ void sort_tiles(const real *d_x, real *d_y, size_t N)
{
    typedef cub::BlockLoad<real, BLOCK_SIZE, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> BlockLoad;
    typedef cub::BlockRadixSort<real, BLOCK_SIZE, ITEMS> BlockSort;
    typedef cub::BlockStore<real, BLOCK_SIZE, ITEMS, cub::BLOCK_STORE_TRANSPOSE> BlockStore;
    __shared__ union
    {
        BlockLoad::TempStorage load;
        BlockSort::TempStorage sort;
        BlockStore::TempStorage store;
    } s_storage;
    const size_t first = (size_t)TILE * blockIdx.x;
    const int valid = N - first < TILE ? N - first : TILE;
    real keys[ITEMS];
    BlockLoad(s_storage.load).Load(d_x + first, keys, valid, (real)INFINITY);
    __syncthreads();
    BlockSort(s_storage.sort).Sort(keys);
    __syncthreads();
    BlockStore(s_storage.store).Store(d_y + first, keys, valid);
}

void run_block_sort(void) { sort_tiles<<<num_tiles, BLOCK_SIZE>>>(d_x, d_y, N); }

// Each key takes a value along: its place in the tile before the sort. Equal keys keep their order.
// The last step of the sort goes through shared memory, so it can also give thread t the elements
// t, t + 128, ... Then the stores are coalesced without another exchange.
__global__ void sort_pairs(const real *d_x, real *d_y, unsigned *d_places, size_t N)
{
    typedef cub::BlockLoad<real, BLOCK_SIZE, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> BlockLoad;
    typedef cub::BlockRadixSort<real, BLOCK_SIZE, ITEMS, unsigned> BlockSort;
    __shared__ union
    {
        BlockLoad::TempStorage load;
        BlockSort::TempStorage sort;
    } s_storage;
    const int tid = threadIdx.x;
    const size_t first = (size_t)TILE * blockIdx.x;
    const int valid = N - first < TILE ? N - first : TILE;
    real keys[ITEMS];
    unsigned places[ITEMS];
    BlockLoad(s_storage.load).Load(d_x + first, keys, valid, (real)INFINITY);
    for (int i = 0; i < ITEMS; ++i)
    {
        places[i] = tid * ITEMS + i;
    }
    __syncthreads();
    BlockSort(s_storage.sort).SortBlockedToStriped(keys, places);
    cub::StoreDirectStriped<BLOCK_SIZE>(tid, d_y + first, keys, valid);
    cub::StoreDirectStriped<BLOCK_SIZE>(tid, d_places + first, places, valid);
}

void run_sort_pairs(void) { sort_pairs<<<num_tiles, BLOCK_SIZE>>>(d_x, d_y, d_places, N); }

// ---- On the host

size_t length_of_tile(size_t N, size_t first) { return N - first < TILE ? N - first : TILE; }

void run_cpu_sort(void)
{
    memcpy(h_y, h_x, N * sizeof(real));
    for (size_t first = 0; first < N; first += TILE)
    {
        std::sort(h_y + first, h_y + first + length_of_tile(N, first));
    }
}

// A key, and its place in the tile before the sort.
struct Pair
{
    real key;
    unsigned place;
};

// Equal keys keep their order.
int compare_pairs(const void *a, const void *b)
{
    const Pair *p = (const Pair *)a, *q = (const Pair *)b;
    const int by_key = (p->key > q->key) - (p->key < q->key);
    return by_key != 0 ? by_key : p->place < q->place ? -1 : 1;
}

// reference: the sorted tiles. places[n]: where in its tile the element n of the sorted tiles was.
void sort_reference(const real *x, size_t N, double *reference, unsigned *places)
{
    Pair pairs[TILE];
    for (size_t first = 0; first < N; first += TILE)
    {
        const size_t length = length_of_tile(N, first);
        for (size_t i = 0; i < length; ++i)
        {
            pairs[i] = {x[first + i], (unsigned)i};
        }
        qsort(pairs, length, sizeof(Pair), compare_pairs);
        for (size_t i = 0; i < length; ++i)
        {
            reference[first + i] = pairs[i].key;
            places[first + i] = pairs[i].place;
        }
    }
}

// ---- The checks

// The element behind the last result must stay poisoned.
void check_keys(void)
{
    real poisoned;
    poison(&poisoned, sizeof(real));
    check_true("an element behind the end", h_y[N] == poisoned);
    check_elements(g_row, h_y, reference, N);
    g_error = largest_error(h_y, reference, N);
}

void check_pairs(void)
{
    check_keys();
    check_elements("sort-pairs: the places", h_places, places, N);
}

// The first n elements.
void set_size(size_t n)
{
    N = n;
    num_tiles = (unsigned)((N + TILE - 1) / TILE);
    sort_reference(h_x, N, reference, places);
}

const Version SORTS[] = {
    {"cpu-sort", "each tile by std::sort", run_cpu_sort, check_keys, ON_HOST},
    {"block-sort", "each tile by cub::BlockRadixSort", run_block_sort, check_keys, BY_LIBRARY},
};
const int NUM_SORTS = sizeof(SORTS) / sizeof(SORTS[0]);

const Version PAIRS[] = {
    {"sort-pairs", "the same, and each key takes a value along", run_sort_pairs, check_pairs,
     BY_LIBRARY},
};
const int NUM_PAIRS = sizeof(PAIRS) / sizeof(PAIRS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 102400);
    args.bytes_per_element = 2 * sizeof(real) + sizeof(unsigned);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(unsigned) + sizeof(double);
    add_versions(SORTS, NUM_SORTS);
    add_versions(PAIRS, NUM_PAIRS);
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "cub-sort: a block sorts a tile by cub::BlockRadixSort, alone and with values beside "
        "the keys");

    const size_t most = args.N > MOST_CHECKED ? args.N : MOST_CHECKED;
    const size_t bytes = (most + 1) * sizeof(real), places_bytes = most * sizeof(unsigned);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_places = (unsigned *)malloc(places_bytes);
    places = (unsigned *)malloc(places_bytes);
    reference = (double *)malloc(most * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_places, places_bytes));

    Table sorts = {}, pairs = {};
    sorts.what = "sorted tiles of 1024";
    pairs.what = "sorted tiles of 1024 pairs";
    sorts.outputs[0] = pairs.outputs[0] = {h_y, d_y, bytes};
    pairs.outputs[1] = {h_places, d_places, places_bytes};
    sorts.bytes = 2.0 * args.N * sizeof(real);
    pairs.bytes = sorts.bytes + (double)args.N * sizeof(unsigned);
    sorts.ceiling = copy_ceiling(sorts.bytes);
    pairs.ceiling = copy_ceiling(pairs.bytes);

    // Many of these integers are equal, and many are negative.
    fill_integers(h_x, most + 1, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    for (int i = 0; i < NUM_SIZES; ++i)
    {
        set_size(SIZES[i]);
        check_versions(&sorts, SORTS, NUM_SORTS);
        check_versions(&pairs, PAIRS, NUM_PAIRS);
    }

    fill_random(h_x, most + 1, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    set_size(args.N);
    run_versions(&sorts, SORTS, NUM_SORTS);
    run_versions(&pairs, PAIRS, NUM_PAIRS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_places));
    free(h_x);
    free(h_y);
    free(h_places);
    free(places);
    free(reference);
    return verdict();
}
