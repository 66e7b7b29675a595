// cub-block: the threads of a block add up their numbers, by hand and by CUB
//
// From:    sections 16.2 and 16.2.2
// Compile: nvcc -O3 cub-block.cu
// Run:     ./a.out -n 10000000
//
// The draft of section 16.2 names the three levels of CUB and shows none. The program cub-scan has
// the level of the device, and cub-warp that of a warp. Here is the level of a block. In cub-rows
// and cub-sort a block scans and sorts.
//
// The collectives of a block and of a warp are classes. Their template parameters say the type and
// how many threads there are, and all of these threads have to call them. TempStorage is the shared
// memory that a collective needs.

#include <cub/block/block_reduce.cuh>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const unsigned FULL_MASK = 0xffffffff;
const int WARP_SIZE = 32;
const int BLOCK_SIZE = 128;
const int WARPS = BLOCK_SIZE / WARP_SIZE;
const int TILE = 1024; // elements that a block takes

// The sizes that are checked, beside the one of the table: where a warp, a block or a tile ends.
const size_t SIZES[] = {1, 2, 31, 32, 33, 127, 128, 129, 1023, 1024, 1025, 3 * TILE};
const int NUM_SIZES = sizeof(SIZES) / sizeof(SIZES[0]);
const size_t MOST_CHECKED = 3 * TILE;

static size_t N;              // elements
static size_t num_tiles;      // blocks, and sums
static real *h_x, *d_x;       // the elements
static real *h_sums, *d_sums; // of the tiles
static double *reference;     // what the sums should be

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

void run_block_hand(void) { sum_tiles_by_hand<<<num_tiles, BLOCK_SIZE>>>(d_x, d_sums, N); }

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

void run_block_reduce(void) { sum_tiles<<<num_tiles, BLOCK_SIZE>>>(d_x, d_sums, N); }

// ---- The reference and the check

void sum_reference(const real *x, size_t N, double *sums)
{
    for (size_t n = 0; n < N; ++n)
    {
        sums[n / TILE] = x[n] + (n % TILE > 0 ? sums[n / TILE] : 0.0);
    }
}

// The numbers are small integers, so all sums are exact, in whatever order they are added. The
// element behind the last sum must stay poisoned.
void check_sums(void)
{
    real poisoned;
    poison(&poisoned, sizeof(real));
    check_true("an element behind the end", h_sums[num_tiles] == poisoned);
    check_elements(g_row, h_sums, reference, num_tiles);
}

// The first n elements.
void set_size(size_t n)
{
    N = n;
    num_tiles = (N + TILE - 1) / TILE;
    sum_reference(h_x, N, reference);
}

const Version VERSIONS[] = {
    {"block-hand", "the sum of each tile, by shuffles and shared memory", run_block_hand,
     check_sums},
    {"block-reduce", "the same by cub::BlockReduce", run_block_reduce, check_sums, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 102400);
    args.bytes_per_element = sizeof(real);
    args.bytes_on_host = sizeof(real);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cub-block: the threads of a block add up their numbers, by hand and by CUB");

    const size_t most = args.N > MOST_CHECKED ? args.N : MOST_CHECKED;
    const size_t most_tiles = (most + TILE - 1) / TILE;
    const size_t bytes = most * sizeof(real), sum_bytes = (most_tiles + 1) * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_sums = (real *)malloc(sum_bytes);
    reference = (double *)malloc(most_tiles * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_sums, sum_bytes));
    fill_integers(h_x, most, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.what = "sums of tiles of 1024";
    table.outputs[0] = {h_sums, d_sums, sum_bytes};
    table.bytes = args.N * sizeof(real);
    table.ceiling = read_ceiling(table.bytes);
    for (int i = 0; i < NUM_SIZES; ++i)
    {
        set_size(SIZES[i]);
        check_versions(&table, VERSIONS, NUM_VERSIONS);
    }
    set_size(args.N);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_sums));
    free(h_x);
    free(h_sums);
    free(reference);
    return verdict();
}
