// kernel-kernel: many small kernels at the same time, each in a stream of its own
//
// From:    Listing 12.2, Fig. 12.1, Fig. 12.2, sections 12.3, 12.3.1 and 12.3.2,
//          file kernel-kernel.cu
// Compile: nvcc -O3 kernel-kernel.cu
// Run:     ./a.out -n 1024
//
// Kernels in one stream run one after the other. Kernels in different streams may run at the same
// time. Each kernel here has N1 threads, too few for the device, and there is one kernel in each
// stream. So 32 kernels in 32 streams take hardly longer than one. The speed-up is the time that
// the same kernels would need in one stream, divided by the time measured. Two things limit it:
// - With N1 = N, 1024 as in the book, all kernels share the load and store units and the L2 cache.
//   From some number of kernels on, these are always busy.
// - With N1 = N / 8, 128 as in the book, the number of kernels is the limit: a device of compute
//   capability 7.5 or later runs at most 128 at the same time. No CUDA function returns this.
// The kernel repeats its addition, so that it takes far longer than its launch.
//
// -o PREFIX writes the data of Figures 12.1 and 12.2. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/is_idle.cuh"
#include "../common/output.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const int NUMBERS_OF_STREAMS[] = {1,  2,  4,  8,  12,  16,  20,  24,  30,
                                  32, 48, 64, 96, 128, 129, 160, 192, 256};
const int MAX_NUM_STREAMS = 256;

// A kernel should take so long by itself. 128 launches take about half a millisecond, and the first
// kernel must not end before the last one begins.
const double KERNEL_MS = ON_GPU ? 20.0 : 0.2;

// A double has so many digits that adding in double and then rounding to real gives the same bits
// as adding in real.
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

// What the functions below work on.
struct Data
{
    int N1;         // threads of a kernel
    int grid_size;  //
    int block_size; //
    int additions;  // of a thread
    real *h_z, *reference;
    real *d_x, *d_y, *d_z;
    cudaStream_t streams[MAX_NUM_STREAMS];
};

// Listing 12.2. The offset is where the numbers of stream n begin.
void launch(const Data *data, int num)
{
    for (int n = 0; n < num; ++n)
    {
        const size_t offset = (size_t)n * data->N1;
        add<<<data->grid_size, data->block_size, 0, data->streams[n]>>>(
            data->d_x + offset, data->d_y + offset, data->d_z + offset, data->N1, data->additions);
        CHECK_LAUNCH();
    }
}

void check_launch(const Data *data, int num)
{
    const size_t numbers = (size_t)num * data->N1, bytes = numbers * sizeof(real);
    poison(data->h_z, bytes);
    CHECK(cudaMemset(data->d_z, POISON_BYTE, bytes)); // the streams wait for it
    launch(data, num);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(data->h_z, data->d_z, bytes, cudaMemcpyDeviceToHost));
    char what[64];
    snprintf(what, sizeof(what), "z of %d streams, N1 = %d", num, data->N1);
    check_elements(what, data->h_z, data->reference, numbers);
}

// The time by the host's clock. Events would have to be in the default stream, and the other
// streams would wait for them.
Timing time_launch(const Data *data, int num, size_t repeats)
{
    const auto launch_and_wait = [=]
    {
        launch(data, num);
        CHECK(cudaDeviceSynchronize());
    };
    const Timing time = time_host(launch_and_wait, repeats);
    bool all_are_idle = true;
    for (const cudaStream_t stream : data->streams)
    {
        all_are_idle = all_are_idle && is_idle(stream);
    }
    check_true("the host has waited for what it timed", all_are_idle);
    return time;
}

// As many additions as take KERNEL_MS. In the first of the two steps the launch still takes a good
// part of the time.
void choose_additions(Data *data, size_t repeats)
{
    data->additions = 1000;
    for (int step = 0; step < 2; ++step)
    {
        const double ms = time_launch(data, 1, repeats).median;
        data->additions = std::max(1.0, data->additions * KERNEL_MS / ms);
    }
    print_note("%s, N1 = %d: each kernel adds %d times; median of %zu repeats\n", REAL_NAME,
               data->N1, data->additions, repeats);
}

// The table of one N1, and the data of its figure. Without -o the figure has no file.
void measure_streams(const Data *data, FILE *figure)
{
    double one_stream_ms = NAN;
    if (figure != NULL)
    {
        fprintf(figure, "# N1 = %d\n# streams  %s  speed-up\n", data->N1, TIME_UNIT);
    }
    for (const int num : NUMBERS_OF_STREAMS)
    {
        check_launch(data, num);
        const Timing time = time_launch(data, num, args.repeats);
        if (num == 1)
        {
            one_stream_ms = time.median;
        }
        const double speedup = num * one_stream_ms / time.median;
        if (args.csv)
        {
            printf("%d/%d,", data->N1, num);
        }
        printf(args.csv ? "%d,%d,%.6g,%.2g,%.6g\n" : "%5d %8d %10.4g %9.2g %9.2f\n", data->N1, num,
               time.median, time.deviation, speedup);
        fflush(stdout);
        if (figure != NULL)
        {
            fprintf(figure, "%d %.6g %.6g\n", num, time.median, speedup);
        }
    }
}

int main(int argc, char **argv)
{
    // A connection is a queue through which the host hands work to the device. CUDA makes 8 unless
    // this variable asks for more. 32 is the most. Streams that share a connection may have to wait
    // for each other. CUDA reads the variable when it starts.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);

    args.N = 1024;
    args.repeats = 3;
    args.bytes_per_element = 3 * MAX_NUM_STREAMS * sizeof(real);
    args.bytes_on_host = 4 * MAX_NUM_STREAMS * sizeof(real);
    args.size_is = "threads of a kernel in the first table; in the second one an eighth";
    args.columns = "  N1         threads of each kernel\n"
                   "  streams    how many kernels, each in a stream of its own\n"
                   "  ms         the median time of all of them (on the CPU backend: CPU ms)\n"
                   "  deviation  the standard deviation of the times\n"
                   "  speed-up   streams * (the time of one kernel) / (the time of all)\n";
    parse_args(argc, argv, "-n N -b B -r R -s S -o PREFIX --csv",
               "kernel-kernel: many small kernels at the same time, each in a stream of its own");
    Output figures[2] = {}; // without -o they have no file
    if (*args.prefix != '\0')
    {
        figures[0] = open_output("fig12-1.txt");
        figures[1] = open_output("fig12-2.txt");
    }
    print_device();
    int device = -1;
    CHECK(cudaGetDevice(&device));
    print_note("%d multiprocessors, kernels at the same time: %s, "
               "CUDA_DEVICE_MAX_CONNECTIONS = %s (CUDA's default: 8)\n",
               device_attribute(cudaDevAttrMultiProcessorCount, device),
               device_attribute(cudaDevAttrConcurrentKernels, device) ? said("yes") : said("no"),
               getenv("CUDA_DEVICE_MAX_CONNECTIONS"));
    if (!ON_GPU)
    {
        print_note("the CPU backend runs one kernel after the other: its times show no overlap\n");
    }

    const size_t N = MAX_NUM_STREAMS * args.N, bytes = N * sizeof(real);
    real *h_x = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    Data data;
    data.h_z = (real *)malloc(bytes);
    data.reference = (real *)malloc(bytes);
    for (real **d : {&data.d_x, &data.d_y, &data.d_z})
    {
        CHECK(cudaMalloc(d, bytes));
    }
    for (cudaStream_t &stream : data.streams)
    {
        CHECK(cudaStreamCreate(&stream));
    }
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, data.reference, N);
    CHECK(cudaMemcpy(data.d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(data.d_y, h_y, bytes, cudaMemcpyHostToDevice));

    printf(args.csv ? "version,N1,streams,%s,deviation,speed-up\n"
                    : "   N1  streams %10s deviation  speed-up\n",
           TIME_UNIT);
    for (const int figure : {0, 1})
    {
        const int N1 = figure == 0 ? args.N : (args.N + 7) / 8;
        data.N1 = N1;
        data.block_size = args.block_x;
        data.grid_size = (N1 - 1) / data.block_size + 1;
        choose_additions(&data, args.repeats);
        measure_streams(&data, figures[figure].file);
        if (figures[figure].file != NULL)
        {
            close_output(&figures[figure]);
        }
    }

    for (cudaStream_t stream : data.streams)
    {
        CHECK(cudaStreamDestroy(stream));
    }
    for (real *d : {data.d_x, data.d_y, data.d_z})
    {
        CHECK(cudaFree(d));
    }
    for (real *h : {h_x, h_y, data.h_z, data.reference})
    {
        free(h);
    }
    return verdict();
}
