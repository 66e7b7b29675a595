// occupancy-speed: whether a kernel is faster if its occupancy is higher
//
// From:    section 6.3.2
// Order:   after occupancy
// Compile: nvcc -O3 occupancy-speed.cu
// Run:     ./a.out -n 1e8
//
// Three kernels are timed in blocks of several shapes, beside the occupancy that the API says. A
// higher occupancy is not always faster: few threads are enough if each has many loads under way.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "windows.cuh"

static size_t N;
static real *h_x, *d_x; // the numbers
static real *h_variance, *d_variance;
static double *reference;    // what the variances should be
static double ceiling;       // GB/s
static int warp, most_warps; // threads of a warp; warps that a multiprocessor can hold

// The variance of the W numbers from each x[n] on, by another way than the kernel: the window
// slides by one number, so one number enters and one leaves. The data are integers, so no sum is
// rounded.
void variance_reference(const real *x, double *variance, size_t N, int64_t W)
{
    int64_t sum = 0, squares = 0;
    for (size_t n = 0; n < N + W - 1; ++n)
    {
        const int64_t enters = (int64_t)x[n], leaves = n < (size_t)W ? 0 : (int64_t)x[n - W];
        sum += enters - leaves;
        squares += enters * enters - leaves * leaves;
        if (n + 1 >= (size_t)W)
        {
            variance[n + 1 - W] = (double)(W * squares - sum * sum) / (W * W);
        }
    }
}

// The time of a kernel in blocks of this shape. Its result is checked.
double time_block(const Window *window, dim3 block)
{
    const size_t bytes = N * sizeof(real), threads = block.x * block.y;
    const unsigned int grid_size = (N + threads - 1) / threads;
    CHECK(cudaMemset(d_variance, POISON_BYTE, bytes));
    poison(h_variance, bytes);
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        window->kernel<<<grid_size, block>>>(d_x, d_variance, N);
    }
    CHECK(cudaMemcpy(h_variance, d_variance, bytes, cudaMemcpyDeviceToHost));
    check_elements("variance", h_variance, reference, N, window->W * REAL_EPSILON);
    return timer.median;
}

// A row: a block of this shape, its occupancy, and the time.
void show_block(const Window *window, const cudaFuncAttributes *attributes, dim3 block)
{
    const int threads = block.x * block.y, warps = (threads + warp - 1) / warp;
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, window->kernel, threads, 0));
    const bool fits = blocks > 0;
    check_true("a block fits if the kernel's own limit allows it",
               fits == (threads <= attributes->maxThreadsPerBlock));
    const double occupancy = percent_of(blocks * warps, most_warps);
    const double ms = fits ? time_block(window, block) : NAN;
    const double rate = rate_of(2.0 * N * sizeof(real), ms);
    char name[32];
    snprintf(name, sizeof(name), "%ux%u", block.x, block.y);
    put_text(name);
    put(warps);
    put(ON_GPU ? blocks : NAN); // without a GPU registers are not counted
    put(ON_GPU ? occupancy : NAN);
    put(ms);
    put(rate);
    put(percent_of(rate, ceiling));
    put_text(!fits ? "does not fit" : ON_GPU ? bar_of_occupancy(occupancy) : "");
    end_row();
}

// A table: blocks of several shapes.
void show_window(const Window *window)
{
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, window->kernel));
    printf("%s", args.csv || !ON_GPU ? "" : "\n");
    print_timed_note("windows of %d %ss: %d registers a thread\n", window->W, REAL_NAME,
                     attributes.numRegs);
    static const Column COLUMNS[] = {{"block", "%8s"},     {"warps", "%5.0f"},
                                     {"blocks", "%6.0f"},  {"occupancy %", "%9.1f", "occupancy"},
                                     {TIME_UNIT, "%9.4g"}, {"GB/s", "%7.1f"},
                                     {"%", "%5.1f"},       {"bar", " %s"}};
    begin_timed_table(COLUMNS, 8);
    for (int i = 0; i < NUM_BLOCKS; ++i)
    {
        show_block(window, &attributes, BLOCKS[i]);
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(20000000, 20000);
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    args.columns = "  blocks     how many are resident together on a multiprocessor\n"
                   "  occupancy  the warps of these blocks in per cent of the most warps\n"
                   "  %          GB/s in per cent of a copy's\n";
    parse_args(argc, argv, "-n N -r R -s S --csv",
               "occupancy-speed: whether a kernel is faster if its occupancy is higher");
    int device;
    CHECK(cudaGetDevice(&device));
    warp = device_attribute(cudaDevAttrWarpSize, device);
    most_warps = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / warp;
    print_device();

    N = args.N;
    const size_t bytes = N * sizeof(real);
    const size_t with_last = N + MOST_NUMBERS - 1; // numbers in all windows
    h_x = (real *)malloc(with_last * sizeof(real));
    h_variance = (real *)malloc(bytes);
    reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&d_x, with_last * sizeof(real)));
    CHECK(cudaMalloc(&d_variance, bytes));
    fill_integers(h_x, with_last, args.seed);
    CHECK(cudaMemcpy(d_x, h_x, with_last * sizeof(real), cudaMemcpyHostToDevice));
    ceiling = copy_ceiling(2 * bytes);

    for (int i = 0; i < NUM_WINDOWS; ++i)
    {
        variance_reference(h_x, reference, N, WINDOWS[i].W);
        show_window(&WINDOWS[i]);
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_variance));
    free(h_x);
    free(h_variance);
    free(reference);
    return verdict();
}
