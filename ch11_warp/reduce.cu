// reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and past it
//
// From:    Listings 9.1, 9.3, 9.4, 10.1, 11.1, 11.3 to 11.7; Table 11.1; sections 9.1.3, 10.1.1,
//          11.2, 11.3.2, 11.4.2, 11.5.1, 11.5.2; files reduce.cu, reduce1parallelism.cu,
//          reduce2static.cu
// Compile: nvcc -O3 reduce.cu
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME --book --csv
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
#include <algorithm>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
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

// What the versions work on.
struct Data
{
    size_t N;
    int full_grid_size;    // a thread for each number
    int short_grid_size;   // at most GRID_SIZE blocks
    const real *h_x, *d_x; // the numbers
    real *d_work;          // a copy of d_x, for reduce_global, which overwrites its input
    bool work_is_copy;
    real *d_static_y, *d_sum;
    real sum;           // of a version that returns it
    real sum_on_device; // a copy of *d_sum, for one that leaves it there
    Total total;        // what it should be
};

// ---- The book's functions: each allocates, launches, copies the sum to the host and returns it.

const int SMEM = sizeof(real) * BLOCK_SIZE;

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
real sum_in_global_memory(Data *data)
{
    const int grid_size = data->full_grid_size;
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real) * grid_size));

    reduce_global<<<grid_size, BLOCK_SIZE>>>(data->d_work, d_y);
    data->work_is_copy = false;

    const real result = sum_of_blocks(d_y, grid_size);
    CHECK(cudaFree(d_y));
    return result;
}

typedef void (*Kernel)(const real *d_x, real *d_y, size_t N);

// Sections 9.1.2 and 9.1.3. `reduce` is reduce_static with smem = 0, or reduce_dynamic.
real sum_in_shared_memory(Kernel reduce, int smem, const Data *data)
{
    const int grid_size = data->full_grid_size;
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real) * grid_size));

    reduce<<<grid_size, BLOCK_SIZE, smem>>>(data->d_x, d_y, data->N);

    const real result = sum_of_blocks(d_y, grid_size);
    CHECK(cudaFree(d_y));
    return result;
}

// Listing 10.1. `reduce` is one of the four kernels whose blocks add their sums to d_y[0].
real sum_by_atomics(Kernel reduce, const Data *data)
{
    real h_y[1] = {0};
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real)));
    CHECK(cudaMemcpy(d_y, h_y, sizeof(real), cudaMemcpyHostToDevice));

    reduce<<<data->full_grid_size, BLOCK_SIZE, SMEM>>>(data->d_x, d_y, data->N);

    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    return h_y[0];
}

// Listing 11.6. Two launches of one kernel. The second adds the sums of the first one's blocks.
real sum_in_two_launches(const Data *data)
{
    const int grid_size = data->short_grid_size;
    real h_y[1] = {0};
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real) * grid_size));

    reduce_parallelism<<<grid_size, BLOCK_SIZE, SMEM>>>(data->d_x, d_y, data->N);
    reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_y, grid_size);

    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    return h_y[0];
}

// Listing 11.7. This array is in device memory, and exists as long as the program runs. The book's
// array has no __align__. It is here for the loads of 16 bytes in reduce_fast.cuh.
__device__ __align__(16) real static_y[GRID_SIZE];

// Listing 11.7. The same with static_y: no cudaMalloc, no cudaFree.
real sum_with_static_memory(const Data *data)
{
    const int grid_size = data->short_grid_size;
    real *d_y;
    CHECK(cudaGetSymbolAddress((void **)&d_y, static_y));

    reduce_parallelism<<<grid_size, BLOCK_SIZE, SMEM>>>(data->d_x, d_y, data->N);
    reduce_parallelism<<<1, 1024, sizeof(real) * 1024>>>(d_y, d_y, grid_size);

    real h_y[1] = {0};
    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    return h_y[0];
}

// ---- The checks. The error of a right sum is at most the rounding of so many additions as an
// element passes through on its way into the sum.

void check_loop(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, data->N);
}

// The halvings of a block, then an addition for each block.
void check_halved(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, HALVINGS + data->full_grid_size);
}

// The additions of a thread and the halvings of its block. Then, in the second launch, GRID_SIZE /
// 1024 numbers a thread and 10 halvings (log2 of 1024).
void check_two_launches(Table<Data> *table, const Data *data)
{
    const double first = data->N / (data->short_grid_size * BLOCK_SIZE) + 1 + HALVINGS;
    check_total(table, data->sum, &data->total, first + GRID_SIZE / 1024 + 10);
}

void check_single(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum_on_device, &data->total, additions_of_single(data->N));
}

void check_polled(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum_on_device, &data->total, additions_of_polled(data->N));
}

// How CUB adds is not known.
void check_cub(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum_on_device, &data->total, data->N);
}

// ---- The table

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"cpu", "a loop on the host", ON_HOST, [](D d) { d->sum = reduce_cpu(d->h_x, d->N); },
     check_loop},
    {"global", "each block halves its 128 numbers in place; the host adds the blocks' sums",
     ON_DEVICE, [](D d) { d->sum = sum_in_global_memory(d); }, check_halved},
    {"static", "the block halves them in shared memory, and the array stays as it is", ON_DEVICE,
     [](D d) { d->sum = sum_in_shared_memory(reduce_static, 0, d); }, check_halved},
    {"dynamic", "the launch gives the size of the shared memory", ON_DEVICE,
     [](D d) { d->sum = sum_in_shared_memory(reduce_dynamic, SMEM, d); }, check_halved},
    {"atomic", "the device also adds the blocks' sums, with atomic additions", ON_DEVICE,
     [](D d) { d->sum = sum_by_atomics(reduce_atomic, d); }, check_halved},
    {"syncwarp", "the last five halvings wait for a warp instead of the block", ON_DEVICE,
     [](D d) { d->sum = sum_by_atomics(reduce_syncwarp, d); }, check_halved},
    {"shfl", "the last five halvings use registers instead of shared memory", ON_DEVICE,
     [](D d) { d->sum = sum_by_atomics(reduce_shfl, d); }, check_halved},
    {"cg", "the same, written with cooperative groups", ON_DEVICE,
     [](D d) { d->sum = sum_by_atomics(reduce_cg, d); }, check_halved},
    {"parallelism", "fewer blocks, whose threads first add many numbers; a second launch ends it",
     ON_DEVICE, [](D d) { d->sum = sum_in_two_launches(d); }, check_two_launches},
    {"static-memory", "the same without cudaMalloc and cudaFree in every call", ON_DEVICE,
     [](D d) { d->sum = sum_with_static_memory(d); }, check_two_launches},
    // Beyond the book: see reduce_fast.cuh. These leave the sum on the device.
    {"vector", "each load takes 16 bytes, and a thread has four loads under way", ON_DEVICE,
     [](D d) { launch_vector(d->d_x, d->N, d->d_static_y, d->d_sum); }, check_single},
    {"single", "one launch: the block that finishes last adds the blocks' sums", ON_DEVICE,
     [](D d) { launch_single(d->d_x, d->N, d->d_static_y, d->d_sum); }, check_single},
    {"polled", "the last block waits for the others' sums; the next kernel may begin early",
     ON_DEVICE, [](D d) { launch_polled(d->d_x, d->N, d->d_sum, 0); }, check_polled},
    {"cub", "cub::DeviceReduce::Sum", ON_DEVICE, [](D d) { launch_cub(d->d_x, d->N, d->d_sum, 0); },
     check_cub},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// Before each run: reduce_global wants a fresh copy of the numbers.
void restore_work(Data *data)
{
    if (!data->work_is_copy)
    {
        const size_t bytes = data->N * sizeof(real);
        CHECK(cudaMemcpy(data->d_work, data->d_x, bytes, cudaMemcpyDeviceToDevice));
        data->work_is_copy = true;
    }
}

// The results of Table 11.1, for 10^8 floats that are all 1.23.
const struct
{
    const char *version;
    double result;
    const char *why;
} TABLE_11_1[] = {
    {"cpu", 33554432.0, "2^25: from here on floats are 4 apart, and adding 1.23 changes nothing"},
    {"global", 123633392.0,
     "781250 sums of 157.44 are added; where floats are 8 apart, each adds 160"},
    {"static", 123633392.0, "(the same sums, one after the other)"},
    {"dynamic", 123633392.0, ""},
    {"atomic", 123633392.0, "(so do atomic additions)"},
    {"syncwarp", 123633392.0, ""},
    {"shfl", 123633392.0, ""},
    {"cg", 123633392.0, ""},
    {"parallelism", 123000064.0,
     "a thread adds 76 or 77 numbers, then come halves: addends of similar size"},
    {"static-memory", 123000064.0, ""},
};

// --book: the results beside those of Table 11.1. Every machine must reproduce these: all elements
// are equal, so the order of atomic additions changes nothing.
void show_table_11_1(const Args *args, Table<Data> *table)
{
    const size_t N = args->N;
    const double exact = table->data->total.sum;
    const bool is_books = N == BOOK_N && sizeof(real) == sizeof(float);
    check_true("all numbers are the book's", fabs(exact / N - 1.23) <= 1e-7);
    print_device();
    print_note("%s, %zu times 1.23, exactly added %.9g%s\n", REAL_NAME, N, exact,
               is_books ? "" : said(" (Table 11.1 has 10^8 floats)"));
    printf(args->csv ? "version,result,book,remark\n"
                     : "version                 result         book\n");

    Checked checked[NUM_VERSIONS];
    check_versions(args, table, VERSIONS, checked);
    for (int i = 0; i < NUM_VERSIONS; ++i)
    {
        if (!is_selected(args, VERSIONS[i].name))
        {
            continue;
        }
        double book = NAN;
        const char *why = "";
        for (const auto &row : TABLE_11_1)
        {
            if (is_books && strcmp(row.version, VERSIONS[i].name) == 0)
            {
                book = row.result;
                why = row.why;
                check_true(row.version, checked[i].result == book);
            }
        }
        printf(args->csv ? "%s" : "%-16s", VERSIONS[i].name);
        print_cell(args->csv, "%13.1f", checked[i].result);
        print_cell(args->csv, "%12.1f", book);
        printf(args->csv ? ",\"%s\"\n" : "  %s\n", why);
    }
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(BOOK_N, 40000);
    args.book_N = BOOK_N;
    args.bytes_per_element = 2 * sizeof(real) + 1; // d_x, d_work, and 1 for the blocks' sums
    add_versions(&args, VERSIONS);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and "
               "past it");
    const size_t N = args.N, bytes = N * sizeof(real);
    const int grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const size_t padded_bytes = (size_t)grid_size * BLOCK_SIZE * sizeof(real);

    real *h_x = (real *)malloc(bytes);
    real *d_x, *d_work, *d_sum, *d_static_y;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_work, padded_bytes));
    CHECK(cudaMemset(d_work, 0, padded_bytes)); // the elements after the N numbers stay 0
    CHECK(cudaMalloc(&d_sum, sizeof(real)));
    CHECK(cudaGetSymbolAddress((void **)&d_static_y, static_y));

    Data data = {N,          grid_size, std::min(grid_size, GRID_SIZE), h_x, d_x, d_work, false,
                 d_static_y, d_sum};
    Table<Data> table;
    table.data = &data;
    table.setup = restore_work;
    table.outputs[0] = {&data.sum, NULL, sizeof(real)};
    table.outputs[1] = {&data.sum_on_device, d_sum, sizeof(real)};
    table.outputs[2] = {NULL, d_static_y, sizeof(static_y)};
    table.bytes = bytes;
    table.ceiling = read_ceiling;

    const auto take_numbers = [&](Addition addition) // h_x as it is now
    {
        CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
        data.work_is_copy = false;
        data.total = total_of(h_x, N, addition);
    };
    if (args.book)
    {
        fill_constant(h_x, N, (real)1.23);
        take_numbers(IS_ROUNDED);
        show_table_11_1(&args, &table);
    }
    else
    {
        fill_integers(h_x, N, args.seed);
        take_numbers(IS_EXACT);
        check_versions(&args, &table, VERSIONS);

        fill_random(h_x, N, args.seed);
        take_numbers(IS_ROUNDED);
        run_versions(&args, &table, VERSIONS);
        compare_with_cub(&args, h_x, d_x, d_sum);
    }
    check_slots_are_empty();

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_work));
    CHECK(cudaFree(d_sum));
    CHECK(cudaFree(d_cub_storage));
    free(h_x);
    return verdict();
}
