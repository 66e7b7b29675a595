// prefetch: data that are moved before they are needed, timed beside page faults
//
// From:    Listing 13.6, section 13.4, file prefetch.cu; S3 memory (2)
// Compile: nvcc -O3 prefetch.cu
// Run:     ./a.out -n 100000000
//
// After a page fault, the threads that need the page wait until the driver has moved it. A prefetch
// moves a whole array by one call, before the kernel needs it.
//
// cudaMemPrefetchAsync is called here with the arguments of the book and of CUDA 12: the array, its
// bytes, the number of the device (cudaCpuDeviceId is the host), and the stream. CUDA 13 wants a
// structure in place of the number, and one argument more:
//
//   cudaMemLocation place;                          // where the array is to lie
//   place.type = cudaMemLocationTypeDevice;         // or cudaMemLocationTypeHost
//   place.id = device_id;                           // the host's is 0
//   cudaMemPrefetchAsync(x, bytes, place, 0, NULL); // no flags
//
// With CUDA 13 unified.cuh passes the calls below on in this form. A device without
// concurrentManagedAccess (before Pascal, or under Windows or WSL) cannot prefetch, and the program
// skips that row.

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
static int device_id;                      // the current device
static real *x, *y, *z;                    // managed
static real *reference;                    // what z should be

// Computed from the generator of x and y, not from x and y themselves. If the driver moved a page
// wrongly, the check would find it.
void add_reference(real *sum, size_t N, uint64_t seed)
{
    for (size_t n = 0; n < N; ++n)
    {
        sum[n] = (real)(random_unit(seed, n) + random_unit(seed + 1, n));
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

void run_add(void) { add<<<grid_size, block_size>>>(x, y, z, N); }

// Page faults move the data: x, y and z while the kernel runs, z again when the host reads it.
void add_with_faults(void)
{
    run_add();
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
}

// Listing 13.6: three prefetches, the kernel, and a prefetch of the result to the host.
void add_prefetched(void)
{
    CHECK(cudaMemPrefetchAsync(x, bytes, device_id, NULL));
    CHECK(cudaMemPrefetchAsync(y, bytes, device_id, NULL));
    CHECK(cudaMemPrefetchAsync(z, bytes, device_id, NULL));

    add<<<grid_size, block_size>>>(x, y, z, N);
    CHECK_LAUNCH();

    CHECK(cudaMemPrefetchAsync(z, bytes, cudaCpuDeviceId, NULL));

    // A launch and a prefetch return at once. The book's listing does not wait here, but it must:
    // the host reads z next.
    CHECK(cudaDeviceSynchronize());
}

void check_way(const char *what, void (*way)(void))
{
    poison(z, bytes);
    way();
    check_elements(what, z, reference, N);
}

// ---- The time of each step ----

enum Part
{
    PREFETCH,     // x, y and z to the device
    KERNEL,       // from the launch to its end
    HOST_READS_Z, // until the host has read a byte of each page of z
    NUM_PARTS
};

// The same steps, each with its time. At the beginning x and y lie on the host.
void time_pass(bool with_prefetch, double *ms)
{
    read_pages(x, bytes);
    read_pages(y, bytes);
    CHECK(cudaFree(z));
    CHECK(cudaMallocManaged(&z, bytes)); // a new z: no page of it lies anywhere yet
    ms[PREFETCH] = NAN;
    if (with_prefetch)
    {
        start_events();
        CHECK(cudaMemPrefetchAsync(x, bytes, device_id, NULL));
        CHECK(cudaMemPrefetchAsync(y, bytes, device_id, NULL));
        CHECK(cudaMemPrefetchAsync(z, bytes, device_id, NULL));
        ms[PREFETCH] = stop_events();
    }
    start_events();
    run_add();
    ms[KERNEL] = stop_events();

    const double start = host_clock();
    if (with_prefetch)
    {
        CHECK(cudaMemPrefetchAsync(z, bytes, cudaCpuDeviceId, NULL));
        CHECK(cudaDeviceSynchronize());
    }
    read_pages(z, bytes);
    ms[HOST_READS_Z] = host_clock() - start;
}

// A row of the table: the medians of some passes.
void measure(const char *name, bool with_prefetch, size_t num_passes)
{
    double *samples = (double *)malloc(NUM_PARTS * num_passes * sizeof(double));
    for (size_t pass = 0; pass < num_passes; ++pass)
    {
        double ms[NUM_PARTS];
        time_pass(with_prefetch, ms);
        for (int part = 0; part < NUM_PARTS; ++part)
        {
            samples[part * num_passes + pass] = ms[part];
        }
    }
    check_elements(name, z, reference, N);

    put_text(name);
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        put_timed(summarize(samples + part * num_passes, num_passes).median);
    }
    put_text("");
    end_row();
    free(samples);
}

void skip_row(const char *name)
{
    put_text(name);
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        put_timed(NAN);
    }
    put_text("skipped: needs concurrentManagedAccess");
    end_row();
}

int main(int argc, char **argv)
{
    args.N = default_size(400000000 / sizeof(real)); // arrays of 400 MB on a GPU
    args.bytes_per_element = 4 * sizeof(real);
    args.columns = "  prefetch  x, y and z to the device, before the launch\n"
                   "  kernel    from the launch to its end\n"
                   "  host: z   until the host has read a byte of each page of z; in the row\n"
                   "            prefetched with the prefetch of z to the host\n"
                   "  each time is the median of 1 + R / 10 passes\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "prefetch: data that are moved before they are needed, timed beside page faults");
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
    CHECK(cudaGetDevice(&device_id));
    reference = (real *)malloc(bytes);
    add_reference(reference, N, args.seed);
    CHECK(cudaMallocManaged(&x, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
    CHECK(cudaMallocManaged(&z, bytes));
    fill_random(x, N, args.seed);
    fill_random(y, N, args.seed + 1);

    const bool can_prefetch = has_page_faults();
    check_way(said("z, by page faults"), add_with_faults);
    if (can_prefetch)
    {
        check_way(said("z, by prefetches"), add_prefetched);
    }

    const size_t num_passes = 1 + args.repeats / 10;
    print_timed_note("%s, N = %zu, medians of %zu passes, in %s\n", REAL_NAME, N, num_passes,
                     TIME_UNIT);
    static const Column COLUMNS[] = {{"row", "%-15s", TIME_UNIT},
                                     {"prefetch", "%10.4g"},
                                     {"kernel", "%10.4g"},
                                     {"host: z", "%10.4g"},
                                     {"remark", " %s"}};
    begin_timed_table(COLUMNS, 5);
    measure("faults", false, num_passes);
    if (can_prefetch)
    {
        measure("prefetched", true, num_passes);
    }
    else
    {
        skip_row("prefetched");
    }

    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    free(reference);
    return verdict();
}
