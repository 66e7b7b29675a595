// arithmetic2gpu: the same square roots on the device, and the speed-up as N grows
//
// From:    Listing 5.2, sections 5.2.2 and 5.2.3, Fig. 5.1, file arithmetic2gpu.cu
// Compile: nvcc -O3 arithmetic2gpu.cu
// Run:     ./a.out 1000000
//
// There are 10^4 roots for each number read, so the arithmetic decides how long the kernel takes.
// In double (-DUSE_DP) a GPU made for games is far slower, because it has few units for doubles.
// --sweep gives the data of Figure 5.1. With few elements the time does not depend on N, because
// most of the device has nothing to do. With many elements the time grows with N, and the speed-up
// stays the same.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "arithmetic.cuh"

const size_t HOST_N = 1000; // elements with which the host's time is taken

// The time that a point of the sweep may take. A long launch is repeated less often.
const double POINT_MS = ON_GPU ? 3000.0 : 500.0;

// Arrays for the largest number of elements. All sizes use their beginning.
static real *h_start, *h_x, *d_start, *d_x; // x begins as a copy of start
static double *reference;                   // what x should become

// Listing 5.2, the function of the host: the one in arithmetic1cpu.
void arithmetic_on_host(real *x, const real x0, const size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        real x_tmp = x[n];
        while (sqrt(x_tmp) < x0)
        {
            ++x_tmp;
        }
        x[n] = x_tmp;
    }
}

// Listing 5.2, the kernel.
__global__ void arithmetic(real *d_x, const real x0, const size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real x_tmp = d_x[n];
        while (sqrt(x_tmp) < x0)
        {
            ++x_tmp;
        }
        d_x[n] = x_tmp;
    }
}

// The host's time in ms for one element. It is proportional to the number of elements, so HOST_N of
// them are enough.
double time_host_element(void)
{
    Timer timer = new_host_timer(3);
    while (next_run(&timer))
    {
        memcpy(h_x, h_start, HOST_N * sizeof(real));
        begin_timing(&timer);
        arithmetic_on_host(h_x, X0, HOST_N);
    }
    check_elements("x of the host", h_x, reference, HOST_N);
    return timer.median / HOST_N;
}

// The device's time for N elements. The result is checked.
double time_device(size_t N, size_t repeats)
{
    const size_t bytes = N * sizeof(real);
    const unsigned int block_size = args.block_x;
    const unsigned int grid_size = (N + block_size - 1) / block_size;
    Timer timer = new_timer(repeats);
    while (next_run(&timer))
    {
        // not timed: every launch starts from the same numbers
        CHECK(cudaMemcpy(d_x, d_start, bytes, cudaMemcpyDeviceToDevice));
        begin_timing(&timer);
        arithmetic<<<grid_size, block_size>>>(d_x, X0, N);
    }
    poison(h_x, bytes);
    CHECK(cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    check_elements("x of the device", h_x, reference, N);
    return timer.median;
}

void print_titles(void)
{
    print_timed_note("%s; the host's time is that of %zu elements, scaled to N\n", REAL_NAME,
                     HOST_N);
    static const Column COLUMNS[] = {{"N", "%10.0f"},         {"host ms", "%12.4g"},
                                     {"device ms", "%13.4g"}, {"speed-up", "%10.1f"},
                                     {"Gsteps/s", "%10.4g"},  {"repeats", "%8.0f"}};
    begin_timed_table(COLUMNS, 6);
}

void print_point(size_t N, double host, double device, size_t repeats)
{
    put(N);
    put(host);
    put(device);
    put(times_as_fast(host, device));
    put(rate_of(N * STEPS, device));
    put(repeats);
    end_row();
}

int main(int argc, char **argv)
{
    bool is_sweep = false;
    args.N = default_size(1000000, 1000);
    args.repeats = 10;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    args.columns = "  host ms   the time of one core of the host, scaled to N elements\n"
                   "  device    the median time of the kernel\n"
                   "  speed-up  host ms over that of the device\n"
                   "  Gsteps/s  square roots of the kernel, in 10^9 a second\n";
    add_flag("sweep", &is_sweep, "N = 10^3, 10^4, ... 10^8 instead (on a CPU to 10^4)");
    parse_args(argc, argv, "-n N -b B -r R -s S --csv [N]",
               "arithmetic2gpu: the same square roots on the device, and the speed-up as N grows");
    if (is_sweep)
    {
        args.N = default_size(100000000, 10000);
        check_memory(false); // halves it where it does not fit
    }
    print_device();

    const size_t on_host = args.N > HOST_N ? args.N : HOST_N;
    const size_t bytes_on_device = args.N * sizeof(real);
    h_start = (real *)malloc(on_host * sizeof(real));
    h_x = (real *)malloc(on_host * sizeof(real));
    reference = (double *)malloc(on_host * sizeof(double));
    CHECK(cudaMalloc(&d_start, bytes_on_device));
    CHECK(cudaMalloc(&d_x, bytes_on_device));
    fill_start(h_start, on_host, args.seed);
    arithmetic_reference(h_start, reference, on_host);
    CHECK(cudaMemcpy(d_start, h_start, bytes_on_device, cudaMemcpyHostToDevice));

    const double host_element = time_host_element();
    print_titles();
    size_t repeats = args.repeats;
    for (size_t N = is_sweep ? 1000 : args.N; N <= args.N; N *= 10)
    {
        const double device = time_device(N, repeats);
        print_point(N, host_element * N, device, repeats);

        // The next launches may take ten times as long. One of them is not timed.
        const double fits = POINT_MS / (10.0 * device) - 1.0;
        repeats = fmin(args.repeats, fmax(fits, 1.0));
    }

    CHECK(cudaFree(d_start));
    CHECK(cudaFree(d_x));
    free(h_start);
    free(h_x);
    free(reference);
    return verdict();
}
