// reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and past it
//
// From:    Listings 9.1, 9.3, 9.4, 10.1, 11.1, 11.3 to 11.7; Table 11.1; sections 9.1.3, 10.1.1,
//          11.2, 11.3.2, 11.4.2, 11.5.1, 11.5.2; files reduce.cu, reduce1parallelism.cu,
//          reduce2static.cu
// Compile: nvcc -O3 reduce.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --book --csv
// Versions:
//   cpu            a loop on the host
//   global         each block halves its 128 numbers in place; the host adds the blocks' sums
//   static         the block halves them in shared memory, and the array stays as it is
//   dynamic        the launch gives the size of the shared memory
//   atomic         the device also adds the blocks' sums, with atomic additions
//   syncwarp       the last five halvings wait for a warp instead of the block
//   shfl           the last five halvings use registers instead of shared memory
//   cg             the same, written with cooperative groups
//   parallelism    fewer blocks, whose threads first add up many numbers; a second launch ends it
//   static-memory  the same without cudaMalloc and cudaFree in every call
//   vector         each load takes 16 bytes, and a thread has four loads under way
//   single         one launch: the block that finishes last adds the blocks' sums
//   polled         the last block waits for the others' sums; the next kernel may
//                  be set up before this one ends
//   cub            cub::DeviceReduce::Sum
// Checks:  43 (51 on a GPU)
// Sizes:   4097 1 64 1000 300007 33
// Chinese: 数组归约的十四个版本：从主机上的循环到 CUB，并超过它
//
// This file has all steps of the book, in order. Later steps are in reduce_fast.cuh. With --book
// the program adds 1.23 N times and prints its results beside those of Table 11.1.
//
// Three names differ from the book's. reduce_static is its reduce_shared. reduce_cg (Listing 11.4)
// and reduce_parallelism (Listing 11.5) are both called reduce_cp there. The row static-memory is
// the book's file reduce2static.cu.
//
// Not all rows time the same work. Besides kernels their times contain:
//   global, static, dynamic  cudaMalloc, cudaFree, a copy of the blocks' sums, a loop on the host
//   atomic to cg             a memset of the sum
//   parallelism              cudaMalloc and cudaFree
//   static-memory            none of these
// The book's functions all copy their result to the host as well. So the column "x before" is not
// the one of Table 11.1.

#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions.cuh"
#include "reduce_fast.cuh"

using namespace cooperative_groups;

const size_t BOOK_N = 100000000;
const int BLOCK_SIZE = 128;
const int HALVINGS = 7;      // from 128 numbers to 1
const int GRID_SIZE = 10240; // in Listings 11.6 and 11.7
const unsigned FULL_MASK = 0xffffffff;

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
// of the block size.
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

// Listing 11.7. This array is in device memory, and exists as long as the program runs. The book's
// array has no __align__. It is here for the loads of 16 bytes in reduce_fast.cuh.
__device__ __align__(16) real static_y[GRID_SIZE];

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    Total total;
    size_t N = 0;
    int full_grid_size = 0;  // one thread for each number
    int short_grid_size = 0; // at most GRID_SIZE blocks
    size_t y_bytes = 0;      // one sum of each block
    const size_t smem = sizeof(real) * BLOCK_SIZE;
    real *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL;
    real *d_static_y = NULL; // the address of static_y
    real *d_work = NULL;     // a copy of d_x for reduce_global, which overwrites its input
    bool work_is_copy = false;
    real sum = 0.0;                          // the sum of a version that adds up on the host
    real *d_sum = NULL, sum_on_device = 0.0; // the sum on the device, and its copy on the host

    // Rounding grows with the number of additions. These are the most additions that one element
    // passes through. one_by_one: the halvings of its block, then one addition for each block.
    // two_launches: the additions of its thread and the halvings of its block, in both launches.
    double one_by_one = 0.0, two_launches = 0.0;

    // The error of a right result is at most the rounding of `additions` additions. With --book the
    // result is also printed beside the result of Table 11.1. Every machine must reproduce that
    // one: all elements are equal, so the order of atomic additions changes nothing.
    bool is_table_11_1 = false;
    const auto check = [&](double result, double additions, double book = NAN, const char *why = "")
    {
        check_total(&ladder, result, &total, additions);
        if (args.book)
        {
            const bool has_book = is_table_11_1 && !isnan(book);
            if (has_book)
            {
                check_true(ladder.checking, result == book);
            }
            printf(args.csv ? "%s" : "%-16s", ladder.checking);
            print_cell(args.csv, "%13.1f", result);
            print_cell(args.csv, "%12.1f", has_book ? book : NAN);
            printf(args.csv ? ",\"%s\"\n" : "  %s\n", has_book ? why : "");
        }
    };

    const Version versions[] = {
        on_host(
            "cpu", [&] { sum = reduce_cpu(h_x, N); },
            [&]
            {
                check(sum, N, 33554432.0,
                      "2^25: from here on floats are 4 apart, and adding 1.23 changes nothing");
            }),
        on_device(
            "global",
            [&]
            {
                work_is_copy = false;
                CHECK(cudaMalloc(&d_y, y_bytes));
                reduce_global<<<full_grid_size, BLOCK_SIZE>>>(d_work, d_y);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, full_grid_size);
            },
            [&]
            {
                check(sum, one_by_one, 123633392.0,
                      "781250 sums of 157.44 are added; where floats are 8 apart, each adds 160");
            }),
        on_device(
            "static",
            [&]
            {
                CHECK(cudaMalloc(&d_y, y_bytes));
                reduce_static<<<full_grid_size, BLOCK_SIZE>>>(d_x, d_y, N);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, full_grid_size);
            },
            [&] { check(sum, one_by_one, 123633392.0, "(the same sums, one after the other)"); }),
        on_device(
            "dynamic",
            [&]
            {
                CHECK(cudaMalloc(&d_y, y_bytes));
                reduce_dynamic<<<full_grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, full_grid_size);
            },
            [&] { check(sum, one_by_one, 123633392.0); }),
        // From here on the sum stays on the device, in d_sum. Listing 10.1 also allocates memory
        // for it, copies it to the host and frees the memory: see reduce-atomic in chapter 10.
        on_device(
            "atomic",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_atomic<<<full_grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0, "(so do atomic additions)"); }),
        on_device(
            "syncwarp",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_syncwarp<<<full_grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0); }),
        on_device(
            "shfl",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_shfl<<<full_grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0); }),
        on_device(
            "cg",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_cg<<<full_grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0); }),
        // Listing 11.6. The book's second launch overwrites its input: it writes the sum to d_y[0].
        // Here it writes the sum to d_sum.
        on_device(
            "parallelism",
            [&]
            {
                CHECK(cudaMalloc(&d_y, sizeof(real) * GRID_SIZE));
                reduce_parallelism<<<short_grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);
                reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_sum, short_grid_size);
                CHECK(cudaFree(d_y));
            },
            [&]
            {
                check(sum_on_device, two_launches, 123000064.0,
                      "a thread adds 76 or 77 numbers, then come halves: addends of similar size");
            }),
        // Listing 11.7: static_y instead of cudaMalloc and cudaFree.
        on_device(
            "static-memory",
            [&]
            {
                CHECK(cudaGetSymbolAddress((void **)&d_y, static_y));
                reduce_parallelism<<<short_grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);
                reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_sum, short_grid_size);
            },
            [&] { check(sum_on_device, two_launches, 123000064.0); }),
        // Not in the book: see reduce_fast.cuh.
        on_device(
            "vector", [&] { launch_vector(d_x, N, d_static_y, d_sum); },
            [&] { check(sum_on_device, additions_of_single(N)); }),
        on_device(
            "single", [&] { launch_single(d_x, N, d_static_y, d_sum); },
            [&] { check(sum_on_device, additions_of_single(N)); }),
        on_device(
            "polled", [&] { launch_polled(d_x, N, d_sum, 0); },
            [&] { check(sum_on_device, additions_of_polled(N)); }),
        // CUB does not say how it adds.
        on_device(
            "cub", [&] { launch_cub(d_x, N, d_sum, 0); }, [&] { check(sum_on_device, N); }),
    };

    args.N = default_size(BOOK_N, 40000);
    args.book_N = BOOK_N;
    args.bytes_per_element = 2 * sizeof(real) + 1; // d_x, d_work, and 1 for the blocks' sums
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and "
               "past it");

    N = args.N;
    full_grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    short_grid_size = std::min(full_grid_size, GRID_SIZE);
    one_by_one = HALVINGS + full_grid_size;
    // The second launch: GRID_SIZE / 1024 numbers for a thread, then 10 halvings (log2 of 1024).
    two_launches = N / (short_grid_size * BLOCK_SIZE) + 1 + HALVINGS + GRID_SIZE / 1024 + 10;
    const size_t bytes = N * sizeof(real);
    const size_t padded_bytes = (size_t)full_grid_size * BLOCK_SIZE * sizeof(real);
    y_bytes = full_grid_size * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(y_bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_work, padded_bytes));
    CHECK(cudaMemset(d_work, 0, padded_bytes)); // the elements after the N numbers stay 0
    CHECK(cudaMalloc(&d_sum, sizeof(real)));
    CHECK(cudaGetSymbolAddress((void **)&d_static_y, static_y));

    ladder.setup = [&]
    {
        if (!work_is_copy)
        {
            CHECK(cudaMemcpy(d_work, d_x, bytes, cudaMemcpyDeviceToDevice));
            work_is_copy = true;
        }
    };
    ladder.outputs[0] = {&sum, NULL, sizeof(real)};
    ladder.outputs[1] = {&sum_on_device, d_sum, sizeof(real)};
    ladder.outputs[2] = {h_y, NULL, y_bytes};
    ladder.outputs[3] = {NULL, d_static_y, sizeof(static_y)};
    ladder.bytes = (double)bytes;
    ladder.ceiling = READ_CEILING;

    const auto take_data = [&](Addition addition)
    {
        CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
        work_is_copy = false;
        total = total_of(h_x, N, addition);
    };
    if (args.book)
    {
        fill_constant(h_x, N, (real)1.23);
        take_data(IS_ROUNDED);
        check_true("all numbers are the book's", fabs(total.sum / N - 1.23) <= 1e-7);
        is_table_11_1 = N == BOOK_N && sizeof(real) == sizeof(float);
        print_device();
        print_note("%s, %zu times 1.23, exactly added %.9g%s\n", REAL_NAME, N, total.sum,
                   is_table_11_1 ? "" : " (Table 11.1 has 10^8 floats)");
        printf(args.csv ? "version,result,book,remark\n"
                        : "version                 result         book\n");
        check_versions(&args, &ladder, versions);
    }
    else
    {
        fill_integers(h_x, N, args.seed);
        take_data(IS_EXACT);
        check_versions(&args, &ladder, versions);

        fill_random(h_x, N, args.seed);
        take_data(IS_ROUNDED);
        run_versions(&args, &ladder, versions);
        compare_with_cub(&args, h_x, d_x, d_sum);
    }
    check_slots_are_empty();

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_sum));
    CHECK(cudaFree(d_cub_storage));
    free(h_x);
    free(h_y);
    return verdict();
}
