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
#include <algorithm>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

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

// What the functions below work on. cpu_sum uses h_x, h_y and h_z, and gpu_sum uses d_x, d_y and
// d_z. So the two are independent of each other.
struct Data
{
    size_t N;
    unsigned int grid_size, block_size;
    real *h_x, *h_y, *h_z;
    real *d_x, *d_y, *d_z;
    real *reference; // z
};

// Listing 12.1. In the book N_host is N / ratio.
void sum(const Data *data, size_t N_host, bool overlap)
{
    if (!overlap)
    {
        cpu_sum(data->h_x, data->h_y, data->h_z, N_host);
    }

    gpu_sum<<<data->grid_size, data->block_size>>>(data->d_x, data->d_y, data->d_z, data->N);
    CHECK_LAUNCH();

    if (overlap)
    {
        cpu_sum(data->h_x, data->h_y, data->h_z, N_host);
    }
}

void check_sum_of_both(const Data *data, size_t N_host, bool overlap)
{
    const size_t bytes = data->N * sizeof(real);
    poison(data->h_z, bytes);
    CHECK(cudaMemset(data->d_z, POISON_BYTE, bytes));
    sum(data, N_host, overlap);
    check_elements(overlap ? "z of the host, kernel first" : "z of the host, host first", data->h_z,
                   data->reference, N_host);

    poison(data->h_z, bytes);
    CHECK(cudaMemcpy(data->h_z, data->d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements(overlap ? "z of the device, kernel first" : "z of the device, host first",
                   data->h_z, data->reference, data->N);
}

double time_cpu_sum(const Data *data, size_t N_host, size_t repeats)
{
    return time_host([=] { cpu_sum(data->h_x, data->h_y, data->h_z, N_host); }, repeats).median;
}

double time_gpu_sum(const Data *data, size_t repeats)
{
    const auto launch = [=]
    {
        gpu_sum<<<data->grid_size, data->block_size>>>(data->d_x, data->d_y, data->d_z, data->N);
    };
    return time_kernel(launch, repeats).median;
}

double time_sum(const Data *data, size_t N_host, bool overlap, size_t repeats)
{
    return time_kernel([=] { sum(data, N_host, overlap); }, repeats).median;
}

// For how many pairs the host takes as long as the device takes for N; at most N. The host's time
// is not proportional to the number of pairs, because a short array fits into its caches. So one
// step is not enough.
size_t balance(const Data *data, double kernel_ms, size_t repeats)
{
    size_t N_host = (data->N - 1) / 10 + 1;
    for (int step = 0; step < 5; ++step)
    {
        const double fits = N_host * kernel_ms / time_cpu_sum(data, N_host, repeats);
        N_host = (size_t)std::min(std::max(fits, 1.0), (double)data->N);
    }
    return N_host;
}

// A row of the table. The speed of the host changes in the course of a second, because its clock
// does and because it has other work. So the three times are not measured one after the other:
// each repeat takes a sample of each of them.
void measure(const Data *data, const char *ratio, size_t N_host, double kernel_ms)
{
    const size_t size = args.repeats * sizeof(double);
    double *host = (double *)malloc(size);
    double *host_first = (double *)malloc(size);
    double *kernel_first = (double *)malloc(size);
    for (size_t i = 0; i < args.repeats; ++i)
    {
        host[i] = time_cpu_sum(data, N_host, 1);
        host_first[i] = time_sum(data, N_host, false, 1);
        kernel_first[i] = time_sum(data, N_host, true, 1);
    }
    const double host_ms = summarize(host, args.repeats).median;
    const double host_first_ms = summarize(host_first, args.repeats).median;
    const double kernel_first_ms = summarize(kernel_first, args.repeats).median;
    free(host);
    free(host_first);
    free(kernel_first);

    const double at_best = (host_ms + kernel_ms) / std::max(host_ms, kernel_ms);
    printf(args.csv ? "%s,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n"
                    : "%-9s %19zu %9.4g %9.4g %11.4g %13.4g %9.2f %8.2f\n",
           ratio, N_host, host_ms, kernel_ms, host_first_ms, kernel_first_ms,
           host_first_ms / kernel_first_ms, at_best);
    fflush(stdout);
}

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
        print_note("kernels run on the host's cores here, so the times show no overlap\n");
    }

    const size_t N = args.N, bytes = N * sizeof(real);
    const unsigned int block_size = args.block_x;
    const unsigned int grid_size = (N + block_size - 1) / block_size;
    Data data = {N, grid_size, block_size};
    for (real **h : {&data.h_x, &data.h_y, &data.h_z, &data.reference})
    {
        *h = (real *)malloc(bytes);
    }
    for (real **d : {&data.d_x, &data.d_y, &data.d_z})
    {
        CHECK(cudaMalloc(d, bytes));
    }
    fill_random(data.h_x, N, args.seed);
    fill_random(data.h_y, N, args.seed + 1);
    add_reference(data.h_x, data.h_y, data.reference, N);
    CHECK(cudaMemcpy(data.d_x, data.h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(data.d_y, data.h_y, bytes, cudaMemcpyHostToDevice));

    const double kernel_ms = time_gpu_sum(&data, args.repeats);
    const struct
    {
        const char *name;
        size_t N_host;
    } ratios[] = {
        {"1", N},
        {"10", (N - 1) / 10 + 1},
        {"balanced", balance(&data, kernel_ms, args.repeats)},
        {"1000", (N - 1) / 1000 + 1},
    };
    print_note("%s, N = %zu, median of %zu repeats, %s\n", REAL_NAME, N, args.repeats, TIME_UNIT);
    printf(args.csv ? "version,numbers of the host,host,kernel,host first,kernel first,speed-up,"
                      "at best\n"
                    : "ratio     numbers of the host      host    kernel  host first  kernel first "
                      " speed-up  at best\n");
    for (const auto &ratio : ratios)
    {
        check_sum_of_both(&data, ratio.N_host, false);
        check_sum_of_both(&data, ratio.N_host, true);
        measure(&data, ratio.name, ratio.N_host, kernel_ms);
    }

    for (real *d : {data.d_x, data.d_y, data.d_z})
    {
        CHECK(cudaFree(d));
    }
    for (real *h : {data.h_x, data.h_y, data.h_z, data.reference})
    {
        free(h);
    }
    return verdict();
}
