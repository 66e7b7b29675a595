// add3memcpy: the copies counted too, from pageable and from pinned memory of the host
//
// From:    sections 5.1.2 and 5.2.1, file add3memcpy.cu
// Compile: nvcc -O3 add3memcpy.cu
// Run:     ./a.out -n 100000000
//
// The host copies x and y to the device, a kernel adds them, and the host copies z back. malloc
// gives pageable memory: the operating system may move it, so the device cannot fetch from it. The
// driver first copies it, piece by piece, into a buffer of its own. cudaMallocHost gives pinned
// (page-locked) memory: it stays where it is, and the device reads and writes it directly. In both
// cases the bus is far slower than the device's memory, and the copies take nearly all the time.
// From pageable memory, all this may take longer than the addition on the host alone. With -DUSE_DP
// the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

static size_t N;
static unsigned int grid_size, block_size;
static real *d_x, *d_y, *d_z;
static double *reference;    // what z should be
static cudaEvent_t marks[4]; // before the parts, between them, and after them

void add_reference(const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (double)x[n] + (double)y[n];
    }
}

void add_on_host(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
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

enum Part
{
    TO_DEVICE,
    KERNEL,
    TO_HOST,
    TOGETHER,
    HOST_ALONE,
    NUM_PARTS
};

// The times of one pass: there, add, back.
struct Pass
{
    double ms[NUM_PARTS];
};

// The code that the book times in add3memcpy.cu. The first and the last mark are the book's two
// events. All marks belong to the same pass, so the times of the parts add up to that of the whole.
void copy_add_copy(const real *h_x, const real *h_y, real *h_z)
{
    const size_t bytes = N * sizeof(real);
    CHECK(cudaEventRecord(marks[0]));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(marks[1]));
    add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    CHECK_LAUNCH();
    CHECK(cudaEventRecord(marks[2]));
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaEventRecord(marks[3]));
    CHECK(cudaEventSynchronize(marks[3]));
}

float elapsed_time(cudaEvent_t start, cudaEvent_t stop)
{
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

// The times between the marks of the last pass.
Pass read_marks(void)
{
    Pass pass;
    pass.ms[TO_DEVICE] = elapsed_time(marks[0], marks[1]);
    pass.ms[KERNEL] = elapsed_time(marks[1], marks[2]);
    pass.ms[TO_HOST] = elapsed_time(marks[2], marks[3]);
    pass.ms[TOGETHER] = elapsed_time(marks[0], marks[3]);
    return pass;
}

int compare_passes(const void *a, const void *b)
{
    const double x = ((const Pass *)a)->ms[TOGETHER], y = ((const Pass *)b)->ms[TOGETHER];
    return (x > y) - (x < y);
}

// The pass in the middle, by its whole time. Medians of each part would not add up.
Pass find_median(Pass *passes, size_t repeats)
{
    qsort(passes, repeats, sizeof(Pass), compare_passes);
    return passes[repeats / 2];
}

// The median pass between the device and these three arrays of the host, and the time that the host
// takes alone.
Pass measure(const char *what, const real *h_x, const real *h_y, real *h_z)
{
    const size_t bytes = N * sizeof(real), repeats = ON_GPU ? args.repeats : 1;
    add_reference(h_x, h_y, reference, N);

    // The arrays on the device may still hold the results of an earlier pass. They must not pass
    // for the results of this one.
    CHECK(cudaMemset(d_x, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_y, POISON_BYTE, bytes));
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
    poison(h_z, bytes);
    copy_add_copy(h_x, h_y, h_z); // checked, and not timed: it is the first
    check_elements(what, h_z, reference, N, REAL_EPSILON / 2);

    Pass *passes = (Pass *)malloc(repeats * sizeof(Pass));
    for (size_t repeat = 0; repeat < repeats; ++repeat)
    {
        copy_add_copy(h_x, h_y, h_z);
        passes[repeat] = read_marks();
    }
    Pass median = find_median(passes, repeats);
    free(passes);
    for (int part = TO_DEVICE; part <= TO_HOST; ++part)
    {
        check_true("the time of a part is more than 0, and less than that of all",
                   !ON_GPU || (median.ms[part] > 0.0 && median.ms[part] < median.ms[TOGETHER]));
    }

    poison(h_z, bytes);
    Timer timer = new_host_timer(1 + repeats / 10);
    while (next_run(&timer))
    {
        add_on_host(h_x, h_y, h_z, N);
    }
    median.ms[HOST_ALONE] = timer.median;
    return median;
}

// The times of the parts, and what follows from them.
void print_tables(const Pass *pageable, const Pass *pinned, size_t bytes)
{
    const struct
    {
        const char *name;
        double arrays; // that this part reads or writes
    } parts[NUM_PARTS] = {{"x and y to the device", 2},
                          {"kernel", 3},
                          {"z to the host", 1},
                          {"all three together", 3},
                          {"the host alone", 3}};
    const Column TIMES[] = {{"part", "%-26s", TIME_UNIT},
                            {ON_GPU ? "pageable ms" : "pageable CPU ms", "%10.4g", "pageable"},
                            {"pageable GB/s", "%7.1f", "GB/s"},
                            {ON_GPU ? "pinned ms" : "pinned CPU ms", "%12.4g", "pinned"},
                            {"pinned GB/s", "%7.1f", "GB/s"}};
    begin_timed_table(TIMES, 5);
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        put_text(parts[part].name);
        put(pageable->ms[part]);
        put(rate_of(parts[part].arrays * bytes, pageable->ms[part]));
        put(pinned->ms[part]);
        put(rate_of(parts[part].arrays * bytes, pinned->ms[part]));
        end_row();
    }

    const Column RATIOS[] = {
        {"ratio", "%-26s"}, {"pageable", "%10.3g"}, {"pinned", "%20.3g"}, {"unit", " %s"}};
    begin_timed_table(RATIOS, 4);
    put_text("share of the copies");
    put(percent_of(pageable->ms[TOGETHER] - pageable->ms[KERNEL], pageable->ms[TOGETHER]));
    put(percent_of(pinned->ms[TOGETHER] - pinned->ms[KERNEL], pinned->ms[TOGETHER]));
    put_text("%");
    end_row();
    put_text("faster than the host, all");
    put(times_as_fast(pageable->ms[HOST_ALONE], pageable->ms[TOGETHER]));
    put(times_as_fast(pinned->ms[HOST_ALONE], pinned->ms[TOGETHER]));
    put_text("times");
    end_row();
    put_text("the kernel by itself");
    put(times_as_fast(pageable->ms[HOST_ALONE], pageable->ms[KERNEL]));
    put(times_as_fast(pinned->ms[HOST_ALONE], pinned->ms[KERNEL]));
    put_text("times");
    end_row();
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    args.columns = "  pageable  the time with memory of malloc, and the bytes over it\n"
                   "  pinned    the same with memory of cudaMallocHost\n"
                   "  unit      of the ratios: per cent, or how many times as fast\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "add3memcpy: the copies counted too, from pageable and from pinned memory of the "
               "host");
    print_device();
    N = args.N;
    block_size = args.block_x;
    grid_size = (N + block_size - 1) / block_size;

    const size_t bytes = N * sizeof(real);
    reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    for (int i = 0; i < 4; ++i)
    {
        CHECK(cudaEventCreate(&marks[i]));
    }

    real *h_x = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    real *h_z = (real *)malloc(bytes);
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    const Pass pageable = measure("z, pageable", h_x, h_y, h_z);
    check_elements("z of the host", h_z, reference, N, REAL_EPSILON / 2);
    free(h_x);
    free(h_y);
    free(h_z);

    CHECK(cudaMallocHost((void **)&h_x, bytes));
    CHECK(cudaMallocHost((void **)&h_y, bytes));
    CHECK(cudaMallocHost((void **)&h_z, bytes));
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    const Pass pinned = measure("z, pinned", h_x, h_y, h_z);
    CHECK(cudaFreeHost(h_x));
    CHECK(cudaFreeHost(h_y));
    CHECK(cudaFreeHost(h_z));

    print_timed_note("%s, N = %zu, the median pass of %zu\n", REAL_NAME, N, args.repeats);
    print_tables(&pageable, &pinned, bytes);

    for (int i = 0; i < 4; ++i)
    {
        CHECK(cudaEventDestroy(marks[i]));
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(reference);
    return verdict();
}
