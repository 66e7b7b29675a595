// curand-generators: the nine generators of cuRAND's host API, tested and timed, with uniform and
// with normal numbers
//
// From:    section 19.1.1
// Compile: nvcc -O3 curand-generators.cu -lcurand
// Run:     ./a.out -n 100000000
// Order:   after curand-host2
// Libs:    -lcurand
//
// The host calls the library, and the device makes the numbers. With --host the host makes them:
// the generator is then created by curandCreateGeneratorHost and writes into the host's memory.
// Pseudo-random numbers look independent of each other. Mean, variance, skewness and kurtosis must
// lie within five standard errors of those of the distribution, and the chi-square test over 1000
// bins must not reject them at one in a million. Fewer than 10000 numbers are too few for that, so
// then only their range is checked. Quasi-random numbers are no independent numbers. They are
// spread more evenly: of each block of 2^k numbers, one must lie in each of 2^k equal parts.
//
// For normal numbers the library makes two of two uniform ones, by the method of Box and Muller. So
// their count must be even for some generators: the program asks for one more if N is odd. A
// quasi-random generator inverts the distribution instead, one number for one. The bins of the
// chi-square test are equally probable, so of normal numbers the narrow ones lie around 0.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/check_curand.cuh"
#include "../common/options.cuh"
#include "../common/real.cuh"
#include "../common/versions.cuh"
#include "randomness.cuh"

enum Generator
{
    XORWOW,
    PHILOX,
    MRG32K3A,
    MT19937,
    MTGP32,
    NUM_PSEUDO,
    SOBOL32 = NUM_PSEUDO,
    SCRAMBLED_SOBOL32,
    SOBOL64,
    SCRAMBLED_SOBOL64,
    NUM_GENERATORS
};

const curandRngType_t GENERATOR_TYPES[NUM_GENERATORS] = {
    CURAND_RNG_PSEUDO_XORWOW,           CURAND_RNG_PSEUDO_PHILOX4_32_10,
    CURAND_RNG_PSEUDO_MRG32K3A,         CURAND_RNG_PSEUDO_MT19937,
    CURAND_RNG_PSEUDO_MTGP32,           CURAND_RNG_QUASI_SOBOL32,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL64,
};

// A generator, and how many numbers it has made.
struct Source
{
    curandGenerator_t generator;
    size_t made;
};

static size_t N; // of numbers
static real *h_x, *d_x;
static real *x;        // where a generator puts its numbers: d_x, or h_x with --host
static bool host;      // the host makes the numbers, not the device
static bool is_normal; // the numbers are normal, not uniform
static Source sources[NUM_GENERATORS]; // from create_generators to destroy_generators
static const Source *last_source;      // the one that made numbers last

double below_uniform(double x) { return x; }

// With u = x - 1/2 the mean of u^2 is 1/12, of u^4 1/80, of u^6 1/448 and of u^8 1/2304.
const Distribution UNIFORM = {
    0.5,
    sqrt(1.0 / 12.0),
    {0.0, 1.0, 0.0, 144.0 / 80.0},
    {1.0, 144.0 / 80.0 - 1.0, 1728.0 / 448.0, 20736.0 / 2304.0 - 1.8 * 1.8},
    0.0,
    1.0,
    below_uniform,
};

double below_normal(double x) { return 0.5 * erfc(-x * sqrt(0.5)); }

// The mean of x^2 is 1, of x^4 3, of x^6 15 and of x^8 105. The smallest uniform number of 53 bits
// is 2^-54, and the root of -2 ln 2^-54 is 8.65. The smallest of Sobol's 64 bits lies 8.3 below 0.
const Distribution NORMAL = {
    0.0, 1.0, {0.0, 1.0, 0.0, 3.0}, {1.0, 2.0, 15.0, 96.0}, -9.0, 9.0, below_normal,
};

// ---- The generators

// Creates all generators. One that is not here stays NULL: without NVIDIA's libcurand the CPU
// backend has XORWOW and Philox only. A quasi-random generator has no seed.
void create_generators(size_t seed)
{
    for (int i = 0; i < NUM_GENERATORS; ++i)
    {
        curandGenerator_t *generator = &sources[i].generator;
        const curandStatus_t status = host
                                          ? curandCreateGeneratorHost(generator, GENERATOR_TYPES[i])
                                          : curandCreateGenerator(generator, GENERATOR_TYPES[i]);
        if (!ON_GPU && status == CURAND_STATUS_ARCH_MISMATCH)
        {
            continue;
        }
        CHECK_CURAND(status);
        if (i < NUM_PSEUDO)
        {
            CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(*generator, seed));
        }
    }
}

bool has(Generator i) { return sources[i].generator != NULL; }

// The host needs seconds for the seeds of MRG32k3a and MT19937. It makes them only if -k names one.
bool has_slow(Generator i)
{
    return has(i) && ((ON_GPU && !host) || strcmp(args.version, "all") != 0);
}

// Of the rows of a table: whether the generator is here.
bool has_mrg32k3a(void) { return has_slow(MRG32K3A); }
bool has_mt19937(void) { return has_slow(MT19937); }
bool has_mtgp32(void) { return has(MTGP32); }
bool has_sobol32(void) { return has(SOBOL32); }
bool has_scrambled_sobol32(void) { return has(SCRAMBLED_SOBOL32); }
bool has_sobol64(void) { return has(SOBOL64); }
bool has_scrambled_sobol64(void) { return has(SCRAMBLED_SOBOL64); }

// Without -k every generator that is there has a row that uses it: the slow ones only on a GPU.
void check_all_are_used(void)
{
    bool used = true;
    for (int i = 0; i < NUM_GENERATORS; ++i)
    {
        const bool is_slow = (i == MRG32K3A || i == MT19937) && (host || !ON_GPU);
        used = used && (sources[i].generator == NULL || sources[i].made > 0 || is_slow);
    }
    check_true("all generators have made numbers", used || strcmp(args.version, "all") != 0);
}

void destroy_generators(void)
{
    for (int i = 0; i < NUM_GENERATORS; ++i)
    {
        if (sources[i].generator != NULL)
        {
            CHECK_CURAND(curandDestroyGenerator(sources[i].generator));
            sources[i] = {NULL, 0};
        }
    }
}

// With another seed a generator makes other numbers.
void check_seeds(size_t seed)
{
    const int N = 64;
    float numbers[2][N], *d_x;
    CHECK(cudaMalloc(&d_x, sizeof(numbers[0])));
    for (int i = 0; i < 2; ++i)
    {
        create_generators(seed + i);
        CHECK_CURAND(curandGenerateUniform(sources[XORWOW].generator, host ? numbers[i] : d_x, N));
        if (!host)
        {
            CHECK(cudaMemcpy(numbers[i], d_x, sizeof(numbers[i]), cudaMemcpyDeviceToHost));
        }
        destroy_generators();
    }
    CHECK(cudaFree(d_x));
    check_true("another seed gives other numbers",
               memcmp(numbers[0], numbers[1], sizeof(numbers[0])) != 0);
}

// ---- The rows

void draw_uniform(curandGenerator_t generator)
{
#ifdef USE_DP
    CHECK_CURAND(curandGenerateUniformDouble(generator, x, N));
#else
    CHECK_CURAND(curandGenerateUniform(generator, x, N));
#endif
}

void draw_normal(curandGenerator_t generator)
{
#ifdef USE_DP
    CHECK_CURAND(curandGenerateNormalDouble(generator, x, N, 0.0, 1.0));
#else
    CHECK_CURAND(curandGenerateNormal(generator, x, N, 0.0, 1.0));
#endif
}

void generate(Generator i)
{
    Source *source = &sources[i];
    if (is_normal)
    {
        draw_normal(source->generator);
    }
    else
    {
        draw_uniform(source->generator);
    }
    source->made += N;
    last_source = source;
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

// The check of a row. Its generator must have made the N numbers of h_x.
void check(Generator i)
{
    const Source *source = &sources[i];
    char what[128];
    snprintf(what, sizeof(what), "%s: its own generator has made the numbers", g_row);
    check_true(what, last_source == source);

    double *x = (double *)malloc(N * sizeof(double)); // the tests are for double
    for (size_t n = 0; n < N; ++n)
    {
        x[n] = h_x[n];
    }
    const Distribution *distribution = is_normal ? &NORMAL : &UNIFORM;
    if (i < NUM_PSEUDO)
    {
        check_pseudo(g_row, x, N, distribution);
    }
    else
    {
        const double rounding = is_normal ? 8.0 * REAL_EPSILON : REAL_EPSILON;
        check_quasi(g_row, x, N, source->made - N, distribution, rounding);
    }
    free(x);
}

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

// The table of the uniform numbers, or of the normal ones.
void show_table(bool normal)
{
    is_normal = normal;
    N = normal ? args.N + args.N % 2 : args.N;
    const size_t bytes = N * sizeof(real);
    Table table = {};
    table.outputs[0] = {h_x, d_x, bytes};
    table.bytes = bytes;
    table.each = sizeof(real);
    table.shows_result = true;
    table.unit = "Gnumber/s";
    table.ceiling = copy_ceiling(bytes);
    table.what = sizeof(real) == 4 ? "uniform, float" : "uniform, double";
    if (normal)
    {
        table.what = sizeof(real) == 4 ? "normal, float" : "normal, double";
    }
    if (host)
    {
        run_on_host(&table);
    }
    else
    {
        run_versions(&table, VERSIONS, NUM_VERSIONS);
    }
}

// The columns of the table that mean something of their own.
const char *const RANDOM_COLUMNS =
    "  result     chi-square of 1000 bins that are equally probable (pseudo-random rows)\n"
    "  error      how far the worst moment is off, in standard errors\n"
    "  Gnumber/s  10^9 numbers in a second; the ceiling is a copy's rate\n";

int main(int argc, char **argv)
{
    args.N = default_size(20000000, 200000);
    args.seed = 1234;
    args.bytes_per_element = sizeof(real);
    args.bytes_on_host = sizeof(real) + sizeof(double); // of the tests
    args.columns = RANDOM_COLUMNS;
    add_versions(VERSIONS, NUM_VERSIONS);
    add_flag("host", &host, "the host makes the numbers, not the device");
    parse_args(
        argc, argv, "-n N -r R -s S -k NAME --csv --host",
        "curand-generators: the nine generators of cuRAND's host API, tested and timed, with "
        "uniform and with normal numbers");
    check_tests();
    check_seeds(args.seed);

    h_x = (real *)malloc((args.N + 1) * sizeof(real)); // 1 more: normal numbers come in pairs
    CHECK(cudaMalloc(&d_x, (args.N + 1) * sizeof(real)));
    x = host ? h_x : d_x;
    create_generators(args.seed);
    print_note("result: chi-square of 1000 bins, at most %.1f; error: of the worst moment, in "
               "standard errors, at most %g\n",
               largest_chi_square(), MOST_ERRORS);
    show_table(false);
    show_table(true);
    check_all_are_used();
    destroy_generators();
    CHECK(cudaFree(d_x));
    free(h_x);
    return verdict();
}
