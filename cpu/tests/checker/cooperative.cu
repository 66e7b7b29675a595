// A barrier of the grid: the checker runs block after block, so its device has no cooperative
// launches. One block is a grid that can be synced.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void sync_grid(int *x)
{
    if (threadIdx.x == 0)
    {
        x[blockIdx.x] = blockIdx.x + 1;
    }
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 1)
    {
        x[blockIdx.x] += 10;
    }
}

int main()
{
    int has_them = -1, h_x = 0, *x;
    cudaDeviceProp properties;
    cudaDeviceGetAttribute(&has_them, cudaDevAttrCooperativeLaunch, 0);
    cudaGetDeviceProperties(&properties, 0);
    cudaMalloc(&x, 2 * sizeof(int));
    void *arguments[] = {&x};
    const cudaError_t one =
        cudaLaunchCooperativeKernel((const void *)sync_grid, dim3(1), dim3(32), arguments, 0, 0);
    cudaMemcpy(&h_x, x, sizeof(h_x), cudaMemcpyDeviceToHost);
    const cudaError_t two =
        cudaLaunchCooperativeKernel((const void *)sync_grid, dim3(2), dim3(32), arguments, 0, 0);
    // says: sync_grid is not launched: the checker does not know the barrier of a grid
    printf("%d %d, one block: %d %d, two: %d\n", has_them, properties.cooperativeLaunch, one, h_x,
           two);
    cudaGetLastError();
    cudaFree(x);
    return has_them != 0 || properties.cooperativeLaunch != 0 || one != cudaSuccess || h_x != 11 ||
           two != cudaErrorNotSupported;
}
