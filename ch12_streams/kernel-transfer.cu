// kernel-transfer: copies and kernels at the same time, from pinned and from pageable memory
//
// From:    Listing 12.3, Fig. 12.3, sections 12.4, 12.4.1 and 12.4.2, file kernel-transfer.cu;
//          S1 streams; S3 streams
// Chinese: 用多个流重叠核函数的执行与数据传输：固定内存与可分页内存
// Compile: nvcc -O3 kernel-transfer.cu
// Run:     ./a.out -n 4194304
// Options: -n N -b B -r R -s S -o PREFIX --csv
// Checks:  17
// Sizes:   1 33 1003 64 99329
//
// x and y are copied to the device, a kernel adds them, and z is copied back. In one stream these
// three parts run one after the other. So the data are divided into pieces, one for each stream.
// While the kernel works on one piece, the next piece is copied in and the piece before it is
// copied out. A device with two copy engines can do all three at the same time. Even then the whole
// takes at least as long as the longest of the three parts: this time is the `bound` in the table.
// The kernel repeats its addition. The program first measures the copy in. Then it chooses the
// number of repeats so that the kernel takes about 1.15 times as long.
//
// Only pinned memory makes this faster. With pageable memory the results are right too, but
// nothing overlaps: a copy from or to pageable memory makes the host wait, so the host issues the
// next piece only when this one is done. The timelines below the tables show it.
// -o PREFIX writes the data of Figure 12.3. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/output.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "timeline.cuh"

const int NUMBERS_OF_STREAMS[] = {1, 2, 4, 8, 16, 32, 64};
const int POINTS = sizeof(NUMBERS_OF_STREAMS) / sizeof(NUMBERS_OF_STREAMS[0]);
const int MAX_NUM_STREAMS = 64;
const int TIMELINE_STREAMS = 4; // as many as in the book's sketch

// The kernel should take WANTED_RATIO times as long as the copy in. The program changes the number
// of repeats until the ratio measured differs from it by no more than NEAR_ENOUGH.
const double WANTED_RATIO = 1.15, NEAR_ENOUGH = 0.03;

// Bytes of shared memory for each block. The kernel does not use them. With them only a few blocks
// fit on a multiprocessor at a time: on an H200 four, and not 16. Four blocks together add as many
// numbers in a second as 16 do. So each of the four ends sooner than each of 16 would. This saves
// time at the end of a piece: no new blocks begin there, and the next part waits for the last ones.
const size_t UNUSED_SHARED = 48000;

enum Part
{
    COPY_IN,
    KERNEL,
    COPY_OUT,
    NUM_PARTS
};
const char *const PART_NAMES[] = {"copy in", "kernel", "copy out"};

// The events of a piece: before its copy in, and after each of its parts.
typedef cudaEvent_t Marks[NUM_PARTS + 1];

// A sum of two numbers is rounded once. So adding in double and rounding to real gives the same
// bits as adding in real.
void add_reference(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (real)((double)x[n] + (double)y[n]);
    }
}

// Listing 12.3. z might be the same memory as x or y, so the compiler must keep the loop. In the
// book `additions` is 40.
__global__ void add(const real *x, const real *y, real *z, size_t N, int additions)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        for (int i = 0; i < additions; ++i)
        {
            z[n] = x[n] + y[n];
        }
    }
}

// A row of the table: "pinned/16" with --csv. A part has no speed-up.
void print_row(bool csv, const char *memory, const char *what, double ms, double speedup,
               double percent)
{
    if (speedup > 0.0)
    {
        printf(csv ? "%s/%s,%.6g,%.6g,%.6g\n" : "%-9s %-9s %10.4g %9.2f %11.1f\n", memory, what, ms,
               speedup, percent);
    }
    else
    {
        printf(csv ? "%s/%s,%.6g,,\n" : "%-9s %-9s %10.4g\n", memory, what, ms);
    }
    fflush(stdout);
}

double elapsed_time(cudaEvent_t start, cudaEvent_t stop)
{
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(4194304, 100000);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S -o PREFIX --csv",
               "kernel-transfer: copies and kernels at the same time, from pinned and from "
               "pageable memory");
    const bool wants_figure = *args.prefix != '\0';
    Output figure;
    if (wants_figure)
    {
        figure = open_output(&args, "fig12-3.txt");
    }
    print_device();
    int device = -1;
    CHECK(cudaGetDevice(&device));
    print_note("%s, N = %zu, median of %zu repeats; copy engines of the device: %d\n", REAL_NAME,
               args.N, args.repeats, device_attribute(cudaDevAttrAsyncEngineCount, device));
    if (!ON_GPU)
    {
        print_note("the CPU backend does one thing after the other: its times show no overlap\n");
    }

    const size_t N = args.N, bytes = N * sizeof(real);
    const int block_size = args.block_x;
    real *reference = (real *)malloc(bytes);
    real *d_x, *d_y, *d_z;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    cudaStream_t streams[MAX_NUM_STREAMS];
    for (cudaStream_t &stream : streams)
    {
        CHECK(cudaStreamCreate(&stream));
    }
    cudaEvent_t base; // the moment 0 of a timeline
    CHECK(cudaEventCreate(&base));
    Marks marks[TIMELINE_STREAMS];
    for (Marks &piece : marks)
    {
        for (cudaEvent_t &mark : piece)
        {
            CHECK(cudaEventCreate(&mark));
        }
    }

    int additions = 40;         // in the kernel, for each number
    double total_ms[2][POINTS]; // of pageable and of pinned memory
    int num_points = 0;         // of the sweep
    bool clock_is_right = true; // the host has waited for all that it timed
    for (const bool pinned : {true, false})
    {
        const char *const memory = pinned ? "pinned" : "pageable";
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

        // Listing 12.3, with `num` pieces. Piece i has a stream of its own. The host issues two
        // copies in, a kernel and a copy out to this stream. Then it goes on to the next piece. For
        // a timeline it also records an event before and after each part. `[&](...) {...}` is a
        // lambda of C++: a function inside `main`, which may use the variables of `main`.
        const auto transfer = [&](int num, bool with_marks)
        {
            for (int i = 0; i < num; ++i)
            {
                // The piece has N1 numbers, M1 bytes. It begins at `offset`. If N is no multiple of
                // num, some pieces have one number more than others.
                const size_t offset = N * i / num;
                const size_t N1 = N * (i + 1) / num - offset;
                const size_t M1 = N1 * sizeof(real);
                const unsigned int grid_size = (N1 - 1) / block_size + 1;
                const auto mark = [&](int part)
                {
                    if (with_marks)
                    {
                        CHECK(cudaEventRecord(marks[i][part], streams[i]));
                    }
                };
                mark(0);
                CHECK(cudaMemcpyAsync(d_x + offset, h_x + offset, M1, cudaMemcpyHostToDevice,
                                      streams[i]));
                CHECK(cudaMemcpyAsync(d_y + offset, h_y + offset, M1, cudaMemcpyHostToDevice,
                                      streams[i]));
                mark(1);
                add<<<grid_size, block_size, UNUSED_SHARED, streams[i]>>>(
                    d_x + offset, d_y + offset, d_z + offset, N1, additions);
                CHECK_LAUNCH();
                mark(2);
                CHECK(cudaMemcpyAsync(h_z + offset, d_z + offset, M1, cudaMemcpyDeviceToHost,
                                      streams[i]));
                mark(3);
            }
        };
        const auto check_transfer = [&](int num, bool with_marks)
        {
            for (real *d : {d_x, d_y, d_z})
            {
                CHECK(cudaMemset(d, POISON_BYTE, bytes));
            }
            poison(h_z, bytes);
            CHECK(cudaDeviceSynchronize());
            if (with_marks)
            {
                CHECK(cudaEventRecord(base, streams[0]));
            }
            transfer(num, with_marks);
            CHECK(cudaDeviceSynchronize());
            char what[64];
            snprintf(what, sizeof(what), "z, %s, %d streams", memory, num);
            check_elements(what, h_z, reference, N);
        };

        // The three parts by themselves, in the default stream. For pinned memory the kernel gets
        // more or fewer additions until its time is right. Pageable memory keeps this number.
        const auto copy_in = [&]
        {
            CHECK(cudaMemcpyAsync(d_x, h_x, bytes, cudaMemcpyHostToDevice));
            CHECK(cudaMemcpyAsync(d_y, h_y, bytes, cudaMemcpyHostToDevice));
        };
        const auto compute = [&]
        {
            const unsigned int grid_size = (N - 1) / block_size + 1;
            add<<<grid_size, block_size, UNUSED_SHARED>>>(d_x, d_y, d_z, N, additions);
        };
        const auto copy_out = [&]
        {
            CHECK(cudaMemcpyAsync(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
        };
        double ms[NUM_PARTS];
        for (int step = 0;; ++step)
        {
            ms[COPY_IN] = time_kernel(copy_in, args.repeats).median;
            ms[KERNEL] = time_kernel(compute, args.repeats).median;
            const double ratio = ms[KERNEL] / ms[COPY_IN];
            if (!pinned || step == 10 || fabs(ratio - WANTED_RATIO) <= NEAR_ENOUGH)
            {
                break;
            }
            const double better = additions * WANTED_RATIO / ratio;
            additions = std::min(std::max(better + 0.5, 1.0), 1e6);
        }
        ms[COPY_OUT] = time_kernel(copy_out, args.repeats).median;
        const double bound = *std::max_element(ms, ms + NUM_PARTS);

        print_note("%s memory: the kernel adds %d times and takes %.2f times as long as the copy "
                   "in\n",
                   memory, additions, ms[KERNEL] / ms[COPY_IN]);
        if (pinned)
        {
            printf(args.csv ? "version,%s,speed-up,%% of bound\n"
                            : "memory    streams   %10s  speed-up  %% of bound\n",
                   TIME_UNIT);
        }
        for (int part = 0; part < NUM_PARTS; ++part)
        {
            print_row(args.csv, memory, PART_NAMES[part], ms[part], 0.0, 0.0);
        }
        print_row(args.csv, memory, "bound", bound, 0.0, 0.0);

        num_points = 0;
        for (const int num : NUMBERS_OF_STREAMS)
        {
            if ((size_t)num > N) // each stream needs at least one number
            {
                break;
            }
            check_transfer(num, false);
            // The host's clock: the work is in many streams, and an event belongs to only one.
            const auto transfer_and_wait = [&]
            {
                transfer(num, false);
                CHECK(cudaDeviceSynchronize());
            };
            double *const totals = total_ms[pinned];
            totals[num_points] = time_host(transfer_and_wait, args.repeats).median;
            for (const cudaStream_t stream : streams)
            {
                clock_is_right = clock_is_right && is_idle(stream);
            }
            char what[16];
            snprintf(what, sizeof(what), "%d", num);
            print_row(args.csv, memory, what, totals[num_points], totals[0] / totals[num_points],
                      100.0 * bound / totals[num_points]);
            ++num_points;
        }
        const double best_ms = *std::min_element(total_ms[pinned], total_ms[pinned] + num_points);
        print_row(args.csv, memory, "best", best_ms, total_ms[pinned][0] / best_ms,
                  100.0 * bound / best_ms);

        // The timeline, of one more run. The event before a part happens when the work before it in
        // its own stream is done. The same part of the piece before may still be running then, on
        // the same engine or the multiprocessors. So a part begins when both are done.
        const int num = std::min((size_t)TIMELINE_STREAMS, N);
        check_transfer(num, true);
        Span spans[TIMELINE_STREAMS * NUM_PARTS];
        for (int i = 0; i < num; ++i)
        {
            for (int part = 0; part < NUM_PARTS; ++part)
            {
                Span *span = &spans[i * NUM_PARTS + part];
                span->line = PART_NAMES[part];
                span->start = elapsed_time(base, marks[i][part]);
                span->end = elapsed_time(base, marks[i][part + 1]);
                if (i > 0)
                {
                    span->start = fmax(span->start, spans[(i - 1) * NUM_PARTS + part].end);
                }
            }
        }
        print_note("%s memory, %d streams: when each piece is copied in, added and copied out\n",
                   memory, num);
        print_timeline(spans, num * NUM_PARTS);

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

    check_true("the host has waited for what it timed", clock_is_right);
    if (wants_figure)
    {
        fprintf(figure.file, "# N = %zu, %s\n# streams  pinned  speed-up  pageable  speed-up\n", N,
                TIME_UNIT);
        for (int i = 0; i < num_points; ++i)
        {
            fprintf(figure.file, "%d %.6g %.6g %.6g %.6g\n", NUMBERS_OF_STREAMS[i], total_ms[1][i],
                    total_ms[1][0] / total_ms[1][i], total_ms[0][i],
                    total_ms[0][0] / total_ms[0][i]);
        }
        close_output(&figure);
    }

    CHECK(cudaEventDestroy(base));
    for (Marks &piece : marks)
    {
        for (cudaEvent_t mark : piece)
        {
            CHECK(cudaEventDestroy(mark));
        }
    }
    for (cudaStream_t stream : streams)
    {
        CHECK(cudaStreamDestroy(stream));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(reference);
    return verdict();
}
