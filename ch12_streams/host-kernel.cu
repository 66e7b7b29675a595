// host-kernel: host and device compute at the same time, if the host launches the kernel first
//
// From:    Listing 12.1, section 12.2, file host-kernel.cu
// Compile: nvcc -O3 host-kernel.cu
// Run:     ./a.out -n 100000000
//
// A launch returns at once, and the host can go on with work of its own. The device adds N pairs of
// numbers, and a host function adds N / ratio pairs. If the host calls its function first, the
// device waits in the meantime, and the two times add up. If the host launches the kernel first,
// both run at the same time, and together they take as long as the longer of the two. The book
// tries the ratios 10, 1 and 1000. On a newer device the two times differ much at each of them. So
// the program looks for a fourth ratio, `balanced`, at which they are equal. The kernel runs in the
// default stream. With -DUSE_DP the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

// cpu_sum uses h_x, h_y and h_z, and gpu_sum uses d_x, d_y and d_z. So the two are independent of
// each other.
static size_t N;
static int grid_size, block_size;
static real *h_x, *h_y, *h_z; // z is x + y
static real *d_x, *d_y, *d_z;
static real *reference; // what z should be

// A double has so many digits that adding in double and then rounding to real gives the same bits
// as adding in real.
void add_reference(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (real)((double)x[n] + (double)y[n]);
    }
}

void cpu_sum(const real *x, const real *y, real *z, size_t N_host)
{
    for (size_t n = 0; n < N_host; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

__global__ void gpu_sum(const real *x, const real *y, real *z, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// Listing 12.1. In the book N_host is N / ratio.
void sum(const real *h_x, const real *h_y, real *h_z, const real *d_x, const real *d_y, real *d_z,
         size_t N_host, bool overlap)
{
    if (!overlap)
    {
        cpu_sum(h_x, h_y, h_z, N_host);
    }

    gpu_sum<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    CHECK_LAUNCH();

    if (overlap)
    {
        cpu_sum(h_x, h_y, h_z, N_host);
    }
}

void check_sum_of_both(size_t N_host, bool overlap)
{
    const size_t bytes = N * sizeof(real);
    poison(h_z, bytes);
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
    sum(h_x, h_y, h_z, d_x, d_y, d_z, N_host, overlap);
    check_elements(overlap ? "z of the host, kernel first" : "z of the host, host first", h_z,
                   reference, N_host);

    poison(h_z, bytes);
    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements(overlap ? "z of the device, kernel first" : "z of the device, host first", h_z,
                   reference, N);
}

double time_cpu_sum(size_t N_host, size_t repeats)
{
    Timer timer = new_host_timer(repeats);
    while (next_run(&timer))
    {
        cpu_sum(h_x, h_y, h_z, N_host);
    }
    return timer.median;
}

double time_gpu_sum(size_t repeats)
{
    Timer timer = new_timer(repeats);
    while (next_run(&timer))
    {
        gpu_sum<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    }
    return timer.median;
}

double time_sum(size_t N_host, bool overlap, size_t repeats)
{
    Timer timer = new_timer(repeats);
    while (next_run(&timer))
    {
        sum(h_x, h_y, h_z, d_x, d_y, d_z, N_host, overlap);
    }
    return timer.median;
}

// For how many pairs the host takes as long as the device takes for N; at most N. The host's time
// is not proportional to the number of pairs, because a short array fits into its caches. So one
// step is not enough.
size_t balance(double kernel_ms)
{
    size_t N_host = (N - 1) / 10 + 1;
    for (int step = 0; step < 5; ++step)
    {
        const double fits = N_host * kernel_ms / time_cpu_sum(N_host, args.repeats);
        N_host = (size_t)fmin(fmax(fits, 1.0), (double)N);
    }
    return N_host;
}

// A row of the table. The speed of the host changes in the course of a second, because its clock
// does and because it has other work. So the three times are not measured one after the other:
// each repeat takes a sample of each of them.
void measure(const char *ratio, size_t N_host, double kernel_ms)
{
    const size_t size = args.repeats * sizeof(double);
    double *host = (double *)malloc(size);
    double *host_first = (double *)malloc(size);
    double *kernel_first = (double *)malloc(size);
    for (size_t i = 0; i < args.repeats; ++i)
    {
        host[i] = time_cpu_sum(N_host, 1);
        host_first[i] = time_sum(N_host, false, 1);
        kernel_first[i] = time_sum(N_host, true, 1);
    }
    const double host_ms = summarize(host, args.repeats).median;
    const double host_first_ms = summarize(host_first, args.repeats).median;
    const double kernel_first_ms = summarize(kernel_first, args.repeats).median;
    free(host);
    free(host_first);
    free(kernel_first);

    const double at_best = (host_ms + kernel_ms) / fmax(host_ms, kernel_ms);
    put_text(ratio);
    put(N_host);
    put_timed(host_ms);
    put_timed(kernel_ms);
    put_timed(host_first_ms);
    put_timed(kernel_first_ms);
    put_timed(times_as_fast(host_first_ms, kernel_first_ms));
    put_timed(at_best);
    end_row();
}

struct Ratio
{
    const char *name;
    size_t N_host; // pairs that the host adds
};

int main(int argc, char **argv)
{
    args.N = default_size(sizeof(real) == 4 ? 100000000 : 50000000, 1000000);
    args.repeats = 5;
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    args.columns =
        "  ratio                N over the numbers of the host; balanced: host and kernel take "
        "the\n"
        "                       same time\n"
        "  numbers of the host  how many pairs the host's function adds\n"
        "  host                 the median time of the host's function alone\n"
        "  kernel               the median time of the kernel alone, which adds N pairs\n"
        "  host first           the median time of both, the host's function before the launch\n"
        "  kernel first         the same, the host's function after the launch\n"
        "  speed-up             host first over kernel first\n"
        "  at best              host + kernel, over the longer of the two\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "host-kernel: host and device compute at the same time, if the host launches the "
               "kernel first");
    print_device();
    if (!ON_GPU)
    {
        print_note("kernels run on the host's cores here: host and device cannot share the work\n");
    }

    N = args.N;
    block_size = args.block_x;
    grid_size = (N + block_size - 1) / block_size;

    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_z = (real *)malloc(bytes);
    reference = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    const double kernel_ms = time_gpu_sum(args.repeats);
    const Ratio ratios[] = {
        {"1", N},
        {"10", (N - 1) / 10 + 1},
        {"balanced", balance(kernel_ms)},
        {"1000", (N - 1) / 1000 + 1},
    };
    print_timed_note("%s, N = %zu, median of %zu repeats, %s\n", REAL_NAME, N, args.repeats,
                     TIME_UNIT);
    const Column COLUMNS[] = {{"ratio", "%-9s"},        {"numbers of the host", "%19.0f"},
                              {"host", "%9.4g"},        {"kernel", "%9.4g"},
                              {"host first", "%11.4g"}, {"kernel first", "%13.4g"},
                              {"speed-up", "%9.2f"},    {"at best", "%8.2f"}};
    begin_timed_table(COLUMNS, 8);
    const int num_ratios = sizeof(ratios) / sizeof(ratios[0]);
    for (int i = 0; i < num_ratios; ++i)
    {
        check_sum_of_both(ratios[i].N_host, false);
        check_sum_of_both(ratios[i].N_host, true);
        measure(ratios[i].name, ratios[i].N_host, kernel_ms);
    }

    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
