// kernel-kernel: many small kernels at the same time, each in a stream of its own
//
// From:    Listing 12.2, Fig. 12.1, Fig. 12.2, sections 12.3, 12.3.1 and 12.3.2,
//          file kernel-kernel.cu
// Chinese: 把许多小的核函数各放在一个流中，使它们同时执行
// Compile: nvcc -O3 kernel-kernel.cu
// Run:     ./a.out -n 1024
// Options: -n N -b B -r R -s S -o PREFIX --csv
// Checks:  37
// Sizes:   1 33 129 64 1000
//
// Kernels in one stream run one after the other. Kernels in different streams may run at the same
// time. Each kernel here has N1 threads, too few for the device, and there is one kernel in each
// stream. So 32 kernels in 32 streams take hardly longer than one. The speed-up is the time that
// the same kernels would need in one stream, divided by the time measured. It stops growing where
// something that all kernels share is busy all the time (N1 = N, 1024 as in the book), or where the
// device has as many kernels at once as it can manage (N1 = N / 8, 128 as in the book). No call of
// CUDA tells that number. It is 128 for compute capability 7.5 and later. The kernel repeats its
// addition, so that it takes far longer than its launch.
//
// -o PREFIX writes the data of Figures 12.1 and 12.2. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/output.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const int NUMBERS_OF_STREAMS[] = {1,  2,  4,  8,  12,  16,  20,  24,  30,
                                  32, 48, 64, 96, 128, 129, 160, 192, 256};
const int MAX_NUM_STREAMS = 256;

// A kernel should take so long by itself. 128 launches take about half a millisecond, and the first
// kernel must not end before the last one begins.
const double KERNEL_MS = ON_GPU ? 20.0 : 0.2;

// A sum of two numbers is rounded once. So adding in double and rounding to real gives the same
// bits as adding in real.
void add_reference(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (real)((double)x[n] + (double)y[n]);
    }
}

// Listing 12.2. z might be the same memory as x or y, so the compiler must keep the loop. In the
// book `additions` is 1000000.
__global__ void add(const real *d_x, const real *d_y, real *d_z, int N1, int additions)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N1)
    {
        for (int i = 0; i < additions; ++i)
        {
            d_z[n] = d_x[n] + d_y[n];
        }
    }
}

int main(int argc, char **argv)
{
    // A connection is a queue through which the host hands work to the device. CUDA makes 8 unless
    // this variable asks for more. 32 is the most. Streams that share a connection may have to wait
    // for each other. CUDA reads the variable when it starts.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);

    Args args;
    args.N = 1024;
    args.repeats = 3;
    args.bytes_per_element = 3 * MAX_NUM_STREAMS * sizeof(real);
    args.bytes_on_host = 4 * MAX_NUM_STREAMS * sizeof(real);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S -o PREFIX --csv",
               "kernel-kernel: many small kernels at the same time, each in a stream of its own");
    const bool wants_figures = *args.prefix != '\0';
    Output figures[2];
    if (wants_figures)
    {
        figures[0] = open_output(&args, "fig12-1.txt");
        figures[1] = open_output(&args, "fig12-2.txt");
    }
    print_device();
    int device = -1;
    CHECK(cudaGetDevice(&device));
    print_note("%d multiprocessors, kernels at the same time: %s, "
               "CUDA_DEVICE_MAX_CONNECTIONS = %s (CUDA's default: 8)\n",
               device_attribute(cudaDevAttrMultiProcessorCount, device),
               device_attribute(cudaDevAttrConcurrentKernels, device) ? "yes" : "no",
               getenv("CUDA_DEVICE_MAX_CONNECTIONS"));
    if (!ON_GPU)
    {
        print_note("the CPU backend runs one kernel after the other: its times show no overlap\n");
    }

    const size_t N = MAX_NUM_STREAMS * args.N, bytes = N * sizeof(real);
    real *h_x = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    real *h_z = (real *)malloc(bytes);
    real *reference = (real *)malloc(bytes);
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);
    real *d_x, *d_y, *d_z;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    cudaStream_t streams[MAX_NUM_STREAMS];
    for (cudaStream_t &stream : streams)
    {
        CHECK(cudaStreamCreate(&stream));
    }

    printf(args.csv ? "version,N1,streams,%s,deviation,speed-up\n"
                    : "   N1  streams %10s deviation  speed-up\n",
           TIME_UNIT);
    bool clock_is_right = true; // the host has waited for all that it timed
    for (const int figure : {0, 1})
    {
        const int N1 = figure == 0 ? args.N : (args.N + 7) / 8;
        const int block_size = args.block_x;
        const int grid_size = (N1 - 1) / block_size + 1;
        int additions = 1000;

        // Listing 12.2. The offset is where the numbers of stream n begin. `[&](...) {...}` is a
        // lambda of C++: a function inside `main`, which may use the variables of `main`.
        const auto launch = [&](int num)
        {
            for (int n = 0; n < num; ++n)
            {
                const size_t offset = (size_t)n * N1;
                add<<<grid_size, block_size, 0, streams[n]>>>(d_x + offset, d_y + offset,
                                                              d_z + offset, N1, additions);
                CHECK_LAUNCH();
            }
        };
        // The host's clock. Events would have to be in the default stream, and the other streams
        // would wait for them.
        const auto time_streams = [&](int num)
        {
            const auto launch_and_wait = [&]
            {
                launch(num);
                CHECK(cudaDeviceSynchronize());
            };
            const Timing time = time_host(launch_and_wait, args.repeats);
            for (const cudaStream_t stream : streams)
            {
                clock_is_right = clock_is_right && is_idle(stream);
            }
            return time;
        };

        // In the first of the two steps the launch still takes a good part of the time.
        for (int step = 0; step < 2; ++step)
        {
            additions = std::max(1.0, additions * KERNEL_MS / time_streams(1).median);
        }
        print_note("%s, N1 = %d: each kernel adds %d times; median of %zu repeats\n", REAL_NAME, N1,
                   additions, args.repeats);
        if (wants_figures)
        {
            fprintf(figures[figure].file, "# N1 = %d\n# streams  %s  speed-up\n", N1, TIME_UNIT);
        }
        double one_stream = 0.0; // ms
        for (const int num : NUMBERS_OF_STREAMS)
        {
            const size_t bytes_used = (size_t)num * N1 * sizeof(real);
            poison(h_z, bytes_used);
            CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
            launch(num);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaMemcpy(h_z, d_z, bytes_used, cudaMemcpyDeviceToHost));
            char what[64];
            snprintf(what, sizeof(what), "z of %d streams, N1 = %d", num, N1);
            check_elements(what, h_z, reference, (size_t)num * N1);

            const Timing time = time_streams(num);
            if (num == 1)
            {
                one_stream = time.median;
            }
            const double speedup = num * one_stream / time.median;
            if (args.csv)
            {
                printf("%d/%d,", N1, num);
            }
            printf(args.csv ? "%d,%d,%.6g,%.2g,%.6g\n" : "%5d %8d %10.4g %9.2g %9.2f\n", N1, num,
                   time.median, time.deviation, speedup);
            fflush(stdout);
            if (wants_figures)
            {
                fprintf(figures[figure].file, "%d %.6g %.6g\n", num, time.median, speedup);
            }
        }
    }
    check_true("the host has waited for what it timed", clock_is_right);
    if (wants_figures)
    {
        close_output(&figures[0]);
        close_output(&figures[1]);
    }

    for (cudaStream_t stream : streams)
    {
        CHECK(cudaStreamDestroy(stream));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
