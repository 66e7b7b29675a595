// thread-index: which block, thread and warp a thread is, which element is its own, and how far
// grids and blocks go
//
// From:    Sections 2.3.3 and 2.3.4, Fig. 2.1, Fig. 2.2; S1 3.2; S4 3.1
// Compile: nvcc thread-index.cu
// Run:     ./a.out
// Checks:  34
//
// The kernels compute linear indices by formula, the host never does: it counts through grid and
// block like an odometer, and each element asks by division whose it is. So each proves the other.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Place
{
    uint3 block, thread;
    unsigned bid, tid, warp, lane;
};

__device__ Place my_place()
{
    const unsigned bid = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return {blockIdx, threadIdx, bid, tid, tid / warpSize, tid % warpSize};
}

__global__ void record_places(Place *places)
{
    const Place me = my_place();
    places[me.bid * (blockDim.x * blockDim.y * blockDim.z) + me.tid] = me;
}

// One thread an element of an M x N x K array. K, whose neighbours are neighbours in memory, lies
// along x, whose neighbours are neighbours in a warp.
__global__ void visit_elements(Place *visitor, int *visits, int M, int N, int K)
{
    const int k = blockDim.x * blockIdx.x + threadIdx.x;
    const int n = blockDim.y * blockIdx.y + threadIdx.y;
    const int m = blockDim.z * blockIdx.z + threadIdx.z;
    if (m < M && n < N && k < K)
    {
        const int element = (m * N + n) * K + k;
        visitor[element] = my_place();
        atomicAdd(&visits[element], 1); // a ++ of which none is lost (chapter 10)
    }
}

__global__ void count_threads(int *count)
{
    atomicAdd(count, 1);
}

int g_checks = 0, g_failed = 0;

void check(const char *what, bool right)
{
    g_checks++;
    if (!right)
    {
        g_failed++;
        fprintf(stderr, "WRONG: %s\n", what);
    }
}

void *allocate_zeroed(size_t bytes)
{
    void *d_data = NULL;
    cudaMalloc(&d_data, bytes);
    cudaMemset(d_data, 0, bytes);
    return d_data;
}

// Waits for the kernels before it, copies, and frees. Whatever failed on the way ends the program.
void fetch(void *h_data, void *d_data, size_t bytes)
{
    cudaMemcpy(h_data, d_data, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
    {
        fprintf(stderr, "thread-index: %s\n", cudaGetErrorString(status));
        exit(3);
    }
}

// One step of an odometer whose x turns fastest; false once it is back at the start.
bool step(uint3 *at, dim3 size)
{
    unsigned *const digits[3] = {&at->x, &at->y, &at->z};
    const unsigned bases[3] = {size.x, size.y, size.z};
    for (int i = 0; i < 3; ++i)
    {
        if (++*digits[i] < bases[i])
        {
            return true;
        }
        *digits[i] = 0;
    }
    return false;
}

bool equal(uint3 a, uint3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

void check_places(dim3 grid_size, dim3 block_size)
{
    const unsigned num_blocks = grid_size.x * grid_size.y * grid_size.z;
    const unsigned num_threads = block_size.x * block_size.y * block_size.z;
    const size_t bytes = (size_t)num_blocks * num_threads * sizeof(Place);
    Place *h_places = (Place *)malloc(bytes);
    Place *d_places = (Place *)allocate_zeroed(bytes);
    record_places<<<grid_size, block_size>>>(d_places);
    fetch(h_places, d_places, bytes);

    bool indices_right = true, linear_right = true, warps_right = true;
    const Place *place = h_places;
    uint3 block = {0, 0, 0}, thread = {0, 0, 0};
    unsigned bid = 0;
    do
    {
        unsigned tid = 0, warp = 0, lane = 0;
        do
        {
            indices_right &= equal(place->block, block) && equal(place->thread, thread);
            linear_right &= place->bid == bid && place->tid == tid;
            warps_right &= place->warp == warp && place->lane == lane;
            ++place;
            ++tid;
            if (++lane == 32)
            {
                lane = 0;
                ++warp;
            }
        } while (step(&thread, block_size));
        ++bid;
    } while (step(&block, grid_size));
    check("blockIdx and threadIdx, x fastest", indices_right);
    check("linear block and thread index", linear_right);
    check("warp and lane", warps_right);
    printf("  %u x %u x %u blocks of %2u x %u x %u: blocks 0..%-2u threads 0..%-3u warps 0..%u\n",
           grid_size.x, grid_size.y, grid_size.z, block_size.x, block_size.y, block_size.z,
           num_blocks - 1, num_threads - 1, (num_threads - 1) / 32);
    free(h_places);
}

void check_elements(int M, int N, int K, dim3 block)
{
    const size_t num_elements = (size_t)M * N * K;
    Place *h_visitor = (Place *)malloc(num_elements * sizeof(Place));
    int *h_visits = (int *)malloc(num_elements * sizeof(int));
    Place *d_visitor = (Place *)allocate_zeroed(num_elements * sizeof(Place));
    int *d_visits = (int *)allocate_zeroed(num_elements * sizeof(int));
    const dim3 grid((K - 1) / block.x + 1, (N - 1) / block.y + 1, (M - 1) / block.z + 1);
    visit_elements<<<grid, block>>>(d_visitor, d_visits, M, N, K);
    fetch(h_visitor, d_visitor, num_elements * sizeof(Place));
    fetch(h_visits, d_visits, num_elements * sizeof(int));

    bool once = true, right_thread = true;
    const dim3 extent(K, N, M);
    uint3 at = {0, 0, 0};
    size_t element = 0;
    do
    {
        const uint3 owner_block = {at.x / block.x, at.y / block.y, at.z / block.z};
        const uint3 owner_thread = {at.x % block.x, at.y % block.y, at.z % block.z};
        once &= h_visits[element] == 1;
        right_thread &= equal(h_visitor[element].block, owner_block) &&
                        equal(h_visitor[element].thread, owner_thread);
        ++element;
    } while (step(&at, extent));
    check("each element visited once", once);
    check("each element visited by its own thread", right_thread);
    printf("  %d x %d x %d elements (M x N x K) by %u x %u x %u blocks of %u x %u x %u\n", M, N, K,
           grid.x, grid.y, grid.z, block.x, block.y, block.z);
    free(h_visitor);
    free(h_visits);
}

// How many threads ran; *status is what the launch gave.
int launch(dim3 grid_size, dim3 block_size, cudaError_t *status)
{
    int h_count = 0;
    int *d_count = (int *)allocate_zeroed(sizeof(int));
    count_threads<<<grid_size, block_size>>>(d_count);
    *status = cudaGetLastError(); // takes the error back too: it is not there for the next call
    fetch(&h_count, d_count, sizeof(int));
    return h_count;
}

// Code 9 is what a bad configuration is for; the runtime of CUDA 13.0 gives a plain 1.
bool is_refusal(cudaError_t status)
{
    return status == cudaErrorInvalidConfiguration || status == cudaErrorInvalidValue;
}

// `at` and `beyond` are grid or block, one of them as large as it may be and one a step larger.
void check_limit(const char *name, int limit, int book, dim3 grid_at, dim3 block_at,
                 dim3 grid_beyond, dim3 block_beyond)
{
    cudaError_t status;
    if (grid_at.x == 1) // the whole of grid x, 2^31 - 1 blocks, would run, but for seconds
    {
        check(name, launch(grid_at, block_at, &status) == limit && status == cudaSuccess);
    }
    const int ran = launch(grid_beyond, block_beyond, &status);
    check(name, ran == 0 && is_refusal(status));
    printf("  %-18s %10d  %10d  one more: error %d, %s\n", name, limit, book, (int)status,
           cudaGetErrorString(status));
    check("a launch after a refused one", launch(1, 1, &status) == 1 && status == cudaSuccess);
}

int attribute(cudaDeviceAttr name)
{
    int value = 0;
    cudaDeviceGetAttribute(&value, name, 0);
    return value;
}

void check_limits()
{
    printf("limits                   here    the book\n");
    int max = attribute(cudaDevAttrMaxThreadsPerBlock);
    check_limit("threads in a block", max, 1024, 1, dim3(max / 32, 32), 1, dim3(max / 32 + 1, 32));
    max = attribute(cudaDevAttrMaxBlockDimX);
    check_limit("block x", max, 1024, 1, max, 1, max + 1);
    max = attribute(cudaDevAttrMaxBlockDimY);
    check_limit("block y", max, 1024, 1, dim3(1, max), 1, dim3(1, max + 1));
    max = attribute(cudaDevAttrMaxBlockDimZ);
    check_limit("block z", max, 64, 1, dim3(1, 1, max), 1, dim3(1, 1, max + 1));
    max = attribute(cudaDevAttrMaxGridDimX);
    check_limit("grid x", max, 2147483647, max, 1, max + 1u, 1); // 2^31 no longer fits an int
    max = attribute(cudaDevAttrMaxGridDimY);
    check_limit("grid y", max, 65535, dim3(1, max), 1, dim3(1, max + 1), 1);
    max = attribute(cudaDevAttrMaxGridDimZ);
    check_limit("grid z", max, 65535, dim3(1, 1, max), 1, dim3(1, 1, max + 1), 1);
}

int main(int argc, char **argv)
{
    if (argc > 1)
    {
        if (strcmp(argv[1], "-h") != 0 && strcmp(argv[1], "--help") != 0)
        {
            fprintf(stderr, "thread-index: unexpected argument '%s' (it takes none)\n", argv[1]);
            return 2;
        }
        printf("thread-index: which block, thread and warp a thread is, which element is its own, "
               "and how far grids and blocks go\n");
        return 0;
    }
    int num_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&num_devices);
    if (num_devices == 0)
    {
        fprintf(stderr, "thread-index: no CUDA device to run on: %s\n", cudaGetErrorString(status));
        return 77;
    }

    printf("places\n");
    check_places(5, 96);
    check_places(dim3(2, 2), dim3(3, 2));    // Fig. 2.1
    check_places(dim3(2, 2), dim3(4, 2, 2)); // S4's Fig. 3.1
    check_places(dim3(3, 2, 4), dim3(7, 5, 3));
    printf("elements\n");
    check_elements(6, 37, 70, dim3(32, 4, 4));
    check_limits();

    if (g_failed > 0)
    {
        printf("FAIL: %d of %d checks\n", g_failed, g_checks);
        return 1;
    }
    printf("PASS: %d checks\n", g_checks);
    return 0;
}
