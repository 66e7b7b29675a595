// The integration on the host.
#pragma once
#include "sums_host.cuh"

// Equations 21.28 and 21.29 of the book are the first half, equation 21.31 is the second.
void integrate(System *sys, Half half)
{
    const real time_step = sys->time_step;
    const real half_step_over_mass = time_step / 2 / sys->mass;
    real *x = sys->x, *y = sys->y, *z = sys->z;
    real *vx = sys->vx, *vy = sys->vy, *vz = sys->vz;
    const real *fx = sys->fx, *fy = sys->fy, *fz = sys->fz;
    for (int n = 0; n < sys->N; ++n)
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
