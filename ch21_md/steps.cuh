// The loops over time steps: velocity Verlet, equations 21.28 to 21.31 of the book.
#pragma once
#include "simulation.cuh"

void equilibration(Simulation *sim, size_t steps)
{
    for (size_t step = 1; step <= steps && !g_interrupted; ++step)
    {
        integrate(sim, FIRST_HALF);
        find_force(sim);
        integrate(sim, SECOND_HALF);
        scale_velocity(sim);
    }
}

// The same, and nothing is scaled. begin_phase() is for the table of times at the end.
void production(Simulation *sim, size_t steps)
{
    for (size_t step = 1; step <= steps && !g_interrupted; ++step)
    {
        const bool is_last = step == steps;
        begin_phase(sim, INTEGRATION, is_last);
        integrate(sim, FIRST_HALF);
        begin_phase(sim, FORCE, is_last);
        find_force(sim);
        begin_phase(sim, INTEGRATION, is_last);
        integrate(sim, SECOND_HALF);
        begin_phase(sim, OTHER, is_last);
    }
    end_phases(sim, steps);
}
