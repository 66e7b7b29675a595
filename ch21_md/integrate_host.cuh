// Integration, scaling and sums on the host.
#pragma once
#include "simulation.cuh"

void send(Simulation *)
{
}

void fetch(Simulation *)
{
}

// Equations 21.28 and 21.29 of the book are the first half, equation 21.31 is the second.
void integrate(Simulation *sim, Half half)
{
    const int N = sim->N;
    real *x = sim->x, *y = sim->y, *z = sim->z;
    real *vx = sim->vx, *vy = sim->vy, *vz = sim->vz;
    const real *fx = sim->fx, *fy = sim->fy, *fz = sim->fz;
    const real time_step = sim->time_step;
    const real half_step_over_mass = time_step / 2 / sim->mass;
    for (int n = 0; n < N; ++n)
    {
        vx[n] += half_step_over_mass * fx[n];
        vy[n] += half_step_over_mass * fy[n];
        vz[n] += half_step_over_mass * fz[n];
    }
    if (half == FIRST_HALF)
    {
        for (int n = 0; n < N; ++n)
        {
            x[n] += time_step * vx[n];
            y[n] += time_step * vy[n];
            z[n] += time_step * vz[n];
        }
    }
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
