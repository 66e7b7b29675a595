// reduce-atomic: a reduction that ends on the device, because its blocks add atomically to one sum
//
// From:    Listing 10.1, section 10.1.1
// Compile: nvcc -O3 reduce-atomic.cu
// Run:     ./a.out -n 100000000
// Versions:
//   cpu      the loop of reduce1cpu
//   dynamic  chapter 9's last: the host copies the blocks' sums and adds them up
//   atomic   Listing 10.1: the blocks add their sums to one number; only that is copied
//   stay     ... which stays on the device, where there is a place for it all the time
// Checks:  12
// Sizes:   4097 1 1000 300007 33
//
// `d_sum[0] += s_y[0]` would be three things, a load, an addition, a store, and between them other
// blocks' additions could get lost. atomicAdd does the three as one. In which order the blocks
// come is open. So the last digits of a sum of floats may change from run to run.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const int BLOCK_SIZE = 128;
const int HALVINGS = 7; // of 128
const size_t SHARED_BYTES = BLOCK_SIZE * sizeof(real);

struct Problem
{
    size_t N;
    int grid_size;
    real *h_x, *d_x, *h_y;
    real h_sum, *d_sum;
    double reference, sum_abs, chain; // chain: the most additions that a number passes through
    bool integers;
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

// Listing 9.4 with dynamic shared memory: a sum of each block.
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

// The same, and the blocks' sums are added here, too. *d_sum has to be 0 before.
__global__ void reduce_atomic(const real *d_x, real *d_sum, size_t N)
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
        atomicAdd(d_sum, s_y[0]); // one for each block: without the `if`, 128 times too much
    }
}

// The blocks' sums, one for 128 numbers, are the host's to add up.
void run_dynamic(Problem *p)
{
    real *d_y, sum = 0.0;
    CHECK(cudaMalloc(&d_y, p->grid_size * sizeof(real)));
    reduce_dynamic<<<p->grid_size, BLOCK_SIZE, SHARED_BYTES>>>(p->d_x, d_y, p->N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p->h_y, d_y, p->grid_size * sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    for (int bid = 0; bid < p->grid_size; ++bid)
    {
        sum += p->h_y[bid];
    }
    CHECK(cudaMemcpy(p->d_sum, &sum, sizeof(real), cudaMemcpyHostToDevice));
    p->chain = HALVINGS + p->grid_size;
}

// Listing 10.1. The host's part of a copy may lie on the stack, as h_y does, if it is small.
void run_atomic(Problem *p)
{
    real h_y[1] = {0}, *d_y;
    CHECK(cudaMalloc(&d_y, sizeof(real)));
    CHECK(cudaMemcpy(d_y, h_y, sizeof(real), cudaMemcpyHostToDevice));
    reduce_atomic<<<p->grid_size, BLOCK_SIZE, SHARED_BYTES>>>(p->d_x, d_y, p->N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(h_y, d_y, sizeof(real), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_y));
    CHECK(cudaMemcpy(p->d_sum, h_y, sizeof(real), cudaMemcpyHostToDevice));
    p->chain = HALVINGS + p->grid_size; // one after the other, in whatever order
}

void run_stay(Problem *p)
{
    CHECK(cudaMemset(p->d_sum, 0, sizeof(real)));
    reduce_atomic<<<p->grid_size, BLOCK_SIZE, SHARED_BYTES>>>(p->d_x, p->d_sum, p->N);
    p->chain = HALVINGS + p->grid_size;
}

void take_data(Problem *p, bool integers)
{
    p->integers = integers;
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
                                     {"dynamic", run_dynamic},
                                     {"atomic", run_atomic},
                                     {"stay", run_stay}};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000, 100000);
    args.bytes_per_element = sizeof(real) + 1; // and the blocks' sums
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce-atomic: a reduction that ends on the device, because its blocks add "
               "atomically to one sum");

    Problem p = {};
    p.N = args.N;
    p.grid_size = (p.N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    p.h_x = (real *)malloc(p.N * sizeof(real));
    p.h_y = (real *)malloc(p.grid_size * sizeof(real));
    CHECK(cudaMalloc(&p.d_x, p.N * sizeof(real)));
    CHECK(cudaMalloc(&p.d_sum, sizeof(real)));

    Ladder<Problem> ladder = {&p, check};
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
    CHECK(cudaFree(p.d_sum));
    free(p.h_x);
    free(p.h_y);
    return verdict();
}
