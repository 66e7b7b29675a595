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
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"
#include "unified.cuh"

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

// What the launches work on: x, y and z are managed.
struct Arrays
{
    size_t N, bytes;
    unsigned int grid_size, block_size;
    real *x, *y, *z;
    const real *reference;
};

// Listing 13.1: the host fills x and y, the kernel uses them, the host reads z.
void add_once(Arrays *a, size_t seed)
{
    CHECK(cudaMallocManaged(&a->x, a->bytes));
    CHECK(cudaMallocManaged(&a->y, a->bytes));
    CHECK(cudaMallocManaged(&a->z, a->bytes));
    fill_random(a->x, a->N, seed);
    fill_random(a->y, a->N, seed + 1);
    poison(a->z, a->bytes);

    add<<<a->grid_size, a->block_size>>>(a->x, a->y, a->z, a->N);
    CHECK_LAUNCH();

    // A launch returns before the kernel has run. Without this wait the host could read z before
    // the sums are there, on every GPU.
    CHECK(cudaDeviceSynchronize());
    check_elements("z", a->z, a->reference, a->N);
}

// Medians, in ms.
struct Times
{
    double first_launch, launch_again, host_reads, host_reads_again;
};

double time_reading_z(const Arrays *a)
{
    const double start = host_clock();
    read_pages(a->z, a->bytes);
    return host_clock() - start;
}

// The time of the first use on each side, and of the second. A pass moves the data once.
Times time_both_sides(Arrays *a, size_t num_passes, size_t repeats)
{
    const auto launch = [=]
    {
        add<<<a->grid_size, a->block_size>>>(a->x, a->y, a->z, a->N);
    };
    double *ms[4];
    for (double *&samples : ms)
    {
        samples = (double *)malloc(num_passes * sizeof(double));
        std::fill_n(samples, num_passes, NAN);
    }
    for (size_t pass = 0; pass < num_passes; ++pass)
    {
        // As in the book's listing: x and y lie on the host, and z has not been used yet.
        read_pages(a->x, a->bytes);
        read_pages(a->y, a->bytes);
        CHECK(cudaFree(a->z));
        CHECK(cudaMallocManaged(&a->z, a->bytes));

        ms[0][pass] = time_once(launch);
        CHECK(cudaMemset(a->z, POISON_BYTE, a->bytes)); // the device sets it, so z stays there
        // time_kernel waits for its last launch, so the host may read z after it.
        ms[1][pass] = time_kernel(launch, repeats).median;
        ms[2][pass] = time_reading_z(a);
        ms[3][pass] = time_reading_z(a);
    }
    check_elements("z after many launches", a->z, a->reference, a->N);

    double medians[4];
    for (int part = 0; part < 4; ++part)
    {
        medians[part] = summarize(ms[part], num_passes).median;
        check_true("the time was measured", medians[part] >= 0);
        free(ms[part]);
    }
    return {medians[0], medians[1], medians[2], medians[3]};
}

void print_row(const char *what, double ms, double bytes, const char *where)
{
    printf("%-20s %10.4g", what, ms);
    if (bytes > 0.0)
    {
        printf(" %8.1f", bytes / ms * 1e-6);
    }
    else
    {
        printf(" %8s", "");
    }
    printf("  %s\n", where);
}

int main(int argc, char **argv)
{
    args.N = default_size(400000000 / sizeof(real)); // arrays of 400 MB
    args.bytes_per_element = 4 * sizeof(real);
    args.columns = "  ms    the median time (on the CPU backend: CPU ms)\n"
                   "  GB/s  bytes of x, y and z over the time; where the host reads: of z alone\n";
    parse_args(argc, argv, "-n N -b B -r R -s S",
               "add-managed: one pointer for host and device, and the time that the page faults "
               "take");
    const size_t N = args.N, bytes = N * sizeof(real);
    if ((N - 1) / args.block_x >= INT_MAX)
    {
        usage_error("%zu elements need more than %d blocks of %zu", N, INT_MAX, args.block_x);
    }
    require_managed_memory();
    print_device();
    print_what_moves();

    real *reference = (real *)malloc(bytes);
    add_reference(reference, N, args.seed);
    Arrays arrays = {N, bytes};
    arrays.block_size = args.block_x;
    arrays.grid_size = (N - 1) / args.block_x + 1;
    arrays.reference = reference;

    const size_t num_passes = 1 + args.repeats / 10;
    add_once(&arrays, args.seed);
    const Times times = time_both_sides(&arrays, num_passes, args.repeats);
    const auto launch = [&](const real *d_x, const real *d_y, real *d_z)
    {
        add<<<arrays.grid_size, arrays.block_size>>>(d_x, d_y, d_z, N);
    };
    const double device_ms = time_device_memory(&arrays, args.repeats, 1, launch);

    printf("%s, N = %zu, medians of %zu passes\n", REAL_NAME, N, num_passes);
    printf("%-20s %10s %8s\n", "", TIME_UNIT, "GB/s");
    print_row("first launch", times.first_launch, 3.0 * bytes,
              "x, y lie on the host, z is not used yet");
    print_row("launch again", times.launch_again, 3.0 * bytes, "all lie on the device");
    print_row("host reads z", times.host_reads, bytes, "one byte per page, z lies on the device");
    print_row("host reads z again", times.host_reads_again, 0.0, "z lies on the host");
    print_row("device memory", device_ms, 3.0 * bytes, "memory of cudaMalloc");

    free(reference);
    return verdict();
}
