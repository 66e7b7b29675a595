// How matmul's blocks share the last tiles of C, so that all of them end at about the same time.
// Stream-K is a name for this: the steps along K are dealt out, in place of tiles.
//
// With a block for each tile, the 1024 tiles of `mma` on 132 multiprocessors are 7.76 rounds, and
// take as long as 8. In the last round 32 of the multiprocessors have nothing to do. Here the grid
// has as many blocks as run at the same time. A block computes whole tiles first, one a round, in 7
// rounds. The 100 tiles that are left are fewer than the blocks, so they are shared step by step.
// In a step one or two pairs of tiles of A and B are multiplied. The steps of all these tiles stand
// in one line, and each block gets an equal length of it, its share:
//
//     tiles    |        924        |        925        |        926        | ...
//     shares   |      0       |      1       |      2       |      3       | ...
//
// Share 0 has the beginning of tile 924. Share 1 has the end of it and the beginning of tile 925.
// Its block does the end first: it stores the sums in memory and raises a flag. Then it does the
// beginning of tile 925, waits for the flag of share 2, adds the sums stored there to its own, and
// stores C. Where there are few tiles, one is divided between more than two blocks. The order of
// the additions depends on nothing but the numbers of tiles, steps and blocks, so each run gives
// the same bits.
//
// Blocks may start in any order, so each draws a number, and the first to draw gets the last share.
// A block waits only for shares after its own. These were drawn earlier, by blocks that run or have
// ended, and they wait for nothing before their flag is up. So no block waits for one that has not
// started.
#pragma once
#include "../common/compat.cuh"
#include "../common/error.cuh"
#include "../common/real.cuh"
#include "matmul_tiles.cuh"

const int LEAST_SHARE = 2;                // steps for each block, where there are few tiles
const int SHARE_WIDE = 16 / sizeof(real); // numbers that one instruction can move

// The same for all blocks.
struct Plan
{
    int steps;         // of a tile
    int rounds;        // of whole tiles, before the shares
    int share, longer; // steps of a share; the first `longer` shares have one more
    int num_shares;    // blocks
    // What they tell each other. All flags and `drawn` are 0 before a launch, and after it.
    unsigned int *drawn; // numbers so far
    unsigned int *flags; // of share n: its sums are stored
    real *sums;          // of share n: a tile
};

// What a block has yet to do.
struct Share
{
    int number, round;
    int tile, first, left; // the next tile, its first step, and the steps after the whole tiles
};

// Steps first ... end - 1 of a tile.
struct Piece
{
    int tile, first, end;
};

__device__ inline int length_of_share(const Plan &plan, int number)
{
    return plan.share + (number < plan.longer ? 1 : 0);
}

// For one thread of the block. atomicInc sets `drawn` to 0 again after the last number.
__device__ inline Share draw_share(const Plan &plan)
{
    const int number = plan.num_shares - 1 - (int)atomicInc(plan.drawn, plan.num_shares - 1);
    const size_t begin = (size_t)number * plan.share + min(number, plan.longer);
    const int whole = plan.rounds * plan.num_shares; // tiles
    return {number, 0, whole + (int)(begin / plan.steps), (int)(begin % plan.steps),
            length_of_share(plan, number)};
}

// For one thread of the block. After the last piece come empty ones.
__device__ inline Piece next_piece(const Plan &plan, Share *share)
{
    if (share->round < plan.rounds)
    {
        return {share->round++ * plan.num_shares + share->number, 0, plan.steps};
    }
    const Piece piece = {share->tile, share->first, min(share->first + share->left, plan.steps)};
    share->left -= piece.end - piece.first;
    share->tile += 1;
    share->first = 0;
    return piece;
}

__device__ inline bool has_steps(Piece piece) { return piece.first < piece.end; }

// ---- What is stored of a tile whose beginning another block has ----

struct alignas(16) StoredSums
{
    real numbers[SHARE_WIDE];
};

// The sums lie as the threads have them in their registers. Neighbouring threads have neighbouring
// groups of 16 bytes, so all accesses are coalesced. A tile has COUNT sums a thread.
template <int COUNT, int THREADS>
__device__ __forceinline__ StoredSums *stored_sums(const Plan &plan, int number)
{
    const size_t groups = COUNT / SHARE_WIDE * THREADS;
    return (StoredSums *)plan.sums + number * groups + threadIdx.x;
}

// All threads store before the flag goes up: a fence of each thread, then a barrier.
template <int COUNT, int THREADS>
__device__ __forceinline__ void give_sums(const Plan &plan, int number, const real *sums)
{
    StoredSums *to = stored_sums<COUNT, THREADS>(plan, number);
#pragma unroll
    for (int i = 0; i < COUNT; i += SHARE_WIDE)
    {
        to[i / SHARE_WIDE * THREADS] = *(const StoredSums *)(sums + i);
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
    {
        *(volatile unsigned int *)&plan.flags[number] = 1;
    }
}

// Each flag is read by one block. It takes the flag down again, for the next launch.
__device__ inline void wait_for_flag(const Plan &plan, int number)
{
    if (threadIdx.x == 0)
    {
        volatile unsigned int *flag = &plan.flags[number];
        while (*flag == 0)
        {
        }
        *flag = 0;
        __threadfence();
    }
    __syncthreads();
}

// Adds the rest of a tile that ends with step `end` here: from the shares after number `number`.
template <int COUNT, int THREADS>
__device__ __forceinline__ void take_sums(const Plan &plan, int number, int end, real *sums)
{
    while (end < plan.steps)
    {
        ++number;
        end += length_of_share(plan, number);
        wait_for_flag(plan, number);
        const StoredSums *from = stored_sums<COUNT, THREADS>(plan, number);
#pragma unroll
        for (int i = 0; i < COUNT; i += SHARE_WIDE)
        {
            const StoredSums stored = from[i / SHARE_WIDE * THREADS];
#pragma unroll
            for (int j = 0; j < SHARE_WIDE; ++j)
            {
                sums[i + j] += stored.numbers[j];
            }
        }
    }
}

// ---- On the host ----

typedef void (*ShareKernel)(Size s, const real *A, const real *B, real *C, Plan plan);

// A kernel whose blocks share the tiles of a product.
struct Shared
{
    ShareKernel kernel;
    int block_size;
    size_t bytes; // of shared memory
    Plan plan;
};

// The blocks of a kernel that run at the same time.
inline size_t resident_blocks(ShareKernel kernel, int block_size, size_t bytes)
{
    const cudaFuncAttribute dynamic = cudaFuncAttributeMaxDynamicSharedMemorySize;
    CHECK(cudaFuncSetAttribute((const void *)kernel, dynamic, bytes));
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, bytes));
    return (size_t)blocks * device_attribute(cudaDevAttrMultiProcessorCount, 0);
}

// Plans for tiles of so many steps each, and allocates what the blocks tell each other. Few tiles
// are given to few blocks, with at least LEAST_SHARE steps for each. After whole rounds a share may
// be shorter, or empty.
inline Shared share_tiles(ShareKernel kernel, int block_size, size_t bytes, size_t tiles,
                          size_t steps, size_t tile_bytes)
{
    const size_t resident = resident_blocks(kernel, block_size, bytes);
    const size_t most = tiles * steps > LEAST_SHARE ? tiles * steps / LEAST_SHARE : 1;
    const size_t blocks = most < resident ? most : resident;
    const size_t shared_steps = tiles % blocks * steps;
    Plan plan = {};
    plan.steps = steps;
    plan.rounds = tiles / blocks;
    plan.share = shared_steps / blocks;
    plan.longer = shared_steps % blocks;
    plan.num_shares = blocks;
    CHECK(cudaMalloc(&plan.sums, blocks * tile_bytes));
    CHECK(cudaMalloc(&plan.flags, (blocks + 1) * sizeof(unsigned int)));
    CHECK(cudaMemset(plan.flags, 0, (blocks + 1) * sizeof(unsigned int)));
    plan.drawn = plan.flags + blocks;
    return {kernel, block_size, bytes, plan};
}

inline void launch_shared(const Shared *shared, const real *d_A, const real *d_B, real *d_C, Size s)
{
    shared->kernel<<<shared->plan.num_shares, shared->block_size, shared->bytes>>>(s, d_A, d_B, d_C,
                                                                                   shared->plan);
}

inline void free_shared(Shared *shared)
{
    CHECK(cudaFree(shared->plan.sums)); // of NULL it does nothing
    CHECK(cudaFree(shared->plan.flags));
}
