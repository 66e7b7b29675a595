// reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and past it
//
// From:    Listings 9.1, 9.3, 9.4, 10.1, 11.1, 11.3 to 11.7; Table 11.1; sections 9.1.3, 10.1.1,
//          11.2, 11.3.2, 11.4.2, 11.5.1, 11.5.2; files reduce.cu, reduce1parallelism.cu,
//          reduce2static.cu
// Compile: nvcc -O3 reduce.cu
// Run:     ./a.out -n 100000000
//
// This file has all steps of the book, in order. Later steps are in reduce_fast.cuh. With --book
// the program adds 1.23 N times and prints its results beside those of Table 11.1.
//
// Three names differ from the book's. reduce_static is its reduce_shared. reduce_cg (Listing 11.4)
// and reduce_parallelism (Listing 11.5) are both called reduce_cp there. The row static-memory is
// the book's file reduce2static.cu.
//
// Each row of the book times what the book's function does: it allocates memory where the book
// does, launches, copies the sum to the host, and frees. The rows beyond the book leave the sum on
// the device. So the column "x before" means little between static-memory and vector.

#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions.cuh"
#include "reduce_book.cuh"
#include "reduce_fast.cuh"

using namespace cooperative_groups;

const int BLOCK_SIZE = 128;
const int HALVINGS = 7;      // from 128 numbers to 1
const int GRID_SIZE = 10240; // in Listings 11.6 and 11.7
const unsigned FULL_MASK = 0xffffffff;

static size_t N;
static int full_grid_size;       // a thread for each number
static int short_grid_size;      // fewer blocks, at most GRID_SIZE
static real *h_x, *d_x;          // the numbers
static real *d_work;             // a copy of d_x, for reduce_global, which overwrites it
static bool work_is_copy;        // as long as reduce_global has not run
static real *d_sum, *d_static_y; // a sum on the device; where static_y of Listing 11.7 is
static real sum;                 // of a version that returns it
static real sum_on_device;       // a copy of *d_sum, of one that leaves it there
static Total total;              // what it should be

// Listing 9.1
real reduce_cpu(const real *x, size_t N)
{
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += x[n];
    }
    return sum;
}

// Listing 9.3. Each block adds the second half of its numbers to the first half, then the second
// quarter to the first, until one number is left. So the block size must be a power of 2, here and
// in the next kernels. This kernel overwrites the array. The number of elements must be a multiple
// of the block size, so main adds zeros behind the N numbers.
__global__ void reduce_global(real *d_x, real *d_y)
{
    const int tid = threadIdx.x;
    real *x = d_x + (size_t)blockDim.x * blockIdx.x;

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            x[tid] += x[tid + offset];
        }
        __syncthreads(); // the next step reads what other threads wrote in this step
    }

    if (tid == 0)
    {
        d_y[blockIdx.x] = x[0];
    }
}

// Listing 9.4. The halving happens in shared memory. Each number is read from global memory once,
// and the array does not change. Threads past its end add 0, so N can be any number.
__global__ void reduce_static(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    __shared__ real s_y[BLOCK_SIZE];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    if (tid == 0)
    {
        d_y[bid] = s_y[0];
    }
}

// Section 9.1.3. The launch sets the size of s_y, so one kernel serves all block sizes. It takes as
// long as reduce_static.
__global__ void reduce_dynamic(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    if (tid == 0)
    {
        d_y[bid] = s_y[0];
    }
}

// Section 10.1.1, Listing 10.1. All blocks add their sums to d_y[0] by atomicAdd. d_y[0] must be 0
// before the launch. The host no longer copies the sums of all blocks, and no longer adds them.
__global__ void reduce_atomic(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    if (tid == 0)
    {
        atomicAdd(d_y, s_y[0]);
    }
}

// Listing 11.1. In the step with offset 64, warps 0 and 1 add. From offset 32 on only warp 0 adds.
// In reduce_atomic all four warps wait at the barrier after each step. This kernel changes the last
// five steps, with offsets 16 to 1. They read and write numbers of warp 0 only. So __syncwarp is
// enough, and warp 0 waits for its own threads only.
__global__ void reduce_syncwarp(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset >= 32; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    for (int offset = 16; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncwarp();
    }

    if (tid == 0)
    {
        atomicAdd(d_y, s_y[0]);
    }
}

// Listing 11.3. In the last five steps each thread keeps its number in a register, y. In a shuffle,
// lane i gets the y of lane i + offset. All lanes read before any y changes, so the loop needs
// neither an `if` nor __syncwarp. All four warps do these steps, but only the result of warp 0 is
// used.
__global__ void reduce_shfl(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset >= 32; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    real y = s_y[tid];

    for (int offset = 16; offset > 0; offset >>= 1)
    {
        y += __shfl_down_sync(FULL_MASK, y, offset);
    }

    if (tid == 0)
    {
        atomicAdd(d_y, y);
    }
}

// Listing 11.4. The same with cooperative groups. A tile of 32 threads is a warp: size() is 32. Its
// shuffles need no mask. Here, too, only the result of warp 0 is used.
__global__ void reduce_cg(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset >= 32; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    real y = s_y[tid];

    thread_block_tile<32> g = tiled_partition<32>(this_thread_block());
    for (int i = g.size() >> 1; i > 0; i >>= 1)
    {
        y += g.shfl_down(y, i);
    }

    if (tid == 0)
    {
        atomicAdd(d_y, y);
    }
}

// Listing 11.5. While a block halves its numbers, most of its threads have no work. So each thread
// first adds many numbers in a register. Consecutive numbers of one thread are blockDim.x *
// gridDim.x apart. So the threads of a warp read consecutive numbers, and the loads are coalesced.
// There are few blocks now, so one block can add their sums in a second launch.
__global__ void reduce_parallelism(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    extern __shared__ real s_y[];

    real y = 0.0;
    const size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t n = (size_t)bid * blockDim.x + tid; n < N; n += stride)
    {
        y += d_x[n];
    }
    s_y[tid] = y;
    __syncthreads();

    for (int offset = blockDim.x >> 1; offset >= 32; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }

    y = s_y[tid];

    thread_block_tile<32> g = tiled_partition<32>(this_thread_block());
    for (int i = g.size() >> 1; i > 0; i >>= 1)
    {
        y += g.shfl_down(y, i);
    }

    if (tid == 0)
    {
        d_y[bid] = y;
    }
}

// ---- The book's functions: each allocates, launches, copies the sum to the host and returns it.

const int SMEM = sizeof(real) * BLOCK_SIZE;
typedef void (*Kernel)(const real *d_x, real *d_y, size_t N);

// The end of the versions of chapter 9: the host copies the sums of the blocks and adds them up.
real sum_of_blocks(const real *d_y, int grid_size)
{
    const size_t y_bytes = sizeof(real) * grid_size;
    real *h_y = (real *)malloc(y_bytes);
    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));

    const real result = reduce_cpu(h_y, grid_size);

    free(h_y);
    return result;
}

// Section 9.1.1. The array is overwritten.
real sum_in_global_memory(void)
{
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real) * full_grid_size));

    reduce_global<<<full_grid_size, BLOCK_SIZE>>>(d_work, d_y);
    work_is_copy = false;

    const real result = sum_of_blocks(d_y, full_grid_size);
    CHECK(cudaFree(d_y));
    return result;
}

// Sections 9.1.2 and 9.1.3. `reduce` is reduce_static with smem = 0, or reduce_dynamic.
real sum_in_shared_memory(Kernel reduce, int smem)
{
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real) * full_grid_size));

    reduce<<<full_grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);

    const real result = sum_of_blocks(d_y, full_grid_size);
    CHECK(cudaFree(d_y));
    return result;
}

// Listing 10.1. `reduce` is one of the four kernels whose blocks add their sums to d_y[0].
real sum_by_atomics(Kernel reduce)
{
    real h_y[1] = {0};
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real)));
    CHECK(cudaMemcpy(d_y, h_y, sizeof(real), cudaMemcpyHostToDevice));

    reduce<<<full_grid_size, BLOCK_SIZE, SMEM>>>(d_x, d_y, N);

    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    return h_y[0];
}

// Listing 11.6. Two launches of one kernel. The second adds the sums of the first one's blocks.
real sum_in_two_launches(void)
{
    real h_y[1] = {0};
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real) * short_grid_size));

    reduce_parallelism<<<short_grid_size, BLOCK_SIZE, SMEM>>>(d_x, d_y, N);
    reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_y, short_grid_size);

    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    return h_y[0];
}

// Listing 11.7. This array is in device memory, and exists as long as the program runs. The book's
// array has no __align__. It is here for the loads of 16 bytes in reduce_fast.cuh.
__device__ __align__(16) real static_y[GRID_SIZE];

// Listing 11.7. The same with static_y: no cudaMalloc, no cudaFree.
real sum_with_static_memory(void)
{
    real *d_y;
    CHECK(cudaGetSymbolAddress((void **)&d_y, static_y));

    reduce_parallelism<<<short_grid_size, BLOCK_SIZE, SMEM>>>(d_x, d_y, N);
    reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_y, short_grid_size);

    real h_y[1] = {0};
    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    return h_y[0];
}

// ---- The versions

void run_cpu(void) { sum = reduce_cpu(h_x, N); }
void run_global(void) { sum = sum_in_global_memory(); }
void run_static(void) { sum = sum_in_shared_memory(reduce_static, 0); }
void run_dynamic(void) { sum = sum_in_shared_memory(reduce_dynamic, SMEM); }
void run_atomic(void) { sum = sum_by_atomics(reduce_atomic); }
void run_syncwarp(void) { sum = sum_by_atomics(reduce_syncwarp); }
void run_shfl(void) { sum = sum_by_atomics(reduce_shfl); }
void run_cg(void) { sum = sum_by_atomics(reduce_cg); }
void run_parallelism(void) { sum = sum_in_two_launches(); }
void run_static_memory(void) { sum = sum_with_static_memory(); }
// Beyond the book: see reduce_fast.cuh. These leave the sum on the device.
void run_vector(void) { launch_vector(d_x, N, d_static_y, d_sum); }
void run_single(void) { launch_single(d_x, N, d_static_y, d_sum); }
void run_polled(void) { launch_polled(d_x, N, d_sum, 0); }
void run_cub(void) { launch_cub(d_x, N, d_sum, 0); }

// The error of a right sum is at most the rounding of so many additions as an element passes
// through on its way into the sum. A block halves its numbers; then comes one addition a block.
void check_loop(void) { check_total(sum, &total, N); }
void check_halved(void) { check_total(sum, &total, HALVINGS + full_grid_size); }
// (vector and single do the same additions.)
void check_single(void) { check_total(sum_on_device, &total, additions_of_single(N)); }
void check_polled(void) { check_total(sum_on_device, &total, additions_of_polled(N)); }
void check_cub(void) { check_total(sum_on_device, &total, N); } // how CUB adds is not known

// The additions of a thread and the halvings of its block. Then, in the second launch, GRID_SIZE /
// 1024 numbers a thread and 10 halvings (log2 of 1024).
void check_two_launches(void)
{
    const double first = N / (short_grid_size * BLOCK_SIZE) + 1 + HALVINGS;
    check_total(sum, &total, first + GRID_SIZE / 1024 + 10);
}

const Version VERSIONS[] = {
    {"cpu", "a loop on the host", run_cpu, check_loop, ON_HOST},
    {"global", "each block halves its 128 numbers in place; the host adds the blocks' sums",
     run_global, check_halved},
    {"static", "the block halves them in shared memory, and the array stays as it is", run_static,
     check_halved},
    {"dynamic", "the launch gives the size of the shared memory", run_dynamic, check_halved},
    {"atomic", "the device also adds the blocks' sums, with atomic additions", run_atomic,
     check_halved, ON_DEVICE, NULL, NULL, false, "all blocks add to one address"},
    {"syncwarp", "the last five halvings wait for a warp instead of the block", run_syncwarp,
     check_halved},
    {"shfl", "the last five halvings use registers instead of shared memory", run_shfl,
     check_halved},
    {"cg", "the same, written with cooperative groups", run_cg, check_halved},
    {"parallelism", "fewer blocks, whose threads first add many numbers; a second launch ends it",
     run_parallelism, check_two_launches},
    {"static-memory", "the same without cudaMalloc and cudaFree in every call", run_static_memory,
     check_two_launches, ON_DEVICE, NULL, NULL, false, "no cudaMalloc in each run"},
    {"vector", "each load takes 16 bytes, and a thread has four loads under way", run_vector,
     check_single, ON_DEVICE, NULL, NULL, false, "faster: more loads under way"},
    {"single", "one launch: the block that finishes last adds the blocks' sums", run_single,
     check_single},
    {"polled", "the last block waits for the others' sums; the next kernel may begin early",
     run_polled, check_polled},
    {"cub", "cub::DeviceReduce::Sum", run_cub, check_cub, BY_LIBRARY},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// Before each run.
void set_up(void)
{
    if (!work_is_copy)
    {
        CHECK(cudaMemcpy(d_work, d_x, N * sizeof(real), cudaMemcpyDeviceToDevice));
        work_is_copy = true;
    }
}

// The numbers are now those of h_x.
void take_numbers(Addition addition)
{
    CHECK(cudaMemcpy(d_x, h_x, N * sizeof(real), cudaMemcpyHostToDevice));
    work_is_copy = false;
    total = total_of(h_x, N, addition);
}

int main(int argc, char **argv)
{
    args.N = default_size(BOOK_N, 32768);
    args.book_N = BOOK_N;
    args.bytes_per_element = 2 * sizeof(real) + 1; // d_x, d_work, and 1 for the blocks' sums
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and "
               "past it");
    N = args.N;
    full_grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    // On a CPU N is small. There, too, a thread is to add several numbers: 16.
    const int enough = ON_GPU || args.book ? full_grid_size : (full_grid_size + 15) / 16;
    short_grid_size = enough < GRID_SIZE ? enough : GRID_SIZE;

    const size_t bytes = N * sizeof(real);
    const size_t padded_bytes = (size_t)full_grid_size * BLOCK_SIZE * sizeof(real);
    h_x = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_work, padded_bytes));
    CHECK(cudaMemset(d_work, 0, padded_bytes)); // the elements after the N numbers stay 0
    CHECK(cudaMalloc(&d_sum, sizeof(real)));
    CHECK(cudaGetSymbolAddress((void **)&d_static_y, static_y));

    Table table = {};
    table.set_up = set_up;
    table.outputs[0] = {&sum, NULL, sizeof(real)};
    table.outputs[1] = {&sum_on_device, d_sum, sizeof(real)};
    table.outputs[2] = {NULL, d_static_y, sizeof(static_y)};
    // What a version allocates is poisoned before it is checked.
    table.temporaries[0] = sizeof(real) * full_grid_size; // the sums of the blocks
    table.temporaries[1] = sizeof(real) * short_grid_size;
    table.temporaries[2] = sizeof(real);
    table.bytes = bytes;
    table.always = "barriers";
    if (args.book)
    {
        fill_constant(h_x, N, (real)1.23);
        take_numbers(IS_ROUNDED);
        show_table_11_1(&table, VERSIONS, NUM_VERSIONS, &total, N);
    }
    else
    {
        table.ceiling = read_ceiling(bytes);
        fill_integers(h_x, N, args.seed);
        take_numbers(IS_EXACT);
        check_versions(&table, VERSIONS, NUM_VERSIONS);

        fill_random(h_x, N, args.seed);
        take_numbers(IS_ROUNDED);
        run_versions(&table, VERSIONS, NUM_VERSIONS);
        compare_with_cub(h_x, d_x, d_sum);
    }
    check_slots_are_empty();

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_sum));
    free_cub_storage();
    free(h_x);
    return verdict();
}
