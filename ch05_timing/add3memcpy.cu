// add3memcpy: the copies counted too, from pageable and from pinned memory of the host
//
// From:    Section 5.1.2, 5.2.1
// Compile: nvcc -O3 add3memcpy.cu
// Run:     ./a.out -n 100000000
// Checks:  3
//
// x and y go to the device, a kernel adds them, z comes back. The device cannot fetch from memory
// that malloc gave, because the operating system may move it: the driver copies piece by piece
// into a buffer of its own first. cudaMallocHost gives memory that stays where it is (pinned,
// page-locked), and the device copies it without help. Either way the bus is far slower than the
// device's memory, and the copies take nearly all the time: to add two arrays of the host once,
// stay on the host. Compile with -DUSE_DP for double.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

struct Arrays
{
    size_t N, bytes;
    unsigned int block_size;
    bool pinned; // where on the host
    real *h_x, *h_y, *h_z, *d_x, *d_y, *d_z;
};

struct Times
{
    double to_device, kernel, to_host, together, host; // ms; host: the host's own addition
};

void add_reference(const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (double)x[n] + (double)y[n];
    }
}

void add_cpu(const Arrays *a)
{
    for (size_t n = 0; n < a->N; ++n)
    {
        a->h_z[n] = a->h_x[n] + a->h_y[n];
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

void copy_to_device(const Arrays *a)
{
    CHECK(cudaMemcpy(a->d_x, a->h_x, a->bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(a->d_y, a->h_y, a->bytes, cudaMemcpyHostToDevice));
}

void add_on_device(const Arrays *a)
{
    const unsigned int grid_size = (a->N + a->block_size - 1) / a->block_size;
    add<<<grid_size, a->block_size>>>(a->d_x, a->d_y, a->d_z, a->N);
    CHECK_LAUNCH();
}

void copy_to_host(const Arrays *a)
{
    CHECK(cudaMemcpy(a->h_z, a->d_z, a->bytes, cudaMemcpyDeviceToHost));
}

void all_together(const Arrays *a)
{
    copy_to_device(a);
    add_on_device(a);
    copy_to_host(a);
}

void allocate(Arrays *a)
{
    for (real **host : {&a->h_x, &a->h_y, &a->h_z})
    {
        if (a->pinned)
        {
            CHECK(cudaMallocHost((void **)host, a->bytes));
        }
        else
        {
            *host = (real *)malloc(a->bytes);
        }
    }
    for (real **device : {&a->d_x, &a->d_y, &a->d_z})
    {
        CHECK(cudaMalloc(device, a->bytes));
    }
}

void release(const Arrays *a)
{
    for (real *host : {a->h_x, a->h_y, a->h_z})
    {
        if (a->pinned)
        {
            CHECK(cudaFreeHost(host));
        }
        else
        {
            free(host);
        }
    }
    for (real *device : {a->d_x, a->d_y, a->d_z})
    {
        CHECK(cudaFree(device));
    }
}

// Poison wherever a result could come from without being computed: all three on the device.
void check_together(const Arrays *a, const double *reference)
{
    for (real *device : {a->d_x, a->d_y, a->d_z})
    {
        CHECK(cudaMemset(device, POISON_BYTE, a->bytes));
    }
    poison(a->h_z, a->bytes);
    all_together(a);
    check_elements(a->pinned ? "z, pinned" : "z, pageable", a->h_z, reference, a->N,
                   REAL_EPSILON / 2);
}

// The steps one by one, and the way the host sees them: one after the other.
Times time_steps(const Arrays *a, size_t repeats)
{
    Times t;
    t.to_device = time_kernel([&] { copy_to_device(a); }, repeats).median;
    t.kernel = time_kernel([&] { add_on_device(a); }, repeats).median;
    t.to_host = time_kernel([&] { copy_to_host(a); }, repeats).median;
    t.together = time_kernel([&] { all_together(a); }, repeats).median;
    t.host = time_host([&] { add_cpu(a); }, 1 + repeats / 10).median;
    return t;
}

Times run(const Args *args, bool pinned)
{
    Arrays a = {};
    a.N = args->N;
    a.bytes = a.N * sizeof(real);
    a.block_size = args->block_x;
    a.pinned = pinned;
    allocate(&a);
    fill_random(a.h_x, a.N, args->seed);
    fill_random(a.h_y, a.N, args->seed + 1);
    double *reference = (double *)malloc(a.N * sizeof(double));
    add_reference(a.h_x, a.h_y, reference, a.N);

    check_together(&a, reference);
    const Times times = time_steps(&a, args->repeats);
    if (!pinned)
    {
        check_elements("z of the host", a.h_z, reference, a.N, REAL_EPSILON / 2); // add_cpu's
    }
    free(reference);
    release(&a);
    return times;
}

void print_row(const char *what, double pageable, double pinned, double arrays, size_t bytes)
{
    printf("%-26s %10.4g %7.1f   %10.4g %7.1f\n", what, pageable, arrays * bytes / pageable * 1e-6,
           pinned, arrays * bytes / pinned * 1e-6);
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    parse_args(&args, argc, argv, "-n N -b B -r R -s S",
               "add3memcpy: the copies counted too, from pageable and from pinned memory of the "
               "host");
    print_device();
    const size_t bytes = args.N * sizeof(real);
    const Times t = run(&args, false), u = run(&args, true);

    printf("%s, N = %zu, medians of %zu repeats\n", REAL_NAME, args.N, args.repeats);
    printf("%-26s %10s %7s   %10s %7s\n", TIME_UNIT, "pageable", "GB/s", "pinned", "GB/s");
    print_row("x and y to the device", t.to_device, u.to_device, 2, bytes);
    print_row("kernel", t.kernel, u.kernel, 3, bytes);
    print_row("z to the host", t.to_host, u.to_host, 1, bytes);
    print_row("all three together", t.together, u.together, 3, bytes);
    print_row("the host alone", t.host, u.host, 3, bytes);
    printf("%-26s %9.1f%% %20.1f%%\n", "share of the copies", 100.0 * (1.0 - t.kernel / t.together),
           100.0 * (1.0 - u.kernel / u.together));
    printf("%-26s %9.2fx %20.2fx\n", "faster than the host, all", t.host / t.together,
           u.host / u.together);
    printf("%-26s %9.2fx %20.2fx\n", "the kernel by itself", t.host / t.kernel, u.host / u.kernel);
    return verdict();
}
