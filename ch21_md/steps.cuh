// The loop over time steps: velocity Verlet, equations 21.28 to 21.31 of the book.
#pragma once
#include "simulation.cuh"

void advance(Simulation *sim, size_t steps, bool scale_temperature)
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
        if (scale_temperature)
        {
            scale_velocity(sim);
        }
        begin_phase(sim, OTHER, is_last);
    }
    end_phases(sim, steps);
}
