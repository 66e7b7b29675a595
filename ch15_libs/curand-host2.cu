// curand-host2: normal random numbers by the nine generators of cuRAND's host API, tested and
// timed
//
// From:    section 19.1.2, file curand-host2.cu
// Compile: nvcc -O3 curand-host2.cu -lcurand
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
// Chinese: 用 cuRAND 主机 API 的九种生成器产生正态分布的随机数，检验其分布并测量速度
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
#include "../common/versions_old.cuh"
#include "randomness.cuh"

const size_t BOOK_N = 100000;
const size_t BOOK_SEED = 1234;

double below(double x)
{
    return 0.5 * erfc(-x * sqrt(0.5));
}

// The mean of x^2 is 1, of x^4 3, of x^6 15 and of x^8 105. The smallest uniform number of 53 bits
// is 2^-54, and the root of -2 ln 2^-54 is 8.65. The smallest of Sobol's 64 bits lies 8.3 below 0.
const Distribution NORMAL = {
    0.0, 1.0, {0.0, 1.0, 0.0, 3.0}, {1.0, 2.0, 15.0, 96.0}, -9.0, 9.0, below,
};

void generate(Source *source, real *x, size_t N)
{
#ifdef USE_DP
    CHECK_CURAND(curandGenerateNormalDouble(source->generator, x, N, 0.0, 1.0));
#else
    CHECK_CURAND(curandGenerateNormal(source->generator, x, N, 0.0, 1.0));
#endif
    source->made += N;
    g_last_source = source;
}

int main(int argc, char **argv)
{
    Args args;
    bool host = false;
    size_t N = 0;                             // args.N, or one more if that is odd
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
        check_pseudo(ladder.checking, h_x, N, &NORMAL, &ladder.result, &ladder.error);
    };
    const auto quasi = [&](Generator i)
    {
        check_source(ladder.checking, &sources[i]);
        check_quasi(ladder.checking, h_x, N, sources[i].made - N, &NORMAL, 8.0 * REAL_EPSILON);
    };
    Version versions[] = {
        on_device(
            "xorwow", [&] { generate(&sources[XORWOW], x, N); }, [&] { pseudo(XORWOW); }),
        on_device(
            "philox", [&] { generate(&sources[PHILOX], x, N); }, [&] { pseudo(PHILOX); }),
        on_device(
            "mrg32k3a", [&] { generate(&sources[MRG32K3A], x, N); }, [&] { pseudo(MRG32K3A); })
            .only_if(has_slow(MRG32K3A), "libcurand; on a CPU also -k mrg32k3a (takes seconds)"),
        on_device(
            "mt19937", [&] { generate(&sources[MT19937], x, N); }, [&] { pseudo(MT19937); })
            .only_if(has_slow(MT19937), "libcurand; on a CPU also -k mt19937 (takes seconds)"),
        on_device(
            "mtgp32", [&] { generate(&sources[MTGP32], x, N); }, [&] { pseudo(MTGP32); })
            .only_if(has(MTGP32), "libcurand"),
        on_device(
            "sobol32", [&] { generate(&sources[SOBOL32], x, N); }, [&] { quasi(SOBOL32); })
            .only_if(has(SOBOL32), "libcurand")
            .first_of_group(),
        on_device(
            "scrambled-sobol32", [&] { generate(&sources[SCRAMBLED_SOBOL32], x, N); },
            [&] { quasi(SCRAMBLED_SOBOL32); })
            .only_if(has(SCRAMBLED_SOBOL32), "libcurand"),
        on_device(
            "sobol64", [&] { generate(&sources[SOBOL64], x, N); }, [&] { quasi(SOBOL64); })
            .only_if(has(SOBOL64), "libcurand"),
        on_device(
            "scrambled-sobol64", [&] { generate(&sources[SCRAMBLED_SOBOL64], x, N); },
            [&] { quasi(SCRAMBLED_SOBOL64); })
            .only_if(has(SCRAMBLED_SOBOL64), "libcurand"),
    };

    args.N = default_size(10000000, 200000);
    args.seed = BOOK_SEED;
    args.bytes_per_element = sizeof(real);
    args.versions = version_names(versions);
    add_flag(&args, "host", &host, "the host makes the numbers, not the device");
    parse_args(&args, argc, argv, "-n N -r R -s S -k NAME -o PREFIX --csv --host",
               "curand-host2: normal random numbers by the nine generators of cuRAND's host API, "
               "tested and timed");
    Output histogram = open_output(&args, "normal.txt");

    check_tests();
    check_seeds(host, args.seed);

    // ---- Listing 19.1 with normal numbers ----

    curandGenerator_t generator;
    CHECK_CURAND(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CHECK_CURAND(curandSetPseudoRandomGeneratorSeed(generator, BOOK_SEED));
    double *g_x;
    CHECK(cudaMalloc(&g_x, BOOK_N * sizeof(double)));
    CHECK(cudaMemset(g_x, POISON_BYTE, BOOK_N * sizeof(double)));
    CHECK_CURAND(curandGenerateNormalDouble(generator, g_x, BOOK_N, 0.0, 1.0));

    double *book_x = (double *)malloc(BOOK_N * sizeof(double));
    CHECK(cudaMemcpy(book_x, g_x, BOOK_N * sizeof(double), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(g_x));
    CHECK_CURAND(curandDestroyGenerator(generator)); // the book's listing forgets it

    check_pseudo("section 19.1.2", book_x, BOOK_N, &NORMAL);
    print_note("section 19.1.2: %.6f %.6f %.6f ... %.6f\n", book_x[0], book_x[1], book_x[2],
               book_x[BOOK_N - 1]);
    write_histogram(&histogram, book_x, BOOK_N, -5.0, 5.0, &NORMAL);
    free(book_x);

    // ---- All generators ----

    N = args.N + args.N % 2;
    const size_t bytes = N * sizeof(real);
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
    ladder.what = sizeof(real) == 4 ? "normal, float" : "normal, double";
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
