// arithmetic2gpu: the same square roots on the device, and the speed-up as N grows
//
// From:    Listing 5.2, sections 5.2.2 and 5.2.3, Fig. 5.1
// Compile: nvcc -O3 arithmetic2gpu.cu
// Run:     ./a.out 1000000
// Checks:  2
// Sizes:   1 33 960 2003
//
// With 10^4 roots for each number read, the time goes into arithmetic, and the device shows what it
// has of that; in double (-DUSE_DP) far less on a GPU made for games. And it needs enough threads:
// --sweep is Figure 5.1. With few elements the time stays the same however few they are, because
// most of the device idles; from some N on it grows with N, and the speed-up no longer does.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/timing.cuh"
#include "arithmetic.cuh"

const size_t HOST_N = 1000; // the host's time is taken with so many, and scaled

// For a point of the sweep: where a launch takes long, it is repeated less often.
const double POINT_SECONDS = ON_GPU ? 3.0 : 0.5;

__global__ void arithmetic(real *d_x, real x0, size_t N)
{
    const size_t n = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        real x_tmp = d_x[n];
        while (sqrt(x_tmp) < x0)
        {
            ++x_tmp;
        }
        d_x[n] = x_tmp;
    }
}

struct Problem
{
    size_t N;
    unsigned int block_size;
    real *h_start, *h_x, *d_start, *d_x;
    double *reference;
};

Problem create(size_t N, const Args *args)
{
    Problem p;
    p.N = N;
    p.block_size = args->block_x;
    p.h_start = (real *)malloc(N * sizeof(real));
    p.h_x = (real *)malloc(N * sizeof(real));
    p.reference = (double *)malloc(N * sizeof(double));
    CHECK(cudaMalloc(&p.d_start, N * sizeof(real)));
    CHECK(cudaMalloc(&p.d_x, N * sizeof(real)));
    fill_start(p.h_start, N, args->seed);
    arithmetic_reference(p.h_start, p.reference, N);
    CHECK(cudaMemcpy(p.d_start, p.h_start, N * sizeof(real), cudaMemcpyHostToDevice));
    return p;
}

void destroy(Problem *p)
{
    CHECK(cudaFree(p->d_start));
    CHECK(cudaFree(p->d_x));
    free(p->h_start);
    free(p->h_x);
    free(p->reference);
}

// ms for one element, from HOST_N of them: the host's time is proportional to their number.
double time_host_element(const Args *args)
{
    Problem p = create(HOST_N, args);
    const auto reset = [&]
    {
        memcpy(p.h_x, p.h_start, HOST_N * sizeof(real));
    };
    const Timing time = time_host([&] { arithmetic_cpu(p.h_x, X0, HOST_N); }, 3, reset);
    check_elements("x of the host", p.h_x, p.reference, HOST_N);
    destroy(&p);
    return time.median / HOST_N;
}

Timing time_device(const Problem *p, size_t repeats)
{
    const unsigned int grid_size = (p->N + p->block_size - 1) / p->block_size;
    const auto launch = [&]
    {
        arithmetic<<<grid_size, p->block_size>>>(p->d_x, X0, p->N);
    };
    const auto reset = [&] // untimed: every launch starts from the same numbers
    {
        const size_t bytes = p->N * sizeof(real);
        CHECK(cudaMemcpy(p->d_x, p->d_start, bytes, cudaMemcpyDeviceToDevice));
    };
    const Timing time = time_kernel(launch, repeats, reset);
    poison(p->h_x, p->N * sizeof(real));
    CHECK(cudaMemcpy(p->h_x, p->d_x, p->N * sizeof(real), cudaMemcpyDeviceToHost));
    check_elements("x of the device", p->h_x, p->reference, p->N);
    return time;
}

// A row of the table. Returns the device's time.
double measure(const Args *args, size_t N, size_t repeats, double host_element)
{
    Problem p = create(N, args);
    const Timing time = time_device(&p, repeats);
    destroy(&p);
    const double host = host_element * N;
    printf(args->csv ? "%zu,%.6g,%.6g,%.6g,%.6g,%zu\n" : "%10zu %12.4g %12.4g %10.1f %10.4g %8zu\n",
           N, host, time.median, host / time.median, N * STEPS / time.median * 1e-6, repeats);
    fflush(stdout);
    return time.median;
}

// N from 10^3 in tens.
void sweep(const Args *args, double host_element)
{
    double last = 0.0; // ms
    for (size_t N = 1000; N <= args->N; N *= 10)
    {
        const double fits = POINT_SECONDS * 1e3 / (10.0 * last) - 1.0; // 10: if it grows like N
        const size_t repeats = fits >= args->repeats ? args->repeats : fits > 1.0 ? fits : 1;
        last = measure(args, N, repeats, host_element);
    }
}

int main(int argc, char **argv)
{
    bool is_sweep = false;
    Args args;
    args.N = default_size(1000000, 1000);
    args.repeats = 10;
    args.bytes_per_element = 2 * sizeof(real);
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    add_flag(&args, "sweep", &is_sweep, "N = 10^3, 10^4, ... 10^8 instead (on a CPU to 10^4)");
    parse_args(&args, argc, argv, "-n N -b B -r R -s S --csv [N]",
               "arithmetic2gpu: the same square roots on the device, and the speed-up as N grows");
    if (is_sweep)
    {
        args.N = default_size(100000000, 10000);
        check_memory(&args, false); // halves it where it does not fit
    }
    g_verdict_prefix = args.csv ? "# " : "";
    print_device(g_verdict_prefix);

    const double host_element = time_host_element(&args);
    printf("%s%s; the host's time is that of %zu elements, scaled to N\n", g_verdict_prefix,
           REAL_NAME, HOST_N);
    printf(args.csv ? "N,host ms,device %s,speed-up,Gsteps/s,repeats\n"
                    : "         N      host ms device %5s   speed-up   Gsteps/s  repeats\n",
           TIME_UNIT);
    if (is_sweep)
    {
        sweep(&args, host_element);
    }
    else
    {
        measure(&args, args.N, args.repeats, host_element);
    }
    return verdict();
}
