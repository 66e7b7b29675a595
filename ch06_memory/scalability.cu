// scalability: blocks run in waves, and a wave that is not full takes as long as a full one
//
// From:    S4 3.4 and 3.5; S1 2; section 5.2.3
// Order:   after occupancy-speed
// Compile: nvcc -O3 scalability.cu
// Run:     ./a.out --csv > scalability.csv
//
// A grid runs on any number of multiprocessors. The blocks that run together are a wave. A wave
// that is not full takes as long as a full one, so the time against the number of blocks is a
// staircase. Beside each time stands the one that the number of waves predicts. Each block gets
// shared memory that it does not use, so that exactly as many blocks are resident as are wanted.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "resident.cuh"

const int WAVES = 4;                 // of the staircase
const int RESIDENT = ON_GPU ? 2 : 1; // blocks of it on a multiprocessor, or on a core of a CPU
const int BLOCK = 64;                // threads of these blocks
const unsigned MULTIPLIER = 1664525, INCREMENT = 1013904223;

static size_t steps; // of each chain
static int num_sms;
static int shared;                  // bytes of shared memory for each block
static unsigned *chains, *d_chains; // the result of each chain; room for the largest grid
static unsigned *ids, *d_ids;       // the multiprocessor of each block
static unsigned *reference;         // what the chains should be

// x -> a x + c, `steps` times. The kernel makes one step after the other. Here, two steps make one
// step of the same form with another a and c, two of these again, and so on.
unsigned chain_reference(unsigned x, size_t steps)
{
    unsigned a = MULTIPLIER, c = INCREMENT;
    for (; steps > 0; steps /= 2)
    {
        if (steps % 2 == 1)
        {
            x = a * x + c;
        }
        c = a * c + c;
        a = a * a;
    }
    return x;
}

// The number of the multiprocessor that the thread runs on. On a CPU it is the number of a core.
__device__ inline unsigned multiprocessor_id(void)
{
    unsigned id;
    asm("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

// Every step waits for the one before. A multiprocessor has four schedulers, and two blocks of 64
// threads have four warps, so the blocks of a wave do not slow each other down. a and c are
// parameters. If the compiler knew them, it could make one step of two.
__global__ void step_chain(unsigned *results, unsigned *ids, size_t steps, unsigned a, unsigned c)
{
    const unsigned n = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned x = n;
    for (size_t step = 0; step < steps; ++step)
    {
        x = a * x + c;
    }
    results[n] = x;
    if (threadIdx.x == 0)
    {
        ids[blockIdx.x] = multiprocessor_id();
    }
}

int compare_ids(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

// How many different multiprocessors have run a block. 0 if the ids cannot be right.
int count_multiprocessors(int blocks)
{
    qsort(ids, blocks, sizeof(unsigned), compare_ids);
    int distinct = 1;
    for (int i = 1; i < blocks; ++i)
    {
        distinct += ids[i] != ids[i - 1];
    }
    return distinct <= num_sms && ids[blocks - 1] < 65536 ? distinct : 0;
}

// The time of so many blocks. *used becomes the number of multiprocessors that ran one.
double time_blocks(int blocks, int *used)
{
    const size_t chains_bytes = blocks * BLOCK * sizeof(unsigned);
    const size_t ids_bytes = blocks * sizeof(unsigned);
    CHECK(cudaMemset(d_chains, POISON_BYTE, chains_bytes));
    CHECK(cudaMemset(d_ids, POISON_BYTE, ids_bytes));
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        step_chain<<<blocks, BLOCK, shared>>>(d_chains, d_ids, steps, MULTIPLIER, INCREMENT);
    }
    CHECK(cudaMemcpy(chains, d_chains, chains_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(ids, d_ids, ids_bytes, cudaMemcpyDeviceToHost));
    check_elements("chains", chains, reference, blocks * BLOCK);
    *used = count_multiprocessors(blocks);
    check_true("the multiprocessors used exist", *used > 0);
    return timer.median;
}

void print_titles(void)
{
    printf("%s", args.csv || !ON_GPU ? "" : "\n");
    print_timed_note("chains of %zu steps in blocks of %d threads: a wave is %d on each of %d "
                     "multiprocessors\n",
                     steps, BLOCK, RESIDENT, num_sms);
    static const Column COLUMNS[] = {
        {"blocks", "%6.0f"},  {"waves", "%6.0f"},
        {"used", "%5.0f"},    {ON_GPU ? "predicted ms" : "predicted CPU ms", "%10.4g", "predicted"},
        {TIME_UNIT, "%9.4g"}, {"bar", " %s"}};
    begin_timed_table(COLUMNS, 6);
}

// A step of the staircase. One block takes `one_block` ms.
void print_stair(int blocks, int waves, int used, double one_block, double time)
{
    put(blocks);
    put(waves);
    put(used);
    put(waves * one_block);
    put(time);
    put_text(bar_of(32.0 * time / (WAVES * one_block)));
    end_row();
}

int main(int argc, char **argv)
{
    steps = default_size(100000, 1000);
    args.columns = "  waves      how many waves these blocks are\n"
                   "  used       how many multiprocessors ran a block (not known on a CPU)\n"
                   "  predicted  the time of one block, for each wave\n"
                   "  bar        the time\n";
    add_number("steps", &steps, 1, 100000000, "steps of each chain");
    parse_args(argc, argv, "-r R --csv [--steps N]",
               "scalability: blocks run in waves, and a wave that is not full takes as long as a "
               "full one");
    int device;
    CHECK(cudaGetDevice(&device));
    num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    const int wave = RESIDENT * num_sms, most_blocks = WAVES * wave;
    const size_t chains_bytes = most_blocks * BLOCK * sizeof(unsigned);
    const size_t ids_bytes = most_blocks * sizeof(unsigned);
    print_device();

    chains = (unsigned *)malloc(chains_bytes);
    reference = (unsigned *)malloc(chains_bytes);
    ids = (unsigned *)malloc(ids_bytes);
    CHECK(cudaMalloc(&d_chains, chains_bytes));
    CHECK(cudaMalloc(&d_ids, ids_bytes));
    for (int n = 0; n < most_blocks * BLOCK; ++n)
    {
        reference[n] = chain_reference(n, steps);
    }

    shared = reserve_shared(device, (const void *)step_chain, BLOCK, RESIDENT);
    print_titles();
    double one_block = 0.0; // ms
    for (int full_waves = 0; full_waves < WAVES; ++full_waves)
    {
        for (int quarters = 0; quarters <= 4; ++quarters) // 0: one block of the next wave
        {
            int of_wave = quarters * wave / 4;
            of_wave = of_wave > 0 ? of_wave : 1;
            const int blocks = full_waves * wave + of_wave;
            const int waves = (blocks + wave - 1) / wave;
            check_true("a part of a wave is one more wave", waves == full_waves + 1);
            int used;
            const double time = time_blocks(blocks, &used);
            one_block = one_block > 0.0 ? one_block : time;
            print_stair(blocks, waves, used, one_block, time);
        }
    }

    CHECK(cudaFree(d_chains));
    CHECK(cudaFree(d_ids));
    free(chains);
    free(reference);
    free(ids);
    return verdict();
}
