// cub-rows: sums along rows, tile after tile: a block loads, scans and stores by CUB
//
// From:    sections 16.2 and 16.2.2
// Order:   after cub-block
// Compile: nvcc -O3 cub-rows.cu
// Run:     ./a.out -n 10000000
//
// A thread has several elements in its registers. Which elements these are decides whether loads
// and stores are coalesced. See cub-block for what all collectives of a block have in common.

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const int BLOCK_SIZE = 128;
const int ITEMS = 8;                 // elements of a thread
const int TILE = BLOCK_SIZE * ITEMS; // elements that a block takes at a time
const int ROW = 5000;                // no multiple of TILE

// The sizes that are checked, beside the one of the table: where a thread, a tile or a row ends.
const size_t SIZES[] = {1, 7, 8, 9, 1023, 1024, 1025, 4999, 5000, 5001, 6023, 6024, 6025, 12345};
const int NUM_SIZES = sizeof(SIZES) / sizeof(SIZES[0]);
const size_t MOST_CHECKED = 12345;

static size_t N;                    // elements
static unsigned num_rows;           // blocks
static real *h_x, *h_y, *d_x, *d_y; // the elements; the sums along the rows
static double *reference;           // what h_y should be

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

void run_rows_direct(void) { scan_rows_direct<<<num_rows, BLOCK_SIZE>>>(d_x, d_y, N); }

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

void run_rows_transposed(void) { scan_rows_transposed<<<num_rows, BLOCK_SIZE>>>(d_x, d_y, N); }

// ---- The reference and the check

// y[n]: the sum of its row up to x[n].
void scan_reference(const real *x, size_t N, double *y)
{
    for (size_t n = 0; n < N; ++n)
    {
        y[n] = x[n] + (n % ROW > 0 ? y[n - 1] : 0.0);
    }
}

// The numbers are small integers, so all sums are exact, in whatever order they are added. The
// element behind the last result must stay poisoned.
void check_rows(void)
{
    real poisoned;
    poison(&poisoned, sizeof(real));
    check_true("an element behind the end", h_y[N] == poisoned);
    check_elements(g_row, h_y, reference, N);
}

// The first n elements.
void set_size(size_t n)
{
    N = n;
    num_rows = (unsigned)((N + ROW - 1) / ROW);
    scan_reference(h_x, N, reference);
}

const Version VERSIONS[] = {
    {"rows-direct", "BlockLoad, BlockScan, BlockStore: sums along rows, tile after tile",
     run_rows_direct, check_rows},
    {"rows-transposed", "the same, with loads and stores that are coalesced", run_rows_transposed,
     check_rows},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 102400);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv",
        "cub-rows: sums along rows, tile after tile: a block loads, scans and stores by CUB");

    const size_t most = args.N > MOST_CHECKED ? args.N : MOST_CHECKED;
    const size_t bytes = (most + 1) * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(most * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    fill_integers(h_x, most + 1, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.what = "scans of rows of 5000";
    table.outputs[0] = {h_y, d_y, bytes};
    table.bytes = 2.0 * args.N * sizeof(real);
    table.ceiling = copy_ceiling(table.bytes);
    for (int i = 0; i < NUM_SIZES; ++i)
    {
        set_size(SIZES[i]);
        check_versions(&table, VERSIONS, NUM_VERSIONS);
    }
    set_size(args.N);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(reference);
    return verdict();
}
