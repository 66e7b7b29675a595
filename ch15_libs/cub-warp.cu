// cub-warp: parts of a warp add and scan their numbers, by hand and by CUB
//
// From:    sections 16.2 and 16.2.2
// Order:   after cub-sort
// Compile: nvcc -O3 cub-warp.cu
// Run:     ./a.out -n 10000000
//
// Functions that all threads of a part call together are called collectives. Those of a warp work
// on logical warps: parts of a warp with a chosen number of threads. See cub-block for what all
// collectives of CUB have in common.

#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <math.h>
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
const int GROUP = 8; // neighbours that a part of a warp takes
const int TWENTY = 20;

// The sizes that are checked, beside the one of the table: where a group, a warp or a block ends.
const size_t SIZES[] = {1, 2, 7, 8, 9, 19, 20, 21, 31, 32, 33, 79, 80, 81, 127, 128, 129, 1003};
const int NUM_SIZES = sizeof(SIZES) / sizeof(SIZES[0]);
const size_t MOST_CHECKED = 1003;

static size_t N;                    // elements
static real *h_x, *h_y, *d_x, *d_y; // the elements; the sums
static double *reference;           // what h_y should be

// Blocks for the N elements.
unsigned grid(size_t N, size_t elements_of_block)
{
    return (unsigned)((N + elements_of_block - 1) / elements_of_block);
}

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

// By CUB: a logical warp of 8 threads. Each logical warp has a TempStorage. WarpReduce(s) makes an
// object that uses the shared memory s, and Sum is a function of this object. The typedef gives a
// short name to WarpReduce for reals and 8 threads. The last group may have fewer elements: `valid`
// says how many. What the other lanes bring is not added.
__global__ void sum_groups(const real *d_x, real *d_y, size_t N)
{
    typedef cub::WarpReduce<real, GROUP> WarpReduce;
    __shared__ WarpReduce::TempStorage s_storage[BLOCK_SIZE / GROUP];
    const size_t n = (size_t)BLOCK_SIZE * blockIdx.x + threadIdx.x;
    const size_t first = n - n % GROUP;
    const int valid = first >= N ? 0 : N - first < GROUP ? N - first : GROUP;
    real y = n < N ? d_x[n] : (real)NAN; // NAN, so that the check fails if CUB adds it
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
    for (size_t n = 0; n < N; ++n)
    {
        reference[n / length] = x[n] + (n % length > 0 ? reference[n / length] : 0.0);
    }
    return (N + length - 1) / length;
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

// ---- The checks

// The numbers are small integers, so all sums are exact, in whatever order they are added. The
// element behind the last result must stay poisoned.
void check_results(size_t count)
{
    real poisoned;
    poison(&poisoned, sizeof(real));
    check_true("an element behind the end", h_y[count] == poisoned);
    check_elements(g_row, h_y, reference, count);
}

void check_groups(void) { check_results(sum_reference(h_x, N, GROUP, reference)); }
void check_twenties(void) { check_results(sum_reference(h_x, N, TWENTY, reference)); }
void check_group_scans(void) { check_results(scan_reference(h_x, N, GROUP, reference)); }

// ---- The tables

const Version SUMS[] = {
    {"warp-hand", "sums of 8 neighbours, by shuffles", run_warp_hand, check_groups},
    {"warp-reduce", "the same by cub::WarpReduce", run_warp_reduce, check_groups, BY_LIBRARY},
    {"warp-twenty", "sums of 20 neighbours: logical warps of 20 threads", run_warp_twenty,
     check_twenties, BY_LIBRARY},
};
const int NUM_SUMS = sizeof(SUMS) / sizeof(SUMS[0]);

const Version SCANS[] = {
    {"warp-scan-hand", "the sums up to each of 8 neighbours, by shuffles", run_warp_scan_hand,
     check_group_scans},
    {"warp-scan", "the same by cub::WarpScan", run_warp_scan, check_group_scans, BY_LIBRARY},
};
const int NUM_SCANS = sizeof(SCANS) / sizeof(SCANS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 102400);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    add_versions(SUMS, NUM_SUMS);
    add_versions(SCANS, NUM_SCANS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "cub-warp: parts of a warp add and scan their numbers, by hand and by CUB");

    const size_t most = args.N > MOST_CHECKED ? args.N : MOST_CHECKED;
    const size_t bytes = (most + 1) * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    reference = (double *)malloc(most * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    fill_integers(h_x, most + 1, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    Table sums = {}, scans = {};
    sums.what = "sums of 8 or 20 neighbours";
    scans.what = "scans of 8 neighbours";
    sums.outputs[0] = scans.outputs[0] = {h_y, d_y, bytes};
    // What is read. The sums that are written, an eighth of it or less, are left out.
    sums.bytes = args.N * sizeof(real);
    scans.bytes = 2.0 * args.N * sizeof(real);
    sums.ceiling = read_ceiling(sums.bytes);
    scans.ceiling = copy_ceiling(scans.bytes);
    for (int i = 0; i < NUM_SIZES; ++i)
    {
        N = SIZES[i];
        check_versions(&sums, SUMS, NUM_SUMS);
        check_versions(&scans, SCANS, NUM_SCANS);
    }
    N = args.N;
    run_versions(&sums, SUMS, NUM_SUMS);
    run_versions(&scans, SCANS, NUM_SCANS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    free(reference);
    return verdict();
}
