// reduce-wrong: two reductions whose threads do not wait for each other; racecheck reports only one
//
// From:    Listing 9.2, section 9.1.1
// Compile: nvcc -O3 -lineinfo reduce-wrong.cu
// Run:     ./a.out -n 1048576
//
// A program with a race may give the right sum: when the threads happen to run in the order that
// its author had in mind. So the program counts the wrong sums of `global` and `shared` and does
// not fail because of them. `compute-sanitizer --tool racecheck` reports the race in shared memory
// even if the sum is right. It does not look at global memory. A barrier would not help `global`
// either: __syncthreads() waits for the threads of one block only.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "../common/versions_data.cuh"

const int BLOCK_SIZE = 1024;

// Like Listing 9.4, but of integers: a wrong sum cannot be explained by rounding.
__global__ void reduce_right(int *d_x, int *d_y)
{
    const int tid = threadIdx.x;
    __shared__ int s_y[BLOCK_SIZE];
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

// WRONG: Listing 9.2, where N is a power of 2 and the sum should end up in d_x[0]. In the first
// step thread N / 4 adds to d_x[N / 4]. In the second step thread 0 reads d_x[N / 4]. The two
// threads belong to different blocks, and either may come first.
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

// WRONG: reduce_right without the barriers. The threads of one warp often run in step. The 32 warps
// of the block do not.
__global__ void reduce_shared(int *d_x, int *d_y)
{
    const int tid = threadIdx.x;
    __shared__ int s_y[BLOCK_SIZE];
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

// Copies the blocks' sums to the host and adds them up.
int add_on_host(int *h_y, const int *d_y, int grid_size)
{
    CHECK(cudaMemcpy(h_y, d_y, grid_size * sizeof(int), cudaMemcpyDeviceToHost));
    unsigned int sum = 0; // may overflow if the numbers are wrong, as an int may not
    for (int bid = 0; bid < grid_size; ++bid)
    {
        sum += (unsigned int)h_y[bid];
    }
    return (int)sum;
}

// What the versions work on.
struct Data
{
    size_t N, padded; // padded: the next power of 2; behind the N numbers there are zeros
    int grid_size;
    const int *h_x;
    int *h_y, *d_x, *d_y;
    int sum;
    long long reference;
};

void sum_right(Data *data)
{
    reduce_right<<<data->grid_size, BLOCK_SIZE>>>(data->d_x, data->d_y);
    CHECK_LAUNCH();
    data->sum = add_on_host(data->h_y, data->d_y, data->grid_size);
}

void sum_global(Data *data)
{
    reduce_global<<<data->grid_size, BLOCK_SIZE>>>(data->d_x, data->padded);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&data->sum, data->d_x, sizeof(int), cudaMemcpyDeviceToHost));
}

void sum_shared(Data *data)
{
    reduce_shared<<<data->grid_size, BLOCK_SIZE>>>(data->d_x, data->d_y);
    CHECK_LAUNCH();
    data->sum = add_on_host(data->h_y, data->d_y, data->grid_size);
}

// `right` alone is checked, below. The others' wrong sums are only counted.
const Version<Data> VERSIONS[] = {
    {"right", "a barrier after every step and one sum for each block; the host adds these sums",
     ON_DEVICE, sum_right},
    {"global", "Listing 9.2: the whole grid halves one array and never waits", ON_DEVICE,
     sum_global},
    {"shared", "`right` without its barriers", ON_DEVICE, sum_shared},
};

// All versions change d_x or d_y, so both are set up again before each launch.
void set_up(Data *data)
{
    const size_t y_bytes = data->grid_size * sizeof(int);
    CHECK(cudaMemcpy(data->d_x, data->h_x, data->padded * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(data->d_y, POISON_BYTE, y_bytes));
    poison(data->h_y, y_bytes);
    poison(&data->sum, sizeof(int));
}

// Returns how many of the sums are wrong.
size_t count_wrong(const Version<Data> *version, Data *data, size_t runs)
{
    size_t wrong = 0;
    for (size_t i = 0; i < runs; ++i)
    {
        set_up(data);
        version->run(data);
        wrong += data->sum != data->reference;
    }
    return wrong;
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 20, 1 << 16);
    args.bytes_per_element = 2 * sizeof(int); // at most, when N is rounded up
    add_versions(VERSIONS);
    args.table_columns = ""; // the table is not the usual one
    args.columns = "  wrong sums    of all runs of the version\n"
                   "  the last one  the sum of its last run, wrong or right\n";
    parse_args(argc, argv, "-n N -r R -s S -k NAME",
               "reduce-wrong: two reductions whose threads do not wait for each other; racecheck "
               "reports only one");

    size_t padded = BLOCK_SIZE;
    while (padded < args.N)
    {
        padded *= 2;
    }
    const int grid_size = padded / BLOCK_SIZE;
    int *h_x = (int *)calloc(padded, sizeof(int));
    int *h_y = (int *)malloc(grid_size * sizeof(int));
    int *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, padded * sizeof(int)));
    CHECK(cudaMalloc(&d_y, grid_size * sizeof(int)));
    fill_integers(h_x, args.N, args.seed);
    long long reference = 0;
    for (size_t n = 0; n < args.N; ++n)
    {
        reference += h_x[n];
    }

    Data data = {args.N, padded, grid_size, h_x, h_y, d_x, d_y, 0, reference};
    print_device();
    printf("N = %zu (%zu with zeros behind), sum %lld, %zu runs each\n", args.N, padded, reference,
           args.repeats);
    printf("version     wrong sums  the last one\n");
    for (const Version<Data> &version : VERSIONS)
    {
        if (is_selected(version.name))
        {
            const size_t wrong = count_wrong(&version, &data, args.repeats);
            printf("%-10s  %10zu  %d\n", version.name, wrong, data.sum);
            if (version.run == sum_right)
            {
                check_true("the sums with barriers", wrong == 0);
            }
        }
    }
    if (!is_selected("right"))
    {
        check_true("the sum with barriers", count_wrong(&VERSIONS[0], &data, 1) == 0);
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    return verdict();
}
