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
//   polled         the last block waits for the others' sums; the next launch is prepared early
//   cub            cub::DeviceReduce::Sum (needs a GPU)
// Checks:  40 (51 on a GPU)
// Sizes:   4097 1 1000 300007 33
// Chinese: 数组归约的十四个版本：从主机上的循环到 CUB，并超过它
//
// All steps of the book stand in this file, one under the other. What goes beyond the book stands
// in reduce_fast.cuh. With --book the program adds 1.23 N times and prints its results beside Table
// 11.1.

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
const int GRID_SIZE = 10240; // of Listings 11.6 and 11.7
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
// quarter to the first, until one number is left. This overwrites the array. The number of elements
// must be a multiple of the block size.
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

// Listing 9.4. The halving moves to shared memory. Each number is read from global memory once, and
// the array does not change. Threads past its end add 0, so N can be any number.
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

// 9.1.3. The launch gives the size of s_y, so it always fits the block size. This changes no time.
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

// 10.1.1. All blocks add their sums to d_y[0], which must be 0 before the launch. The copy of N /
// 128 sums to the host is gone, and so is the host's loop over them.
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

// Listing 11.1. In the last five steps only warp 0 has work, but in reduce_atomic all four warps
// wait at each barrier. Here warp 0 waits for its own threads only.
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

// Listing 11.3. In the last five steps each thread keeps its number in a register, y. A shuffle
// reads the y of the thread `offset` lanes further. It reads the y of all lanes before any of them
// changes, so it needs neither the `if` nor __syncwarp.
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

// Listing 11.4. The same with cooperative groups. A tile of 32 threads is a warp. It knows its
// size, and its shuffles need no mask.
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
// first adds up many numbers in a register. These are one width of the grid apart, which keeps the
// loads coalesced. There are now so few blocks that one more block can add up their sums.
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

// Listing 11.7: memory of the device that exists as long as the program. (The book needs no
// __align__. The loads of 16 bytes in reduce_fast.cuh do.)
__device__ __align__(16) real static_y[GRID_SIZE];

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    Total total;
    size_t N = 0;
    int grid_size = 0;       // one thread for each number
    int small_grid_size = 0; // at most GRID_SIZE blocks
    size_t y_bytes = 0;      // one sum of each block
    const size_t smem = sizeof(real) * BLOCK_SIZE;
    real *h_x = NULL, *h_y = NULL, *d_x = NULL, *d_y = NULL;
    real *d_static_y = NULL; // the address of static_y
    real *d_work = NULL;     // a copy of d_x, because reduce_global overwrites its input
    bool work_is_copy = false;
    real sum = 0.0;                          // where a version leaves its sum on the host
    real *d_sum = NULL, sum_on_device = 0.0; // where it leaves it on the device, and a copy of that

    // The most additions that one element passes through: in its block and then one for each block,
    // or in its thread, its block and the block of the second launch.
    double one_by_one = 0.0, two_launches = 0.0;

    // A result is right if it is within the rounding of so many additions. With --book it is also
    // printed beside the result in Table 11.1, which every machine must reproduce: since all
    // elements are equal, the order of atomic additions changes nothing.
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
                reduce_global<<<grid_size, BLOCK_SIZE>>>(d_work, d_y);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, grid_size);
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
                reduce_static<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, N);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, grid_size);
            },
            [&] { check(sum, one_by_one, 123633392.0, "(the same sums, one after the other)"); }),
        on_device(
            "dynamic",
            [&]
            {
                CHECK(cudaMalloc(&d_y, y_bytes));
                reduce_dynamic<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);
                CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
                CHECK(cudaFree(d_y));
                sum = reduce_cpu(h_y, grid_size);
            },
            [&] { check(sum, one_by_one, 123633392.0); }),
        // From here on the sum stays on the device. (Listing 10.1 also allocates, copies and frees
        // it: see reduce-atomic in chapter 10.)
        on_device(
            "atomic",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_atomic<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0, "(so do atomic additions)"); }),
        on_device(
            "syncwarp",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_syncwarp<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0); }),
        on_device(
            "shfl",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_shfl<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0); }),
        on_device(
            "cg",
            [&]
            {
                CHECK(cudaMemset(d_sum, 0, sizeof(real)));
                reduce_cg<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
            },
            [&] { check(sum_on_device, one_by_one, 123633392.0); }),
        // Listing 11.6
        on_device(
            "parallelism",
            [&]
            {
                CHECK(cudaMalloc(&d_y, sizeof(real) * GRID_SIZE));
                reduce_parallelism<<<small_grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);
                reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_sum, small_grid_size);
                CHECK(cudaFree(d_y));
            },
            [&]
            {
                check(sum_on_device, two_launches, 123000064.0,
                      "a thread adds 77 numbers, then come halves: addends of similar size");
            }),
        // Listing 11.7
        on_device(
            "static-memory",
            [&]
            {
                CHECK(cudaGetSymbolAddress((void **)&d_y, static_y));
                reduce_parallelism<<<small_grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);
                reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_sum, small_grid_size);
            },
            [&] { check(sum_on_device, two_launches, 123000064.0); }),
        // Beyond the book: see reduce_fast.cuh.
        on_device(
            "vector", [&] { launch_vector(d_x, N, d_static_y, d_sum); },
            [&] { check(sum_on_device, additions_of_single(N)); }),
        on_device(
            "single", [&] { launch_single(d_x, N, d_static_y, d_sum); },
            [&] { check(sum_on_device, additions_of_single(N)); }),
        on_device(
            "polled", [&] { launch_polled(d_x, N, d_sum, 0); },
            [&] { check(sum_on_device, additions_of_polled(N)); }),
#if ON_GPU
        // CUB does not say how it adds.
        on_device(
            "cub", [&] { launch_cub(d_x, N, d_sum, 0); }, [&] { check(sum_on_device, N); }),
#else
        skipped("cub", "CUB"),
#endif
    };

    args.N = default_size(BOOK_N, 40000);
    args.book_N = BOOK_N;
    args.bytes_per_element = 2 * sizeof(real) + 1; // and the blocks' sums
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and "
               "past it");

    N = args.N;
    grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    small_grid_size = std::min(grid_size, GRID_SIZE);
    one_by_one = HALVINGS + grid_size;
    two_launches = N / (small_grid_size * BLOCK_SIZE) + 1 + HALVINGS + GRID_SIZE / 1024 + 10;
    const size_t bytes = N * sizeof(real);
    const size_t padded_bytes = (size_t)grid_size * BLOCK_SIZE * sizeof(real);
    y_bytes = grid_size * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(y_bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_work, padded_bytes));
    CHECK(cudaMemset(d_work, 0, padded_bytes)); // behind the N numbers there will always be zeros
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
        race_cub(&args, h_x, d_x, d_sum);
    }
    check_slots_are_empty();

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_sum));
    free(h_x);
    free(h_y);
    return verdict();
}
