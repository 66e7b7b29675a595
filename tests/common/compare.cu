// compare: what is wrong, NaN or unchecked never passes

#include <stdint.h>
#include "../../common/compare.cuh"
#include "../../common/data.cuh"
#include "../../common/largest_error.cuh"
#include "../../common/sum.cuh"
#include "child.cuh"

// The exit status of a program that makes this one check.
template <typename Body>
static int status_of(Body body)
{
    return run_child(
               [&]
               {
                   g_checks_run = g_checks_failed = 0; // the parent's, until now
                   body();
                   return verdict();
               })
        .status;
}

int main(void)
{
    const size_t N = 1000;
    static float x[N], nan[N], poisoned[N], zeros[N];
    static double reference[N];
    fill_random(x, N, 1);
    fill_constant(nan, N, NAN);
    poison(poisoned, sizeof(poisoned));
    for (size_t n = 0; n < N; ++n)
    {
        reference[n] = x[n];
    }
    const auto elements = [&](const float *result, const float *right, size_t count, double tol)
    {
        return status_of([&] { check_elements("x", result, right, count, tol); });
    };

    check_true("equal elements pass", elements(x, x, N, 0.0) == 0);
    check_true("all NaN fails", elements(nan, x, N, 1e9) == 1);
    check_true("NaN against NaN fails", elements(nan, nan, N, 1e9) == 1);
    check_true("a NaN reference fails", elements(x, nan, N, 1e9) == 1);
    check_true("poison fails", elements(poisoned, x, N, 1e9) == 1);
    check_true("zeros fail", elements(zeros, x, N, 0.5) == 1);
    check_true("no elements fail", elements(x, x, 0, 0.0) == 1);
    check_true("a program that checks nothing fails", status_of([] {}) == 1);
    check_true("one failure among successes fails", status_of(
                                                        []
                                                        {
                                                            check_true("a", true);
                                                            check_true("b", false);
                                                            check_true("c", true);
                                                        }) == 1);

    const float infinite[] = {INFINITY}, one[] = {1.0f}, close[] = {1.001f};
    check_true("infinity is equal to itself", elements(infinite, infinite, 1, 0.0) == 0);
    check_true("nothing finite is close to infinity", elements(one, infinite, 1, 0.5) == 1);
    check_true("within the tolerance", elements(close, one, 1, 1e-2) == 0);
    check_true("beyond the tolerance", elements(close, one, 1, 1e-4) == 1);
    const int64_t big[] = {(1ll << 53) + 1}, neighbour[] = {1ll << 53};
    check_true("64-bit integers are compared to the last bit",
               status_of([&] { check_elements("big", big, neighbour, 1); }) == 1 &&
                   status_of([&] { check_elements("big", big, big, 1); }) == 0);
    check_true("the last element counts", status_of(
                                              [&]
                                              {
                                                  x[N - 1] += 1.0f;
                                                  check_elements("x", x, reference, N);
                                              }) == 1);

    check_true("largest error", largest_error(close, one, 1) == (double)1.001f - 1.0);
    const float mixed[] = {NAN, 1.0f}, ones[] = {1.0f, 1.0f};
    check_true("the largest error of a NaN is NaN", isnan(largest_error(mixed, ones, 2)));

    const double hard[] = {1.0, 1e100, 1.0, -1e100};
    check_true("compensated sum", sum_compensated(hard, 4) == 2.0);
    const auto sum = [](double is, double should, double sum_abs, double chain)
    {
        return status_of([&] { check_sum("sum", is, should, sum_abs, chain, 1e-7); });
    };
    check_true("a sum within its chain's bound", sum(1.0 + 9e-7, 1.0, 1.0, 10) == 0);
    check_true("a sum beyond it", sum(1.0 + 2e-6, 1.0, 1.0, 10) == 1);
    check_true("a NaN sum", sum(NAN, 1.0, 1.0, 10) == 1 && sum(NAN, NAN, 1.0, 10) == 1);
    check_true("a NaN or infinite bound",
               sum(1.0, 1.0, NAN, 10) == 1 && sum(1.0, 1.0, INFINITY, 10) == 1);
    return verdict();
}
