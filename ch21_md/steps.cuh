// What stands around a step in main's loops, and the same loops for the checks before the first
// step. A step is velocity Verlet: equations 21.28 to 21.31 of the book.
#pragma once
#include "run.cuh"

// The first step of the equilibration of a new crystal.
inline bool is_compared(const Run *run)
{
    return run->restart == NULL && !run->writes_output && run->done + run->steps_since_look == 0;
}

// Begins a step. Returns false if none is left of the equilibration or of the production.
inline bool begin_step(Run *run)
{
    run->statistics->is_last_step = run->steps_since_look + 1 == run->steps_until_look;
    if (run->steps_until_look > 0 && is_compared(run))
    {
        fetch(run->sys);
        run->before = copy_state(run->sys);
    }
    return run->steps_until_look > 0;
}

// Ends a step. After run->steps_until_look steps the host looks at the energies and at the
// neighbour list, and in the production it writes the energies.
inline void end_step(Run *run)
{
    begin_phase(run->statistics, OTHER);
    if (is_compared(run))
    {
        fetch(run->sys);
        run->is_right_step =
            find_step_error(run->sys, &run->before, run->options->temperature).is_small;
        free_state(&run->before);
    }
    ++run->steps_since_look;
    if (run->steps_since_look == run->steps_until_look || g_interrupted)
    {
        end_phases(run->statistics, run->steps_until_look);
        look(run);
    }
}

// For the checks before the first step.
void equilibration(System *sys, Statistics *, double T_0, size_t steps)
{
    for (size_t step = 0; step < steps; ++step)
    {
        integrate(sys, FIRST_HALF);
        find_force(sys);
        integrate(sys, SECOND_HALF);
        scale_velocity(sys, T_0);
    }
}

void production(System *sys, Statistics *, size_t steps)
{
    for (size_t step = 0; step < steps; ++step)
    {
        integrate(sys, FIRST_HALF);
        find_force(sys);
        integrate(sys, SECOND_HALF);
    }
}
