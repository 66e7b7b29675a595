// Barriers of a grid that cannot be passed.
//
// env: CUDACPU_LEAKS=
#include <cooperative_groups.h>
#include "cases.cuh"
namespace cg = cooperative_groups;

static void launch(const void *kernel, int blocks, int threads)
{
    int *d_x = device_array<int>(1024);
    void *arguments[] = {&d_x};
    cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, NULL);
}

// case: plain_launch
// fault: a barrier of the grid in a launch that is not cooperative | found with its line
// stderr: kernel plain, block \(\d,0,0\), thread \(0,0,0\), FILE:PLAIN:
// stderr: a barrier of the grid in a kernel that is not launched by cudaLaunchCooperativeKernel
// out: 719 cudaErrorLaunchFailure
__global__ void plain(int *x)
{
    cg::this_grid().sync(); // PLAIN
    x[threadIdx.x] = 1;
}
CASE(plain_launch)
{
    plain<<<4, 32>>>(device_array<int>(32));
}

// case: block_returns
// fault: a block ends, and the others wait for it at the barrier of the grid | found with its line
// stderr: kernel returns, block \(\d+,0,0\), thread \(0,0,0\), FILE:RETURNS:
// stderr: deadlock: this thread waits at the barrier of the grid, and 3 of the 30 blocks have ended without it
// out: 702 cudaErrorLaunchTimeout
__global__ void returns(int *x)
{
    if (blockIdx.x >= 27)
    {
        return;
    }
    cg::this_grid().sync(); // RETURNS
    x[threadIdx.x] = 1;
}
CASE(block_returns)
{
    launch((const void *)returns, 30, 32);
}

// case: one_thread_returns
// fault: one thread waits for its block, the others for the grid | found with its line
// stderr: kernel apart, block \(\d+,0,0\), thread \(0,0,0\), FILE:APART:
// stderr: deadlock: this thread waits at __syncthreads; thread 1 waits at the barrier of the grid, FILE:APART_TOO$
// out: 702 cudaErrorLaunchTimeout
__global__ void apart(int *x)
{
    if (threadIdx.x == 0)
    {
        __syncthreads(); // APART
    }
    else
    {
        cg::this_grid().sync(); // APART_TOO
    }
    x[threadIdx.x] = 1;
}
CASE(one_thread_returns)
{
    launch((const void *)apart, 10, 64);
}

// case: fault_beside
// stderr: kernel faults, block \(7,0,0\), thread \(0,0,0\), FILE:FAULTS:\n  illegal address: write of \(nil\), a null pointer
// out: 700 cudaErrorIllegalAddress
__global__ void faults(int *x)
{
    x = blockIdx.x == 7 && threadIdx.x == 0 ? NULL : x + threadIdx.x;
    cg::this_grid().sync();
    *x = 1; // FAULTS
    cg::this_grid().sync();
}
CASE(fault_beside)
{
    launch((const void *)faults, 50, 64);
}

// case: shared_beside
// stderr: kernel overruns, block \(3,0,0\) wrote outside shared memory:\n  .* past the end of __shared__ variable s_x
// out: 700 cudaErrorIllegalAddress
__global__ void overruns(int *x)
{
    __shared__ int s_y[32], s_x[32];
    s_y[threadIdx.x] = s_x[threadIdx.x] = threadIdx.x;
    cg::this_grid().sync();
    s_x[threadIdx.x + (blockIdx.x == 3)] = x[0];
    cg::this_grid().sync();
    x[threadIdx.x] = s_y[threadIdx.x];
}
CASE(shared_beside)
{
    launch((const void *)overruns, 9, 32);
}
