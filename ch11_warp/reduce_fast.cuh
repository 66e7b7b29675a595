// The steps of reduce.cu that go beyond the book: vector, single and polled, and CUB. The last part
// compares the times of polled and CUB for small arrays, where a launch takes longer than the sum.
#pragma once
#include <cub/device/device_reduce.cuh>
#include "../common/args.cuh"
#include "../common/launch.cuh"
#include "../common/on_gpu.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "fold.cuh"

// The sum of the y of all threads of a block, in its thread 0. The block has up to 1024 threads.
// Each warp adds by shuffles, then one warp adds the sums of the 32 warps. This takes one barrier.
__device__ real block_sum(real y) { return fold_block(y, blockDim.x, Plus()); }

// A thread adds up many numbers in a register, from loads of 16 bytes. Four loads are under way at
// the same time.
__global__ void __launch_bounds__(1024) reduce_vector(const real *d_x, real *d_y, size_t N)
{
    const real y = block_sum(fold_vectors<4>((real)0.0, d_x, N, Plus(), Same()));
    if (threadIdx.x == 0)
    {
        d_y[blockIdx.x] = y;
    }
}

// There is no second launch. Each block draws a ticket after it has stored its sum. The block with
// the last ticket knows that all sums are stored, and adds them up.
__global__ void __launch_bounds__(1024)
    reduce_single(const real *d_x, real *d_y, unsigned int *d_ticket, real *d_sum, size_t N)
{
    __shared__ bool s_last;
    real y = block_sum(fold_vectors<4>((real)0.0, d_x, N, Plus(), Same()));
    if (threadIdx.x == 0)
    {
        d_y[blockIdx.x] = y;
        __threadfence(); // the sum must be visible before the ticket is
        s_last = atomicInc(d_ticket, gridDim.x - 1) == gridDim.x - 1; // after the last comes 0
        __threadfence();
    }
    __syncthreads();
    if (s_last)
    {
        y = 0.0;
        for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        {
            y += __ldcg(&d_y[i]); // from the L2 cache, where the sums of the other blocks are
        }
        y = block_sum(y);
        if (threadIdx.x == 0)
        {
            *d_sum = y;
        }
    }
}

// There is no ticket either. It costs three accesses to the L2 cache, one after the other. Here a
// block stores its sum together with a flag, in one access, and the last block waits for the flags.
// Moreover the next launch is prepared while this one runs.
template <int COUNT>
__global__ void __launch_bounds__(1024)
    reduce_polled(const real *d_x, Slot<real> *d_slots, real *d_sum, size_t N)
{
    let_next_launch_begin();
    wait_for_previous_launch();
    real y = block_sum(fold_vectors<COUNT>((real)0.0, d_x, N, Plus(), Same()));
    y = fold_grid(y, d_slots, Plus());
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0)
    {
        *d_sum = y;
    }
}

const int MOST_BLOCKS = 10240;

__device__ unsigned int ticket; // of reduce_single; 0 between two launches
// Of reduce_polled; empty between two launches. Aligned to a line of the cache.
__device__ __align__(128) Slot<real> slots[MOST_BLOCKS];

// As many blocks as there is work for, if each thread makes `count` loads of 16 bytes. At most four
// blocks for each multiprocessor.
template <int block_size, int count>
int few_blocks(size_t N)
{
    static const int at_once = 4 * number_of_multiprocessors();
    const size_t most = at_once < MOST_BLOCKS ? at_once : MOST_BLOCKS;
    const size_t in_block = (size_t)block_size * count * (16 / sizeof(real));
    const size_t enough = (N + in_block - 1) / in_block;
    return enough < most ? enough : most;
}

inline void launch_vector(const real *d_x, size_t N, real *d_y, real *d_sum)
{
    const int grid_size = few_blocks<1024, 4>(N);
    reduce_vector<<<grid_size, 1024>>>(d_x, d_y, N);
    reduce_vector<<<1, 1024>>>(d_y, d_sum, grid_size);
}

inline void launch_single(const real *d_x, size_t N, real *d_y, real *d_sum)
{
    static unsigned int *d_ticket = NULL;
    if (d_ticket == NULL)
    {
        CHECK(cudaGetSymbolAddress((void **)&d_ticket, ticket));
    }
    reduce_single<<<few_blocks<1024, 4>(N), 1024>>>(d_x, d_y, d_ticket, d_sum, N);
}

// With little to add, more threads that each load less finish sooner: four numbers each.
const int LITTLE_COUNT = 4 * sizeof(real) / 16;

inline bool is_little(size_t N) { return N * sizeof(real) < (16 << 20); }

inline void launch_polled(const real *d_x, size_t N, real *d_sum, cudaStream_t stream)
{
    static Slot<real> *d_slots = NULL;
    if (d_slots == NULL)
    {
        CHECK(cudaGetSymbolAddress((void **)&d_slots, slots));
    }
    if (is_little(N))
    {
        launch_early(reduce_polled<LITTLE_COUNT>, few_blocks<512, LITTLE_COUNT>(N), 512, stream,
                     d_x, d_slots, d_sum, N);
    }
    else
    {
        launch_early(reduce_polled<4>, few_blocks<1024, 4>(N), 1024, stream, d_x, d_slots, d_sum,
                     N);
    }
}

inline void check_slots_are_empty(void)
{
    void *d_slots;
    CHECK(cudaGetSymbolAddress(&d_slots, slots));
    check_emptied(d_slots, sizeof(slots));
}

static void *d_cub_storage = NULL; // main frees it

// The first call must be the one with the largest N. It asks CUB how much storage that takes.
inline void launch_cub(const real *d_x, size_t N, real *d_sum, cudaStream_t stream)
{
    static size_t bytes = 0;
    if (d_cub_storage == NULL)
    {
        CHECK(cub::DeviceReduce::Sum(NULL, bytes, d_x, d_sum, N));
        CHECK(cudaMalloc(&d_cub_storage, bytes));
    }
    CHECK(cub::DeviceReduce::Sum(d_cub_storage, bytes, d_x, d_sum, N, stream));
}

inline void free_cub_storage(void) { CHECK(cudaFree(d_cub_storage)); }

// ---- The most additions that one element passes through --------------------------------------

// One for each vector of its thread; then one for each sum that a thread of the last block adds.
// Less than 40 more come from the numbers of a vector and from the shuffles.
inline double most_additions(size_t N, int grid_size, int block_size)
{
    const double vectors = N / (16.0 / sizeof(real));
    return vectors / grid_size / block_size + 1.0 * grid_size / block_size + 40;
}

inline double additions_of_single(size_t N) // and of vector
{
    return most_additions(N, few_blocks<1024, 4>(N), 1024);
}

inline double additions_of_polled(size_t N)
{
    return is_little(N) ? most_additions(N, few_blocks<512, LITTLE_COUNT>(N), 512)
                        : most_additions(N, few_blocks<1024, 4>(N), 1024);
}

// ---- The last table: polled against CUB -------------------------------------------------------

#if ON_GPU
typedef void (*Launch)(const real *d_x, size_t N, real *d_sum, cudaStream_t stream);

const int GRAPH_CALLS = 20;

// The time of one of GRAPH_CALLS launches in a graph, in ms. The host prepares all of them before
// the first one begins, so the host's part is not in the time.
inline double time_in_graph(Launch launch, const real *d_x, size_t N, real *d_sum, size_t repeats)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < GRAPH_CALLS; ++i)
    {
        launch(d_x, N, d_sum, stream);
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&replay, graph, 0));
    Timer timer = new_timer(repeats);
    while (next_run(&timer))
    {
        CHECK(cudaGraphLaunch(replay, 0));
    }
    CHECK(cudaGraphExecDestroy(replay));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    return timer.median / GRAPH_CALLS;
}

// The time of one call, in us.
struct CallTime
{
    double alone, in_graph, until_on_host;
};

// `d_result` is where the kernel writes when the result is wanted on the host. If it is h_result,
// pinned memory of the host, no copy is needed.
inline CallTime time_call(Launch launch, const real *d_x, size_t N, real *d_sum, real *d_result,
                          real *h_result, size_t repeats)
{
    CallTime us;
    Timer alone = new_timer(repeats);
    while (next_run(&alone))
    {
        launch(d_x, N, d_sum, 0);
    }
    us.alone = 1e3 * alone.median;
    us.in_graph = 1e3 * time_in_graph(launch, d_x, N, d_sum, repeats);

    CHECK(cudaMemset(d_sum, POISON_BYTE, sizeof(real)));
    poison(h_result, sizeof(real));
    Timer until_on_host = new_host_timer(repeats);
    while (next_run(&until_on_host))
    {
        launch(d_x, N, d_result, 0);
        if (d_result != h_result)
        {
            CHECK(cudaMemcpy(h_result, d_result, sizeof(real), cudaMemcpyDeviceToHost));
        }
        CHECK(cudaStreamSynchronize(0));
    }
    us.until_on_host = 1e3 * until_on_host.median;
    return us;
}

inline void put_both(double us, double them)
{
    put(us);
    put(them);
    put(times_as_fast(us, them));
}

// A row of the table: the first N elements.
inline void compare_size(const real *h_x, const real *d_x, size_t N, real *d_sum, real *h_result)
{
    const Total total = total_of(h_x, N, IS_ROUNDED);
    const CallTime ours = time_call(launch_polled, d_x, N, d_sum, h_result, h_result, args.repeats);
    check_total("polled: the result on the host", *h_result, &total, additions_of_polled(N));
    const CallTime cub = time_call(launch_cub, d_x, N, d_sum, d_sum, h_result, args.repeats);
    check_total("cub: the result on the host", *h_result, &total, N);

    put(N);
    put_both(ours.alone, cub.alone);
    put_both(ours.in_graph, cub.in_graph);
    put_both(ours.until_on_host, cub.until_on_host);
    end_row();
}

// For small arrays, and for the whole one.
inline void compare_with_cub(const real *h_x, const real *d_x, real *d_sum)
{
    if (strcmp(args.version, "all") != 0)
    {
        return;
    }
    real *h_result;
    CHECK(cudaMallocHost(&h_result, sizeof(real)));
    print_note("\n");
    const Column COLUMNS[] = {{"N", "%12.0f", "us a call"},
                              {"alone: ours", "%25.2f"},
                              {"alone: CUB", "%8.2f", "CUB"},
                              {"alone: ratio", "%5.2f", "ratio"},
                              {"in a graph: ours", "%25.2f"},
                              {"in a graph: CUB", "%8.2f", "CUB"},
                              {"in a graph: ratio", "%5.2f", "ratio"},
                              {"until on the host: ours", "%25.2f"},
                              {"until on the host: CUB", "%8.2f", "CUB"},
                              {"until on the host: ratio", "%5.2f", "ratio"}};
    begin_timed_table(COLUMNS, 10);
    for (size_t N = 10000; N < args.N && N <= 1000000; N *= 10)
    {
        compare_size(h_x, d_x, N, d_sum, h_result);
    }
    compare_size(h_x, d_x, args.N, d_sum, h_result);
    CHECK(cudaFreeHost(h_result));
}
#else
inline void compare_with_cub(const real *, const real *, real *) {}
#endif
