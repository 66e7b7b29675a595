// arithmetic1cpu: ten thousand square roots for each number read, on the host
//
// From:    Listing 5.2, section 5.2.2
// Compile: nvcc -O3 arithmetic1cpu.cu
// Run:     ./a.out 10000
// Checks:  1
// Sizes:   1 33 960 2003
//
// An addition of arrays reads and writes three numbers for one operation. Here it is two numbers
// for 10^4 roots, comparisons and additions: the arithmetic intensity is 10^4 times higher. What
// the device makes of that is arithmetic2gpu's subject. -DUSE_DP for double.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/timing.cuh"
#include "arithmetic.cuh"

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(10000, 1000);
    args.repeats = 3;
    args.bytes_on_host = 2 * sizeof(real) + sizeof(double);
    args.uses_device = false;
    parse_args(&args, argc, argv, "-n N -r R -s S [N]",
               "arithmetic1cpu: ten thousand square roots for each number read, on the host");
    printf("device: none, this is one core of the host\n");
    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);

    real *start = (real *)malloc(bytes);
    real *x = (real *)malloc(bytes);
    double *reference = (double *)malloc(N * sizeof(double));
    fill_start(start, N, args.seed);
    arithmetic_reference(start, reference, N);

    // The function changes its input, which each repeat must find as it was.
    const Timing time = time_host([&] { arithmetic_cpu(x, X0, N); }, args.repeats,
                                  [&] { memcpy(x, start, bytes); });
    printf("%s, N = %zu\n", REAL_NAME, N);
    print_timing("arithmetic on the host", &time);
    printf("%.3g ns a step\n", time.median * 1e6 / ((double)N * STEPS));
    check_elements("x", x, reference, N);

    free(start);
    free(x);
    free(reference);
    return verdict();
}
