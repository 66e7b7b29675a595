// occupancy: how many blocks share a multiprocessor, worked out by hand and asked of the API
//
// From:    sections 6.3, 6.3.1 and 6.3.2, Table 6.2; S4 3.5 and 3.7
// Compile: nvcc -O3 occupancy.cu
// Run:     ./a.out --shared 20000
//
// A block is resident on a multiprocessor with all its warps, their registers and its shared
// memory. It has to wait until all of this is free. So the resource that runs out first decides how
// many blocks are resident together. The occupancy is the share of the possible warps that are
// resident. The derivation below must agree with the API for each block size from 1 to 1024, for
// three kernels and ten amounts of shared memory. Then each kernel is timed, because a higher
// occupancy is not always faster: few threads are enough if each has many loads under way.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

const int WARP = 32;
const int MOST_THREADS = 1024;
const int MOST_NUMBERS = 64; // in a window
const int NO_LIMIT = 1 << 30;
const char BAR[] = "################"; // of 100 %

const int PARTS = 4; // of a multiprocessor: each has a scheduler and its share of the registers
const int REGISTER_UNIT = 256; // a warp gets registers in multiples of it

static size_t N;
static real *h_x, *d_x; // the numbers
static real *h_variance, *d_variance;
static double *reference; // what the variances should be
static size_t shared;     // bytes of shared memory for each block
static double ceiling;    // GB/s

// What a multiprocessor has, and how it gives it to blocks. Memory is in bytes.
struct Multiprocessor
{
    int block_threads, block_registers, block_shared; // the most that one block may have
    int warps, blocks, registers, shared;             // the most that is resident
    int reserved;    // the system takes so much shared memory for each block
    int shared_unit; // a block gets shared memory in multiples of it
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
    sm.shared_unit = 128; // CUDA has no attribute for the units
    if (device_attribute(cudaDevAttrComputeCapabilityMajor, device) < 8)
    {
        sm.shared_unit = 256;
    }
    return sm;
}

// How many blocks each resource alone would allow, how many all of them allow, and the warps of one
// block.
struct Limits
{
    int by_warps, by_blocks, by_registers, by_shared, blocks, warps;
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
    // In each part, what is left over is too little for one more warp. The limit for a single block
    // counts as if its warps were spread evenly over the parts.
    limits.by_registers = NO_LIMIT;
    if (registers > 0)
    {
        const int warp_registers = round_up(registers * WARP, REGISTER_UNIT);
        const int warps_of_part = sm->registers / PARTS / warp_registers;
        const int block_registers = round_up(limits.warps, PARTS) * warp_registers;
        limits.by_registers = warps_of_part * PARTS / limits.warps;
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

    limits.blocks = least(least(limits.by_warps, limits.by_blocks),
                          least(limits.by_registers, limits.by_shared));
    return limits;
}

// The variance of the W numbers from each x[n] on, by another way than the kernel: the window
// slides by one number, so one number enters and one leaves. The data are integers, so no sum is
// rounded.
void variance_reference(const real *x, double *variance, size_t N, int64_t W)
{
    int64_t sum = 0, squares = 0;
    for (size_t n = 0; n < N + W - 1; ++n)
    {
        const int64_t enters = (int64_t)x[n], leaves = n < (size_t)W ? 0 : (int64_t)x[n - W];
        sum += enters - leaves;
        squares += enters * enters - leaves * leaves;
        if (n + 1 >= (size_t)W)
        {
            variance[n + 1 - W] = (double)(W * squares - sum * sum) / (W * W);
        }
    }
}

// The variance of the W numbers from x[n] on. The thread uses each number twice: for the mean, and
// for the distance from the mean. In between it keeps all W numbers in registers. So a larger W
// takes more registers.
template <int W>
__global__ void vary_window(const real *x, real *variance, size_t N)
{
    const size_t tid = threadIdx.y * blockDim.x + threadIdx.x;
    const size_t n = (size_t)blockDim.x * blockDim.y * blockIdx.x + tid;
    if (n < N)
    {
        real window[W], sum = 0, squares = 0;
#pragma unroll
        for (int i = 0; i < W; ++i)
        {
            window[i] = x[n + i];
            sum += window[i];
        }
        const real mean = sum / W;
#pragma unroll
        for (int i = 0; i < W; ++i)
        {
            squares += (window[i] - mean) * (window[i] - mean);
        }
        variance[n] = squares / W;
    }
}

typedef void Kernel(const real *, real *, size_t);

// The sizes of windows that are tried, each with its kernel.
struct Window
{
    int W;
    Kernel *kernel;
};

const Window WINDOWS[] = {
    {8, vary_window<8>},
    {24, vary_window<24>},
    {MOST_NUMBERS, vary_window<MOST_NUMBERS>},
};
const int NUM_WINDOWS = sizeof(WINDOWS) / sizeof(WINDOWS[0]);

// Without a GPU the tables of all windows would be alike, so only the first is printed.
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
        by_hand[i] = derive(sm, threads, registers, shared).blocks;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&by_api[i], kernel, threads, shared));
    }
    check_elements("blocks by hand", by_hand, by_api, num_amounts * MOST_THREADS);
}

// The API tries all block sizes, from the largest down, for the most resident threads.
void check_best_block(const Multiprocessor *sm, int num_sms, const Window *window,
                      const cudaFuncAttributes *attributes)
{
    int grid_size = 0, block_size = 0, most_threads = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, window->kernel, shared));
    if (is_shown(window))
    {
        print_note("cudaOccupancyMaxPotentialBlockSize: %d threads, %d blocks to fill the device\n",
                   block_size, grid_size);
    }
    for (int threads = WARP; threads <= attributes->maxThreadsPerBlock; threads += WARP)
    {
        const int blocks = derive(sm, threads, attributes->numRegs, shared).blocks;
        most_threads = threads * blocks > most_threads ? threads * blocks : most_threads;
    }
    const int blocks = derive(sm, block_size, attributes->numRegs, shared).blocks;
    check_true("it is a block with which most threads are resident, and as many as fit",
               blocks * block_size == most_threads && grid_size == blocks * num_sms);
}

// NAN, which the table leaves out, where a resource sets no limit.
double as_cell(int limit) { return limit == NO_LIMIT ? NAN : limit; }

// The time of a kernel in blocks of this shape. Its result is checked.
double time_block(const Window *window, dim3 block)
{
    const size_t bytes = N * sizeof(real), threads = block.x * block.y;
    const unsigned int grid_size = (N + threads - 1) / threads;
    CHECK(cudaMemset(d_variance, POISON_BYTE, bytes));
    poison(h_variance, bytes);
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        window->kernel<<<grid_size, block, shared>>>(d_x, d_variance, N);
    }
    CHECK(cudaMemcpy(h_variance, d_variance, bytes, cudaMemcpyDeviceToHost));
    check_elements("variance", h_variance, reference, N, window->W * REAL_EPSILON);
    return timer.median;
}

// The titles of a table. Without a GPU registers are not counted, and nothing is timed.
void begin_blocks(const Window *window, int registers)
{
    printf("%s", args.csv ? "" : "\n");
    if (!ON_GPU)
    {
        print_note("%zu bytes of shared memory a block; registers are not counted\n", shared);
        printf("%s", args.csv ? "" : "                 blocks by:\n");
        static const Column COUNTED[] = {{"block", "%8s"},
                                         {"warps", "%5.0f"},
                                         {"blocks by warps", "%6.0f", "warps"},
                                         {"blocks by blocks", "%6.0f", "blocks"},
                                         {"blocks by shared memory", "%6.0f", "shared"},
                                         {"all", "%5.0f"},
                                         {"occupancy %", "%9.1f", "occupancy"},
                                         {"bar", " %s"}};
        begin_table(COUNTED, 8);
        return;
    }
    print_note("windows of %d %ss: %d registers a thread, %zu bytes of shared memory a block\n",
               window->W, REAL_NAME, registers, shared);
    printf("%s", args.csv ? "" : "                 blocks by:\n");
    static const Column COLUMNS[] = {{"block", "%8s"},
                                     {"warps", "%5.0f"},
                                     {"blocks by warps", "%6.0f", "warps"},
                                     {"blocks by blocks", "%6.0f", "blocks"},
                                     {"blocks by registers", "%6.0f", "regs"},
                                     {"blocks by shared memory", "%6.0f", "shared"},
                                     {"all", "%5.0f"},
                                     {"occupancy %", "%9.1f", "occupancy"},
                                     {TIME_UNIT, "%9.4g"},
                                     {"GB/s", "%7.1f"},
                                     {"%", "%5.1f"},
                                     {"bar", " %s"}};
    begin_table(COLUMNS, 12);
}

// A row: a block of this shape, its limits, and the time.
void print_block(const Multiprocessor *sm, dim3 block, const Limits *limits, double ms)
{
    const double occupancy = percent_of(limits->blocks * limits->warps, sm->warps);
    char name[32];
    snprintf(name, sizeof(name), "%ux%u", block.x, block.y);
    put_text(name);
    put(limits->warps);
    put(as_cell(limits->by_warps));
    put(as_cell(limits->by_blocks));
    if (ON_GPU)
    {
        put(as_cell(limits->by_registers));
    }
    put(as_cell(limits->by_shared));
    put(limits->blocks);
    put(occupancy);
    if (ON_GPU)
    {
        const double rate = rate_of(2.0 * N * sizeof(real), ms);
        put(ms);
        put(rate);
        put(percent_of(rate, ceiling));
    }
    put_text(limits->blocks > 0 ? BAR + 16 - (int)(16 * occupancy / 100) : "does not fit");
    end_row();
}

// A table: blocks of several shapes, each with the limits, the occupancy and the rate.
void show_blocks(const Multiprocessor *sm, const Window *window,
                 const cudaFuncAttributes *attributes)
{
    const dim3 BLOCKS[] = {{32}, {8, 8}, {100}, {128}, {16, 16}, {512}, {32, 32}};
    const int num_blocks = sizeof(BLOCKS) / sizeof(BLOCKS[0]);
    if (is_shown(window))
    {
        begin_blocks(window, attributes->numRegs);
    }
    for (int i = 0; i < num_blocks; ++i)
    {
        const dim3 block = BLOCKS[i];
        const int threads = block.x * block.y;
        const Limits limits = derive(sm, threads, attributes->numRegs, shared);
        const bool fits = limits.blocks > 0;
        const double ms = fits ? time_block(window, block) : NAN;
        if (is_shown(window))
        {
            print_block(sm, block, &limits, ms);
        }
        if (!fits)
        {
            check_true("the kernel's own limit is lower too",
                       threads > attributes->maxThreadsPerBlock);
        }
    }
}

// The question of S4, 3.7: 8 x 8, 16 x 16 or 32 x 32 threads, if they need few registers?
void answer_s4(const Multiprocessor *sm)
{
    const Multiprocessor s4 = {512, NO_LIMIT, NO_LIMIT, 1024 / WARP, 8, NO_LIMIT, NO_LIMIT, 0, 1};
    const int answer[] = {512, 1024, 0};
    int resident[3];
    const struct
    {
        const char *name;
        const Multiprocessor *sm;
    } devices[] = {{"of this device", sm}, {"in S4, 3.7", &s4}};
    printf("%s", args.csv ? "" : "\n");
    print_note("threads resident on a multiprocessor, in blocks of 8x8, 16x16 and 32x32\n");
    const Column COLUMNS[] = {{"multiprocessor", "%-14s"},
                              {"8x8", "%6.0f"},
                              {"16x16", "%6.0f"},
                              {"32x32", "%6.0f"},
                              {"most", "%6.0f"}};
    begin_table(COLUMNS, 5);
    for (int d = 0; d < 2; ++d)
    {
        put_text(devices[d].name);
        for (int i = 0; i < 3; ++i)
        {
            const int side = 8 << i, threads = side * side;
            resident[i] = threads * derive(devices[d].sm, threads, 0, 0).blocks;
            put(resident[i]);
        }
        put(devices[d].sm->warps * WARP);
        end_row();
    }
    check_elements("S4's answer", resident, answer, 3); // the last device was S4's
}

// How many blocks the registers allow, worked out on paper. The CPU backend counts no registers, so
// there nothing else tries this part of derive().
void check_registers(void)
{
    const Multiprocessor small = {1024, 32768, NO_LIMIT, 64, 32, 65536, NO_LIMIT, 0, 1};
    const int threads[] = {128, 128, 100, 256, 160, 129};
    const int registers[] = {32, 33, 255, 64, 128, 129};
    const int allowed[] = {16, 12, 2, 4, 3, 0}; // 0: 8 warps take more than half of the registers
    int by_registers[6];
    for (int i = 0; i < 6; ++i)
    {
        by_registers[i] = derive(&small, threads[i], registers[i], 0).by_registers;
    }
    check_elements("blocks by registers", by_registers, allowed, 6);
}

void print_multiprocessor(const Multiprocessor *sm, int num_sms)
{
    print_note("%d multiprocessors, each with room for %d warps, %d blocks, %d registers in %d "
               "parts,\n",
               num_sms, sm->warps, sm->blocks, sm->registers, PARTS);
    print_note("%d bytes of shared memory, of which the system takes %d for each block\n",
               sm->shared, sm->reserved);
}

int main(int argc, char **argv)
{
    args.N = default_size(20000000, 20000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    args.columns = "  warps, blocks, regs, shared  the blocks that each resource alone allows on a "
                   "multiprocessor\n"
                   "  all                          the least of the four\n"
                   "  occupancy                    the warps of these blocks in per cent of the "
                   "most warps\n"
                   "  %                            GB/s in per cent of a copy's\n";
    add_number("shared", &shared, 0, 1 << 20, "bytes of shared memory for each block");
    parse_args(argc, argv, "-n N -r R -s S --csv [--shared N]",
               "occupancy: how many blocks share a multiprocessor, worked out by hand and asked of "
               "the API");
    int device;
    CHECK(cudaGetDevice(&device));
    const Multiprocessor sm = ask_multiprocessor(device);
    const int num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    if (shared > (size_t)sm.block_shared)
    {
        usage_error("a block has at most %d bytes of shared memory here", sm.block_shared);
    }
    print_device();
    print_multiprocessor(&sm, num_sms);

    N = args.N;
    const size_t bytes = N * sizeof(real);
    const size_t with_last = N + MOST_NUMBERS - 1; // numbers in all windows
    h_x = (real *)malloc(with_last * sizeof(real));
    h_variance = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&d_x, with_last * sizeof(real)));
    CHECK(cudaMalloc(&d_variance, bytes));
    fill_integers(h_x, with_last, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, with_last * sizeof(real), cudaMemcpyHostToDevice));
    ceiling = copy_ceiling(2 * bytes);

    for (int i = 0; i < NUM_WINDOWS; ++i)
    {
        const Window *window = &WINDOWS[i];
        cudaFuncAttributes attributes;
        CHECK(cudaFuncGetAttributes(&attributes, window->kernel));
        // A block gets more than 48 KB of shared memory only if the kernel has asked for it.
        CHECK(cudaFuncSetAttribute(window->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   sm.block_shared));
        check_every_block(&sm, window->kernel, attributes.numRegs);
        variance_reference(h_x, reference, N, window->W);
        show_blocks(&sm, window, &attributes);
        check_best_block(&sm, num_sms, window, &attributes);
    }
    answer_s4(&sm);
    check_registers();
    if (!ON_GPU)
    {
        printf("%s", args.csv ? "" : "\n");
        print_card_run();
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_variance));
    free(h_x);
    free(h_variance);
    free(reference);
    return verdict();
}
