// scan: the sum of everything up to each element, from three kernels to a single pass
//
// From:    section 16.1.4; beyond the book
// Compile: nvcc -O3 scan.cu
// Run:     ./a.out -n 100000000
//
// This scan is inclusive: y[n] = x[0] + ... + x[n]. The numbers are small integers, so no sum
// overflows. The program scan-types has other types, products, and exclusive scans.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/largest_error.cuh"
#include "../common/versions.cuh"
#include "scan_fast.cuh"

const int BLOCK_SIZE = 1024;
const int WARPS = BLOCK_SIZE / WARP_SIZE; // 32 in a block, so that one warp can scan their totals

static size_t N;
static size_t grid_size;  // blocks of BLOCK_SIZE threads, a thread for each element
static size_t num_tiles;  // of TILE_ELEMENTS elements
static int *h_x, *d_x;    // the numbers
static int *h_y, *d_y;    // their scan
static double *reference; // what y should be
static int *d_totals;     // of blocks or of tiles, which are fewer
static Word *d_words;     // the number of the next tile, then the tiles' messages

void scan_reference(const int *x, double *y, size_t N)
{
    double total = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        total += x[n];
        y[n] = total;
    }
}

// One element after the other.
void scan_cpu(const int *x, int *y, size_t N)
{
    int total = 0;
    for (size_t n = 0; n < N; ++n)
    {
        total += x[n];
        y[n] = total;
    }
}

void run_cpu(void) { scan_cpu(h_x, h_y, N); }

// Hillis and Steele: each thread adds the sum that lies 1 to its left, then 2, 4, 8, ... After the
// last step it has the sum of everything up to its own element. The two arrays change places after
// each step, so no thread overwrites a number that another one still has to read.
__global__ void scan_shared(const int *d_x, int *d_y, int *d_totals, size_t N)
{
    __shared__ int s_y[2][BLOCK_SIZE];
    const int tid = threadIdx.x;
    const size_t n = (size_t)blockDim.x * blockIdx.x + tid;
    int y = n < N ? d_x[n] : 0;
    int now = 0;
    s_y[now][tid] = y;
    __syncthreads();
    for (int offset = 1; offset < BLOCK_SIZE; offset *= 2)
    {
        if (tid >= offset)
        {
            y += s_y[now][tid - offset];
        }
        now = 1 - now;
        s_y[now][tid] = y;
        __syncthreads();
    }
    if (n < N)
    {
        d_y[n] = y;
    }
    if (tid == BLOCK_SIZE - 1)
    {
        d_totals[blockIdx.x] = y;
    }
}

// Does the same as scan_shared, and faster. Each warp scans its 32 elements by shuffles, which need
// no barrier. Then one warp scans the 32 totals of the warps. Two barriers are left of eleven.
__global__ void scan_shuffle(const int *d_x, int *d_y, int *d_totals, size_t N)
{
    __shared__ int s_totals[WARPS];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    int y = n < N ? d_x[n] : 0;
    for (int offset = 1; offset < WARP_SIZE; offset *= 2)
    {
        const int left = __shfl_up_sync(FULL_MASK, y, offset);
        if (lane >= offset)
        {
            y += left;
        }
    }
    if (lane == WARP_SIZE - 1)
    {
        s_totals[warp] = y;
    }
    __syncthreads();
    if (warp == 0)
    {
        int total = s_totals[lane];
        for (int offset = 1; offset < WARP_SIZE; offset *= 2)
        {
            const int left = __shfl_up_sync(FULL_MASK, total, offset);
            if (lane >= offset)
            {
                total += left;
            }
        }
        s_totals[lane] = total;
    }
    __syncthreads();
    if (warp > 0)
    {
        y += s_totals[warp - 1];
    }
    if (n < N)
    {
        d_y[n] = y;
    }
    if (threadIdx.x == BLOCK_SIZE - 1)
    {
        d_totals[blockIdx.x] = y;
    }
}

// The blocks of a usual launch have no common barrier, so their totals need a kernel of their own.
// It has one block and works in place. The block scans 1024 totals as scan_shuffle scans 1024
// elements, then the next 1024, and so on. `before` is the sum of all totals of the rounds before.
__global__ void scan_totals(int *d_totals, size_t count)
{
    __shared__ int s_totals[WARPS];
    const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
    int before = 0;
    for (size_t first = 0; first < count; first += BLOCK_SIZE)
    {
        const size_t n = first + threadIdx.x;
        int y = n < count ? d_totals[n] : 0;
        for (int offset = 1; offset < WARP_SIZE; offset *= 2)
        {
            const int left = __shfl_up_sync(FULL_MASK, y, offset);
            if (lane >= offset)
            {
                y += left;
            }
        }
        if (lane == WARP_SIZE - 1)
        {
            s_totals[warp] = y;
        }
        __syncthreads();
        if (warp == 0)
        {
            int total = s_totals[lane];
            for (int offset = 1; offset < WARP_SIZE; offset *= 2)
            {
                const int left = __shfl_up_sync(FULL_MASK, total, offset);
                if (lane >= offset)
                {
                    total += left;
                }
            }
            s_totals[lane] = total;
        }
        __syncthreads();
        if (warp > 0)
        {
            y += s_totals[warp - 1];
        }
        if (n < count)
        {
            d_totals[n] = before + y;
        }
        before += s_totals[WARPS - 1];
        __syncthreads(); // all have read s_totals before the next round writes to it
    }
}

// The third kernel. Every y is read and written once more, so 4 N elements are moved in all. A scan
// has to move 2 N.
__global__ void add_totals(int *d_y, const int *d_totals, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && blockIdx.x > 0)
    {
        d_y[n] += d_totals[blockIdx.x - 1];
    }
}

void run_hillis_steele(void)
{
    scan_shared<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, d_totals, N);
    scan_totals<<<1, BLOCK_SIZE>>>(d_totals, grid_size);
    add_totals<<<grid_size, BLOCK_SIZE>>>(d_y, d_totals, N);
}

void run_shuffle(void)
{
    scan_shuffle<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, d_totals, N);
    scan_totals<<<1, BLOCK_SIZE>>>(d_totals, grid_size);
    add_totals<<<grid_size, BLOCK_SIZE>>>(d_y, d_totals, N);
}

// ---- Tiles of thousands of elements, and CUB: the kernels are in scan_fast.cuh.

void run_reduce_first(void)
{
    reduce_tiles<<<num_tiles, TILE_THREADS>>>(d_x, d_totals, N);
    scan_totals<<<1, BLOCK_SIZE>>>(d_totals, num_tiles);
    scan_tiles<<<num_tiles, TILE_THREADS>>>(d_x, d_y, d_totals, N);
}

// To forget the last call's messages is part of the work, and of its time.
void run_single_pass(void)
{
    CHECK(cudaMemsetAsync(d_words, 0, (1 + num_tiles) * sizeof(Word)));
    scan_single_pass<<<num_tiles, TILE_THREADS>>>(d_x, d_y, N, d_words, d_words + 1);
}

void run_cub(void) { launch_cub(d_x, d_y, N); }

// ---- The table

void check(void)
{
    check_elements(g_row, h_y, reference, N);
    g_result = h_y[N - 1];
    g_error = largest_error(h_y, reference, N);
}

const Version VERSIONS[] = {
    {"cpu", "one after the other", run_cpu, check, ON_HOST},
    {"hillis-steele", "blocks in shared memory, then their totals, then each block adds one",
     run_hillis_steele, check},
    {"shuffle", "the same, but a warp's partial sums change hands in registers", run_shuffle,
     check},
    {"reduce-first", "tiles of thousands, first only their totals: nothing is written twice",
     run_reduce_first, check, ON_DEVICE, NULL, NULL, false, "faster: more loads under way"},
    {"single-pass", "one kernel: a tile gets what comes before it from those that run beside it",
     run_single_pass, check, ON_DEVICE, NULL, NULL, false,
     "slower than it looks: tiles wait for earlier ones"},
    {"CUB", "DeviceScan", run_cub, check, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 49152);
    args.bytes_per_element = 2 * sizeof(int) + 1;
    args.bytes_on_host = 2 * sizeof(int) + sizeof(double);
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "scan: the sum of everything up to each element, from three kernels to a single "
               "pass");
    N = args.N;
    grid_size = (N - 1) / BLOCK_SIZE + 1;
    num_tiles = (N - 1) / TILE_ELEMENTS + 1;

    const size_t bytes = N * sizeof(int);
    h_x = (int *)malloc(bytes);
    h_y = (int *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_totals, grid_size * sizeof(int)));
    CHECK(cudaMalloc(&d_words, (1 + num_tiles) * sizeof(Word)));
    fill_integers(h_x, N, args.seed);
    scan_reference(h_x, reference, N);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    Table table = {};
    table.outputs[0] = {h_y, d_y, bytes};
    table.outputs[1] = {NULL, d_totals, grid_size * sizeof(int)};
    table.bytes = 2.0 * bytes;
    table.ceiling = copy_ceiling(2 * bytes);
    table.what = "inclusive sums of int";
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_totals));
    CHECK(cudaFree(d_words));
    CHECK(cudaFree(d_cub_storage));
    free(h_x);
    free(h_y);
    free(reference);
    return verdict();
}
