// add-managed: one pointer for host and device, and the time that the page faults take
//
// From:    Listing 13.1, sections 13.1 and 13.2.1, file add.cu of chapter 13
// Chinese: 主机和设备使用同一个指针（统一内存），以及缺页异常所用的时间
// Compile: nvcc -O3 add-managed.cu
// Run:     ./a.out -n 100000000
// Options: -n N -b B -r R -s S
// Checks:  4
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

enum Part
{
    FIRST_LAUNCH,
    LAUNCH_AGAIN,
    HOST_READS,
    HOST_READS_AGAIN,
    NUM_PARTS
};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(400000000 / sizeof(real)); // arrays of 400 MB
    args.bytes_per_element = 4 * sizeof(real);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "add-managed: one pointer for host and device, and the time that the page faults "
               "take");
    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);
    if ((N - 1) / args.block_x >= INT_MAX)
    {
        usage_error(&args, "%zu elements need more than %d blocks of %zu", N, INT_MAX,
                    args.block_x);
    }
    require_managed_memory(&args);
    print_device();
    print_what_moves();
    real *reference = (real *)malloc(bytes);
    add_reference(reference, N, args.seed);

    // ---- Listing 13.1 ----

    real *x, *y, *z;
    CHECK(cudaMallocManaged(&x, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
    CHECK(cudaMallocManaged(&z, bytes));
    fill_random(x, N, args.seed);
    fill_random(y, N, args.seed + 1);
    poison(z, bytes);

    const unsigned int block_size = args.block_x;
    const unsigned int grid_size = (N - 1) / block_size + 1;
    add<<<grid_size, block_size>>>(x, y, z, N);
    CHECK_LAUNCH();

    // A launch returns before the kernel has run. Without this wait the host could read z before
    // the sums are there, on every GPU.
    CHECK(cudaDeviceSynchronize());
    check_elements("z", z, reference, N);

    // ---- The time of the first use on each side, and of the second ----

    const auto launch = [&]
    {
        add<<<grid_size, block_size>>>(x, y, z, N);
    };
    const auto host_reads_z = [&]
    {
        const double start = host_clock();
        read_pages(z, bytes);
        return host_clock() - start;
    };
    const size_t num_passes = 1 + args.repeats / 10; // each moves the data once
    double *ms[NUM_PARTS];
    for (double *&samples : ms)
    {
        samples = (double *)malloc(num_passes * sizeof(double));
        std::fill_n(samples, num_passes, NAN);
    }
    for (size_t pass = 0; pass < num_passes; ++pass)
    {
        // As in the book's listing: x and y lie on the host, and z has not been used yet.
        read_pages(x, bytes);
        read_pages(y, bytes);
        CHECK(cudaFree(z));
        CHECK(cudaMallocManaged(&z, bytes));

        ms[FIRST_LAUNCH][pass] = time_once(launch);
        CHECK(cudaMemset(z, POISON_BYTE, bytes)); // the device sets it, so z stays there
        // time_kernel waits for its last launch, so the host may read z after it.
        ms[LAUNCH_AGAIN][pass] = time_kernel(launch, args.repeats).median;
        ms[HOST_READS][pass] = host_reads_z();
        ms[HOST_READS_AGAIN][pass] = host_reads_z();
    }
    check_elements("z after many launches", z, reference, N);

    // ---- The same kernel with memory of cudaMalloc ----

    real *d_x, *d_y, *d_z;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyDefault));
    CHECK(cudaFree(x));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyDefault));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    CHECK(cudaMalloc(&d_z, bytes));
    const auto launch_on_device_memory = [&]
    {
        add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    };
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
    const double device_ms = time_kernel(launch_on_device_memory, args.repeats).median;
    real *h_z = (real *)malloc(bytes);
    poison(h_z, bytes);
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements("z, memory of cudaMalloc", h_z, reference, N);

    const double first = summarize(ms[FIRST_LAUNCH], num_passes).median;
    const double again = summarize(ms[LAUNCH_AGAIN], num_passes).median;
    const double reads = summarize(ms[HOST_READS], num_passes).median;
    const double reads_again = summarize(ms[HOST_READS_AGAIN], num_passes).median;
    check_true("all times were measured",
               first >= 0 && again >= 0 && reads >= 0 && reads_again >= 0);
    const double megabytes = bytes * 1e-6; // MB / ms is GB/s
    printf("%s, N = %zu, medians of %zu passes\n", REAL_NAME, N, num_passes);
    printf("%-20s %10s %8s\n", "", TIME_UNIT, "GB/s");
    printf("%-20s %10.4g %8.1f  x, y lie on the host, z is not used yet\n", "first launch", first,
           3.0 * megabytes / first);
    printf("%-20s %10.4g %8.1f  all lie on the device\n", "launch again", again,
           3.0 * megabytes / again);
    printf("%-20s %10.4g %8.1f  one byte per page, z lies on the device\n", "host reads z", reads,
           megabytes / reads);
    printf("%-20s %10.4g %8s  z lies on the host\n", "host reads z again", reads_again, "");
    printf("%-20s %10.4g %8.1f  memory of cudaMalloc\n", "device memory", device_ms,
           3.0 * megabytes / device_ms);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    for (double *samples : ms)
    {
        free(samples);
    }
    free(h_z);
    free(reference);
    return verdict();
}
