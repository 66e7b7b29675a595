// reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and past it
//
// From:    Listings 9.1, 9.3, 9.4, 10.1, 11.1, 11.3 to 11.7; Table 11.1
// Compile: nvcc -O3 reduce.cu
// Run:     ./a.out -n 100000000
// Versions:
//   global         each block halves its 128 numbers in place; the host adds the blocks' sums
//   static         ... halves them in shared memory: the array stays as it is
//   dynamic        ... of a size that is given at the launch
//   atomic         the device adds the blocks' sums, too
//   syncwarp       the last five halvings wait for a warp instead of the block
//   shfl           ... and go through registers instead of shared memory
//   cg             the same, written with cooperative groups
//   parallelism    fewer blocks, whose threads add up many numbers first; a second launch ends it
//   static-memory  ... without cudaMalloc and cudaFree in every call
//   vector         16 bytes a load, four loads under way
//   single         one launch: the block that is last adds the blocks' sums
//   polled         the last block waits for the others' sums; the next call is set up meanwhile
// Checks:  40 (51 on a GPU)
// Sizes:   4097 1 1000 300007 33

#include <cooperative_groups.h>
#include "reduce_fast.cuh"
#include "reduce_race.cuh"
// Listing 9.1. In float the sum stops growing where half the step between two floats exceeds x.
void run_cpu(Problem *p)
{
    real sum = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        sum += p->h_x[n];
    }
    p->h_sum = sum;
    p->chain = p->N;
}

// Listing 9.3. The upper half of the block's numbers is added to the lower one until one is left.
// The array's size has to be a multiple of the block's.
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
        __syncthreads(); // the next step reads what other threads wrote in this one
    }
    if (tid == 0)
    {
        d_y[blockIdx.x] = x[0];
    }
}

// Each thread's number into shared memory, or 0 past the array's end: any N will do.
__device__ void load(real *s_y, const real *d_x, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    s_y[threadIdx.x] = n < N ? d_x[n] : (real)0.0;
    __syncthreads();
}

// Halves the block's numbers in shared memory until `left` are left.
__device__ void halve(real *s_y, int left)
{
    for (int tid = threadIdx.x, offset = blockDim.x >> 1; offset >= left; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncthreads();
    }
}

// Listing 9.4. Seven rounds of reads and writes are taken from global memory, whose array stays.
__global__ void reduce_static(const real *d_x, real *d_y, size_t N)
{
    __shared__ real s_y[BLOCK_SIZE];
    load(s_y, d_x, N);
    halve(s_y, 1);
    if (threadIdx.x == 0)
    {
        d_y[blockIdx.x] = s_y[0];
    }
}

// 9.1.3: with the size at the launch, the kernel's cannot contradict it. No faster, no slower.
__global__ void reduce_dynamic(const real *d_x, real *d_y, size_t N)
{
    extern __shared__ real s_y[];
    load(s_y, d_x, N);
    halve(s_y, 1);
    if (threadIdx.x == 0)
    {
        d_y[blockIdx.x] = s_y[0];
    }
}

// 10.1.1: removes the copy of N / 128 sums to the host, and the host's loop over them.
__global__ void reduce_atomic(const real *d_x, real *d_sum, size_t N)
{
    extern __shared__ real s_y[];
    load(s_y, d_x, N);
    halve(s_y, 1);
    if (threadIdx.x == 0)
    {
        atomicAdd(d_sum, s_y[0]);
    }
}

// Listing 11.1: removes five barriers that three warps had no part in but to wait for the first.
__global__ void reduce_syncwarp(const real *d_x, real *d_sum, size_t N)
{
    extern __shared__ real s_y[];
    load(s_y, d_x, N);
    halve(s_y, 32);
    for (int tid = threadIdx.x, offset = 16; offset > 0; offset >>= 1)
    {
        if (tid < offset)
        {
            s_y[tid] += s_y[tid + offset];
        }
        __syncwarp();
    }
    if (threadIdx.x == 0)
    {
        atomicAdd(d_sum, s_y[0]);
    }
}

// A warp's sum in its lane 0. A shuffle reads all lanes before any of them changes its y.
__device__ real warp_sum(real y)
{
    for (int offset = 16; offset > 0; offset >>= 1)
    {
        y += __shfl_down_sync(0xffffffff, y, offset);
    }
    return y;
}

// Listing 11.3: removes the last five rounds through shared memory, with their `if` and their wait.
__global__ void reduce_shfl(const real *d_x, real *d_sum, size_t N)
{
    extern __shared__ real s_y[];
    load(s_y, d_x, N);
    halve(s_y, 32);
    const real y = warp_sum(s_y[threadIdx.x]);
    if (threadIdx.x == 0)
    {
        atomicAdd(d_sum, y);
    }
}

// A warp's sum once more, by a tile of cooperative groups, which knows its size and its mask.
__device__ real tile_sum(real y)
{
    namespace cg = cooperative_groups;
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    for (int offset = tile.size() >> 1; offset > 0; offset >>= 1)
    {
        y += tile.shfl_down(y, offset);
    }
    return y;
}

// Listing 11.4
__global__ void reduce_cg(const real *d_x, real *d_sum, size_t N)
{
    extern __shared__ real s_y[];
    load(s_y, d_x, N);
    halve(s_y, 32);
    const real y = tile_sum(s_y[threadIdx.x]);
    if (threadIdx.x == 0)
    {
        atomicAdd(d_sum, y);
    }
}

// Listing 11.5. While numbers are halved, most threads have nothing to do; so first each adds up
// many, the whole grid's width apart. That also leaves few enough sums for a launch to end it.
__global__ void reduce_parallelism(const real *d_x, real *d_y, size_t N)
{
    extern __shared__ real s_y[];
    real y = 0.0;
    const size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x; n < N; n += stride)
    {
        y += d_x[n];
    }
    s_y[threadIdx.x] = y;
    __syncthreads();
    halve(s_y, 32);
    y = tile_sum(s_y[threadIdx.x]);
    if (threadIdx.x == 0)
    {
        d_y[blockIdx.x] = y;
    }
}

void run_global(Problem *p)
{
    p->spoiled = true;
    real *d_y = allocate_sums(p);
    reduce_global<<<num_blocks(p), BLOCK_SIZE>>>(p->d_work, d_y);
    add_on_host(p, d_y);
}

typedef void (*Kernel)(const real *, real *, size_t);
template <Kernel reduce, size_t SHARED>
void run_to_host(Problem *p)
{
    real *d_y = allocate_sums(p);
    reduce<<<num_blocks(p), BLOCK_SIZE, SHARED>>>(p->d_x, d_y, p->N);
    add_on_host(p, d_y);
}

// Listing 10.1, for the four kernels that end with an atomic addition.
template <Kernel reduce>
void run_atomic(Problem *p)
{
    CHECK(cudaMemset(p->d_sum, 0, sizeof(real)));
    reduce<<<num_blocks(p), BLOCK_SIZE, SHARED_BYTES>>>(p->d_x, p->d_sum, p->N);
    p->chain = HALVINGS + num_blocks(p);
}

// Listing 11.6's two launches: of at most 10240 blocks, and of one for these blocks' sums.
void launch_twice(Problem *p, real *d_y)
{
    const int grid_size = std::min(num_blocks(p), GRID_SIZE);
    reduce_parallelism<<<grid_size, BLOCK_SIZE, SHARED_BYTES>>>(p->d_x, d_y, p->N);
    reduce_parallelism<<<1, 1024, 1024 * sizeof(real)>>>(d_y, p->d_sum, grid_size);
    p->chain = p->N / (grid_size * BLOCK_SIZE) + 1 + HALVINGS + GRID_SIZE / 1024 + 10;
}

void run_parallelism(Problem *p)
{
    real *d_y;
    CHECK(cudaMalloc(&d_y, GRID_SIZE * sizeof(real)));
    launch_twice(p, d_y);
    CHECK(cudaFree(d_y));
}

void run_static_memory(Problem *p) // Listing 11.7
{
    launch_twice(p, static_memory());
}

const Version<Problem> versions[] = {
    {"cpu", run_cpu, ON_HOST},
    {"global", run_global},
    {"static", run_to_host<reduce_static, 0>},
    {"dynamic", run_to_host<reduce_dynamic, SHARED_BYTES>},
    {"atomic", run_atomic<reduce_atomic>},
    {"syncwarp", run_atomic<reduce_syncwarp>},
    {"shfl", run_atomic<reduce_shfl>},
    {"cg", run_atomic<reduce_cg>},
    {"parallelism", run_parallelism},
    {"static-memory", run_static_memory},
    {"vector", run_vector},
    {"single", run_single},
    {"polled", run_polled},
    {"cub", GPU_ONLY(run_cub), ON_DEVICE, 0.0, "CUB"},
};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(BOOK_N, 40000);
    args.bytes_per_element = 2 * sizeof(real) + 1; // and the blocks' sums
    args.versions = version_names(versions);
    preset_book(&args, argc, argv);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce: the sum of an array in fourteen steps, from a loop on the host to CUB and "
               "past it");

    Problem p = make_problem(args.N);
    Ladder<Problem> ladder = {&p, check, restore_work};
    ladder.outputs[0] = {&p.h_sum, p.d_sum, sizeof(real)};
    ladder.outputs[1] = {NULL, static_memory(), sizeof(static_y)}; // no version finds another's
    ladder.bytes = (double)args.N * sizeof(real);
    ladder.ceiling = READ_CEILING;
    if (args.book)
    {
        run_book(&args, &ladder, versions);
    }
    else
    {
        check_integers(&args, &ladder, versions);
        fill_random(p.h_x, p.N, args.seed);
        take_data(&p);
        run_versions(&args, &ladder, versions);
        race_cub(&args, &p, run_polled, GPU_ONLY(run_cub));
    }
    check_emptied(p.d_slots, GRID_SIZE * sizeof(Slot<real>));
    free_problem(&p);
    return verdict();
}
