// memcheck: four faults that a program may well survive, and the tool that names each of them
//
// From:    Section 4.2; S4 3.4
// Compile: nvcc -O3 -lineinfo memcheck.cu
// Run:     ./a.out
//
// Without -k the program lists the faults and the command that finds each. With -k it commits one
// of them and reports if the results are wrong. Its status is 3 if a CUDA call failed, else 0.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/error.cuh"
#include "../common/version_names.cuh"

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

// The numbers that a fault works on, and the results that it should have.
struct Data
{
    int h_x[N], h_z[N], expected[N];
    int *d_x, *d_z;
};

// Each of the four functions commits a fault. It returns the number of results, which the kernel
// leaves in d_z.

int commit_oob(Data *data)
{
    for (int n = 0; n < N; ++n)
    {
        data->expected[n] = data->h_x[n] + data->h_x[n];
    }
    add_oob<<<2, BLOCK_SIZE>>>(data->d_x, data->d_x, data->d_z);
    return N;
}

int commit_race(Data *data)
{
    data->expected[0] = 0;
    for (int n = 0; n < BLOCK_SIZE; ++n)
    {
        data->expected[0] += data->h_x[n];
    }
    sum_race<<<1, BLOCK_SIZE>>>(data->d_x, data->d_z);
    return 1;
}

int commit_uninit(Data *data)
{
    int *d_part;
    CHECK(cudaMalloc(&d_part, N * sizeof(int)));
    // N bytes are copied where N * sizeof(int) were meant: a quarter of the elements.
    CHECK(cudaMemcpy(d_part, data->h_x, N, cudaMemcpyHostToDevice));
    memcpy(data->expected, data->h_x, BLOCK_SIZE * sizeof(int));
    copy<<<1, BLOCK_SIZE>>>(d_part, data->d_z);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_part));
    return BLOCK_SIZE;
}

int commit_sync(Data *data)
{
    for (int n = 0; n < BLOCK_SIZE; ++n)
    {
        data->expected[n] = data->h_x[n ^ 1];
    }
    swap_sync<<<1, BLOCK_SIZE>>>(data->d_x, data->d_z);
    return BLOCK_SIZE;
}

const struct Fault
{
    const char *name, *tool, *what;
    bool named_on_cpu; // a plain run on the CPU backend reports it; the others take its checker
    int (*commit)(Data *);
} FAULTS[] = {
    {"oob", "memcheck", "add without its `if` works past the end of its arrays", true, commit_oob},
    {"race", "racecheck", "a sum in shared memory has no barriers in it", false, commit_race},
    {"uninit", "initcheck", "a quarter of an array is filled, all is read", false, commit_uninit},
    {"sync", "synccheck", "half the threads of each warp skip a barrier", true, commit_sync},
};

void describe(const Fault *fault)
{
    printf("%-7s %s\n", fault->name, said(fault->what));
    if (ON_GPU)
    {
        printf(said("see it: compute-sanitizer --tool %s ./bin/memcheck -k %s\n"), fault->tool,
               fault->name);
    }
    else if (fault->named_on_cpu)
    {
        printf(said("see it: ./bin/memcheck -k %s\n"), fault->name);
    }
    else
    {
        printf(said("see it: make CHECKER=1 memcheck && ./build/cpu-*-checker/memcheck -k %s\n"),
               fault->name);
    }
}

int main(int argc, char **argv)
{
    for (const Fault &fault : FAULTS)
    {
        add_version(fault.name, fault.what, NULL);
    }
    parse_args(argc, argv, "-k NAME",
               "memcheck: four faults that a program may well survive, and the tool that names "
               "each of them");
    const Fault *chosen = NULL;
    for (const Fault &fault : FAULTS)
    {
        if (strcmp(args.version, "all") == 0)
        {
            describe(&fault);
        }
        else if (strcmp(args.version, fault.name) == 0)
        {
            chosen = &fault;
        }
    }
    if (chosen == NULL)
    {
        return end_output(0);
    }
    describe(chosen);

    Data data;
    for (int n = 0; n < N; ++n)
    {
        data.h_x[n] = n + 1;
    }
    CHECK(cudaMalloc(&data.d_x, sizeof(data.h_x)));
    CHECK(cudaMalloc(&data.d_z, sizeof(data.h_z)));
    CHECK(cudaMemcpy(data.d_x, data.h_x, sizeof(data.h_x), cudaMemcpyHostToDevice));

    const int count = chosen->commit(&data);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize()); // ends the program if the fault was noticed

    CHECK(cudaMemcpy(data.h_z, data.d_z, count * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int n = 0; n < count; ++n)
    {
        wrong += data.h_z[n] != data.expected[n];
    }
    printf(said("seen:   no CUDA error; %d of %d results wrong\n"), wrong, count);
    CHECK(cudaFree(data.d_x));
    CHECK(cudaFree(data.d_z));
    return end_output(0);
}
