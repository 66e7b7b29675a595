// What is the same in all programs whose atoms stay on the host: sums, the scaling of velocities,
// and the times of the phases.
#pragma once
#include "simulation.cuh"

void send(Simulation *) {}

void fetch(Simulation *) {}

bool integrates_on_host(void) { return true; }

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
    for (int n = 0; n < sim->N; ++n)
    {
        sim->vx[n] *= factor;
        sim->vy[n] *= factor;
        sim->vz[n] *= factor;
    }
}

// ---- The phases: their work is over when a call returns, so the host's clock times each of them.

static Phase g_phase = OTHER;
static double g_phase_start = 0.0;

void begin_phase(Simulation *sim, Phase phase)
{
    const double now = host_clock();
    if (g_phase != OTHER)
    {
        sim->phase_ms[g_phase] += now - g_phase_start;
    }
    g_phase = phase;
    g_phase_start = now;
}

void end_phases(Simulation *, size_t) {}

bool times_every_step(void) { return true; }
