// memcheck: four faults that a program may well survive, and the tool that names each of them
//
// From:    Section 4.2; S4 3.4
// Compile: nvcc -O3 -lineinfo memcheck.cu
// Run:     ./a.out
// Options: -k NAME
// Versions:
//   oob     the book's case: add without its `if`, past the end of its arrays (memcheck)
//   race    a sum in shared memory without barriers between its steps (racecheck)
//   uninit  an array filled only in part, because a copy took elements for bytes (initcheck)
//   sync    a barrier in one branch only, so that half of each warp skips it (synccheck)
// Chinese: 四种程序可能照常运行的错误，以及能指出每种错误的工具
//
// Without -k the program lists the faults and the command that finds each. With -k it commits one
// of them and reports if the results are wrong. Its status is 3 if a CUDA call failed, else 0.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/error.cuh"

const int BLOCK_SIZE = 1024;
const int N = BLOCK_SIZE + 1; // so that a grid of two blocks has 1023 threads too many

// No `if (n < N)`: 1023 threads of the last block read and write past the ends of the arrays.
__global__ void add_oob(const int *x, const int *y, int *z)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    z[n] = x[n] + y[n];
}

// Each step reads numbers that other threads wrote in the step before, but does not wait for them.
__global__ void sum_race(const int *x, int *sum)
{
    __shared__ int s_x[BLOCK_SIZE];
    const int tid = threadIdx.x;
    s_x[tid] = x[tid];
    for (int offset = BLOCK_SIZE / 2; offset > 0; offset /= 2)
    {
        if (tid < offset)
        {
            s_x[tid] += s_x[tid + offset];
        }
    }
    if (tid == 0)
    {
        *sum = s_x[0];
    }
}

__global__ void copy(const int *x, int *y)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    y[n] = x[n];
}

// Neighbours swap their numbers, but only the even threads wait for the others at the barrier.
__global__ void swap_sync(const int *x, int *y)
{
    __shared__ int s_x[BLOCK_SIZE];
    const int tid = threadIdx.x;
    s_x[tid] = x[tid];
    if (tid % 2 == 0)
    {
        __syncthreads();
    }
    y[tid] = s_x[tid ^ 1];
}

const struct Fault
{
    const char *name, *tool, *what;
    bool named_on_cpu; // the CPU backend reports it; for the others its checker is still missing
} FAULTS[] = {
    {"oob", "memcheck", "add without its `if` works past the end of its arrays", true},
    {"race", "racecheck", "a sum in shared memory has no barriers in it", false},
    {"uninit", "initcheck", "a quarter of an array is filled, all is read", false},
    {"sync", "synccheck", "half the threads of each warp skip a barrier", true},
};

void describe(const Fault &fault)
{
    printf("%-7s %s\n", fault.name, fault.what);
    if (ON_GPU)
    {
        printf("see it: compute-sanitizer --tool %s ./bin/memcheck -k %s\n", fault.tool,
               fault.name);
    }
    else if (fault.named_on_cpu)
    {
        printf("see it: ./bin/memcheck -k %s\n", fault.name);
    }
    else
    {
        printf("see it: waits for the CPU backend's checker, which is still to come\n");
    }
}

int main(int argc, char **argv)
{
    Args args;
    args.version = "none";
    parse_args(&args, argc, argv, "-k NAME",
               "memcheck: four faults that a program may well survive, and the tool that names "
               "each of them");
    const char *const chosen = args.version;
    const bool list = strcmp(chosen, "none") == 0;
    bool found = list;
    for (const Fault &fault : FAULTS)
    {
        if (list || strcmp(chosen, fault.name) == 0)
        {
            found = true;
            describe(fault);
        }
    }
    if (!found)
    {
        usage_error(&args, "-k wants oob, race, uninit or sync, not '%s'", chosen);
    }
    if (list)
    {
        return end_output(0);
    }

    int h_x[N], h_z[N], expected[N];
    for (int n = 0; n < N; ++n)
    {
        h_x[n] = n + 1;
    }
    int *d_x, *d_z;
    CHECK(cudaMalloc(&d_x, sizeof(h_x)));
    CHECK(cudaMalloc(&d_z, sizeof(h_z)));
    CHECK(cudaMemcpy(d_x, h_x, sizeof(h_x), cudaMemcpyHostToDevice));

    int count = BLOCK_SIZE; // the number of results
    if (strcmp(chosen, "oob") == 0)
    {
        count = N;
        for (int n = 0; n < N; ++n)
        {
            expected[n] = h_x[n] + h_x[n];
        }
        add_oob<<<2, BLOCK_SIZE>>>(d_x, d_x, d_z);
    }
    else if (strcmp(chosen, "race") == 0)
    {
        count = 1;
        expected[0] = 0;
        for (int n = 0; n < BLOCK_SIZE; ++n)
        {
            expected[0] += h_x[n];
        }
        sum_race<<<1, BLOCK_SIZE>>>(d_x, d_z);
    }
    else if (strcmp(chosen, "uninit") == 0)
    {
        int *d_part;
        CHECK(cudaMalloc(&d_part, N * sizeof(int)));
        // N bytes are copied where N * sizeof(int) were meant: a quarter of the elements.
        CHECK(cudaMemcpy(d_part, h_x, N, cudaMemcpyHostToDevice));
        memcpy(expected, h_x, BLOCK_SIZE * sizeof(int));
        copy<<<1, BLOCK_SIZE>>>(d_part, d_z);
    }
    else // sync
    {
        for (int n = 0; n < BLOCK_SIZE; ++n)
        {
            expected[n] = h_x[n ^ 1];
        }
        swap_sync<<<1, BLOCK_SIZE>>>(d_x, d_z);
    }
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize()); // ends the program if the fault was noticed

    CHECK(cudaMemcpy(h_z, d_z, count * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int n = 0; n < count; ++n)
    {
        wrong += h_z[n] != expected[n];
    }
    printf("seen:   no CUDA error; %d of %d results wrong\n", wrong, count);
    return end_output(0);
}
