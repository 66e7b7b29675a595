// reduce2gpu: each block adds up its numbers, in global or in shared memory; the host adds the rest
//
// From:    Listings 9.3 and 9.4; sections 9.1.1 to 9.1.3; file reduce2gpu.cu
// Compile: nvcc -O3 reduce2gpu.cu
// Run:     ./a.out -n 100000000
//
// Like the book's, the times contain all steps: memory for one sum of each block, the kernel, the
// copy of these sums to the host, and the host's loop over them. The kernel is only a part of this.
// So the three versions differ little. Chapters 10 and 11 remove the other parts.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions.cuh"

const int BLOCK_SIZE = 128;
const int HALVINGS = 7; // from 128 numbers to 1

static size_t N;
static int grid_size;     // a thread for each number
static real *h_x, *d_x;   // the numbers
static real *d_work;      // a copy of d_x, because reduce_global overwrites its input
static bool work_is_copy; // as long as reduce_global has not run
static real sum;          // of a version
static Total total;       // what it should be

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

// Listing 9.3. At the barrier all threads of the block wait until the last one has added. Only then
// may the next step read the sums. A barrier cannot make different blocks wait for each other, so
// each block has its own numbers and leaves its own sum. The number of elements must be a multiple
// of the block size, and the block size a power of 2.
__global__ void reduce_global(real *d_x, real *d_y)
{
    const int tid = threadIdx.x;
    real *x = d_x + (size_t)blockDim.x * blockIdx.x; // x[0] is the block's first number

    for (int offset = blockDim.x >> 1; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            x[tid] += x[tid + offset];
        }
        __syncthreads();
    }

    if (tid == 0)
    {
        d_y[blockIdx.x] = x[0];
    }
}

// Listing 9.4. Each number is read from global memory once, and the array does not change. Threads
// past the end of the array add 0, so N need not be a multiple of the block size.
__global__ void reduce_static(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const int bid = blockIdx.x;
    const size_t n = (size_t)bid * blockDim.x + tid;
    __shared__ real s_y[BLOCK_SIZE]; // each block has its own s_y
    s_y[tid] = (n < N) ? d_x[n] : (real)0.0;
    __syncthreads(); // the threads are about to read what other threads stored

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
        d_y[bid] = s_y[0]; // shared memory is lost when its block ends
    }
}

// 9.1.3. The third value in <<<...>>> is the size of s_y in bytes. It is computed from the block
// size, so the two cannot differ by mistake. s_y is an array without a size. It cannot be a
// pointer: beyond.md of this chapter tries `extern __shared__ real *s_y`.
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

// ---- The book's function, once for each kernel: it allocates, launches, copies the blocks' sums
// to the host, adds them up, and frees.

real sum_in_global_memory(void)
{
    const size_t y_bytes = sizeof(real) * grid_size;
    real *d_y;
    CHECK(cudaMalloc(&d_y, y_bytes));
    real *h_y = (real *)malloc(y_bytes);

    reduce_global<<<grid_size, BLOCK_SIZE>>>(d_work, d_y);
    work_is_copy = false;

    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    const real result = reduce_cpu(h_y, grid_size);
    free(h_y);
    CHECK(cudaFree(d_y));
    return result;
}

real sum_in_static_shared_memory(void)
{
    const size_t y_bytes = sizeof(real) * grid_size;
    real *d_y;
    CHECK(cudaMalloc(&d_y, y_bytes));
    real *h_y = (real *)malloc(y_bytes);

    reduce_static<<<grid_size, BLOCK_SIZE>>>(d_x, d_y, N);

    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    const real result = reduce_cpu(h_y, grid_size);
    free(h_y);
    CHECK(cudaFree(d_y));
    return result;
}

real sum_in_dynamic_shared_memory(void)
{
    const size_t y_bytes = sizeof(real) * grid_size;
    const int smem = sizeof(real) * BLOCK_SIZE;
    real *d_y;
    CHECK(cudaMalloc(&d_y, y_bytes));
    real *h_y = (real *)malloc(y_bytes);

    reduce_dynamic<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);

    CHECK(cudaMemcpy(h_y, d_y, y_bytes, cudaMemcpyDeviceToHost));
    const real result = reduce_cpu(h_y, grid_size);
    free(h_y);
    CHECK(cudaFree(d_y));
    return result;
}

void run_cpu(void) { sum = reduce_cpu(h_x, N); }
void run_global(void) { sum = sum_in_global_memory(); }
void run_static(void) { sum = sum_in_static_shared_memory(); }
void run_dynamic(void) { sum = sum_in_dynamic_shared_memory(); }

// ---- The checks: an error may be as large as the most additions of one element can make it.

void check_loop(void) { check_total(sum, &total, N); }

// 7 in its block. Then the host makes one for each block.
void check_halved(void) { check_total(sum, &total, HALVINGS + grid_size); }

const Version VERSIONS[] = {
    {"cpu", "Listing 9.1: a loop", run_cpu, check_loop, ON_HOST},
    {"global", "Listing 9.3: a block adds the second half of its numbers to the first, repeatedly",
     run_global, check_halved, ON_DEVICE, NULL, NULL, false,
     "most of the time is that of the host"},
    {"static", "Listing 9.4: the same in shared memory, which is fast; the array stays as it is",
     run_static, check_halved, ON_DEVICE, NULL, NULL, false,
     "most of the time is that of the host"},
    {"dynamic", "9.1.3: the launch gives the size of the shared memory", run_dynamic, check_halved,
     ON_DEVICE, NULL, NULL, false, "most of the time is that of the host"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// Before each run: reduce_global wants a fresh copy of the numbers.
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
    args.N = default_size(100000000, 1 << 17);
    args.bytes_per_element = 2 * sizeof(real) + 1; // and the blocks' sums
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce2gpu: each block adds up its numbers, in global or in shared memory; the "
               "host adds the rest");
    N = args.N;
    grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;

    const size_t bytes = N * sizeof(real);
    const size_t padded_bytes = (size_t)grid_size * BLOCK_SIZE * sizeof(real);
    h_x = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_work, padded_bytes));
    CHECK(cudaMemset(d_work, 0, padded_bytes)); // behind the N numbers there will always be zeros

    Table table = {};
    table.set_up = set_up;
    table.outputs[0] = {&sum, NULL, sizeof(real)};
    table.temporaries[0] = sizeof(real) * grid_size; // the sums of the blocks
    table.bytes = bytes;
    table.ceiling = read_ceiling(bytes);

    fill_integers(h_x, N, args.seed);
    take_numbers(IS_EXACT);
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    if (args.book)
    {
        fill_constant(h_x, N, (real)1.23);
    }
    else
    {
        fill_random(h_x, N, args.seed);
    }
    take_numbers(IS_ROUNDED);
    const bool is_book = fabs(total.sum / N - 1.23) <= 1e-7;
    check_true("the numbers are the book's with --book, and only then", is_book == args.book);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_work));
    free(h_x);
    return verdict();
}
