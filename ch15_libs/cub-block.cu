// cub-block: parts of kernels that CUB has ready: a block or a warp reduces, scans or sorts
// together
//
// From:    sections 16.2 and 16.2.2
// Compile: nvcc -O3 cub-block.cu
// Run:     ./a.out -n 10000000
//
// The draft of section 16.2 names the three levels of CUB and shows none. The program cub-scan has
// the level of the device. Here are the two others.
//
// The collectives of a block and of a warp are classes. Their template parameters say the type and
// how many threads there are, and all of these threads have to call them. TempStorage is the shared
// memory that a collective needs.

#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <math.h>
#include <stdio.h>
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

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int BLOCK_SIZE = 128;
const int WARPS = BLOCK_SIZE / WARP_SIZE;
const int ITEMS = 8;                 // elements of a thread
const int TILE = BLOCK_SIZE * ITEMS; // elements that a block takes at a time
const int ROW = 5000;                // no multiple of TILE
const int GROUP = 8;                 // neighbours that a part of a warp takes
const int TWENTY = 20;
const int MOST_DOUBLINGS = 16; // the sizes that are checked: 2^0 to 2^16, and one more and less

static size_t N;
static size_t count;                           // results of a kernel
static bool is_exact;                          // all sums are numbers of the type
static real *h_x, *h_y, *d_x, *d_y;            // the numbers; the results
static double *reference;                      // what h_y should be
static unsigned *h_places, *d_places, *places; // see sort_pairs; what h_places should be

// Blocks for the N elements.
unsigned grid(size_t N, size_t elements_of_block)
{
    return (unsigned)((N + elements_of_block - 1) / elements_of_block);
}

// ---- Sums of tiles ----

// By hand: each thread adds up its elements, each warp its threads by shuffles, and thread 0 the
// warps.
__global__ void sum_tiles_by_hand(const real *d_x, real *d_y, size_t N)
{
    __shared__ real s_sums[WARPS];
    const int tid = threadIdx.x;
    const size_t first = (size_t)TILE * blockIdx.x;
    real y = 0.0;
    for (int i = tid; i < TILE; i += BLOCK_SIZE)
    {
        if (first + i < N)
        {
            y += d_x[first + i];
        }
    }
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
    {
        y += __shfl_down_sync(FULL_MASK, y, offset);
    }
    if (tid % WARP_SIZE == 0)
    {
        s_sums[tid / WARP_SIZE] = y;
    }
    __syncthreads();
    if (tid == 0)
    {
        for (int warp = 1; warp < WARPS; ++warp)
        {
            y += s_sums[warp];
        }
        d_y[blockIdx.x] = y;
    }
}

void run_block_hand(void) { sum_tiles_by_hand<<<grid(N, TILE), BLOCK_SIZE>>>(d_x, d_y, N); }

// By CUB. Sum has a barrier inside, so all threads of the block have to call it. Only thread 0 gets
// the sum.
__global__ void sum_tiles(const real *d_x, real *d_y, size_t N)
{
    typedef cub::BlockReduce<real, BLOCK_SIZE> BlockReduce;
    __shared__ BlockReduce::TempStorage s_storage;
    const int tid = threadIdx.x;
    const size_t first = (size_t)TILE * blockIdx.x;
    real y = 0.0;
    for (int i = tid; i < TILE; i += BLOCK_SIZE)
    {
        if (first + i < N)
        {
            y += d_x[first + i];
        }
    }
    y = BlockReduce(s_storage).Sum(y);
    if (tid == 0)
    {
        d_y[blockIdx.x] = y;
    }
}

void run_block_reduce(void) { sum_tiles<<<grid(N, TILE), BLOCK_SIZE>>>(d_x, d_y, N); }

// ---- Scans of rows ----

// What stands before a tile: the sum of the tiles before it. The first warp of the block calls this
// with the sum of the tile, and what its first thread gets is added to all results.
struct RunningTotal
{
    real total;

    __device__ real operator()(real sum_of_tile)
    {
        const real before = total;
        total += sum_of_tile;
        return before;
    }
};

// The array is cut into rows, and each block scans one of them, a tile at a time. For a scan, the
// elements of a thread have to be neighbours: thread 0 has elements 0 to 7, thread 1 has 8 to 15.
// The direct way loads them so. Then the threads of a warp read addresses 8 elements apart.
//
// A union gives the three collectives the same shared memory. So a barrier must stand between them.
__global__ void scan_rows_direct(const real *d_x, real *d_y, size_t N)
{
    typedef cub::BlockLoad<real, BLOCK_SIZE, ITEMS, cub::BLOCK_LOAD_DIRECT> BlockLoad;
    typedef cub::BlockScan<real, BLOCK_SIZE> BlockScan;
    typedef cub::BlockStore<real, BLOCK_SIZE, ITEMS, cub::BLOCK_STORE_DIRECT> BlockStore;
    __shared__ union
    {
        BlockLoad::TempStorage load;
        BlockScan::TempStorage scan;
        BlockStore::TempStorage store;
    } s_storage;
    const size_t begin = (size_t)ROW * blockIdx.x;
    const size_t end = begin + ROW < N ? begin + ROW : N;
    RunningTotal total = {0.0};
    for (size_t first = begin; first < end; first += TILE)
    {
        const int valid = end - first < TILE ? end - first : TILE;
        real items[ITEMS];
        BlockLoad(s_storage.load).Load(d_x + first, items, valid, (real)0.0);
        __syncthreads();
        BlockScan(s_storage.scan).InclusiveSum(items, items, total);
        __syncthreads();
        BlockStore(s_storage.store).Store(d_y + first, items, valid);
        __syncthreads();
    }
}

void run_rows_direct(void) { scan_rows_direct<<<grid(N, ROW), BLOCK_SIZE>>>(d_x, d_y, N); }

// The same with one word changed, twice. Thread t loads elements t, t + 128, t + 256, ..., so the
// loads are coalesced. Through shared memory each thread then gets its eight neighbours. The store
// goes the same way back.
__global__ void scan_rows_transposed(const real *d_x, real *d_y, size_t N)
{
    typedef cub::BlockLoad<real, BLOCK_SIZE, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> BlockLoad;
    typedef cub::BlockScan<real, BLOCK_SIZE> BlockScan;
    typedef cub::BlockStore<real, BLOCK_SIZE, ITEMS, cub::BLOCK_STORE_TRANSPOSE> BlockStore;
    __shared__ union
    {
        BlockLoad::TempStorage load;
        BlockScan::TempStorage scan;
        BlockStore::TempStorage store;
    } s_storage;
    const size_t begin = (size_t)ROW * blockIdx.x;
    const size_t end = begin + ROW < N ? begin + ROW : N;
    RunningTotal total = {0.0};
    for (size_t first = begin; first < end; first += TILE)
    {
        const int valid = end - first < TILE ? end - first : TILE;
        real items[ITEMS];
        BlockLoad(s_storage.load).Load(d_x + first, items, valid, (real)0.0);
        __syncthreads();
        BlockScan(s_storage.scan).InclusiveSum(items, items, total);
        __syncthreads();
        BlockStore(s_storage.store).Store(d_y + first, items, valid);
        __syncthreads();
    }
}

void run_rows_transposed(void) { scan_rows_transposed<<<grid(N, ROW), BLOCK_SIZE>>>(d_x, d_y, N); }

// ---- Sorted tiles ----

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

void run_block_sort(void) { sort_tiles<<<grid(N, TILE), BLOCK_SIZE>>>(d_x, d_y, N); }

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

void run_sort_pairs(void) { sort_pairs<<<grid(N, TILE), BLOCK_SIZE>>>(d_x, d_y, d_places, N); }

// ---- Parts of a warp ----

// By hand: with a width of 8, a shuffle stays within 8 neighbouring lanes.
__global__ void sum_groups_by_hand(const real *d_x, real *d_y, size_t N)
{
    const size_t n = (size_t)BLOCK_SIZE * blockIdx.x + threadIdx.x;
    real y = n < N ? d_x[n] : (real)0.0;
    for (int offset = GROUP / 2; offset > 0; offset /= 2)
    {
        y += __shfl_down_sync(FULL_MASK, y, offset, GROUP);
    }
    if (n < N && n % GROUP == 0)
    {
        d_y[n / GROUP] = y;
    }
}

void run_warp_hand(void) { sum_groups_by_hand<<<grid(N, BLOCK_SIZE), BLOCK_SIZE>>>(d_x, d_y, N); }

// By CUB: a logical warp of 8 threads. Each has a TempStorage of its own. The last group may have
// fewer elements: `valid` says how many. What the other lanes bring is not added, not even a NAN.
__global__ void sum_groups(const real *d_x, real *d_y, size_t N)
{
    typedef cub::WarpReduce<real, GROUP> WarpReduce;
    __shared__ WarpReduce::TempStorage s_storage[BLOCK_SIZE / GROUP];
    const size_t n = (size_t)BLOCK_SIZE * blockIdx.x + threadIdx.x;
    const size_t first = n - n % GROUP;
    const int valid = first >= N ? 0 : N - first < GROUP ? N - first : GROUP;
    real y = n < N ? d_x[n] : (real)NAN;
    y = WarpReduce(s_storage[threadIdx.x / GROUP]).Sum(y, valid);
    if (n < N && n % GROUP == 0)
    {
        d_y[n / GROUP] = y;
    }
}

void run_warp_reduce(void) { sum_groups<<<grid(N, BLOCK_SIZE), BLOCK_SIZE>>>(d_x, d_y, N); }

// A logical warp may have any number of threads up to 32. If this number is no power of two, a warp
// holds one of them: here the first 20 lanes, and the other 12 stay idle.
__global__ void sum_twenties(const real *d_x, real *d_y, size_t N)
{
    typedef cub::WarpReduce<real, TWENTY> WarpReduce;
    __shared__ WarpReduce::TempStorage s_storage[WARPS];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const size_t group = (size_t)WARPS * blockIdx.x + warp;
    const size_t first = group * TWENTY;
    if (first < N && lane < TWENTY)
    {
        const int valid = N - first < TWENTY ? N - first : TWENTY;
        real y = lane < valid ? d_x[first + lane] : (real)NAN;
        y = WarpReduce(s_storage[warp]).Sum(y, valid);
        if (lane == 0)
        {
            d_y[group] = y;
        }
    }
}

void run_warp_twenty(void) { sum_twenties<<<grid(N, WARPS * TWENTY), BLOCK_SIZE>>>(d_x, d_y, N); }

// By hand: each lane adds what lies 1 to its left, then 2, then 4.
__global__ void scan_groups_by_hand(const real *d_x, real *d_y, size_t N)
{
    const size_t n = (size_t)BLOCK_SIZE * blockIdx.x + threadIdx.x;
    const int lane = threadIdx.x % GROUP;
    real y = n < N ? d_x[n] : (real)0.0;
    for (int offset = 1; offset < GROUP; offset *= 2)
    {
        const real left = __shfl_up_sync(FULL_MASK, y, offset, GROUP);
        if (lane >= offset)
        {
            y += left;
        }
    }
    if (n < N)
    {
        d_y[n] = y;
    }
}

void run_warp_scan_hand(void)
{
    scan_groups_by_hand<<<grid(N, BLOCK_SIZE), BLOCK_SIZE>>>(d_x, d_y, N);
}

// By CUB. A lane's result depends on the lanes to its left only, so a group that ends early needs
// no care.
__global__ void scan_groups(const real *d_x, real *d_y, size_t N)
{
    typedef cub::WarpScan<real, GROUP> WarpScan;
    __shared__ WarpScan::TempStorage s_storage[BLOCK_SIZE / GROUP];
    const size_t n = (size_t)BLOCK_SIZE * blockIdx.x + threadIdx.x;
    real y = n < N ? d_x[n] : (real)NAN;
    WarpScan(s_storage[threadIdx.x / GROUP]).InclusiveSum(y, y);
    if (n < N)
    {
        d_y[n] = y;
    }
}

void run_warp_scan(void) { scan_groups<<<grid(N, BLOCK_SIZE), BLOCK_SIZE>>>(d_x, d_y, N); }

// ---- References: each returns how many results there are

// reference[i]: the sum of x[i * length] to x[(i + 1) * length - 1].
size_t sum_reference(const real *x, size_t N, size_t length, double *reference)
{
    const size_t count = (N + length - 1) / length;
    for (size_t i = 0; i < count; ++i)
    {
        reference[i] = 0.0;
    }
    for (size_t n = 0; n < N; ++n)
    {
        reference[n / length] += x[n];
    }
    return count;
}

// reference[n]: the sum up to x[n] in its stretch of `length` elements.
size_t scan_reference(const real *x, size_t N, size_t length, double *reference)
{
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = x[n] + (n % length > 0 ? reference[n - 1] : 0.0);
    }
    return N;
}

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
size_t sort_reference(const real *x, size_t N, double *reference, unsigned *places)
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
    return N;
}

// What is expected of the rows of a table.
void expect_sums_of_tiles(void) { count = sum_reference(h_x, N, TILE, reference); }
void expect_sums_of_groups(void) { count = sum_reference(h_x, N, GROUP, reference); }
void expect_sums_of_twenties(void) { count = sum_reference(h_x, N, TWENTY, reference); }
void expect_scans_of_groups(void) { count = scan_reference(h_x, N, GROUP, reference); }
void expect_scans_of_rows(void) { count = scan_reference(h_x, N, ROW, reference); }
void expect_sorted_tiles(void) { count = sort_reference(h_x, N, reference, places); }

// ---- Checks

// An element goes through so many additions at most. The element behind the last result must stay
// poisoned.
void check_results(double additions)
{
    real poisoned;
    poison(&poisoned, sizeof(real));
    check_true("an element behind the end", h_y[count] == poisoned);
    check_elements(g_row, h_y, reference, count, is_exact ? 0.0 : additions * REAL_EPSILON);
    g_result = (double)h_y[count - 1];
    g_error = largest_error(h_y, reference, count);
}

void check_tiles(void) { check_results(TILE); }
void check_rows(void) { check_results(ROW); }
void check_sorted(void) { check_results(0); }
void check_groups(void) { check_results(GROUP); }
void check_twenties(void) { check_results(TWENTY); }

void check_pairs(void)
{
    check_results(0);
    check_elements("sort-pairs: the places", h_places, places, N);
}

// ---- The tables: some rows each

const Version VERSIONS[] = {
    {"block-hand", "the sum of each tile, by shuffles and shared memory", run_block_hand,
     check_tiles},
    {"block-reduce", "the same by cub::BlockReduce", run_block_reduce, check_tiles, BY_LIBRARY},
    {"rows-direct", "BlockLoad, BlockScan, BlockStore: sums along rows, tile after tile",
     run_rows_direct, check_rows},
    {"rows-transposed", "the same, with loads and stores that are coalesced", run_rows_transposed,
     check_rows},
    {"cpu-sort", "each tile by std::sort", run_cpu_sort, check_sorted, ON_HOST},
    {"block-sort", "each tile by cub::BlockRadixSort", run_block_sort, check_sorted, BY_LIBRARY},
    {"sort-pairs", "the same, and each key takes a value along", run_sort_pairs, check_pairs,
     BY_LIBRARY},
    {"warp-hand", "sums of 8 neighbours, by shuffles", run_warp_hand, check_groups},
    {"warp-reduce", "the same by cub::WarpReduce", run_warp_reduce, check_groups, BY_LIBRARY},
    {"warp-twenty", "sums of 20 neighbours: logical warps of 20 threads", run_warp_twenty,
     check_twenties, BY_LIBRARY},
    {"warp-scan-hand", "the sums up to each of 8 neighbours, by shuffles", run_warp_scan_hand,
     check_groups},
    {"warp-scan", "the same by cub::WarpScan", run_warp_scan, check_groups, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// The first row of each table.
enum FirstRow
{
    SUMS = 0,
    SCANS = 2,
    SORTS = 4,
    PAIRS = 6,
    GROUPS = 7,
    TWENTIES = 9,
    GROUP_SCANS = 10,
    END = 12
};

// The arrays have room for N, and for all sizes that are checked.
size_t most_elements(size_t N)
{
    const size_t most_checked = ((size_t)1 << MOST_DOUBLINGS) + 1;
    return N > most_checked ? N : most_checked;
}

// Of 0 elements there is no tile, and a launch of 0 blocks is an error. A program that may have no
// elements checks N before it launches. (cub::DeviceScan checks N itself.)
void check_empty_grid(void) { check_true("0 elements take 0 blocks", grid(0, TILE) == 0); }

// All rows of a table with the first n elements.
void check_size(const Table *table, const Version *rows, int num_rows, size_t n,
                void (*expect)(void))
{
    N = n;
    expect();
    check_versions(table, rows, num_rows);
}

// The rows from `first` to the one before `end`. Small integers first, whose sums are exact, in
// many sizes. Then random numbers, timed.
void run_table(Table *table, FirstRow first, FirstRow end, const char *what, void (*expect)(void))
{
    const Version *rows = &VERSIONS[first];
    const int num_rows = end - first;
    if (!any_can_run(rows, num_rows))
    {
        return;
    }
    const size_t most = most_elements(args.N) + 1;
    is_exact = true;
    fill_integers(h_x, most, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, most * sizeof(real), cudaMemcpyHostToDevice));
    check_size(table, rows, num_rows, 1, expect);
    check_size(table, rows, num_rows, 2, expect);
    for (int doublings = 1; doublings <= MOST_DOUBLINGS; ++doublings)
    {
        const size_t power = (size_t)1 << doublings;
        for (size_t n = power - 1; n <= power + 1; ++n)
        {
            check_size(table, rows, num_rows, n, expect);
        }
    }
    check_size(table, rows, num_rows, args.N, expect);

    is_exact = false;
    fill_random(h_x, N, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, N * sizeof(real), cudaMemcpyHostToDevice));
    expect();
    table->what = what;
    run_versions(table, rows, num_rows);
    printf("%s\n", args.csv ? "# " : "");
}

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 102400);
    args.bytes_per_element = 2 * sizeof(real) + sizeof(unsigned);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(unsigned) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "cub-block: parts of kernels that CUB has ready: a block or a warp reduces, scans or "
        "sorts together");
    check_empty_grid();

    const size_t most = most_elements(args.N), bytes = (most + 1) * sizeof(real);
    const size_t places_bytes = most * sizeof(unsigned);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_places = (unsigned *)malloc(places_bytes);
    places = (unsigned *)malloc(places_bytes);
    reference = (double *)malloc(most * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_places, places_bytes));

    Table table = {};
    table.outputs[0] = {h_y, d_y, bytes};
    table.outputs[1] = {h_places, d_places, places_bytes};

    const size_t x_bytes = args.N * sizeof(real);
    table.bytes = x_bytes;
    table.ceiling = read_ceiling(x_bytes);
    run_table(&table, SUMS, SCANS, "sums of tiles of 1024", expect_sums_of_tiles);
    run_table(&table, GROUPS, TWENTIES, "sums of 8 neighbours", expect_sums_of_groups);
    run_table(&table, TWENTIES, GROUP_SCANS, "sums of 20 neighbours", expect_sums_of_twenties);

    table.bytes = 2.0 * x_bytes;
    table.ceiling = copy_ceiling(2 * x_bytes);
    run_table(&table, GROUP_SCANS, END, "scans of 8 neighbours", expect_scans_of_groups);
    run_table(&table, SCANS, SORTS, "scans of rows of 5000", expect_scans_of_rows);
    run_table(&table, SORTS, PAIRS, "sorted tiles of 1024", expect_sorted_tiles);

    table.bytes = 2.0 * x_bytes + (double)args.N * sizeof(unsigned);
    table.ceiling = copy_ceiling(table.bytes);
    run_table(&table, PAIRS, GROUPS, "sorted tiles of 1024 pairs", expect_sorted_tiles);

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
