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

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <atomic>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>
#include "../common/options.cuh"
#include "dft.cuh"

// Powers of 2, 3, 5, 7; primes; products; each with a neighbour that cuFFT treats in another way.
const int LENGTHS[] = {1,   2,   3,   4,   5,   6,   7,   8,   11,  13,  16,   17,  25,  27,
                       31,  32,  49,  64,  81,  97,  100, 121, 127, 128, 131,  169, 210, 243,
                       256, 257, 343, 360, 499, 512, 625, 720, 729, 997, 1000, 1009};
const int LONGEST = 1009;

const int BATCH = 2; // signals of one length
const size_t ALL_BYTES = BATCH * LONGEST * sizeof(Complex);

// Does work(0), work(1), ... below `count`: each core of the host takes the next that is left.
// Where there is no room for the stack of another thread, fewer share the work.
template <typename Work>
void share_out(size_t count, Work work)
{
    std::atomic<size_t> next(0);
    const auto take = [&]
    {
        for (size_t i = next++; i < count; i = next++)
        {
            work(i);
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t)
    {
        try
        {
            threads.emplace_back(take);
        }
        catch (const std::system_error &)
        {
            break;
        }
    }
    take();
    for (std::thread &thread : threads)
    {
        thread.join();
    }
}

// All bins of the signals of each length. The sums take n^2 steps for a signal: with --every 700
// million steps in all.
typedef std::vector<std::vector<double2>> AllBins;

AllBins sum_all_bins(const std::vector<int> &lengths, uint64_t seed)
{
    AllBins all_bins(lengths.size());
    const auto compute_bins = [&](size_t l)
    {
        const int n = lengths[l];
        std::vector<Complex> signals(BATCH * n);
        fill_signal(&signals[0].x, 2 * BATCH * n, seed);
        const Roots roots(n);
        for (int i = 0; i < BATCH * n; ++i)
        {
            all_bins[l].push_back(direct_bin(&signals[i / n * n], 1, i % n, roots));
        }
    };
    share_out(lengths.size(), compute_bins);
    return all_bins;
}

// The plans. None is destroyed before the end, so kernels that another plan needs can stay loaded.
struct Plans
{
    std::vector<cufftHandle> made;
    double ms = 0.0;
};

cufftHandle make_plan(Plans *plans, int n, cufftType type)
{
    cufftHandle plan;
    const double start = host_clock();
    CHECK_CUFFT(cufftPlan1d(&plan, n, type, BATCH));
    plans->ms += host_clock() - start;
    plans->made.push_back(plan);
    return plan;
}

// The signals of one length, and room for what comes out.
struct Signals
{
    int n;
    char what[32];                 // "n = 97"
    const std::vector<double2> *X; // their bins
    std::vector<Complex> x;        // the signals
    std::vector<real> reals;       // their real parts
    std::vector<Complex> result;
    std::vector<real> real_result;
    Complex *d_x, *d_X;
};

void take_length(Signals *s, int n, const std::vector<double2> *X, uint64_t seed)
{
    s->n = n;
    s->X = X;
    snprintf(s->what, sizeof(s->what), "n = %d", n);
    fill_signal(&s->x[0].x, 2 * BATCH * n, seed);
    for (int i = 0; i < BATCH * n; ++i)
    {
        s->reals[i] = s->x[i].x;
    }
}

void poison_results(Signals *s, Complex *d_result)
{
    CHECK(cudaMemset(d_result, POISON_BYTE, ALL_BYTES));
    poison(s->result.data(), ALL_BYTES);
    poison(s->real_result.data(), ALL_BYTES / 2);
}

// Complex numbers. The inverse transform without the division is the forward transform at -k.
double error_of_complex(Signals *s, cufftHandle plan, int direction)
{
    const int n = s->n;
    const size_t bytes = BATCH * n * sizeof(Complex);
    CHECK(cudaMemcpy(s->d_x, s->x.data(), bytes, cudaMemcpyHostToDevice));
    poison_results(s, s->d_X);
    CHECK_CUFFT(execute(plan, s->d_x, s->d_X, direction));
    CHECK(cudaMemcpy(s->result.data(), s->d_X, bytes, cudaMemcpyDeviceToHost));
    Error error;
    for (int i = 0; i < BATCH * n; ++i)
    {
        const int k = i % n;
        const int opposite = i - k + (n - k) % n;
        error.add(as_double(s->result[i]), (*s->X)[direction == CUFFT_FORWARD ? i : opposite]);
    }
    return check_error(s->what, direction == CUFFT_FORWARD ? "forward" : "inverse", error);
}

// Real numbers: the transform of the real parts is (X[k] + conjugate of X[N - k]) / 2.
double error_of_reals(Signals *s, cufftHandle plan)
{
    const int n = s->n, width = n / 2 + 1;
    CHECK(cudaMemcpy(s->d_x, s->reals.data(), BATCH * n * sizeof(real), cudaMemcpyHostToDevice));
    poison_results(s, s->d_X);
    CHECK_CUFFT(execute(plan, (real *)s->d_x, s->d_X));
    CHECK(cudaMemcpy(s->result.data(), s->d_X, BATCH * width * sizeof(Complex),
                     cudaMemcpyDeviceToHost));
    Error error;
    for (int i = 0; i < BATCH * width; ++i)
    {
        const double2 *signal = s->X->data() + i / width * n;
        const double2 a = signal[i % width], b = signal[(n - i % width) % n];
        error.add(as_double(s->result[i]), {(a.x + b.x) / 2, (a.y - b.y) / 2});
    }
    return check_error(s->what, "R2C", error);
}

// The bins of error_of_reals, transformed back.
double error_of_reals_back(Signals *s, cufftHandle plan)
{
    const int n = s->n;
    poison_results(s, s->d_x);
    CHECK_CUFFT(execute(plan, s->d_X, (real *)s->d_x));
    CHECK(cudaMemcpy(s->real_result.data(), s->d_x, BATCH * n * sizeof(real),
                     cudaMemcpyDeviceToHost));
    return compare_back(s->what, "R2C and C2R", s->real_result.data(), s->reals.data(), BATCH * n,
                        n);
}

int main(int argc, char **argv)
{
    bool every = false;
    add_flag("every", &every, "every length up to 1009 instead of some");
    parse_args(argc, argv, "-s S",
               "cufft-lengths: the discrete Fourier transform of any length, compared with the sum "
               "on the host");
    print_library();

    std::vector<int> lengths(std::begin(LENGTHS), std::end(LENGTHS));
    if (every)
    {
        lengths.resize(LONGEST);
        std::iota(lengths.begin(), lengths.end(), 1); // 1, 2, 3, ...
    }
    const AllBins all_bins = sum_all_bins(lengths, args.seed);

    Signals signals;
    signals.x.resize(BATCH * LONGEST);
    signals.result.resize(BATCH * LONGEST);
    signals.reals.resize(BATCH * LONGEST);
    signals.real_result.resize(BATCH * LONGEST);
    CHECK(cudaMalloc(&signals.d_x, ALL_BYTES));
    CHECK(cudaMalloc(&signals.d_X, ALL_BYTES));

    Plans plans;
    double forward = 0.0, inverse = 0.0, of_reals = 0.0, back = 0.0; // the largest errors
    for (size_t l = 0; l < lengths.size(); ++l)
    {
        const int n = lengths[l];
        take_length(&signals, n, &all_bins[l], args.seed);
        const cufftHandle plan = make_plan(&plans, n, C2C);
        forward = std::max(forward, error_of_complex(&signals, plan, CUFFT_FORWARD));
        inverse = std::max(inverse, error_of_complex(&signals, plan, CUFFT_INVERSE));
        of_reals = std::max(of_reals, error_of_reals(&signals, make_plan(&plans, n, R2C)));
        back = std::max(back, error_of_reals_back(&signals, make_plan(&plans, n, C2R)));
    }
    print_note("%zu lengths from 1 to %d against the sum on the host, relative errors at most:\n",
               lengths.size(), LONGEST);
    print_note("forward %.2g, inverse %.2g, R2C %.2g, R2C and C2R %.2g\n", forward, inverse,
               of_reals, back);
    print_note("%zu plans were made, in %.3g ms each\n", plans.made.size(),
               plans.ms / plans.made.size());

    for (const cufftHandle plan : plans.made)
    {
        CHECK_CUFFT(cufftDestroy(plan));
    }
    CHECK(cudaFree(signals.d_x));
    CHECK(cudaFree(signals.d_X));
    return verdict();
}
