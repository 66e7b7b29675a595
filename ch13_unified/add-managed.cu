// add-managed: one pointer for host and device, and the time that the page faults take
//
// From:    Listing 13.1, sections 13.1 and 13.2.1, file add.cu of chapter 13
// Compile: nvcc -O3 add-managed.cu
// Run:     ./a.out -n 100000000
//
// cudaMallocManaged returns a pointer that host and device can both use, so the program copies
// nothing by hand. Such memory consists of pages, and each page lies on the host or on the device.
// When the other side uses a page, the driver moves the page there. On the device a page fault
// starts the move. So the first launch is slow, and the second one is as fast as with memory of
// cudaMalloc. Before the host reads the sums, it must wait for the kernel: cudaDeviceSynchronize.
// With -DUSE_DP the numbers are doubles, as in the book.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "unified.cuh"

static size_t N, bytes;                    // of elements; of an array
static unsigned int grid_size, block_size; // of each launch
static real *x, *y, *z;                    // managed; at the end memory of cudaMalloc
static real *reference;                    // what z should be

// Computed from the generator of x and y, not from x and y themselves. If the driver moved a page
// wrongly, the check would find it.
void add_reference(real *z, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (real)(random_unit(seed, n) + random_unit(seed + 1, n));
    }
}

// For a kernel, managed memory is used like any other device memory.
__global__ void add(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

void run_add(void) { add<<<grid_size, block_size>>>(x, y, z, N); }

// Listing 13.1: the host fills x and y, the kernel uses them, the host reads z.
void add_once(void)
{
    CHECK(cudaMallocManaged(&x, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
    CHECK(cudaMallocManaged(&z, bytes));
    fill_random(x, N, args.seed);
    fill_random(y, N, args.seed + 1);
    poison(z, bytes);

    add<<<grid_size, block_size>>>(x, y, z, N);
    CHECK_LAUNCH();

    // A launch returns before the kernel has run. Without this wait the host could read z before
    // the sums are there, on every GPU.
    CHECK(cudaDeviceSynchronize());
    check_elements("z", z, reference, N);
}

// The median time of many launches. The timer waits for the last one, so the host may read z then.
double time_launches(void)
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        run_add();
    }
    return timer.median;
}

double time_reading_z(void)
{
    const double start = host_clock();
    read_pages(z, bytes);
    return host_clock() - start;
}

enum Part
{
    FIRST_LAUNCH,
    LAUNCH_AGAIN,
    HOST_READS,
    HOST_READS_AGAIN,
    NUM_PARTS
};

// The time of the first use on each side, and of the second. A pass moves the data once. Fills
// medians[], in ms.
void time_both_sides(size_t num_passes, double *medians)
{
    double *ms[NUM_PARTS];
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        ms[part] = (double *)malloc(num_passes * sizeof(double));
    }
    for (size_t pass = 0; pass < num_passes; ++pass)
    {
        // As in the book's listing: x and y lie on the host, and z has not been used yet.
        read_pages(x, bytes);
        read_pages(y, bytes);
        CHECK(cudaFree(z));
        CHECK(cudaMallocManaged(&z, bytes));

        start_events();
        run_add();
        ms[FIRST_LAUNCH][pass] = stop_events();
        CHECK(cudaMemset(z, POISON_BYTE, bytes)); // the device sets it, so z stays there
        ms[LAUNCH_AGAIN][pass] = time_launches();
        ms[HOST_READS][pass] = time_reading_z();
        ms[HOST_READS_AGAIN][pass] = time_reading_z();
    }
    check_elements("z after many launches", z, reference, N);

    for (int part = 0; part < NUM_PARTS; ++part)
    {
        medians[part] = summarize(ms[part], num_passes).median;
        check_true("the time was measured", medians[part] >= 0 || !ON_GPU);
        free(ms[part]);
    }
}

// The same launches with memory of cudaMalloc.
double time_device_memory(void)
{
    x = move_to_device_memory(x, bytes);
    y = move_to_device_memory(y, bytes);
    z = move_to_device_memory(z, bytes);
    CHECK(cudaMemset(z, POISON_BYTE, bytes));
    const double ms = time_launches();

    real *h_z = (real *)malloc(bytes);
    poison(h_z, bytes);
    CHECK(cudaMemcpy(h_z, z, bytes, cudaMemcpyDeviceToHost));
    check_elements("z, memory of cudaMalloc", h_z, reference, N);
    free(h_z);
    return ms;
}

void print_row(const char *what, double ms, double bytes, const char *where)
{
    put_text(what);
    put_timed(ms);
    put_timed(rate_of(bytes, ms));
    put_text(where);
    end_row();
}

int main(int argc, char **argv)
{
    args.N = default_size(400000000 / sizeof(real)); // arrays of 400 MB
    args.bytes_per_element = 4 * sizeof(real);
    args.columns = "  ms    the median time\n"
                   "  GB/s  bytes of x, y and z over the time; where the host reads: of z alone\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "add-managed: one pointer for host and device, and the time that the page faults "
               "take");
    N = args.N;
    bytes = N * sizeof(real);
    block_size = args.block_x;
    if ((N - 1) / args.block_x >= INT_MAX)
    {
        usage_error("%zu elements need more than %d blocks of %zu", N, INT_MAX, args.block_x);
    }
    require_managed_memory();
    print_device();
    print_what_moves();

    grid_size = (N - 1) / block_size + 1;
    reference = (real *)malloc(bytes);
    add_reference(reference, N, args.seed);
    add_once();

    const size_t num_passes = 1 + args.repeats / 10;
    double times[NUM_PARTS];
    time_both_sides(num_passes, times);
    const double device_ms = time_device_memory();

    print_timed_note("%s, N = %zu, medians of %zu passes\n", REAL_NAME, N, num_passes);
    const Column COLUMNS[] = {
        {"step", "%-20s", ""}, {TIME_UNIT, "%10.4g"}, {"GB/s", "%8.1f"}, {"remark", " %s"}};
    begin_timed_table(COLUMNS, 4);
    print_row("first launch", times[FIRST_LAUNCH], 3.0 * bytes,
              "x, y lie on the host, z is not used yet");
    print_row("launch again", times[LAUNCH_AGAIN], 3.0 * bytes, "all lie on the device");
    print_row("host reads z", times[HOST_READS], bytes, "one byte per page, z lies on the device");
    print_row("host reads z again", times[HOST_READS_AGAIN], 0.0, "z lies on the host");
    print_row("device memory", device_ms, 3.0 * bytes, "memory of cudaMalloc");

    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    free(reference);
    return verdict();
}
