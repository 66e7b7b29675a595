// prefetch: data that are moved before they are needed, and three kinds of advice, timed
//
// From:    Listing 13.6, section 13.4, file prefetch.cu; S3 memory (2)
// Compile: nvcc -O3 prefetch.cu
// Run:     ./a.out -n 100000000
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
// unified.cuh. A device without concurrentManagedAccess (before Pascal, or under Windows
// or WSL) cannot prefetch, and the program skips these rows.

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

// What the launches work on: x, y and z are managed.
struct Arrays
{
    size_t N, bytes;
    unsigned int grid_size, block_size;
    int device_id;
    bool can_prefetch;
    real *x, *y, *z;
    const real *reference;
};

// Listing 13.6: three prefetches, the kernel, and a prefetch of the result to the host.
void add_prefetched(Arrays *a, size_t seed)
{
    CHECK(cudaGetDevice(&a->device_id));
    CHECK(cudaMallocManaged(&a->x, a->bytes));
    CHECK(cudaMallocManaged(&a->y, a->bytes));
    CHECK(cudaMallocManaged(&a->z, a->bytes));
    fill_random(a->x, a->N, seed);
    fill_random(a->y, a->N, seed + 1);
    poison(a->z, a->bytes);

    if (a->can_prefetch)
    {
        CHECK(prefetch_to_device(a->x, a->bytes, a->device_id));
        CHECK(prefetch_to_device(a->y, a->bytes, a->device_id));
        CHECK(prefetch_to_device(a->z, a->bytes, a->device_id));
    }
    add<<<a->grid_size, a->block_size>>>(a->x, a->y, a->z, a->N);
    CHECK_LAUNCH();
    if (a->can_prefetch)
    {
        CHECK(prefetch_to_host(a->z, a->bytes));
    }

    // A launch and a prefetch return at once. The book's listing does not wait here, but it must:
    // the host reads z next.
    CHECK(cudaDeviceSynchronize());
    check_elements("z", a->z, a->reference, a->N);
}

// ---- The table ----

void prefetch_all(const Arrays *a)
{
    for (real *array : {a->x, a->y, a->z})
    {
        CHECK(prefetch_to_device(array, a->bytes, a->device_id));
    }
}

void advise_inputs(const Arrays *a, cudaMemoryAdvise advice, int device)
{
    CHECK(advise(a->x, a->bytes, advice, device));
    CHECK(advise(a->y, a->bytes, advice, device));
}

void give_advice(const Arrays *a, int row)
{
    if (row == READ_MOSTLY)
    {
        advise_inputs(a, cudaMemAdviseSetReadMostly, a->device_id);
    }
    else if (row == PREFERRED_HOST)
    {
        advise_inputs(a, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
    }
    else if (row == ACCESSED_BY)
    {
        advise_inputs(a, cudaMemAdviseSetAccessedBy, a->device_id);
    }
}

void take_advice_back(const Arrays *a, int row)
{
    if (row == READ_MOSTLY)
    {
        advise_inputs(a, cudaMemAdviseUnsetReadMostly, a->device_id);
    }
    else if (row == PREFERRED_HOST)
    {
        advise_inputs(a, cudaMemAdviseUnsetPreferredLocation, cudaCpuDeviceId);
    }
    else if (row == ACCESSED_BY)
    {
        advise_inputs(a, cudaMemAdviseUnsetAccessedBy, a->device_id);
    }
}

// The time until the host can read the arrays: by a prefetch, or by page faults alone.
double time_host_reads(const Arrays *a, std::initializer_list<const real *> arrays,
                       bool with_prefetch)
{
    const double start = host_clock();
    for (const real *array : arrays)
    {
        if (with_prefetch)
        {
            CHECK(prefetch_to_host(array, a->bytes));
        }
    }
    CHECK(cudaDeviceSynchronize());
    for (const real *array : arrays)
    {
        read_pages(array, a->bytes);
    }
    return host_clock() - start;
}

void check_z(const Arrays *a, int row, const char *when)
{
    char what[64];
    snprintf(what, sizeof(what), "z of %s, %s", ROW_NAMES[row], when);
    CHECK(cudaDeviceSynchronize());
    check_elements(what, a->z, a->reference, a->N);
}

// One pass of a row fills time[]. With `checks` z is checked after each step.
void time_pass(Arrays *a, int row, size_t repeats, bool checks, bool checks_last, double *time)
{
    const auto launch = [=]
    {
        add<<<a->grid_size, a->block_size>>>(a->x, a->y, a->z, a->N);
    };
    // x and y lie on the host, and z has not been used yet.
    time_host_reads(a, {a->x, a->y}, a->can_prefetch);
    CHECK(cudaFree(a->z));
    CHECK(cudaMallocManaged(&a->z, a->bytes));
    if (checks)
    {
        poison(a->z, a->bytes);
    }
    time[PREFETCH] = row == PREFETCHED ? time_once([=] { prefetch_all(a); }) : NAN;
    give_advice(a, row);

    time[FIRST] = time_once(launch);
    if (checks)
    {
        check_z(a, row, "the first launch");
    }
    CHECK(cudaMemset(a->z, POISON_BYTE, a->bytes)); // the device poisons z, so z stays there
    time[AGAIN] = time_kernel(launch, repeats).median;
    if (checks)
    {
        check_z(a, row, "further launches");
    }
    time[HOST_READS] = time_host_reads(a, {a->x, a->y}, row == PREFETCHED);
    CHECK(cudaMemset(a->z, POISON_BYTE, a->bytes));
    time[AFTER_THAT] = time_once(launch);
    time[Z_TO_HOST] = time_host_reads(a, {a->z}, row == PREFETCHED);
    if (checks || checks_last)
    {
        check_z(a, row, "the last launch");
    }
    take_advice_back(a, row);
}

// Fills ms[] with the medians of a row's columns.
void measure_row(Arrays *a, int row, size_t repeats, size_t num_passes, double *ms)
{
    double *samples = (double *)malloc(NUM_COLUMNS * num_passes * sizeof(double));
    for (size_t pass = 0; pass <= num_passes; ++pass) // pass 0 is checked, not timed
    {
        double time[NUM_COLUMNS];
        std::fill_n(time, (int)NUM_COLUMNS, NAN);
        time_pass(a, row, repeats, pass == 0, pass == num_passes, time);
        for (int column = 0; column < NUM_COLUMNS && pass > 0; ++column)
        {
            samples[column * num_passes + pass - 1] = time[column];
        }
    }
    bool all_taken = true;
    for (int column = 0; column < NUM_COLUMNS; ++column)
    {
        ms[column] = summarize(samples + column * num_passes, num_passes).median;
        const bool has_none = column == PREFETCH && row != PREFETCHED;
        all_taken = all_taken && (ms[column] >= 0 || has_none);
    }
    check_true("all times were measured", all_taken);
    free(samples);
}

void print_row(int row, const double *ms)
{
    printf("%-15s", ROW_NAMES[row]);
    if (row == PREFETCHED)
    {
        printf(" %10.4g", ms[PREFETCH]);
    }
    else
    {
        printf(" %10s", "");
    }
    printf(" %10.4g %10.4g %11.4g %11.4g %10.4g\n", ms[FIRST], ms[AGAIN], ms[HOST_READS],
           ms[AFTER_THAT], ms[Z_TO_HOST]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    args.N = default_size(400000000 / sizeof(real)); // arrays of 400 MB
    args.bytes_per_element = 4 * sizeof(real);
    args.columns = "  prefetch     x, y and z to the device, before the first launch\n"
                   "  kernel       the first launch\n"
                   "  again        further launches: the data are where they are\n"
                   "  host: x, y   the host reads a byte of each page of x and y\n"
                   "  kernel then  the launch after that\n"
                   "  host: z      the host reads a byte of each page of z\n";
    parse_args(argc, argv, "-n N -b B -r R -s S",
               "prefetch: data that are moved before they are needed, and three kinds of advice, "
               "timed");
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
    arrays.can_prefetch = has_page_faults();
    arrays.reference = reference;
    add_prefetched(&arrays, args.seed);

    const size_t num_passes = 1 + args.repeats / 10;
    printf("%s, N = %zu, medians of %zu passes\n", REAL_NAME, N, num_passes);
    printf("%-15s %10s %10s %10s %11s %11s %10s\n", TIME_UNIT, "prefetch", "kernel", "again",
           "host: x, y", "kernel then", "host: z");
    double ms[NUM_ROWS][NUM_COLUMNS];
    for (int row = 0; row < NUM_ROWS; ++row)
    {
        if (row == FAULTS || arrays.can_prefetch)
        {
            measure_row(&arrays, row, args.repeats, num_passes, ms[row]);
            print_row(row, ms[row]);
        }
        else
        {
            printf("%-15s skipped: needs concurrentManagedAccess\n", ROW_NAMES[row]);
        }
    }

    const auto launch = [&](const real *d_x, const real *d_y, real *d_z)
    {
        add<<<arrays.grid_size, arrays.block_size>>>(d_x, d_y, d_z, N);
    };
    const double device_ms = time_device_memory(&arrays, args.repeats, num_passes, launch);
    const double resident_ms = ms[arrays.can_prefetch ? PREFETCHED : FAULTS][AGAIN];
    printf("%-15s %10s %10s %10.4g\n", "device-memory", "", "", device_ms);
    printf("managed memory that lies on the device: %.3f times the time of device memory\n",
           resident_ms / device_ms);

    free(reference);
    return verdict();
}
