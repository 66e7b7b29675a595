// reduce-wrong: two reductions whose threads do not wait for each other, and who finds that out
//
// From:    Listing 9.2
// Compile: nvcc -O3 -lineinfo reduce-wrong.cu
// Run:     ./a.out -n 1048576
// Versions:
//   right    a barrier after every step, a sum for each block; the host adds these up
//   global   Listing 9.2: all of the grid halves one array, without any waiting
//   shared   `right` without its barriers
// Faults:  racecheck (the reads of s_y meet the writes of the step before)
// Checks:  1
//
// A race may well give the right sum: when the threads happen to run in the order that the author
// had in mind. So what comes out of `global` and `shared` is counted, never judged. In shared
// memory `compute-sanitizer --tool racecheck` reports the race, right sum or not. It does not look
// at global memory, and no barrier would help there: __syncthreads() is for one block only.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"

const int BLOCK_SIZE = 1024;

// What the two below lack. Integers, so that a wrong sum cannot be rounding.
__global__ void reduce_right(int *d_x, int *d_y)
{
    __shared__ int s_y[BLOCK_SIZE];
    const int tid = threadIdx.x;
    s_y[tid] = d_x[(size_t)blockDim.x * blockIdx.x + tid];
    __syncthreads();
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2)
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

// Listing 9.2, N a power of 2. In the first step thread N/4 adds to d_x[N/4], which in the second
// one thread 0 reads, in another block: earlier or later, as it happens. The sum is in d_x[0].
__global__ void reduce_global(int *d_x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    for (size_t offset = N / 2; offset > 0; offset /= 2)
    {
        if (n < offset)
        {
            d_x[n] += d_x[n + offset];
        }
    }
}

// Within a warp the threads often run in step. Between the 32 warps of a block nothing sees to it.
__global__ void reduce_shared(int *d_x, int *d_y)
{
    __shared__ int s_y[BLOCK_SIZE];
    const int tid = threadIdx.x;
    s_y[tid] = d_x[(size_t)blockDim.x * blockIdx.x + tid];
    for (int offset = blockDim.x / 2; offset > 0; offset /= 2)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
    }
    if (tid == 0)
    {
        d_y[blockIdx.x] = s_y[0];
    }
}

struct Problem
{
    size_t padded; // the next power of 2 from N on, with zeros behind the N numbers
    int grid_size;
    int *h_x, *h_y, *d_x, *d_y;
};

int run(const Problem *p, const char *name)
{
    CHECK(cudaMemcpy(p->d_x, p->h_x, p->padded * sizeof(int), cudaMemcpyHostToDevice));
    poison(p->h_y, p->grid_size * sizeof(int));
    CHECK(cudaMemcpy(p->d_y, p->h_y, p->grid_size * sizeof(int), cudaMemcpyHostToDevice));
    if (strcmp(name, "global") == 0)
    {
        reduce_global<<<p->grid_size, BLOCK_SIZE>>>(p->d_x, p->padded);
    }
    else if (strcmp(name, "shared") == 0)
    {
        reduce_shared<<<p->grid_size, BLOCK_SIZE>>>(p->d_x, p->d_y);
    }
    else
    {
        reduce_right<<<p->grid_size, BLOCK_SIZE>>>(p->d_x, p->d_y);
    }
    CHECK_LAUNCH();
    const bool in_one = strcmp(name, "global") == 0;
    const size_t count = in_one ? 1 : p->grid_size;
    const size_t bytes = count * sizeof(int);
    CHECK(cudaMemcpy(p->h_y, in_one ? p->d_x : p->d_y, bytes, cudaMemcpyDeviceToHost));
    unsigned int sum = 0; // without overflow, if rubbish is to be added up
    for (size_t bid = 0; bid < count; ++bid)
    {
        sum += (unsigned int)p->h_y[bid];
    }
    return (int)sum;
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(1 << 20, 1 << 16);
    args.bytes_per_element = 3 * sizeof(int); // at most, when N is rounded up
    args.bytes_on_host = 3 * sizeof(int);
    args.versions = "right global shared";
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME",
               "reduce-wrong: two reductions whose threads do not wait for each other, and who "
               "finds that out");

    Problem p = {};
    p.padded = BLOCK_SIZE;
    while (p.padded < args.N)
    {
        p.padded *= 2;
    }
    p.grid_size = p.padded / BLOCK_SIZE;
    p.h_x = (int *)calloc(p.padded, sizeof(int));
    p.h_y = (int *)malloc(p.grid_size * sizeof(int));
    CHECK(cudaMalloc(&p.d_x, p.padded * sizeof(int)));
    CHECK(cudaMalloc(&p.d_y, p.grid_size * sizeof(int)));
    fill_integers(p.h_x, args.N, args.seed);
    long long reference = 0;
    for (size_t n = 0; n < args.N; ++n)
    {
        reference += p.h_x[n];
    }

    print_device();
    printf("N = %zu (%zu with zeros behind), sum %lld, %zu runs each\n", args.N, p.padded,
           reference, args.repeats);
    printf("version     wrong sums  the last one\n");
    const bool all = strcmp(args.version, "all") == 0;
    bool right = true;
    for (const char *name : {"right", "global", "shared"})
    {
        size_t wrong = 0;
        int sum = 0;
        const bool selected = all || strcmp(args.version, name) == 0;
        for (size_t i = 0; i < args.repeats && selected; ++i)
        {
            sum = run(&p, name);
            wrong += sum != reference;
        }
        if (selected)
        {
            right = right && (wrong == 0 || strcmp(name, "right") != 0);
            printf("%-10s  %10zu  %d\n", name, wrong, sum);
        }
    }
    check_true("the sum with barriers", right && run(&p, "right") == reference);

    CHECK(cudaFree(p.d_x));
    CHECK(cudaFree(p.d_y));
    free(p.h_x);
    free(p.h_y);
    return verdict();
}
