// prefetch: data that are moved before they are needed, and three kinds of advice, timed
//
// From:    Listing 13.6, section 13.4, file prefetch.cu; S3 memory (2)
// Chinese: 在需要数据之前先把它们移过去（预取），以及三种建议，各用多少时间
// Compile: nvcc -O3 prefetch.cu
// Run:     ./a.out -n 100000000
// Options: -n N -b B -r R -s S
// Checks:  27 (7 or more on a GPU): 27 where the device can prefetch
//
// After a page fault, the threads that need the page wait until the driver has moved it. A prefetch
// moves a whole array by one call, before the kernel needs it. Advice moves nothing. It tells the
// driver how an array will be used, and so what to do at a page fault:
//
//   read mostly           host and device each keep a copy of a page that is only read
//   preferred location    the page stays there, and the other side reads it across the bus
//   accessed by           the device can reach the page from the start, without a fault
//
// prefetch_to_device and prefetch_to_host call cudaMemPrefetchAsync, and advise calls
// cudaMemAdvise. CUDA 13 has changed the arguments of both, so these three functions stand in
// ../common/compat.cuh. A device without concurrentManagedAccess (before Pascal, or under Windows
// or WSL) cannot prefetch, and the program skips these rows.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/compat.cuh"
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

__global__ void add(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// The rows of the table: what the host asks for before the first launch.
enum Row
{
    FAULTS, // nothing
    PREFETCHED,
    READ_MOSTLY,
    PREFERRED_HOST,
    ACCESSED_BY,
    NUM_ROWS
};

const char *const ROW_NAMES[NUM_ROWS] = {"faults", "prefetched", "read-mostly", "preferred-host",
                                         "accessed-by"};

enum Column
{
    PREFETCH,   // x, y, z to the device, before the first launch
    FIRST,      // the first launch
    AGAIN,      // further launches: the data are where they are
    HOST_READS, // the host reads a byte of each page of x and y
    AFTER_THAT, // the launch after that
    Z_TO_HOST,  // the host reads a byte of each page of z
    NUM_COLUMNS
};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(400000000 / sizeof(real)); // arrays of 400 MB
    args.bytes_per_element = 4 * sizeof(real);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "prefetch: data that are moved before they are needed, and three kinds of advice, "
               "timed");
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
    const bool can_prefetch = has_page_faults();
    real *reference = (real *)malloc(bytes);
    add_reference(reference, N, args.seed);

    // ---- Listing 13.6 ----

    int device_id = 0;
    CHECK(cudaGetDevice(&device_id));

    real *x, *y, *z;
    CHECK(cudaMallocManaged(&x, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
    CHECK(cudaMallocManaged(&z, bytes));
    fill_random(x, N, args.seed);
    fill_random(y, N, args.seed + 1);
    poison(z, bytes);

    const unsigned int block_size = args.block_x;
    const unsigned int grid_size = (N - 1) / block_size + 1;
    if (can_prefetch)
    {
        CHECK(prefetch_to_device(x, bytes, device_id));
        CHECK(prefetch_to_device(y, bytes, device_id));
        CHECK(prefetch_to_device(z, bytes, device_id));
    }
    add<<<grid_size, block_size>>>(x, y, z, N);
    CHECK_LAUNCH();
    if (can_prefetch)
    {
        CHECK(prefetch_to_host(z, bytes));
    }

    // A launch and a prefetch return at once. The book's listing does not wait here, but it must:
    // the host reads z next.
    CHECK(cudaDeviceSynchronize());
    check_elements("z", z, reference, N);

    // ---- The table ----

    const auto launch = [&]
    {
        add<<<grid_size, block_size>>>(x, y, z, N);
    };
    const auto prefetch_all = [&]
    {
        for (real *array : {x, y, z})
        {
            CHECK(prefetch_to_device(array, bytes, device_id));
        }
    };
    // The device poisons z, so z stays on the device.
    const auto poison_on_device = [&]
    {
        CHECK(cudaMemset(z, POISON_BYTE, bytes));
    };
    const auto check_z = [&](int row, const char *when)
    {
        char what[64];
        snprintf(what, sizeof(what), "z of %s, %s", ROW_NAMES[row], when);
        CHECK(cudaDeviceSynchronize());
        check_elements(what, z, reference, N);
    };
    // The time until the host can read the arrays: by a prefetch, or by page faults alone.
    const auto host_reads = [&](std::initializer_list<const real *> arrays, bool with_prefetch)
    {
        const double start = host_clock();
        for (const real *array : arrays)
        {
            if (with_prefetch)
            {
                CHECK(prefetch_to_host(array, bytes));
            }
        }
        CHECK(cudaDeviceSynchronize());
        for (const real *array : arrays)
        {
            read_pages(array, bytes);
        }
        return host_clock() - start;
    };
    const auto advise_inputs = [&](cudaMemoryAdvise advice, int device)
    {
        CHECK(advise(x, bytes, advice, device));
        CHECK(advise(y, bytes, advice, device));
    };

    const size_t num_passes = 1 + args.repeats / 10;
    double *samples[NUM_COLUMNS], ms[NUM_ROWS][NUM_COLUMNS];
    for (double *&column : samples)
    {
        column = (double *)malloc(num_passes * sizeof(double));
    }
    printf("%s, N = %zu, medians of %zu passes\n", REAL_NAME, N, num_passes);
    printf("%-15s %10s %10s %10s %11s %11s %10s\n", TIME_UNIT, "prefetch", "kernel", "again",
           "host: x, y", "kernel then", "host: z");
    for (int row = 0; row < NUM_ROWS; ++row)
    {
        if (row != FAULTS && !can_prefetch)
        {
            printf("%-15s skipped: needs concurrentManagedAccess\n", ROW_NAMES[row]);
            continue;
        }
        const bool prefetches = row == PREFETCHED;
        for (size_t pass = 0; pass <= num_passes; ++pass) // pass 0 is checked, not timed
        {
            const bool checks = pass == 0;
            double time[NUM_COLUMNS];
            std::fill_n(time, (int)NUM_COLUMNS, NAN);

            // x and y lie on the host, and z has not been used yet.
            host_reads({x, y}, can_prefetch);
            CHECK(cudaFree(z));
            CHECK(cudaMallocManaged(&z, bytes));
            if (checks)
            {
                poison(z, bytes);
            }

            if (row == PREFETCHED)
            {
                time[PREFETCH] = time_once(prefetch_all);
            }
            else if (row == READ_MOSTLY)
            {
                advise_inputs(cudaMemAdviseSetReadMostly, device_id);
            }
            else if (row == PREFERRED_HOST)
            {
                advise_inputs(cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
            }
            else if (row == ACCESSED_BY)
            {
                advise_inputs(cudaMemAdviseSetAccessedBy, device_id);
            }

            time[FIRST] = time_once(launch);
            if (checks)
            {
                check_z(row, "the first launch");
            }
            poison_on_device();
            time[AGAIN] = time_kernel(launch, args.repeats).median;
            if (checks)
            {
                check_z(row, "further launches");
            }
            time[HOST_READS] = host_reads({x, y}, prefetches);
            poison_on_device();
            time[AFTER_THAT] = time_once(launch);
            time[Z_TO_HOST] = host_reads({z}, prefetches);
            if (checks || pass == num_passes)
            {
                check_z(row, "the last launch");
            }

            if (row == READ_MOSTLY)
            {
                advise_inputs(cudaMemAdviseUnsetReadMostly, device_id);
            }
            else if (row == PREFERRED_HOST)
            {
                advise_inputs(cudaMemAdviseUnsetPreferredLocation, cudaCpuDeviceId);
            }
            else if (row == ACCESSED_BY)
            {
                advise_inputs(cudaMemAdviseUnsetAccessedBy, device_id);
            }
            for (int column = 0; column < NUM_COLUMNS && !checks; ++column)
            {
                samples[column][pass - 1] = time[column];
            }
        }
        bool all_taken = true;
        for (int column = 0; column < NUM_COLUMNS; ++column)
        {
            ms[row][column] = summarize(samples[column], num_passes).median;
            all_taken = all_taken && (ms[row][column] >= 0 || (column == PREFETCH && !prefetches));
        }
        check_true("all times were measured", all_taken);
        const double *median = ms[row];
        printf("%-15s", ROW_NAMES[row]);
        if (row == PREFETCHED)
        {
            printf(" %10.4g", median[PREFETCH]);
        }
        else
        {
            printf(" %10s", "");
        }
        printf(" %10.4g %10.4g %11.4g %11.4g %10.4g\n", median[FIRST], median[AGAIN],
               median[HOST_READS], median[AFTER_THAT], median[Z_TO_HOST]);
        fflush(stdout);
    }

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
    for (size_t pass = 0; pass < num_passes; ++pass)
    {
        samples[AGAIN][pass] = time_kernel(launch_on_device_memory, args.repeats).median;
    }
    real *h_z = (real *)malloc(bytes);
    poison(h_z, bytes);
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements("z, memory of cudaMalloc", h_z, reference, N);
    const double device_ms = summarize(samples[AGAIN], num_passes).median;
    const double resident_ms = ms[can_prefetch ? PREFETCHED : FAULTS][AGAIN];
    printf("%-15s %10s %10s %10.4g\n", "device-memory", "", "", device_ms);
    printf("managed memory that lies on the device: %.3f times the time of device memory\n",
           resident_ms / device_ms);

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    for (double *column : samples)
    {
        free(column);
    }
    free(h_z);
    free(reference);
    return verdict();
}
