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
#include "../common/versions.cuh"
#include "randomness.cuh"

const size_t BOOK_N = 100000;
const size_t BOOK_SEED = 1234;

static size_t N;
static real *h_x, *d_x;
static real *x;   // where a generator puts its numbers: d_x, or h_x with --host
static bool host; // the host makes the numbers, not the device

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

void generate(Generator i)
{
    Source *source = &g_sources[i];
#ifdef USE_DP
    CHECK_CURAND(curandGenerateUniformDouble(source->generator, x, N));
#else
    CHECK_CURAND(curandGenerateUniform(source->generator, x, N));
#endif
    source->made += N;
    g_last_source = source;
}

void run_xorwow(void) { generate(XORWOW); }
void run_philox(void) { generate(PHILOX); }
void run_mrg32k3a(void) { generate(MRG32K3A); }
void run_mt19937(void) { generate(MT19937); }
void run_mtgp32(void) { generate(MTGP32); }
void run_sobol32(void) { generate(SOBOL32); }
void run_scrambled_sobol32(void) { generate(SCRAMBLED_SOBOL32); }
void run_sobol64(void) { generate(SOBOL64); }
void run_scrambled_sobol64(void) { generate(SCRAMBLED_SOBOL64); }

void check(Generator i) { check_generator(i, h_x, N, &UNIFORM, REAL_EPSILON); }
void check_xorwow(void) { check(XORWOW); }
void check_philox(void) { check(PHILOX); }
void check_mrg32k3a(void) { check(MRG32K3A); }
void check_mt19937(void) { check(MT19937); }
void check_mtgp32(void) { check(MTGP32); }
void check_sobol32(void) { check(SOBOL32); }
void check_scrambled_sobol32(void) { check(SCRAMBLED_SOBOL32); }
void check_sobol64(void) { check(SOBOL64); }
void check_scrambled_sobol64(void) { check(SCRAMBLED_SOBOL64); }

const Version VERSIONS[] = {
    {"xorwow", "cuRAND's default: XORWOW", run_xorwow, check_xorwow, BY_LIBRARY},
    {"philox", "Philox: a number is a function of its position", run_philox, check_philox,
     BY_LIBRARY},
    {"mrg32k3a", "two recurrences of L'Ecuyer", run_mrg32k3a, check_mrg32k3a, BY_LIBRARY,
     has_mrg32k3a, "libcurand; on a CPU also -k mrg32k3a (takes seconds)"},
    {"mt19937", "the Mersenne Twister", run_mt19937, check_mt19937, BY_LIBRARY, has_mt19937,
     "libcurand; on a CPU also -k mt19937 (takes seconds)"},
    {"mtgp32", "a Mersenne Twister made for GPUs", run_mtgp32, check_mtgp32, BY_LIBRARY, has_mtgp32,
     "libcurand"},
    {"sobol32", "quasi-random: the sequence of Sobol", run_sobol32, check_sobol32, BY_LIBRARY,
     has_sobol32, "libcurand", true},
    {"scrambled-sobol32", "the same, with its digits scrambled", run_scrambled_sobol32,
     check_scrambled_sobol32, BY_LIBRARY, has_scrambled_sobol32, "libcurand"},
    {"sobol64", "with 64 bits", run_sobol64, check_sobol64, BY_LIBRARY, has_sobol64, "libcurand"},
    {"scrambled-sobol64", "with 64 bits, scrambled", run_scrambled_sobol64, check_scrambled_sobol64,
     BY_LIBRARY, has_scrambled_sobol64, "libcurand"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

// With --host the same rows are timed by the host's clock.
void run_on_host(const Table *table)
{
    Version versions[NUM_VERSIONS];
    for (int i = 0; i < NUM_VERSIONS; ++i)
    {
        versions[i] = VERSIONS[i];
        versions[i].place = ON_HOST;
    }
    run_versions(table, versions, NUM_VERSIONS);
}

int main(int argc, char **argv)
{
    args.N = default_size(20000000, 200000);
    args.seed = BOOK_SEED;
    args.bytes_per_element = sizeof(real);
    args.bytes_on_host = sizeof(real) + sizeof(double); // of the tests
    args.columns = RANDOM_COLUMNS;
    add_versions(VERSIONS, NUM_VERSIONS);
    add_flag("host", &host, "the host makes the numbers, not the device");
    parse_args(argc, argv, "-n N -r R -s S -k NAME -o PREFIX --csv --host",
               "curand-host1: uniform random numbers by the nine generators of cuRAND's host API, "
               "tested and timed");
    Output histogram = open_output("uniform.txt");

    check_tests();
    check_seeds(host, args.seed);
    generate_book_numbers(&histogram);

    N = args.N;
    const size_t bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    x = host ? h_x : d_x;
    create_generators(host, args.seed);

    Table table = {};
    table.outputs[0] = {h_x, d_x, bytes};
    table.bytes = bytes;
    table.each = sizeof(real);
    table.shows_result = true;
    table.unit = "Gnumber/s";
    table.ceiling = copy_ceiling(bytes);
    table.what = sizeof(real) == 4 ? "uniform, float" : "uniform, double";
    print_note("result: chi-square of 1000 bins, at most %.1f; error: of the worst moment, in "
               "standard errors, at most %g\n",
               largest_chi_square(), MOST_ERRORS);
    if (host)
    {
        run_on_host(&table);
    }
    else
    {
        run_versions(&table, VERSIONS, NUM_VERSIONS);
    }

    check_all_are_used();
    destroy_generators();
    CHECK(cudaFree(d_x));
    free(h_x);
    return verdict();
}
