// add3memcpy: the copies counted too, from pageable and from pinned memory of the host
//
// From:    sections 5.1.2 and 5.2.1, file add3memcpy.cu
// Chinese: 把数据复制也计入时间：主机端用可分页内存与固定内存
// Compile: nvcc -O3 add3memcpy.cu
// Run:     ./a.out -n 100000000
// Options: -n N -b B -r R -s S
// Checks:  9
//
// The host copies x and y to the device, a kernel adds them, and the host copies z back. malloc
// gives pageable memory: the operating system may move it, so the device cannot fetch from it. The
// driver first copies it, piece by piece, into a buffer of its own. cudaMallocHost gives pinned
// (page-locked) memory: it stays where it is, and the device reads and writes it directly. In both
// cases the bus is far slower than the device's memory, and the copies take nearly all the time.
// From pageable memory, all this may take longer than the addition on the host alone. With -DUSE_DP
// the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

void add_reference(const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (double)x[n] + (double)y[n];
    }
}

void add_on_host(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

__global__ void add(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

float elapsed_time(cudaEvent_t start, cudaEvent_t stop)
{
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

enum Part
{
    TO_DEVICE,
    KERNEL,
    TO_HOST,
    TOGETHER,
    HOST_ALONE,
    NUM_PARTS
};

// The times of one pass: there, add, back.
struct Pass
{
    double ms[NUM_PARTS];
};

int compare_passes(const void *a, const void *b)
{
    const double x = ((const Pass *)a)->ms[TOGETHER], y = ((const Pass *)b)->ms[TOGETHER];
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "add3memcpy: the copies counted too, from pageable and from pinned memory of the "
               "host");
    print_device();
    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);
    const unsigned int block_size = args.block_x;
    const unsigned int grid_size = (N + block_size - 1) / block_size;

    double *reference = (double *)malloc(N * sizeof(double));
    real *d_x, *d_y, *d_z;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    cudaEvent_t marks[4]; // before the parts, between them, and after them
    for (cudaEvent_t &mark : marks)
    {
        CHECK(cudaEventCreate(&mark));
    }

    Pass *passes = (Pass *)malloc(args.repeats * sizeof(Pass));
    Pass in_pageable = {}, in_pinned = {};
    for (const bool pinned : {false, true})
    {
        real *h_x, *h_y, *h_z;
        for (real **h : {&h_x, &h_y, &h_z})
        {
            if (pinned)
            {
                CHECK(cudaMallocHost((void **)h, bytes));
            }
            else
            {
                *h = (real *)malloc(bytes);
            }
        }
        fill_random(h_x, N, args.seed);
        fill_random(h_y, N, args.seed + 1);
        add_reference(h_x, h_y, reference, N);

        // All marks belong to the same pass, so the times of the parts add up to that of the whole.
        const auto copy_add_copy = [&]
        {
            CHECK(cudaEventRecord(marks[0]));
            CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
            CHECK(cudaEventRecord(marks[1]));
            add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
            CHECK_LAUNCH();
            CHECK(cudaEventRecord(marks[2]));
            CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
            CHECK(cudaEventRecord(marks[3]));
            CHECK(cudaEventSynchronize(marks[3]));
        };

        // The arrays on the device still hold the results of an earlier pass. They must not pass
        // for the results of this one.
        for (real *d : {d_x, d_y, d_z})
        {
            CHECK(cudaMemset(d, POISON_BYTE, bytes));
        }
        poison(h_z, bytes);
        copy_add_copy(); // checked, and not timed: it is the first
        check_elements(pinned ? "z, pinned" : "z, pageable", h_z, reference, N, REAL_EPSILON / 2);

        for (size_t repeat = 0; repeat < args.repeats; ++repeat)
        {
            copy_add_copy();
            passes[repeat].ms[TO_DEVICE] = elapsed_time(marks[0], marks[1]);
            passes[repeat].ms[KERNEL] = elapsed_time(marks[1], marks[2]);
            passes[repeat].ms[TO_HOST] = elapsed_time(marks[2], marks[3]);
            passes[repeat].ms[TOGETHER] = elapsed_time(marks[0], marks[3]);
        }
        // The pass in the middle, by its whole time. Medians of each part would not add up.
        qsort(passes, args.repeats, sizeof(Pass), compare_passes);
        Pass *median = pinned ? &in_pinned : &in_pageable;
        *median = passes[args.repeats / 2];
        const double all = median->ms[TOGETHER];
        for (const Part part : {TO_DEVICE, KERNEL, TO_HOST})
        {
            const double ms = median->ms[part];
            check_true("the time of a part is more than 0, and less than that of all",
                       ms > 0.0 && ms < all);
        }

        const auto host_alone = [&]
        {
            add_on_host(h_x, h_y, h_z, N);
        };
        poison(h_z, bytes);
        median->ms[HOST_ALONE] = time_host(host_alone, 1 + args.repeats / 10).median;
        if (!pinned)
        {
            check_elements("z of the host", h_z, reference, N, REAL_EPSILON / 2);
        }

        for (real *h : {h_x, h_y, h_z})
        {
            if (pinned)
            {
                CHECK(cudaFreeHost(h));
            }
            else
            {
                free(h);
            }
        }
    }

    const struct
    {
        const char *name;
        double arrays; // that this part reads or writes
    } parts[NUM_PARTS] = {{"x and y to the device", 2},
                          {"kernel", 3},
                          {"z to the host", 1},
                          {"all three together", 3},
                          {"the host alone", 3}};
    printf("%s, N = %zu, the median pass of %zu\n", REAL_NAME, N, args.repeats);
    printf("%-26s %10s %7s   %10s %7s\n", TIME_UNIT, "pageable", "GB/s", "pinned", "GB/s");
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        const double megabytes = parts[part].arrays * bytes * 1e-6; // MB / ms is GB/s
        printf("%-26s %10.4g %7.1f   %10.4g %7.1f\n", parts[part].name, in_pageable.ms[part],
               megabytes / in_pageable.ms[part], in_pinned.ms[part],
               megabytes / in_pinned.ms[part]);
    }
    printf("%-26s %9.1f%% %20.1f%%\n", "share of the copies",
           100.0 * (1.0 - in_pageable.ms[KERNEL] / in_pageable.ms[TOGETHER]),
           100.0 * (1.0 - in_pinned.ms[KERNEL] / in_pinned.ms[TOGETHER]));
    printf("%-26s %9.2fx %20.2fx\n", "faster than the host, all",
           in_pageable.ms[HOST_ALONE] / in_pageable.ms[TOGETHER],
           in_pinned.ms[HOST_ALONE] / in_pinned.ms[TOGETHER]);
    printf("%-26s %9.2fx %20.2fx\n", "the kernel by itself",
           in_pageable.ms[HOST_ALONE] / in_pageable.ms[KERNEL],
           in_pinned.ms[HOST_ALONE] / in_pinned.ms[KERNEL]);

    for (cudaEvent_t mark : marks)
    {
        CHECK(cudaEventDestroy(mark));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(passes);
    free(reference);
    return verdict();
}
