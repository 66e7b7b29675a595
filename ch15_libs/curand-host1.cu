// curand-host1: uniform random numbers by the nine generators of cuRAND's host API, tested and
// timed
//
// From:    Listing 19.1, section 19.1, file curand-host1.cu
// Compile: nvcc -O3 curand-host1.cu -lcurand
// Run:     ./a.out -n 100000000
// Options: -n N -r R -s S -k NAME -o PREFIX --csv --host
// Versions:
//   xorwow             cuRAND's default: XORWOW
//   philox             Philox: a number is a function of its position
//   mrg32k3a           two recurrences of L'Ecuyer (needs libcurand)
//   mt19937            the Mersenne Twister (needs libcurand)
//   mtgp32             a Mersenne Twister made for GPUs (needs libcurand)
//   sobol32            quasi-random: the sequence of Sobol (needs libcurand)
//   scrambled-sobol32  the same, with its digits scrambled (needs libcurand)
//   sobol64            with 64 bits (needs libcurand)
//   scrambled-sobol64  with 64 bits, scrambled (needs libcurand)
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
#include "../common/versions_old.cuh"
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

int main(int argc, char **argv)
{
    Args args;
    bool host = false;
    real *h_x = NULL, *d_x = NULL, *x = NULL; // x: where the numbers go
    Source sources[NUM_GENERATORS];
    const auto has = [&](Generator i)
    {
        return [&sources, i]
        {
            return sources[i].generator != NULL;
        };
    };
    // The host needs seconds for the seeds of these two. It makes them only if -k names them.
    const auto has_slow = [&](Generator i)
    {
        return [&, i]
        {
            const bool is_fast = ON_GPU && !host, is_asked_for = strcmp(args.version, "all") != 0;
            return sources[i].generator != NULL && (is_fast || is_asked_for);
        };
    };
    Ladder ladder;
    const auto pseudo = [&](Generator i)
    {
        check_source(ladder.checking, &sources[i]);
        check_pseudo(ladder.checking, h_x, args.N, &UNIFORM, &ladder.result, &ladder.error);
    };
    const auto quasi = [&](Generator i)
    {
        check_source(ladder.checking, &sources[i]);
        check_quasi(ladder.checking, h_x, args.N, sources[i].made - args.N, &UNIFORM, REAL_EPSILON);
    };
    Version versions[] = {
        on_device(
            "xorwow", [&] { generate(&sources[XORWOW], x, args.N); }, [&] { pseudo(XORWOW); }),
        on_device(
            "philox", [&] { generate(&sources[PHILOX], x, args.N); }, [&] { pseudo(PHILOX); }),
        on_device(
            "mrg32k3a", [&] { generate(&sources[MRG32K3A], x, args.N); }, [&] { pseudo(MRG32K3A); })
            .only_if(has_slow(MRG32K3A), "libcurand; on a CPU also -k mrg32k3a (takes seconds)"),
        on_device(
            "mt19937", [&] { generate(&sources[MT19937], x, args.N); }, [&] { pseudo(MT19937); })
            .only_if(has_slow(MT19937), "libcurand; on a CPU also -k mt19937 (takes seconds)"),
        on_device(
            "mtgp32", [&] { generate(&sources[MTGP32], x, args.N); }, [&] { pseudo(MTGP32); })
            .only_if(has(MTGP32), "libcurand"),
        on_device(
            "sobol32", [&] { generate(&sources[SOBOL32], x, args.N); }, [&] { quasi(SOBOL32); })
            .only_if(has(SOBOL32), "libcurand")
            .first_of_group(),
        on_device(
            "scrambled-sobol32", [&] { generate(&sources[SCRAMBLED_SOBOL32], x, args.N); },
            [&] { quasi(SCRAMBLED_SOBOL32); })
            .only_if(has(SCRAMBLED_SOBOL32), "libcurand"),
        on_device(
            "sobol64", [&] { generate(&sources[SOBOL64], x, args.N); }, [&] { quasi(SOBOL64); })
            .only_if(has(SOBOL64), "libcurand"),
        on_device(
            "scrambled-sobol64", [&] { generate(&sources[SCRAMBLED_SOBOL64], x, args.N); },
            [&] { quasi(SCRAMBLED_SOBOL64); })
            .only_if(has(SCRAMBLED_SOBOL64), "libcurand"),
    };

    args.N = default_size(20000000, 200000);
    args.seed = BOOK_SEED;
    args.bytes_per_element = sizeof(real);
    args.versions = version_names(versions);
    add_flag(&args, "host", &host, "the host makes the numbers, not the device");
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME -o PREFIX --csv --host",
               "curand-host1: uniform random numbers by the nine generators of cuRAND's host API, "
               "tested and timed");
    Output histogram = open_output(&args, "uniform.txt");

    check_tests();
    check_seeds(host, args.seed);

    // ---- Listing 19.1 ----

    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, BOOK_SEED));
    double *g_x;
    CHECK(cudaMalloc(&g_x, BOOK_N * sizeof(double)));
    CHECK(cudaMemset(g_x, POISON_BYTE, BOOK_N * sizeof(double)));
    CHECK_CURAND(curandGenerateUniformDouble(generator, g_x, BOOK_N));

    double *book_x = (double *)malloc(BOOK_N * sizeof(double));
    CHECK(cudaMemcpy(book_x, g_x, BOOK_N * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(g_x));
    CHECK_CURAND(curandDestroyGenerator(generator)); // the book's listing forgets it

    check_pseudo("Listing 19.1", book_x, BOOK_N, &UNIFORM);
    print_note("Listing 19.1: %.6f %.6f %.6f ... %.6f\n", book_x[0], book_x[1], book_x[2],
               book_x[BOOK_N - 1]);
    write_histogram(&histogram, book_x, BOOK_N, 0.0, 1.0, &UNIFORM);
    free(book_x);

    // ---- All generators ----

    const size_t N = args.N, bytes = N * sizeof(real);
    h_x = (real *)malloc(bytes);
    CHECK(cudaMalloc(&d_x, bytes));
    x = host ? h_x : d_x;
    for (Version &version : versions)
    {
        version.is_on_host = host;
    }
    create_generators(sources, host, args.seed);

    ladder.outputs[0] = {h_x, d_x, bytes};
    ladder.bytes = bytes;
    ladder.each = sizeof(real);
    ladder.unit = "Gnumber/s";
    ladder.ceiling = COPY_CEILING;
    ladder.what = sizeof(real) == 4 ? "uniform, float" : "uniform, double";
    print_note("result: chi-square of 1000 bins, at most %.1f; error: of the worst moment, in "
               "standard errors, at most %g\n",
               largest_chi_square(), MOST_ERRORS);
    run_versions(&args, &ladder, versions);

    check_all_are_used(&args, sources, host);
    destroy_generators(sources);
    CHECK(cudaFree(d_x));
    free(h_x);
    return verdict();
}
