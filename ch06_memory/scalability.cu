// scalability: blocks run in waves, and a wave that is not full takes as long as a full one
//
// From:    S4 3.4 and 3.5; S1 2; section 5.2.3
// Order:   after occupancy
// Compile: nvcc -O3 scalability.cu
// Run:     ./a.out --csv > scalability.csv
//
// A grid runs on any number of multiprocessors. The blocks that run together are a wave. A wave
// that is not full takes as long as a full one, so the time against the number of blocks is a
// staircase. Beside each time stands the one that the number of waves predicts. Each block gets
// shared memory that it does not use, so that exactly as many blocks are resident as are wanted.

#include <algorithm>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/options.cuh"
#include "../common/timing.cuh"
#include "resident.cuh"

const int WAVES = 4;                 // of the staircase
const int RESIDENT = ON_GPU ? 2 : 1; // blocks of it on a multiprocessor, or on a core of a CPU
const int BLOCK = 64;                // threads of these blocks
const unsigned MULTIPLIER = 1664525, INCREMENT = 1013904223;

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

// The number of the multiprocessor that the thread runs on. The CPU backend has no such register.
__device__ inline unsigned multiprocessor_id(void)
{
    unsigned id = 0;
#if ON_GPU
    asm("mov.u32 %0, %%smid;" : "=r"(id));
#endif
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

// How many different multiprocessors have run a block. 0 if the ids cannot be right.
int count_multiprocessors(unsigned *ids, int blocks, int num_sms)
{
    std::sort(ids, ids + blocks);
    const int distinct = (int)(std::unique(ids, ids + blocks) - ids);
    return distinct <= num_sms && ids[distinct - 1] < 65536 ? distinct : 0;
}

// What the kernel works on: room for the largest grid.
struct Data
{
    size_t steps, repeats; // steps of each chain
    int num_sms, shared;   // bytes of shared memory for each block
    unsigned *d_chains, *d_ids, *chains, *ids;
    const unsigned *reference;
};

// The time of so many blocks. *used becomes the number of multiprocessors that ran one.
double time_blocks(const Data *data, int blocks, int *used)
{
    const size_t chains_bytes = blocks * BLOCK * sizeof(unsigned);
    const size_t ids_bytes = blocks * sizeof(unsigned);
    CHECK(cudaMemset(data->d_chains, POISON_BYTE, chains_bytes));
    CHECK(cudaMemset(data->d_ids, POISON_BYTE, ids_bytes));
    const auto launch = [&]
    {
        step_chain<<<blocks, BLOCK, data->shared>>>(data->d_chains, data->d_ids, data->steps,
                                                    MULTIPLIER, INCREMENT);
    };
    const double time = time_kernel(launch, data->repeats).median;
    CHECK(cudaMemcpy(data->chains, data->d_chains, chains_bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(data->ids, data->d_ids, ids_bytes, cudaMemcpyDeviceToHost));
    check_elements("chains", data->chains, data->reference, blocks * BLOCK);
    *used = count_multiprocessors(data->ids, blocks, data->num_sms);
    check_true("the multiprocessors used exist", *used > 0);
    return time;
}

void print_titles(const Data *data, bool csv)
{
    if (csv)
    {
        printf("curve,x,predicted,measured,unit\n");
    }
    else
    {
        printf("\nchains of %zu steps in blocks of %d threads: a wave is %d on each of %d "
               "multiprocessors\nblocks  waves  used  predicted %9s\n",
               data->steps, BLOCK, RESIDENT, data->num_sms, TIME_UNIT);
    }
}

// A step of the staircase. One block takes `one_block` ms.
void print_stair(bool csv, int blocks, int waves, int used, double one_block, double time)
{
    if (csv)
    {
        printf("staircase,%d,%.6g,%.6g,%s\n", blocks, waves * one_block, time, TIME_UNIT);
    }
    else
    {
        const double length = std::min(32.0 * time / (WAVES * one_block), 40.0);
        printf("%6d %6d %5.0d %10.4g %9.4g  %.*s\n", blocks, waves, ON_GPU * used,
               waves * one_block, time, (int)length, BAR);
    }
}

int main(int argc, char **argv)
{
    size_t steps = default_size(100000, 1000);
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
    const int num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    const int wave = RESIDENT * num_sms, most_blocks = WAVES * wave;
    const size_t chains_bytes = most_blocks * BLOCK * sizeof(unsigned);
    const size_t ids_bytes = most_blocks * sizeof(unsigned);
    print_device();

    unsigned *chains = (unsigned *)malloc(chains_bytes);
    unsigned *reference = (unsigned *)malloc(chains_bytes);
    unsigned *ids = (unsigned *)malloc(ids_bytes);
    unsigned *d_chains, *d_ids;
    CHECK(cudaMalloc(&d_chains, chains_bytes));
    CHECK(cudaMalloc(&d_ids, ids_bytes));
    for (int n = 0; n < most_blocks * BLOCK; ++n)
    {
        reference[n] = chain_reference(n, steps);
    }

    const int shared = reserve_shared(device, step_chain, BLOCK, RESIDENT);
    const Data data = {steps, args.repeats, num_sms, shared,   d_chains,
                       d_ids, chains,       ids,     reference};
    print_titles(&data, args.csv);
    double one_block = 0.0; // ms
    for (int full_waves = 0; full_waves < WAVES; ++full_waves)
    {
        for (int quarters = 0; quarters <= 4; ++quarters) // 0: one block of the next wave
        {
            const int of_wave = quarters == 0 ? 1 : std::max(1, quarters * wave / 4);
            const int blocks = full_waves * wave + of_wave;
            const int waves = (blocks + wave - 1) / wave;
            check_true("a part of a wave is one more wave", waves == full_waves + 1);
            int used;
            const double time = time_blocks(&data, blocks, &used);
            one_block = one_block > 0.0 ? one_block : time;
            print_stair(args.csv, blocks, waves, used, one_block, time);
        }
    }

    CHECK(cudaFree(d_chains));
    CHECK(cudaFree(d_ids));
    free(chains);
    free(reference);
    free(ids);
    return verdict();
}
