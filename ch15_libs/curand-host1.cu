// curand-host1: uniform random numbers by the nine generators of cuRAND's host API, tested and
// timed
//
// From:    Listing 19.1, section 19.1, file curand-host1.cu
// Compile: nvcc -O3 curand-host1.cu -lcurand
// Run:     ./a.out -n 100000000
// Libs:    -lcurand
//
// The host calls the library, and the device makes the numbers. With --host the host makes them:
// the generator is then created by curandCreateGeneratorHost and writes into the host's memory.
// Pseudo-random numbers look independent of each other. Mean, variance, skewness and kurtosis must
// lie within five standard errors of those of the distribution, and the chi-square test over 1000
// bins must not reject them at one in a million. Fewer than 10000 numbers are too few for that, so
// then only their range is checked. Quasi-random numbers are no independent numbers. They are
// spread more evenly: of each block of 2^k numbers, one must lie in each of 2^k equal parts.
// uniform.txt has the histogram of the book's 100000 numbers: middle, density, expected density.

#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/options.cuh"
#include "../common/versions_data.cuh"
#include "randomness.cuh"

const size_t BOOK_N = 100000;
const size_t BOOK_SEED = 1234;

double below(double x) { return x; }

// With u = x - 1/2 the mean of u^2 is 1/12, of u^4 1/80, of u^6 1/448 and of u^8 1/2304.
const Distribution UNIFORM = {
    0.5,
    sqrt(1.0 / 12.0),
    {0.0, 1.0, 0.0, 144.0 / 80.0},
    {1.0, 144.0 / 80.0 - 1.0, 1728.0 / 448.0, 20736.0 / 2304.0 - 1.8 * 1.8},
    0.0,
    1.0,
    below,
};

// ---- The book's example

void output_results(int N, const double *x, Output *histogram)
{
    check_pseudo("Listing 19.1", x, N, &UNIFORM);
    print_note("Listing 19.1: %.6f %.6f %.6f ... %.6f\n", x[0], x[1], x[2], x[N - 1]);
    write_histogram(histogram, x, N, 0.0, 1.0, &UNIFORM);
}

// Listing 19.1. The book forgets the last call, which destroys the generator.
void generate_book_numbers(Output *histogram)
{
    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, BOOK_SEED));
    const int N = BOOK_N;
    double *g_x;
    CHECK(cudaMalloc((void **)&g_x, sizeof(double) * N));
    CHECK(cudaMemset(g_x, POISON_BYTE, sizeof(double) * N));
    CHECK_CURAND(curandGenerateUniformDouble(generator, g_x, N));
    double *x = (double *)calloc(N, sizeof(double));
    CHECK(cudaMemcpy(x, g_x, sizeof(double) * N, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(g_x));
    output_results(N, x, histogram);
    free(x);
    CHECK_CURAND(curandDestroyGenerator(generator));
}

// ---- All generators

template <Generator I>
void generate(Data *data)
{
    Source *source = &data->sources[I];
#ifdef USE_DP
    CHECK_CURAND(curandGenerateUniformDouble(source->generator, data->x, data->N));
#else
    CHECK_CURAND(curandGenerateUniform(source->generator, data->x, data->N));
#endif
    source->made += data->N;
    g_last_source = source;
}

template <Generator I>
void check(Table<Data> *table, const Data *data)
{
    check_generator<I>(table, data, &UNIFORM, REAL_EPSILON);
}

// With --host PLACE is ON_HOST.
template <RunsOn PLACE>
const Version<Data> VERSIONS[] = {
    {"xorwow", "cuRAND's default: XORWOW", PLACE, generate<XORWOW>, check<XORWOW>},
    {"philox", "Philox: a number is a function of its position", PLACE, generate<PHILOX>,
     check<PHILOX>},
    {"mrg32k3a", "two recurrences of L'Ecuyer", PLACE, generate<MRG32K3A>, check<MRG32K3A>,
     has_slow<MRG32K3A>, "libcurand; on a CPU also -k mrg32k3a (takes seconds)"},
    {"mt19937", "the Mersenne Twister", PLACE, generate<MT19937>, check<MT19937>, has_slow<MT19937>,
     "libcurand; on a CPU also -k mt19937 (takes seconds)"},
    {"mtgp32", "a Mersenne Twister made for GPUs", PLACE, generate<MTGP32>, check<MTGP32>,
     has<MTGP32>, "libcurand"},
    {"sobol32", "quasi-random: the sequence of Sobol", PLACE, generate<SOBOL32>, check<SOBOL32>,
     has<SOBOL32>, "libcurand", true},
    {"scrambled-sobol32", "the same, with its digits scrambled", PLACE, generate<SCRAMBLED_SOBOL32>,
     check<SCRAMBLED_SOBOL32>, has<SCRAMBLED_SOBOL32>, "libcurand"},
    {"sobol64", "with 64 bits", PLACE, generate<SOBOL64>, check<SOBOL64>, has<SOBOL64>,
     "libcurand"},
    {"scrambled-sobol64", "with 64 bits, scrambled", PLACE, generate<SCRAMBLED_SOBOL64>,
     check<SCRAMBLED_SOBOL64>, has<SCRAMBLED_SOBOL64>, "libcurand"},
};

int main(int argc, char **argv)
{
    bool host = false;
    args.N = default_size(20000000, 200000);
    args.seed = BOOK_SEED;
    args.bytes_per_element = sizeof(real);
    args.columns = RANDOM_COLUMNS;
    add_versions(VERSIONS<ON_DEVICE>);
    add_flag("host", &host, "the host makes the numbers, not the device");
    parse_args(argc, argv, "-n N -r R -s S -k NAME -o PREFIX --csv --host",
               "curand-host1: uniform random numbers by the nine generators of cuRAND's host API, "
               "tested and timed");
    Output histogram = open_output("uniform.txt");

    check_tests();
    check_seeds(host, args.seed);
    generate_book_numbers(&histogram);

    const size_t N = args.N, bytes = N * sizeof(real);
    real *h_x = (real *)malloc(bytes);
    real *d_x;
    CHECK(cudaMalloc(&d_x, bytes));
    Data data = {N, is_slow_wanted(host), h_x, host ? h_x : d_x, {}};
    create_generators(data.sources, host, args.seed);

    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {h_x, d_x, bytes};
    table.bytes = bytes;
    table.each = sizeof(real);
    table.unit = "Gnumber/s";
    table.ceiling = copy_ceiling;
    table.what = sizeof(real) == 4 ? "uniform, float" : "uniform, double";
    print_note("result: chi-square of 1000 bins, at most %.1f; error: of the worst moment, in "
               "standard errors, at most %g\n",
               largest_chi_square(), MOST_ERRORS);
    if (host)
    {
        run_versions(&table, VERSIONS<ON_HOST>);
    }
    else
    {
        run_versions(&table, VERSIONS<ON_DEVICE>);
    }

    check_all_are_used(data.sources, host);
    destroy_generators(data.sources);
    CHECK(cudaFree(d_x));
    free(h_x);
    return verdict();
}
