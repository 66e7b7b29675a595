// Conforms to: cooperative launches, the barrier of a grid, and how many blocks there may be.
#include <cooperative_groups.h>
#include "expect.cuh"
namespace cg = cooperative_groups;

const int BLOCK = 64;

// Each step, every thread reads what a thread of another block wrote in the step before.
__global__ void rotate(int *a, int *b, int num_steps)
{
    const cg::grid_group grid = cg::this_grid();
    const int n = grid.thread_rank(), N = grid.size();
    EXPECT(grid.is_valid());
    for (int step = 0; step < num_steps; ++step)
    {
        b[n] = a[(n + BLOCK + 1) % N] + 1;
        grid.sync();
        int *const other = a;
        a = b;
        b = other;
    }
}

// Shared memory, static and dynamic, and a barrier of the block keep what they have across the grid's.
__global__ void keep(int *sums)
{
    extern __shared__ int dynamic[];
    __shared__ int fixed[BLOCK];
    const cg::grid_group grid = cg::this_grid();
    const int t = threadIdx.x;
    fixed[t] = blockIdx.x * 1000 + t;
    dynamic[t] = -fixed[t];
    for (int step = 0; step < 3; ++step)
    {
        grid.sync();
        EXPECT(fixed[t] == (int)blockIdx.x * 1000 + t && dynamic[t] == -fixed[t]);
        __syncthreads();
        EXPECT(fixed[BLOCK - 1 - t] == (int)blockIdx.x * 1000 + BLOCK - 1 - t);
        atomicAdd(&sums[step], 1);
        grid.sync();
        EXPECT(sums[step] == (int)gridDim.x * BLOCK);
    }
    EXPECT(cg::this_thread_block().group_index().x == blockIdx.x);
}

// Some threads return early; the rest of each block comes.
__global__ void some_return(int *count)
{
    if (threadIdx.x % 2 == 1 && threadIdx.x > 32)
    {
        return;
    }
    atomicAdd(count, 1);
    cg::this_grid().sync();
    EXPECT(*count == (int)cg::this_grid().num_blocks() * (BLOCK - 16));
}

__global__ void in_order(int *order, int *next)
{
    const cg::grid_group grid = cg::this_grid();
    for (unsigned int block = 0; block < gridDim.x; ++block)
    {
        if (blockIdx.x == gridDim.x - 1 - block && threadIdx.x == 0)
        {
            order[*next] = blockIdx.x;
            ++*next;
        }
        grid.sync();
    }
}

__global__ void ask(int *valid)
{
    if (threadIdx.x == 0)
    {
        *valid = cg::this_grid().is_valid();
    }
}

static int most_blocks(const void *kernel, size_t shared_bytes)
{
    int blocks = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, BLOCK, shared_bytes);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    return blocks * multiprocessors;
}

static void try_rotation(int num_blocks)
{
    const int N = num_blocks * BLOCK, num_steps = 5;
    int *d_a, *d_b, *h_b = new int[N];
    cudaMalloc(&d_a, N * sizeof(int));
    cudaMalloc(&d_b, N * sizeof(int));
    for (int n = 0; n < N; ++n)
    {
        h_b[n] = 7 * n;
    }
    cudaMemcpy(d_a, h_b, N * sizeof(int), cudaMemcpyHostToDevice);
    int steps = num_steps;
    void *arguments[] = {&d_a, &d_b, &steps};
    cudaLaunchCooperativeKernel((const void *)rotate, dim3(num_blocks), dim3(BLOCK), arguments, 0,
                                NULL);
    report("all blocks, five steps");
    cudaMemcpy(h_b, d_b, N * sizeof(int), cudaMemcpyDeviceToHost);
    bool right = true;
    for (int n = 0; n < N; ++n)
    {
        right = right && h_b[n] == 7 * ((n + num_steps * (BLOCK + 1)) % N) + num_steps;
    }
    check("their result", right);
    delete[] h_b;
    cudaFree(d_a);
    cudaFree(d_b);
}

int main()
{
    int cooperative = 0;
    cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
    check("the device has cooperative launches", cooperative == 1);
    const int most = most_blocks((const void *)rotate, 0);
    check("more blocks than cores", most >= 64);
    try_rotation(37);
    try_rotation(most);

    int *d_x, x[64] = {};
    cudaMalloc(&d_x, sizeof(x));
    cudaMemset(d_x, 0, sizeof(x));
    void *arguments[] = {&d_x};
    cudaLaunchCooperativeKernel((const void *)keep, dim3(40), dim3(BLOCK), arguments,
                                BLOCK * sizeof(int), NULL);
    report("shared memory stays");
    cudaMemset(d_x, 0, sizeof(x));
    cudaLaunchCooperativeKernel((const void *)some_return, dim3(5, 3), dim3(BLOCK), arguments, 0,
                                NULL);
    cudaMemset(d_x, 0, sizeof(x));
    cudaLaunchCooperativeKernel(some_return, dim3(15), dim3(BLOCK), arguments);
    report("threads that have returned");
    int *d_next = d_x + 63;
    cudaMemset(d_x, 0, sizeof(x));
    void *both[] = {&d_x, &d_next};
    cudaLaunchCooperativeKernel((const void *)in_order, dim3(20), dim3(BLOCK), both, 0, NULL);
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    check("blocks in an order of their own", x[63] == 20 && x[0] == 19 && x[1] == 18 && x[19] == 0);

    cudaLaunchCooperativeKernel((const void *)ask, dim3(2), dim3(32), arguments, 0, NULL);
    cudaMemcpy(x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    check("the group is valid", x[0] == 1);

    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(10);
    config.blockDim = dim3(BLOCK);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaMemset(d_x, 0, sizeof(x));
    bool right = cudaLaunchKernelEx(&config, some_return, d_x) == cudaSuccess;
    right = right && cudaDeviceSynchronize() == cudaSuccess;
    cudaMemset(d_x, 0, sizeof(x));
    right = right &&
            cudaLaunchKernelExC(&config, (const void *)some_return, arguments) == cudaSuccess &&
            cudaDeviceSynchronize() == cudaSuccess;
    check("by an attribute", right);

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaMemset(d_x, 0, sizeof(x));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaLaunchCooperativeKernel((const void *)in_order, dim3(20), dim3(BLOCK), both, 0, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    check("in a graph", x[63] == 20 && x[0] == 19 && x[19] == 0);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);

    right = is_error(cudaLaunchCooperativeKernel((const void *)rotate, dim3(most + 1), dim3(BLOCK),
                                                 both, 0, NULL),
                     cudaErrorCooperativeLaunchTooLarge);
    config.gridDim = dim3(1 << 20);
    right = right && is_error(cudaLaunchKernelEx(&config, some_return, d_x),
                              cudaErrorCooperativeLaunchTooLarge);
    check("one block too many", right);
    cudaFree(d_x);
    report("the end");
    return num_wrong != 0;
}
