// add: adding two arrays in plain C++, the program that the rest of the chapter moves to the GPU
//
// From:    Listing 3.1, section 3.1
// Compile: g++ -O3 add.cpp
// Run:     ./a.out 100000000
//
// The arrays hold random whole numbers. A double holds whole numbers up to 2^53 exactly. So the
// program can repeat the sums with integers, and both results must be equal.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/compare.cuh"

void add(const double *x, const double *y, double *z, size_t N)
{
    for (size_t n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
}

// A whole number below 2^32 that looks random, but is always the same for the same k. The check
// makes the inputs again by this function, because the arrays may have been changed.
uint64_t whole(uint64_t k)
{
    const uint64_t z = (k + 1) * 0x9e3779b97f4a7c15ull;
    return ((z ^ (z >> 29)) * 0xbf58476d1ce4e5b9ull) >> 32;
}

void check(const double *z, size_t N)
{
    size_t wrong = 0;
    for (size_t n = 0; n < N; ++n)
    {
        wrong += !(z[n] == whole(2 * n) + whole(2 * n + 1));
    }
    check_true("z is the sum of x and y", wrong == 0);
}

// Reads N from the command line: "N" or "-n N". 1e8 is a number, too. Any other text ends the
// program with one line and status 2.
size_t read_size(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[argc - 1] : "10000000";
    const bool understood = argc <= 2 || (argc == 3 && strcmp(argv[1], "-n") == 0);
    if (strcmp(text, "-h") == 0 || strcmp(text, "--help") == 0)
    {
        printf("add: adding two arrays in plain C++, the program that the rest of the chapter\n"
               "moves to the GPU\n\nusage: add [-n N] [-h] [N]\n"
               "  -n N  number of elements (default 10000000)\n");
        exit(end_output(0));
    }
    char *end;
    double N = strtod(text, &end);
    const bool is_number = end > text && text[strspn(text, "0123456789e")] == '\0' && *end == '\0';
    if (!understood || !is_number || N < 1 || N > 1e15)
    {
        fprintf(stderr, "add: wants one whole number from 1 to 1e15 (see add --help)\n");
        exit(2);
    }
    const double free = 0.95 * room_on_host(); // 0: not known
    while (free > 0 && 3 * N * sizeof(double) > free)
    {
        if (argc > 1)
        {
            fprintf(stderr, "add: that size needs %.4g GB; %.4g GB are free\n",
                    3 * N * sizeof(double) * 1e-9, free * 1e-9);
            exit(2);
        }
        N = floor(N / 2);
        fprintf(stderr, "add: little memory is free: N halved to %.0f\n", N);
    }
    return (size_t)N;
}

int main(int argc, char **argv)
{
    const size_t N = read_size(argc, argv);
    const size_t bytes = N * sizeof(double);

    double *x = (double *)malloc(bytes);
    double *y = (double *)malloc(bytes);
    double *z = (double *)malloc(bytes);
    if (x == NULL || y == NULL || z == NULL)
    {
        fprintf(stderr, "add: no memory for %zu elements; take a smaller N\n", N);
        return 2;
    }
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = whole(2 * n);
        y[n] = whole(2 * n + 1);
    }

    poison(z, bytes); // fills z with wrong numbers, which add() has to replace
    add(x, y, z, N);
    check(z, N);

    free(x);
    free(y);
    free(z);
    return verdict();
}
