// What is the same in all programs whose atoms stay on the host: sums, the scaling of velocities,
// and the times of the phases.
#pragma once
#include "simulation.cuh"

void send(System *) {}

void fetch(System *) {}

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

static double sum_kinetic(const System *sys)
{
    const real *vx = sys->vx, *vy = sys->vy, *vz = sys->vz;
    double v2 = 0.0;
    for (int n = 0; n < sys->N; ++n)
    {
        v2 += (double)vx[n] * vx[n] + (double)vy[n] * vy[n] + (double)vz[n] * vz[n];
    }
    return 0.5 * sys->mass * v2;
}

Energies measure(System *sys)
{
    return {sum_kinetic(sys), sum_of(sys->pe, sys->N), sum_of(sys->virial, sys->N)};
}

// Equation 21.3 of the book.
void scale_velocity(System *sys, double T_0)
{
    const double temperature = temperature_of(sum_kinetic(sys), sys->N);
    const real factor = (real)sqrt(T_0 / temperature);
    for (int n = 0; n < sys->N; ++n)
    {
        sys->vx[n] *= factor;
        sys->vy[n] *= factor;
        sys->vz[n] *= factor;
    }
}

// ---- The phases: their work is over when a call returns, so the host's clock times each of them.

static Phase g_phase = OTHER;
static double g_phase_start = 0.0;

void begin_phase(Statistics *statistics, Phase phase)
{
    const double now = host_clock();
    if (g_phase != OTHER)
    {
        statistics->phase_ms[g_phase] += now - g_phase_start;
    }
    g_phase = phase;
    g_phase_start = now;
}

void end_phases(Statistics *, size_t) {}

bool times_every_step(void) { return true; }
