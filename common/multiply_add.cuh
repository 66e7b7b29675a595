// The best rate of this device for multiply-adds, measured in this process and verified.
#pragma once
#include <stdlib.h>
#include "ceiling.cuh"

// Eight chains that do not depend on each other. Each converges to c / (1 - b).
template <typename T>
__global__ void ceiling_multiply_add(T b, T c, int steps, T *sums)
{
    T a[8];
    for (int i = 0; i < 8; ++i)
    {
        a[i] = (T)i;
    }
#pragma unroll 16
    for (int step = 0; step < steps; ++step) // unrolled, so that its own counting costs nothing
    {
#pragma unroll
        for (int i = 0; i < 8; ++i)
        {
            a[i] = a[i] * b + c;
        }
    }
    T sum = 0;
    for (int i = 0; i < 8; ++i)
    {
        sum += a[i];
    }
    sums[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// GFLOP/s of T = float or double; a multiply-add counts as two. It moves no bytes, so their
// number, which the other ceilings take, is not used. Without a GPU: 0.
template <typename T>
double multiply_add_ceiling(size_t = 0)
{
    if (!ON_GPU)
    {
        return 0.0; // not known: nothing is timed
    }
    const int steps = 8192; // some milliseconds in all
    const size_t blocks = ceiling_resident_blocks(), threads = blocks * CEILING_BLOCK;
    T *d_sums, *h_sums = (T *)malloc(threads * sizeof(T));
    CHECK(cudaMalloc(&d_sums, threads * sizeof(T)));
    Timer timer = new_timer(CEILING_REPEATS);
    while (next_run(&timer))
    {
        ceiling_multiply_add<<<blocks, CEILING_BLOCK>>>((T)0.5, (T)1.0, steps, d_sums);
    }
    CHECK(cudaMemcpy(h_sums, d_sums, threads * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < threads; ++i)
    {
        ceiling_verify(h_sums[i] == (T)16.0); // eight times 1 / (1 - 0.5)
    }
    CHECK(cudaFree(d_sums));
    free(h_sums);
    return 8.0 * 2.0 * steps * threads / timer.median * 1e-6;
}
