// reduce1cpu: four ways to add up an array on the host, and how many digits each gets right
//
// From:    Listing 9.1, section 9.1
// Compile: nvcc -O3 reduce1cpu.cu
// Run:     ./a.out --book
// Versions:
//   loop      one number after the other into one sum, in real
//   kahan     ... which carries along what each addition rounds away
//   pairwise  two halves, each added up in the same way: what a GPU's reduction amounts to
//   double    the loop, in double
// Checks:  12
//
// The loop stalls in float. From 2^24 on floats are 2 apart, from 2^25 = 33554432 on 4: a number
// smaller than half of that is lost, however many follow. That is no fault of the machine but the
// result that the loop asks for; see --book, which adds 10^8 times 1.23 as the book does.

#include <stdio.h>
#include <stdlib.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"

const size_t BOOK_N = 100000000;
const size_t LEAF = 128; // below which pairwise is a loop: a call for each number would cost more

struct Problem
{
    size_t N;
    real *x;
    double sum, reference, sum_abs;
    double chain; // the most additions that round a number on its way into the sum
    bool integers;
};

// Listing 9.1
void sum_loop(Problem *p)
{
    real sum = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        sum += p->x[n];
    }
    p->sum = sum;
    p->chain = p->N;
}

// `lost` is the part of y that did not fit into the sum; the next y is corrected by it. A compiler
// that may reorder additions (-ffast-math) finds that it is always 0, and removes it.
void sum_kahan(Problem *p)
{
    real sum = 0.0, lost = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        const real y = p->x[n] - lost;
        const real total = sum + y;
        lost = (total - sum) - y;
        sum = total;
    }
    p->sum = sum;
    p->chain = 3.0; // 2 epsilon at most, and terms of N epsilon^2
}

real pairwise(const real *x, size_t N)
{
    if (N > LEAF)
    {
        return pairwise(x, N / 2) + pairwise(x + N / 2, N - N / 2);
    }
    real sum = 0.0;
    for (size_t n = 0; n < N; ++n)
    {
        sum += x[n];
    }
    return sum;
}

// Numbers of about one size meet, so little is lost; and each goes through few additions.
void sum_pairwise(Problem *p)
{
    p->sum = pairwise(p->x, p->N);
    p->chain = LEAF + ceil(log2((double)p->N));
}

void sum_double(Problem *p)
{
    double sum = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        sum += p->x[n];
    }
    p->sum = sum;
    p->chain = p->N * (DBL_EPSILON / REAL_EPSILON);
}

Outcome check(const Problem *p, const Version<Problem> *version)
{
    if (p->integers) // whose sum is the same in any order
    {
        check_elements(version->name, &p->sum, &p->reference, 1);
    }
    else
    {
        check_sum(version->name, p->sum, p->reference, p->sum_abs, p->chain, REAL_EPSILON);
    }
    return {p->sum, fabs(p->sum - p->reference) / p->sum_abs};
}

void take_data(Problem *p, bool integers)
{
    p->integers = integers;
    p->reference = sum_compensated(p->x, p->N);
    p->sum_abs = 0.0;
    for (size_t n = 0; n < p->N; ++n)
    {
        p->sum_abs += fabs((double)p->x[n]);
    }
}

const Version<Problem> versions[] = {
    {"loop", sum_loop, ON_HOST},
    {"kahan", sum_kahan, ON_HOST},
    {"pairwise", sum_pairwise, ON_HOST},
    {"double", sum_double, ON_HOST},
};

int main(int argc, char **argv)
{
    Args args;
    args.N = default_size(BOOK_N, 10000000);
    args.bytes_per_element = sizeof(real);
    args.uses_device = false;
    args.versions = version_names(versions);
    for (int i = 1; i < argc; ++i)
    {
        args.N = strcmp(argv[i], "--book") == 0 ? BOOK_N : args.N; // here, too, if there is no -n
    }
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce1cpu: four ways to add up an array on the host, and how many digits each "
               "gets right");

    Problem p = {};
    p.N = args.N;
    p.x = (real *)malloc(p.N * sizeof(real));
    Ladder<Problem> ladder = {&p, check};
    ladder.outputs[0] = {&p.sum, NULL, sizeof(double)};
    ladder.bytes = (double)p.N * sizeof(real);

    fill_integers(p.x, p.N, args.seed);
    take_data(&p, true);
    check_versions(&args, &ladder, versions);

    args.book ? fill_constant(p.x, p.N, (real)1.23) : fill_random(p.x, p.N, args.seed);
    take_data(&p, false);
    run_versions(&args, &ladder, versions);
    if (args.book && p.N == BOOK_N)
    {
        printf("%sListing 9.1's loop gives 33554432 in float and 123000000.110771 in double\n",
               g_verdict_prefix);
        sum_loop(&p);
        check_true("the loop gives what the book prints",
                   sizeof(real) == sizeof(float) ? p.sum == 33554432.0
                                                 : fabs(p.sum - 123000000.110771) < 1e-6);
    }
    free(p.x);
    return verdict();
}
