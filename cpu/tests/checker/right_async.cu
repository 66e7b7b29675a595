// Copies into shared memory that are beside each other in one word: two tiles copy 30 bytes each. A tile reads
// what it has waited for, while the copy of the other one is still under way.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

enum
{
    BYTES = 30,
    BLOCK_SIZE = 64
};

__global__ void take(int *sums, const char *x)
{
    __shared__ char s[2 * BYTES];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    const int which = threadIdx.x / 32, lane = threadIdx.x % 32;
    cg::memcpy_async(tile, s + BYTES * which, x + BYTES * which, BYTES);
    block.sync();
    if (which == 0)
    {
        cg::wait(tile);
    }
    int sum = which == 0 && lane < BYTES ? s[lane] : 0;
    block.sync();
    if (which == 1)
    {
        cg::wait(tile);
        sum = lane < BYTES ? s[BYTES + lane] : 0;
    }
    atomicAdd(&sums[which], sum);
}

int main()
{
    int *sums;
    char *x;
    cudaMallocManaged(&sums, 2 * sizeof(int));
    cudaMallocManaged(&x, 2 * BYTES);
    sums[0] = sums[1] = 0;
    for (int i = 0; i < 2 * BYTES; ++i)
    {
        x[i] = i < BYTES ? 1 : 2;
    }
    take<<<1, BLOCK_SIZE>>>(sums, x);
    cudaDeviceSynchronize();
    const bool right = sums[0] == BYTES && sums[1] == 2 * BYTES;
    cudaFree(x);
    cudaFree(sums);
    return right ? 0 : 1;
}
