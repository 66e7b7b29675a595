// Work that takes as long as wanted: steps x -> factor x + summand, one after the other.
//
//     value = steps_reference(x, num_steps, FACTOR, SUMMAND); // what a kernel should compute
//     num_steps = find_num_steps(3.0, launch);                // launch(num_steps) takes 3 ms
#pragma once
#include <math.h>
#include <stddef.h>
#include "../common/timing.cuh"

// x after so many steps. Two steps of x -> a x + c are one step of the same kind, with a^2 and
// (a + 1) c. So the loop needs one round for each binary digit of the number.
static inline unsigned steps_reference(unsigned x, size_t num_steps, unsigned factor,
                                       unsigned summand)
{
    unsigned a = factor, c = summand;
    for (; num_steps > 0; num_steps /= 2)
    {
        if (num_steps % 2 == 1)
        {
            x = a * x + c;
        }
        c *= a + 1;
        a *= a;
    }
    return x;
}

static inline double time_steps(unsigned num_steps, void (*launch)(unsigned num_steps))
{
    Timer timer = new_timer(3);
    while (next_run(&timer))
    {
        launch(num_steps);
    }
    return timer.min;
}

// With how many steps launch(num_steps) takes about so many milliseconds. Without a GPU there are
// no times, and it is few steps.
static inline unsigned find_num_steps(double ms, void (*launch)(unsigned num_steps))
{
    unsigned num_steps = 16;
    if (!ON_GPU)
    {
        return num_steps;
    }
    double launch_ms = time_steps(num_steps, launch);
    while (launch_ms < 0.5 * ms && num_steps < 1 << 26)
    {
        num_steps *= 4;
        launch_ms = time_steps(num_steps, launch);
    }
    return (unsigned)fmax(1.0, num_steps * ms / launch_ms);
}
