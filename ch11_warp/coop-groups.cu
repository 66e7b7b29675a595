// coop-groups: groups of threads with sizes, ranks and syncs: block, tiles, active threads, grid
//
// From:    section 11.4.1, Listing 11.4
// Compile: nvcc -O3 coop-groups.cu
// Run:     ./a.out -n 1000001
//
// A group has a size, a rank for each of its threads, and a sync. A tile also has the votes and
// shuffles of a warp. They take ranks, and no mask: all threads of the tile take part. First every
// thread says what its groups tell it, and all of that is checked. Then groups add up numbers, keep
// some of them, and sync a whole grid. For that the grid needs a launch of its own kind.

#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/timing.cuh"

namespace cg = cooperative_groups;

static size_t N, blocks;    // a thread for each number
static real *h_x, *d_x;     // the numbers
static real *h_y, *d_y;     // their sums by groups, or those that are kept
static unsigned group_size; // of the thread groups

// --- What groups tell a thread ---------------------------------------------------------------

const unsigned BLOCK_X = 16, BLOCK_Y = 6; // 96 threads, three warps
const unsigned BLOCKS = 3;
const unsigned THREADS = BLOCKS * BLOCK_X * BLOCK_Y;

struct Answer
{
    unsigned block, x, y, rank, size;     // of the thread and its block
    unsigned tile32, rank32;              // the number of its tile of 32, and its rank there
    unsigned tile4, rank4;                // the same of that tile's tiles of 4
    unsigned shfl, up, down, change, any; // from shuffles and a vote in the tile of 4
    unsigned alike_size, alike_rank;      // among threads of the tile of 32 with this rank32 % 3
};

// What thread number n of all must say.
Answer answer_reference(unsigned n)
{
    Answer a;
    a.size = BLOCK_X * BLOCK_Y;
    a.block = n / a.size;
    a.rank = n % a.size;
    a.x = a.rank % BLOCK_X;
    a.y = a.rank / BLOCK_X;
    a.tile32 = a.rank / 32;
    a.rank32 = a.rank % 32;
    a.tile4 = a.rank32 / 4;
    a.rank4 = a.rank % 4;
    a.shfl = a.rank - a.rank4;
    a.up = a.rank4 > 0 ? a.rank - 1 : a.rank;
    a.down = a.rank4 < 3 ? a.rank + 1 : a.rank;
    a.change = a.rank ^ 1;
    a.any = a.rank / 4 == 1;
    a.alike_size = a.rank32 % 3 < 2 ? 11 : 10; // 32 = 11 + 11 + 10
    a.alike_rank = a.rank32 / 3;
    return a;
}

// Tiles whose size the compiler knows. Threads of a tile are neighbours in the block's order, x
// first, and belong to one warp. The last group joins threads of a tile that have the same label.
__global__ void ask_groups(Answer *answers)
{
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(block);
    const cg::thread_block_tile<4> tile4 = cg::tiled_partition<4>(tile32);
    const cg::coalesced_group alike = cg::labeled_partition(tile32, tile32.thread_rank() % 3);

    Answer a;
    a.block = block.group_index().x;
    a.x = block.thread_index().x;
    a.y = block.thread_index().y;
    a.rank = block.thread_rank();
    a.size = block.size();
    a.tile32 = tile32.meta_group_rank();
    a.rank32 = tile32.thread_rank();
    a.tile4 = tile4.meta_group_rank();
    a.rank4 = tile4.thread_rank();
    a.shfl = tile4.shfl(a.rank, 0);
    a.up = tile4.shfl_up(a.rank, 1);
    a.down = tile4.shfl_down(a.rank, 1);
    a.change = tile4.shfl_xor(a.rank, 1);
    a.any = tile4.any(a.rank == 7);
    a.alike_size = alike.size();
    a.alike_rank = alike.thread_rank();
    answers[a.block * a.size + a.rank] = a;
}

void check_answers(void)
{
    Answer answers[THREADS], *d_answers;
    CHECK(cudaMalloc(&d_answers, sizeof(answers)));
    CHECK(cudaMemset(d_answers, POISON_BYTE, sizeof(answers)));
    ask_groups<<<BLOCKS, dim3(BLOCK_X, BLOCK_Y)>>>(d_answers);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(answers, d_answers, sizeof(answers), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_answers));

    size_t wrong = 0;
    printf(
        "thread  rank | tile of 32, rank | tile of 4, rank   shfl   up  down  xor | alike, rank\n");
    for (unsigned n = 0; n < THREADS; ++n)
    {
        const Answer a = answers[n], expected = answer_reference(n);
        wrong += memcmp(&a, &expected, sizeof(Answer)) != 0;
        if (n >= 30 && n < 38)
        {
            printf("(%2u,%u) %5u | %10u %5u | %9u %5u %6u %4u %5u %4u | %5u %5u\n", a.x, a.y,
                   a.rank, a.tile32, a.rank32, a.tile4, a.rank4, a.shfl, a.up, a.down, a.change,
                   a.alike_size, a.alike_rank);
        }
    }
    check_true("what each thread finds out of its groups", wrong == 0);
}

struct Place
{
    unsigned size, rank;
};

// thread_group is the type of every group. tiled_partition with the size in the round brackets
// returns it, and the size may be a variable. It has size, thread_rank and sync, but no shuffles.
__global__ void ask_thread_groups(Place *places, unsigned size, unsigned size_within)
{
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_group group = cg::tiled_partition(block, size);
    const cg::thread_group within = cg::tiled_partition(group, size_within);

    Place *place = &places[2 * (block.group_index().x * block.size() + block.thread_rank())];
    place[0].size = group.size();
    place[0].rank = group.thread_rank();
    place[1].size = within.size();
    place[1].rank = within.thread_rank();
}

void check_thread_groups(unsigned size, unsigned size_within)
{
    Place places[2 * THREADS], *d_places;
    CHECK(cudaMalloc(&d_places, sizeof(places)));
    CHECK(cudaMemset(d_places, POISON_BYTE, sizeof(places)));
    ask_thread_groups<<<BLOCKS, dim3(BLOCK_X, BLOCK_Y)>>>(d_places, size, size_within);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(places, d_places, sizeof(places), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_places));

    size_t wrong = 0;
    for (unsigned n = 0; n < THREADS; ++n)
    {
        const Place group = places[2 * n], within = places[2 * n + 1];
        wrong += group.size != size || group.rank != n % size || within.size != size_within ||
                 within.rank != n % size_within;
    }
    check_true("what thread groups tell", wrong == 0);
    printf(
        said("thread groups of %u threads, and of %u within them: sizes and ranks of %u threads\n"),
        size, size_within, THREADS);
}

// --- Groups add up numbers -------------------------------------------------------------------

const int BLOCK_SIZE = 128;

// The size of a thread group is known at run time only, and a thread group has no shuffles. So the
// threads use shared memory, and wait for their own group only.
__global__ void sum_thread_groups(const real *x, real *sums, size_t N, unsigned size)
{
    __shared__ real s_y[BLOCK_SIZE];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_group group = cg::tiled_partition(block, size);
    const unsigned tid = block.thread_rank(), rank = group.thread_rank();
    const size_t n = (size_t)block.size() * block.group_index().x + tid;
    s_y[tid] = n < N ? x[n] : (real)0.0;
    group.sync();
    for (unsigned offset = group.size() / 2; offset > 0; offset /= 2)
    {
        if (rank < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        group.sync();
    }
    if (rank == 0 && n < N)
    {
        sums[n / size] = s_y[tid];
    }
}

void run_thread_groups(void) { sum_thread_groups<<<blocks, BLOCK_SIZE>>>(d_x, d_y, N, group_size); }

// A tile that is as large as a warp, with the loop of Listing 11.4. Its size is a constant, so the
// tile has shuffles. All of its threads must take part: where x has ended they bring 0.
__global__ void sum_tiles32(const real *x, real *sums, size_t N)
{
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    const size_t n = (size_t)block.size() * block.group_index().x + block.thread_rank();
    real y = n < N ? x[n] : (real)0.0;
    for (int i = tile.size() / 2; i > 0; i /= 2)
    {
        y += tile.shfl_down(y, i);
    }
    if (tile.thread_rank() == 0 && n < N)
    {
        sums[n / 32] = y;
    }
}

void run_tiles32(void) { sum_tiles32<<<blocks, BLOCK_SIZE>>>(d_x, d_y, N); }

// The same for tiles of 4 threads: eight of them share a warp.
__global__ void sum_tiles4(const real *x, real *sums, size_t N)
{
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<4> tile = cg::tiled_partition<4>(block);
    const size_t n = (size_t)block.size() * block.group_index().x + block.thread_rank();
    real y = n < N ? x[n] : (real)0.0;
    for (int i = tile.size() / 2; i > 0; i /= 2)
    {
        y += tile.shfl_down(y, i);
    }
    if (tile.thread_rank() == 0 && n < N)
    {
        sums[n / 4] = y;
    }
}

void run_tiles4(void) { sum_tiles4<<<blocks, BLOCK_SIZE>>>(d_x, d_y, N); }

// --- The threads that are active -------------------------------------------------------------

typedef unsigned long long Count;
const int KEPT = 0, ATOMICS = 1; // indices into counts

// coalesced_threads is the group of the threads that run this branch together. One of them asks for
// the places of all, so a group needs one atomic function instead of one for each thread.
__global__ void keep_positive(const real *x, real *kept, Count *counts, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && x[n] > (real)0.0)
    {
        const cg::coalesced_group active = cg::coalesced_threads();
        Count place = 0;
        if (active.thread_rank() == 0)
        {
            place = atomicAdd(&counts[KEPT], active.size());
            atomicAdd(&counts[ATOMICS], 1); // to see how many atomic functions that takes
        }
        kept[active.shfl(place, 0) + active.thread_rank()] = x[n];
    }
}

int compare_reals(const void *a, const void *b)
{
    const real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

// Groups get their places in any order, so both sides are sorted.
void check_kept(void)
{
    const size_t bytes = N * sizeof(real);
    Count counts[2], *d_counts;
    CHECK(cudaMalloc(&d_counts, sizeof(counts)));
    CHECK(cudaMemset(d_counts, 0, sizeof(counts)));
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    keep_positive<<<blocks, BLOCK_SIZE>>>(d_x, d_y, d_counts, N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_counts));

    real *reference = (real *)malloc(bytes);
    poison(reference, bytes); // nothing may be stored behind the last number kept
    size_t kept = 0;
    for (size_t n = 0; n < N; ++n)
    {
        if (h_x[n] > (real)0.0)
        {
            reference[kept++] = h_x[n];
        }
    }
    qsort(reference, kept, sizeof(real), compare_reals);
    qsort(h_y, kept, sizeof(real), compare_reals);
    check_true("how many are kept", counts[KEPT] == kept);
    check_true("an atomic function for each group of 1 to 32",
               counts[ATOMICS] <= kept && 32 * counts[ATOMICS] >= kept);
    check_elements("which are kept", h_y, reference, N);
    free(reference);
    printf(said("kept %zu of %zu with %llu atomic functions\n"), kept, N, counts[ATOMICS]);
}

// --- The whole grid --------------------------------------------------------------------------

// The sum of all of x in one launch. grid.sync returns when all blocks have reached it. Then the
// first warp of the grid adds up the sums of all warps.
__global__ void sum_grid(const real *x, real *sums, size_t N)
{
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    real y = 0.0;
    for (size_t n = grid.thread_rank(); n < N; n += grid.size())
    {
        y += x[n];
    }
    for (int i = warp.size() / 2; i > 0; i /= 2)
    {
        y += warp.shfl_down(y, i);
    }
    if (warp.thread_rank() == 0)
    {
        sums[grid.thread_rank() / 32] = y;
    }
    grid.sync();
    if (grid.thread_rank() < 32)
    {
        y = 0.0;
        for (size_t j = grid.thread_rank(); j < grid.size() / 32; j += 32)
        {
            y += sums[j];
        }
        for (int i = warp.size() / 2; i > 0; i /= 2)
        {
            y += warp.shfl_down(y, i);
        }
        if (warp.thread_rank() == 0)
        {
            sums[0] = y;
        }
    }
}

// Returns how many blocks were launched.
size_t launch_sum_grid(const real *d_x, real *d_sums, size_t N, size_t blocks)
{
    // Blocks that wait for each other must run at the same time. So there may be no more blocks
    // than fit on the device. On the CPU backend each thread that waits needs a stack, and four
    // blocks are enough. Its checker runs the blocks one after another: the device then says that
    // it has no cooperative launches. It can sync a grid of one block.
    int device, per_multiprocessor;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, sum_grid, BLOCK_SIZE,
                                                        0));
    size_t most = 1;
    if (device_attribute(cudaDevAttrCooperativeLaunch, device))
    {
        const size_t fit =
            (size_t)per_multiprocessor * device_attribute(cudaDevAttrMultiProcessorCount, device);
        most = ON_GPU ? fit : 4;
    }
    blocks = most < blocks ? most : blocks;
    void *arguments[] = {&d_x, &d_sums, &N};
    CHECK(cudaLaunchCooperativeKernel((const void *)sum_grid, dim3(blocks), dim3(BLOCK_SIZE),
                                      arguments, 0, 0));
    CHECK_LAUNCH();
    return blocks;
}

void check_grid(void)
{
    const size_t bytes = blocks * (BLOCK_SIZE / 32) * sizeof(real);
    real *d_sums, sum;
    CHECK(cudaMalloc(&d_sums, bytes));
    CHECK(cudaMemset(d_sums, POISON_BYTE, bytes));
    const size_t launched = launch_sum_grid(d_x, d_sums, N, blocks);
    CHECK(cudaMemcpy(&sum, d_sums, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    check_sum("sum of the grid", sum, sum_compensated(h_x, N), 0.0, 0.0, 0.0);
    printf(said("sum by a grid of %zu blocks, synced once: %.0f%s\n"), launched, (double)sum,
           launched == 1 && blocks > 1 ? said(" (more blocks: not with the checker)") : "");
}

// Runs a launch that adds up each `size` numbers, and checks all sums. Behind them nothing may have
// been stored.
void check_sums(const char *groups, unsigned size, void (*run)(void))
{
    const size_t bytes = N * sizeof(real), num_sums = (N - 1) / size + 1;
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    run();
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost));
    double *reference = (double *)calloc(num_sums, sizeof(double));
    for (size_t n = 0; n < N; ++n)
    {
        reference[n / size] += h_x[n];
    }
    char what[64];
    snprintf(what, sizeof(what), "sums of %s of %u", groups, size);
    check_elements(what, h_y, reference, num_sums);

    real poisoned;
    poison(&poisoned, sizeof(poisoned));
    bool is_rest_untouched = true;
    for (size_t n = num_sums; n < N; ++n)
    {
        is_rest_untouched = is_rest_untouched && memcmp(&h_y[n], &poisoned, sizeof(real)) == 0;
    }
    check_true("no sum behind the last one", is_rest_untouched);
    free(reference);
    printf("%s: %zu\n", what, num_sums);
}

int main(int argc, char **argv)
{
    args.N = default_size(10000000, 100000);
    args.bytes_per_element = 2 * sizeof(real) + 1;
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    parse_args(argc, argv, "-n N -s S",
               "coop-groups: groups of threads with sizes, ranks and syncs: block, tiles, active "
               "threads, grid");
    print_device();
    check_answers();
    check_thread_groups(32, 4); // the sizes of section 11.4.1

    N = args.N;
    blocks = (N - 1) / BLOCK_SIZE + 1;
    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    fill_integers(h_x, N, args.seed); // their sums are exact in any order
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    for (group_size = 2; group_size <= 32; group_size *= 2)
    {
        check_sums("thread groups", group_size, run_thread_groups);
    }
    check_sums("tiles", 32, run_tiles32);
    check_sums("tiles", 4, run_tiles4);
    check_kept();
    check_grid();

    free(h_x);
    free(h_y);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    return verdict();
}
