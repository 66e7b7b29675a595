// add1cpu: how to time a function, with CUDA's events, eleven times, the first not counted
//
// From:    Listing 5.1, section 5.1.1
// Compile: nvcc -O3 add1cpu.cu
// Run:     ./a.out -n 100000000
// Checks:  1
//
// An event is a mark in the queue of work for the device, and the device notes when it gets there.
// Here the work between the two marks is the host's: the device has nothing to do and notes each
// mark as soon as it is made. It is written out once, here; timing.cuh does the same for all
// programs from add2gpu on. Compile with -DUSE_DP for double: twice the bytes, twice the time.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/timing.cuh"

const int NUM_REPEATS = 10; // and one before, which does not count

void add_reference(const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (double)x[n] + (double)y[n];
    }
}

// What is timed.
void add(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

// Listing 5.1 around one call of add.
float time_add(const real *x, const real *y, real *z, size_t N)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start));
    cudaEventQuery(start); // sends the mark off on Windows; "not ready" is no error: no CHECK

    add(x, y, z, N);

    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop)); // the mark has been made; now it has also been reached
    float elapsed_time = 0.0f;
    CHECK(cudaEventElapsedTime(&elapsed_time, start, stop));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return elapsed_time;
}

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(100000000, 2000000);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    parse_args(&args, argc, argv, "-n N -s S",
               "add1cpu: how to time a function, with CUDA's events, eleven times, the first not "
               "counted");
    print_device();
    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);

    real *x = (real *)malloc(bytes);
    real *y = (real *)malloc(bytes);
    real *z = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    fill_random(x, N, args.seed);
    fill_random(y, N, args.seed + 1);
    add_reference(x, y, reference, N);
    poison(z, bytes);

    printf("add on the host, %s, N = %zu\n", REAL_NAME, N);
    double times[NUM_REPEATS];
    for (int repeat = 0; repeat <= NUM_REPEATS; ++repeat)
    {
        const float time = time_add(x, y, z, N);
        printf("Time = %g %s%s\n", time, TIME_UNIT, repeat == 0 ? " (not counted)" : "");
        if (repeat > 0)
        {
            times[repeat - 1] = time;
        }
    }
    const Timing time = summarize(times, NUM_REPEATS); // it sorts them, for the median
    printf("mean %g +- %.2g, median %g %s: %.3g GB/s\n", time.mean, time.deviation, time.median,
           TIME_UNIT, 3.0 * bytes / time.median * 1e-6);
    check_elements("z", z, reference, N, REAL_EPSILON / 2); // rounded once: half an epsilon

    free(x);
    free(y);
    free(z);
    free(reference);
    return verdict();
}
