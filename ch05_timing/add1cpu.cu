// add1cpu: how to time a function, with CUDA's events, eleven times, the first not counted
//
// From:    Listing 5.1, sections 5.1 and 5.1.1, file add1cpu.cu
// Compile: nvcc -O3 add1cpu.cu
// Run:     ./a.out -n 100000000
//
// An event is a mark in the queue of work for the device. The device notes the time when it reaches
// the mark. Here the work between the two marks is the host's. The device has nothing to do, so it
// notes each mark as soon as the host has made it. The calls are written out here. Most later
// programs use timing.cuh, which does the same. With -DUSE_DP the numbers are doubles: twice the
// bytes, and twice the time.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/table.cuh" // for rate_of
#include "../common/timing.cuh"

const int NUM_REPEATS = 10; // that count; one more goes before them

void add_reference(const real *x, const real *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = (double)x[n] + (double)y[n];
    }
}

// The function that is timed.
void add(const real *x, const real *y, real *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(100000000, 2000000);
    args.bytes_on_host = 3 * sizeof(real) + sizeof(double);
    parse_args(argc, argv, "-n N -s S",
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

    printf(said("add on the host, %s, N = %zu\n"), REAL_NAME, N);
    double times[NUM_REPEATS];
    for (int repeat = 0; repeat <= NUM_REPEATS; ++repeat)
    {
        // From here to cudaEventDestroy stands Listing 5.1.
        cudaEvent_t start, stop;
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&stop));
        CHECK(cudaEventRecord(start));
        // On Windows this call sends the mark to the device. It has no CHECK, because it may return
        // cudaErrorNotReady, which is no error here.
        cudaEventQuery(start);

        add(x, y, z, N);

        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop)); // waits until the device has reached the mark
        float elapsed_time;
        CHECK(cudaEventElapsedTime(&elapsed_time, start, stop));
        printf("Time = %g %s%s\n", elapsed_time, TIME_UNIT, repeat == 0 ? " (not counted)" : "");

        CHECK(cudaEventDestroy(start));
        CHECK(cudaEventDestroy(stop));

        if (repeat > 0)
        {
            times[repeat - 1] = elapsed_time;
        }
    }
    const Timing time = summarize(times, NUM_REPEATS);
    printf(said("mean %g +- %.2g, median %g %s: %.3g GB/s\n"), time.mean, time.deviation,
           time.median, TIME_UNIT, rate_of(3.0 * bytes, time.median));
    check_elements("z", z, reference, N, REAL_EPSILON / 2); // one rounding: half an epsilon

    free(x);
    free(y);
    free(z);
    free(reference);
    return verdict();
}
