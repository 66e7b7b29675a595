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
#include "../common/versions.cuh"

const int BLOCK_SIZE = 1024;

static size_t padded; // the next power of 2 after N; behind the N numbers there are zeros
static int grid_size;
static int *h_x, *d_x;      // the numbers
static int *h_y, *d_y;      // the sums of the blocks
static int sum;             // of a version
static long long reference; // what it should be

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

void run_right(void)
{
    reduce_right<<<grid_size, BLOCK_SIZE>>>(d_x, d_y);
    CHECK_LAUNCH();
    sum = add_on_host(h_y, d_y, grid_size);
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

void run_global(void)
{
    reduce_global<<<grid_size, BLOCK_SIZE>>>(d_x, padded);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&sum, d_x, sizeof(int), cudaMemcpyDeviceToHost));
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

void run_shared(void)
{
    reduce_shared<<<grid_size, BLOCK_SIZE>>>(d_x, d_y);
    CHECK_LAUNCH();
    sum = add_on_host(h_y, d_y, grid_size);
}

// `right` alone is checked, below. The others' wrong sums are only counted.
const Version VERSIONS[] = {
    {"right", "a barrier after every step and one sum for each block; the host adds these sums",
     run_right},
    {"global", "Listing 9.2: the whole grid halves one array and never waits", run_global},
    {"shared", "`right` without its barriers", run_shared},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// All versions change d_x or d_y, so both are set up again before each launch.
void set_up(void)
{
    const size_t y_bytes = grid_size * sizeof(int);
    CHECK(cudaMemcpy(d_x, h_x, padded * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, POISON_BYTE, y_bytes));
    poison(h_y, y_bytes);
    poison(&sum, sizeof(int));
}

// Returns how many of the sums are wrong.
size_t count_wrong(const Version *version, size_t runs)
{
    size_t wrong = 0;
    for (size_t i = 0; i < runs; ++i)
    {
        set_up();
        version->run();
        wrong += sum != reference;
    }
    return wrong;
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 20, 1 << 16);
    args.bytes_per_element = 2 * sizeof(int); // at most, when N is rounded up
    add_versions(VERSIONS, NUM_VERSIONS);
    args.table_columns = ""; // the table is not the usual one
    args.columns = "  wrong sums    of all runs of the version\n"
                   "  the last one  the sum of its last run, wrong or right\n";
    parse_args(argc, argv, "-n N -r R -s S -k NAME",
               "reduce-wrong: two reductions whose threads do not wait for each other; racecheck "
               "reports only one");

    padded = BLOCK_SIZE;
    while (padded < args.N)
    {
        padded *= 2;
    }
    grid_size = padded / BLOCK_SIZE;
    h_x = (int *)calloc(padded, sizeof(int));
    h_y = (int *)malloc(grid_size * sizeof(int));
    CHECK(cudaMalloc(&d_x, padded * sizeof(int)));
    CHECK(cudaMalloc(&d_y, grid_size * sizeof(int)));
    fill_integers(h_x, args.N, args.seed);
    for (size_t n = 0; n < args.N; ++n)
    {
        reference += h_x[n];
    }

    print_device();
    printf(said("N = %zu (%zu with zeros behind), sum %lld, %zu runs each\n"), args.N, padded,
           reference, args.repeats);
    printf("version     wrong sums  the last one\n");
    for (int i = 0; i < NUM_VERSIONS; ++i)
    {
        const Version *version = &VERSIONS[i];
        if (is_selected(version->name))
        {
            const size_t wrong = count_wrong(version, args.repeats);
            printf("%-10s  %10zu  %d\n", version->name, wrong, sum);
            if (version->run == run_right)
            {
                check_true("the sums with barriers", wrong == 0);
            }
        }
    }
    if (!is_selected("right"))
    {
        check_true("the sum with barriers", count_wrong(&VERSIONS[0], 1) == 0);
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    free(h_x);
    free(h_y);
    return verdict();
}
