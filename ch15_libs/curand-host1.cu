// curand-host1: uniform random numbers by the nine generators of cuRAND's host API, tested and
// timed
//
// From:    Listing 19.1, section 19.1, file curand-host1.cu
// Compile: nvcc -O3 curand-host1.cu -lcurand
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME -o PREFIX --csv --host
// Libs:    -lcurand
// Checks:  24 or 56 (24 or more on a GPU): 56 with libcurand
// Also:    --host -n 10007 -r 2
// Sizes:   10007 1 33 64 1000
// Chinese: 用 cuRAND 主机 API 的九种生成器产生均匀分布的随机数，检验其分布并测量速度
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
#include <algorithm>
#include "../common/versions.cuh"
#include "randomness.cuh"

const size_t BOOK_N = 100000;
const size_t BOOK_SEED = 1234;

double below(double x)
{
    return x;
}

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

void generate(Source *source, real *x, size_t N)
{
#ifdef USE_DP
    CHECK_CURAND(curandGenerateUniformDouble(source->generator, x, N));
#else
    CHECK_CURAND(curandGenerateUniform(source->generator, x, N));
#endif
    source->made += N;
    g_last_source = source;
}

// What the versions work on. With --host the library writes into h_x, otherwise into d_x.
struct Data
{
    size_t N;
    bool host, is_asked_for; // by -k
    real *h_x, *d_x;
    Source sources[NUM_GENERATORS];
};

template <Generator GENERATOR>
void generate_by(Data *data)
{
    generate(&data->sources[GENERATOR], data->host ? data->h_x : data->d_x, data->N);
}

template <Generator GENERATOR>
bool has(const Data *data)
{
    return data->sources[GENERATOR].generator != NULL;
}

// The host needs seconds for the seeds of two generators. It makes them only if -k names them.
template <Generator GENERATOR>
bool has_slow(const Data *data)
{
    return has<GENERATOR>(data) && ((ON_GPU && !data->host) || data->is_asked_for);
}

template <Generator GENERATOR>
void check_pseudo_of(Table<Data> *table, const Data *data)
{
    check_source(table->checking, &data->sources[GENERATOR]);
    check_pseudo(table->checking, data->h_x, data->N, &UNIFORM, &table->result, &table->error);
}

template <Generator GENERATOR>
void check_quasi_of(Table<Data> *table, const Data *data)
{
    const Source *source = &data->sources[GENERATOR];
    check_source(table->checking, source);
    check_quasi(table->checking, data->h_x, data->N, source->made - data->N, &UNIFORM,
                REAL_EPSILON);
}

const Version<Data> VERSIONS[] = {
    {"xorwow", "cuRAND's default: XORWOW", ON_DEVICE, generate_by<XORWOW>, check_pseudo_of<XORWOW>},
    {"philox", "Philox: a number is a function of its position", ON_DEVICE, generate_by<PHILOX>,
     check_pseudo_of<PHILOX>},
    {"mrg32k3a", "two recurrences of L'Ecuyer", ON_DEVICE, generate_by<MRG32K3A>,
     check_pseudo_of<MRG32K3A>, has_slow<MRG32K3A>,
     "libcurand; on a CPU also -k mrg32k3a (takes seconds)"},
    {"mt19937", "the Mersenne Twister", ON_DEVICE, generate_by<MT19937>, check_pseudo_of<MT19937>,
     has_slow<MT19937>, "libcurand; on a CPU also -k mt19937 (takes seconds)"},
    {"mtgp32", "a Mersenne Twister made for GPUs", ON_DEVICE, generate_by<MTGP32>,
     check_pseudo_of<MTGP32>, has<MTGP32>, "libcurand"},
    {"sobol32", "quasi-random: the sequence of Sobol", ON_DEVICE, generate_by<SOBOL32>,
     check_quasi_of<SOBOL32>, has<SOBOL32>, "libcurand", true},
    {"scrambled-sobol32", "the same, with its digits scrambled", ON_DEVICE,
     generate_by<SCRAMBLED_SOBOL32>, check_quasi_of<SCRAMBLED_SOBOL32>, has<SCRAMBLED_SOBOL32>,
     "libcurand"},
    {"sobol64", "with 64 bits", ON_DEVICE, generate_by<SOBOL64>, check_quasi_of<SOBOL64>,
     has<SOBOL64>, "libcurand"},
    {"scrambled-sobol64", "with 64 bits, scrambled", ON_DEVICE, generate_by<SCRAMBLED_SOBOL64>,
     check_quasi_of<SCRAMBLED_SOBOL64>, has<SCRAMBLED_SOBOL64>, "libcurand"},
};

// Listing 19.1.
void show_book(Output *histogram)
{
    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, BOOK_SEED));
    double *g_x;
    CHECK(cudaMalloc(&g_x, BOOK_N * sizeof(double)));
    CHECK(cudaMemset(g_x, POISON_BYTE, BOOK_N * sizeof(double)));
    CHECK_CURAND(curandGenerateUniformDouble(generator, g_x, BOOK_N));

    double *x = (double *)malloc(BOOK_N * sizeof(double));
    CHECK(cudaMemcpy(x, g_x, BOOK_N * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(g_x));
    CHECK_CURAND(curandDestroyGenerator(generator)); // the book's listing forgets it

    check_pseudo("Listing 19.1", x, BOOK_N, &UNIFORM);
    print_note("Listing 19.1: %.6f %.6f %.6f ... %.6f\n", x[0], x[1], x[2], x[BOOK_N - 1]);
    write_histogram(histogram, x, BOOK_N, 0.0, 1.0, &UNIFORM);
    free(x);
}

int main(int argc, char **argv)
{
    bool host = false;
    Args args;
    args.N = default_size(20000000, 200000);
    args.seed = BOOK_SEED;
    args.bytes_per_element = sizeof(real);
    add_versions(&args, VERSIONS);
    add_flag(&args, "host", &host, "the host makes the numbers, not the device");
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME -o PREFIX --csv --host",
               "curand-host1: uniform random numbers by the nine generators of cuRAND's host API, "
               "tested and timed");
    Output histogram = open_output(&args, "uniform.txt");
    check_tests();
    check_seeds(host, args.seed);
    show_book(&histogram);

    const size_t N = args.N;
    const size_t bytes = N * sizeof(real);
    Data data = {N, host, strcmp(args.version, "all") != 0};
    data.h_x = (real *)malloc(bytes);
    CHECK(cudaMalloc(&data.d_x, bytes));
    create_generators(data.sources, host, args.seed);

    Version<Data> versions[NUM_GENERATORS];
    std::copy_n(VERSIONS, (int)NUM_GENERATORS, versions);
    for (Version<Data> &version : versions)
    {
        version.place = host ? ON_HOST : ON_DEVICE;
    }
    Table<Data> table;
    table.data = &data;
    table.outputs[0] = {data.h_x, data.d_x, bytes};
    table.bytes = bytes;
    table.each = sizeof(real);
    table.unit = "Gnumber/s";
    table.ceiling = COPY_CEILING;
    table.what = sizeof(real) == 4 ? "uniform, float" : "uniform, double";
    print_note("result: chi-square of 1000 bins, at most %.1f; error: of the worst moment, in "
               "standard errors, at most %g\n",
               largest_chi_square(), MOST_ERRORS);
    run_versions(&args, &table, versions);

    check_all_are_used(&args, data.sources, host);
    destroy_generators(data.sources);
    CHECK(cudaFree(data.d_x));
    free(data.h_x);
    return verdict();
}
