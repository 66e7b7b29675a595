// timing: right statistics of known samples, one warm-up, set-up outside the time

#include <string.h>
#include "../../common/compare.cuh"
#include "../../common/timing.cuh"
#include "child.cuh"

__global__ void idle() {}

static void wait(double ms)
{
    for (const double start = host_clock(); host_clock() - start < ms;)
    {
    }
}

int main(void)
{
    double odd[] = {9.0, 1.0, 5.0}, even[] = {4.0, 1.0, 3.0, 2.0}, single[] = {7.0};
    const Timing three = summarize(odd, 3), four = summarize(even, 4), one = summarize(single, 1);
    check_true("three", three.median == 5.0 && three.mean == 5.0 && three.min == 1.0 &&
                            three.deviation == 4.0 && three.repeats == 3);
    check_true("four", four.median == 2.5 && four.mean == 2.5 && four.min == 1.0 &&
                           fabs(four.deviation - sqrt(5.0 / 3.0)) < 1e-15);
    check_true("one", one.median == 7.0 && one.mean == 7.0 && one.deviation == 0.0);
    double far[1001]; // one pass would lose these deviations: their squares need 20 digits
    for (int i = 0; i < 1001; ++i)
    {
        far[i] = 1e9 + (i % 2) * 1e-3;
    }
    check_true("small deviation of large times",
               fabs(summarize(far, 1001).deviation / 5.002e-4 - 1.0) < 0.01);

    int works = 0, setups = 0;
    Timer host = new_host_timer(5);
    while (next_run(&host))
    {
        ++setups;
        wait(20.0);
        begin_timing(&host);
        ++works;
        wait(1.0);
    }
    check_true("five times and a warm-up", works == 6 && setups == 6 && host.repeats == 5);
    check_true("only what follows begin_timing is timed", host.min >= 1.0 && host.min < 20.0);

    Timer slow_first = new_host_timer(2);
    for (int run = 0; next_run(&slow_first); ++run)
    {
        wait(run == 0 ? 50.0 : 1.0);
    }
    check_true("the first run is not counted",
               slow_first.mean < 25.0 && slow_first.repeats == 2 && slow_first.min >= 1.0);

    Timer kernel = new_timer(7);
    int launches = 0;
    while (next_run(&kernel))
    {
        ++launches;
        idle<<<1, 1>>>();
    }
    const bool is_timed = launches == 8 && kernel.repeats == 7 && kernel.min >= 0.0 &&
                          kernel.min <= kernel.median && kernel.mean >= kernel.min;
    const bool is_run_once = launches == 1 && isnan(kernel.median); // and counted: without a GPU
    check_true("a kernel's times", ON_GPU ? is_timed : is_run_once);
    for (bool is_host : {false, true})
    {
        const Child none = run_child(
            [=]
            {
                Timer timer = is_host ? new_host_timer(0) : new_timer(0);
                return (int)next_run(&timer);
            });
        check_true("no timer without repeats",
                   none.status == 1 && strstr(none.output, "takes 1 repeat or more\n"));
    }
    check_true("a CPU's times say so",
               ON_GPU ? strcmp(TIME_UNIT, "ms") == 0 : strcmp(TIME_UNIT, "CPU ms") == 0);
    print_device();
    print_timing("idle", &kernel);
    return verdict();
}
