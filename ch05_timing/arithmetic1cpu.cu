// arithmetic1cpu: ten thousand square roots for each number read, on the host
//
// From:    Listing 5.2, section 5.2.2, file arithmetic1cpu.cu
// Compile: nvcc -O3 arithmetic1cpu.cu
// Run:     ./a.out 10000
//
// To add two arrays, a program reads or writes three numbers for each operation. Here it reads and
// writes two numbers for 10^4 square roots, comparisons and additions. The arithmetic intensity is
// about 10^4 times as high. arithmetic2gpu shows how fast the device does the same. With -DUSE_DP
// the numbers are doubles.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/timing.cuh"
#include "arithmetic.cuh"

// Listing 5.2, the function of the host.
void arithmetic(real *x, const real x0, const size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        real x_tmp = x[n];
        while (sqrt(x_tmp) < x0)
        {
            ++x_tmp;
        }
        x[n] = x_tmp;
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(10000, 1000);
    args.repeats = 3;
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    args.uses_device = false;
    parse_args(argc, argv, "-n N -r R -s S [N]",
               "arithmetic1cpu: ten thousand square roots for each number read, on the host");
    print_note("device: none, this is one core of the host\n");
    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);

    real *start = (real *)malloc(bytes);
    real *x = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    fill_start(start, N, args.seed);
    arithmetic_reference(start, reference, N);

    // The function changes its input. Every repeat starts from the same numbers.
    Timer timer = new_host_timer(args.repeats);
    while (next_run(&timer))
    {
        memcpy(x, start, bytes);
        begin_timing(&timer);
        arithmetic(x, X0, N);
    }
    printf("%s, N = %zu\n", REAL_NAME, N);
    print_timing("arithmetic on the host", &timer);
    printf(said("%.3g ns a step\n"), timer.median * 1e6 / ((double)N * STEPS));
    check_elements("x", x, reference, N);

    free(start);
    free(x);
    free(reference);
    return verdict();
}
