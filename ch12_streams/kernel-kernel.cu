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
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/is_idle.cuh"
#include "../common/output.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

const int NUMBERS_OF_STREAMS[] = {1,  2,  4,  8,  12,  16,  20,  24,  30,
                                  32, 48, 64, 96, 128, 129, 160, 192, 256};
const int POINTS = sizeof(NUMBERS_OF_STREAMS) / sizeof(NUMBERS_OF_STREAMS[0]);
const int MAX_NUM_STREAMS = 256;

// A kernel should take so long by itself. 128 launches take about half a millisecond, and the first
// kernel must not end before the last one begins.
const double KERNEL_MS = 20.0;

static int N1; // threads of a kernel
static int grid_size, block_size;
static int additions;         // of a thread
static real *h_x, *h_y, *h_z; // z is x + y
static real *d_x, *d_y, *d_z;
static real *reference; // what z should be
static cudaStream_t streams[MAX_NUM_STREAMS];

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

// Listing 12.2. The offset is where the numbers of stream n begin.
void launch(const real *d_x, const real *d_y, real *d_z, int num)
{
    for (int n = 0; n < num; ++n)
    {
        const size_t offset = (size_t)n * N1;
        add<<<grid_size, block_size, 0, streams[n]>>>(d_x + offset, d_y + offset, d_z + offset, N1,
                                                      additions);
        CHECK_LAUNCH();
    }
}

void check_launch(int num)
{
    const size_t numbers = (size_t)num * N1, bytes = numbers * sizeof(real);
    poison(h_z, bytes);
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes)); // the streams wait for it
    launch(d_x, d_y, d_z, num);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    char what[64];
    snprintf(what, sizeof(what), "z of %d streams, N1 = %d", num, N1);
    check_elements(what, h_z, reference, numbers);
}

// The time by the host's clock. Events would have to be in the default stream, and the other
// streams would wait for them.
Timer time_launch(int num)
{
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        launch(d_x, d_y, d_z, num);
        CHECK(cudaDeviceSynchronize());
    }
    bool all_are_idle = true;
    for (int n = 0; n < MAX_NUM_STREAMS; ++n)
    {
        all_are_idle = all_are_idle && is_idle(streams[n]);
    }
    check_true("the host has waited for what it timed", all_are_idle);
    return timer;
}

// As many additions as take KERNEL_MS. In the first of the two steps the launch still takes a good
// part of the time. Without a GPU nothing is timed, and 10 additions are enough.
void choose_additions(void)
{
    additions = ON_GPU ? 1000 : 10;
    for (int step = 0; ON_GPU && step < 2; ++step)
    {
        additions = (int)fmax(1.0, additions * KERNEL_MS / time_launch(1).median);
    }
    print_timed_note("%s, N1 = %d: each kernel adds %d times; median of %zu repeats\n", REAL_NAME,
                     N1, additions, args.repeats);
}

// The table of one N1, and the data of its figure. Without -o the figure has no file.
void measure_streams(FILE *figure)
{
    double one_stream_ms = NAN;
    if (figure != NULL)
    {
        fprintf(figure, "# N1 = %d\n# streams  %s  speed-up\n", N1, TIME_UNIT);
    }
    for (int i = 0; i < POINTS; ++i)
    {
        const int num = NUMBERS_OF_STREAMS[i];
        check_launch(num);
        const Timer timer = time_launch(num);
        if (num == 1)
        {
            one_stream_ms = timer.median;
        }
        const double speedup = times_as_fast(num * one_stream_ms, timer.median);
        put(N1);
        put(num);
        put_timed(timer.median);
        put_timed(timer.deviation);
        put_timed(speedup);
        end_row();
        if (figure != NULL)
        {
            fprintf(figure, "%d %.6g %.6g\n", num, timer.median, speedup);
        }
    }
}

void print_what_runs(void)
{
    int device = -1;
    CHECK(cudaGetDevice(&device));
    print_device();
    print_note("%d multiprocessors, kernels at the same time: %s, "
               "CUDA_DEVICE_MAX_CONNECTIONS = %s (CUDA's default: 8)\n",
               device_attribute(cudaDevAttrMultiProcessorCount, device),
               device_attribute(cudaDevAttrConcurrentKernels, device) ? said("yes") : said("no"),
               getenv("CUDA_DEVICE_MAX_CONNECTIONS"));
    if (!ON_GPU)
    {
        print_note("the CPU backend runs one kernel after the other: nothing overlaps\n");
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
                   "  ms         the median time of all of them\n"
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
    print_what_runs();

    const size_t N = MAX_NUM_STREAMS * args.N, bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_z = (real *)malloc(bytes);
    reference = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    for (int n = 0; n < MAX_NUM_STREAMS; ++n)
    {
        CHECK(cudaStreamCreate(&streams[n]));
    }
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    const Column COLUMNS[] = {{"N1", "%5.0f"},
                              {"streams", "%8.0f"},
                              {TIME_UNIT, "%10.4g"},
                              {"deviation", "%9.2g"},
                              {"speed-up", "%9.2f"}};
    begin_timed_table(COLUMNS, 5);
    block_size = args.block_x;
    for (int figure = 0; figure < 2; ++figure)
    {
        N1 = figure == 0 ? args.N : (args.N + 7) / 8;
        grid_size = (N1 - 1) / block_size + 1;
        choose_additions();
        measure_streams(figures[figure].file);
        if (figures[figure].file != NULL)
        {
            close_output(&figures[figure]);
        }
    }

    for (int n = 0; n < MAX_NUM_STREAMS; ++n)
    {
        CHECK(cudaStreamDestroy(streams[n]));
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
