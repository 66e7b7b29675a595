// fault: none: the block has 20 threads, or lanes have returned, and the mask names 32 lanes | no fault, and let go on
// out: 20 lanes
// out: 16 lanes
#include <cstdio>

__global__ void count(int limit, int *lanes)
{
    if (threadIdx.x >= limit)
    {
        return;
    }
    __syncwarp(0xffffffff);
    const unsigned here = __ballot_sync(0xffffffff, 1);
    __syncwarp();
    *lanes = __popc(here);
}

int main()
{
    int *d_lanes, lanes = 0;
    cudaMalloc(&d_lanes, sizeof(int));
    for (int block : {20, 32})
    {
        count<<<1, block>>>(block == 20 ? 20 : 16, d_lanes);
        cudaMemcpy(&lanes, d_lanes, sizeof(int), cudaMemcpyDeviceToHost);
        printf("%d lanes\n", lanes);
    }
    cudaFree(d_lanes);
    return 0;
}
