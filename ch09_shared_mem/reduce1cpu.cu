// reduce1cpu: four ways to add up an array on the host, and how many digits each gets right
//
// From:    Listing 9.1, section 9.1, file reduce1cpu.cu
// Compile: nvcc -O3 reduce1cpu.cu
// Run:     ./a.out --book
// Options: -n N -r R -s S -k NAME --book --csv
// Versions:
//   loop      one number after the other is added to one sum, in real
//   kahan     the same, and the next addition makes up for what the last one rounded away
//   pairwise  two halves, each added up in the same way: the order of a GPU's reduction
//   double    the loop, in double
// Checks:  13
// Also:    --book -r 1
// Chinese: 在主机上用四种方法求数组之和，看每种方法有几位数字正确
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
#include "../common/versions_old.cuh"

const size_t BOOK_N = 100000000;
const size_t LEAF = 128; // pairwise adds up so many numbers in a loop, to save function calls

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

int main(int argc, char **argv)
{
    Args args;
    Ladder ladder;
    Total total;
    size_t N = 0;
    real *x = NULL;
    double sum = 0.0;
    // A check needs the most additions that one element passes through on its way into the sum.
    const auto check = [&](double additions)
    {
        check_total(&ladder, sum, &total, additions);
    };
    const Version versions[] = {
        on_host(
            "loop", [&] { sum = sum_loop(x, N); }, [&] { check(N); }),
        // at most 2 epsilon, and terms of N epsilon^2
        on_host(
            "kahan", [&] { sum = sum_kahan(x, N); }, [&] { check(3.0); }),
        on_host(
            "pairwise", [&] { sum = sum_pairwise(x, N); },
            [&] { check(LEAF + ceil(log2((double)N))); }),
        on_host(
            "double", [&] { sum = sum_double(x, N); },
            [&] { check(N * (DBL_EPSILON / REAL_EPSILON)); }),
    };

    args.N = default_size(BOOK_N, 10000000);
    args.book_N = BOOK_N;
    args.bytes_per_element = sizeof(real);
    args.uses_device = false;
    args.versions = version_names(versions);
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce1cpu: four ways to add up an array on the host, and how many digits each "
               "gets right");
    N = args.N;
    x = (real *)malloc(N * sizeof(real));
    ladder.outputs[0] = {&sum, NULL, sizeof(double)};
    ladder.bytes = (double)N * sizeof(real);

    fill_integers(x, N, args.seed);
    total = total_of(x, N, IS_EXACT);
    check_versions(&args, &ladder, versions);

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
    run_versions(&args, &ladder, versions);

    if (args.book && N == BOOK_N)
    {
        print_note("Listing 9.1's loop gives 33554432 in float and 123000000.110771 in double\n");
        sum = sum_loop(x, N);
        check_true("the loop gives what the book prints",
                   sizeof(real) == sizeof(float) ? sum == 33554432.0
                                                 : fabs(sum - 123000000.110771) < 1e-6);
    }
    free(x);
    return verdict();
}
