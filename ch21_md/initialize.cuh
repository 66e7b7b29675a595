// The start of a simulation: a crystal with random velocities, or a restart file.
#pragma once
#include "../common/data.cuh"
#include "files.cuh"
#include "simulation.cuh"

inline void create_atoms(Simulation *sim)
{
    for (real **array : {&sim->x, &sim->y, &sim->z, &sim->vx, &sim->vy, &sim->vz, &sim->fx,
                         &sim->fy, &sim->fz, &sim->pe, &sim->virial})
    {
        *array = new real[sim->N];
        poison(*array, sim->N * sizeof(real)); // a stage that does nothing must not pass
    }
}

inline void destroy_atoms(Simulation *sim)
{
    for (const real *array : {sim->x, sim->y, sim->z, sim->vx, sim->vy, sim->vz, sim->fx, sim->fy,
                              sim->fz, sim->pe, sim->virial})
    {
        delete[] array;
    }
}

// The density of a crystal whose cubic cells have this edge.
inline double density_of(double lattice)
{
    const double ratio = LATTICE / lattice;
    return DENSITY * ratio * ratio * ratio;
}

// The edge of a cubic cell at the density that was asked for.
inline double lattice_of(const Simulation *sim) { return LATTICE * cbrt(DENSITY / sim->density); }

// The box, and the number of atoms: four in each cubic cell.
inline void initialize_box(Simulation *sim)
{
    const real length = (real)(sim->nx * lattice_of(sim));
    sim->box = {length, length, length, length / 2, length / 2, length / 2};
    sim->N = (int)(4 * sim->nx * sim->nx * sim->nx);
}

// Face-centred cubic: an atom in a corner of each cell, and three in the middle of faces.
inline void initialize_position(Simulation *sim)
{
    const double x0[4] = {0.0, 0.0, 0.5, 0.5};
    const double y0[4] = {0.0, 0.5, 0.0, 0.5};
    const double z0[4] = {0.0, 0.5, 0.5, 0.0};
    const double a = lattice_of(sim);
    const size_t nx = sim->nx;
    for (int n = 0; n < sim->N; ++n)
    {
        const size_t cell = n / 4;
        sim->x[n] = (real)((cell / (nx * nx) + x0[n % 4]) * a);
        sim->y[n] = (real)((cell / nx % nx + y0[n % 4]) * a);
        sim->z[n] = (real)((cell % nx + z0[n % 4]) * a);
    }
}

// Uniform random numbers between -1 and 1. Then the mean is subtracted, so that the total momentum
// is zero, and all are multiplied by one factor, so that the temperature is right.
inline void initialize_velocity(Simulation *sim)
{
    const int N = sim->N;
    real *const v[3] = {sim->vx, sim->vy, sim->vz};
    long double mean[3] = {}; // of many numbers: its rounding must be less than that of one
    double v2 = 0.0;
    const auto random = [&](int n, int d)
    {
        return 2.0 * random_unit(sim->seed, (uint64_t)n * 3 + d) - 1.0;
    };
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            mean[d] += (long double)random(n, d) / N;
        }
    }
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            v2 += (random(n, d) - mean[d]) * (random(n, d) - mean[d]);
        }
    }
    const double factor = sqrt(sim->temperature / temperature_of(0.5 * sim->mass * v2, N));
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            v[d][n] = (real)((random(n, d) - mean[d]) * factor);
        }
    }
}
