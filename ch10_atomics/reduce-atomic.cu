// reduce-atomic: a reduction that ends on the device, because its blocks add atomically to one sum
//
// From:    Listing 10.1, section 10.1.1, file reduce.cu of chapter 10
// Compile: nvcc -O3 reduce-atomic.cu
// Run:     ./a.out -n 100000000
//
// `d_y[0] += s_y[0]` consists of a load, an addition and a store. The addition of another block is
// lost if it comes between this load and this store. atomicAdd makes one operation of the three.
// The order of the blocks stays undefined. So the last digits of a sum of floats may differ from
// run to run.

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
static real *h_x, *d_x;    // the numbers
static real *d_sum;        // where `stay` leaves its sum
static real sum;           // of a version that returns it
static real sum_on_device; // a copy of *d_sum
static Total total;        // what it should be

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

// Listing 9.4 with dynamic shared memory: one sum of each block.
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

// 10.1.1. The same, but all blocks add to d_y[0], which must be 0 before the launch.
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
        atomicAdd(d_y, s_y[0]); // without the `if` each block would add its sum 128 times
    }
}

// ---- What the versions do

// The versions of chapter 9: the host copies the sums of all blocks and adds them.
real reduce_with_host(const real *d_x, size_t N)
{
    const int grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const int smem = sizeof(real) * BLOCK_SIZE;
    const size_t y_bytes = sizeof(real) * grid_size;

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

// Listing 10.1. h_y is on the stack: cudaMemcpy takes any address of the host, also that of a local
// array.
real reduce(const real *d_x, size_t N)
{
    const int grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const int smem = sizeof(real) * BLOCK_SIZE;

    real h_y[1] = {0};
    real *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real)));
    CHECK(cudaMemcpy(d_y, h_y, sizeof(real), cudaMemcpyHostToDevice));

    reduce_atomic<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_y, N);

    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    return h_y[0];
}

// The sum stays in *d_sum, on the device.
void reduce_and_stay(const real *d_x, real *d_sum, size_t N)
{
    const int grid_size = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const int smem = sizeof(real) * BLOCK_SIZE;
    CHECK(cudaMemset(d_sum, 0, sizeof(real)));
    reduce_atomic<<<grid_size, BLOCK_SIZE, smem>>>(d_x, d_sum, N);
}

// ---- The table

void run_cpu(void) { sum = reduce_cpu(h_x, N); }
void run_dynamic(void) { sum = reduce_with_host(d_x, N); }
void run_atomic(void) { sum = reduce(d_x, N); }
void run_stay(void) { reduce_and_stay(d_x, d_sum, N); }

void check_loop(void) { check_total(sum, &total, N); }

// The most additions that one element passes through: 7 in its block, then one for each block. This
// also holds for atomic additions, in any order.
double most_additions(size_t N) { return HALVINGS + (N + BLOCK_SIZE - 1) / BLOCK_SIZE; }

void check_returned(void) { check_total(sum, &total, most_additions(N)); }
void check_left(void) { check_total(sum_on_device, &total, most_additions(N)); }

const Version VERSIONS[] = {
    {"cpu", "a loop on the host (Listing 9.1)", run_cpu, check_loop, ON_HOST},
    {"dynamic", "the last of chapter 9: the host copies the blocks' sums and adds them",
     run_dynamic, check_returned, ON_DEVICE, NULL, NULL, false, "the host adds the blocks' sums"},
    {"atomic", "the blocks add their sums to one number; only this number is copied", run_atomic,
     check_returned, ON_DEVICE, NULL, NULL, false, "additions to one number wait for each other"},
    {"stay", "the same, but the number stays on the device, in memory that is allocated once",
     run_stay, check_left},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// The numbers are now those of h_x.
void take_numbers(Addition addition)
{
    CHECK(cudaMemcpy(d_x, h_x, N * sizeof(real), cudaMemcpyHostToDevice));
    total = total_of(h_x, N, addition);
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 1 << 17);
    args.bytes_per_element = sizeof(real) + 1; // and the blocks' sums
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce-atomic: a reduction that ends on the device, because its blocks add "
               "atomically to one sum");
    N = args.N;

    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_sum, sizeof(real)));

    Table table = {};
    table.outputs[0] = {&sum, NULL, sizeof(real)};
    table.outputs[1] = {&sum_on_device, d_sum, sizeof(real)};
    table.temporaries[0] = (N + BLOCK_SIZE - 1) / BLOCK_SIZE * sizeof(real); // the blocks' sums
    table.temporaries[1] = sizeof(real);
    table.bytes = bytes;
    table.ceiling = read_ceiling(bytes);
    table.always = "copied_kib";

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
    CHECK(cudaFree(d_sum));
    free(h_x);
    return verdict();
}
