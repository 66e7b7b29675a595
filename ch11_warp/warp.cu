// warp: the functions of a warp, tried by sixteen threads that print what they get
//
// From:    Listing 11.2, section 11.3.1, file warp.cu
// Compile: nvcc -O3 warp.cu
// Run:     ./a.out
//
// The block is a whole warp here, because FULL_MASK names 32 threads. The book's block has 16
// threads, and the first 16 print here, too. A thread calls a function only with a mask that
// contains it: see docs/errata.md.

#include <stdio.h>
#include "../common/compare.cuh"
#include "../common/error.cuh"

const int WIDTH = 8;
const int BLOCK_SIZE = 16; // of the book: the threads that print
const int WARP_SIZE = 32;
const unsigned FULL_MASK = 0xffffffff;

// A line with the number of each thread. CUDA does not promise that the threads of a warp print in
// their order, but they do.
__device__ void print_line(const char *label, int number)
{
    if (threadIdx.x == 0)
    {
        printf("%s", label);
    }
    __syncwarp();
    if (threadIdx.x < BLOCK_SIZE)
    {
        printf(" %2d", number);
    }
    __syncwarp();
    if (threadIdx.x == 0)
    {
        printf("\n");
    }
    __syncwarp();
}

__global__ void test_warp_primitives(void)
{
    const int tid = threadIdx.x;
    const int lane_id = tid % WIDTH;
    print_line("threadIdx.x:", tid);
    print_line("lane_id:    ", lane_id);

    const unsigned mask1 = __ballot_sync(FULL_MASK, tid > 0 && tid < BLOCK_SIZE);
    const unsigned mask2 = __ballot_sync(FULL_MASK, tid == 0);
    if (tid == 0)
    {
        printf("FULL_MASK = %x\n", FULL_MASK);
        printf("mask1     = %x\n", mask1);
        printf("mask2     = %x\n", mask2);
    }

    int result = __all_sync(FULL_MASK, tid);
    if (tid == 0)
    {
        printf("all_sync (FULL_MASK): %d\n", result);
    }
    __syncwarp();
    if (mask1 >> tid & 1) // threads 1 to 15
    {
        result = __all_sync(mask1, tid);
        if (tid == 1)
        {
            printf("all_sync     (mask1): %d\n", result);
        }
    }

    result = __any_sync(FULL_MASK, tid);
    if (tid == 0)
    {
        printf("any_sync (FULL_MASK): %d\n", result);
    }
    if (mask2 >> tid & 1) // thread 0
    {
        result = __any_sync(mask2, tid);
        printf("any_sync     (mask2): %d\n", result);
    }

    print_line("shfl:     ", __shfl_sync(FULL_MASK, tid, 2, WIDTH));
    print_line("shfl_up:  ", __shfl_up_sync(FULL_MASK, tid, 1, WIDTH));
    print_line("shfl_down:", __shfl_down_sync(FULL_MASK, tid, 1, WIDTH));
    print_line("shfl_xor: ", __shfl_xor_sync(FULL_MASK, tid, 1, WIDTH));
}

int main(void)
{
    test_warp_primitives<<<1, WARP_SIZE>>>();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    return end_output(0);
}
