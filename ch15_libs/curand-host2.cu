// curand-host2: normal random numbers by cuRAND's host API, and their histogram
//
// From:    section 19.1.2, file curand-host2.cu
// Compile: nvcc -O3 curand-host2.cu -lcurand
// Run:     ./a.out -o ./
// Libs:    -lcurand
//
// The book's second example: curandGenerateNormalDouble instead of curandGenerateUniformDouble.
// With -o ./ the program writes the numbers into ./x2.txt.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/check_curand.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/output.cuh"
#include "histogram.cuh"

void output_results(int N, const double *x)
{
    Output file = open_output("x2.txt");
    for (int n = 0; n < N; n++)
    {
        fprintf(file.file, "%g\n", x[n]);
    }
    close_output(&file);
}

// The probability of a number below x.
double below(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

// Section 19.1.2: Listing 19.1 with normal numbers.
int main(int argc, char **argv)
{
    parse_args(argc, argv, "-o PREFIX",
               "curand-host2: normal random numbers by cuRAND's host API, and their histogram");
    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, 1234));
    const int N = 100000;
    double *g_x;
    CHECK(cudaMalloc((void **)&g_x, sizeof(double) * N));
    CHECK(cudaMemset(g_x, POISON_BYTE, sizeof(double) * N));
    CHECK_CURAND(curandGenerateNormalDouble(generator, g_x, N, 0.0, 1.0));
    double *x = (double *)malloc(sizeof(double) * N);
    poison(x, sizeof(double) * N);
    CHECK(cudaMemcpy(x, g_x, sizeof(double) * N, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(g_x));
    CHECK_CURAND(curandDestroyGenerator(generator));

    print_note("first: %.6f %.6f %.6f, last: %.6f\n", x[0], x[1], x[2], x[N - 1]);
    // The smallest uniform number of 53 bits is 2^-54, and the root of -2 ln 2^-54 is 8.65.
    check_true("all numbers from -9 to 9", all_between(x, N, -9.0, 9.0));
    show_histogram(x, N, -4.0, 4.0, below);
    if (*args.prefix != '\0')
    {
        output_results(N, x);
    }
    free(x);
    return verdict();
}
