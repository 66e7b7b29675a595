// How long the reader's kernel takes on a GPU, told after solving. What is timed stands in the exercise's
// //== time. It prints: the device, milliseconds, GB/s and what a copy reaches.
#ifndef EXERCISES_TIMER_CUH
#define EXERCISES_TIMER_CUH
#include <stdio.h>
#include <stdlib.h>
#include "../common/on_gpu.cuh"

#undef N
#undef T

namespace timed
{

enum
{
    RUNS = 21
};

static void look(cudaError_t status)
{
    if (status != cudaSuccess)
    {
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
        exit(1);
    }
}

// So many elements of this size, in all arrays together: many on a GPU, few on the CPU.
static size_t elements(size_t bytes)
{
    const size_t most = ON_GPU ? (size_t)4 << 30 : (size_t)1 << 20;
    size_t free = 0, total = 0;
    look(cudaMemGetInfo(&free, &total));
    return (free / 4 < most ? free / 4 : most) / bytes;
}

// Memory of the device. Each of its bytes is 1.
static void *memory(size_t bytes)
{
    void *there = NULL;
    look(cudaMalloc(&there, bytes));
    look(cudaMemset(there, 1, bytes));
    return there;
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The median of some runs, in ms.
static float median(void (*run)())
{
    float times[RUNS];
    cudaEvent_t start, stop;
    look(cudaEventCreate(&start));
    look(cudaEventCreate(&stop));
    run();
    run();
    for (int i = 0; i < RUNS; ++i)
    {
        look(cudaEventRecord(start));
        run();
        look(cudaEventRecord(stop));
        look(cudaEventSynchronize(stop));
        look(cudaEventElapsedTime(&times[i], start, stop));
    }
    look(cudaGetLastError());
    look(cudaEventDestroy(start));
    look(cudaEventDestroy(stop));
    qsort(times, RUNS, sizeof(times[0]), compare);
    return times[RUNS / 2];
}

static void *from, *to;
static size_t num_copied;
static void copy() { look(cudaMemcpyAsync(to, from, num_copied, cudaMemcpyDeviceToDevice)); }

} // namespace timed

static void set_up();        // of the exercise: memory and numbers
static void run_once();      // what is timed
static double bytes_moved(); // by one run, or 0 if it is not about memory

int main(void)
{
    cudaDeviceProp device;
    timed::look(cudaGetDeviceProperties(&device, 0));
    set_up();
    const float ms = timed::median(run_once);
    const double bytes = bytes_moved();
    double copied = 0;
    if (bytes > 0)
    {
        timed::num_copied = (size_t)(bytes / 2);
        timed::from = timed::memory(timed::num_copied);
        timed::to = timed::memory(timed::num_copied);
        copied = 2.0 * timed::num_copied / timed::median(timed::copy) * 1e-6;
    }
    printf("device %s\nms %.3g\nrate %.0f\ncopy %.0f\n", device.name, ms, bytes / ms * 1e-6,
           copied);
    return 0;
}

#endif
