// cufft-lengths: the discrete Fourier transform of any length, compared with the sum on the host
//
// From:    section 20.2, where the book is empty
// Compile: nvcc -O3 cufft-lengths.cu -lcufft
// Run:     ./a.out
// Libs:    -lcufft
//
// The host computes the sum of each bin, term by term. For lengths up to 1009 all bins are compared
// with it: for 40 lengths, and for every length with --every. The program also measures how long
// cuFFT takes to make a plan. cuFFT chooses kernels and loads them, which takes much longer than a
// short transform. With -DUSE_DP the numbers are doubles.

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../common/options.cuh"
#include "dft.cuh"

// Powers of 2, 3, 5, 7; primes; products; each with a neighbour that cuFFT treats in another way.
const int LENGTHS[] = {1,   2,   3,   4,   5,   6,   7,   8,   11,  13,  16,   17,  25,  27,
                       31,  32,  49,  64,  81,  97,  100, 121, 127, 128, 131,  169, 210, 243,
                       256, 257, 343, 360, 499, 512, 625, 720, 729, 997, 1000, 1009};
const int NUM_SOME = sizeof(LENGTHS) / sizeof(LENGTHS[0]);
const int LONGEST = 1009;

const int BATCH = 2; // signals of one length
const size_t ALL_BYTES = BATCH * LONGEST * sizeof(Complex);

const int MOST_THREADS = 256; // of the host

static int lengths[LONGEST], num_lengths;
static double2 *all_bins[LONGEST]; // of the signals of each length, summed by the host
static int next_length;            // that a thread takes
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // one thread at a time takes one

static cufftHandle plans[3 * LONGEST];
static int num_plans;
static double plans_ms; // the time to make them all

// The signals of one length, and room for what comes out.
static int n;
static char what[32];             // "n = 97"
static double2 *X;                // their bins
static Complex *x, *result;       // the signals
static real *reals, *real_result; // their real parts
static Complex *d_x, *d_X;

// ---- The bins of all lengths, on the host

// All bins of the signals of one length.
double2 *sum_all_bins(int n, uint64_t seed)
{
    Complex *signals = (Complex *)malloc(BATCH * n * sizeof(Complex));
    double2 *bins = (double2 *)malloc(BATCH * n * sizeof(double2));
    fill_signal(&signals[0].x, 2 * BATCH * n, seed);
    RootTables roots = make_root_tables(n);
    for (int i = 0; i < BATCH * n; ++i)
    {
        bins[i] = direct_bin(&signals[i / n * n], 1, i % n, &roots);
    }
    free_root_tables(&roots);
    free(signals);
    return bins;
}

// The work of a thread: it takes the next length until none is left.
void *take_lengths(void *)
{
    while (true)
    {
        pthread_mutex_lock(&mutex);
        const int l = next_length++;
        pthread_mutex_unlock(&mutex);
        if (l >= num_lengths)
        {
            return NULL;
        }
        all_bins[l] = sum_all_bins(lengths[l], args.seed);
    }
}

// The sums take n^2 steps for a signal: with --every 700 million steps in all. So all cores of the
// host share the work. Where there is no room for the stack of another thread, there are fewer.
void compute_all_bins(void)
{
    pthread_t threads[MOST_THREADS];
    const int most = (int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
    int num_threads = 0; // besides this one
    while (num_threads < most && num_threads < MOST_THREADS &&
           pthread_create(&threads[num_threads], NULL, take_lengths, NULL) == 0)
    {
        ++num_threads;
    }
    take_lengths(NULL);
    for (int t = 0; t < num_threads; ++t)
    {
        pthread_join(threads[t], NULL);
    }
}

// ---- The transforms

// No plan is destroyed before the end, so kernels that another plan needs can stay loaded.
cufftHandle make_plan(cufftType type)
{
    cufftHandle plan;
    const double start = host_clock();
    CHECK_CUFFT(cufftPlan1d(&plan, n, type, BATCH));
    plans_ms += host_clock() - start;
    plans[num_plans++] = plan;
    return plan;
}

void take_length(int l)
{
    n = lengths[l];
    X = all_bins[l];
    snprintf(what, sizeof(what), "n = %d", n);
    fill_signal(&x[0].x, 2 * BATCH * n, args.seed);
    for (int i = 0; i < BATCH * n; ++i)
    {
        reals[i] = x[i].x;
    }
}

void poison_results(Complex *d_result)
{
    CHECK(cudaMemset(d_result, POISON_BYTE, ALL_BYTES));
    poison(result, ALL_BYTES);
    poison(real_result, ALL_BYTES / 2);
}

// Complex numbers. The inverse transform without the division is the forward transform at -k.
double error_of_complex(cufftHandle plan, int direction)
{
    const size_t bytes = BATCH * n * sizeof(Complex);
    CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
    poison_results(d_X);
    CHECK_CUFFT(execute(plan, d_x, d_X, direction));
    CHECK(cudaMemcpy(result, d_X, bytes, cudaMemcpyDeviceToHost));
    Error error = {};
    for (int i = 0; i < BATCH * n; ++i)
    {
        const int k = i % n;
        const int opposite = i - k + (n - k) % n;
        add_complex_error(&error, as_double(result[i]),
                          X[direction == CUFFT_FORWARD ? i : opposite]);
    }
    return check_error(what, direction == CUFFT_FORWARD ? "forward" : "inverse", &error);
}

// Real numbers: the transform of the real parts is (X[k] + conjugate of X[N - k]) / 2.
double error_of_reals(cufftHandle plan)
{
    const int width = n / 2 + 1;
    CHECK(cudaMemcpy(d_x, reals, BATCH * n * sizeof(real), cudaMemcpyHostToDevice));
    poison_results(d_X);
    CHECK_CUFFT(execute(plan, (real *)d_x, d_X));
    CHECK(cudaMemcpy(result, d_X, BATCH * width * sizeof(Complex), cudaMemcpyDeviceToHost));
    Error error = {};
    for (int i = 0; i < BATCH * width; ++i)
    {
        const double2 *signal = X + i / width * n;
        const double2 a = signal[i % width], b = signal[(n - i % width) % n];
        add_complex_error(&error, as_double(result[i]), {(a.x + b.x) / 2, (a.y - b.y) / 2});
    }
    return check_error(what, "R2C", &error);
}

// The bins of error_of_reals, transformed back.
double error_of_reals_back(cufftHandle plan)
{
    poison_results(d_x);
    CHECK_CUFFT(execute(plan, d_X, (real *)d_x));
    CHECK(cudaMemcpy(real_result, d_x, BATCH * n * sizeof(real), cudaMemcpyDeviceToHost));
    return compare_back(what, "R2C and C2R", real_result, reals, BATCH * n, n);
}

int main(int argc, char **argv)
{
    bool every = false;
    add_flag("every", &every, "every length up to 1009 instead of some");
    parse_args(argc, argv, "-s S",
               "cufft-lengths: the discrete Fourier transform of any length, compared with the sum "
               "on the host");
    print_library();

    num_lengths = every ? LONGEST : NUM_SOME;
    for (int l = 0; l < num_lengths; ++l)
    {
        lengths[l] = every ? l + 1 : LENGTHS[l];
    }
    compute_all_bins();

    x = (Complex *)malloc(ALL_BYTES);
    result = (Complex *)malloc(ALL_BYTES);
    reals = (real *)malloc(ALL_BYTES / 2);
    real_result = (real *)malloc(ALL_BYTES / 2);
    CHECK(cudaMalloc(&d_x, ALL_BYTES));
    CHECK(cudaMalloc(&d_X, ALL_BYTES));

    double forward = 0.0, inverse = 0.0, of_reals = 0.0, back = 0.0; // the largest errors
    for (int l = 0; l < num_lengths; ++l)
    {
        take_length(l);
        const cufftHandle plan = make_plan(C2C);
        forward = fmax(forward, error_of_complex(plan, CUFFT_FORWARD));
        inverse = fmax(inverse, error_of_complex(plan, CUFFT_INVERSE));
        of_reals = fmax(of_reals, error_of_reals(make_plan(R2C)));
        back = fmax(back, error_of_reals_back(make_plan(C2R)));
    }
    print_note("%d lengths from 1 to %d against the sum on the host, relative errors at most:\n",
               num_lengths, LONGEST);
    print_note("forward %.2g, inverse %.2g, R2C %.2g, R2C and C2R %.2g\n", forward, inverse,
               of_reals, back);
    print_note("%d plans were made\n", num_plans);
    print_timed_note("in %.3g ms each\n", plans_ms / num_plans);

    for (int i = 0; i < num_plans; ++i)
    {
        CHECK_CUFFT(cufftDestroy(plans[i]));
    }
    for (int l = 0; l < num_lengths; ++l)
    {
        free(all_bins[l]);
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_X));
    free(x);
    free(result);
    free(reals);
    free(real_result);
    return verdict();
}
