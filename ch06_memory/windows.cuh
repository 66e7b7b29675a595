// For occupancy and occupancy-speed: kernels that do the same, and take more and more registers.
#pragma once
#include "../common/real.cuh"

const int MOST_NUMBERS = 64; // in a window

// The variance of the W numbers from x[n] on. The thread uses each number twice: for the mean, and
// for the distance from the mean. In between it keeps all W numbers in registers. So a larger W
// takes more registers.
template <int W>
__global__ void vary_window(const real *x, real *variance, size_t N)
{
    const size_t tid = threadIdx.y * blockDim.x + threadIdx.x;
    const size_t n = (size_t)blockDim.x * blockDim.y * blockIdx.x + tid;
    if (n < N)
    {
        real window[W], sum = 0, squares = 0;
#pragma unroll
        for (int i = 0; i < W; ++i)
        {
            window[i] = x[n + i];
            sum += window[i];
        }
        const real mean = sum / W;
#pragma unroll
        for (int i = 0; i < W; ++i)
        {
            squares += (window[i] - mean) * (window[i] - mean);
        }
        variance[n] = squares / W;
    }
}

typedef void Kernel(const real *, real *, size_t);

// The sizes of windows that are tried, each with its kernel.
struct Window
{
    int W;
    Kernel *kernel;
};

const Window WINDOWS[] = {
    {8, vary_window<8>},
    {24, vary_window<24>},
    {MOST_NUMBERS, vary_window<MOST_NUMBERS>},
};
const int NUM_WINDOWS = sizeof(WINDOWS) / sizeof(WINDOWS[0]);

// Blocks of several shapes.
const dim3 BLOCKS[] = {{32}, {8, 8}, {100}, {128}, {16, 16}, {512}, {32, 32}};
const int NUM_BLOCKS = sizeof(BLOCKS) / sizeof(BLOCKS[0]);

const char BAR[] = "################"; // of 100 %

static inline const char *bar_of_occupancy(double occupancy)
{
    return BAR + 16 - (int)(16 * occupancy / 100);
}
