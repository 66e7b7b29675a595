// reduce2gpu: each block halves its numbers, in global and in shared memory; the host does the rest
//
// From:    Listings 9.3 and 9.4; sections 9.1.1 to 9.1.3
// Compile: nvcc -O3 reduce2gpu.cu
// Run:     ./a.out -n 100000000
// Versions:
//   cpu      the loop of reduce1cpu
//   global   a block adds the upper half of its numbers to the lower, again and again, in place
//   static   ... in shared memory, which is fast and its own, so that the array stays as it is
//   dynamic  ... whose size the launch gives
// Checks:  12
// Sizes:   4097 1 1000 300007 33
//
// A time has all that the book's has: memory for a sum of each block, the kernel, the sums' way to
// the host, and their addition there, one after the other. That is why it hardly differs between
// the kernels: chapter 10 and 11 go on from here, and ch11_warp/reduce.cu has the whole way.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const int BLOCK_SIZE = 128;
const int HALVINGS = 7; // of 128

struct Problem
{
    size_t N;
    int grid_size;
    real *h_x, *d_x, *d_work, *h_y; // d_work: a copy of d_x, for `global` to spoil
    real h_sum, *d_sum;
    double reference, sum_abs, chain; // chain: the most additions that a number passes through
    bool spoiled, integers;
};

void reduce_cpu(Problem *p)
{
    real sum = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        sum += p->h_x[n];
    }
    p->h_sum = sum;
    p->chain = p->N;
}

// Listing 9.3. The barrier makes all of the block wait for the halves before it adds quarters. It
// cannot make blocks wait for each other; so each has numbers of its own and leaves a sum of its
// own. The array has to have a multiple of 128 numbers, and a block 2, 4, 8, ... threads.
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

// Listing 9.4 (where N is no parameter). Each number is read from global memory once and never
// written there. Past the end of the array stand zeros, so any N will do.
__global__ void reduce_static(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const size_t n = (size_t)blockDim.x * blockIdx.x + tid;
    __shared__ real s_y[BLOCK_SIZE]; // one array in each block
    s_y[tid] = n < N ? d_x[n] : (real)0.0;
    __syncthreads(); // all is there before any of it is read
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
        d_y[blockIdx.x] = s_y[0]; // shared memory ends with its block
    }
}

// 9.1.3: the third value of the launch is the size in bytes, which always fits the block then. An
// array without a size, not a pointer: `extern __shared__ real *s_y` is something else.
__global__ void reduce_dynamic(const real *d_x, real *d_y, size_t N)
{
    const int tid = threadIdx.x;
    const size_t n = (size_t)blockDim.x * blockIdx.x + tid;
    extern __shared__ real s_y[];
    s_y[tid] = n < N ? d_x[n] : (real)0.0;
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
        d_y[blockIdx.x] = s_y[0];
    }
}

real *allocate_sums(const Problem *p)
{
    real *d_y;
    CHECK(cudaMalloc(&d_y, p->grid_size * sizeof(real)));
    return d_y;
}

// The blocks' sums, one for 128 numbers, are the host's to add up.
void finish_on_host(Problem *p, real *d_y)
{
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p->h_y, d_y, p->grid_size * sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    real sum = 0.0;
    for (int bid = 0; bid < p->grid_size; ++bid)
    {
        sum += p->h_y[bid];
    }
    CHECK(cudaMemcpy(p->d_sum, &sum, sizeof(real), cudaMemcpyHostToDevice));
    p->chain = HALVINGS + p->grid_size;
}

void run_global(Problem *p)
{
    p->spoiled = true;
    real *d_y = allocate_sums(p);
    reduce_global<<<p->grid_size, BLOCK_SIZE>>>(p->d_work, d_y);
    finish_on_host(p, d_y);
}

void run_static(Problem *p)
{
    real *d_y = allocate_sums(p);
    reduce_static<<<p->grid_size, BLOCK_SIZE>>>(p->d_x, d_y, p->N);
    finish_on_host(p, d_y);
}

void run_dynamic(Problem *p)
{
    real *d_y = allocate_sums(p);
    const size_t bytes = BLOCK_SIZE * sizeof(real);
    reduce_dynamic<<<p->grid_size, BLOCK_SIZE, bytes>>>(p->d_x, d_y, p->N);
    finish_on_host(p, d_y);
}

// Untimed, before every launch. The zeros behind the copy stay zeros.
void restore_work(Problem *p)
{
    if (p->spoiled)
    {
        const size_t bytes = p->N * sizeof(real);
        CHECK(cudaMemcpy(p->d_work, p->d_x, bytes, cudaMemcpyDeviceToDevice));
        p->spoiled = false;
    }
}

void take_data(Problem *p, bool integers)
{
    p->integers = integers;
    p->spoiled = true;
    CHECK(cudaMemcpy(p->d_x, p->h_x, p->N * sizeof(real), cudaMemcpyHostToDevice));
    p->reference = sum_compensated(p->h_x, p->N);
    p->sum_abs = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        p->sum_abs += fabs((double)p->h_x[n]);
    }
}

// Small integers have one sum in any order. With others, rounding may add up along the chain.
Outcome check(const Problem *p, const Version<Problem> *version)
{
    if (p->integers)
    {
        check_elements(version->name, &p->h_sum, &p->reference, 1);
    }
    else
    {
        check_sum(version->name, p->h_sum, p->reference, p->sum_abs, p->chain, REAL_EPSILON);
    }
    return {p->h_sum, fabs(p->h_sum - p->reference) / p->sum_abs};
}

const Version<Problem> versions[] = {{"cpu", reduce_cpu, ON_HOST},
                                     {"global", run_global},
                                     {"static", run_static},
                                     {"dynamic", run_dynamic}};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000, 100000);
    args.bytes_per_element = 2 * sizeof(real) + 1; // and the blocks' sums
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce2gpu: each block halves its numbers, in global and in shared memory; the "
               "host does the rest");

    Problem p = {};
    p.N = args.N;
    p.grid_size = (p.N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const size_t padded = (size_t)p.grid_size * BLOCK_SIZE * sizeof(real);
    p.h_x = (real *)malloc(p.N * sizeof(real));
    p.h_y = (real *)malloc(p.grid_size * sizeof(real));
    CHECK(cudaMalloc(&p.d_x, p.N * sizeof(real)));
    CHECK(cudaMalloc(&p.d_work, padded));
    CHECK(cudaMemset(p.d_work, 0, padded));
    CHECK(cudaMalloc(&p.d_sum, sizeof(real)));

    Ladder<Problem> ladder = {&p, check, restore_work};
    ladder.outputs[0] = {&p.h_sum, p.d_sum, sizeof(real)};
    ladder.bytes = (double)p.N * sizeof(real);
    ladder.ceiling = READ_CEILING;

    fill_integers(p.h_x, p.N, args.seed);
    take_data(&p, true);
    check_versions(&args, &ladder, versions);

    args.book ? fill_constant(p.h_x, p.N, (real)1.23) : fill_random(p.h_x, p.N, args.seed);
    take_data(&p, false);
    run_versions(&args, &ladder, versions);

    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_work));
    CHECK(cudaFree(p.d_sum));
    free(p.h_x);
    free(p.h_y);
    return verdict();
}
