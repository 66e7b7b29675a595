// mem-advise: three kinds of advice on managed memory, timed beside page faults and prefetches
//
// From:    section 13.4, and beyond the book
// Order:   after prefetch
// Compile: nvcc -O3 mem-advise.cu
// Run:     ./a.out -n 100000000
//
// Advice moves nothing. It tells the driver how an array will be used, and so what to do at a page
// fault:
//
//   read mostly           host and device each keep a copy of a page that is only read
//   preferred location    the page stays there, and the other side reads it across the bus
//   accessed by           the device can reach the page from the start, without a fault
//
// The table has a row for each kind of advice. Its first two rows are without advice: page faults
// and prefetches, as in the program prefetch. cudaMemAdvise has the arguments of CUDA 12 here. With
// CUDA 13 a structure stands in place of the device's number: see unified.cuh. A device without
// concurrentManagedAccess (before Pascal, or under Windows or WSL) takes neither advice nor
// prefetches, and the program skips these rows.

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

static size_t N;                           // of elements of each array
static size_t bytes;                       // of each array
static unsigned int grid_size, block_size; // of each launch
static int device_id;                      // the current device
static bool can_prefetch;                  // whether the device has page faults
static real *x, *y, *z;                    // managed
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

__global__ void add(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

void run_add(void) { add<<<grid_size, block_size>>>(x, y, z, N); }

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

enum Part
{
    PREFETCH,   // x, y, z to the device, before the first launch
    FIRST,      // the first launch
    AGAIN,      // further launches: the data are where they are
    HOST_READS, // the host reads a byte of each page of x and y
    AFTER_THAT, // the launch after that
    Z_TO_HOST,  // the host reads a byte of each page of z
    NUM_PARTS
};

void create_arrays(void)
{
    reference = (real *)malloc(bytes);
    add_reference(reference, N, args.seed);
    CHECK(cudaMallocManaged(&x, bytes));
    CHECK(cudaMallocManaged(&y, bytes));
    CHECK(cudaMallocManaged(&z, bytes));
    fill_random(x, N, args.seed);
    fill_random(y, N, args.seed + 1);
}

void prefetch_all(void)
{
    CHECK(cudaMemPrefetchAsync(x, bytes, device_id, NULL));
    CHECK(cudaMemPrefetchAsync(y, bytes, device_id, NULL));
    CHECK(cudaMemPrefetchAsync(z, bytes, device_id, NULL));
}

void advise_inputs(cudaMemoryAdvise advice, int device)
{
    CHECK(cudaMemAdvise(x, bytes, advice, device));
    CHECK(cudaMemAdvise(y, bytes, advice, device));
}

void give_advice(int row)
{
    if (row == READ_MOSTLY)
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
}

void take_advice_back(int row)
{
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
}

// Moves x and y to the host: by prefetches, or by page faults alone.
void bring_inputs_to_host(bool with_prefetch)
{
    if (with_prefetch)
    {
        CHECK(cudaMemPrefetchAsync(x, bytes, cudaCpuDeviceId, NULL));
        CHECK(cudaMemPrefetchAsync(y, bytes, cudaCpuDeviceId, NULL));
    }
    CHECK(cudaDeviceSynchronize());
    read_pages(x, bytes);
    read_pages(y, bytes);
}

// The time until the host can read x and y.
double time_reading_inputs(bool with_prefetch)
{
    const double start = host_clock();
    bring_inputs_to_host(with_prefetch);
    return host_clock() - start;
}

// The time until the host can read z.
double time_reading_z(bool with_prefetch)
{
    const double start = host_clock();
    if (with_prefetch)
    {
        CHECK(cudaMemPrefetchAsync(z, bytes, cudaCpuDeviceId, NULL));
    }
    CHECK(cudaDeviceSynchronize());
    read_pages(z, bytes);
    return host_clock() - start;
}

// The median time of many launches.
double time_launches(const real *first, const real *second, real *sum)
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        add<<<grid_size, block_size>>>(first, second, sum, N);
    }
    return timer.median;
}

void check_z(int row, const char *when)
{
    char what[64];
    snprintf(what, sizeof(what), "z of %s, %s", ROW_NAMES[row], when);
    CHECK(cudaDeviceSynchronize());
    check_elements(what, z, reference, N);
}

// One pass of a row fills time[]. Pass 0 checks z after each step, and the last pass at its end.
void time_pass(int row, size_t pass, size_t num_passes, double *time)
{
    // x and y lie on the host, and z has not been used yet.
    bring_inputs_to_host(can_prefetch);
    CHECK(cudaFree(z));
    CHECK(cudaMallocManaged(&z, bytes));
    if (pass == 0)
    {
        poison(z, bytes);
    }
    if (row == PREFETCHED)
    {
        start_events();
        prefetch_all();
        time[PREFETCH] = stop_events();
    }
    give_advice(row);

    start_events();
    run_add();
    time[FIRST] = stop_events();
    if (pass == 0)
    {
        check_z(row, "the first launch");
    }
    CHECK(cudaMemset(z, POISON_BYTE, bytes)); // the device poisons z, so z stays there
    time[AGAIN] = time_launches(x, y, z);
    if (pass == 0)
    {
        check_z(row, "further launches");
    }
    time[HOST_READS] = time_reading_inputs(row == PREFETCHED);
    CHECK(cudaMemset(z, POISON_BYTE, bytes));
    start_events();
    run_add();
    time[AFTER_THAT] = stop_events();
    time[Z_TO_HOST] = time_reading_z(row == PREFETCHED);
    if (pass == 0 || pass == num_passes)
    {
        check_z(row, "the last launch");
    }
    take_advice_back(row);
}

// Fills ms[] with the medians of a row's columns.
void measure_row(int row, size_t num_passes, double *ms)
{
    double *samples = (double *)malloc(NUM_PARTS * num_passes * sizeof(double));
    for (size_t pass = 0; pass <= num_passes; ++pass) // the times of pass 0 are dropped
    {
        double time[NUM_PARTS];
        for (int part = 0; part < NUM_PARTS; ++part)
        {
            time[part] = NAN;
        }
        time_pass(row, pass, num_passes, time);
        if (pass > 0)
        {
            for (int part = 0; part < NUM_PARTS; ++part)
            {
                samples[part * num_passes + pass - 1] = time[part];
            }
        }
    }
    bool all_taken = true;
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        ms[part] = summarize(samples + part * num_passes, num_passes).median;
        const bool has_none = part == PREFETCH && row != PREFETCHED;
        all_taken = all_taken && (ms[part] >= 0 || has_none || !ON_GPU);
    }
    check_true("all times were measured", all_taken);
    free(samples);
}

void print_titles(void)
{
    static const Column COLUMNS[] = {{"row", "%-15s", TIME_UNIT}, {"prefetch", "%10.4g"},
                                     {"kernel", "%10.4g"},        {"again", "%10.4g"},
                                     {"host: x, y", "%11.4g"},    {"kernel then", "%11.4g"},
                                     {"host: z", "%10.4g"},       {"remark", " %s"}};
    begin_timed_table(COLUMNS, 8);
}

void print_row(const char *name, const double *ms, const char *remark)
{
    put_text(name);
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        put_timed(ms[part]);
    }
    put_text(remark);
    end_row();
}

// The same launches with memory of cudaMalloc: the median of the passes. It comes last, because it
// frees x, y and z.
double time_device_memory(size_t num_passes)
{
    real *d_x = move_to_device_memory(x, bytes);
    real *d_y = move_to_device_memory(y, bytes);
    real *d_z = move_to_device_memory(z, bytes);
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
    double *samples = (double *)malloc(num_passes * sizeof(double));
    for (size_t pass = 0; pass < num_passes; ++pass)
    {
        samples[pass] = time_launches(d_x, d_y, d_z);
    }
    const double ms = summarize(samples, num_passes).median;
    free(samples);

    real *h_z = (real *)malloc(bytes);
    poison(h_z, bytes);
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements("z, memory of cudaMalloc", h_z, reference, N);
    free(h_z);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    return ms;
}

void compare_with_device_memory(size_t num_passes, double resident_ms)
{
    const double device_ms = time_device_memory(num_passes);
    double ms[NUM_PARTS] = {NAN, NAN, NAN, NAN, NAN, NAN};
    ms[AGAIN] = device_ms;
    print_row("device-memory", ms, "");
    print_timed_note(
        "managed memory that lies on the device: %.3f times the time of device memory\n",
        times_as_fast(resident_ms, device_ms));
}

int main(int argc, char **argv)
{
    args.N = default_size(400000000 / sizeof(real)); // arrays of 400 MB on a GPU
    args.bytes_per_element = 4 * sizeof(real);
    args.columns = "  prefetch     x, y and z to the device, before the first launch\n"
                   "  kernel       the first launch\n"
                   "  again        further launches: the data are where they are\n"
                   "  host: x, y   until the host has read a byte of each page of x and y\n"
                   "  kernel then  the launch after that\n"
                   "  host: z      until the host has read a byte of each page of z\n"
                   "  in the row prefetched both times of the host include a prefetch to the host\n"
                   "  each time is the median of 1 + R / 10 passes\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "mem-advise: three kinds of advice on managed memory, timed beside page faults and "
               "prefetches");
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
    can_prefetch = has_page_faults();
    CHECK(cudaGetDevice(&device_id));
    create_arrays();

    const size_t num_passes = 1 + args.repeats / 10;
    print_timed_note("%s, N = %zu, medians of %zu passes, in %s\n", REAL_NAME, N, num_passes,
                     TIME_UNIT);
    print_titles();
    double ms[NUM_ROWS][NUM_PARTS];
    for (int row = 0; row < NUM_ROWS; ++row)
    {
        const bool is_measured = row == FAULTS || can_prefetch;
        const double none[NUM_PARTS] = {NAN, NAN, NAN, NAN, NAN, NAN};
        if (is_measured)
        {
            measure_row(row, num_passes, ms[row]);
        }
        print_row(ROW_NAMES[row], is_measured ? ms[row] : none,
                  is_measured ? "" : "skipped: needs concurrentManagedAccess");
    }

    const Row compared_row = can_prefetch ? PREFETCHED : FAULTS;
    compare_with_device_memory(num_passes, ms[compared_row][AGAIN]); // frees x, y and z

    free(reference);
    return verdict();
}
