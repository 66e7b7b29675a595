// curand-host2: normal random numbers by the nine generators of cuRAND's host API, tested and
// timed
//
// From:    section 19.1.2, file curand-host2.cu
// Compile: nvcc -O3 curand-host2.cu -lcurand
// Run:     ./a.out -n 100000000
// Libs:    -lcurand
//
// The book's second example: curandGenerateNormalDouble instead of curandGenerateUniformDouble. The
// library makes two normal numbers of two uniform ones, by the method of Box and Muller. So their
// count must be even for some generators: the program asks for one more if N is odd. A quasi-random
// generator inverts the distribution instead, one number for one. The tests are those of
// curand-host1, with other moments, and with bins that are equally probable: the narrow ones lie
// around 0. normal.txt has the histogram of the book's 100000 numbers from -5 to 5: middle,
// density, expected density. With --host the host makes the numbers.

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

double below(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

// The mean of x^2 is 1, of x^4 3, of x^6 15 and of x^8 105. The smallest uniform number of 53 bits
// is 2^-54, and the root of -2 ln 2^-54 is 8.65. The smallest of Sobol's 64 bits lies 8.3 below 0.
const Distribution NORMAL = {
    0.0, 1.0, {0.0, 1.0, 0.0, 3.0}, {1.0, 2.0, 15.0, 96.0}, -9.0, 9.0, below,
};

// ---- The book's example

void output_results(int N, const double *x, Output *histogram)
{
    check_pseudo("section 19.1.2", x, N, &NORMAL);
    print_note("section 19.1.2: %.6f %.6f %.6f ... %.6f\n", x[0], x[1], x[2], x[N - 1]);
    write_histogram(histogram, x, N, -5.0, 5.0, &NORMAL);
}

// Section 19.1.2: Listing 19.1 with normal numbers. The book forgets the last call, which destroys
// the generator.
void generate_book_numbers(Output *histogram)
{
    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, BOOK_SEED));
    const int N = BOOK_N;
    double *g_x;
    CHECK(cudaMalloc((void **)&g_x, sizeof(double) * N));
    CHECK(cudaMemset(g_x, POISON_BYTE, sizeof(double) * N));
    CHECK_CURAND(curandGenerateNormalDouble(generator, g_x, N, 0.0, 1.0));
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
    CHECK_CURAND(curandGenerateNormalDouble(source->generator, x, N, 0.0, 1.0));
#else
    CHECK_CURAND(curandGenerateNormal(source->generator, x, N, 0.0, 1.0));
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

void check(Generator i) { check_generator(i, h_x, N, &NORMAL, 8.0 * REAL_EPSILON); }
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
    args.N = default_size(10000000, 200000);
    args.seed = BOOK_SEED;
    args.bytes_per_element = sizeof(real);
    args.bytes_on_host = sizeof(real) + sizeof(double); // of the tests
    args.columns = RANDOM_COLUMNS;
    add_versions(VERSIONS, NUM_VERSIONS);
    add_flag("host", &host, "the host makes the numbers, not the device");
    parse_args(argc, argv, "-n N -r R -s S -k NAME -o PREFIX --csv --host",
               "curand-host2: normal random numbers by the nine generators of cuRAND's host API, "
               "tested and timed");
    Output histogram = open_output("normal.txt");

    check_tests();
    check_seeds(host, args.seed);
    generate_book_numbers(&histogram);

    N = args.N + args.N % 2;
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
    table.what = sizeof(real) == 4 ? "normal, float" : "normal, double";
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
