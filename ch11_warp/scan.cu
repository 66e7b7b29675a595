// scan: sums and products of everything up to each element, from three kernels to a single pass
//
// From:    section 16.1.4; beyond the book
// Compile: nvcc -O3 scan.cu
// Run:     ./a.out -n 100000000 --exclusive
// Versions:
//   cpu            one after the other
//   hillis-steele  blocks in shared memory, then their totals, then each block adds one of these
//   shuffle        the same, but a warp's partial sums change hands in registers
//   reduce-first   tiles of thousands, first only their totals: nothing is written twice
//   single-pass    one kernel: a tile gets what comes before it from those that run beside it
//   CUB            DeviceScan (needs a GPU)
// Checks:  60 (72 on a GPU)
// Sizes:   1 33 1000 200003
//
// Inclusive: y[n] = x[0] + ... + x[n]. Exclusive: without x[n], so that y[0] is 0. A scan of
// products has * for +, and 1 for 0. All four are checked, of int and of real; one is timed.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "scan_cub.cuh"
#include "scan_data.cuh"
#include "scan_tile.cuh"

const int BLOCK_SIZE = 1024;
const size_t CHECKED = 4000000; // elements at most, for kinds that are checked and not timed

// --- Three kernels ---------------------------------------------------------------------------

// Hillis and Steele: each thread adds what lies 1, then 2, 4, 8, ... to its left. Two arrays that
// change places save the second barrier of each round, between reading and writing.
struct InShared
{
    template <class Op, typename T>
    static __device__ T scan_block(T own)
    {
        __shared__ T s_y[2][BLOCK_SIZE];
        const int tid = threadIdx.x;
        int now = 0;
        s_y[now][tid] = own;
        __syncthreads();
        for (int offset = 1; offset < BLOCK_SIZE; offset *= 2)
        {
            own = tid >= offset ? Op::of(s_y[now][tid - offset], own) : own;
            now = 1 - now;
            s_y[now][tid] = own;
            __syncthreads();
        }
        return own;
    }
};

// Each warp by shuffles, then one warp the totals of all 32: two barriers instead of eleven.
struct ByShuffles
{
    template <class Op, typename T>
    static __device__ T scan_block(T own)
    {
        __shared__ T s_totals[WARP_SIZE];
        const int lane = threadIdx.x % WARP_SIZE, warp = threadIdx.x / WARP_SIZE;
        own = scan_lanes<Op>(own);
        if (lane == WARP_SIZE - 1)
        {
            s_totals[warp] = own;
        }
        __syncthreads();
        if (warp == 0)
        {
            s_totals[lane] = scan_lanes<Op>(s_totals[lane]);
        }
        __syncthreads();
        return warp > 0 ? Op::of(s_totals[warp - 1], own) : own;
    }
};

// An exclusive scan is an inclusive one of the elements moved up by a place.
template <class Block, class Op, typename T>
__global__ void scan_blocks(const T *x, T *y, T *totals, size_t N, bool exclusive)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const bool has_element = n < N && n >= exclusive;
    const T own = has_element ? x[n - exclusive] : (T)Op::IDENTITY;
    const T sum = Block::template scan_block<Op>(own);
    if (n < N)
    {
        y[n] = sum;
    }
    if (threadIdx.x == BLOCK_SIZE - 1)
    {
        totals[blockIdx.x] = sum;
    }
}

// In place, by a single block, 1024 after 1024: the totals are few.
template <class Block, class Op, typename T>
__global__ void scan_totals(T *totals, size_t count)
{
    __shared__ T s_before;
    T before = Op::IDENTITY;
    for (size_t first = 0; first < count; first += BLOCK_SIZE)
    {
        const size_t n = first + threadIdx.x;
        const T own = n < count ? totals[n] : (T)Op::IDENTITY;
        const T sum = Op::of(before, Block::template scan_block<Op>(own));
        if (n < count)
        {
            totals[n] = sum;
        }
        if (threadIdx.x == BLOCK_SIZE - 1)
        {
            s_before = sum;
        }
        __syncthreads();
        before = s_before; // written again only behind the barriers in scan_block
    }
}

// Each y is read and written once more: 4 N elements are moved, where 2 N have to be.
template <class Op, typename T>
__global__ void add_totals(T *y, const T *totals, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && blockIdx.x > 0)
    {
        y[n] = Op::of(totals[blockIdx.x - 1], y[n]);
    }
}

// x is read twice, y written once: 3 N. And what a thread scans by itself, 48 floats, takes no
// exchange with others.
template <class Op, typename T>
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    reduce_tiles(const T *x, T *totals, size_t N)
{
    Tile<Op, T> tile(x, blockIdx.x, N);
    const T total = tile.scan();
    if (threadIdx.x == 0)
    {
        totals[blockIdx.x] = total;
    }
}

template <class Op, typename T>
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    scan_tiles(const T *x, T *y, const T *totals, size_t N, bool exclusive)
{
    Tile<Op, T> tile(x, blockIdx.x, N);
    tile.scan();
    tile.store(y, blockIdx.x > 0 ? totals[blockIdx.x - 1] : (T)Op::IDENTITY, N, exclusive);
}

// --- A single pass ---------------------------------------------------------------------------

// x is read once. Blocks may start in any order, so they draw numbers: a tile that is waited for
// has been drawn before, by a block that runs or has ended, and never waits for its turn.
template <class Op, typename T>
__global__ void __launch_bounds__(TILE_THREADS, TILE_BLOCKS)
    scan_single_pass(const T *x, T *y, size_t N, Word *next, Word *words, bool exclusive)
{
    __shared__ size_t s_tile;
    __shared__ T s_before;
    if (threadIdx.x == 0)
    {
        s_tile = atomicAdd(next, 1);
    }
    __syncthreads();
    const size_t number = s_tile;
    Tile<Op, T> tile(x, number, N);
    const T total = tile.scan();
    if (tile.warp == 0)
    {
        if (tile.lane == 0 && number > 0)
        {
            Message<T>::publish(words, number, TOTAL, total);
        }
        const T before_tile = look_back<Op, T>(words, number);
        if (tile.lane == 0)
        {
            Message<T>::publish(words, number, PREFIX, Op::of(before_tile, total));
            s_before = before_tile;
        }
    }
    __syncthreads();
    tile.store(y, s_before, N, exclusive);
}

// --- Launchers -------------------------------------------------------------------------------

template <class Op, typename T>
void scan_on_host(Problem<T> *p)
{
    scan_in_order<Op, T>(p->h_x, p->h_y, p->N, p->exclusive);
}

template <class Block, class Op, typename T>
void three_kernels(Problem<T> *p)
{
    const size_t blocks = (p->N - 1) / BLOCK_SIZE + 1;
    scan_blocks<Block, Op><<<blocks, BLOCK_SIZE>>>(p->d_x, p->d_y, p->d_totals, p->N, p->exclusive);
    scan_totals<Block, Op><<<1, BLOCK_SIZE>>>(p->d_totals, blocks);
    add_totals<Op><<<blocks, BLOCK_SIZE>>>(p->d_y, p->d_totals, p->N);
}

template <class Op, typename T>
size_t count_tiles(size_t N)
{
    return (N - 1) / Tile<Op, T>::ELEMENTS + 1;
}

template <class Op, typename T>
void reduce_first(Problem<T> *p)
{
    const size_t tiles = count_tiles<Op, T>(p->N);
    reduce_tiles<Op><<<tiles, TILE_THREADS>>>(p->d_x, p->d_totals, p->N);
    scan_totals<ByShuffles, Op><<<1, BLOCK_SIZE>>>(p->d_totals, tiles);
    scan_tiles<Op><<<tiles, TILE_THREADS>>>(p->d_x, p->d_y, p->d_totals, p->N, p->exclusive);
}

// Forgetting the last call's messages is part of the work, and of its time.
template <class Op, typename T>
void single_pass(Problem<T> *p)
{
    const size_t tiles = count_tiles<Op, T>(p->N);
    CHECK(cudaMemsetAsync(p->d_words, 0, (1 + tiles * Message<T>::WORDS) * sizeof(Word)));
    scan_single_pass<Op>
        <<<tiles, TILE_THREADS>>>(p->d_x, p->d_y, p->N, p->d_words, p->d_words + 1, p->exclusive);
}

template <class Op, typename T>
const Version<Problem<T>> VERSIONS[] = {
    {"cpu", scan_on_host<Op, T>, ON_HOST},
    {"hillis-steele", three_kernels<InShared, Op, T>},
    {"shuffle", three_kernels<ByShuffles, Op, T>},
    {"reduce-first", reduce_first<Op, T>},
    {"single-pass", single_pass<Op, T>},
    {"CUB", GPU_ONLY((scan_by_cub<Op, T>)), ON_DEVICE, 0.0, "CUB"},
};

template <class Op, typename T>
void scan_versions(const Args *args, Problem<T> *p, bool exclusive, bool is_timed)
{
    p->N = is_timed || p->most < CHECKED ? p->most : CHECKED;
    p->exclusive = exclusive;
    p->is_exact = !is_timed;
    prepare<Op>(p, args->seed);
    Ladder<Problem<T>> ladder = {p, check<T>, GPU_ONLY((set_up_cub<Op, T>))};
    ladder.outputs[0] = {p->h_y, p->d_y, p->N * sizeof(T)};
    if (!is_timed)
    {
        check_versions(args, &ladder, VERSIONS<Op, T>);
        return;
    }
    char what[64];
    snprintf(what, sizeof(what), "%s %s of %s", exclusive ? "exclusive" : "inclusive",
             Op::IDENTITY == 0 ? "sums" : "products", (T)0.5 != (T)0 ? REAL_NAME : "int");
    ladder.what = what;
    ladder.bytes = 2.0 * p->N * sizeof(T);
    ladder.ceiling = COPY_CEILING;
    run_versions(args, &ladder, VERSIONS<Op, T>);
}

template <typename T>
void scan_type(const Args *args, bool exclusive, bool product)
{
    Problem<T> p = allocate_problem<T>(args->N);
    for (bool is_exclusive : {false, true})
    {
        scan_versions<Sum>(args, &p, is_exclusive, false);
        scan_versions<Product>(args, &p, is_exclusive, false);
    }
    product ? scan_versions<Product>(args, &p, exclusive, true)
            : scan_versions<Sum>(args, &p, exclusive, true);

    free_problem(&p);
}

int main(int argc, char **argv)
{
    Args args;
    bool exclusive = false, product = false;
    args.N = default_size(100000000, 50000);
    args.bytes_per_element = 2 * sizeof(real) + 1;
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    args.versions = version_names(VERSIONS<Sum, real>);
    add_flag(&args, "exclusive", &exclusive, "time the exclusive scan");
    add_flag(&args, "product", &product, "time products instead of sums");
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --csv",
               "scan: sums and products of everything up to each element, from three kernels to a "
               "single pass");
    scan_type<int>(&args, exclusive, product);
    scan_type<real>(&args, exclusive, product);
    return verdict();
}
