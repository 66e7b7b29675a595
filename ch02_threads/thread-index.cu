// thread-index: the block, the warp and the array element of every thread
//
// From:    Section 2.3.3, Fig. 2.1, Fig. 2.2; S1 3.2; S4 3.1
// Compile: nvcc thread-index.cu
// Run:     ./a.out
//
// The kernels compute indices by the book's formulas. The host checks them in another way: it
// counts through the grid and the block one by one, and finds the thread of an element by
// division.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a thread knows about itself: its block, its place in the block, and the linear indices.
struct Place
{
    uint3 block, thread;
    unsigned bid, tid, warp, lane; // lane: its place in the warp
};

__global__ void record_places(Place *places)
{
    const unsigned bid = blockIdx.z * gridDim.x * gridDim.y + blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned tid =
        threadIdx.z * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned threads_per_block = blockDim.x * blockDim.y * blockDim.z;
    Place *place = &places[bid * threads_per_block + tid];
    place->block = blockIdx;
    place->thread = threadIdx;
    place->bid = bid;
    place->tid = tid;
    place->warp = tid / warpSize;
    place->lane = tid % warpSize;
}

// The thread that visited an element of an array.
struct Visitor
{
    uint3 block, thread;
};

// One thread for each element of an array of Nz x Ny x Nx. Elements that are neighbours in x are
// neighbours in memory, and threads that are neighbours in x are neighbours in a warp.
__global__ void visit_elements(Visitor *visitors, int *visits, int Nx, int Ny, int Nz)
{
    const int nx = blockDim.x * blockIdx.x + threadIdx.x;
    const int ny = blockDim.y * blockIdx.y + threadIdx.y;
    const int nz = blockDim.z * blockIdx.z + threadIdx.z;
    if (nx < Nx && ny < Ny && nz < Nz)
    {
        const int element = (nz * Ny + ny) * Nx + nx;
        visitors[element] = {blockIdx, threadIdx};
        atomicAdd(&visits[element], 1); // adds 1 even if another thread does so at the same time
    }
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

// Device memory, filled with zeros.
void *allocate_zeroed(size_t bytes)
{
    void *d_data = NULL;
    cudaMalloc(&d_data, bytes);
    cudaMemset(d_data, 0, bytes);
    return d_data;
}

// Waits for the kernels before it, copies, and frees. If any call has failed, the program ends.
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

// Moves to the next place, x first, then y, then z. False if that is the first place again.
bool step(uint3 *at, dim3 size)
{
    if (++at->x < size.x)
    {
        return true;
    }
    at->x = 0;
    if (++at->y < size.y)
    {
        return true;
    }
    at->y = 0;
    if (++at->z < size.z)
    {
        return true;
    }
    at->z = 0;
    return false;
}

bool equal(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Launches a grid, then counts through its blocks and threads to check what each thread recorded.
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

// Each element must have been visited once, by the thread that division finds.
void check_elements(int Nx, int Ny, int Nz, dim3 block_size)
{
    const size_t num_elements = (size_t)Nx * Ny * Nz;
    Visitor *h_visitors = (Visitor *)malloc(num_elements * sizeof(Visitor));
    int *h_visits = (int *)malloc(num_elements * sizeof(int));
    Visitor *d_visitors = (Visitor *)allocate_zeroed(num_elements * sizeof(Visitor));
    int *d_visits = (int *)allocate_zeroed(num_elements * sizeof(int));
    const dim3 grid_size((Nx - 1) / block_size.x + 1, (Ny - 1) / block_size.y + 1,
                         (Nz - 1) / block_size.z + 1);
    visit_elements<<<grid_size, block_size>>>(d_visitors, d_visits, Nx, Ny, Nz);
    fetch(h_visitors, d_visitors, num_elements * sizeof(Visitor));
    fetch(h_visits, d_visits, num_elements * sizeof(int));

    bool once = true, right_thread = true;
    const dim3 size(Nx, Ny, Nz);
    uint3 at = {0, 0, 0};
    size_t element = 0;
    do
    {
        const uint3 block = {at.x / block_size.x, at.y / block_size.y, at.z / block_size.z};
        const uint3 thread = {at.x % block_size.x, at.y % block_size.y, at.z % block_size.z};
        once &= h_visits[element] == 1;
        right_thread &=
            equal(h_visitors[element].block, block) && equal(h_visitors[element].thread, thread);
        ++element;
    } while (step(&at, size));
    check("each element visited once", once);
    check("each element visited by its own thread", right_thread);
    printf("  %d x %d x %d elements by %u x %u x %u blocks of %u x %u x %u\n", Nx, Ny, Nz,
           grid_size.x, grid_size.y, grid_size.z, block_size.x, block_size.y, block_size.z);
    free(h_visitors);
    free(h_visits);
}

// Returns the status, or 2 if the printed text could not be written, as on a full disk.
int end_output(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
    {
        fprintf(stderr, "thread-index: what was printed cannot be written\n");
        return 2;
    }
    return status;
}

int verdict()
{
    if (g_failed > 0)
    {
        printf("FAIL: %d of %d checks\n", g_failed, g_checks);
        return end_output(1);
    }
    printf("PASS: %d checks\n", g_checks);
    return end_output(0);
}

// --help, another argument, or no device: each ends the program here.
void read_arguments(int argc, char **argv)
{
    if (argc > 1)
    {
        if (strcmp(argv[1], "-h") != 0 && strcmp(argv[1], "--help") != 0)
        {
            fprintf(stderr, "thread-index: takes no argument but --help\n");
            exit(2);
        }
        printf("thread-index: the block, the warp and the array element of every thread\n\nusage: "
               "thread-index [-h]\n"
               "  -h, --help      this text\n");
        exit(end_output(0));
    }
    int num_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&num_devices);
    if (num_devices == 0)
    {
        fprintf(stderr, "thread-index: no CUDA device to run on: %s\n", cudaGetErrorString(status));
        exit(77);
    }
}

int main(int argc, char **argv)
{
    read_arguments(argc, argv);
    printf("places\n");
    check_places(5, 96);
    check_places(dim3(2, 2), dim3(3, 2));    // Fig. 2.1
    check_places(dim3(2, 2), dim3(4, 2, 2)); // Fig. 3.1 of S4
    check_places(dim3(3, 2, 4), dim3(7, 5, 3));
    printf("elements\n");
    check_elements(70, 37, 6, dim3(32, 4, 4));
    return verdict();
}
