// Timers by CUDA events and by the host's clock, and the median, mean and deviation of the times.
//
//     Timing time = time_kernel([&] { add<<<grid_size, block_size>>>(...); }, repeats);
//     print_timing("add", &time);
//
// One call is not timed: the first one is slow, because code is loaded and the device wakes up. A
// third argument is called before every call and is not timed. It prepares the data for the call.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "compare.cuh"
#include "error.cuh"
#include "on_gpu.cuh"

// The label of every time that is printed. A reader must not take a time of a CPU for one of a GPU.
const char *const TIME_UNIT = ON_GPU ? "ms" : "CPU ms";

struct Timing
{
    double median, mean, deviation, min; // in ms; the deviation of one sample is 0
    size_t repeats;
};

static inline int compare_samples(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the samples. The deviation needs a second pass over them. The mean of the squares minus the
// square of the mean would need only one, but when the times hardly differ the digits cancel.
// (Here and below, __noinline__ makes a program compile faster: there is one copy of the code.)
static inline __noinline__ Timing summarize(double *samples, size_t repeats)
{
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < repeats; ++i)
    {
        sum += samples[i];
    }
    const double mean = sum / repeats;
    for (size_t i = 0; i < repeats; ++i)
    {
        squares += (samples[i] - mean) * (samples[i] - mean);
    }
    qsort(samples, repeats, sizeof(double), compare_samples);
    const double median = (samples[(repeats - 1) / 2] + samples[repeats / 2]) / 2.0;
    return {median, mean, repeats > 1 ? sqrt(squares / (repeats - 1)) : 0.0, samples[0], repeats};
}

// Milliseconds since a fixed moment.
static inline double host_clock(void)
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static inline void nothing(void)
{
}

// work() once, then setup() and one timed sample of work() `repeats` times. `sample` times a call.
template <typename Sample, typename Setup>
Timing time_repeats(Sample sample, size_t repeats, Setup setup)
{
    double *samples = (double *)malloc(repeats * sizeof(double));
    for (size_t i = 0; i <= repeats; ++i)
    {
        setup();
        const double time = sample();
        samples[i > 0 ? i - 1 : 0] = time; // the first is written over
    }
    const Timing timing = summarize(samples, repeats);
    free(samples);
    return timing;
}

// Work in the default stream, between two events. The launch is checked. An error in the kernel
// shows when the host waits for the second event.
template <typename Work, typename Setup = void (*)(void)>
Timing time_kernel(Work work, size_t repeats, Setup setup = nothing)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    const auto sample = [&]
    {
        CHECK(cudaEventRecord(start));
        work();
        CHECK_LAUNCH();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        float elapsed = 0.0f;
        CHECK(cudaEventElapsedTime(&elapsed, start, stop));
        return (double)elapsed;
    };
    const Timing timing = time_repeats(sample, repeats, setup);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return timing;
}

// Work of the host. If it launches kernels, it must end with a synchronizing call.
template <typename Work, typename Setup = void (*)(void)>
Timing time_host(Work work, size_t repeats, Setup setup = nothing)
{
    const auto sample = [&]
    {
        const double start = host_clock();
        work();
        return host_clock() - start;
    };
    return time_repeats(sample, repeats, setup);
}

static inline void print_timing(const char *what, const Timing *time)
{
    printf(said("%s: %.4g %s (mean %.4g +- %.2g, min %.4g, %zu repeats)\n"), what, time->median,
           TIME_UNIT, time->mean, time->deviation, time->min, time->repeats);
}

// The first line of a program that times something: the device whose times these are.
static inline void print_device(void)
{
    int device;
    cudaDeviceProp properties;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&properties, device));
    print_note("device: %s%s\n", properties.name,
               ON_GPU ? "" : said(" (its times are a CPU's, not a GPU's)"));
}
