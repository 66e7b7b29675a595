// coop-groups: groups that know who is in them: blocks, tiles, whoever is there, and the whole grid
//
// From:    section 11.4.1, Listing 11.4
// Compile: nvcc -O3 coop-groups.cu
// Run:     ./a.out -n 1000001
// Checks:  6
//
// A group has a size, a rank for each of its threads, and a sync. Those within a warp also have its
// votes and shuffles, but by ranks: no mask to get wrong. Every rank and every value that is
// exchanged is checked for every thread; then three ways to use groups, each against the host.
// Syncing a grid needs a launch of its own kind, and a device that has it.

#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "coop_groups_answer.cuh"

namespace cg = cooperative_groups;

// --- Who am I in each group? -----------------------------------------------------------------

// Threads of a tile are neighbours in the linear order, x first, and belong to one warp.
__global__ void ask_groups(Answer *answers)
{
    const cg::thread_block block = cg::this_thread_block();
    const auto tile32 = cg::tiled_partition<32>(block);
    const auto tile4 = cg::tiled_partition<4>(tile32);
    const auto alike = cg::labeled_partition(tile32, tile32.thread_rank() % 3);

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
        const Answer a = answers[n], should = expected_answer(n);
        wrong += memcmp(&a, &should, sizeof(Answer)) != 0;
        if (n >= 30 && n < 38)
        {
            printf("(%2u,%u) %5u | %10u %5u | %9u %5u %6u %4u %5u %4u | %5u %5u\n", a.x, a.y,
                   a.rank, a.tile32, a.rank32, a.tile4, a.rank4, a.shfl, a.up, a.down, a.change,
                   a.alike_size, a.alike_rank);
        }
    }
    check_true("what each thread finds out of its groups", wrong == 0);
}

// --- Groups at work --------------------------------------------------------------------------

// Listing 11.4's loop, for any group that has shfl_down: rank 0 gets the sum.
template <class Group>
__device__ real sum_group(const Group &group, real y)
{
    for (int i = group.size() / 2; i > 0; i /= 2)
    {
        y += group.shfl_down(y, i);
    }
    return y;
}

// Each tile adds as many neighbours as it has threads. Where x ends the threads bring 0: all of a
// group have to take part.
template <int SIZE>
__global__ void sum_tiles(const real *x, real *sums, size_t N)
{
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<SIZE>(block);
    const size_t n = (size_t)block.size() * block.group_index().x + block.thread_rank();
    const real sum = sum_group(tile, n < N ? x[n] : (real)0.0);
    if (tile.thread_rank() == 0 && n < N)
    {
        sums[n / SIZE] = sum;
    }
}

typedef unsigned long long Count;
const int KEPT = 0, ATOMICS = 1; // indices into counts

// Those that pass the test, and happen to do so together, ask for their places at once: an atomic
// function for a group instead of one for each thread.
__global__ void keep_positive(const real *x, real *kept, Count *counts, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N && x[n] > (real)0.0)
    {
        const cg::coalesced_group here = cg::coalesced_threads();
        Count place = 0;
        if (here.thread_rank() == 0)
        {
            place = atomicAdd(&counts[KEPT], here.size());
            atomicAdd(&counts[ATOMICS], 1); // to see how many atomics that takes
        }
        kept[here.shfl(place, 0) + here.thread_rank()] = x[n];
    }
}

// The sum of all of x in one launch: no block goes on before every block has stored its own.
__global__ void sum_grid(const real *x, real *sums, size_t N)
{
    const cg::grid_group grid = cg::this_grid();
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    real y = 0.0;
    for (size_t n = grid.thread_rank(); n < N; n += grid.size())
    {
        y += x[n];
    }
    y = sum_group(warp, y);
    if (warp.thread_rank() == 0)
    {
        sums[grid.thread_rank() / 32] = y;
    }
    grid.sync();
    if (grid.thread_rank() < 32) // the first warp of all
    {
        y = 0.0;
        for (size_t i = grid.thread_rank(); i < grid.size() / 32; i += 32)
        {
            y += sums[i];
        }
        y = sum_group(warp, y);
        if (warp.thread_rank() == 0)
        {
            sums[0] = y;
        }
    }
}

const int BLOCK_SIZE = 128;

struct Problem
{
    size_t N, blocks;
    real *h_x, *h_y, *d_x, *d_y; // y: sums, or the elements kept
};

// Small integers: their sums are exact, in any order.
template <int SIZE>
void check_tiles(const Problem *p)
{
    const size_t tiles = (p->N - 1) / SIZE + 1;
    CHECK(cudaMemset(p->d_y, POISON_BYTE, p->N * sizeof(real)));
    sum_tiles<SIZE><<<p->blocks, BLOCK_SIZE>>>(p->d_x, p->d_y, p->N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p->h_y, p->d_y, tiles * sizeof(real), cudaMemcpyDeviceToHost));
    double *reference = (double *)calloc(tiles, sizeof(double));
    for (size_t n = 0; n < p->N; ++n)
    {
        reference[n / SIZE] += p->h_x[n];
    }
    char what[32];
    snprintf(what, sizeof(what), "sums of tiles of %d", SIZE);
    check_elements(what, p->h_y, reference, tiles);
    free(reference);
    printf("%s: %zu\n", what, tiles);
}

// The order in which groups get their places is open, so both sides are sorted.
void check_kept(const Problem *p)
{
    Count counts[2], *d_counts;
    CHECK(cudaMalloc(&d_counts, sizeof(counts)));
    CHECK(cudaMemset(d_counts, 0, sizeof(counts)));
    CHECK(cudaMemset(p->d_y, POISON_BYTE, p->N * sizeof(real)));
    keep_positive<<<p->blocks, BLOCK_SIZE>>>(p->d_x, p->d_y, d_counts, p->N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(p->h_y, p->d_y, p->N * sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_counts));

    real *reference = (real *)malloc(p->N * sizeof(real));
    poison(reference, p->N * sizeof(real)); // what lies behind the last one kept
    const auto is_positive = [](real x)
    {
        return x > (real)0.0;
    };
    const size_t kept = std::copy_if(p->h_x, p->h_x + p->N, reference, is_positive) - reference;
    std::sort(reference, reference + kept);
    std::sort(p->h_y, p->h_y + kept);
    check_true("how many are kept", counts[KEPT] == kept);
    check_elements("which are kept", p->h_y, reference, p->N);
    free(reference);
    printf("kept %zu of %zu with %llu atomic functions\n", kept, p->N, counts[ATOMICS]);
}

#if ON_GPU
// Blocks that wait for each other have to run at once: as many as fit, and not one more.
size_t launch_sum_grid(const real *d_x, real *d_sums, size_t N, size_t blocks)
{
    int device, per_multiprocessor;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, sum_grid, BLOCK_SIZE,
                                                        0));
    const size_t most =
        (size_t)per_multiprocessor * device_attribute(cudaDevAttrMultiProcessorCount, device);
    blocks = most < blocks ? most : blocks;
    void *arguments[] = {&d_x, &d_sums, &N};
    CHECK(cudaLaunchCooperativeKernel((const void *)sum_grid, dim3(blocks), dim3(BLOCK_SIZE),
                                      arguments, 0, 0));
    return blocks;
}
#else
// The CPU backend has one block at a time, and can sync a grid of that one only.
size_t launch_sum_grid(const real *d_x, real *d_sums, size_t N, size_t)
{
    sum_grid<<<1, BLOCK_SIZE>>>(d_x, d_sums, N);
    CHECK_LAUNCH();
    return 1;
}
#endif

void check_grid(const Problem *p)
{
    const size_t bytes = p->blocks * (BLOCK_SIZE / 32) * sizeof(real);
    real *d_sums, sum;
    CHECK(cudaMalloc(&d_sums, bytes));
    CHECK(cudaMemset(d_sums, POISON_BYTE, bytes));
    const size_t blocks = launch_sum_grid(p->d_x, d_sums, p->N, p->blocks);
    CHECK(cudaMemcpy(&sum, d_sums, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_sums));
    check_sum("sum of the grid", sum, sum_compensated(p->h_x, p->N), 0.0, 0.0, 0.0);
    printf("sum by a grid of %zu blocks, synced once: %.0f%s\n", blocks, (double)sum,
           ON_GPU ? "" : " (more than 1 block: needs a GPU, which runs them at once)");
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(10000000, 100000);
    args.bytes_per_element = 2 * sizeof(real) + 1;
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    parse_args(&args, argc, argv, "-n N -s S",
               "coop-groups: groups that know who is in them: blocks, tiles, whoever is there, and "
               "the whole grid");
    print_device();
    check_answers();

    Problem p;
    p.N = args.N;
    p.blocks = (p.N - 1) / BLOCK_SIZE + 1;
    p.h_x = (real *)malloc(p.N * sizeof(real));
    p.h_y = (real *)malloc(p.N * sizeof(real));
    fill_integers(p.h_x, p.N, args.seed);
    CHECK(cudaMalloc(&p.d_x, p.N * sizeof(real)));
    CHECK(cudaMalloc(&p.d_y, p.N * sizeof(real)));
    CHECK(cudaMemcpy(p.d_x, p.h_x, p.N * sizeof(real), cudaMemcpyHostToDevice));
    check_tiles<32>(&p);
    check_tiles<4>(&p);
    check_kept(&p);
    check_grid(&p);

    free(p.h_x);
    free(p.h_y);
    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_y));
    return verdict();
}
