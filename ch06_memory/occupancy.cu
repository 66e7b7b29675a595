// occupancy: how many blocks share a multiprocessor, worked out by hand and asked of the API
//
// From:    sections 6.3, 6.3.1 and 6.3.2, Table 6.2; S4 3.5 and 3.7
// Compile: nvcc -O3 occupancy.cu
// Run:     ./a.out --shared 20000
//
// A block is resident on a multiprocessor with all its warps, their registers and its shared
// memory. It has to wait until all of this is free. So the resource that runs out first decides how
// many blocks are resident together. The occupancy is the share of the possible warps that are
// resident. 100 threads take 4 warps, as 128 do. The derivation below must agree with the API for
// each block size from 1 to 1024, for three kernels and ten amounts of shared memory. The kernels
// are in windows.cuh: a thread keeps 8, 24 or 64 numbers in registers. The program occupancy-speed
// asks whether a higher occupancy is faster.

#include <math.h>
#include <stdio.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "windows.cuh"

const int WARP = 32;
const int MOST_THREADS = 1024;
const int NO_LIMIT = 1 << 30;

const int REGISTER_UNIT = 256; // a warp gets registers in multiples of it

static size_t shared_bytes; // shared memory for each block
static int num_sms;         // multiprocessors of this device

// What a multiprocessor has, and how it gives it to blocks. Memory is in bytes.
struct Multiprocessor
{
    int block_threads, block_registers, block_shared; // the most that one block may have
    int warps, blocks, registers, shared;             // the most that is resident
    int reserved;    // the system takes so much shared memory for each block
    int shared_unit; // a block gets shared memory in multiples of it
    int parts;       // each has a scheduler and its share of the registers
};

Multiprocessor ask_multiprocessor(int device)
{
    Multiprocessor sm;
    sm.block_threads = device_attribute(cudaDevAttrMaxThreadsPerBlock, device);
    sm.block_registers = device_attribute(cudaDevAttrMaxRegistersPerBlock, device);
    sm.block_shared = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    sm.warps = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / WARP;
    sm.blocks = device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device);
    sm.registers = device_attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device);
    sm.shared = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    // 1024 from compute capability 8.0 on, and 0 before.
    sm.reserved = device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    const int major = device_attribute(cudaDevAttrComputeCapabilityMajor, device);
    const int minor = device_attribute(cudaDevAttrComputeCapabilityMinor, device);
    sm.shared_unit = major < 8 ? 256 : 128;      // CUDA has no attribute for the units ...
    sm.parts = major == 6 && minor == 0 ? 2 : 4; // ... and the parts
    return sm;
}

// How many blocks each resource alone would allow, how many all of them allow, and the warps of one
// block.
struct Limits
{
    int by_warps, by_blocks, by_registers, by_shared, by_all, warps;
};

int least(int a, int b) { return a < b ? a : b; }

int round_up(int number, int unit) { return (number + unit - 1) / unit * unit; }

// The analysis of section 6.3.2, for a block of so many threads, registers of a thread and bytes of
// shared memory.
Limits derive(const Multiprocessor *sm, int threads, int registers, int shared)
{
    Limits limits;

    // The block size. 100 threads are 4 warps: the last warp has 28 lanes without a thread.
    limits.warps = round_up(threads, WARP) / WARP;
    limits.by_warps = threads <= sm->block_threads ? sm->warps / limits.warps : 0;
    limits.by_blocks = sm->blocks;

    // The registers. A warp stays in one part of the multiprocessor, and gets its registers there.
    // In each part, what is left over is too little for one more warp. The test for one block
    // rounds its warps up to a multiple of the parts.
    limits.by_registers = NO_LIMIT;
    if (registers > 0)
    {
        const int warp_registers = round_up(registers * WARP, REGISTER_UNIT);
        const int warps_of_part = sm->registers / sm->parts / warp_registers;
        const int block_registers = round_up(limits.warps, sm->parts) * warp_registers;
        limits.by_registers = warps_of_part * sm->parts / limits.warps;
        if (block_registers > sm->block_registers)
        {
            limits.by_registers = 0;
        }
    }

    // The shared memory.
    limits.by_shared = NO_LIMIT;
    const int block_shared = round_up(shared + sm->reserved, sm->shared_unit);
    if (block_shared > 0)
    {
        limits.by_shared = shared <= sm->block_shared ? sm->shared / block_shared : 0;
    }

    limits.by_all = least(least(limits.by_warps, limits.by_blocks),
                          least(limits.by_registers, limits.by_shared));
    return limits;
}

// Without a GPU registers are not counted. Then the rows of all kernels would be alike, and only
// those of the first are printed.
bool is_shown(const Window *window) { return ON_GPU || window == &WINDOWS[0]; }

// Compares the derivation with the API for each block size and ten amounts of shared memory.
void check_every_block(const Multiprocessor *sm, Kernel *kernel, int registers)
{
    const int most = sm->block_shared;
    const int thirteenth = sm->shared / 13 - sm->reserved; // 13 would fit, but for the rounding up
    const int amounts[] = {0, 1, 1000, 5000, 12345, thirteenth, 20000, 48 * 1024, most / 2, most};
    const int num_amounts = sizeof(amounts) / sizeof(amounts[0]);
    static int by_hand[num_amounts * MOST_THREADS], by_api[num_amounts * MOST_THREADS];
    poison(by_hand, sizeof(by_hand)); // a case that is left out must not agree
    for (int i = 0; i < num_amounts * MOST_THREADS; ++i)
    {
        const int threads = i % MOST_THREADS + 1, shared = amounts[i / MOST_THREADS];
        by_hand[i] = derive(sm, threads, registers, shared).by_all;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&by_api[i], kernel, threads, shared));
    }
    check_elements("blocks by hand", by_hand, by_api, num_amounts * MOST_THREADS);
}

// The API tries whole warps, from the largest block down, for the most resident threads.
void check_best_block(const Multiprocessor *sm, const Window *window,
                      const cudaFuncAttributes *attributes)
{
    int grid_size = 0, block_size = 0, most_threads = 0;
    CHECK(
        cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, window->kernel, shared_bytes));
    for (int threads = WARP; threads <= attributes->maxThreadsPerBlock; threads += WARP)
    {
        const int blocks = derive(sm, threads, attributes->numRegs, shared_bytes).by_all;
        most_threads = threads * blocks > most_threads ? threads * blocks : most_threads;
    }
    const int blocks = derive(sm, block_size, attributes->numRegs, shared_bytes).by_all;
    check_true(
        "the block of cudaOccupancyMaxPotentialBlockSize keeps most threads resident, and the grid "
        "has as many blocks as fit",
        blocks * block_size == most_threads && grid_size == blocks * num_sms);
    if (is_shown(window))
    {
        print_note("cudaOccupancyMaxPotentialBlockSize, window %d: %d threads, %d blocks to fill "
                   "the device\n",
                   window->W, block_size, grid_size);
    }
}

// NAN, which the table leaves out, where a resource sets no limit.
double as_cell(int limit) { return limit == NO_LIMIT ? NAN : limit; }

void begin_blocks(void)
{
    static const Column COLUMNS[] = {{"kernel", "%-9s"},
                                     {"registers of a thread", "%4.0f", "regs"},
                                     {"block", "%6s"},
                                     {"warps", "%5.0f"},
                                     {"blocks by warps", "%8.0f", "by warps"},
                                     {"blocks by blocks", "%9.0f", "by blocks"},
                                     {"blocks by registers", "%7.0f", "by regs"},
                                     {"blocks by shared memory", "%9.0f", "by shared"},
                                     {"all", "%4.0f"},
                                     {"API", "%4.0f"},
                                     {"threads", "%7.0f"},
                                     {"occupancy %", "%9.1f", "occupancy"},
                                     {"bar", " %s"}};
    begin_table(COLUMNS, 13);
}

// A row: a block of this shape and its limits. by_api is NAN where the API cannot be asked.
void print_block(const Multiprocessor *sm, const char *kernel, int registers, dim3 block,
                 const Limits *limits, double by_api)
{
    const double occupancy = percent_of(limits->by_all * limits->warps, sm->warps);
    char name[32];
    snprintf(name, sizeof(name), "%ux%u", block.x, block.y);
    put_text(kernel);
    put(registers > 0 ? registers : NAN);
    put_text(name);
    put(limits->warps);
    put(as_cell(limits->by_warps));
    put(as_cell(limits->by_blocks));
    put(as_cell(limits->by_registers));
    put(as_cell(limits->by_shared));
    put(limits->by_all);
    put(by_api);
    put(limits->by_all * (int)(block.x * block.y));
    put(occupancy);
    put_text(limits->by_all > 0 ? bar_of_occupancy(occupancy) : "does not fit");
    end_row();
}

// The rows of a kernel: blocks of several shapes, by hand and by the API.
void show_blocks(const Multiprocessor *sm, const Window *window,
                 const cudaFuncAttributes *attributes)
{
    int by_hand[NUM_BLOCKS], by_api[NUM_BLOCKS];
    int num_as_allowed = 0;
    char name[32];
    snprintf(name, sizeof(name), "window %d", window->W);
    for (int i = 0; i < NUM_BLOCKS; ++i)
    {
        const dim3 block = BLOCKS[i];
        const int threads = block.x * block.y;
        const Limits limits = derive(sm, threads, attributes->numRegs, shared_bytes);
        by_hand[i] = limits.by_all;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&by_api[i], window->kernel, threads,
                                                            shared_bytes));
        const bool fits = limits.by_all > 0;
        num_as_allowed += fits == (threads <= attributes->maxThreadsPerBlock);
        if (is_shown(window))
        {
            print_block(sm, name, attributes->numRegs, block, &limits, by_api[i]);
        }
    }
    check_elements("blocks of the table", by_hand, by_api, NUM_BLOCKS);
    check_true("a block fits if the kernel's own limit allows it", num_as_allowed == NUM_BLOCKS);
}

// Nothing limits what is resident on it.
Multiprocessor without_limits(void)
{
    Multiprocessor sm;
    sm.block_threads = sm.block_registers = sm.block_shared = NO_LIMIT;
    sm.warps = sm.blocks = sm.registers = sm.shared = NO_LIMIT;
    sm.reserved = 0;
    sm.shared_unit = 1;
    sm.parts = 4;
    return sm;
}

// The question of S4, 3.7: a multiprocessor holds 1024 threads and 8 blocks, and a block has at
// most 512 threads. Which block keeps most threads resident: 8 x 8, 16 x 16 or 32 x 32?
void answer_example(void)
{
    Multiprocessor sm = without_limits();
    sm.block_threads = 512;
    sm.warps = 1024 / WARP;
    sm.blocks = 8;
    const int answer[] = {512, 1024, 0};
    int resident[3];
    for (int i = 0; i < 3; ++i)
    {
        const int side = 8 << i, threads = side * side;
        const Limits limits = derive(&sm, threads, 0, 0);
        resident[i] = threads * limits.by_all;
        print_block(&sm, "example", 0, dim3(side, side), &limits, NAN);
    }
    check_elements("the example's answer", resident, answer, 3);
}

// How many blocks the registers allow, worked out on paper. The CPU backend counts no registers, so
// there nothing else tries this part of derive().
void check_registers(void)
{
    Multiprocessor sm = without_limits();
    sm.block_registers = 32768;
    sm.registers = 65536;
    const int threads[] = {128, 128, 100, 256, 160, 129};
    const int registers[] = {32, 33, 255, 64, 128, 129};
    // 0: 5 warps count as 8, and 8 x 4352 registers are more than the 32768 of a block.
    const int allowed[] = {16, 12, 2, 4, 3, 0};
    int by_registers[6];
    for (int i = 0; i < 6; ++i)
    {
        by_registers[i] = derive(&sm, threads[i], registers[i], 0).by_registers;
    }
    check_elements("blocks by registers", by_registers, allowed, 6);
}

void print_multiprocessor(int device, const Multiprocessor *sm)
{
    if (!ON_GPU)
    {
        print_note("The CPU backend answers as a device of compute capability %d.%d would:\n",
                   device_attribute(cudaDevAttrComputeCapabilityMajor, device),
                   device_attribute(cudaDevAttrComputeCapabilityMinor, device));
    }
    print_note("%d multiprocessors, each with room for %d warps, %d blocks, %d registers in %d "
               "parts,\n",
               num_sms, sm->warps, sm->blocks, sm->registers, sm->parts);
    print_note("%d bytes of shared memory, of which the system takes %d for each block\n",
               sm->shared, sm->reserved);
}

int main(int argc, char **argv)
{
    args.columns = "  kernel     window 8: a thread keeps 8 numbers in registers; example: a "
                   "multiprocessor for "
                   "1024 threads and 8 blocks of at most 512 threads\n"
                   "  regs       registers of a thread, which a CPU does not count\n"
                   "  warps      of a block\n"
                   "  by warps   the blocks that the warps of a multiprocessor allow\n"
                   "  by ...     those that its other resources allow\n"
                   "  all        the least of the four\n"
                   "  API        what CUDA answers for this kernel\n"
                   "  threads    the threads of these blocks\n"
                   "  occupancy  the warps of these blocks in per cent of the most warps\n";
    add_number("shared", &shared_bytes, 0, 1 << 20, "bytes of shared memory for each block");
    parse_args(argc, argv, "--csv [--shared N]",
               "occupancy: how many blocks share a multiprocessor, worked out by hand and asked of "
               "the API");
    int device;
    CHECK(cudaGetDevice(&device));
    num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    const Multiprocessor sm = ask_multiprocessor(device);
    if (shared_bytes > (size_t)sm.block_shared)
    {
        usage_error("a block has at most %d bytes of shared memory here", sm.block_shared);
    }
    print_device();
    print_multiprocessor(device, &sm);
    print_note("%zu bytes of shared memory a block\n", shared_bytes);

    cudaFuncAttributes attributes[NUM_WINDOWS];
    begin_blocks();
    for (int i = 0; i < NUM_WINDOWS; ++i)
    {
        Kernel *kernel = WINDOWS[i].kernel;
        CHECK(cudaFuncGetAttributes(&attributes[i], kernel));
        // A block gets more than 48 KB of shared memory only if the kernel has asked for it.
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   sm.block_shared));
        check_every_block(&sm, kernel, attributes[i].numRegs);
        show_blocks(&sm, &WINDOWS[i], &attributes[i]);
    }
    answer_example();
    for (int i = 0; i < NUM_WINDOWS; ++i)
    {
        check_best_block(&sm, &WINDOWS[i], &attributes[i]);
    }
    check_registers();
    return verdict();
}
