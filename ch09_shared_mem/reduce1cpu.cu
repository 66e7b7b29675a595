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
#include "../common/versions_data.cuh"

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

// What the versions work on.
struct Data
{
    size_t N;
    const real *x;
    double sum;
    Total total; // what it should be
};

// A check needs the most additions that one element passes through on its way into the sum.
void check_loop(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, data->N);
}

// At most 2 epsilon, and terms of N epsilon^2.
void check_kahan(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, 3.0);
}

void check_pairwise(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, LEAF + ceil(log2((double)data->N)));
}

void check_double(Table<Data> *table, const Data *data)
{
    check_total(table, data->sum, &data->total, data->N * (DBL_EPSILON / REAL_EPSILON));
}

typedef Data *D;
const Version<Data> VERSIONS[] = {
    {"loop", "one number after the other is added to one sum, in real", ON_HOST,
     [](D d) { d->sum = sum_loop(d->x, d->N); }, check_loop},
    {"kahan", "the same, and the next addition makes up for what the last one rounded away",
     ON_HOST, [](D d) { d->sum = sum_kahan(d->x, d->N); }, check_kahan},
    {"pairwise", "two halves, each added up in the same way: the order of a GPU's reduction",
     ON_HOST, [](D d) { d->sum = sum_pairwise(d->x, d->N); }, check_pairwise},
    {"double", "the loop, in double", ON_HOST, [](D d) { d->sum = sum_double(d->x, d->N); },
     check_double},
};

int main(int argc, char **argv)
{
    args.N = default_size(BOOK_N, 10000000);
    args.book_N = BOOK_N;
    args.bytes_per_element = sizeof(real);
    args.uses_device = false;
    add_versions(VERSIONS);
    parse_args(argc, argv, "-n N -r R -s S -k NAME --book --csv",
               "reduce1cpu: four ways to add up an array on the host, and how many digits each "
               "gets right");
    const size_t N = args.N;
    real *x = (real *)malloc(N * sizeof(real));

    Data data = {N, x};
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {&data.sum, NULL, sizeof(double)};
    table.bytes = (double)N * sizeof(real);

    fill_integers(x, N, args.seed);
    data.total = total_of(x, N, IS_EXACT);
    check_versions(&table, VERSIONS);

    if (args.book)
    {
        fill_constant(x, N, (real)1.23);
    }
    else
    {
        fill_random(x, N, args.seed);
    }
    data.total = total_of(x, N, IS_ROUNDED);
    const bool is_book = fabs(data.total.sum / N - 1.23) <= 1e-7;
    check_true("the numbers are the book's with --book, and only then", is_book == args.book);
    run_versions(&table, VERSIONS);

    if (args.book && N == BOOK_N)
    {
        print_note("Listing 9.1's loop gives 33554432 in float and 123000000.110771 in double\n");
        const double sum = sum_loop(x, N);
        check_true("the loop gives what the book prints",
                   sizeof(real) == sizeof(float) ? sum == 33554432.0
                                                 : fabs(sum - 123000000.110771) < 1e-6);
    }
    free(x);
    return verdict();
}
