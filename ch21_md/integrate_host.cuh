// The integration on the host.
#pragma once
#include "sums_host.cuh"

// Equations 21.28 and 21.29 of the book are the first half, equation 21.31 is the second.
void integrate(Simulation *sim, Half half)
{
    const real time_step = sim->time_step;
    const real half_step_over_mass = time_step / 2 / sim->mass;
    real *x = sim->x, *y = sim->y, *z = sim->z;
    real *vx = sim->vx, *vy = sim->vy, *vz = sim->vz;
    const real *fx = sim->fx, *fy = sim->fy, *fz = sim->fz;
    for (int n = 0; n < sim->N; ++n)
    {
        vx[n] += half_step_over_mass * fx[n];
        vy[n] += half_step_over_mass * fy[n];
        vz[n] += half_step_over_mass * fz[n];
        if (half == FIRST_HALF)
        {
            x[n] += time_step * vx[n];
            y[n] += time_step * vy[n];
            z[n] += time_step * vz[n];
        }
    }
}
