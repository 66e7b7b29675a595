// Integration, scaling and sums on the host.
#pragma once
#include "simulation.cuh"
#include "threads_host.cuh"

void send(Simulation *)
{
}

void fetch(Simulation *)
{
}

// Equations 21.28 and 21.29 of the book are the first half, equation 21.31 is the second.
void integrate(Simulation *sim, Half half)
{
    const real time_step = sim->time_step;
    const real half_step_over_mass = time_step / 2 / sim->mass;
    real *const x[3] = {sim->x, sim->y, sim->z};
    real *const v[3] = {sim->vx, sim->vy, sim->vz};
    const real *const f[3] = {sim->fx, sim->fy, sim->fz};
    for_threads((int)sim->threads,
                [&](int t)
                {
                    const int first = part_of(sim->N, t, (int)sim->threads);
                    const int last = part_of(sim->N, t + 1, (int)sim->threads);
                    for (int d = 0; d < 3; ++d)
                    {
                        for (int n = first; n < last; ++n)
                        {
                            v[d][n] += half_step_over_mass * f[d][n];
                        }
                        for (int n = first; n < last && half == FIRST_HALF; ++n)
                        {
                            x[d][n] += time_step * v[d][n];
                        }
                    }
                });
}

// The sums are in double: the sum of many floats would lose digits.
static double sum_of(const real *x, int N)
{
    double sum = 0.0;
    for (int n = 0; n < N; ++n)
    {
        sum += x[n];
    }
    return sum;
}

static double sum_kinetic(const Simulation *sim)
{
    const real *vx = sim->vx, *vy = sim->vy, *vz = sim->vz;
    double v2 = 0.0;
    for (int n = 0; n < sim->N; ++n)
    {
        v2 += (double)vx[n] * vx[n] + (double)vy[n] * vy[n] + (double)vz[n] * vz[n];
    }
    return 0.5 * sim->mass * v2;
}

Energies measure(Simulation *sim)
{
    return {sum_kinetic(sim), sum_of(sim->pe, sim->N), sum_of(sim->virial, sim->N)};
}

// Equation 21.3 of the book.
void scale_velocity(Simulation *sim)
{
    const double temperature = temperature_of(sum_kinetic(sim), sim->N);
    const real factor = (real)sqrt(sim->temperature / temperature);
    for (real *v : {sim->vx, sim->vy, sim->vz})
    {
        for (int n = 0; n < sim->N; ++n)
        {
            v[n] *= factor;
        }
    }
}
