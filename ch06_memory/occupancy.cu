// occupancy: how many blocks share a multiprocessor, worked out by hand and asked of the API
//
// From:    section 6.3.2, Table 6.2; S4 3.5 and 3.7
// Compile: nvcc -O3 occupancy.cu
// Run:     ./a.out --shared 20000
// Checks:  28
//
// A block moves in with all its warps, their registers and its shared memory, or waits until there
// is room for all of it. What runs out first is the limit. The hand derivation below must agree
// with the API for every block size from 1 to 1024, three kernels and ten amounts of shared memory.
// Then each kernel is timed, because occupancy is not speed: with many loads in flight in each
// thread, few threads are enough.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const int WARP = 32;
const int MOST_THREADS = 1024;
const int MOST_NUMBERS = 64; // in a window
const int NO_LIMIT = 1 << 30;

// What there is to share, and how it is given out.
struct Multiprocessor
{
    int block_threads, block_registers, block_shared; // the most that a single block may have
    int warps, blocks, registers, shared;             // what a multiprocessor has room for
    int parts = 4;           // each with a scheduler and its share of the registers
    int register_unit = 256; // a warp's registers come in multiples of it
    int shared_unit = 128;   // a block's shared memory in bytes, too
    int reserved = 0;        // and the system takes so many bytes of it for every block
};

// As many blocks as each resource alone would allow; `blocks` is what all of them allow.
struct Limits
{
    int by_warps, by_blocks, by_registers, by_shared, blocks, warps; // warps: of one block
};

int round_up(int number, int unit)
{
    return (number + unit - 1) / unit * unit;
}

Limits derive(const Multiprocessor *sm, int threads, int registers, int shared)
{
    Limits limits;
    // A block of 100 threads has 4 warps: what is left of the last one is given to nobody else.
    limits.warps = round_up(threads, WARP) / WARP;
    limits.by_warps = threads <= sm->block_threads ? sm->warps / limits.warps : 0;
    limits.by_blocks = sm->blocks;

    // A warp stays in one part and takes its registers there, so that a remainder too small for
    // one more warp is lost in each part. A single block is refused as if its warps filled all
    // parts equally.
    const int warp_registers = round_up(registers * WARP, sm->register_unit);
    const int of_block = round_up(limits.warps, sm->parts) * warp_registers;
    const int warps_fit = sm->registers / sm->parts / std::max(warp_registers, 1) * sm->parts;
    limits.by_registers = registers == 0 ? NO_LIMIT : warps_fit / limits.warps;
    limits.by_registers *= of_block <= sm->block_registers;

    const int block_shared = round_up(shared + sm->reserved, sm->shared_unit);
    limits.by_shared = shared > sm->block_shared ? 0
                       : block_shared == 0       ? NO_LIMIT
                                                 : sm->shared / block_shared;

    limits.blocks =
        std::min({limits.by_warps, limits.by_blocks, limits.by_registers, limits.by_shared});
    return limits;
}

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
    // 1024 from compute capability 8.0 on, 0 before. The unit cannot be asked for.
    sm.reserved = device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    sm.shared_unit = device_attribute(cudaDevAttrComputeCapabilityMajor, device) < 8 ? 256 : 128;
    return sm;
}

// By another way than the kernel: the window slides, one number in and one out. The data are whole
// numbers, so nothing is lost on the way.
void variance_cpu(const real *x, double *variance, size_t N, int64_t W)
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

// The variance of the W numbers from x[n] on. Each is needed twice, for the mean and for its
// distance from it, so that all W are kept in registers in between: the larger W, the more.
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

struct Kernel
{
    int W;
    void (*launch)(const real *, real *, size_t);
    cudaFuncAttributes attributes = {};
};

struct Problem
{
    size_t N, repeats, shared;
    real *h_variance, *d_x = NULL, *d_variance = NULL;
    double *reference = NULL, ceiling = 0.0;
};

void check_every_block(const Multiprocessor *sm, const Kernel *kernel)
{
    const int most = sm->block_shared;
    const int thirteenth = sm->shared / 13 - sm->reserved; // fits 13 times but for the rounding
    const int amounts[] = {0, 1, 1000, 5000, 12345, thirteenth, 20000, 48 * 1024, most / 2, most};
    const int num_amounts = sizeof(amounts) / sizeof(amounts[0]);
    static int by_hand[num_amounts * MOST_THREADS], by_api[num_amounts * MOST_THREADS];
    for (int i = 0; i < num_amounts * MOST_THREADS; ++i)
    {
        const int threads = i % MOST_THREADS + 1, shared = amounts[i / MOST_THREADS];
        by_hand[i] = derive(sm, threads, kernel->attributes.numRegs, shared).blocks;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&by_api[i], kernel->launch, threads,
                                                            shared));
    }
    check_elements("blocks by hand", by_hand, by_api, num_amounts * MOST_THREADS);
}

// One line of the table, its result checked and its time taken.
void show_block(const Multiprocessor *sm, const Kernel *kernel, const Problem *p, dim3 block)
{
    const int threads = block.x * block.y;
    const Limits limits = derive(sm, threads, kernel->attributes.numRegs, p->shared);
    printf("%4ux%-3u %5d", block.x, block.y, limits.warps);
    for (int limit : {limits.by_warps, limits.by_blocks, limits.by_registers, limits.by_shared})
    {
        limit == NO_LIMIT ? printf("%7s", "-") : printf("%7d", limit);
    }
    const double occupancy = (double)limits.blocks * limits.warps / sm->warps;
    printf(" %5d %8.1f%%", limits.blocks, 100.0 * occupancy);
    if (limits.blocks == 0)
    {
        printf("  does not fit\n");
        check_true("the kernel's own limit is lower too",
                   threads > kernel->attributes.maxThreadsPerBlock);
        return;
    }
    const size_t bytes = p->N * sizeof(real), grid_size = (p->N + threads - 1) / threads;
    CHECK(cudaMemset(p->d_variance, POISON_BYTE, bytes));
    poison(p->h_variance, bytes);
    const auto launch = [&]
    {
        kernel->launch<<<grid_size, block, p->shared>>>(p->d_x, p->d_variance, p->N);
    };
    const Timing time = time_kernel(launch, p->repeats);
    CHECK(cudaMemcpy(p->h_variance, p->d_variance, bytes, cudaMemcpyDeviceToHost));
    check_elements("variance", p->h_variance, p->reference, p->N, kernel->W * REAL_EPSILON);
    const double rate = 2.0 * bytes / time.median * 1e-6;
    printf("%10.4g %7.1f %5.1f  %.*s\n", time.median, rate, 100.0 * rate / p->ceiling,
           (int)(16 * occupancy), "################");
}

// The block for which most threads are resident. The API tries them all, from the largest down.
void show_suggestion(const Multiprocessor *sm, const Kernel *kernel, int num_sms, int shared)
{
    int grid_size = 0, block_size = 0, most = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, kernel->launch, shared));
    const cudaFuncAttributes *attributes = &kernel->attributes;
    for (int threads = WARP; threads <= attributes->maxThreadsPerBlock; threads += WARP)
    {
        most = std::max(most, threads * derive(sm, threads, attributes->numRegs, shared).blocks);
    }
    const int blocks = derive(sm, block_size, attributes->numRegs, shared).blocks;
    printf("cudaOccupancyMaxPotentialBlockSize: %d threads, %d blocks to fill the device\n",
           block_size, grid_size);
    check_true("it is a block with which most threads are resident, and as many as fit",
               blocks * block_size == most && grid_size == blocks * num_sms);
}

// S4's question: blocks of 8 x 8, 16 x 16 or 32 x 32 threads, if they need few registers?
void answer_question(const char *device, const Multiprocessor *sm, int resident[3])
{
    printf("%s", device);
    for (int i = 0; i < 3; ++i)
    {
        const int side = 8 << i, threads = side * side;
        resident[i] = threads * derive(sm, threads, 0, 0).blocks;
        printf("  %2dx%-2d %4d of %d", side, side, resident[i], sm->warps * WARP);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    size_t shared = 0;
    Args args;
    args.N = default_size(20000000, 20000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    add_number(&args, "shared", &shared, 0, 1 << 20, "bytes of shared memory for each block");
    parse_args(&args, argc, argv, "-n N -r R -s S [--shared N]",
               "occupancy: how many blocks share a multiprocessor, worked out by hand and asked of "
               "the API");
    int device;
    CHECK(cudaGetDevice(&device));
    const Multiprocessor sm = ask_multiprocessor(device);
    if (shared > (size_t)sm.block_shared)
    {
        usage_error(&args, "a block has at most %d bytes of shared memory here", sm.block_shared);
    }
    const size_t N = args.N, with_last = N + MOST_NUMBERS - 1, bytes = N * sizeof(real);
    const int num_sms = device_attribute(cudaDevAttrMultiProcessorCount, device);
    real *h_x = (real *)malloc(with_last * sizeof(real));
    Problem p = {N, args.repeats, shared, (real *)malloc(bytes)};
    p.reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&p.d_x, with_last * sizeof(real)));
    CHECK(cudaMalloc(&p.d_variance, bytes));
    fill_integers(h_x, with_last, args.seed);
    CHECK(cudaMemcpy(p.d_x, h_x, with_last * sizeof(real), cudaMemcpyHostToDevice));

    print_device();
    printf("%d multiprocessors, each with room for %d warps, %d blocks, %d registers in %d parts,\n"
           "%d bytes of shared memory, of which the system takes %d for each block\n",
           num_sms, sm.warps, sm.blocks, sm.registers, sm.parts, sm.shared, sm.reserved);
    printf("%s", ON_GPU ? "" : "(the CPU backend counts no registers: they set no limit)\n");
    p.ceiling = copy_ceiling(2 * bytes);
    Kernel kernels[] = {
        {8, vary_window<8>}, {24, vary_window<24>}, {MOST_NUMBERS, vary_window<MOST_NUMBERS>}};
    for (Kernel &kernel : kernels)
    {
        CHECK(cudaFuncGetAttributes(&kernel.attributes, kernel.launch));
        CHECK(cudaFuncSetAttribute(kernel.launch, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   sm.block_shared)); // more than 48 KB is given on request only
        check_every_block(&sm, &kernel);
        variance_cpu(h_x, p.reference, N, kernel.W);
        printf("\nwindows of %d %ss: %d registers a thread, %zu bytes of shared memory a block\n"
               "                 blocks by:\n"
               "   block warps  warps blocks   regs shared   all occupancy %9s    GB/s     %%\n",
               kernel.W, REAL_NAME, kernel.attributes.numRegs, shared, TIME_UNIT);
        for (dim3 block :
             {dim3(32), dim3(8, 8), dim3(100), dim3(128), dim3(16, 16), dim3(512), dim3(32, 32)})
        {
            show_block(&sm, &kernel, &p, block);
        }
        show_suggestion(&sm, &kernel, num_sms, shared);
    }
    int resident[3];
    const Multiprocessor s4 = {512, NO_LIMIT, NO_LIMIT, 1024 / WARP, 8, NO_LIMIT, NO_LIMIT};
    const int answer[] = {512, 1024, 0};
    printf("\nthreads resident on a multiprocessor\n");
    answer_question("of this device", &sm, resident);
    answer_question("in S4, 3.7    ", &s4, resident);
    check_elements("S4's answer", resident, answer, 3);

    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_variance));
    free(h_x);
    free(p.h_variance);
    free(p.reference);
    return verdict();
}
