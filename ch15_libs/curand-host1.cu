// curand-host1: uniform random numbers by cuRAND's host API, and their histogram
//
// From:    Listing 19.1, section 19.1, file curand-host1.cu
// Compile: nvcc -O3 curand-host1.cu -lcurand
// Run:     ./a.out -o ./
// Libs:    -lcurand
//
// The host calls the library, and the device makes the numbers. They are above 0 and up to 1. Most
// libraries give numbers from 0 on and below 1. With -o ./ the program writes them into ./x1.txt:
// the text after -o goes before the name of the book's file.

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
    Output file = open_output("x1.txt");
    for (int n = 0; n < N; n++)
    {
        fprintf(file.file, "%g\n", x[n]);
    }
    close_output(&file);
}

// The probability of a number below x.
double below(double x) { return x; }

// Listing 19.1: make a generator (XORWOW is the default), seed it, let it fill an array of the
// device, destroy it. The book forgets curandDestroyGenerator.
int main(int argc, char **argv)
{
    parse_args(argc, argv, "-o PREFIX",
               "curand-host1: uniform random numbers by cuRAND's host API, and their histogram");
    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, 1234));
    const int N = 100000;
    double *g_x;
    CHECK(cudaMalloc((void **)&g_x, sizeof(double) * N));
    CHECK(cudaMemset(g_x, POISON_BYTE, sizeof(double) * N));
    CHECK_CURAND(curandGenerateUniformDouble(generator, g_x, N));
    double *x = (double *)malloc(sizeof(double) * N);
    poison(x, sizeof(double) * N);
    CHECK(cudaMemcpy(x, g_x, sizeof(double) * N, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(g_x));
    CHECK_CURAND(curandDestroyGenerator(generator));

    print_note("first: %.6f %.6f %.6f, last: %.6f\n", x[0], x[1], x[2], x[N - 1]);
    check_true("all numbers above 0 and up to 1", all_between(x, N, 0.0, 1.0));
    show_histogram(x, N, 0.0, 1.0, below);
    if (*args.prefix != '\0')
    {
        output_results(N, x);
    }
    free(x);
    return verdict();
}
