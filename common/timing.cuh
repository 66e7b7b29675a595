// A timer is a loop. It measures by CUDA events or by the host's clock, and has the median, mean and
// deviation of the times when the loop has ended.
//
//     Timer timer = new_timer(repeats);
//     while (next_run(&timer))
//     {
//         add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
//     }
//     print_timing("add", &timer);
//
// One run more is made and not timed: the first one is slow, because code is loaded and the device
// wakes up. A run may need something that is not to be timed, such as fresh data. That comes first in
// the loop, and begin_timing(&timer) stands after it. The loop must run to its end, without break or
// return.
//
// Where kernels run on a CPU, times would mislead. There one run is made, which is counted and not timed:
// `counts` has what it costs on a GPU, and the times are NAN.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "compare.cuh"
#include "counts.cuh"
#include "error.cuh"
#include "on_gpu.cuh"

// The label of every time that is printed. A reader must not take a time of a CPU for one of a GPU.
const char *const TIME_UNIT = ON_GPU ? "ms" : "CPU ms";

struct Timer
{
    double median, mean, deviation, min; // in ms, when the loop has ended
    size_t repeats, runs;                // to be counted; begun
    bool is_host;                        // by the host's clock instead of events
    double *samples, begun;              // ms
    cudaEvent_t first, last;
    Counts counts; // where the work is counted instead
};

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

// The work of the loop in the default stream, between two events.
static inline Timer new_timer(size_t repeats)
{
    Timer timer = {};
    if (repeats == 0)
    {
        fprintf(stderr, "timing.cuh: a timer takes 1 repeat or more\n");
        exit(1);
    }
    timer.repeats = ON_GPU ? repeats : 1;
    timer.samples = (double *)malloc(repeats * sizeof(double));
    if (ON_GPU)
    {
        CHECK(cudaEventCreate(&timer.first));
        CHECK(cudaEventCreate(&timer.last));
    }
    return timer;
}

// The work of the host. If it launches kernels, it must end with a synchronizing call.
static inline Timer new_host_timer(size_t repeats)
{
    Timer timer = {};
    if (repeats == 0)
    {
        fprintf(stderr, "timing.cuh: a timer takes 1 repeat or more\n");
        exit(1);
    }
    timer.repeats = repeats;
    timer.samples = (double *)malloc(repeats * sizeof(double));
    timer.is_host = true;
    return timer;
}

static inline void begin_timing(Timer *timer)
{
    if (timer->is_host)
    {
        timer->begun = host_clock();
    }
    else if (!ON_GPU)
    {
        begin_counts();
    }
    else
    {
        CHECK(cudaEventRecord(timer->first));
    }
}

// ms since begin_timing. An error in a kernel shows when the host waits for the second event.
static inline double end_timing(Timer *timer)
{
    if (timer->is_host)
    {
        return host_clock() - timer->begun;
    }
    if (!ON_GPU)
    {
        timer->counts = end_counts();
        return NAN;
    }
    float ms = 0.0f;
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(timer->last));
    CHECK(cudaEventSynchronize(timer->last));
    CHECK(cudaEventElapsedTime(&ms, timer->first, timer->last));
    return ms;
}

// Ends the run before, and begins the next one; or false, when all runs have been made.
static inline __noinline__ bool next_run(Timer *timer)
{
    if (timer->runs > 0)
    {
        const double ms = end_timing(timer);
        timer->samples[timer->runs > 1 ? timer->runs - 2 : 0] = ms; // the first is written over
    }
    const bool is_timed = timer->is_host || ON_GPU;
    if (timer->runs == timer->repeats + is_timed)
    {
        const Timing times = summarize(timer->samples, timer->repeats);
        timer->median = times.median;
        timer->mean = times.mean;
        timer->deviation = times.deviation;
        timer->min = times.min;
        free(timer->samples);
        if (!timer->is_host && ON_GPU)
        {
            CHECK(cudaEventDestroy(timer->first));
            CHECK(cudaEventDestroy(timer->last));
        }
        return false;
    }
    ++timer->runs;
    begin_timing(timer);
    return true;
}

static inline void print_timing(const char *what, const Timer *timer)
{
    printf(said("%s: %.4g %s (mean %.4g +- %.2g, min %.4g, %zu repeats)\n"), what, timer->median,
           TIME_UNIT, timer->mean, timer->deviation, timer->min, timer->repeats);
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
    print_note("device: %s\n", device_name(properties.name));
}

// Above the first of several tables is enough.
static inline void print_device_once(void)
{
    static bool is_printed = false;
    if (!is_printed)
    {
        print_device();
    }
    is_printed = true;
}
