// host-kernel: host and device compute at the same time, if the host launches the kernel first
//
// From:    Listing 12.1, section 12.2, file host-kernel.cu
// Chinese: 主机与设备同时计算：先启动核函数，再调用主机函数
// Compile: nvcc -O3 host-kernel.cu
// Run:     ./a.out -n 100000000
// Options: -n N -b B -r R -s S --csv
// Checks:  16
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

// A sum of two numbers is rounded once. So adding in double and rounding to real gives the same
// bits as adding in real.
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

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(sizeof(real) == 4 ? 100000000 : 50000000, 1000000);
    args.repeats = 5;
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S --csv",
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
    real *h_x = (real *)malloc(bytes);
    real *h_y = (real *)malloc(bytes);
    real *h_z = (real *)malloc(bytes);
    real *reference = (real *)malloc(bytes);
    fill_random(h_x, N, args.seed);
    fill_random(h_y, N, args.seed + 1);
    add_reference(h_x, h_y, reference, N);
    real *d_x, *d_y, *d_z;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_y, bytes));
    CHECK(cudaMalloc(&d_z, bytes));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));

    // Listing 12.1. The two functions are independent of each other: cpu_sum uses h_x, h_y and h_z,
    // and gpu_sum uses d_x, d_y and d_z.
    const auto sum = [&](size_t N_host, bool overlap)
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
    };
    const auto kernel_alone = [&]
    {
        gpu_sum<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    };
    const double kernel_ms = time_kernel(kernel_alone, args.repeats).median;
    const auto time_cpu_sum = [&](size_t N_host)
    {
        return time_host([&] { cpu_sum(h_x, h_y, h_z, N_host); }, args.repeats).median;
    };

    // The host takes as long for N_balanced pairs as the device takes for N. The host's time is not
    // proportional to the number of pairs, because a short array fits into its caches. So one step
    // is not enough. N_balanced is at most N.
    size_t N_balanced = (N - 1) / 10 + 1;
    for (int step = 0; step < 5; ++step)
    {
        const double fits = N_balanced * kernel_ms / time_cpu_sum(N_balanced);
        N_balanced = (size_t)std::min(std::max(fits, 1.0), (double)N);
    }

    const struct
    {
        const char *name;
        size_t N_host;
    } rows[] = {
        {"1", N},
        {"10", (N - 1) / 10 + 1},
        {"balanced", N_balanced},
        {"1000", (N - 1) / 1000 + 1},
    };
    print_note("%s, N = %zu, median of %zu repeats, %s\n", REAL_NAME, N, args.repeats, TIME_UNIT);
    printf(args.csv ? "version,numbers of the host,host,kernel,host first,kernel first,speed-up,"
                      "at best\n"
                    : "ratio     numbers of the host      host    kernel  host first  kernel first "
                      " speed-up  at best\n");
    for (const auto &row : rows)
    {
        for (const bool overlap : {false, true})
        {
            poison(h_z, bytes);
            CHECK(cudaMemset(d_z, POISON_BYTE, bytes));
            sum(row.N_host, overlap);
            check_elements(overlap ? "z of the host, kernel first" : "z of the host, host first",
                           h_z, reference, row.N_host);
            poison(h_z, bytes);
            CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
            check_elements(overlap ? "z of the device, kernel first"
                                   : "z of the device, host first",
                           h_z, reference, N);
        }

        // At best the longer of the two times hides the other one: the last column.
        const double host_ms = time_cpu_sum(row.N_host);
        const double host_first = time_kernel([&] { sum(row.N_host, false); }, args.repeats).median;
        const double kernel_first =
            time_kernel([&] { sum(row.N_host, true); }, args.repeats).median;
        printf(args.csv ? "%s,%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n"
                        : "%-9s %19zu %9.4g %9.4g %11.4g %13.4g %9.2f %8.2f\n",
               row.name, row.N_host, host_ms, kernel_ms, host_first, kernel_first,
               host_first / kernel_first, (host_ms + kernel_ms) / std::max(host_ms, kernel_ms));
        fflush(stdout);
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
