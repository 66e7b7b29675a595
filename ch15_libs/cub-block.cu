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
#include <algorithm>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/largest_error.cuh"
#include "../common/real.cuh"
#include "../common/versions_data.cuh"

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

// What the versions work on.
struct Data
{
    size_t N;
    size_t count;  // results of a kernel
    bool is_exact; // all sums are numbers of the type
    real *h_x, *h_y, *d_x, *d_y;
    unsigned *h_places, *d_places;
    double *reference;
    unsigned *places; // what h_places should be
};

// ---- References: each sets data->count

// reference[i]: the sum of x[i * length] to x[(i + 1) * length - 1].
void sum_reference(Data *data, size_t length)
{
    data->count = (data->N + length - 1) / length;
    for (size_t i = 0; i < data->count; ++i)
    {
        data->reference[i] = 0.0;
    }
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n / length] += data->h_x[n];
    }
}

// reference[n]: the sum up to x[n] in its stretch of `length` elements.
void scan_reference(Data *data, size_t length)
{
    data->count = data->N;
    for (size_t n = 0; n < data->N; ++n)
    {
        data->reference[n] = data->h_x[n] + (n % length > 0 ? data->reference[n - 1] : 0.0);
    }
}

void sort_tiles_on_host(Data *data)
{
    real *y = data->h_y;
    std::copy(data->h_x, data->h_x + data->N, y);
    for (size_t first = 0; first < data->N; first += TILE)
    {
        std::sort(y + first, y + std::min(first + TILE, data->N));
    }
}

void sort_reference(Data *data)
{
    data->count = data->N;
    sort_tiles_on_host(data);
    std::copy(data->h_y, data->h_y + data->N, data->reference);
}

// places[n]: where in its tile the element n of the sorted tiles was.
void pairs_reference(Data *data)
{
    sort_reference(data);
    for (size_t first = 0; first < data->N; first += TILE)
    {
        const size_t valid = std::min(data->N - first, (size_t)TILE);
        const real *x = data->h_x + first;
        unsigned *places = data->places + first;
        for (size_t i = 0; i < valid; ++i)
        {
            places[i] = i;
        }
        std::stable_sort(places, places + valid,
                         [=](unsigned a, unsigned b) { return x[a] < x[b]; });
    }
}

// ---- Checks

// An element goes through so many additions at most. The element behind the last result must stay
// poisoned.
void check_results(Table<Data> *table, const Data *data, double additions)
{
    const size_t count = data->count;
    real poisoned;
    poison(&poisoned, sizeof(real));
    check_true("an element behind the end", data->h_y[count] == poisoned);
    check_elements(table->checking, data->h_y, data->reference, count,
                   data->is_exact ? 0.0 : additions * REAL_EPSILON);
    table->result = (double)data->h_y[count - 1];
    table->error = largest_error(data->h_y, data->reference, count);
}

void check_tiles(Table<Data> *table, const Data *data) { check_results(table, data, TILE); }

void check_rows(Table<Data> *table, const Data *data) { check_results(table, data, ROW); }

void check_sorted(Table<Data> *table, const Data *data) { check_results(table, data, 0); }

void check_pairs(Table<Data> *table, const Data *data)
{
    check_results(table, data, 0);
    check_elements("sort-pairs: the places", data->h_places, data->places, data->N);
}

void check_groups(Table<Data> *table, const Data *data) { check_results(table, data, GROUP); }

void check_twenties(Table<Data> *table, const Data *data) { check_results(table, data, TWENTY); }

// ---- The tables

// Blocks for the N elements.
unsigned grid(const Data *data, size_t elements_of_block)
{
    return (unsigned)((data->N + elements_of_block - 1) / elements_of_block);
}

typedef Data *D;
const Version<Data> SUMS[] = {
    {"block-hand", "the sum of each tile, by shuffles and shared memory", ON_DEVICE,
     [](D d) { sum_tiles_by_hand<<<grid(d, TILE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); },
     check_tiles},
    {"block-reduce", "the same by cub::BlockReduce", ON_DEVICE,
     [](D d) { sum_tiles<<<grid(d, TILE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); }, check_tiles},
};
const Version<Data> SCANS[] = {
    {"rows-direct", "BlockLoad, BlockScan, BlockStore: sums along rows, tile after tile", ON_DEVICE,
     [](D d) { scan_rows_direct<<<grid(d, ROW), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); }, check_rows},
    {"rows-transposed", "the same, with loads and stores that are coalesced", ON_DEVICE,
     [](D d) { scan_rows_transposed<<<grid(d, ROW), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); },
     check_rows},
};
const Version<Data> SORTS[] = {
    {"cpu-sort", "each tile by std::sort", ON_HOST, sort_tiles_on_host, check_sorted},
    {"block-sort", "each tile by cub::BlockRadixSort", ON_DEVICE,
     [](D d) { sort_tiles<<<grid(d, TILE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); }, check_sorted},
};
const Version<Data> PAIRS[] = {
    {"sort-pairs", "the same, and each key takes a value along", ON_DEVICE,
     [](D d) { sort_pairs<<<grid(d, TILE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->d_places, d->N); },
     check_pairs},
};
const Version<Data> GROUPS[] = {
    {"warp-hand", "sums of 8 neighbours, by shuffles", ON_DEVICE,
     [](D d) { sum_groups_by_hand<<<grid(d, BLOCK_SIZE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); },
     check_groups},
    {"warp-reduce", "the same by cub::WarpReduce", ON_DEVICE,
     [](D d) { sum_groups<<<grid(d, BLOCK_SIZE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); },
     check_groups},
};
const Version<Data> TWENTIES[] = {
    {"warp-twenty", "sums of 20 neighbours: logical warps of 20 threads", ON_DEVICE,
     [](D d) { sum_twenties<<<grid(d, WARPS * TWENTY), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); },
     check_twenties},
};
const Version<Data> GROUP_SCANS[] = {
    {"warp-scan-hand", "the sums up to each of 8 neighbours, by shuffles", ON_DEVICE,
     [](D d) { scan_groups_by_hand<<<grid(d, BLOCK_SIZE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); },
     check_groups},
    {"warp-scan", "the same by cub::WarpScan", ON_DEVICE,
     [](D d) { scan_groups<<<grid(d, BLOCK_SIZE), BLOCK_SIZE>>>(d->d_x, d->d_y, d->N); },
     check_groups},
};

// The arrays have room for N, and for all sizes that are checked.
size_t most_elements(size_t N) { return std::max(N, ((size_t)1 << MOST_DOUBLINGS) + 1); }

// Of 0 elements there is no tile, and a launch of 0 blocks is an error. A program that may have no
// elements checks N before it launches. (cub::DeviceScan checks N itself.)
void check_empty_grid(void)
{
    Data data = {};
    check_true("0 elements take 0 blocks", grid(&data, TILE) == 0);
}

// Small integers first, whose sums are exact, in many sizes. Then random numbers, timed.
template <int COUNT>
void run_table(Table<Data> *table, const Version<Data> (&versions)[COUNT], const char *what,
               void (*compute_reference)(Data *))
{
    Data *data = table->data;
    if (!any_can_run(data, versions))
    {
        return;
    }
    const size_t most = most_elements(args.N) + 1;
    data->is_exact = true;
    fill_integers(data->h_x, most, args.seed);
    CHECK(cudaMemcpy(data->d_x, data->h_x, most * sizeof(real), cudaMemcpyHostToDevice));
    for (int doublings = 0; doublings <= MOST_DOUBLINGS; ++doublings)
    {
        const size_t power = (size_t)1 << doublings;
        for (data->N = std::max(power - 1, (size_t)1); data->N <= power + 1; ++data->N)
        {
            compute_reference(data);
            check_versions(table, versions);
        }
    }
    data->N = args.N;
    compute_reference(data);
    check_versions(table, versions);

    data->is_exact = false;
    fill_random(data->h_x, data->N, args.seed);
    CHECK(cudaMemcpy(data->d_x, data->h_x, data->N * sizeof(real), cudaMemcpyHostToDevice));
    compute_reference(data);
    table->what = what;
    run_versions(table, versions);
    printf("%s\n", args.csv ? "# " : "");
}

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 100000);
    args.bytes_per_element = 2 * sizeof(real) + sizeof(unsigned);
    args.bytes_on_host = 2 * sizeof(real) + 2 * sizeof(unsigned) + sizeof(double);
    add_versions(SUMS);
    add_versions(SCANS);
    add_versions(SORTS);
    add_versions(PAIRS);
    add_versions(GROUPS);
    add_versions(TWENTIES);
    add_versions(GROUP_SCANS);
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "cub-block: parts of kernels that CUB has ready: a block or a warp reduces, scans or "
        "sorts together");
    check_empty_grid();

    const size_t most = most_elements(args.N), bytes = (most + 1) * sizeof(real);
    const size_t places_bytes = most * sizeof(unsigned);
    Data data = {};
    data.h_x = (real *)malloc(bytes);
    data.h_y = (real *)malloc(bytes);
    data.h_places = (unsigned *)malloc(places_bytes);
    data.places = (unsigned *)malloc(places_bytes);
    data.reference = (double *)malloc(most * sizeof(double));
    CHECK(cudaMalloc(&data.d_x, bytes));
    CHECK(cudaMalloc(&data.d_y, bytes));
    CHECK(cudaMalloc(&data.d_places, places_bytes));

    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {data.h_y, data.d_y, bytes};
    table.outputs[1] = {data.h_places, data.d_places, places_bytes};

    const double x_bytes = (double)args.N * sizeof(real);
    table.ceiling = read_ceiling;
    table.bytes = x_bytes;
    run_table(&table, SUMS, "sums of tiles of 1024", [](D d) { sum_reference(d, TILE); });
    run_table(&table, GROUPS, "sums of 8 neighbours", [](D d) { sum_reference(d, GROUP); });
    run_table(&table, TWENTIES, "sums of 20 neighbours", [](D d) { sum_reference(d, TWENTY); });

    table.ceiling = copy_ceiling;
    table.bytes = 2.0 * x_bytes;
    run_table(&table, GROUP_SCANS, "scans of 8 neighbours", [](D d) { scan_reference(d, GROUP); });
    run_table(&table, SCANS, "scans of rows of 5000", [](D d) { scan_reference(d, ROW); });
    run_table(&table, SORTS, "sorted tiles of 1024", sort_reference);

    table.bytes = 2.0 * x_bytes + (double)args.N * sizeof(unsigned);
    run_table(&table, PAIRS, "sorted tiles of 1024 pairs", pairs_reference);

    CHECK(cudaFree(data.d_x));
    CHECK(cudaFree(data.d_y));
    CHECK(cudaFree(data.d_places));
    free(data.h_x);
    free(data.h_y);
    free(data.h_places);
    free(data.places);
    free(data.reference);
    return verdict();
}
