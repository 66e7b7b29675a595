// The start of a simulation: a crystal with random velocities, or a restart file.
#pragma once
#include "../common/data.cuh"
#include "files.cuh"
#include "simulation.cuh"

const int NUM_ATOM_ARRAYS = 11;

inline real **array_of_atoms(Simulation *sim, int i)
{
    real **const list[NUM_ATOM_ARRAYS] = {&sim->x,  &sim->y,  &sim->z,     &sim->vx,
                                          &sim->vy, &sim->vz, &sim->fx,    &sim->fy,
                                          &sim->fz, &sim->pe, &sim->virial};
    return list[i];
}

inline void create_atoms(Simulation *sim)
{
    for (int i = 0; i < NUM_ATOM_ARRAYS; ++i)
    {
        real *array = (real *)new_array(sim->N, sizeof(real));
        poison(array, sim->N * sizeof(real)); // a stage that does nothing must not pass
        *array_of_atoms(sim, i) = array;
    }
}

inline void destroy_atoms(Simulation *sim)
{
    for (int i = 0; i < NUM_ATOM_ARRAYS; ++i)
    {
        free(*array_of_atoms(sim, i));
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

// Component d of the velocity of atom n, before the mean is subtracted.
inline double random_velocity(const Simulation *sim, int n, int d)
{
    return 2.0 * random_unit(sim->seed, (uint64_t)n * 3 + d) - 1.0;
}

// Uniform random numbers between -1 and 1. Then the mean is subtracted, so that the total momentum
// is zero, and all are multiplied by one factor, so that the temperature is right.
inline void initialize_velocity(Simulation *sim)
{
    const int N = sim->N;
    real *const v[3] = {sim->vx, sim->vy, sim->vz};
    long double mean[3] = {}; // of many numbers: its rounding must be less than that of one
    double v2 = 0.0;
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            mean[d] += (long double)random_velocity(sim, n, d) / N;
        }
    }
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            const long double velocity = random_velocity(sim, n, d) - mean[d];
            v2 += velocity * velocity;
        }
    }
    const double factor = sqrt(sim->temperature / temperature_of(0.5 * sim->mass * v2, N));
    for (int n = 0; n < N; ++n)
    {
        for (int d = 0; d < 3; ++d)
        {
            v[d][n] = (real)((random_velocity(sim, n, d) - mean[d]) * factor);
        }
    }
}
