// reduce1cpu: four ways to add up an array on the host, and how many digits each gets right
//
// From:    Listing 9.1, section 9.1, file reduce1cpu.cu
// Compile: nvcc -O3 reduce1cpu.cu
// Run:     ./a.out --book
//
// In float the loop's sum stops growing. From 2^24 on neighbouring floats are 2 apart, and from
// 2^25 = 33554432 on they are 4 apart. A number smaller than half of this distance changes nothing,
// however often it is added. The machine makes no error: Listing 9.1 asks for this result.
// With --book the program adds 10^8 times 1.23, as the book does.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/sum.cuh"
#include "../common/versions.cuh"

const size_t BOOK_N = 100000000;
const size_t LEAF = 128; // pairwise adds up so many numbers in a loop, to save function calls

static size_t N;
static real *x;     // the numbers
static double sum;  // of a version
static Total total; // what it should be

// Listing 9.1
real sum_loop(const real *x, size_t N)
{
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += x[n];
    }
    return sum;
}

// `lost` is what the sum has gained beyond y. It is below 0 if a part of y did not fit. It is taken
// off the next number. A compiler that may reorder additions (-ffast-math) concludes that `lost` is
// always 0 and removes it.
real sum_kahan(const real *x, size_t N)
{
    real sum = 0.0, lost = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        const real y = x[n] - lost;
        const real total = sum + y;
        lost = (total - sum) - y;
        sum = total;
    }
    return sum;
}

// The two numbers that are added have about the same size, so little is lost. And each element goes
// through few additions.
real sum_pairwise(const real *x, size_t N)
{
    if (N > LEAF)
    {
        return sum_pairwise(x, N / 2) + sum_pairwise(x + N / 2, N - N / 2);
    }
    return sum_loop(x, N);
}

double sum_double(const real *x, size_t N)
{
    double sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += x[n];
    }
    return sum;
}

void run_loop(void) { sum = sum_loop(x, N); }
void run_kahan(void) { sum = sum_kahan(x, N); }
void run_pairwise(void) { sum = sum_pairwise(x, N); }
void run_double(void) { sum = sum_double(x, N); }

// A check needs the most additions that one element passes through on its way into the sum. The sum
// is checked in double, because the version `double` returns a double.
void check_row(double additions)
{
    check_total(g_row, sum, &total, additions);
    g_result = sum;
    g_error = fabs(sum - total.sum) / total.sum_abs;
}

void check_loop(void) { check_row(N); }

// At most 2 epsilon, and terms of N epsilon^2.
void check_kahan(void) { check_row(3.0); }

void check_pairwise(void) { check_row(LEAF + ceil(log2((double)N))); }
void check_double(void) { check_row(N * (DBL_EPSILON / REAL_EPSILON)); }

const Version VERSIONS[] = {
    {"loop", "one number after the other is added to one sum, in real", run_loop, check_loop,
     ON_HOST},
    {"kahan", "the same, and the next addition makes up for what the last one rounded away",
     run_kahan, check_kahan, ON_HOST},
    {"pairwise", "two halves, each added up in the same way: the order of a GPU's reduction",
     run_pairwise, check_pairwise, ON_HOST},
    {"double", "the loop, in double", run_double, check_double, ON_HOST},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

int main(int argc, char **argv)
{
    args.N = default_size(BOOK_N, 10000000);
    args.book_N = BOOK_N;
    args.bytes_per_element = sizeof(real);
    args.uses_device = false;
    add_versions(VERSIONS, NUM_VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce1cpu: four ways to add up an array on the host, and how many digits each "
               "gets right");
    N = args.N;
    x = (real *)malloc(N * sizeof(real));

    Table table = {};
    table.outputs[0] = {&sum, NULL, sizeof(double)};
    table.bytes = (double)N * sizeof(real);

    fill_integers(x, N, args.seed);
    total = total_of(x, N, IS_EXACT);
    check_versions(&table, VERSIONS, NUM_VERSIONS);

    if (args.book)
    {
        fill_constant(x, N, (real)1.23);
    }
    else
    {
        fill_random(x, N, args.seed);
    }
    total = total_of(x, N, IS_ROUNDED);
    const bool is_book = fabs(total.sum / N - 1.23) <= 1e-7;
    check_true("the numbers are the book's with --book, and only then", is_book == args.book);
    run_versions(&table, VERSIONS, NUM_VERSIONS);

    if (args.book && N == BOOK_N)
    {
        print_note("Listing 9.1's loop gives 33554432 in float and 123000000.110771 in double\n");
        const double books = sum_loop(x, N);
        check_true("the loop gives what the book prints",
                   sizeof(real) == sizeof(float) ? books == 33554432.0
                                                 : fabs(books - 123000000.110771) < 1e-6);
    }
    free(x);
    return verdict();
}
